// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace syncopate {

/// Bytes per second of a link of `gbits` Gbit/s (10^9 bit/s) carries.
[[nodiscard]] constexpr double bytesPerSecondFromGbits(double gbits) { return gbits * 1e9 / 8.0; }
[[nodiscard]] constexpr double gbitsFromBytesPerSecond(double bytesPerSecond) { return bytesPerSecond * 8.0 / 1e9; }

/// "25MiB", "160KB", "4e6", "1 GiB": bytes. KB/MB/GB are powers of 1000, KiB/MiB/GiB powers of 1024, no unit = bytes.
/// Refuses negative, NaN, infinite and unknown units.
[[nodiscard]] Result<double> parseBytes(std::string_view text);
/// "1ms", "50us", "0.25s", "3 ns": seconds. No unit = seconds.
[[nodiscard]] Result<double> parseSeconds(std::string_view text);
/// Parses a plain finite number; nothing may follow it.
[[nodiscard]] Result<double> parseNumber(std::string_view text);

/// "97.8 ms", "12 µs", "1.24 s": three significant digits, U+2212 for minus.
[[nodiscard]] std::string formatSeconds(double seconds);
/// Whether the difference of two times is only rounding: less than a nanosecond, or the same by formatSeconds() and 0.0 %.
[[nodiscard]] bool readTheSame(double seconds, double otherSeconds);
/// formatSeconds() with its uncertainty: "1.4 s ±0.28 %". `confidence` is a share of the time: 0 adds nothing, infinity "not
/// steady".
[[nodiscard]] std::string formatIteration(double seconds, double confidence);
/// "4 MiB", "25.6 MiB", "812 B": three significant digits, powers of 1024.
[[nodiscard]] std::string formatBytes(double bytes);
/// "25MiB", "160KB", "65535": the shortest text that parseBytes() reads back as exactly this number of bytes.
[[nodiscard]] std::string formatExactBytes(double bytes);
/// "25 Gbit/s".
[[nodiscard]] std::string formatBandwidth(double bytesPerSecond);

} // namespace syncopate
