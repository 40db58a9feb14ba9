// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// Takes the pieces of a text, one after the other. False: it wants no more.
using TextSink = std::function<bool(std::string_view piece)>;
/// Gives a text to a sink, in pieces. False: the sink wanted no more.
using TextSource = std::function<bool(const TextSink &)>;

struct OutputFile {
    std::string path;
    TextSource text;
};

/// Writes all of the files, or leaves every one as it was: each goes to a temporary file beside it, and once all are written
/// they are renamed over what was there. Nothing is left of a write that fails (a full disk, a limit on files). A link is
/// followed; what is no regular file (a pipe, a terminal, all of /dev) is written to as it is.
[[nodiscard]] Result<void> writeFiles(const std::vector<OutputFile> &files);
[[nodiscard]] Result<void> writeFile(const std::string &path, std::string_view bytes);
[[nodiscard]] Result<void> writeFile(const std::string &path, const TextSource &text);

/// Whether writing to `path` would replace a regular file.
[[nodiscard]] bool isReplaced(const std::string &path);

/// Makes a write past the limit on file sizes (ulimit -f) an error of that write in place of the process's end.
void ignoreFileSizeSignal();

} // namespace syncopate
