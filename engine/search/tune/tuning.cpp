// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/tune/tuning.h"

#include "engine/analyze/causes.h"
#include "engine/search/tune/tuners.h"
#include "engine/simulate/run.h"
#include "engine/strategy/policy.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace syncopate {

namespace {

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::optional<std::size_t> fastest(const std::vector<TuneStep> &steps, std::size_t count) {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < std::min(count, steps.size()); ++i)
        if (std::isfinite(steps[i].iterationSeconds) && (!best || steps[i].iterationSeconds < steps[*best].iterationSeconds))
            best = i;
    return best;
}

/// Visits a grid point's neighbours, one value further along one axis in either direction.
class Neighbours {
public:
    explicit Neighbours(const std::vector<std::size_t> &counts) : m_counts(counts), m_strides(counts.size(), 1) {
        for (std::size_t d = counts.size(); d-- > 1;)
            m_strides[d - 1] = m_strides[d] * counts[d];
    }
    template <class Visit> void forEach(std::size_t point, Visit &&visit) const {
        for (std::size_t d = 0; d < m_counts.size(); ++d) {
            const std::size_t place = point / m_strides[d] % m_counts[d];
            if (place > 0)
                visit(point - m_strides[d]);
            if (place + 1 < m_counts[d])
                visit(point + m_strides[d]);
        }
    }

private:
    const std::vector<std::size_t> &m_counts;
    std::vector<std::size_t> m_strides;
};

/// Whether the policy spreads pieces over servers by itself, so that other settings load the links differently.
bool spreadsPieces(const Scenario &scenario) {
    const auto isServed = [](const Synchronizer &s) { return s.kind == SynchronizerKind::ParameterServer; };
    return choosesServers(scenario.policy) &&
           std::ranges::any_of(scenario.strategy->nodes, [&](const NodeConfig &node) { return anySynchronizer(node, isServed); });
}

/// Whether the size of modules decides how often parameters are gathered.
bool gathersModules(const CommPolicy &policy) {
    const auto sharding = disciplineOf(policy, {}).sharding;
    return sharding && !sharding->keepsParameters;
}

/// The cards' time for uncompressed, dense gradients to servers and the updated values back, however these are spread over
/// servers; an empty reason where the scenario trains in another way. Nodes that only serve: each worker's gradients over its
/// card. Else servers share the workers' n nodes, and for every byte n - 1 nodes send the gradient to its server's node, which
/// sends the value back n - 1 times: the cards of all nodes together send 2 (n - 1) times the parameters.
TuneBound cardBound(const Scenario &scenario) {
    const Cluster &cluster = *scenario.cluster;
    for (const NodeConfig &node : scenario.strategy->nodes)
        if (anySynchronizer(node, [](const Synchronizer &s) {
                return s.kind != SynchronizerKind::ParameterServer || s.compressor != Compressor::None;
            }))
            return {};
    if (std::any_of(scenario.job->variables.begin(), scenario.job->variables.end(),
                    [](const Variable &variable) { return variable.sparse; }))
        return {};
    double slowest = std::numeric_limits<double>::infinity(), all = 0;
    const std::vector<std::int32_t> nodes = cluster.trainingNodes();
    for (const std::int32_t n : nodes) {
        const double rate = cluster.nodes[static_cast<std::size_t>(n)].bandwidthBytesPerSecond * cluster.linkEfficiency;
        slowest = std::min(slowest, rate);
        all += rate;
    }
    const auto bytes = static_cast<double>(scenario.job->parameterBytes());
    if (!cluster.serverOnly.empty())
        return {bytes / slowest, "a worker's gradients over its card"};
    return {2 * (static_cast<double>(nodes.size()) - 1) * bytes / all, "gradients and values over the nodes' cards"};
}

/// Whether every setting fuses the same bytes for the same collectives, on communicators that no setting adds to.
bool onlyFusesOtherwise(const TuneSpace &space, const CommPolicy &policy) {
    return policy.kind().fuse && !policy.keyOfKnob(creditKnob().id) &&
           std::ranges::all_of(space.axes(), [](const TuneAxis &axis) {
               return axis.of().unit == Unit::Bytes || axis.of().unit == Unit::Seconds;
           });
}

} // namespace

std::uint64_t evaluationsOf(const PointSearch &tuner, std::uint64_t asked, std::uint64_t maxPoints) {
    if (asked > 0)
        return asked;
    const auto points = tuner.pointCount();
    return points ? std::min<std::uint64_t>(*points, maxPoints) : usualTuneEvaluations;
}

std::optional<std::size_t> Tuning::best(std::size_t count) const { return fastest(path, count); }

Result<TuneStep> judgeSetting(const TuneSpace &space, std::vector<double> values, Judge &judge, std::stop_token stop) {
    const auto scenario = TRY(space.scenarioOf(values));
    const auto verdict = TRY(judge.judge(scenario, std::move(stop)));
    return TuneStep{std::move(values), verdict.iterationSeconds, verdict.samplesPerSecond, {}};
}

Result<Tuning> runTuning(PointSearch &tuner, Judge &judge, const TuningOptions &options, std::stop_token stop,
                         Progress *progress) {
    const auto start = Clock::now();
    SearchRequest request;
    request.base = TRY(tuner.space().defaultScenario());
    request.trials = options.evaluations;
    request.threads = options.threads;
    request.judgesBuilders = false;
    request.enough = 0; // tuners are compared by their evaluations, so all are made
    SearchObserver observer;
    const auto history = TRY(runSearch(request, tuner, judge, observer, {}, std::move(stop), progress));
    if (history.stopped)
        return cancelled();
    Tuning tuning{tuner.text(), {}, tuner.iterationsPerPoint(), since(start)};
    for (const SearchTrial &trial : history.trials)
        tuning.path.push_back(
            {tuner.valuesOf(trial.genes), trial.metrics.iterationSeconds, trial.metrics.samplesPerSecond, trial.error});
    if (const MetaOrigin *network = tuner.network())
        tuning.network = *network;
    return tuning;
}

std::optional<std::size_t> Landscape::best() const { return fastest(points, points.size()); }

std::size_t Landscape::valleys(double tolerance) const {
    std::vector<std::size_t> rising; // points, fastest first, as rising water reaches them
    for (std::size_t i = 0; i < points.size(); ++i)
        if (std::isfinite(points[i].iterationSeconds))
            rising.push_back(i);
    std::ranges::stable_sort(rising, {}, [&](std::size_t i) { return points[i].iterationSeconds; });
    const Neighbours neighbours(counts);
    std::vector<std::size_t> towards(points.size(), points.size()); // a point of the same lake nearer its first; no lake yet
    const auto firstOf = [&](std::size_t point) {
        while (towards[point] != point)
            point = towards[point] = towards[towards[point]];
        return point;
    };
    std::size_t lakes = 0, shallow = 0;
    for (const std::size_t point : rising) {
        const double level = points[point].iterationSeconds;
        towards[point] = point;
        ++lakes;
        neighbours.forEach(point, [&](std::size_t other) {
            if (towards[other] == points.size())
                return;
            std::size_t one = firstOf(point), two = firstOf(other);
            if (one == two)
                return;
            if (points[two].iterationSeconds < points[one].iterationSeconds)
                std::swap(one, two);
            towards[two] = one; // the shallower lake runs over into the deeper one
            shallow += level <= points[two].iterationSeconds * (1 + tolerance) ? 1 : 0;
        });
    }
    return lakes - shallow;
}

std::vector<std::size_t> usualGrid(std::size_t axes) {
    switch (axes) {
    case 1:
        return {12};
    case 2:
        return {12, 8};
    case 3:
        return {6, 5, 4};
    default:
        return {};
    }
}

Result<Landscape> landscapeOf(const TuneSpace &space, const std::vector<std::size_t> &counts, Judge &judge, unsigned threads,
                              std::stop_token stop, Progress *progress) {
    const auto grid = makeGrid(space, counts);
    auto tuning = TRY(runTuning(*grid, judge, {grid->pointCount().value_or(0), threads}, std::move(stop), progress));
    return Landscape{gridCounts(space.axes(), counts), std::move(tuning.path), tuning.wallSeconds};
}

Result<TuneBound> boundOf(const TuneSpace &space, std::stop_token stop) {
    for (const TuneAxis &axis : space.axes())
        if (axis.of().isOfCluster())
            return TuneBound{};
    const auto scenario = TRY(space.defaultScenario());
    const auto run = TRY(simulate(scenario, std::move(stop)));
    const IterationBounds bounds = CauseFinder(*run).bounds();
    const TuneBound compute{bounds.computeSeconds, "the compute of a worker"};
    const auto orCompute = [&](const TuneBound &other) { return other.seconds > bounds.computeSeconds ? other : compute; };
    if (spreadsPieces(scenario))
        return orCompute(run->graph.workersInStep ? cardBound(scenario) : TuneBound{});
    // Where settings decide which channel has which bytes, or how often bytes are sent on, links and queues of the default bound
    // nothing.
    const bool onChannels = !scenario.cluster->namedChannels.empty() && scenario.policy.form == CollectiveForm::Analytic;
    if (gathersModules(scenario.policy) || onChannels || scenario.policy.algorithm == CollectiveAlgorithm::BroadcastReduce)
        return compute;
    if (bounds.queueTransferSeconds > bounds.networkSeconds && onlyFusesOtherwise(space, scenario.policy))
        return orCompute({bounds.queueTransferSeconds, "the bytes of its collectives over their connections"});
    if (!bounds.busiestLink.exists())
        return compute;
    return orCompute({bounds.networkSeconds, "the bytes over " + run->graph.links[bounds.busiestLink.index()].name});
}

} // namespace syncopate
