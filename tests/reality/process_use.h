// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "clock.h"

#include <sys/resource.h>

namespace reality {

/// CPU time that this process has used, user and system.
struct ProcessUse {
    double cpuSeconds = 0;
    std::int64_t time = 0;

    static ProcessUse current() {
        rusage usage{};
        getrusage(RUSAGE_SELF, &usage);
        const auto seconds = [](const timeval &value) {
            return static_cast<double>(value.tv_sec) + 1e-6 * static_cast<double>(value.tv_usec);
        };
        return {.cpuSeconds = seconds(usage.ru_utime) + seconds(usage.ru_stime), .time = now()};
    }
    /// Cores kept busy since `before`, on average.
    [[nodiscard]] double coresSince(const ProcessUse &before) const {
        return (cpuSeconds - before.cpuSeconds) / (1e-9 * static_cast<double>(time - before.time));
    }
};

} // namespace reality
