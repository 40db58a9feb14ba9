// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace syncopate {

/// More machines than any cluster that is simulated here; beyond it a number is a mistake.
constexpr std::int32_t maxNodes = 100000;

/// "10.0.0.1" as a number, most significant byte first; nothing for any other text (Python's ipaddress rules: four decimal
/// parts without leading zeros).
[[nodiscard]] std::optional<std::uint32_t> ipv4Number(std::string_view text);
[[nodiscard]] std::string ipv4Text(std::uint32_t number);
/// "localhost" or 127.0.0.0/8.
[[nodiscard]] bool isLoopback(std::string_view address);

} // namespace syncopate
