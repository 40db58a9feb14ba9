// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/input_file.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <system_error>

namespace syncopate {

Result<std::string> readInputFile(const std::string &path, std::uint64_t maximumBytes) {
    std::error_code status;
    const auto kind = std::filesystem::status(path, status).type();
    if (kind == std::filesystem::file_type::not_found)
        return fail("there is no such file", "check the path", path);
    if (status)
        return fail(fmt::format("the file cannot be read: {}", status.message()), "check the path and its permissions", path);
    if (kind == std::filesystem::file_type::directory)
        return fail("this is a folder", "name a file", path);
    if (kind != std::filesystem::file_type::regular)
        return fail("this is not a regular file", "copy the content to a file first", path);
    const std::uint64_t size = std::filesystem::file_size(path, status);
    if (status)
        return fail(fmt::format("the file cannot be read: {}", status.message()), "check its permissions", path);
    if (size > maximumBytes)
        return fail(fmt::format("the file has {} bytes, more than the {} that are read", size, maximumBytes),
                    "check that this is the file you meant", path);
    std::ifstream stream(path, std::ios::binary);
    std::string content(static_cast<std::size_t>(size), '\0');
    if (!stream || !stream.read(content.data(), static_cast<std::streamsize>(size)))
        return fail("the file cannot be read", "check its permissions", path);
    return content;
}

} // namespace syncopate
