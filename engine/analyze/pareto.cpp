// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/pareto.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace syncopate {

namespace {

/// Rounds to 30 bits of mantissa, so that values that differ only by rounding become equal, and equality stays transitive.
double withoutRounding(double value) {
    constexpr double steps = 1 << 30;
    int exponent = 0;
    const double mantissa = std::frexp(value, &exponent);
    return std::ldexp(std::round(mantissa * steps) / steps, exponent);
}

using Point = std::array<double, 3>;

bool isPlaced(const Objectives &scenario) { return !std::isnan(scenario.seconds) && !std::isnan(scenario.cost); }

/// For the points so far, the minimum third coordinate of those whose second is at most a given value: a descending staircase.
class Staircase {
public:
    /// Whether some point so far is at least as good in both coordinates.
    [[nodiscard]] bool covers(double second, double third) const {
        const auto after = m_steps.upper_bound(second);
        return after != m_steps.begin() && std::prev(after)->second <= third;
    }
    /// Adds a point that is not covered yet.
    void add(double second, double third) {
        auto next = m_steps.insert_or_assign(second, third).first;
        for (++next; next != m_steps.end() && next->second >= third;)
            next = m_steps.erase(next);
    }

private:
    std::map<double, double> m_steps;
};

} // namespace

Objectives objectivesOf(double samplesPerSecond, double nodes, double peakMemoryBytes) {
    if (!(samplesPerSecond > 0))
        return {.peakMemoryBytes = peakMemoryBytes};
    return {1 / samplesPerSecond, nodes / samplesPerSecond, peakMemoryBytes};
}

ParetoFront paretoFront(std::span<const Objectives> scenarios) {
    ParetoFront front{std::vector<bool>(scenarios.size(), false)};
    std::vector<std::pair<Point, std::size_t>> points;
    front.weighsMemory =
        std::ranges::any_of(scenarios, isPlaced) && std::ranges::all_of(scenarios, [](const Objectives &scenario) {
            return !isPlaced(scenario) || !std::isnan(scenario.peakMemoryBytes);
        });
    for (std::size_t s = 0; s < scenarios.size(); ++s)
        if (const Objectives &scenario = scenarios[s]; isPlaced(scenario))
            points.push_back({{withoutRounding(scenario.seconds), withoutRounding(scenario.cost),
                               front.weighsMemory ? withoutRounding(scenario.peakMemoryBytes) : 0},
                              s});
    // In this order only an earlier point can be at least as good as a later one, and its time always is.
    std::ranges::sort(points);
    Staircase staircase;
    for (std::size_t p = 0; p < points.size(); ++p) {
        const Point &point = points[p].first;
        const bool equalsLast = p > 0 && points[p - 1].first == point;
        const bool isOn = equalsLast ? front.has[points[p - 1].second] : !staircase.covers(point[1], point[2]);
        front.has[points[p].second] = isOn;
        if (isOn && !equalsLast)
            staircase.add(point[1], point[2]);
    }
    return front;
}

} // namespace syncopate
