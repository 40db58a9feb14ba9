// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/units.h"
#include "engine/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace syncopate {

namespace {

using Unit = std::pair<std::string_view, double>;

std::string_view trim(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
        text.remove_suffix(1);
    return text;
}

template <std::size_t N>
Result<double> parseQuantity(std::string_view whole, const std::array<Unit, N> &units, const char *kind) {
    const std::string_view text = trim(whole);
    double value = 0;
    const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc() || !std::isfinite(value))
        return fail(fmt::format("'{}' is not a {}", whole, kind), "write a number and a unit, without a space inside the number");
    if (value < 0)
        return fail(fmt::format("'{}' is negative", whole), fmt::format("a {} is zero or more", kind));
    const std::string_view unit = trim(text.substr(static_cast<std::size_t>(rest - text.data())));
    if (unit.empty())
        return value;
    for (const auto &[name, factor] : units) {
        if (unit == name) {
            if (!std::isfinite(value * factor))
                return fail(fmt::format("'{}' is too large", whole), fmt::format("write a {} that a computer can hold", kind));
            return value * factor;
        }
    }
    return fail(fmt::format("'{}' has an unknown unit '{}'", whole, unit),
                fmt::format("use one of {}", listOfNames(units, &Unit::first)));
}

/// Figures from here on are written with an exponent.
constexpr double longestPlain = 1e9;

/// Three significant digits; values from 1 to 999 have no exponent.
std::string threeDigits(double value) {
    const double magnitude = std::abs(value);
    const bool isPlain = magnitude < longestPlain || !std::isfinite(magnitude);
    const int decimals = magnitude >= 99.95 || magnitude == 0 ? 0 : magnitude >= 9.995 ? 1 : 2;
    std::string text = isPlain ? fmt::format("{:.{}f}", magnitude, decimals) : fmt::format("{:.2e}", magnitude);
    if (decimals > 0) {
        while (text.back() == '0')
            text.pop_back();
        if (text.back() == '.')
            text.pop_back();
    }
    return value < 0 && text != "0" ? "\u2212" + text : text;
}

} // namespace

Result<double> parseBytes(std::string_view text) {
    constexpr std::array<Unit, 12> units{{{"B", 1.0},
                                          {"KB", 1e3},
                                          {"kB", 1e3},
                                          {"MB", 1e6},
                                          {"GB", 1e9},
                                          {"KiB", 1024.0},
                                          {"MiB", 1048576.0},
                                          {"GiB", 1073741824.0},
                                          {"K", 1024.0},
                                          {"M", 1048576.0},
                                          {"G", 1073741824.0},
                                          {"bytes", 1.0}}};
    return parseQuantity(text, units, "size");
}

Result<double> parseSeconds(std::string_view text) {
    constexpr std::array<Unit, 5> units{{{"s", 1.0}, {"ms", 1e-3}, {"us", 1e-6}, {"\u00b5s", 1e-6}, {"ns", 1e-9}}};
    return parseQuantity(text, units, "time");
}

Result<double> parseNumber(std::string_view whole) {
    const std::string_view text = trim(whole);
    double value = 0;
    const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc() || rest != text.data() + text.size() || !std::isfinite(value))
        return fail(fmt::format("'{}' is not a number", whole), "write a plain decimal number");
    return value;
}

std::string formatSeconds(double seconds) {
    const double magnitude = std::abs(seconds);
    if (magnitude >= 0.9995)
        return threeDigits(seconds) + " s";
    if (magnitude >= 0.9995e-3)
        return threeDigits(seconds * 1e3) + " ms";
    if (magnitude >= 0.9995e-6)
        return threeDigits(seconds * 1e6) + " \u00b5s";
    return threeDigits(seconds * 1e9) + " ns";
}

bool readTheSame(double seconds, double otherSeconds) {
    constexpr double shownShare = 0.0005; // rounds to 0.1 %
    const double difference = std::abs(otherSeconds - seconds), longer = std::max(std::abs(seconds), std::abs(otherSeconds));
    return difference < 1e-9 || (difference < shownShare * longer && formatSeconds(seconds) == formatSeconds(otherSeconds));
}

std::string formatIteration(double seconds, double confidence) {
    if (std::isinf(confidence))
        return formatSeconds(seconds) + " (not steady)";
    if (!(confidence > 0))
        return formatSeconds(seconds);
    const double percent = 100 * confidence;
    const bool wouldHaveExponent = percent >= 99.5 && percent < 1e6;
    return formatSeconds(seconds) + " ±" +
           (wouldHaveExponent ? fmt::format("{:.0f} %", percent) : fmt::format("{:.2g} %", percent));
}

std::string formatBytes(double bytes) {
    constexpr std::array<const char *, 5> units{"B", "KiB", "MiB", "GiB", "TiB"};
    std::size_t unit = 0;
    while (std::abs(bytes) >= 1023.5 && unit + 1 < units.size()) {
        bytes /= 1024;
        ++unit;
    }
    return threeDigits(bytes) + " " + units[unit];
}

std::string formatExactBytes(double bytes) {
    constexpr std::array<std::pair<const char *, double>, 6> units{
        {{"GiB", 1073741824.0}, {"GB", 1e9}, {"MiB", 1048576.0}, {"MB", 1e6}, {"KiB", 1024.0}, {"KB", 1e3}}};
    for (const auto &[unit, size] : units)
        if (bytes >= size && std::fmod(bytes, size) == 0)
            return fmt::format("{}{}", bytes / size, unit);
    return fmt::format("{}", bytes);
}

std::string formatBandwidth(double bytesPerSecond) {
    const double gbits = gbitsFromBytesPerSecond(bytesPerSecond);
    const bool isSlow = std::abs(gbits) < 0.1; // two decimals would leave it one digit or none
    return (isSlow ? fmt::format("{:.3g}", gbits) : threeDigits(gbits)) + " Gbit/s";
}

} // namespace syncopate
