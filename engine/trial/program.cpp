// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trial/program.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace syncopate {

namespace {

constexpr std::size_t keptBytes = 64 * 1024;
constexpr int tickMilliseconds = 20;

/// Both ends of a pipe: closed at the end of the scope, and in every program started meanwhile.
class Pipe {
public:
    Pipe() { m_ok = pipe2(m_ends.data(), O_CLOEXEC) == 0; }
    Pipe(const Pipe &) = delete;
    Pipe &operator=(const Pipe &) = delete;
    ~Pipe() {
        closeEnd(0);
        closeEnd(1);
    }
    [[nodiscard]] bool isOpen() const { return m_ok; }
    [[nodiscard]] int out() const { return m_ends[0]; }
    [[nodiscard]] int in() const { return m_ends[1]; }
    void closeEnd(std::size_t end) {
        if (m_ends[end] >= 0)
            ::close(m_ends[end]);
        m_ends[end] = -1;
    }

private:
    std::array<int, 2> m_ends{-1, -1};
    bool m_ok = false;
};

/// Reads what is available, at most several times as much as a pipe holds: a program that writes without pause would keep it from
/// its timeout. Returns false at the end of the stream.
bool drain(int from, const auto &take) {
    constexpr int maxReads = 64;
    std::array<char, 4096> buffer{};
    for (int reads = 0; reads < maxReads; ++reads) {
        const ssize_t got = ::read(from, buffer.data(), buffer.size());
        if (got > 0)
            take(std::string_view(buffer.data(), static_cast<std::size_t>(got)));
        else
            return got < 0 && (errno == EAGAIN || errno == EINTR);
    }
    return true;
}

Result<pid_t> start(const std::vector<std::string> &words, const Pipe &output, const Pipe &errors) {
    std::vector<char *> arguments;
    arguments.reserve(words.size() + 1);
    for (const std::string &word : words)
        arguments.push_back(const_cast<char *>(word.c_str())); // posix_spawn does not write to them
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output.in(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, errors.in(), STDERR_FILENO);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    pid_t child = 0;
    const int failed = posix_spawnp(&child, words.front().c_str(), &actions, &attributes, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (failed == EAGAIN || failed == ENOMEM)
        return programFailed(fmt::format("the program '{}' cannot be started: {}", words.front(), std::strerror(failed)),
                             "judge fewer at once, or end other programs");
    if (failed != 0)
        return fail(fmt::format("the program '{}' cannot be started: {}", words.front(), std::strerror(failed)),
                    "give a path, or a name that is found in PATH");
    return child;
}

enum class Ending : std::uint8_t {
    None,
    Known,
    Unknown ///< its status went to the kernel (SIGCHLD is ignored) or to another thread; its id may be another process's by now
};

/// Whether a child that has not been waited for has ended.
Ending endingOf(pid_t child) {
    siginfo_t info{};
    if (waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0)
        return info.si_pid == child ? Ending::Known : Ending::None;
    return errno == ECHILD ? Ending::Unknown : Ending::None;
}

/// Ends a child's group, which exists until the child has been waited for, and waits for the child. Returns how it ended:
/// `ending`, or Unknown if it should be known and another thread was faster.
Ending endGroup(pid_t child, Ending ending, int &status) {
    if (ending == Ending::Unknown)
        return ending;
    kill(-child, SIGKILL);
    pid_t waited = 0;
    do
        waited = waitpid(child, &status, 0);
    while (waited < 0 && errno == EINTR);
    return waited < 0 && ending == Ending::Known ? Ending::Unknown : ending;
}

} // namespace

Unexpected programFailed(std::string what, std::string remedy, std::string file) {
    return Unexpected(Error{std::move(what), std::move(remedy), std::move(file), {}, ErrorKind::Unavailable});
}

Result<std::vector<std::string>> splitWords(std::string_view text) {
    std::vector<std::string> words;
    bool inWord = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == ' ' || c == '\t') {
            inWord = false;
            continue;
        }
        if (!inWord)
            words.emplace_back();
        inWord = true;
        if (c != '\'' && c != '"') {
            words.back() += c;
            continue;
        }
        const std::size_t end = text.find(c, i + 1);
        if (end == std::string_view::npos)
            return fail(fmt::format("unterminated quote in the program's command: {}", text), "close it");
        words.back() += text.substr(i + 1, end - i - 1);
        i = end;
    }
    if (words.empty() || words.front().empty())
        return fail("no program is named", "write its path and arguments");
    return words;
}

Result<ProgramResult> runProgram(const std::vector<std::string> &words, std::chrono::seconds timeout,
                                 const std::stop_token &stop) {
    Pipe output, errors;
    if (!output.isOpen() || !errors.isOpen())
        return programFailed("no pipe for a program: too many files are open", "judge fewer at once");
    const auto end = std::chrono::steady_clock::now() + timeout;
    const pid_t child = TRY(start(words, output, errors));
    output.closeEnd(1);
    errors.closeEnd(1);
    for (const Pipe *pipe : {&output, &errors})
        fcntl(pipe->out(), F_SETFL, O_NONBLOCK);
    ProgramResult result;
    const auto takeOutput = [&](std::string_view text) {
        const std::size_t room = keptBytes - result.output.size();
        result.truncated |= text.size() > room;
        result.output += text.substr(0, room);
    };
    const auto takeErrors = [&](std::string_view text) {
        result.errors += text;
        if (result.errors.size() > keptBytes)
            result.errors.erase(0, result.errors.size() - keptBytes);
    };
    // Only until the program itself ends: its children may hold the pipes open for longer.
    std::array<pollfd, 2> waiting{{{output.out(), POLLIN, 0}, {errors.out(), POLLIN, 0}}};
    int status = 0;
    Ending ending = Ending::None;
    bool late = false;
    while (ending == Ending::None && !late && !stop.stop_requested()) {
        poll(waiting.data(), waiting.size(), tickMilliseconds);
        if (waiting[0].fd >= 0 && !drain(output.out(), takeOutput))
            waiting[0].fd = -1; // poll() skips it, so that the end of a stream does not keep the loop busy
        if (waiting[1].fd >= 0 && !drain(errors.out(), takeErrors))
            waiting[1].fd = -1;
        ending = endingOf(child);
        late = std::chrono::steady_clock::now() >= end;
    }
    ending = endGroup(child, ending, status);
    if (ending != Ending::Known && stop.stop_requested())
        return cancelled();
    if (ending == Ending::Unknown)
        return programFailed(
            fmt::format("'{}' ended, but its exit status is unknown: this process ignores SIGCHLD, or waits for all its children",
                        words.front()),
            "let SIGCHLD have its default action (Python: signal.SIG_DFL; a shell: trap - CHLD)");
    if (ending == Ending::None)
        return programFailed(fmt::format("'{}' took longer than {} s and was ended", words.front(), timeout.count()),
                             "give the judge a longer timeout");
    drain(output.out(), takeOutput);
    drain(errors.out(), takeErrors);
    result.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return result;
}

} // namespace syncopate
