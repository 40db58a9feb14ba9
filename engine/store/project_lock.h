// SPDX-License-Identifier: GPL-3.0-or-later
// Two windows on one project would each save their own picture of it, and the later one would undo the earlier one's. So the
// first to open a project owns it as long as it has it open: it holds a kernel lock (flock) on a hidden file beside the project.
// The kernel drops the lock when its program ends, however it ends, so that no lock outlives a crash and none is asked about by
// its age. Nothing waits: a lock is there or is not.
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
    /// project. Null: locks cannot be kept there (a folder that one may not write to, a file system without locks); saving is
    /// then guarded by the project's revision alone. An error of kind Unavailable names the owner; the owner can see that it was
    /// asked (lastVisitor()).
    [[nodiscard]] static Result<std::unique_ptr<ProjectLock>> take(const std::string &path);

    /// The file that is locked, to be watched for visitors.
    [[nodiscard]] const std::string &lockPath() const { return m_lockPath; }
    /// The last one that asked for the lock meanwhile: "process 4711 on host"; empty = none.
    [[nodiscard]] std::string lastVisitor() const;

private:
    ProjectLock(std::string lockPath, int file) : m_lockPath(std::move(lockPath)), m_file(file) {}
    std::string m_lockPath;
    int m_file;
};

} // namespace syncopate
