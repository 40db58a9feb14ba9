// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/ranks/places.h"

#include <algorithm>

namespace syncopate::cli {

Places::Places(const std::vector<unsigned> &slots, unsigned threads) : m_free(threads, 0), m_done(slots.size(), 0) {
    const unsigned maxSlots = slots.empty() ? 0 : *std::max_element(slots.begin(), slots.end());
    for (unsigned slot = 0; slot < maxSlots; ++slot) // round robin over the ranks
        for (unsigned rank = 1; rank < slots.size(); ++rank)
            if (slot < slots[rank])
                m_free.push_back(rank);
    m_size = static_cast<unsigned>(m_free.size());
}

std::optional<unsigned> Places::take(const std::stop_token &stop) {
    std::unique_lock lock(m_mutex);
    if (!m_freed.wait(lock, stop, [this] { return !m_free.empty(); }))
        return std::nullopt;
    const unsigned rank = m_free.front();
    m_free.pop_front();
    return rank;
}

bool Places::takeHere(const std::stop_token &stop) {
    std::unique_lock lock(m_mutex);
    auto here = m_free.end();
    if (!m_freed.wait(lock, stop, [&] { return (here = std::find(m_free.begin(), m_free.end(), 0U)) != m_free.end(); }))
        return false;
    m_free.erase(here);
    return true;
}

void Places::giveBack(unsigned rank) {
    const std::scoped_lock lock(m_mutex);
    m_free.push_back(rank);
    ++m_done[rank];
    m_freed.notify_all(); // some threads wait for a place on rank 0 only
}

std::vector<std::uint64_t> Places::done() const {
    const std::scoped_lock lock(m_mutex);
    return m_done;
}

} // namespace syncopate::cli
