// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/rule.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

/// The encoding of rules and exceptions as numbers (RuleSpace).
namespace syncopate::rule_codes {

// Coordinates of a point: the numbers of stretches and of classes, each with two bounds, the settings common to all, then cells.
enum Coordinate : std::size_t {
    Stretches,
    LayerBound,
    Classes = LayerBound + 2,
    SizeBound,
    Servers = SizeBound + 2,
    Order,
    GroupCount,
    Sparse,
    FirstCell
};
enum CellCoordinate : std::size_t { Kind, Part, Proxy, Group, CellSize };
inline constexpr std::size_t dimension = FirstCell + Rule::maxStretches * Rule::maxClasses * CellSize;

inline constexpr double minPartBytes = 64.0 * 1024, maxPartBytes = 256.0 * 1024 * 1024;
inline constexpr double minSizeBytes = 1024, maxSizeBytes = 256.0 * 1024 * 1024;
inline constexpr double minGroupBytes = 64.0 * 1024;
inline constexpr double wholeShare = 0.2, sizeShare = 0.9;        ///< of the cut's axis: "whole" up to, "by size" up to
inline constexpr double byBytesShare = 0.6, maxGroupCount = 1024; ///< of the group count's axis: "by bytes" up to

inline double onLogScale(double x, double min, double max) { return min * std::pow(max / min, x); }
inline double logPlace(double value, double min, double max) {
    return std::clamp(std::log(value / min) / std::log(max / min), 0.0, 1.0);
}

/// 1 to `max` for a coordinate in [0, 1], and the middle of the coordinates that mean `count`.
inline std::size_t countOf(double x, std::size_t max) {
    return 1 + std::min(max - 1, static_cast<std::size_t>(x * static_cast<double>(max)));
}
inline double placeOfCount(std::size_t count, std::size_t max) {
    return (static_cast<double>(std::clamp<std::size_t>(count, 1, max)) - 0.5) / static_cast<double>(max);
}

inline std::size_t cellAt(std::size_t stretch, std::size_t sizeClass) {
    return FirstCell + (stretch * Rule::maxClasses + sizeClass) * CellSize;
}
inline bool isTwoValued(std::size_t coordinate) {
    const std::size_t ofCell = (coordinate - FirstCell) % CellSize;
    return ofCell == Kind || ofCell == Proxy;
}

inline std::pair<RuleCut, double> cutAt(double x) {
    if (x < wholeShare)
        return {RuleCut::Size, 0};
    if (x < sizeShare)
        return {RuleCut::Size, onLogScale((x - wholeShare) / (sizeShare - wholeShare), minPartBytes, maxPartBytes)};
    const double rest = (x - sizeShare) / (1 - sizeShare);
    return {rest < 1.0 / 3 ? RuleCut::Divisor : rest < 2.0 / 3 ? RuleCut::Uneven : RuleCut::RandomAxis, 0};
}
inline double placeOfCut(RuleCut cut, double partBytes) {
    if (cut == RuleCut::Size)
        return partBytes > 0
                   ? wholeShare + (sizeShare - wholeShare) * std::min(logPlace(partBytes, minPartBytes, maxPartBytes), 0.999)
                   : wholeShare / 2;
    const double third = cut == RuleCut::Divisor ? 0.5 : cut == RuleCut::Uneven ? 1.5 : 2.5;
    return sizeShare + (1 - sizeShare) * third / 3;
}

/// The reduction of an all-reduced cell, on the axis that holds the proxy of a served one.
inline Reduction reductionAt(double x) {
    return x < 0.5 ? Reduction::AllReduce : x < 0.75 ? Reduction::ScatterGather : Reduction::ReduceBroadcast;
}
inline double placeOfReduction(Reduction reduction) {
    return reduction == Reduction::AllReduce ? 0.25 : reduction == Reduction::ScatterGather ? 0.625 : 0.875;
}

inline std::int32_t groupCountAt(double x) {
    if (x < byBytesShare)
        return 0;
    return static_cast<std::int32_t>(std::lround(onLogScale((x - byBytesShare) / (1 - byBytesShare), 1, maxGroupCount)));
}
inline double placeOfGroupCount(std::int32_t count) {
    return count > 0 ? byBytesShare + (1 - byBytesShare) * logPlace(count, 1, maxGroupCount) : byBytesShare / 2;
}

// Bits: served, proxy, alone; parts - 1 (10), server + 1 (16), variable above.
inline std::uint64_t codeOf(const VariableChange &change) {
    return static_cast<std::uint64_t>(change.served) | static_cast<std::uint64_t>(change.proxy) << 1 |
           static_cast<std::uint64_t>(change.alone) << 2 |
           static_cast<std::uint64_t>(std::clamp<std::int64_t>(change.parts, 1, 1024) - 1) << 3 |
           static_cast<std::uint64_t>(std::clamp(change.server + 1, 0, 65535)) << 13 |
           static_cast<std::uint64_t>(change.variable) << 29;
}
inline VariableChange changeAt(std::uint64_t code) {
    VariableChange change;
    change.served = (code & 1) != 0;
    change.proxy = (code & 2) != 0;
    change.alone = (code & 4) != 0;
    change.parts = static_cast<std::int32_t>(code >> 3 & 1023) + 1;
    change.server = static_cast<std::int32_t>(code >> 13 & 65535) - 1;
    change.variable = static_cast<std::size_t>(code >> 29);
    return change;
}

} // namespace syncopate::rule_codes
