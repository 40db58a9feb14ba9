// SPDX-License-Identifier: GPL-3.0-or-later
// Two windows on one project would each save their own version of it, and the later save would undo the earlier one. So the first
// to open a project owns it while it has it open, by a kernel lock (flock) on a hidden file beside the project. The kernel drops
// the lock when the program ends, however it ends, so no lock outlives a crash, and none has to be judged by its age. Nothing
// waits: taking a lock succeeds or fails at once.
#pragma once

#include "engine/base/result.h"

#include <memory>
#include <string>

namespace syncopate {

/// The exclusive right to save one project, given back on destruction.
class ProjectLock {
public:
    ~ProjectLock();
    ProjectLock(const ProjectLock &) = delete;
    ProjectLock &operator=(const ProjectLock &) = delete;

    /// Takes the lock of the project at `path`, which need not exist yet. Paths that lead to one file through links are one
    /// project. Returns null where locks are impossible (a folder without write permission, a file system without locks); then
    /// only the project's revision guards saves. An error of kind Unavailable names the owner, who can see the request
    /// (lastVisitor()).
    [[nodiscard]] static Result<std::unique_ptr<ProjectLock>> take(const std::string &path);

    /// The locked file, to be watched for visitors.
    [[nodiscard]] const std::string &lockPath() const { return m_lockPath; }
    /// The last process that asked for the lock meanwhile: "process 4711 on host"; empty = none.
    [[nodiscard]] std::string lastVisitor() const;

private:
    ProjectLock(std::string lockPath, int file) : m_lockPath(std::move(lockPath)), m_file(file) {}
    std::string m_lockPath;
    int m_file;
};

} // namespace syncopate
