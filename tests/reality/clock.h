// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <ctime>

namespace reality {

/// Nanoseconds of a clock. Network namespaces of one machine share its clocks, so times of server and workers are comparable.
inline std::int64_t nanoseconds(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return time.tv_sec * std::int64_t{1'000'000'000} + time.tv_nsec;
}

inline std::int64_t now() { return nanoseconds(CLOCK_MONOTONIC); }

/// The offset from now() to the time since 1970.
inline std::int64_t epochOffset() { return nanoseconds(CLOCK_REALTIME) - now(); }

/// Sleeps until now() is `deadline`; returns at once if it has passed.
inline void sleepUntil(std::int64_t deadline) {
    const timespec time{.tv_sec = deadline / 1'000'000'000, .tv_nsec = deadline % 1'000'000'000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr) != 0) {
    }
}

} // namespace reality
