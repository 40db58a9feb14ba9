// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/text.h"

#include "engine/base/utf8.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>

namespace syncopate {

namespace {

/// The first character of a text; `bytes` is 0 if the text does not begin with a valid one.
struct Character {
    std::uint32_t code = 0;
    std::size_t bytes = 0;
};

Character firstOf(std::string_view text) {
    const std::size_t bytes = utf8Length(text, 0);
    if (bytes == 0)
        return {};
    const auto lead = static_cast<unsigned char>(text.front());
    std::uint32_t code = bytes == 1 ? lead : lead & (0x7fU >> bytes);
    for (const char c : text.substr(1, bytes - 1))
        code = code << 6U | (static_cast<unsigned char>(c) & 0x3fU);
    return {code, bytes};
}

bool isPlain(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7f; });
}

/// Marks that change the direction of text, and line separators that fonts do not draw.
bool isInvisibleMark(std::uint32_t code) {
    return code == 0x061c || code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

bool isControl(std::uint32_t code) { return code < 0x20 || (code >= 0x7f && code < 0xa0); }

std::string visible(Character character, std::string_view text) {
    if (character.bytes == 0)
        return fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    switch (character.code) {
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    case '\t':
        return "\\t";
    default:
        return character.code < 0x80 ? fmt::format("\\x{:02x}", character.code) : fmt::format("\\u{:04x}", character.code);
    }
}

std::size_t startOfCharacter(std::string_view text, std::size_t at) {
    while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80)
        --at;
    return at;
}

} // namespace

std::string visibleText(std::string_view text) {
    if (isPlain(text))
        return std::string(text);
    std::string shown;
    while (!text.empty()) {
        const Character character = firstOf(text);
        const std::size_t bytes = std::max<std::size_t>(1, character.bytes);
        if (character.bytes == 0 || isControl(character.code) || isInvisibleMark(character.code))
            shown += visible(character, text);
        else
            shown += text.substr(0, bytes);
        text.remove_prefix(bytes);
    }
    return shown;
}

std::string cutInMiddle(std::string_view text, std::size_t maxBytes) {
    constexpr std::string_view ellipsis = "\u2026";
    if (text.size() <= maxBytes)
        return std::string(text);
    const std::size_t kept = maxBytes > ellipsis.size() ? maxBytes - ellipsis.size() : 0;
    const std::size_t head = startOfCharacter(text, kept - kept / 2);
    std::size_t tail = text.size() - kept / 2;
    while (tail < text.size() && (static_cast<unsigned char>(text[tail]) & 0xc0U) == 0x80)
        ++tail;
    return fmt::format("{}{}{}", text.substr(0, head), ellipsis, text.substr(tail));
}

std::string terminalText(std::string_view lines) {
    std::string shown;
    shown.reserve(lines.size());
    while (!lines.empty()) {
        const std::size_t end = std::min(lines.find_first_of(" \n"), lines.size());
        shown += cutInMiddle(visibleText(lines.substr(0, end)), maxShownNameBytes);
        if (end < lines.size())
            shown += lines[end];
        lines.remove_prefix(std::min(end + 1, lines.size()));
    }
    return shown;
}

} // namespace syncopate
