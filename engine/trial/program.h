// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <chrono>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// The result of running a program.
struct ProgramResult {
    int exitCode = 0;           ///< 128 + the signal's number where a signal ended it
    std::string output, errors; ///< the first part of its standard output, the last part of its standard error; bounded
    bool truncated = false;     ///< it wrote more than `output` holds
};

/// Splits text into words at blanks; ' and " protect blanks. Errors: no word, a quote that does not end.
[[nodiscard]] Result<std::vector<std::string>> splitWords(std::string_view text);

/// The error of a trial by a program that failed on the way, and not by bad input: no pipe or process, no room for its files, too
/// late, an exit status or an unknown one, output that is no time. Of kind Unavailable.
[[nodiscard]] Unexpected programFailed(std::string what, std::string remedy, std::string file = {});

/// Runs a program without a shell, with an empty standard input, as a process group of its own that is killed when the program
/// ends, `timeout` has passed or `stop` is requested (answered within 50 ms). Errors: it cannot be started; programFailed():
/// there is no pipe, process or memory for it, it took too long, or its exit status is unknown (SIGCHLD is ignored; what it
/// started may then go on); kind Cancelled.
[[nodiscard]] Result<ProgramResult> runProgram(const std::vector<std::string> &words, std::chrono::seconds timeout,
                                               const std::stop_token &stop);

} // namespace syncopate
