// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/interruption.h"

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>

namespace syncopate::cli {

namespace {

constexpr std::array signals{SIGINT, SIGTERM};
std::atomic<bool> stopRequested = false;
static_assert(std::atomic<bool>::is_always_lock_free); // so that a handler may set it

std::array<struct sigaction, signals.size()> before{}; ///< previous actions; static, as there is only one Interruption at a time

/// Requests a stop; a second signal, of either kind, ends the process.
void handleSignal(int signal) {
    if (!stopRequested.exchange(true))
        return;
    std::signal(signal, SIG_DFL);
    std::raise(signal); // takes effect when this handler returns
}

void setHandlers() {
    struct sigaction action {};
    action.sa_handler = handleSignal; // NOLINT(cppcoreguidelines-pro-type-union-access)
    action.sa_flags = SA_RESTART;
    for (std::size_t s = 0; s < signals.size(); ++s) {
        sigaction(signals[s], nullptr, &before[s]);
        // A shell starts background jobs with SIGINT ignored: Ctrl-C is not meant for them.
        if (before[s].sa_handler != SIG_IGN) // NOLINT(cppcoreguidelines-pro-type-union-access)
            sigaction(signals[s], &action, nullptr);
    }
}

void restoreHandlers() {
    for (std::size_t s = 0; s < signals.size(); ++s)
        sigaction(signals[s], &before[s], nullptr);
}

} // namespace

Interruption::Interruption() {
    stopRequested = false;
    setHandlers();
    m_watch = std::jthread([this](const std::stop_token &done) {
        while (!done.stop_requested() && !stopRequested)
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        if (stopRequested)
            m_stop.request_stop();
    });
}

Interruption::~Interruption() { restoreHandlers(); }

} // namespace syncopate::cli
