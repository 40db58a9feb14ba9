// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/tune/tune_space.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <utility>

namespace syncopate {

namespace {

bool isWhole(const TuneAxis &axis) { return axis.multipleOf || axis.of().integer || axis.of().unit == Unit::Bytes; }

Result<void> checkAxis(const std::vector<TuneAxis> &axes, std::size_t index, const ScenarioRecipe &recipe) {
    const TuneAxis &axis = axes[index];
    const std::string &id = axis.of().id;
    for (std::size_t other = 0; other < index; ++other)
        if (axes[other].dimension == axis.dimension)
            return fail(fmt::format("{} is tuned twice", id), "name different knobs");
    if (std::string reason = axis.of().whyNot(recipe); !reason.empty())
        return fail(std::move(reason), "choose another knob, or another policy");
    if (axis.multipleOf && (*axis.multipleOf >= index || axes[*axis.multipleOf].multipleOf))
        return fail(fmt::format("{} is a multiple of no earlier knob", id), "name that knob first");
    if (!(axis.min <= axis.max) || !std::isfinite(axis.min) || !std::isfinite(axis.max))
        return fail(fmt::format("{} has no range from {} to {}", id, axis.min, axis.max), "write two numbers in order");
    if (axis.scale == Scale::Logarithmic && !(axis.min > 0))
        return fail(fmt::format("{} cannot grow by equal factors from {}", id, axis.min), "start above 0");
    if (!axis.multipleOf) {
        TRY(axis.of().check(axis.at(0)));
        TRY(axis.of().check(axis.at(1)));
    }
    return {};
}

} // namespace

double TuneAxis::at(double coordinate) const {
    const double share = std::clamp(coordinate, 0.0, 1.0);
    const double value = share >= 1                    ? max
                         : scale == Scale::Logarithmic ? min * std::pow(max / min, share)
                                                       : min + (max - min) * share;
    return isWhole(*this) ? std::round(value) : value;
}

double TuneAxis::coordinateOf(double value) const {
    if (!(max > min))
        return 0;
    const double share =
        scale == Scale::Logarithmic ? std::log(std::max(value, min) / min) / std::log(max / min) : (value - min) / (max - min);
    return std::clamp(share, 0.0, 1.0);
}

std::vector<double> TuneAxis::gridCoordinates(std::size_t count) const {
    const bool whole = isWhole(*this);
    const double first = at(0), last = at(1);
    if (whole)
        count = static_cast<std::size_t>(std::min(static_cast<double>(count), last - first + 1));
    std::vector<double> coordinates;
    double previous = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < count; ++i) {
        double coordinate = count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) : 0;
        if (whole) {
            const double evenlySpaced = at(coordinate), remaining = static_cast<double>(count - 1 - i);
            if (const double distinct = std::min(std::max(evenlySpaced, previous + 1), last - remaining);
                distinct != evenlySpaced)
                coordinate = coordinateOf(distinct);
        }
        if (const double value = at(coordinate); value > previous) { // equal where the range is one value or finer than doubles
            coordinates.push_back(coordinate);
            previous = value;
        }
    }
    return coordinates;
}

std::vector<std::size_t> gridCounts(const std::vector<TuneAxis> &axes, const std::vector<std::size_t> &counts) {
    std::vector<std::size_t> values;
    for (std::size_t i = 0; i < std::min(axes.size(), counts.size()); ++i)
        values.push_back(axes[i].gridCoordinates(counts[i]).size());
    return values;
}

TuneAxis usualAxis(std::size_t dimension) {
    const Dimension &of = scenarioSpace()[dimension];
    return {dimension, of.min, of.max, of.min > 0 ? of.scale : Scale::Linear, {}};
}

std::string describe(const std::vector<TuneAxis> &axes, const std::vector<double> &values) {
    std::string text;
    for (std::size_t i = 0; i < std::min(axes.size(), values.size()); ++i)
        text += fmt::format("{}{}={}", i > 0 ? ", " : "", axes[i].of().id, axes[i].of().format(values[i]));
    return text;
}

Result<TuneSpace> TuneSpace::make(ScenarioRecipe recipe, std::vector<TuneAxis> axes) {
    if (axes.empty())
        return fail("there is nothing to tune", "name one knob or more");
    for (std::size_t i = 0; i < axes.size(); ++i)
        TRY(checkAxis(axes, i, recipe));
    if (std::none_of(axes.begin(), axes.end(), [](const TuneAxis &axis) { return axis.of().isOfCluster(); })) {
        auto scenario = TRY(makeScenario(recipe));
        recipe.cluster = scenario.cluster;
        recipe.knobs = {};
        recipe.strategy = FixedStrategy{scenario.strategy};
    }
    return TuneSpace(std::move(recipe), std::move(axes));
}

std::vector<TuneAxis> TuneSpace::partitionAndCredit() {
    const std::size_t partition = *scenarioSpace().indexOf("partition"), credit = *scenarioSpace().indexOf("credit");
    return {{partition, 4096, 1073741824, Scale::Logarithmic, {}}, {credit, 1, 16, Scale::Logarithmic, 0}};
}

std::vector<double> TuneSpace::valuesAt(const TunePoint &point) const {
    std::vector<double> values;
    for (std::size_t i = 0; i < m_axes.size(); ++i)
        values.push_back(m_axes[i].at(point[i]) * (m_axes[i].multipleOf ? values[*m_axes[i].multipleOf] : 1));
    return values;
}

TunePoint TuneSpace::pointOf(const std::vector<double> &values) const {
    TunePoint point;
    for (std::size_t i = 0; i < m_axes.size(); ++i)
        point.push_back(m_axes[i].coordinateOf(values[i] / (m_axes[i].multipleOf ? values[*m_axes[i].multipleOf] : 1)));
    return point;
}

std::vector<double> TuneSpace::presentValues() const {
    std::vector<double> values;
    for (const TuneAxis &axis : m_axes)
        values.push_back(axis.of().get(m_recipe));
    return values;
}

Result<Scenario> TuneSpace::scenarioOf(const std::vector<double> &values) const {
    ScenarioRecipe recipe = m_recipe;
    for (std::size_t i = 0; i < m_axes.size(); ++i)
        recipe = TRY(m_axes[i].of().with(std::move(recipe), values[i]));
    return makeScenario(recipe);
}

std::vector<double> TuneSpace::defaultValues() const {
    ScenarioRecipe recipe = m_recipe;
    for (const TuneAxis &axis : m_axes)
        if (!axis.of().isOfCluster())
            recipe = axis.of().reset(std::move(recipe));
    std::vector<double> values;
    for (const TuneAxis &axis : m_axes)
        values.push_back(axis.of().get(recipe));
    return values;
}

Result<Scenario> TuneSpace::defaultScenario() const { return scenarioOf(defaultValues()); }

} // namespace syncopate
