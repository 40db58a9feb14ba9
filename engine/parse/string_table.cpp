// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/parse/string_table.h"

#include <cstring>

namespace syncopate {

namespace {

template <class Word> std::uint64_t wordAt(const char *text) {
    Word word = 0;
    std::memcpy(&word, text, sizeof(word));
    return word;
}

/// A multiplicative hash, eight bytes at a time: kernel names are hundreds of characters long, and every event has one.
std::uint64_t hashOf(std::string_view text) {
    std::uint64_t hash = 0x9e3779b97f4a7c15ULL ^ text.size();
    const char *at = text.data();
    std::size_t left = text.size();
    for (; left > 8; left -= 8, at += 8) {
        hash = (hash ^ wordAt<std::uint64_t>(at)) * 0xff51afd7ed558ccdULL;
        hash ^= hash >> 32;
    }
    // The remaining bytes, or up to eight that overlap the last word.
    std::uint64_t tail = 0;
    if (text.size() >= 8)
        tail = wordAt<std::uint64_t>(at + left - 8);
    else if (left >= 4)
        tail = wordAt<std::uint32_t>(at) << 32 | wordAt<std::uint32_t>(at + left - 4);
    else if (left > 0)
        tail = wordAt<std::uint8_t>(at) << 16 | wordAt<std::uint8_t>(at + left / 2) << 8 | wordAt<std::uint8_t>(at + left - 1);
    hash = (hash ^ tail) * 0xc4ceb9fe1a85ec53ULL;
    // A product's low bits do not depend on the factors' high bits, where the digits of "node313" are: fold these down.
    hash = (hash ^ (hash >> 32)) * 0xff51afd7ed558ccdULL;
    return hash ^ (hash >> 32);
}

} // namespace

StringTable::StringTable() : m_slots(1024, 0) {}

std::uint32_t StringTable::intern(std::string_view text) {
    const std::uint64_t hash = hashOf(text);
    const std::size_t mask = m_slots.size() - 1;
    std::size_t slot = hash & mask;
    for (; m_slots[slot] != 0; slot = (slot + 1) & mask) {
        const std::uint32_t number = m_slots[slot] - 1;
        if (m_hashes[number] == hash && m_texts[number] == text)
            return number;
    }
    const auto number = static_cast<std::uint32_t>(m_texts.size());
    m_texts.emplace_back(text);
    m_hashes.push_back(hash);
    m_memoryBytes += sizeof(std::string) + text.size() + sizeof(std::uint64_t) + sizeof(std::uint32_t);
    m_slots[slot] = number + 1;
    if (m_texts.size() * 2 > m_slots.size())
        grow();
    return number;
}

void StringTable::grow() {
    m_slots.assign(m_slots.size() * 2, 0);
    const std::size_t mask = m_slots.size() - 1;
    for (std::size_t number = 0; number < m_hashes.size(); ++number) {
        std::size_t slot = m_hashes[number] & mask;
        while (m_slots[slot] != 0)
            slot = (slot + 1) & mask;
        m_slots[slot] = static_cast<std::uint32_t>(number) + 1;
    }
}

} // namespace syncopate
