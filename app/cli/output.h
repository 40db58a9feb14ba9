// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"
#include "engine/base/json_writer.h"
#include "engine/export/write_file.h"
#include "engine/strategy/strategy.h"

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
[[nodiscard]] inline tl::unexpected<Failure> failedRunning(Error error) {
    return tl::unexpected<Failure>(Failure{1, std::move(error)});
}

/// Prints text for people. Names in it come from files: terminalText() keeps their bytes from acting on the terminal.
void print(std::string_view text);
/// Prints the JSON text as it is; JsonWriter has escaped what is in it.
void printJson(JsonWriter &json);
/// Prints a line of JSON text as it is and hands it on at once. Errors: stdout takes no more.
[[nodiscard]] Outcome printJsonLine(std::string_view line);
/// Prints the one or the other, as --json says.
void printEither(const Common &common, JsonWriter &json, std::string_view text);
/// Prints an error's one line on stderr.
void printError(std::string_view text);
/// Prints on stderr, in a line, what happened without being an error.
void printNote(std::string_view text);
/// Fails where not all that was printed reached stdout, as on a full disk.
[[nodiscard]] Outcome flushPrinted();

/// Refuses to write a file that the command reads, by whatever name or link, and, without --force, any that is there.
[[nodiscard]] Outcome checkOutput(const Common &common, const std::string &path);
/// checkOutput() of every output that is named, and no two of them are one file.
[[nodiscard]] Outcome checkOutputs(const Common &common);

/// Writes a file and, unless told to be quiet, says so. The command has checked it: checkOutput().
[[nodiscard]] Outcome save(const Common &common, const std::string &path, std::string_view bytes);
[[nodiscard]] Outcome save(const Common &common, const std::string &path, const TextSource &text);
/// Writes both files or neither.
[[nodiscard]] Outcome saveBoth(const Common &common, const OutputFile &first, const OutputFile &second);

/// The bytes of a strategy file: JSON where `path` ends in .json, else AutoDist's format.
[[nodiscard]] std::string strategyBytes(const Strategy &strategy, std::string_view path);

/// Says that a file is written, where another program wrote it. Nothing with --json or --quiet.
void sayWrote(const Common &common, const std::string &path);

} // namespace syncopate::cli
