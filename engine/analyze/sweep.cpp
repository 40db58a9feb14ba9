// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/sweep.h"

#include "engine/analyze/metrics.h"
#include "engine/analyze/training_memory.h"
#include "engine/base/parallel_in_order.h"
#include "engine/base/units.h"
#include "engine/simulate/run.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace syncopate {

namespace {

/// 0, n/2, n/4, 3n/4, ...: every prefix covers the range evenly.
std::vector<std::size_t> coarseToFine(std::size_t count) {
    std::vector<std::size_t> order;
    std::vector<bool> taken(count, false);
    std::size_t step = 1;
    while (step < count)
        step *= 2;
    for (; step >= 1; step /= 2)
        for (std::size_t i = 0; i < count; i += step)
            if (!taken[i]) {
                taken[i] = true;
                order.push_back(i);
            }
    return order;
}

/// `count` values from `from` to `to`, spaced by equal factors or evenly; whole numbers are not repeated.
std::vector<double> spaced(double from, double to, int count, bool byFactors, bool whole) {
    std::vector<double> values;
    for (int i = 0; i < count; ++i) {
        const double share = count > 1 ? static_cast<double>(i) / (count - 1) : 0;
        double value = byFactors ? from * std::pow(to / from, share) : from + (to - from) * share;
        if (whole)
            value = std::round(value);
        if (values.empty() || value > values.back())
            values.push_back(value);
    }
    return values;
}

ScenarioRecipe turned(const ScenarioRecipe &recipe, const SweepAxis &axis, std::size_t index) {
    return scenarioSpace()[axis.dimension].with(recipe, axis.values[index]).value_or(recipe);
}

SweepPoint simulatePoint(const ScenarioRecipe &recipe, const std::stop_token &stop) {
    const auto point = [&]() -> Result<SweepPoint> {
        const auto scenario = TRY(makeScenario(recipe));
        const auto run = TRY(simulateFigures(scenario, stop));
        return SweepPoint{run->iterationSeconds,
                          run->confidence,
                          run->samplesPerSecond,
                          iterationStatistics(*run).exposedSeconds,
                          static_cast<double>(scenario.cluster->nodes.size()),
                          trainingMemory(*run).deviceBytes(),
                          {}};
    }();
    return point ? *point : SweepPoint{.error = point.error().toString()};
}

constexpr int usualSteps = 11;
constexpr double fewWholeNumbers = 32;

/// The parts of a knob's text after its name.
struct AxisText {
    std::string from, to, steps;
    bool log = false;
};

Unexpected notAnAxis(std::string_view text) {
    return fail(fmt::format("'{}' is not a range of a knob", text),
                "write K=FROM..TO[:STEPS][:log], such as bandwidth=1..100:11:log");
}

/// Parses FROM..TO[:STEPS][:log]; `whole` is the text for errors.
Result<AxisText> splitRange(std::string_view range, std::string_view whole) {
    const std::size_t dots = range.find("..");
    if (dots == std::string_view::npos)
        return notAnAxis(whole);
    AxisText parts;
    parts.from = range.substr(0, dots);
    std::string_view rest = range.substr(dots + 2);
    const auto next = [&rest] {
        const std::size_t colon = std::min(rest.find(':'), rest.size());
        const std::string piece(rest.substr(0, colon));
        rest.remove_prefix(std::min(colon + 1, rest.size()));
        return piece;
    };
    parts.to = next();
    while (!rest.empty()) {
        const std::string piece = next();
        if (piece == "log" && !parts.log)
            parts.log = true;
        else if (piece != "log" && parts.steps.empty() && !parts.log)
            parts.steps = piece;
        else
            return notAnAxis(whole);
    }
    return parts;
}

Result<int> stepsOf(const AxisText &parts, const Dimension &dimension, double from, double to) {
    if (parts.steps.empty()) {
        const bool everyOne = dimension.integer && !parts.log && to - from < fewWholeNumbers;
        return from == to ? 1 : everyOne ? static_cast<int>(to - from) + 1 : usualSteps;
    }
    const auto steps = parseNumber(parts.steps);
    const int fewest = from == to ? 1 : 2;
    if (!steps || *steps != std::floor(*steps) || *steps < fewest || *steps > maxSweepValues)
        return fail(fmt::format("{} has '{}' steps", dimension.id, parts.steps),
                    fmt::format("write a whole number from {} to {}", fewest, maxSweepValues));
    return static_cast<int>(*steps);
}

} // namespace

SweepAxis sweepAxis(std::size_t dimension, int count) {
    const Dimension &d = scenarioSpace()[dimension];
    return {dimension, spaced(d.min, d.max, count, d.scale == Scale::Logarithmic && d.min > 0, d.integer)};
}

SweepAxis mapAxis(std::size_t dimension, int count) {
    const Dimension &d = scenarioSpace()[dimension];
    if (!d.integer || d.scale != Scale::Logarithmic)
        return sweepAxis(dimension, count);
    SweepAxis axis{dimension, {d.min}};
    while (axis.values.back() * 2 <= d.max)
        axis.values.push_back(axis.values.back() * 2);
    return axis;
}

Result<void> checkSweepPoints(std::size_t points) {
    if (points > maxSweepPoints)
        return fail(fmt::format("{} points are too many", points), fmt::format("take up to {} in all", maxSweepPoints));
    return {};
}

Result<SweepAxis> parseSweepAxis(std::string_view text) {
    const std::size_t equals = text.find('=');
    const std::size_t index = TRY(scenarioSpace().indexOf(text.substr(0, equals)));
    if (equals == std::string_view::npos)
        return notAnAxis(text);
    const Dimension &dimension = scenarioSpace()[index];
    const AxisText parts = TRY(splitRange(text.substr(equals + 1), text));
    const double from = TRY(dimension.parse(parts.from)), to = TRY(dimension.parse(parts.to));
    TRY(dimension.checkUnit(parts.from, from));
    TRY(dimension.checkUnit(parts.to, to));
    TRY(dimension.check(from));
    TRY(dimension.check(to));
    if (std::isinf(from) || std::isinf(to))
        return fail(fmt::format("{} cannot be swept to 'off'", dimension.id), "write a size");
    if (to < from)
        return fail(fmt::format("{} goes down, from {} to {}", dimension.id, dimension.format(from), dimension.format(to)),
                    "write the smaller value first");
    if (parts.log && !(from > 0))
        return fail(fmt::format("{} cannot grow by equal factors from 0", dimension.id), "start above 0, or leave out ':log'");
    const int steps = TRY(stepsOf(parts, dimension, from, to));
    const bool whole = dimension.integer || dimension.unit == Unit::Bytes;
    SweepAxis axis{index, spaced(from, to, steps, parts.log, whole)};
    axis.values.back() = whole ? std::round(to) : to; // pow() may miss it by rounding
    return axis;
}

std::vector<std::pair<std::size_t, std::size_t>> coarseToFine(std::size_t columns, std::size_t rows) {
    const auto x = coarseToFine(columns), y = coarseToFine(rows);
    std::vector<std::pair<std::size_t, std::size_t>> ranks; // ranks of columns and rows
    for (std::size_t i = 0; i < columns; ++i)
        for (std::size_t j = 0; j < rows; ++j)
            ranks.emplace_back(i, j);
    std::stable_sort(ranks.begin(), ranks.end(),
                     [](const auto &a, const auto &b) { return std::max(a.first, a.second) < std::max(b.first, b.second); });
    for (auto &[i, j] : ranks) {
        i = x[i];
        j = y[j];
    }
    return ranks;
}

SweepPoint sweptPoint(const SweepPlan &plan, std::size_t recipe, std::size_t point, const std::stop_token &stop) {
    const std::size_t rows = plan.y ? plan.y->values.size() : 1;
    ScenarioRecipe at = turned(plan.recipes[recipe], plan.x, point / rows);
    if (plan.y)
        at = turned(at, *plan.y, point % rows);
    return plan.judges.empty() ? simulatePoint(at, stop) : plan.judges[recipe](at, stop);
}

Result<void> runSweep(const SweepPlan &plan, const std::stop_token &stop, const SweepSink &sink) {
    struct Place {
        std::size_t recipe, point;
    };
    struct Judged {
        Place place;
        SweepPoint result;
    };
    const std::size_t rows = plan.y ? plan.y->values.size() : 1;
    const auto order = coarseToFine(plan.x.values.size(), rows);
    const std::size_t recipes = plan.recipes.size();
    std::size_t taken = 0;
    const auto next = [&]() -> std::optional<Place> {
        if (taken == order.size() * recipes || stop.stop_requested())
            return std::nullopt;
        const std::size_t n = taken++;
        // A curve takes all recipes at each value in turn, a map all values of each recipe.
        const std::size_t recipe = plan.y ? n / order.size() : n % recipes;
        const auto [i, j] = order[plan.y ? n % order.size() : n / recipes];
        return Place{recipe, i * rows + j};
    };
    const auto judge = [&](Place place) { return Judged{place, sweptPoint(plan, place.recipe, place.point, stop)}; };
    const auto deliver = [&](const Judged &judged) {
        if (stop.stop_requested())
            return false;
        sink(judged.place.recipe, judged.place.point, judged.result);
        return true;
    };
    const unsigned threads = threadsFor(plan.threads);
    parallelInOrder<Place, Judged>(threads, std::size_t{2} * threads, next, judge, deliver);
    return stop.stop_requested() ? Result<void>(cancelled()) : Result<void>();
}

} // namespace syncopate
