// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <utility>

namespace syncopate {

/// A folder in the system's for temporary files (TMPDIR), with a name that no other process can have taken; its destructor
/// removes it with all that is in it.
class TemporaryFolder {
public:
    /// Errors: the folder cannot be made.
    [[nodiscard]] static Result<TemporaryFolder> make();
    TemporaryFolder(TemporaryFolder &&other) noexcept : m_path(std::exchange(other.m_path, {})) {}
    TemporaryFolder &operator=(TemporaryFolder &&) = delete;
    TemporaryFolder(const TemporaryFolder &) = delete;
    TemporaryFolder &operator=(const TemporaryFolder &) = delete;
    ~TemporaryFolder();

    [[nodiscard]] const std::filesystem::path &path() const { return m_path; }

private:
    explicit TemporaryFolder(std::filesystem::path path) : m_path(std::move(path)) {}

    std::filesystem::path m_path; ///< empty of one that was moved from
};

} // namespace syncopate
