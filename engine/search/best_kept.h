// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace syncopate {

/// An item with its cost in seconds, to be minimised; infinite = not known yet.
template <typename Item> struct Ranked {
    double seconds = std::numeric_limits<double>::infinity();
    Item item;
};

/// The items of lowest cost, best first and ties in order of arrival. Equal items must have equal costs; they are kept once.
template <typename Item> class BestKept {
public:
    explicit BestKept(std::size_t limit) : m_limit(limit) {}
    void keep(double seconds, const Item &item) {
        const auto at = std::upper_bound(m_ranked.begin(), m_ranked.end(), seconds,
                                         [](double value, const Ranked<Item> &kept) { return value < kept.seconds; });
        if (static_cast<std::size_t>(at - m_ranked.begin()) == m_limit ||
            std::any_of(m_ranked.begin(), at, [&](const Ranked<Item> &kept) { return kept.item == item; }))
            return;
        m_ranked.insert(at, {seconds, item});
        if (m_ranked.size() > m_limit)
            m_ranked.pop_back();
    }
    [[nodiscard]] std::vector<Ranked<Item>> &ranked() { return m_ranked; }

private:
    std::size_t m_limit;
    std::vector<Ranked<Item>> m_ranked;
};

} // namespace syncopate
