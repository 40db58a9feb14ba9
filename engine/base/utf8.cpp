// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/utf8.h"

#include <cstdint>
#include <cstring>

namespace syncopate {

std::size_t utf8Length(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
    const auto follows = [&](std::size_t i) { return (byte(i) & 0xc0U) == 0x80U; };
    const unsigned lead = byte(at);
    if (lead < 0x80)
        return 1;
    if (lead >= 0xc2 && lead <= 0xdf)
        return follows(at + 1) ? 2 : 0;
    if (lead >= 0xe0 && lead <= 0xef) {
        const unsigned second = byte(at + 1);
        const bool overlong = lead == 0xe0 && second < 0xa0, surrogate = lead == 0xed && second > 0x9f;
        return follows(at + 1) && follows(at + 2) && !overlong && !surrogate ? 3 : 0;
    }
    if (lead >= 0xf0 && lead <= 0xf4) {
        const unsigned second = byte(at + 1);
        const bool overlong = lead == 0xf0 && second < 0x90, tooLarge = lead == 0xf4 && second > 0x8f;
        return follows(at + 1) && follows(at + 2) && follows(at + 3) && !overlong && !tooLarge ? 4 : 0;
    }
    return 0;
}

namespace {

/// End of the run of ASCII that begins at `at`, eight bytes at a time, because nearly all names are pure ASCII.
std::size_t endOfAscii(std::string_view text, std::size_t at) {
    constexpr std::uint64_t highBits = 0x8080808080808080U;
    std::uint64_t eight = 0;
    while (text.size() - at >= sizeof eight) {
        std::memcpy(&eight, text.data() + at, sizeof eight);
        if ((eight & highBits) != 0)
            break;
        at += sizeof eight;
    }
    while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80)
        ++at;
    return at;
}

/// Length of the valid UTF-8 at the beginning of `text`.
std::size_t validPrefix(std::string_view text) {
    std::size_t at = endOfAscii(text, 0);
    while (at < text.size()) {
        const std::size_t length = utf8Length(text, at);
        if (length == 0)
            break;
        at = endOfAscii(text, at + length);
    }
    return at;
}

} // namespace

bool isValidUtf8(std::string_view text) { return validPrefix(text) == text.size(); }

std::string validUtf8(std::string_view text, std::string_view unknown) {
    std::string valid;
    valid.reserve(text.size());
    for (;;) {
        const std::size_t length = validPrefix(text);
        valid += text.substr(0, length);
        if (length == text.size())
            return valid;
        valid += unknown;
        text.remove_prefix(length + 1);
    }
}

} // namespace syncopate
