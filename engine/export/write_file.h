// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// Receives a text in pieces. Returns false to stop.
using TextSink = std::function<bool(std::string_view piece)>;
/// Writes a text to a sink in pieces. Returns false if the sink stopped it.
using TextSource = std::function<bool(const TextSink &)>;

/// A file to write, and the source of its text.
struct OutputFile {
    std::string path;
    TextSource text;
};

/// Writes all of the files, or leaves every one unchanged: each goes to a temporary file beside it, and once all are complete
/// they are renamed. A write that fails (a full disk, a limit on files) leaves nothing. Links are followed, and a file that is
/// replaced keeps its permissions; anything but a regular file (a pipe, a terminal, all of /dev) is written to directly. Errors:
/// a file cannot be written; a named pipe has had no reader for two seconds.
[[nodiscard]] Result<void> writeFiles(const std::vector<OutputFile> &files);
[[nodiscard]] Result<void> writeFile(const std::string &path, std::string_view bytes);
[[nodiscard]] Result<void> writeFile(const std::string &path, const TextSource &text);

/// The file that writing to `path` makes or replaces, by its absolute path, with all links followed; equal for two names of one
/// file, whether it is there or not.
[[nodiscard]] std::string targetOf(const std::string &path);

/// Whether writing to `path` would replace a regular file.
[[nodiscard]] bool isReplaced(const std::string &path);

/// Turns a write past the limit on file sizes (ulimit -f) into an error of that write, instead of the end of the process.
void ignoreFileSizeSignal();

} // namespace syncopate
