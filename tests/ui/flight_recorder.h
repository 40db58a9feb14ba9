// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QtGlobal>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <execinfo.h>
#include <pthread.h>
#include <thread>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
extern "C" void __sanitizer_set_death_callback(void (*callback)()); // Debian's GCC lacks the header
#endif

namespace syncopate::ui {

/// Keeps the last actions of a random test and prints them, with the command to repeat it, however the test ends: by a failed
/// check, a crash, a sanitizer's report, or a window that no longer responds.
class FlightRecorder final {
public:
    static FlightRecorder &instance() {
        static FlightRecorder recorder;
        return recorder;
    }

    /// `again`: the command that repeats the run. A step that takes longer than `patience` counts as a hang.
    void start(const QString &again, std::chrono::seconds patience) {
        m_again = again.toUtf8();
        m_lastStep = now();
        m_window = pthread_self();
        std::signal(SIGUSR1, [](int) { printStack(); });
        std::array<void *, 1> frame{};
        backtrace(frame.data(), 1); // loads libraries, which a signal handler must not do
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        __sanitizer_set_death_callback([] { instance().print(); });
#else
        for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
            std::signal(signal, [](int number) {
                instance().print();
                printStack();
                std::signal(number, SIG_DFL);
                std::raise(number);
            });
#endif
        m_watch = std::jthread([this, patience](const std::stop_token &stop) {
            while (!stop.stop_requested()) {
                std::this_thread::sleep_for(std::chrono::milliseconds(200));
                if (now() - m_lastStep.load() > patience.count() * 1000) {
                    std::fprintf(stderr, "FAIL: the window has not answered for %lld s\n",
                                 static_cast<long long>(patience.count()));
                    print();
                    pthread_kill(m_window, SIGUSR1); // prints where it is
                    std::this_thread::sleep_for(std::chrono::seconds(1));
                    std::signal(SIGABRT, SIG_DFL);
                    std::abort();
                }
            }
        });
    }

    void stop() {
        m_watch.request_stop();
        if (m_watch.joinable())
            m_watch.join();
    }

    void note(const QString &action) {
        const QByteArray text = action.toUtf8().left(static_cast<qsizetype>(m_lines[0].size()) - 1);
        auto &line = m_lines[m_count % m_lines.size()];
        std::memcpy(line.data(), text.constData(), static_cast<std::size_t>(text.size()) + 1);
        ++m_count;
        alive();
    }

    void alive() { m_lastStep = now(); }
    [[nodiscard]] std::size_t count() const { return m_count; }

    /// Async-signal-safe.
    void print() const {
        const auto put = [](const char *text) { (void)!write(STDERR_FILENO, text, std::strlen(text)); };
        put("The last actions, newest last:\n");
        for (std::size_t i = m_count > m_lines.size() ? m_count - m_lines.size() : 0; i < m_count; ++i) {
            put("  ");
            put(m_lines[i % m_lines.size()].data());
            put("\n");
        }
        put("Again: ");
        put(m_again.constData());
        put("\n");
    }

private:
    static void printStack() {
        std::array<void *, 64> frames{};
        const char text[] = "Where:\n";
        (void)!write(STDERR_FILENO, text, sizeof text - 1);
        backtrace_symbols_fd(frames.data(), backtrace(frames.data(), static_cast<int>(frames.size())), STDERR_FILENO);
    }
    static std::int64_t now() {
        return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
    }
    std::array<std::array<char, 200>, 40> m_lines{};
    std::size_t m_count = 0;
    QByteArray m_again;
    std::atomic<std::int64_t> m_lastStep{0};
    pthread_t m_window{}; ///< the thread of the window
    std::jthread m_watch;
};

} // namespace syncopate::ui
