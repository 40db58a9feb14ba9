// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/export/write_file.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace syncopate {

namespace {

namespace fs = std::filesystem;

Unexpected cannotWrite(const std::string &path, int reason) {
    return fail(fmt::format("cannot write: {}", std::strerror(reason)), "choose a folder you may write to, with room left", path);
}

/// Writes the text and flushes. False: `errno` says why not.
bool writeAll(std::FILE *file, const TextSource &text) {
    return text([file](std::string_view piece) { return std::fwrite(piece.data(), 1, piece.size(), file) == piece.size(); }) &&
           std::fflush(file) == 0;
}

/// Opens a named pipe once it has a reader; null (errno ENXIO) if none comes within two seconds. A blocking open would wait for
/// ever.
std::FILE *openPipe(const std::string &path) {
    constexpr int tries = 100;
    int descriptor = -1;
    for (int t = 0; t < tries && descriptor < 0; ++t) {
        descriptor = open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
        if (descriptor < 0 && errno != ENXIO)
            return nullptr;
        if (descriptor < 0)
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    if (descriptor < 0) {
        errno = ENXIO;
        return nullptr;
    }
    fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
    return fdopen(descriptor, "wb");
}

Result<void> writeInPlace(const OutputFile &output) {
    std::error_code failed;
    const bool isPipe = fs::is_fifo(output.path, failed);
    std::FILE *file = isPipe ? openPipe(output.path) : std::fopen(output.path.c_str(), "wb");
    if (!file)
        return isPipe && errno == ENXIO
                   ? fail("no program reads this pipe", "start that program first, or name a file", output.path)
                   : cannotWrite(output.path, errno);
    const bool written = writeAll(file, output.text);
    const int reason = errno;
    if (std::fclose(file) != 0 || !written)
        return cannotWrite(output.path, written ? errno : reason);
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

/// A file written beside the one it is to replace, without a name where the file system allows that, so that a process killed
/// while it writes leaves nothing behind. Undone by the destructor unless it is kept.
class Replacement {
public:
    explicit Replacement(const OutputFile &file)
        : m_file(file), m_target(targetOf(file.path)), m_new(fmt::format("{}.{}.part", m_target, getpid())),
          m_old(fmt::format("{}.{}.old", m_target, getpid())) {}
    Replacement(const Replacement &) = delete;
    Replacement &operator=(const Replacement &) = delete;
    ~Replacement() {
        if (m_stream)
            std::fclose(m_stream);
        if (m_isInPlace && !m_isKept)
            std::remove(m_target.c_str());
        if (m_hasOld && !m_isKept)
            std::rename(m_old.c_str(), m_target.c_str());
        std::remove(m_new.c_str());
        std::remove(m_old.c_str());
    }
    Result<void> write() {
        open();
        if (!m_stream || !writeAll(m_stream, m_file.text))
            return cannotWrite(m_file.path, errno);
        return {};
    }
    /// `mayFailLater`: keep the old file for now, because renaming other files may still fail.
    Result<void> putInPlace(bool mayFailLater) {
        std::error_code failed; // some file systems cannot give a file a name later
        if (m_isNameless && linkat(AT_FDCWD, nameOfDescriptor().c_str(), AT_FDCWD, m_new.c_str(), AT_SYMLINK_FOLLOW) != 0 &&
            !fs::copy_file(nameOfDescriptor(), m_new, failed))
            return cannotWrite(m_file.path, failed.value());
        if (std::fclose(std::exchange(m_stream, nullptr)) != 0)
            return cannotWrite(m_file.path, errno);
        m_hasOld = mayFailLater && std::rename(m_target.c_str(), m_old.c_str()) == 0;
        m_isInPlace = std::rename(m_new.c_str(), m_target.c_str()) == 0;
        return m_isInPlace ? Result<void>() : cannotWrite(m_file.path, errno);
    }
    void keep() { m_isKept = true; }

private:
    [[nodiscard]] std::string nameOfDescriptor() const { return fmt::format("/proc/self/fd/{}", fileno(m_stream)); }
    void open() {
        const std::string folder = fs::path(m_target).parent_path().string();
        const int nameless =
            access("/proc/self/fd", X_OK) == 0 ? ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666) : -1;
        m_isNameless = nameless >= 0;
        std::remove(m_new.c_str());
        m_stream = m_isNameless ? fdopen(nameless, "wb") : std::fopen(m_new.c_str(), "wb");
        if (struct stat before{}; m_stream && stat(m_target.c_str(), &before) == 0)
            keepAccess(before);
    }

    /// Users who could not read the file before cannot now: the group's rights are kept where the group is.
    void keepAccess(const struct stat &before) const {
        const bool sameGroup = fchown(fileno(m_stream), before.st_uid, before.st_gid) == 0 || before.st_gid == getegid();
        static_cast<void>(fchmod(fileno(m_stream), before.st_mode & (sameGroup ? 0777U : 0707U)));
    }

    const OutputFile &m_file;
    std::string m_target, m_new, m_old;
    std::FILE *m_stream = nullptr; ///< of m_new, or of a file that has no name yet
    bool m_isNameless = false, m_hasOld = false, m_isInPlace = false, m_isKept = false;
};

} // namespace

std::string targetOf(const std::string &path) {
    constexpr int maxLinks = 40; // as many as Linux follows
    std::error_code failed;
    fs::path target = fs::absolute(path, failed);
    // weakly_canonical() leaves a link to a missing file, and a bare name of such a file, as they are.
    for (int links = 0; links < maxLinks && fs::is_symlink(target, failed); ++links)
        target = target.parent_path() / fs::read_symlink(target, failed);
    const fs::path whole = fs::weakly_canonical(target, failed);
    return failed ? path : whole.string();
}

Result<void> writeFiles(const std::vector<OutputFile> &files) {
    std::vector<std::unique_ptr<Replacement>> replacements;
    for (const OutputFile &file : files) {
        if (std::error_code failed; fs::is_directory(file.path, failed))
            return fail("cannot write: this is a folder", "name a file in it", file.path);
        if (isWrittenInPlace(file.path)) {
            TRY(writeInPlace(file));
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
