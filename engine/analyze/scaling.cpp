// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/scaling.h"

#include "engine/base/units.h"
#include "engine/cluster/conditions.h"
#include "engine/simulate/run.h"
#include "engine/space/space.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace syncopate {

namespace {

constexpr double slowWorkerSpeed = 2.0 / 3, halfOf = 0.5, twiceOf = 2;

void explainPoint(const Run &run, ScalingPoint &point) {
    const CauseFinder finder(run);
    point.bottleneck = bottleneckOf(run, finder, finder.ofIteration());
    point.bounds = finder.bounds();
}

/// 1, 2, 3, 4, 6, 8, 12, ...: two numbers per doubling, and both ends.
std::vector<std::int32_t> roundCounts(std::int32_t from, std::int32_t to) {
    std::vector<std::int32_t> counts{from};
    for (std::int64_t two = 1; two < to; two *= 2)
        for (const std::int64_t count : {two, two + two / 2})
            if (count > counts.back() && count < to)
                counts.push_back(static_cast<std::int32_t>(count));
    if (to > from)
        counts.push_back(to);
    return counts;
}

/// Scales the NICs. Measured times of collectives are of the links as they are, and are left out where collectives use them.
void scaleLinks(Scenario &scenario, double factor) {
    if (collectivesUseNics(*scenario.cluster))
        scenario.collectiveCurves = nullptr;
    scenario.cluster = std::make_shared<const Cluster>(withLinksScaled(*scenario.cluster, factor));
}

class ScalingSurvey {
public:
    ScalingSurvey(const ScenarioRecipe &recipe, const ScalingOptions &options, const std::stop_token &stop,
                  const ScalingSink &sink)
        : m_recipe(recipe), m_stop(stop), m_sink(sink) {
        m_answer.options = options;
    }

    Result<Scaling> run() {
        m_curves.push_back({});
        TRY(simulateAll(0));
        TRY(refineRegions());
        if (m_answer.options.band)
            TRY(simulateConditions());
        m_answer.isComplete = true;
        m_answer.assumptions = assumptions();
        report();
        return std::move(m_answer);
    }

private:
    /// The scenario, possibly under a condition, at the numbers of workers that were simulated.
    struct Curve {
        Phrase name;
        double linkFactor = 1, slowestSpeed = 1;
        std::map<std::int32_t, ScalingPoint> points;
    };

    [[nodiscard]] Result<Scenario> scenarioOf(const Curve &curve, std::int32_t workers) const {
        const std::size_t dimension = TRY(scenarioSpace().indexOf("workers"));
        const ScenarioRecipe recipe = TRY(scenarioSpace()[dimension].with(m_recipe, workers));
        Scenario scenario = TRY(makeScenario(recipe));
        if (curve.linkFactor != 1)
            scaleLinks(scenario, curve.linkFactor);
        if (curve.slowestSpeed != 1)
            scenario.cluster = std::make_shared<const Cluster>(withStraggler(*scenario.cluster, curve.slowestSpeed));
        return scenario;
    }

    Result<void> simulateAt(std::size_t number, std::int32_t workers) {
        Curve &curve = m_curves[number];
        if (curve.points.contains(workers))
            return {};
        ScalingPoint point;
        point.workers = workers;
        const auto run = [&]() -> Result<std::shared_ptr<const Run>> {
            return simulateFigures(TRY(scenarioOf(curve, workers)), m_stop);
        }();
        if (m_stop.stop_requested())
            return cancelled();
        if (run) {
            point.iterationSeconds = (*run)->iterationSeconds;
            point.samplesPerSecond = (*run)->samplesPerSecond;
            if (number == 0)
                explainPoint(**run, point);
        } else {
            point.error = run.error().toString();
        }
        curve.points.emplace(workers, std::move(point));
        ++m_answer.simulations;
        report();
        return {};
    }

    /// Simulates the round numbers, then bisects around the best.
    Result<void> simulateAll(std::size_t number) {
        for (const std::int32_t workers : roundCounts(m_answer.options.from, m_answer.options.to))
            TRY(simulateAt(number, workers));
        for (;;) {
            const auto knee = kneeOfCurve(m_curves[number]);
            if (!knee)
                return {};
            const auto &points = m_curves[number].points;
            const auto at = points.find(knee->workers);
            const std::int32_t below = at == points.begin() ? knee->workers : std::prev(at)->first;
            const std::int32_t above = std::next(at) == points.end() ? knee->workers : std::next(at)->first;
            const bool left = knee->workers - below > above - knee->workers;
            const std::int32_t from = left ? below : knee->workers, to = left ? knee->workers : above;
            if (to - from <= closeEnough(from))
                return {};
            TRY(simulateAt(number, from + (to - from) / 2));
        }
    }

    [[nodiscard]] std::int32_t closeEnough(std::int32_t workers) const {
        return std::max(1, static_cast<std::int32_t>(m_answer.options.resolution * workers));
    }

    /// Bisects between points that different resources limit.
    Result<void> refineRegions() {
        for (;;) {
            const auto &points = m_curves.front().points;
            const auto pair = std::adjacent_find(points.begin(), points.end(), [this](const auto &a, const auto &b) {
                return a.second.isSimulated() && b.second.isSimulated() && a.second.bottleneck.kind != b.second.bottleneck.kind &&
                       b.first - a.first > closeEnough(a.first);
            });
            if (pair == points.end())
                return {};
            const std::int32_t from = pair->first, to = std::next(pair)->first;
            TRY(simulateAt(0, from + (to - from) / 2));
        }
    }

    Result<void> simulateConditions() {
        m_curves.push_back({phrase("links at half"), halfOf, 1, {}});
        m_curves.push_back({phrase("links at twice"), twiceOf, 1, {}});
        m_curves.push_back({phrase("one worker at two thirds of its speed"), 1, slowWorkerSpeed, {}});
        for (std::size_t c = 1; c < m_curves.size(); ++c) {
            TRY(simulateAll(c));
            m_finished = c;
        }
        return {};
    }

    [[nodiscard]] static std::vector<ScalingPoint> simulatedOf(const Curve &curve) {
        std::vector<ScalingPoint> points;
        for (const auto &[workers, point] : curve.points)
            if (point.isSimulated())
                points.push_back(point);
        return points;
    }

    /// Samples/s per worker at the scenario's first point, with which all conditions are compared.
    [[nodiscard]] double samplesPerSecondOfOne() const {
        for (const auto &[workers, point] : m_curves.front().points)
            if (point.isSimulated())
                return point.samplesPerSecond / workers;
        return 0;
    }

    [[nodiscard]] std::optional<ScalingKnee> kneeOfCurve(const Curve &curve) const {
        if (!curve.points.contains(m_answer.options.to))
            return {}; // otherwise the last point so far would be the best
        auto knee = kneeOf(simulatedOf(curve), m_answer.options.worthwhileShare, samplesPerSecondOfOne());
        if (knee) // the counts above the last simulated point may be those that cannot be simulated
            knee->isBeyond = knee->workers == m_answer.options.to;
        return knee;
    }

    void report() {
        if (!m_sink && !m_answer.isComplete)
            return;
        fillPoints();
        fillRegions();
        m_answer.knee = kneeOfCurve(m_curves.front());
        m_answer.conditions.clear();
        for (std::size_t c = 1; c < m_curves.size(); ++c)
            m_answer.conditions.push_back({m_curves[c].name, c <= m_finished ? kneeOfCurve(m_curves[c]) : std::nullopt});
        fillBand();
        fillWorth();
        if (m_sink)
            m_sink(m_answer);
    }

    void fillPoints() {
        m_answer.points.clear();
        const double one = samplesPerSecondOfOne();
        const ScalingPoint *before = nullptr;
        for (auto &[workers, point] : m_curves.front().points) {
            if (point.isSimulated()) {
                point.efficiency = point.samplesPerSecond / workers / one;
                if (before)
                    point.marginalEfficiency =
                        (point.samplesPerSecond - before->samplesPerSecond) / (workers - before->workers) / one;
                before = &point;
                bandAt(point);
            }
            m_answer.points.push_back(point);
        }
    }

    void bandAt(ScalingPoint &point) const {
        double low = point.samplesPerSecond, high = low;
        for (std::size_t c = 1; c < m_curves.size(); ++c) {
            const auto found = m_curves[c].points.find(point.workers);
            if (found == m_curves[c].points.end() || !found->second.isSimulated())
                return;
            low = std::min(low, found->second.samplesPerSecond);
            high = std::max(high, found->second.samplesPerSecond);
        }
        if (m_curves.size() > 1) {
            point.lowSamplesPerSecond = low;
            point.highSamplesPerSecond = high;
        }
    }

    void fillRegions() {
        m_answer.regions.clear();
        for (const ScalingPoint &point : m_answer.points) {
            if (!point.isSimulated())
                continue;
            auto &regions = m_answer.regions;
            if (regions.empty() || regions.back().bottleneck != point.bottleneck.kind)
                regions.push_back({point.workers, point.workers, point.bottleneck.kind, {}});
            regions.back().to = point.workers;
            regions.back().resource = point.bottleneck.resource;
        }
    }

    void fillBand() {
        if (!m_answer.options.band || m_finished + 1 < m_curves.size() || m_curves.size() == 1 || !m_answer.knee)
            return;
        m_answer.low = m_answer.high = m_answer.knee;
        for (const ScalingCondition &condition : m_answer.conditions)
            if (condition.knee) {
                if (condition.knee->workers < m_answer.low->workers)
                    m_answer.low = condition.knee;
                if (condition.knee->workers > m_answer.high->workers)
                    m_answer.high = condition.knee;
            }
    }

    void fillWorth() {
        std::map<std::int32_t, std::vector<Phrase>> why;
        for (std::size_t r = 1; r < m_answer.regions.size(); ++r)
            why[m_answer.regions[r].from].push_back(phrase("%1 instead of %2", Phrase{nameOf(m_answer.regions[r].bottleneck)},
                                                           Phrase{nameOf(m_answer.regions[r - 1].bottleneck)}));
        const auto addKnee = [&why](const ScalingKnee &knee, const Phrase &name) {
            why[knee.workers].push_back(knee.isBeyond ? phrase("%1, or beyond", name) : name);
        };
        if (m_answer.knee)
            addKnee(*m_answer.knee, phrase("the knee"));
        if (m_answer.low && m_answer.low->workers != m_answer.knee->workers)
            addKnee(*m_answer.low, phrase("the band's low end"));
        if (m_answer.high && m_answer.high->workers != m_answer.knee->workers)
            addKnee(*m_answer.high, phrase("the band's high end"));
        m_answer.worth.clear();
        for (auto &[workers, reasons] : why)
            m_answer.worth.push_back({workers, joined(std::move(reasons), "; ")});
    }

    [[nodiscard]] std::vector<std::string> assumptions() const {
        std::vector<std::string> all{
            fmt::format("The knee is the number of workers beyond which no larger one, up to {}, brings {:g} % of a worker's "
                        "samples/s for each worker more. Each worker keeps its batch.",
                        m_answer.options.to, 100 * m_answer.options.worthwhileShare),
            "A region's bottleneck is what the critical path of an iteration spends most time on."};
        if (m_answer.options.resolution > 0)
            all.push_back(
                fmt::format("Knees and ends of regions are found to within {:.0f} % of their number of workers; what lies "
                            "between simulated numbers is not simulated.",
                            100 * m_answer.options.resolution));
        if (m_answer.options.band)
            all.emplace_back("The band assumes links between half and twice the stated rate, and one worker at two thirds of its "
                             "speed at worst. Delays that differ from step to step are not in it.");
        if (m_answer.options.band && leavesCurvesOut())
            all.emplace_back(
                "With links at half and at twice their rate, collectives between nodes take modelled times: measured "
                "ones belong to the links as they are.");
        return all;
    }

    /// Whether conditions of links leave out measured times that the scenario has at its largest number of workers. Neither
    /// parameter servers nor collectives as flows have any.
    [[nodiscard]] bool leavesCurvesOut() const {
        ScenarioRecipe recipe = m_recipe;
        recipe.knobs.workers = m_answer.options.to;
        const auto largest = makeScenario(recipe);
        if (!largest || !collectivesUseNics(*largest->cluster) || largest->policy.form == CollectiveForm::Flows)
            return false;
        const auto isReduced = [](const Synchronizer &synchronizer) { return synchronizer.kind == SynchronizerKind::AllReduce; };
        const bool hasCollectives =
            std::ranges::any_of(largest->strategy->nodes,
                                [&](const NodeConfig &node) { return anySynchronizer(node, isReduced); }) ||
            std::ranges::any_of(largest->job->layers, [](const Layer &layer) { return !layer.collectives.empty(); });
        return hasCollectives && (largest->collectiveCurves || !largest->cluster->collectives.empty());
    }

    const ScenarioRecipe &m_recipe;
    const std::stop_token &m_stop;
    const ScalingSink &m_sink;
    std::vector<Curve> m_curves; ///< the unchanged scenario, then under the conditions
    std::size_t m_finished = 0;  ///< index of the last complete one in m_curves
    Scaling m_answer;
};

Unexpected notARange(std::string_view text) {
    return fail(fmt::format("'{}' is not a range of workers", text),
                fmt::format("write two whole numbers from 1 to {}, such as 1-64", maxScalingWorkers));
}

Result<void> checkScaling(const ScalingOptions &options) {
    if (options.from < 1 || options.to > maxScalingWorkers || options.to <= options.from)
        return notARange(fmt::format("{}-{}", options.from, options.to));
    if (!(options.worthwhileShare > 0 && options.worthwhileShare < 1))
        return fail(fmt::format("a worthwhile share of {:g} is not between 0 and 1", options.worthwhileShare), "write 0.5");
    if (!(options.resolution >= 0 && options.resolution < 1))
        return fail(fmt::format("a resolution of {:g} is not from 0 to below 1", options.resolution), "write 0.03");
    return {};
}

} // namespace

std::optional<ScalingKnee> kneeOf(const std::vector<ScalingPoint> &points, double worthwhileShare, double samplesPerSecondOfOne) {
    constexpr double rounding = 1e-12;
    std::optional<ScalingKnee> knee;
    double best = 0;
    for (const ScalingPoint &point : points) {
        const double worth = point.samplesPerSecond - worthwhileShare * samplesPerSecondOfOne * point.workers;
        if (knee && worth <= best + rounding * std::abs(best))
            continue;
        knee = ScalingKnee{point.workers, point.workers == points.back().workers};
        best = worth;
    }
    return knee;
}

Result<ScalingOptions> parseScalingRange(std::string_view text) {
    const std::size_t dash = text.find('-');
    const auto from = parseNumber(text.substr(0, dash));
    const auto to = parseNumber(dash == std::string_view::npos ? std::string_view() : text.substr(dash + 1));
    const auto isCount = [](const Result<double> &number) {
        return number && *number == std::floor(*number) && *number >= 1 && *number <= maxScalingWorkers;
    };
    if (!isCount(from) || !isCount(to) || *to <= *from)
        return notARange(text);
    ScalingOptions options;
    options.from = static_cast<std::int32_t>(*from);
    options.to = static_cast<std::int32_t>(*to);
    return options;
}

Result<Scaling> findScaling(const ScenarioRecipe &recipe, const ScalingOptions &options, const std::stop_token &stop,
                            const ScalingSink &sink) {
    TRY(checkScaling(options));
    return ScalingSurvey(recipe, options, stop, sink).run();
}

} // namespace syncopate
