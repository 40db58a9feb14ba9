// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"
#include "engine/export/export.h"

#include <string>
#include <string_view>
#include <utility>

namespace syncopate::cli {

[[nodiscard]] inline tl::unexpected<Failure> badInput(Error error) {
    return tl::unexpected<Failure>(Failure{2, std::move(error)});
}
[[nodiscard]] inline tl::unexpected<Failure> badInput(std::string what, std::string remedy) {
    return badInput(Error{std::move(what), std::move(remedy), {}, {}});
}
[[nodiscard]] inline tl::unexpected<Failure> failedRunning(Error error) {
    return tl::unexpected<Failure>(Failure{1, std::move(error)});
}

void print(const std::string &text);
/// Writes a file and, unless told to be quiet, says so.
[[nodiscard]] Outcome save(const Common &common, const std::string &path, std::string_view bytes);
[[nodiscard]] Outcome save(const Common &common, const std::string &path, const TextSource &text);

/// Says that a file is written, where another program wrote it. Nothing with --json or --quiet.
void sayWrote(const Common &common, const std::string &path);

} // namespace syncopate::cli
