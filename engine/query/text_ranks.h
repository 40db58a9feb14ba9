// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace syncopate {

/// Ranks texts by their bytes, from 1: 0 is NULL's. Equal texts have one rank. The texts must outlive it.
class TextRanks {
public:
    explicit TextRanks(std::vector<std::string_view> texts) : m_sorted(std::move(texts)) {
        std::sort(m_sorted.begin(), m_sorted.end());
        m_sorted.erase(std::unique(m_sorted.begin(), m_sorted.end()), m_sorted.end());
    }
    [[nodiscard]] std::uint32_t of(std::string_view text) const {
        return static_cast<std::uint32_t>(std::lower_bound(m_sorted.begin(), m_sorted.end(), text) - m_sorted.begin()) + 1;
    }
    [[nodiscard]] std::size_t count() const { return m_sorted.size() + 1; }

private:
    std::vector<std::string_view> m_sorted;
};

} // namespace syncopate
