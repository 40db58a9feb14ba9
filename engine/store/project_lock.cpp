// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/project_lock.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace syncopate {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t maxLockBytes = 4096; ///< of names that are read; further visitors are not recorded
constexpr int maxTries = 10;               ///< in case an owner releases the lock just when it is asked for

std::string lockPathOf(const std::string &path) {
    std::error_code failed;
    const fs::path target = fs::weakly_canonical(path, failed);
    const fs::path project = failed ? fs::path(path) : target;
    return (project.parent_path() / ("." + project.filename().string() + ".lock")).string();
}

std::string thisProcess() {
    std::array<char, 256> host{};
    if (gethostname(host.data(), host.size() - 1) != 0)
        host = {'?'};
    return fmt::format("process {} on {}", getpid(), host.data());
}

/// The lines of an open lock file: the owner, then visitors. Unprintable characters, which we never write, become '?'.
std::vector<std::string> linesOf(int file) {
    std::array<char, maxLockBytes> bytes{};
    const ssize_t size = pread(file, bytes.data(), bytes.size(), 0);
    std::vector<std::string> lines(1);
    for (ssize_t i = 0; i < size; ++i) {
        const char c = bytes[static_cast<std::size_t>(i)];
        if (c == '\n')
            lines.emplace_back();
        else
            lines.back() += c >= ' ' && c <= '~' ? c : '?';
    }
    lines.pop_back(); // the rest after the last line break is empty
    return lines;
}

/// Whether `path` still leads to the open file; its owner may have removed it.
bool isAt(const std::string &path, int file) {
    struct stat there {
    }, open{};
    return stat(path.c_str(), &there) == 0 && fstat(file, &open) == 0 && there.st_ino == open.st_ino &&
           there.st_dev == open.st_dev;
}

/// Appends a line, unless the lock file is full. Returns false if it is, or if writing failed, as on a full disk.
bool addLine(int file, const std::string &line) {
    const std::string text = line + '\n';
    struct stat status {};
    if (fstat(file, &status) != 0 || status.st_size + std::ssize(text) > static_cast<off_t>(maxLockBytes))
        return false;
    return pwrite(file, text.data(), text.size(), status.st_size) == std::ssize(text);
}

} // namespace

Result<std::unique_ptr<ProjectLock>> ProjectLock::take(const std::string &path) {
    const std::string lockPath = lockPathOf(path);
    for (int tries = 0; tries < maxTries; ++tries) {
        // Neither follow links nor wait for the other end of a pipe: others may write to the folder.
        const int file = open(lockPath.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
        struct stat status {};
        if (file < 0)
            return nullptr;
        if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
            close(file);
            return nullptr;
        }
        if (flock(file, LOCK_EX | LOCK_NB) == 0) {
            if (!isAt(lockPath, file)) { // the owner removed it between these two steps
                close(file);
                continue;
            }
            if (ftruncate(file, 0) == 0) // remove the text of a crashed owner
                addLine(file, thisProcess());
            return std::unique_ptr<ProjectLock>(new ProjectLock(lockPath, file));
        }
        const bool held = errno == EWOULDBLOCK;
        const auto lines = linesOf(file);
        if (held)
            addLine(file, thisProcess());
        close(file);
        if (!held)
            return nullptr;
        auto error =
            fail(fmt::format("the project is open in another window ({})", lines.empty() ? "of another program" : lines[0]),
                 "close it there, or save under another name", path);
        error.value().kind = ErrorKind::Unavailable;
        return error;
    }
    return nullptr;
}

ProjectLock::~ProjectLock() {
    if (isAt(m_lockPath, m_file))
        unlink(m_lockPath.c_str());
    close(m_file); // releases the lock, too
}

std::string ProjectLock::lastVisitor() const {
    const auto lines = linesOf(m_file);
    return lines.size() > 1 ? lines.back() : std::string();
}

} // namespace syncopate
