// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/torch/kineto_events.h"

#include <charconv>
#include <limits>

namespace syncopate {

bool parseMicroseconds(std::string_view text, Nanoseconds &nanoseconds) {
    const char *p = text.data(), *const end = p + text.size();
    bool negative = false;
    if (p != end && (*p == '-' || *p == '+'))
        negative = *p++ == '-';
    std::uint64_t digits = 0; // the decimal number without its point, at most 19 digits
    int count = 0, scale = 3, dropped = 0;
    bool any = false, fraction = false, roundUp = false;
    for (; p != end; ++p) {
        if (*p == '.' && !fraction) {
            fraction = true;
            continue;
        }
        if (*p < '0' || *p > '9')
            break;
        any = true;
        if (count < 19 && (dropped == 0)) {
            digits = digits * 10 + static_cast<std::uint64_t>(*p - '0');
            count += digits != 0;
            scale -= fraction;
        } else {
            if (dropped++ == 0)
                roundUp = *p >= '5';
            scale += !fraction;
        }
    }
    if (!any)
        return false;
    if (p != end) {
        if (*p != 'e' && *p != 'E')
            return false;
        ++p;
        if (p != end && *p == '+')
            ++p;
        int exponent = 0;
        const auto [stop, error] = std::from_chars(p, end, exponent);
        if (error != std::errc() || stop != end || exponent > 1000 || exponent < -1000)
            return false;
        scale += exponent;
    }
    for (; scale < 0 && digits != 0; ++scale) {
        roundUp = digits % 10 >= 5;
        digits /= 10;
    }
    for (; scale > 0 && digits != 0; --scale) {
        if (digits > std::numeric_limits<std::uint64_t>::max() / 10)
            return false;
        digits *= 10;
    }
    digits += roundUp && digits < std::numeric_limits<std::uint64_t>::max();
    if (digits > static_cast<std::uint64_t>(std::numeric_limits<Nanoseconds>::max()))
        return false;
    nanoseconds = negative ? -static_cast<Nanoseconds>(digits) : static_cast<Nanoseconds>(digits);
    return true;
}

} // namespace syncopate
