// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/progress.h"
#include "engine/base/result.h"
#include "engine/session/forecast.h"
#include "engine/session/search_state.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace syncopate {

/// A scenario that the user kept.
struct KeptScenario {
    std::string name;
    std::string note;
    std::int64_t keptAt = 0; ///< seconds since 1970, UTC
    SessionState state;
    std::array<std::optional<double>, 2> iterationSeconds{}; ///< of A and B when it was kept
    bool operator==(const KeptScenario &) const = default;
};

/// Everything that a window shows, as a value: the content of a project file.
struct Project {
    SessionState present;
    std::vector<KeptScenario> scenarios; ///< in the user's order
    /// The state of the views (visible time, pinned lanes, notes, ...), as JSON of each view's own.
    std::map<std::string, std::string> views;
    /// The window's search, if it has one: shared, for it may be large.
    std::shared_ptr<const SearchState> search;
    /// The searches before it, the oldest first. A strategy that was judged alike in several of them is kept once, in `search`
    /// or in the oldest: trials of past searches have gaps in their numbers.
    PastSearches pastSearches{};
    /// The throughput panel's curves, the present one first: of that only the setting and the measured points are kept, since it
    /// is predicted again.
    std::vector<KeptCurve> curves;
    /// Counts the saves of the file, so a window that has it open notices a save by another program.
    std::int64_t revision = 0;
    /// The parts that could not be restored on reading, each with its reason and remedy; empty after a complete read. Not saved.
    std::vector<Error> losses;
};

/// Reads a project file (SQLite, docs/project-file.md). Jobs, clusters and strategies are in the file; profiles too, up to
/// projectProfileLimit, and larger ones and folders of ranks are read again from where they were. Errors: not a project, one of
/// a newer version, damaged; of kind Cancelled when `stop` is requested. Progress counts as importProfile() does.
[[nodiscard]] Result<Project> readProject(const std::string &path, std::stop_token stop = {}, Progress *progress = nullptr);

/// Saves the project in one transaction: whatever happens, the file holds either the old content or all of `project`, and a file
/// that was not there is not created by a save that fails. Errors: the file is not a project, one of a newer version, damaged or
/// not writable; of kind Unavailable: its revision is no longer `project.revision`, because another program saved it (a revision
/// of 0 replaces any, and where the file was moved or deleted any makes a new one). Returns the new revision.
[[nodiscard]] Result<std::int64_t> writeProject(const Project &project, const std::string &path);

/// Where a project was saved, and its revision there.
struct SavedProject {
    std::string path;
    std::int64_t revision = 0;
    bool hasCopy = false; ///< of saveProjectAs(): the profiles of `from` came along
};
/// As writeProject(). If another program saved the file meanwhile, it saves beside it, as "NAME (2).syncopate": no edit is lost,
/// and the two can be compared. Returns where it was saved. Errors: those of writeProject(), Unavailable only where all such
/// names are taken; those of copyProject().
[[nodiscard]] Result<SavedProject> saveProject(Project project, const std::string &path);

/// Saves under the name `path`, with the profiles of the project `from` whose own files are gone. Where `from` is damaged or its
/// copy cannot be written, it saves with those of an older project at `path` instead, and SavedProject::hasCopy is false. The new
/// file is made beside the older one and takes its place when it is complete. Errors: those of writeProject(); the older file is
/// as it was.
[[nodiscard]] Result<SavedProject> saveProjectAs(Project project, const std::string &path, const std::string &from);

/// Copies the project as its last save left it to `to`, which must not exist, even while another program saves. Errors: those of
/// reading `from`; `to` exists, or cannot be written.
[[nodiscard]] Result<void> copyProject(const std::string &from, const std::string &to);

/// Whether saving `a` and saving `b` would leave the same file, apart from the revision and the views named in `except`, which
/// change without the user. A predicted curve does not change once it is kept. O(scenarios + curves).
[[nodiscard]] bool sameContent(const Project &a, const Project &b, const std::vector<std::string> &except);

/// The largest profile, in bytes, that a project embeds.
inline constexpr std::int64_t projectProfileLimit = 64 << 20;

} // namespace syncopate
