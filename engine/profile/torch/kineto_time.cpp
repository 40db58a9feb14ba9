// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/torch/kineto_events.h"

#include <charconv>
#include <limits>

namespace syncopate {

namespace {

/// digits * 10^scale, plus 1 in the last digit if `roundUp`: the dropped digits are half or more of it.
struct Decimal {
    std::uint64_t digits = 0; ///< at most 19, without the point
    int scale = 0;
    bool roundUp = false;
};

/// Reads digits with or without a decimal point, up to the first other character; returns false if there are none.
inline bool readDigits(const char *&p, const char *end, Decimal &number) {
    int count = 0, dropped = 0;
    bool any = false, fraction = false;
    for (; p != end; ++p) {
        if (*p == '.' && !fraction) {
            fraction = true;
            continue;
        }
        if (*p < '0' || *p > '9')
            break;
        any = true;
        if (count < 19 && dropped == 0) {
            number.digits = number.digits * 10 + static_cast<std::uint64_t>(*p - '0');
            count += number.digits != 0;
            number.scale -= fraction;
        } else {
            if (dropped++ == 0)
                number.roundUp = *p >= '5';
            number.scale += !fraction;
        }
    }
    return any;
}

/// Reads an exponent such as "e-3", which must be all that is left.
bool readExponent(const char *p, const char *end, int &scale) {
    if (*p != 'e' && *p != 'E')
        return false;
    ++p;
    if (p != end && *p == '+' && ++p != end && *p == '-')
        return false;
    int exponent = 0;
    const auto [stop, error] = std::from_chars(p, end, exponent);
    if (error != std::errc() || stop != end || exponent > 1000 || exponent < -1000)
        return false;
    scale += exponent;
    return true;
}

/// Rounds to a whole number; returns false if that is too large.
inline bool applyScale(const Decimal &number, std::uint64_t &whole) {
    whole = number.digits;
    int scale = number.scale;
    bool roundUp = number.roundUp;
    for (; scale < 0 && whole != 0; ++scale) {
        roundUp = whole % 10 >= 5;
        whole /= 10;
    }
    if (scale < 0) // the first digit behind the point is a 0
        roundUp = false;
    for (; scale > 0 && whole != 0; --scale) {
        if (whole > std::numeric_limits<std::uint64_t>::max() / 10)
            return false;
        whole *= 10;
    }
    whole += roundUp && whole < std::numeric_limits<std::uint64_t>::max();
    return true;
}

} // namespace

bool parseMicroseconds(std::string_view text, Nanoseconds &nanoseconds) {
    const char *p = text.data(), *const end = p + text.size();
    bool negative = false;
    if (p != end && (*p == '-' || *p == '+'))
        negative = *p++ == '-';
    Decimal number;
    number.scale = 3;
    if (!readDigits(p, end, number) || (p != end && !readExponent(p, end, number.scale)))
        return false;
    std::uint64_t whole = 0;
    if (!applyScale(number, whole) || whole > static_cast<std::uint64_t>(std::numeric_limits<Nanoseconds>::max()))
        return false;
    nanoseconds = negative ? -static_cast<Nanoseconds>(whole) : static_cast<Nanoseconds>(whole);
    return true;
}

} // namespace syncopate
