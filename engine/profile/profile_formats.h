// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/profile/profile.h"

#include <array>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

namespace syncopate {

class ByteSource;

/// The beginning of a file, by which its format is recognised; names are ignored, because files are renamed.
struct FileHead {
    std::string text; ///< the first 64 KiB, decompressed where the file is gzip
    bool compressed = false;

    [[nodiscard]] bool isWhole() const { return text.size() < size; }
    static constexpr std::size_t size = std::size_t{1} << 16;
};
[[nodiscard]] Result<FileHead> readFileHead(const std::string &path);

/// A format of profiles: how to recognise it and how to read it.
struct ProfileFormat {
    const char *name;
    bool (*sniff)(const FileHead &head);
    Result<std::shared_ptr<const ImportedProfile>> (*read)(const std::string &path, const ImportOptions &options,
                                                           std::stop_token stop, Progress *progress);
};

/// Names of the formats in which several files make one profile.
inline constexpr std::array rankFormats{"PyTorch Kineto trace", "archive of PyTorch ranks", "PyTorch execution trace"};

/// The format in which several files are the steps of one profile.
inline constexpr const char *tensorFlowFormat = "TensorFlow timeline";

/// The name of the format of the first profile in a folder or archive; where none is found, or the search fails, that of Kineto
/// traces, whose reader says what is wrong. An error of kind Cancelled once `stop` is requested: an archive may have gigabytes
/// before its first profile.
[[nodiscard]] Result<const char *> formatOfParts(const std::string &path, const std::stop_token &stop);

/// The format of a file that begins like this. For a file of unknown format the Kineto reader's error names what is missing.
[[nodiscard]] const ProfileFormat &profileFormat(const FileHead &head);

/// Attaches the variables of the list that the options name, if any; passes errors on.
[[nodiscard]] Result<std::shared_ptr<const ImportedProfile>>
withListedVariables(Result<std::shared_ptr<const ImportedProfile>> profile, const ImportOptions &options, std::stop_token stop);

/// Opens a file with the limits of the options.
[[nodiscard]] Result<std::unique_ptr<ByteSource>> openLimited(const std::string &path, const ImportOptions &options,
                                                              Progress *progress);

/// True for a job file, which is an object with "layers", and for an object of no known format: the reader of job files then says
/// what is missing.
[[nodiscard]] bool looksLikeJobFile(const FileHead &head);

} // namespace syncopate
