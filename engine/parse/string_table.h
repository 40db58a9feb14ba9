// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// Stores each distinct text once and numbers it.
class StringTable {
public:
    StringTable();
    /// Returns the number of `text`, adding it if it is new.
    std::uint32_t intern(std::string_view text);
    [[nodiscard]] const std::string &operator[](std::uint32_t number) const { return m_texts[number]; }
    [[nodiscard]] std::size_t size() const { return m_texts.size(); }
    [[nodiscard]] std::size_t memoryBytes() const { return m_memoryBytes; } ///< without the containers' slack

private:
    void grow();
    std::size_t m_memoryBytes = 0;
    std::deque<std::string> m_texts;
    std::vector<std::uint64_t> m_hashes; ///< of each text
    std::vector<std::uint32_t> m_slots;  ///< text number + 1, 0 = free; open addressing
};

} // namespace syncopate
