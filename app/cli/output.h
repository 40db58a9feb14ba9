// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"
#include "engine/base/json_writer.h"
#include "engine/export/write_file.h"
#include "engine/strategy/strategy.h"
#include "engine/trial/judge.h"

#include <string>
#include <string_view>
#include <utility>

namespace syncopate::cli {

[[nodiscard]] inline tl::unexpected<Failure> badInput(Error error) {
    return tl::unexpected<Failure>(Failure{2, std::move(error)});
}
[[nodiscard]] inline tl::unexpected<Failure> badInput(std::string what, std::string remedy, std::string file = {}) {
    return badInput(Error{std::move(what), std::move(remedy), std::move(file), {}});
}
/// The same result for a command: `const auto run = TRY(orBadInput(simulate(scenario)));`. Its failure is bad input unless the
/// error is of another kind, such as a project that is open elsewhere.
template <class T> [[nodiscard]] tl::expected<T, Failure> orBadInput(Result<T> result) {
    return std::move(result).map_error([](Error &&error) {
        return Failure{error.kind == ErrorKind::Input ? 2 : 1, std::move(error)};
    });
}
[[nodiscard]] inline tl::unexpected<Failure> failedRunning(Error error) {
    return tl::unexpected<Failure>(Failure{1, std::move(error)});
}

/// Prints text for people. It may contain names from files, so terminalText() escapes terminal control sequences.
void print(std::string_view text);
/// Prints JSON text verbatim; JsonWriter has escaped it.
void printJson(JsonWriter &json);
/// Prints a line of JSON text verbatim and flushes. Errors: stdout accepts no more.
[[nodiscard]] Outcome printJsonLine(std::string_view line);
/// Prints the JSON or the text, depending on --json.
void printEither(const Common &common, JsonWriter &json, std::string_view text);
/// Prints an error's one line on stderr.
void printError(std::string_view text);
/// Prints a one-line note that is not an error to stderr.
void printNote(std::string_view text);
/// Fails if not everything printed reached stdout, as on a full disk.
[[nodiscard]] Outcome flushPrinted();

/// Refuses to overwrite a file that the command reads, under any name or link, and, without --force, any existing file; "-",
/// which other programs take for stdout; and a file in a folder that does not exist, which would fail after the work is done.
[[nodiscard]] Outcome checkOutput(const Common &common, const std::string &path);
/// checkOutput() for every named output; also refuses two outputs in the same file.
[[nodiscard]] Outcome checkOutputs(const Common &common);
/// The same, for a command that also reads the files that its judge reads.
[[nodiscard]] Outcome checkOutputs(const Common &common, const Judge &judge);

/// Writes a file and, unless --quiet, says so. The command must have called checkOutput() before.
[[nodiscard]] Outcome save(const Common &common, const std::string &path, std::string_view bytes);
[[nodiscard]] Outcome save(const Common &common, const std::string &path, const TextSource &text);
/// Writes both files or neither.
[[nodiscard]] Outcome saveBoth(const Common &common, const OutputFile &first, const OutputFile &second);

/// The bytes of a strategy file: JSON if `path` ends in .json, else AutoDist's format.
[[nodiscard]] std::string strategyBytes(const Strategy &strategy, std::string_view path);

/// Says that another program has written a file. Prints nothing with --json or --quiet.
void sayWrote(const Common &common, const std::string &path);

} // namespace syncopate::cli
