// SPDX-License-Identifier: GPL-3.0-or-later
// Invariants of every simulation, over 10,000 random scenarios. A failure names the scenario's seed: run it alone with
// SYNCOPATE_SEED=n tst_properties.
#include "engine/analyze/communication_statistics.h"
#include "engine/analyze/metrics.h"
#include "engine/rewrite/rewrite.h"
#include "engine/simulate/event_loop.h"
#include "tests/checks.h"
#include "tests/simulate/random_scenarios.h"

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <tuple>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

bool close(double a, double b, double relative) {
    return std::abs(a - b) <= relative * std::max({std::abs(a), std::abs(b), 1e-9});
}

struct Played {
    TaskGraph graph;
    Schedule schedule;
    double makespan = 0;
};

Result<Played> play(const Scenario &s) {
    auto graph = rewrite(s);
    if (!graph)
        return Unexpected(graph.error());
    Played played;
    played.graph = std::move(*graph);
    played.schedule = runEventLoop(played.graph);
    for (std::size_t t = 0; t < played.graph.size(); ++t)
        played.makespan = std::max(played.makespan, played.schedule.endSeconds[t] + played.graph.flightSeconds[t]);
    return played;
}

double rateAlone(const TaskGraph &g, PathId path) {
    double rate = g.pathLimits[path.index()];
    for (const PathHop &hop : g.hopsOf(path))
        rate = std::min(rate, g.links[hop.link.index()].bytesPerSecond / hop.weight);
    return rate;
}

/// The minimum time of a task after its start.
double leastSeconds(const TaskGraph &g, std::size_t t) {
    double seconds = g.fixedSeconds[t];
    if (g.path[t].exists() && g.sizeBytes[t] > 0)
        seconds += g.sizeBytes[t] / rateAlone(g, g.path[t]);
    if (g.ring[t].exists()) {
        const RingShape &ring = g.rings[g.ring[t].index()];
        for (const RingLane &lane : ring.lanes)
            seconds = std::max(seconds, ring.steps * lane.fixedSeconds + g.sizeBytes[t] / rateAlone(g, lane.path));
    }
    return seconds;
}

std::string tasksFollowTheirParents(const Played &p) {
    const TaskGraph &g = p.graph;
    if (!p.schedule.complete)
        return "came to a halt";
    for (std::size_t t = 0; t < g.size(); ++t) {
        const double ready = p.schedule.readySeconds[t], start = p.schedule.startSeconds[t], end = p.schedule.endSeconds[t];
        if (!(ready >= 0 && start >= ready && end >= start))
            return fmt::format("task {}: ready {} start {} end {}", t, ready, start, end);
        if (end - start < leastSeconds(g, t) - 1e-9 * (end + 1e-3))
            return fmt::format("task {} took {} of at least {}", t, end - start, leastSeconds(g, t));
        for (std::uint32_t s = g.successorOffsets[t]; s < g.successorOffsets[t + 1]; ++s)
            if (p.schedule.readySeconds[g.successors[s].index()] < (end + g.flightSeconds[t]) * (1 - 1e-12))
                return fmt::format("task {} was ready before its parent {} had ended", g.successors[s].number(), t);
    }
    return {};
}

/// No link exceeds its capacity: over any interval, the flows that begin and end in it fit.
std::string linksHold(const Played &p) {
    const TaskGraph &g = p.graph;
    struct Use {
        double from, to, bytes;
    };
    std::vector<std::vector<Use>> uses(g.links.size());
    for (std::size_t t = 0; t < g.size(); ++t) {
        if (!g.path[t].exists() || g.sizeBytes[t] <= 0)
            continue;
        for (const PathHop &hop : g.hopsOf(g.path[t]))
            uses[hop.link.index()].push_back(
                {p.schedule.startSeconds[t] + g.fixedSeconds[t], p.schedule.endSeconds[t], hop.weight * g.sizeBytes[t]});
    }
    for (std::size_t l = 0; l < uses.size(); ++l) {
        auto &own = uses[l];
        std::sort(own.begin(), own.end(), [](const Use &a, const Use &b) { return a.to < b.to; });
        for (std::size_t first = 0; first < own.size(); first += 1 + own.size() / 40) {
            double bytes = 0;
            for (const Use &use : own) {
                if (use.from < own[first].from)
                    continue;
                bytes += use.bytes;
                const double most = g.links[l].bytesPerSecond * (use.to - own[first].from);
                if (bytes > most * (1 + 1e-9) + 1e-3)
                    return fmt::format("link {} moved {} B of at most {}", g.links[l].name, bytes, most);
            }
        }
    }
    return {};
}

/// Exclusive queues run one task at a time, and compute takes as long as the job says.
std::string computeIsConserved(const Played &p, const Scenario &s) {
    const TaskGraph &g = p.graph;
    std::map<std::int32_t, double> busy;
    std::map<QueueId, std::vector<std::pair<double, double>>> spans;
    for (std::size_t t = 0; t < g.size(); ++t)
        if (g.kind[t] == TaskKind::Forward || g.kind[t] == TaskKind::Backward || g.kind[t] == TaskKind::Update) {
            busy[g.worker[t].number()] += p.schedule.endSeconds[t] - p.schedule.startSeconds[t];
            spans[g.queue[t]].push_back({p.schedule.startSeconds[t], p.schedule.endSeconds[t]});
        }
    double own = s.job->forwardSeconds() + s.job->backwardSeconds() + s.job->updateSeconds;
    for (const auto &[worker, seconds] : busy)
        if (!close(seconds, own * s.iterations, 1e-9))
            return fmt::format("worker {} computed {} s of {}", worker, seconds, own * s.iterations);
    for (auto &[queue, list] : spans) {
        std::sort(list.begin(), list.end());
        for (std::size_t i = 1; queue.exists() && i < list.size(); ++i)
            if (list[i].first < list[i - 1].second - 1e-12)
                return fmt::format("two tasks of queue {} at once", queue.number());
    }
    return {};
}

double lowerBound(const Played &p) {
    const TaskGraph &g = p.graph;
    double bound = 0;
    std::vector<double> load(g.links.size(), 0);
    std::vector<double> compute(g.queues.size(), 0);
    for (std::size_t t = 0; t < g.size(); ++t) {
        if (g.path[t].exists())
            for (const PathHop &hop : g.hopsOf(g.path[t]))
                load[hop.link.index()] += hop.weight * g.sizeBytes[t];
        if (g.queue[t].exists() && g.queues[g.queue[t].index()].slotCount == 1 && g.releases[t] == g.queue[t])
            compute[g.queue[t].index()] += leastSeconds(g, t);
    }
    for (std::size_t l = 0; l < load.size(); ++l)
        bound = std::max(bound, load[l] / g.links[l].bytesPerSecond);
    for (const double seconds : compute)
        bound = std::max(bound, seconds);
    // Longest chain of dependencies.
    std::vector<std::uint32_t> left = g.parentCount;
    std::vector<double> reach(g.size(), 0);
    std::vector<std::size_t> order;
    for (std::size_t t = 0; t < g.size(); ++t)
        if (left[t] == 0)
            order.push_back(t);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const double end = reach[order[i]] + leastSeconds(g, order[i]);
        bound = std::max(bound, end);
        for (std::uint32_t s = g.successorOffsets[order[i]]; s < g.successorOffsets[order[i] + 1]; ++s) {
            const std::size_t child = g.successors[s].index();
            reach[child] = std::max(reach[child], end + g.flightSeconds[order[i]]);
            if (--left[child] == 0)
                order.push_back(child);
        }
    }
    return bound;
}

/// Bytes per (kind, unit), over all nodes.
std::map<std::pair<int, int>, double> traffic(const Played &p) {
    std::map<std::pair<int, int>, double> bytes;
    const TaskGraph &g = p.graph;
    for (std::size_t t = 0; t < g.size(); ++t) {
        if (g.kind[t] != TaskKind::Push && g.kind[t] != TaskKind::Pull)
            continue;
        bytes[{static_cast<int>(g.kind[t]), g.unit[t].number()}] += g.sizeBytes[t] * g.workerMultiplicity[g.worker[t].index()];
    }
    return bytes;
}

} // namespace

class TestProperties : public QObject {
    Q_OBJECT

    template <class Check> static void forAll(const Check &check) { QCOMPARE(wrongScenarios(draw, check), 0); }

private slots:
    /// The generator's promises to the properties, on servers and on all-reduces.
    void someGradientsAreSparseAndSomeVariablesCut() {
        std::map<SynchronizerKind, int> sparse, allRows, someRows, unknownRows, even, uneven;
        for (int seed = 0; seed < randomScenarios; ++seed) {
            const Scenario s = draw(static_cast<std::uint64_t>(seed)).scenario;
            for (std::size_t v = 0; v < s.job->variables.size(); ++v) {
                const Variable &variable = s.job->variables[v];
                const NodeConfig &node = s.strategy->nodes[v];
                const SynchronizerKind kind = node.synchronizer.kind;
                if (variable.sparse) {
                    ++sparse[kind];
                    const auto rows = static_cast<double>(variable.shape.front());
                    COMPARE_AT_MOST(variable.rowsTouched, rows);
                    ++(variable.rowsTouched == 0 ? unknownRows : variable.rowsTouched < rows ? someRows : allRows)[kind];
                }
                if (!node.isPartitioned())
                    continue;
                const auto rows = must(rowsToCut(variable, node));
                ++(rows % static_cast<std::int64_t>(node.parts.size()) == 0 ? even : uneven)[kind];
            }
        }
        for (const SynchronizerKind kind : {SynchronizerKind::ParameterServer, SynchronizerKind::AllReduce})
            for (auto *count : {&sparse, &allRows, &someRows, &unknownRows, &even, &uneven})
                COMPARE_ABOVE((*count)[kind], randomScenarios / 100);
    }

    /// No task before its parents, no capacity exceeded, work and bytes conserved, never below the lower bound.
    void conservation() {
        forAll([](const Drawn &drawn) -> std::string {
            const auto p = play(drawn.scenario);
            if (!p)
                return p.error().toString();
            if (std::string wrong = tasksFollowTheirParents(*p); !wrong.empty())
                return wrong;
            if (std::string wrong = linksHold(*p); !wrong.empty())
                return wrong;
            if (std::string wrong = computeIsConserved(*p, drawn.scenario); !wrong.empty())
                return wrong;
            if (p->makespan < lowerBound(*p) * (1 - 1e-9))
                return fmt::format("{} s is below the bound of {} s", p->makespan, lowerBound(*p));
            // A server gets every node's gradient once per iteration; a sum on its own host does not move.
            if (!drawn.oneDevice)
                return {};
            double nodes = 0;
            for (const std::int32_t n : p->graph.workerMultiplicity)
                nodes += n;
            const auto moved = traffic(*p);
            for (std::size_t u = 0; u < p->graph.units.size(); ++u) {
                const SyncUnit &unit = p->graph.units[u];
                if (unit.kind != SynchronizerKind::ParameterServer)
                    continue;
                const auto pushes = moved.find({static_cast<int>(TaskKind::Push), static_cast<int>(u)});
                const double bytes = pushes == moved.end() ? 0 : pushes->second, want = nodes * 3 * unit.wireBytes;
                if (!close(bytes, want, 1e-9))
                    return fmt::format("unit {} pushed {} B of {} B", u, bytes, want);
            }
            return {};
        });
    }

    void sameSeedSameBits() {
        forAll([](const Drawn &drawn) -> std::string {
            const auto a = play(drawn.scenario), b = play(drawn.scenario);
            return a && b && a->schedule.endSeconds == b->schedule.endSeconds ? "" : "two runs differ";
        });
    }

    /// Figures do not depend on whether all spans are kept, or only the ones that the figures use.
    void figuresAreTheSameWithoutTheRestOfTheTimeline() {
        std::size_t kept = 0, all = 0, drawnSoFar = 0;
        forAll([&](const Drawn &drawn) -> std::string {
            if (drawnSoFar++ % 10 != 0)
                return {};
            const auto whole = simulate(drawn.scenario), part = simulateFigures(drawn.scenario);
            if (!whole || !part)
                return whole.has_value() == part.has_value() ? "" : "one of them cannot be simulated";
            all += (*whole)->timeline.spanCount();
            kept += (*part)->timeline.spanCount();
            const auto figures = [](const Run &run) {
                const AreaStatistics s = iterationStatistics(run);
                return std::tuple(run.iterationSeconds, run.samplesPerSecond, run.events, run.assumptions, s.worker, s.spans,
                                  s.windowSeconds, s.computeSeconds, s.forwardSeconds, s.backwardSeconds, s.updateSeconds,
                                  s.communicationSeconds, s.pushSeconds, s.pullSeconds, s.allReduceSeconds, s.overlappedSeconds,
                                  s.exposedSeconds, s.hostWaitSeconds, s.transfers, s.shortestTransferSeconds,
                                  s.longestTransferSeconds);
            };
            return figures(**whole) == figures(**part) ? "" : "the figures differ";
        });
        COMPARE_BELOW(kept, all);
    }

    /// A search's simulation gives the same bits as a run, though no timeline is made and little beyond the iteration is played.
    void anIterationAloneIsThatOfTheRun() {
        std::size_t drawnSoFar = 0, compared = 0;
        SimulationMemory memory; // of one scenario after the other
        forAll([&](const Drawn &drawn) -> std::string {
            if (drawnSoFar++ % 10 != 0)
                return {};
            Scenario scenario = drawn.scenario;
            if (scenario.job->layers.size() % 2 == 1) { // how long a device waits for its host shows at an op's end
                auto waiting = std::make_shared<Job>(*scenario.job);
                for (Layer &layer : waiting->layers)
                    layer.forwardHostSeconds = layer.forwardSeconds / 2;
                scenario.job = waiting;
            }
            const auto whole = simulateFigures(scenario);
            const auto alone = simulateIteration(scenario, memory);
            if (!whole || !alone)
                return whole.has_value() == alone.has_value() ? "" : "one of them cannot be simulated";
            ++compared;
            const AreaStatistics wanted = iterationStatistics(**whole);
            const CommunicationStatistics got = communicationStatistics(*alone);
            if (alone->iterationSeconds != (*whole)->iterationSeconds || alone->confidence != (*whole)->confidence ||
                alone->samplesPerSecond != (*whole)->samplesPerSecond || alone->window != iterationWindow(**whole) ||
                alone->assumptions != (*whole)->assumptions)
                return "the iterations differ";
            if (got.communicationSeconds != wanted.communicationSeconds || got.exposedSeconds != wanted.exposedSeconds)
                return fmt::format("communication of {} and {} s, exposed {} and {} s", got.communicationSeconds,
                                   wanted.communicationSeconds, got.exposedSeconds, wanted.exposedSeconds);
            return {};
        });
        COMPARE_ABOVE(compared, std::size_t{0});
    }

    void foldedEqualsUnfolded() {
        int folded = 0;
        forAll([&](const Drawn &drawn) -> std::string {
            Scenario s = drawn.scenario;
            const auto a = play(s);
            s.fold = false;
            const auto b = play(s);
            if (!a || !b)
                return "cannot be simulated";
            folded += a->graph.workerNames.size() < b->graph.workerNames.size() ? 1 : 0;
            if (!close(a->makespan, b->makespan, 1e-6))
                return fmt::format("folded {} s, every node {} s", a->makespan, b->makespan);
            return {};
        });
        if (!qEnvironmentVariableIsSet("SYNCOPATE_SEED"))
            COMPARE_ABOVE(folded, randomScenarios / 10);
    }

    void analyticEqualsFlows() {
        int compared = 0;
        forAll([&](const Drawn &drawn) -> std::string {
            if (!drawn.equalNodes || !drawn.oneDevice || !drawn.onlyAllReduce)
                return {};
            Scenario s = drawn.scenario;
            if (s.policy.has("concurrent"))
                s.policy.set("concurrent", 1); // no contention
            Cluster inTurn = *s.cluster;
            inTurn.channels = 1;
            s.cluster = std::make_shared<const Cluster>(inTurn);
            s.policy.form = CollectiveForm::Analytic;
            const auto a = play(s);
            s.policy.form = CollectiveForm::Flows;
            const auto b = play(s);
            if (!a || !b)
                return "cannot be simulated";
            ++compared;
            if (!close(a->makespan, b->makespan, 1e-6))
                return fmt::format("analytic {} s, flows {} s", a->makespan, b->makespan);
            return {};
        });
        if (!qEnvironmentVariableIsSet("SYNCOPATE_SEED"))
            COMPARE_ABOVE(compared, randomScenarios / 20);
    }

    /// For chain jobs with one message at a time, no reordering can make more bandwidth slower.
    void moreBandwidthIsNeverSlower() {
        forAll([](const Drawn &drawn) -> std::string {
            if (!drawn.chain || !drawn.onlyAllReduce)
                return {};
            Scenario s = drawn.scenario;
            if (s.policy.has("concurrent"))
                s.policy.set("concurrent", 1);
            if (s.policy.has("credit")) { // its policy reorders: use fifo instead
                const CommPolicy given = s.policy;
                s.policy = CommPolicy();
                s.policy.form = given.form;
                s.policy.algorithm = given.algorithm;
            }
            s.policy.barrier = true;
            const auto a = play(s);
            Cluster wider = *s.cluster;
            for (Node &node : wider.nodes)
                node.bandwidthBytesPerSecond *= 1.3;
            s.cluster = std::make_shared<const Cluster>(wider);
            const auto b = play(s);
            if (!a || !b)
                return "cannot be simulated";
            return b->makespan <= a->makespan * (1 + 1e-9) ? "" : fmt::format("{} s became {} s", a->makespan, b->makespan);
        });
    }
};

QTEST_GUILESS_MAIN(TestProperties)
#include "tst_properties.moc"
