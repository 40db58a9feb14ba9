// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/export/write_file.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <unistd.h>
#include <utility>

namespace syncopate {

namespace {

namespace fs = std::filesystem;

Unexpected cannotWrite(const std::string &path, int reason) {
    return fail(fmt::format("cannot write: {}", std::strerror(reason)), "choose a folder you may write to, with room left", path);
}

bool writeAll(std::FILE *file, const TextSource &text) {
    const bool written =
        text([file](std::string_view piece) { return std::fwrite(piece.data(), 1, piece.size(), file) == piece.size(); });
    const int reason = errno;
    const bool closed = std::fclose(file) == 0;
    if (!written)
        errno = reason;
    return closed && written;
}

Result<void> writeTo(const std::string &path, const TextSource &text, const std::string &named) {
    std::FILE *file = std::fopen(path.c_str(), "wb");
    if (!file || !writeAll(file, text))
        return cannotWrite(named, errno);
    return {};
}

/// Pipes, terminals and /dev/null have nothing to replace. /dev/stdout and other file descriptors may lead to a regular file, but
/// the shell holds that open.
bool isWrittenInPlace(const std::string &path) {
    std::error_code failed;
    const auto status = fs::status(path, failed);
    const fs::path absolute = fs::absolute(path, failed).lexically_normal();
    const std::string folder = absolute.parent_path().string();
    return (fs::exists(status) && !fs::is_regular_file(status)) || folder == "/dev" || folder == "/dev/fd" ||
           (folder.starts_with("/proc/") && folder.ends_with("/fd") && folder.find("/cwd/") == std::string::npos &&
            folder.find("/root/") == std::string::npos);
}

/// Where `path` leads, following links.
std::string targetOf(const std::string &path) {
    std::error_code failed;
    const fs::path target = fs::weakly_canonical(path, failed);
    return failed ? path : target.string();
}

/// A file that is written under a temporary name and then renamed. Undone by the destructor unless it is kept.
class Replacement {
public:
    explicit Replacement(const OutputFile &file)
        : m_file(file), m_target(targetOf(file.path)), m_new(fmt::format("{}.{}.part", m_target, getpid())),
          m_old(fmt::format("{}.{}.old", m_target, getpid())) {}
    Replacement(const Replacement &) = delete;
    Replacement &operator=(const Replacement &) = delete;
    ~Replacement() {
        if (m_isInPlace && !m_isKept)
            std::remove(m_target.c_str());
        if (m_hasOld && !m_isKept)
            std::rename(m_old.c_str(), m_target.c_str());
        std::remove(m_new.c_str());
        std::remove(m_old.c_str());
    }
    Result<void> write() { return writeTo(m_new, m_file.text, m_file.path); }
    /// `mayFailLater`: keep the old file for now, because renaming other files may still fail.
    Result<void> putInPlace(bool mayFailLater) {
        m_hasOld = mayFailLater && std::rename(m_target.c_str(), m_old.c_str()) == 0;
        m_isInPlace = std::rename(m_new.c_str(), m_target.c_str()) == 0;
        return m_isInPlace ? Result<void>() : cannotWrite(m_file.path, errno);
    }
    void keep() { m_isKept = true; }

private:
    const OutputFile &m_file;
    std::string m_target, m_new, m_old;
    bool m_hasOld = false, m_isInPlace = false, m_isKept = false;
};

} // namespace

Result<void> writeFiles(const std::vector<OutputFile> &files) {
    std::vector<std::unique_ptr<Replacement>> replacements;
    for (const OutputFile &file : files) {
        if (std::error_code failed; fs::is_directory(file.path, failed))
            return fail("cannot write: this is a folder", "name a file in it", file.path);
        if (isWrittenInPlace(file.path)) {
            TRY(writeTo(file.path, file.text, file.path));
            continue;
        }
        replacements.push_back(std::make_unique<Replacement>(file));
        TRY(replacements.back()->write());
    }
    for (const auto &replacement : replacements)
        TRY(replacement->putInPlace(replacements.size() > 1));
    for (const auto &replacement : replacements)
        replacement->keep();
    return {};
}

Result<void> writeFile(const std::string &path, std::string_view bytes) {
    return writeFile(path, [bytes](const TextSink &sink) { return sink(bytes); });
}

Result<void> writeFile(const std::string &path, const TextSource &text) { return writeFiles({{path, text}}); }

bool isReplaced(const std::string &path) {
    std::error_code failed;
    return fs::is_regular_file(path, failed) && !isWrittenInPlace(path);
}

void ignoreFileSizeSignal() { std::signal(SIGXFSZ, SIG_IGN); }

} // namespace syncopate
