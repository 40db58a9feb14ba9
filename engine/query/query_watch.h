// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/query/query.h"

#include <chrono>
#include <cstdint>
#include <stop_token>

namespace syncopate {

/// Watches a running statement and remembers why it was ended. For the thread that runs the statement.
class QueryWatch {
public:
    /// `limits` must outlive it.
    QueryWatch(const QueryLimits &limits, std::stop_token stop);

    /// Checks the clock, SQLite's memory and the stop token: too slow for every row.
    [[nodiscard]] bool mayGoOn() { return mayTake(0); }
    /// The same with `bytes` more, which are not counted.
    [[nodiscard]] bool mayTake(std::uint64_t bytes);
    /// Bytes outside SQLite's own memory that the statement keeps to its end.
    void countKept(std::uint64_t bytes) { m_keptBytes += bytes; }
    [[nodiscard]] double seconds() const;
    /// The reason, after mayGoOn() or mayTake() returned false.
    [[nodiscard]] Unexpected whyEnded() const;

private:
    using Clock = std::chrono::steady_clock;
    const QueryLimits &m_limits;
    std::stop_token m_stop;
    Clock::time_point m_start;
    std::int64_t m_memoryBefore;
    std::uint64_t m_keptBytes = 0;
    bool m_tooLong = false;
};

} // namespace syncopate
