// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output.h"

#include "engine/base/text.h"
#include "engine/base/units.h"
#include "engine/strategy/strategy_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>

namespace syncopate::cli {

namespace {

namespace fs = std::filesystem;

/// The errno with which writing to stdout failed; 0 while everything was written.
int cutBy = 0;

void printAsIs(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() && cutBy == 0)
        cutBy = errno;
}

/// Whether the existing `file` is inside the folder.
bool isWithin(const fs::path &file, const fs::path &folder) {
    std::error_code failed;
    const fs::path inner = fs::canonical(file, failed), outer = fs::canonical(folder, failed);
    return !failed && std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

/// Fails as writing the file would, if it is a folder, or if there is neither such a file nor a folder to make it in.
Outcome checkFolder(const std::string &path) {
    std::error_code failed;
    if (fs::is_directory(path, failed))
        return failedRunning(Error{"cannot write: this is a folder", "name a file in it", path, {}});
    if (fs::exists(path, failed) || fs::is_directory(fs::path(targetOf(path)).parent_path(), failed))
        return {};
    return failedRunning(Error{"cannot write: its folder does not exist", "make that folder, or write to another one", path, {}});
}

} // namespace

void print(std::string_view text) { printAsIs(terminalText(text)); }

void printJson(JsonWriter &json) { printAsIs(json.take()); }

Outcome printJsonLine(std::string_view line) {
    printAsIs(line);
    return flushPrinted();
}

void printEither(const Common &common, JsonWriter &json, std::string_view text) {
    if (common.json)
        printJson(json);
    else
        print(text);
}

void printError(std::string_view text) { std::fprintf(stderr, "error: %.*s\n", static_cast<int>(text.size()), text.data()); }

void printNote(std::string_view text) { std::fprintf(stderr, "note: %.*s\n", static_cast<int>(text.size()), text.data()); }

Outcome flushPrinted() {
    if (std::fflush(stdout) != 0 && cutBy == 0)
        cutBy = errno;
    if (cutBy == 0)
        return {};
    return failedRunning(Error{
        fmt::format("cannot write all of the output: {}", std::strerror(cutBy)), "make room where stdout goes", "stdout", {}});
}

Outcome checkOutput(const Common &common, const std::string &path) {
    if (path == "-")
        return badInput("an output is named by a file; - does not mean stdout",
                        "write to /dev/stdout, or to ./- if the file is to be called so", path);
    std::error_code failed;
    if (!isReplaced(path))
        return checkFolder(path);
    for (const std::string &input : common.inputs) {
        if (fs::equivalent(input, path, failed) && !failed)
            return badInput("this file is read, and would be overwritten", "write to another file", path);
        if (fs::is_directory(input, failed) && isWithin(path, input))
            return badInput(fmt::format("this file is in '{}', which is read, and would be overwritten", input),
                            "write to another folder", path);
    }
    if (!common.force)
        return badInput("there is such a file already", "write to another file, or add --force to replace it", path);
    return {};
}

Outcome checkOutputs(const Common &common) {
    std::vector<std::string> seen;
    for (const std::string *path : common.keptFiles)
        if (!path->empty())
            seen.push_back(targetOf(*path));
    for (const std::string *path : common.outputs) {
        if (path->empty())
            continue;
        TRY(checkOutput(common, *path));
        std::error_code failed;
        const std::string target = targetOf(*path);
        const bool isSink = fs::exists(*path, failed) && !fs::is_regular_file(*path, failed);
        if (!isSink && std::find(seen.begin(), seen.end(), target) != seen.end())
            return badInput("two outputs would be written to this file", "name two files", *path);
        seen.push_back(target);
    }
    return {};
}

Outcome checkOutputs(const Common &common, const Judge &judge) {
    Common reading = common;
    for (std::string &file : judge.files())
        reading.inputs.push_back(std::move(file));
    return checkOutputs(reading);
}

Outcome save(const Common &common, const std::string &path, std::string_view bytes) {
    return save(common, path, [bytes](const TextSink &sink) { return sink(bytes); });
}

Outcome save(const Common &common, const std::string &path, const TextSource &text) {
    if (const auto written = writeFile(path, text); !written)
        return failedRunning(written.error());
    sayWrote(common, path);
    return {};
}

Outcome saveBoth(const Common &common, const OutputFile &first, const OutputFile &second) {
    if (const auto written = writeFiles({first, second}); !written)
        return failedRunning(written.error());
    sayWrote(common, first.path);
    sayWrote(common, second.path);
    return {};
}

std::string strategyBytes(const Strategy &strategy, std::string_view path) {
    return path.ends_with(".json") ? writeStrategyJson(strategy) : writeStrategyProto(strategy);
}

void sayWrote(const Common &common, const std::string &path) {
    std::error_code unknown;
    const auto bytes = fs::file_size(path, unknown);
    if (!common.json && !common.quiet && !unknown)
        print(fmt::format("wrote {} ({})\n", visibleText(path), formatBytes(static_cast<double>(bytes))));
}

} // namespace syncopate::cli
