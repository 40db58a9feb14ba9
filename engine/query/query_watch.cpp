// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/query/query_watch.h"

#include <algorithm>
#include <fmt/format.h>
#include <sqlite3.h>
#include <utility>

namespace syncopate {

namespace {

/// For statements that are well-formed but need more than the limits allow.
Unexpected beyond(std::string what, std::string remedy) {
    return Unexpected(Error{std::move(what), std::move(remedy), {}, {}, ErrorKind::Unavailable});
}

} // namespace

QueryWatch::QueryWatch(const QueryLimits &limits, std::stop_token stop)
    : m_limits(limits), m_stop(std::move(stop)), m_start(Clock::now()), m_memoryBefore(sqlite3_memory_used()) {}

bool QueryWatch::mayTake(std::uint64_t bytes) {
    // SQLite counts the memory of all connections together, so what others take or free meanwhile counts here, too: the limit
    // keeps statements from taking all memory, and is not exact.
    const auto held = static_cast<std::uint64_t>(std::max<std::int64_t>(0, sqlite3_memory_used() - m_memoryBefore));
    m_tooLong = m_limits.maxSeconds > 0 && seconds() > m_limits.maxSeconds;
    return !m_tooLong && held + m_keptBytes + bytes <= m_limits.maxBytes && !m_stop.stop_requested();
}

double QueryWatch::seconds() const { return std::chrono::duration<double>(Clock::now() - m_start).count(); }

Unexpected QueryWatch::whyEnded() const {
    if (m_stop.stop_requested())
        return cancelled();
    if (m_tooLong)
        return beyond(fmt::format("the query takes longer than {:g} s", m_limits.maxSeconds),
                      "join by a key (task_id, variable_id), or leave rows out with WHERE");
    return beyond(fmt::format("the query takes more memory than {} MiB", m_limits.maxBytes >> 20U),
                  "leave rows out with WHERE, or group before sorting");
}

} // namespace syncopate
