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

/// Slots for work: on each rank as many as it has threads, and on the other ranks one more, to prefetch.
class Places {
public:
    /// `threads` of rank 0; `slots` by rank, as returned by Ranks::begin(), of which that of rank 0 is ignored.
    Places(const std::vector<unsigned> &slots, unsigned threads);

    [[nodiscard]] unsigned size() const { return m_size; } ///< initially, before any rank was lost
    /// The rank of the slot that was freed first; initially rank 0's, then the others in turn. Blocks while none is free; nullopt
    /// if `stop` is requested meanwhile.
    [[nodiscard]] std::optional<unsigned> take(const std::stop_token &stop);
    /// Takes a slot on rank 0. Blocks while none is free; false if `stop` is requested meanwhile.
    [[nodiscard]] bool takeHere(const std::stop_token &stop);
    /// Frees the slot after work was done. The slots of a lost rank are not given back.
    void giveBack(unsigned rank);
    /// How many slots were given back, by rank.
    [[nodiscard]] std::vector<std::uint64_t> done() const;

private:
    unsigned m_size;
    mutable std::mutex m_mutex; ///< guards the members below
    std::condition_variable_any m_freed;
    std::deque<unsigned> m_free;
    std::vector<std::uint64_t> m_done;
};

} // namespace syncopate::cli
