// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/utf8.h"

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

bool isValidUtf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = utf8Length(text, at);
        if (length == 0)
            return false;
        at += length;
    }
    return true;
}

std::string validUtf8(std::string_view text, std::string_view unknown) {
    std::string valid;
    valid.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = utf8Length(text, at);
        if (length == 0)
            valid += unknown;
        else
            valid.append(text, at, length);
        at += length == 0 ? 1 : length;
    }
    return valid;
}

} // namespace syncopate
