// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/interruption.h"

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>

namespace syncopate::cli {

namespace {

constexpr std::array signals{SIGINT, SIGTERM};
std::atomic<bool> told = false;
static_assert(std::atomic<bool>::is_always_lock_free); // a handler may set it

void setHandlers(void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler; // NOLINT(cppcoreguidelines-pro-type-union-access)
    action.sa_flags = SA_RESETHAND | SA_RESTART;
    for (const int signal : signals)
        sigaction(signal, &action, nullptr);
}

} // namespace

Interruption::Interruption() {
    told = false;
    setHandlers([](int) { told = true; });
    m_watch = std::jthread([this](const std::stop_token &done) {
        while (!done.stop_requested() && !told)
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        if (told)
            m_stop.request_stop();
    });
}

Interruption::~Interruption() { setHandlers(SIG_DFL); }

} // namespace syncopate::cli
