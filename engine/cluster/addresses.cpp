// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/addresses.h"

#include <charconv>
#include <fmt/format.h>

namespace syncopate {

std::optional<std::uint32_t> ipv4Number(std::string_view text) {
    std::uint32_t number = 0;
    for (int part = 0; part < 4; ++part) {
        const std::string_view digits = text.substr(0, text.find('.'));
        std::uint32_t value = 0;
        const auto [rest, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        const bool whole = status == std::errc() && rest == digits.data() + digits.size() && digits.size() <= 3;
        if (!whole || value > 255 || (digits.size() > 1 && digits.front() == '0'))
            return std::nullopt;
        number = number << 8 | value;
        text.remove_prefix(digits.size());
        const bool last = part == 3;
        if (last != text.empty())
            return std::nullopt;
        if (!last)
            text.remove_prefix(1);
    }
    return number;
}

std::string ipv4Text(std::uint32_t number) {
    return fmt::format("{}.{}.{}.{}", number >> 24, number >> 16 & 255U, number >> 8 & 255U, number & 255U);
}

bool isLoopback(std::string_view address) {
    const auto number = ipv4Number(address);
    return address == "localhost" || (number && *number >> 24 == 127);
}

} // namespace syncopate
