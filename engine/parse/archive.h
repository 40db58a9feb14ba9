// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/parse/byte_source.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

namespace syncopate {

/// True for the beginning of a tar (its gzip already undone) or zip archive.
[[nodiscard]] bool looksLikeArchive(std::string_view head);

/// Whether a walk over the files of a set goes on after a file.
enum class Walk : std::uint8_t { Continue, Stop };

/// Receives one file of a set; `name` is its path, or "ARCHIVE:MEMBER". The source gives the bytes as stored, compressed or not,
/// and lives no longer than the call.
using TakePart = std::function<Result<Walk>(const std::string &name, std::unique_ptr<ByteSource> source)>;

/// Passes to `take` every regular file of a folder (with subfolders eight deep, by name) or of an archive (tar, tar.gz, zip; in
/// its order), or the file itself. Skips hidden files and macOS's additions to archives (._*, __MACOSX). Stops where `take` says
/// so, and at the first error. `progress` counts bytes of files from `before` on; its total is left alone.
[[nodiscard]] Result<void> forEachPart(const std::string &path, const TakePart &take, const std::stop_token &stop = {},
                                       Progress *progress = nullptr, std::uint64_t before = 0);

/// The same for the bytes of an archive; Walk::Stop where `take` said so.
[[nodiscard]] Result<Walk> forEachMember(std::unique_ptr<ByteSource> archive, const std::string &name, const TakePart &take,
                                         std::stop_token stop = {});

/// Bytes of the files that forEachPart() reads, for Progress::total; 0 where that is not known.
[[nodiscard]] std::uint64_t sizeOfParts(const std::string &path);

} // namespace syncopate
