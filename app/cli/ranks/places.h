// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

namespace syncopate::cli {

/// Where work can be done: as many places on each rank as it has threads, and on the others one for what comes next.
class Places {
public:
    /// `threads` on rank 0; `slots` by rank, those of Ranks::begin().
    Places(const std::vector<unsigned> &slots, unsigned threads);

    [[nodiscard]] unsigned size() const { return m_size; } ///< at first, before any rank was lost
    /// The rank of a free place, the ranks in turn. Waits for one; nullopt when `stop` is requested.
    [[nodiscard]] std::optional<unsigned> take(const std::stop_token &stop);
    /// Waits for a place on rank 0; false when `stop` is requested.
    [[nodiscard]] bool takeHere(const std::stop_token &stop);
    /// Frees a place where work was done. Of a lost rank nothing is given back.
    void giveBack(unsigned rank);
    /// How often a place was given back, by rank.
    [[nodiscard]] std::vector<std::uint64_t> done() const;

private:
    unsigned m_size;
    mutable std::mutex m_mutex; ///< of those below
    std::condition_variable_any m_freed;
    std::deque<unsigned> m_free;
    std::vector<std::uint64_t> m_done;
};

} // namespace syncopate::cli
