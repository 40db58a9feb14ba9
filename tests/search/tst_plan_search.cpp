// SPDX-License-Identifier: GPL-3.0-or-later
// Planners: compared with every possible plan on small DAGs, with the bound, and with measured plans.
#include "engine/base/rng.h"
#include "engine/plan/job_dag.h"
#include "engine/search/plan_exhaustive.h"
#include "engine/search/plan_maker.h"
#include "engine/search/plan_search.h"
#include "engine/simulate/plan_memory.h"
#include "tests/checks.h"
#include "tests/plan/dags.h"

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <set>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

/// Replaces the all-to-alls of two processes by permutes, which send the same amount.
TrainingDag withPermutes(TrainingDag dag) {
    for (DagOp &op : dag.ops)
        if (op.collective == CollectiveKind::AllToAll) {
            op.collective = CollectiveKind::Permute;
            op.sizeBytes /= 2;
        }
    return dag;
}

PlanRequest requestFor(TrainingDag dag, std::vector<Channel> channels) {
    PlanRequest request;
    request.dag = std::make_shared<const TrainingDag>(std::move(dag));
    request.channels = std::move(channels);
    return request;
}

/// The shortest iteration of all plans with whole collectives within the request's memory: every assignment to channels, every
/// order, up to an iteration ahead or behind.
double exhaustive(const PlanRequest &request) {
    const TrainingDag dag = withSubmission(*request.dag, true);
    const std::size_t comms = dag.submissionOrder.size(), channels = request.channels.size();
    double best = std::numeric_limits<double>::infinity();
    std::vector<std::size_t> digits(comms, 0); // channel of each collective
    for (;;) {
        ExecutionPlan plan{"made", dag.name, request.channels, {}, {}};
        std::vector<std::vector<MotifId>> onChannel(channels);
        for (std::size_t m = 0; m < comms; ++m) {
            const DagOpId op = dag.submissionOrder[m];
            plan.motifs.push_back({op, {*dag.ops[op.index()].collective}, ChannelId(digits[m])});
            onChannel[digits[m]].emplace_back(m);
        }
        const std::function<void(std::size_t)> orders = [&](std::size_t channel) {
            if (channel == channels) {
                const auto run = playPlan(dag, plan, request.costs);
                if (run && (request.maxBytes <= 0 || peakMemoryBytes(*request.dag, *run) <= request.maxBytes))
                    best = std::min(best, run->iterationSeconds);
                return;
            }
            std::vector<MotifId> order = onChannel[channel];
            do {
                std::vector<std::int32_t> offsets(order.size(), -1);
                for (bool more = true; more;) {
                    plan.orders[channel].clear();
                    for (std::size_t e = 0; e < order.size(); ++e)
                        plan.orders[channel].push_back({order[e], offsets[e]});
                    // Equal offsets are the same order.
                    if (offsets.empty() || *std::max_element(offsets.begin(), offsets.end()) == 0)
                        orders(channel + 1);
                    more = false;
                    for (std::int32_t &offset : offsets) {
                        if (++offset <= 0) {
                            more = true;
                            break;
                        }
                        offset = -1;
                    }
                }
            } while (std::next_permutation(order.begin(), order.end()));
        };
        plan.orders.resize(channels);
        orders(0);
        std::size_t d = 0;
        while (d < comms && ++digits[d] == channels)
            digits[d++] = 0;
        if (d == comms)
            return best;
    }
}

double iterationOf(const PlanRequest &request, PlanMethod method) {
    const auto found = findPlan(request, method);
    if (!found)
        QTest::qFail(found.error().toString().c_str(), __FILE__, __LINE__);
    return found ? found->run.iterationSeconds : std::nan("");
}

/// From files in tests/data.
PlanRequest requestOf(const std::string &dagFile, const std::string &costsFile, std::vector<Channel> channels) {
    const std::string folder = SYNCOPATE_SOURCE "/tests/data/";
    PlanRequest request = requestFor(must(readTrainingDagFile(folder + dagFile)), std::move(channels));
    request.costs = must(readMotifCostsFile(folder + costsFile));
    return request;
}

PlanRequest measuredRequest(const std::string &dagName) {
    return requestOf("measured/plan/dags/" + dagName + ".dag.json", "measured/plan/collectives.csv",
                     {{"e0", {"e0"}, 1.25e8, 0}, {"e1", {"e1"}, 5e7, 0}});
}

} // namespace

class TestPlanSearch : public QObject {
    Q_OBJECT

private slots:
    /// The example of SYNDICATE's Fig. 6 (docs/plan.md says how its costs were found): 11 units where each collective takes its
    /// fastest plan, in any order; 9.5 with a slower all-to-all in parallel with the all-reduces, which is optimal.
    void exampleOfFigureSix() {
        const PlanRequest request =
            requestOf("plans/figure6.dag.json", "plans/figure6.csv", {{"rdma", {"rdma"}, 1, 0}, {"tcp", {"tcp"}, 1, 0}});
        for (const PlanMethod method : {PlanMethod::Fifo, PlanMethod::BsPlus, PlanMethod::HandMade, PlanMethod::Sched})
            COMPARE_CLOSE(iterationOf(request, method), 11.0, 1e-12, About(std::string(nameOf(method))));
        COMPARE_CLOSE(iterationOf(request, PlanMethod::Syndicate), 9.5, 1e-12);
        COMPARE_CLOSE(exhaustive(request), 9.5, 1e-12);
        const FoundPlan found = must(findPlan(request, PlanMethod::Syndicate));
        for (const PlannedMotif &motif : found.plan.motifs)
            if (const DagOp &op = request.dag->ops[motif.op.index()]; op.collective == CollectiveKind::AllReduce)
                QCOMPARE(found.plan.channels[motif.channel.index()].name, std::string("rdma"));
    }

    /// With less memory than its best plan needs, the joint search finds a plan at least as good as the exhaustive search of
    /// whole collectives, and none that needs more.
    void keepsWithinMemoryAsTheExhaustiveSearch() {
        Rng rng(12);
        int bounded = 0, slower = 0, fitting = 0, exceeding = 0, misjudged = 0;
        for (int d = 0; d < 40; ++d) {
            PlanRequest request = requestFor(smallRandomDag(rng), {unitChannel("one"), unitChannel("two")});
            const auto free = findPlan(request, PlanMethod::Syndicate);
            VERIFY_VALUE(free);
            request.maxBytes = 0.9 * free->peakBytes;
            const double best = exhaustive(request);
            if (std::isinf(best))
                continue;
            COMPARE_CLOSE(iterationOf(request, PlanMethod::Exhaustive), best, 1e-12, About(std::to_string(d)));
            const auto found = findPlan(request, PlanMethod::Syndicate, {}, [&](const PlanStep &step) {
                (step.fits ? fitting : exceeding) += 1;
                misjudged += step.fits != (step.seconds < 1e3) ? 1 : 0; // a thousandth of a percent too much costs 1e4 s
            });
            VERIFY_VALUE(found);
            COMPARE_AT_MOST(found->peakBytes, request.maxBytes, About(std::to_string(d)));
            COMPARE_AT_MOST(found->run.iterationSeconds, best * (1 + 1e-9), About(std::to_string(d)));
            ++bounded;
            slower += best > free->run.iterationSeconds * (1 + 1e-6) ? 1 : 0;
        }
        COMPARE_ABOVE(fitting, 0);
        COMPARE_ABOVE(exceeding, 0);
        QCOMPARE(misjudged, 0);
        COMPARE_ABOVE(bounded, 10);
        COMPARE_ABOVE(slower, 3); // in some cases memory costs time
    }

    /// Where gathers run ahead no order holds as little as an application that submits each when it gets there: within less
    /// memory than any plan with an enforcer needs, the joint search is as good as the application's order.
    void keepsWithinWhatTheApplicationHolds() {
        PlanRequest request = requestFor(dagOf({computeOp("one", 1, {2_op}), computeOp("two", 1, {0_op, 3_op}),
                                                commOp("gather one", CollectiveKind::AllGather, 1, {}),
                                                commOp("gather two", CollectiveKind::AllGather, 1, {0_op})}),
                                         {unitChannel("c")});
        const auto free = findPlan(request, PlanMethod::Syndicate), whole = findPlan(request, PlanMethod::Fifo);
        QVERIFY(free && whole);
        COMPARE_BELOW(whole->peakBytes, free->peakBytes);
        request.maxBytes = whole->peakBytes;
        const auto found = findPlan(request, PlanMethod::Syndicate);
        VERIFY_VALUE(found);
        COMPARE_AT_MOST(found->peakBytes, request.maxBytes);
        COMPARE_AT_MOST(found->run.iterationSeconds, whole->run.iterationSeconds * (1 + 1e-9));
        COMPARE_ABOVE(found->run.iterationSeconds, free->run.iterationSeconds);
        QVERIFY(found->method == PlanMethod::Syndicate && found->plan.name == "syndicate");
    }

    /// Measured times that favour cuts that a search does not try: the bound is below any such plan.
    void theBoundKnowsAllMeasuredCuts() {
        const TrainingDag dag =
            dagOf({computeOp("step", 1e-3, {}, {1_op}), commOp("a", CollectiveKind::AllReduce, 64e6, {0_op})});
        PlanRequest request = requestFor(dag, {unitChannel("c")});
        request.costs.curves = {{CollectiveKind::AllReduce, "c", {}, {{1e6, 1e-3}, {2e6, 0.01}, {64e6, 10}}}};
        const auto played = [&](const MotifCut &cut) {
            const ExecutionPlan plan = cutPlan(dag, {cut}, {0_channel}, request.channels);
            return playPlan(withSubmission(dag, true), plan, request.costs)->iterationSeconds;
        };
        COMPARE_CLOSE(played({.segments = 64}), 1e-3 + 64e-3, 1e-9);
        COMPARE_CLOSE(planBoundSeconds(request), 1e-3 + 64e-3, 1e-9);
        for (const std::int32_t segments : {1, 3, 8, 32, 63, 65, 128})
            COMPARE_AT_MOST(planBoundSeconds(request), played({.segments = segments}), About(std::to_string(segments)));
        PlanRequest large = request; // more segments of a megabyte than a collective may have motifs
        large.dag = std::make_shared<const TrainingDag>(
            dagOf({computeOp("step", 1e-3, {}, {1_op}), commOp("a", CollectiveKind::AllReduce, 4e9, {0_op})}));
        const ExecutionPlan finest = cutPlan(*large.dag, {{.segments = maxMotifs}}, {0_channel}, large.channels);
        COMPARE_AT_MOST(planBoundSeconds(large),
                        playPlan(withSubmission(*large.dag, true), finest, large.costs)->iterationSeconds);
        // A ring whose halves were measured, too, and are cheaper than the whole.
        request.costs.curves.push_back({CollectiveKind::ReduceScatter, "c", {}, {{8e6, 1e-3}}});
        COMPARE_CLOSE(played({.segments = 8, .ring = true}), 1e-3 + 8 * (1e-3 + 0.5 * request.costs.curves[0].secondsAt(8e6)),
                      1e-9);
        request.costs.curves.push_back({CollectiveKind::AllGather, "c", {}, {{16e6, 2e-3}}});
        COMPARE_CLOSE(planBoundSeconds(request), 1e-3 + 16e-3, 1e-9);
        COMPARE_CLOSE(played({.segments = 4, .ring = true}), 1e-3 + 4 * (2e-3 + 2e-3), 1e-9);
        QVERIFY(QString::fromStdString(describeAboveBound(0.5, 1)).startsWith("below"));
    }

    /// A ring's halves may each be on the channel where they are cheaper. A reduce-scatter that takes half of a measured
    /// all-reduce is not cut into groups, whose modelled times would not compare with it.
    void theBoundKnowsWhichTimesStandForOthers() {
        using enum CollectiveKind;
        const auto requestOf = [](CollectiveKind kind) {
            Channel c = unitChannel("c"), d = unitChannel("d");
            c.bandwidthBytesPerSecond = d.bandwidthBytesPerSecond = 1e12;
            return requestFor(dagOf({computeOp("step", 1e-3, {}, {1_op}), commOp("a", kind, 64e6, {0_op})}, 4), {c, d});
        };
        PlanRequest ring = requestOf(AllReduce);
        ring.costs.curves = {{AllReduce, "c", {}, {{64e6, 10}}},    {AllReduce, "d", {}, {{64e6, 10}}},
                             {ReduceScatter, "c", {}, {{64e6, 1}}}, {AllGather, "c", {}, {{64e6, 9}}},
                             {ReduceScatter, "d", {}, {{64e6, 9}}}, {AllGather, "d", {}, {{64e6, 1}}}};
        const double halves = iterationOf(ring, PlanMethod::Syndicate);
        COMPARE_CLOSE(halves, 1e-3 + 1 + 1, 1e-9);
        COMPARE_AT_LEAST(halves, planBoundSeconds(ring));
        PlanRequest scatter = requestOf(ReduceScatter);
        scatter.costs.curves = {{AllReduce, "c", {}, {{64e6, 1}}}, {AllReduce, "d", {}, {{64e6, 1}}}};
        for (const PlanMethod method : {PlanMethod::Fifo, PlanMethod::Exec, PlanMethod::Syndicate, PlanMethod::Random})
            COMPARE_AT_LEAST(iterationOf(scatter, method), planBoundSeconds(scatter), About(std::string(nameOf(method))));
        COMPARE_CLOSE(iterationOf(scatter, PlanMethod::Fifo), 1e-3 + 0.5, 1e-9);
    }

    /// The joint search finds a plan at least as good as the exhaustive search of whole collectives, and the bound is below it.
    void joinsTheExhaustiveSearch() {
        Rng rng(11);
        constexpr int dags = 200;
        for (int d = 0; d < dags; ++d) {
            Channel slow = unitChannel("slow");
            slow.bandwidthBytesPerSecond = 0.5;
            TrainingDag dag = smallRandomDag(rng);
            PlanRequest request =
                requestFor(d % 4 == 3 ? withPermutes(std::move(dag)) : std::move(dag), {unitChannel("fast"), slow});
            request.maxSegments = 1;
            request.evaluations = request.minEvaluations = 300;
            const double best = exhaustive(request), found = iterationOf(request, PlanMethod::Syndicate);
            VERIFY_VALUE(validateDag(*request.dag));
            COMPARE_AT_LEAST(best, planBoundSeconds(request) * (1 - 1e-9), About(std::to_string(d)));
            COMPARE_CLOSE(iterationOf(request, PlanMethod::Exhaustive), best, 1e-12, About(std::to_string(d)));
            // The exhaustive search excludes rings and splines; they may only help.
            COMPARE_AT_MOST(found, best * (1 + 1e-9), About(std::to_string(d)));
        }
    }

    void boundsAreNeverBeaten() {
        Rng rng(5);
        for (int d = 0; d < 40; ++d) {
            Channel second = unitChannel("second");
            second.bandwidthBytesPerSecond = 0.25 * static_cast<double>(1 + rng.next() % 8);
            if (rng.next() % 3 == 0)
                second.links = {"x", "first"};
            TrainingDag dagOfRound = smallRandomDag(rng);
            PlanRequest request = requestFor(d % 4 > 1 ? withPermutes(std::move(dagOfRound)) : std::move(dagOfRound),
                                             {unitChannel("first"), second});
            request.evaluations = request.minEvaluations = 100;
            if (d % 2 == 1) { // four nodes of four: trees and hierarchies, some of them on two channels
                auto dag = std::make_shared<TrainingDag>(*request.dag);
                dag->processes = 16;
                request.dag = dag;
                request.costs.processesPerNode = 4;
                request.costs.localRates = {{"first", 1.0 + static_cast<double>(rng.next() % 8)}, {"x", 2}};
            }
            const double bound = planBoundSeconds(request);
            for (std::int32_t m = 0; m < planMethodCount; ++m)
                COMPARE_AT_LEAST(iterationOf(request, static_cast<PlanMethod>(m)), bound * (1 - 1e-9), About(std::to_string(d)));
        }
    }

    /// Every plan with whole collectives is visited once, and there are as many as wholePlanCount() says.
    void wholePlansAreAllVisitedOnce() {
        for (const auto &[collectives, channels, wanted] :
             {std::tuple{1, 1, 1.0}, {2, 1, 4.0}, {2, 2, 10.0}, {3, 2, 72.0}, {5, 2, 7680.0}}) {
            std::vector<DagOp> ops{computeOp("step", 1, {})};
            for (int c = 0; c < collectives; ++c)
                ops.push_back(commOp("c" + std::to_string(c), CollectiveKind::AllReduce, 4, {0_op}));
            const TrainingDag dag = dagOf(std::move(ops));
            const PlanRequest request = requestFor(dag, std::vector(static_cast<std::size_t>(channels), unitChannel("one")));
            std::set<std::string> seen;
            int visits = 0;
            VERIFY_VALUE(visitWholePlans(dag, request.channels, [&](const ExecutionPlan &plan) -> Result<void> {
                ++visits;
                seen.insert(writeExecutionPlan(plan, dag));
                return {};
            }));
            const About about(std::to_string(collectives) + " on " + std::to_string(channels));
            COMPARE_CLOSE(static_cast<double>(visits), wanted, 1e-12, about);
            COMPARE_CLOSE(static_cast<double>(seen.size()), wanted, 1e-12, about);
            COMPARE_CLOSE(wholePlanCount(static_cast<std::size_t>(collectives), static_cast<std::size_t>(channels)), wanted,
                          1e-12, about);
        }
        QCOMPARE(wholePlanCount(100'000, 2), wholePlanCount(20, 2)); // counted no further
        COMPARE_ABOVE(wholePlanCount(20, 1), 1e18);
        QCOMPARE(wholePlanCount(0, 3), 1.0);
    }

    /// Where there are too many plans, the exhaustive method says how many, and is compared only if it was asked for.
    void manyPlansAreRefused() {
        std::vector<DagOp> ops{computeOp("step", 1, {})};
        for (int c = 0; c < 9; ++c)
            ops.push_back(commOp("c" + std::to_string(c), CollectiveKind::AllReduce, 4, {0_op}));
        const PlanRequest request = requestFor(dagOf(std::move(ops)), {unitChannel("one"), unitChannel("two")});
        const auto found = findPlan(request, PlanMethod::Exhaustive);
        QVERIFY(!found);
        QVERIFY2(found.error().what.starts_with("9 collectives on 2 channels have 5.57e+08 plans"), found.error().what.c_str());
        QCOMPARE(comparedMethods(request, PlanMethod::Syndicate).size(), std::size_t{planMethodCount} - 1);
        QCOMPARE(comparedMethods(request, PlanMethod::Exhaustive).size(), std::size_t{planMethodCount});
    }

    /// Two independent channels halve the exposed communication; one does not.
    void twoChannelsAreUsed() {
        const TrainingDag dag = dagOf({computeOp("step", 1, {}, {1_op, 2_op}), commOp("a", CollectiveKind::AllReduce, 4, {0_op}),
                                       commOp("b", CollectiveKind::AllReduce, 4, {0_op})});
        const PlanRequest two = requestFor(dag, {unitChannel("x"), unitChannel("y")});
        COMPARE_CLOSE(iterationOf(two, PlanMethod::Fifo), 9);
        COMPARE_CLOSE(iterationOf(two, PlanMethod::Sched), 9);
        COMPARE_CLOSE(iterationOf(two, PlanMethod::Syndicate), 5);
        COMPARE_CLOSE(planBoundSeconds(two), 4); // by the links: it does not see that nothing can be sent during the step
        const PlanRequest one = requestFor(dag, {unitChannel("x")});
        COMPARE_CLOSE(iterationOf(one, PlanMethod::Syndicate), 9);
        COMPARE_CLOSE(planBoundSeconds(one), 8);
    }

    /// Splines have fewer senders: they are used if and only if incast costs more than launching their motifs.
    void incastIsWhatSplinesAreFor() {
        Channel channel = unitChannel("c");
        channel.latencySeconds = 1e-3;
        double launch = 1e-3;
        const TrainingDag dag = dagOf({computeOp("step", 1, {}, {1_op}), commOp("a", CollectiveKind::AllToAll, 64, {0_op})}, 64);
        const auto splines = [&] {
            PlanRequest request = requestFor(dag, {channel});
            request.costs.launchSeconds = launch;
            const FoundPlan found = must(findPlan(request, PlanMethod::Syndicate));
            std::int32_t most = 0;
            for (const PlannedMotif &motif : found.plan.motifs)
                most = std::max(most, motif.motif.spline.of);
            return most;
        };
        QCOMPARE(splines(), 1);
        channel.incast = 0.4;
        QCOMPARE(splines(), 8);
        launch = 1.5 * 64 * 0.4 / 4; // doubling the splines saves 0.4 of 63 s; from 4 to 8 it adds 4 launches, which take longer
        QCOMPARE(splines(), 4);
    }

    /// Over three channels at once a process sends to all three others in one step, which the bound must not exceed.
    void splinesReachAllInOneStep() {
        const TrainingDag dag = dagOf({computeOp("step", 1, {}, {1_op}), commOp("a", CollectiveKind::AllToAll, 4e-9, {0_op})}, 4);
        std::vector<Channel> channels;
        for (const char *const name : {"x", "y", "z"}) {
            channels.push_back(unitChannel(name));
            channels.back().latencySeconds = 1;
        }
        std::vector<PlannedMotif> motifs;
        std::vector<std::vector<OrderEntry>> orders(channels.size());
        for (const Motif &motif : cutMotifs(CollectiveKind::AllToAll, {.splines = 4})) {
            const auto channel = static_cast<std::size_t>(std::max(motif.spline.index, 1) - 1); // the first takes no time
            orders[channel].push_back({MotifId(motifs.size()), 0});
            motifs.push_back({1_op, motif, ChannelId(channel)});
        }
        const auto played = playPlan(withSubmission(dag, true), planOf(dag, channels, motifs, orders), {});
        VERIFY_VALUE(played);
        COMPARE_CLOSE(played->iterationSeconds, 2, 1e-6);
        COMPARE_CLOSE(planBoundSeconds(requestFor(dag, channels)), 2, 1e-6);
        channels.resize(1);
        COMPARE_CLOSE(planBoundSeconds(requestFor(dag, channels)), 3, 1e-6); // by doubling
    }

    /// Data preparation is exposed if the application submits it late, and hidden if the enforcer may run it ahead.
    void submissionHoldsBack() {
        const PlanRequest request = requestFor(
            dagOf({commOp("prep", CollectiveKind::AllToAll, 4, {}), computeOp("fwd", 3, {0_op}), computeOp("bwd", 3, {1_op})}),
            {unitChannel("c")});
        COMPARE_CLOSE(iterationOf(request, PlanMethod::Fifo), 2 + 6);
        COMPARE_CLOSE(iterationOf(request, PlanMethod::Sched), 6);
        COMPARE_CLOSE(planBoundSeconds(request), 6);
    }

    void nothingToPlanIsRefused() {
        const auto refused = [](const PlanRequest &request, const char *what) {
            const auto found = findPlan(request, PlanMethod::Syndicate);
            QVERIFY2(!found && found.error().what.find(what) != std::string::npos, found ? what : found.error().what.c_str());
        };
        refused(requestFor(dagOf({computeOp("x", 1)}), {unitChannel("c")}), "no collective to plan");
        PlanRequest none = requestFor(dagOf({computeOp("x", 1), commOp("a", CollectiveKind::AllReduce, 1, {0_op})}), {});
        refused(none, "1 to 1024 channels");
        Channel twice = unitChannel("c");
        twice.links = {"l", "l"};
        none.channels = {twice};
        refused(none, "names a link twice");
    }

    /// Where no way to carry out a collective ever ends, the search still returns one.
    void costsWithoutEnd() {
        PlanRequest request = requestFor(dagOf({computeOp("x", 1), commOp("a", CollectiveKind::AllReduce, 1, {0_op})}),
                                         {unitChannel("c"), unitChannel("d")});
        request.costs.launchSeconds = std::numeric_limits<double>::infinity();
        PlanMaker maker(request, *request.dag);
        for (const Choice &choice : {maker.greedy(), maker.uniform({}, 0_channel)}) {
            QVERIFY(choice[0] == nullptr);
            QVERIFY(choice[1] != nullptr);
            QCOMPARE(choice[1]->totalSeconds, std::numeric_limits<double>::infinity());
        }
    }

    /// Trees and hierarchies of the maximum number of processes are proved, without quadratic cost.
    void manyProcessesArePlanned() {
        TrainingDag dag = dagOf({computeOp("x", 1), commOp("a", CollectiveKind::AllReduce, 1, {0_op}),
                                 commOp("b", CollectiveKind::AllToAll, 1, {0_op})},
                                65536);
        Channel slow = unitChannel("c");
        slow.latencySeconds = 1e-3;
        PlanRequest request = requestFor(dag, {slow});
        request.evaluations = request.minEvaluations = 200;
        request.costs.processesPerNode = 8;
        const auto found = findPlan(request, PlanMethod::Syndicate);
        VERIFY_VALUE(found);
        QVERIFY(std::any_of(found->plan.motifs.begin(), found->plan.motifs.end(),
                            [](const PlannedMotif &planned) { return planned.motif.kind == CollectiveKind::Reduce; }));
    }

    /// The random arm evaluates as many plans as the walks may, draws different ones for another seed, and its best is played
    /// like any plan: not below the bound, and not as good as the search's.
    void drawsAtRandom() {
        PlanRequest request = measuredRequest("a2a-prefetch");
        request.evaluations = request.minEvaluations = 150;
        std::vector<PlanStep> steps;
        const auto drawn = findPlan(request, PlanMethod::Random, {}, [&](const PlanStep &step) { steps.push_back(step); });
        VERIFY_VALUE(drawn);
        QCOMPARE(steps.size(), std::size_t{4 * 150}); // two chains for each of two orders
        QCOMPARE(steps.back().chain, 3);
        COMPARE_AT_LEAST(drawn->evaluations, std::int64_t{4 * 150});
        COMPARE_AT_MOST(drawn->evaluations, std::int64_t{4 * 150 + 2 * 8}); // the best of each order are played
        double best = std::numeric_limits<double>::infinity();
        std::set<double> different;
        for (std::size_t s = 0; s < steps.size(); ++s) {
            if (s % 150 == 0)
                best = std::numeric_limits<double>::infinity();
            QCOMPARE(steps[s].accepted, steps[s].seconds < best);
            best = std::min(best, steps[s].seconds);
            different.insert(steps[s].seconds);
        }
        COMPARE_AT_LEAST(different.size(), steps.size() / 4); // independent draws, not a walk around one point
        const auto played = playPlan(withSubmission(*request.dag, true), drawn->plan, request.costs);
        VERIFY_VALUE(played);
        COMPARE_CLOSE(drawn->run.iterationSeconds, played->iterationSeconds);
        COMPARE_AT_LEAST(drawn->run.iterationSeconds, planBoundSeconds(request));
        COMPARE_BELOW(iterationOf(request, PlanMethod::Syndicate), drawn->run.iterationSeconds);
        QVERIFY(must(findPlan(request, PlanMethod::Random)).costs == drawn->costs);
        request.seed = 2;
        QVERIFY(must(findPlan(request, PlanMethod::Random)).costs != drawn->costs);
    }

    /// A budget in seconds is shared by the chains of both orders: those of the first leave enough for the second.
    void theBudgetIsSharedByAllChains() {
        PlanRequest request = measuredRequest("a2a-prefetch");
        request.evaluations = request.minEvaluations = 1'000'000'000;
        for (const PlanMethod method : {PlanMethod::Syndicate, PlanMethod::Random}) {
            std::map<std::int32_t, std::int64_t> steps; // by chain
            const auto secondOrder = [&] { return std::min(steps[2], steps[3]); };
            // A machine that stalls for a chain's whole share gets a longer one; an order without a share gets nothing of any.
            for (request.budgetSeconds = 0.25; secondOrder() <= 1 && request.budgetSeconds <= 16; request.budgetSeconds *= 2) {
                steps.clear();
                VERIFY_VALUE(findPlan(request, method, {}, [&](const PlanStep &step) { ++steps[step.chain]; }));
            }
            COMPARE_ABOVE(secondOrder(), std::int64_t{1}, About(std::string(nameOf(method))));
        }
    }

    /// The walks' steps as they are observed: a proposal that costs less than the last one that was accepted is accepted, and
    /// the proposals are the possible changes; a single channel leaves none to move a motif to.
    void stepsTellTheWalks() {
        for (const std::size_t channels : {std::size_t{1}, std::size_t{2}}) {
            PlanRequest request = measuredRequest("a2a-prefetch");
            request.channels.resize(channels);
            request.evaluations = request.minEvaluations = 300;
            std::vector<PlanStep> steps;
            const auto found = findPlan(request, PlanMethod::Syndicate, {}, [&](const PlanStep &step) { steps.push_back(step); });
            VERIFY_VALUE(found);
            QCOMPARE(steps.size(), std::size_t{4 * 300}); // two chains for each of two orders
            std::set<PlanProposal> proposals;
            std::vector<double> ofFirst; // first chains
            double now = -std::numeric_limits<double>::infinity();
            for (std::size_t s = 0; s < steps.size(); ++s) {
                if (s % 300 == 0)
                    now = -std::numeric_limits<double>::infinity(); // the start of a chain is not reported
                QCOMPARE(steps[s].chain, static_cast<std::int32_t>(s / 300));
                QVERIFY(steps[s].accepted || !(steps[s].seconds < now));
                if (steps[s].accepted)
                    now = steps[s].seconds;
                if (steps[s].chain % 2 == 0)
                    ofFirst.push_back(steps[s].seconds);
                proposals.insert(steps[s].proposal);
            }
            QVERIFY(found->costs == ofFirst);
            std::set<PlanProposal> want{PlanProposal::Cut, PlanProposal::Spread};
            if (channels > 1)
                want.insert(PlanProposal::Channel);
            QVERIFY(proposals == want);
        }
    }

    void sameSeedSamePlan() {
        PlanRequest request = measuredRequest("a2a-prefetch");
        request.evaluations = request.minEvaluations = 300;
        const auto first = findPlan(request, PlanMethod::Syndicate), again = findPlan(request, PlanMethod::Syndicate);
        VERIFY_VALUE(first);
        VERIFY_VALUE(again);
        QVERIFY(first->plan == again->plan);
        QVERIFY(first->costs == again->costs);
        request.seed = 2;
        const auto other = findPlan(request, PlanMethod::Syndicate);
        VERIFY_VALUE(other);
        QVERIFY(other->costs != first->costs);
    }

    /// The measured DAGs: the joint plan is predicted to be faster than the fastest measured plan, and each part of the search
    /// helps.
    void beatsTheGivenPlans_data() {
        QTest::addColumn<QString>("dag");
        QTest::addColumn<QString>("bestMeasured");
        QTest::newRow("a2a") << "a2a-prefetch"
                             << "a2a-syndicate-spread-p2-s4";
        QTest::newRow("ar") << "ar-prefetch"
                            << "ar-syndicate-arfast-s4";
    }
    void beatsTheGivenPlans() {
        QFETCH(QString, dag);
        QFETCH(QString, bestMeasured);
        const PlanRequest request = measuredRequest(qPrintable(dag));
        const std::string file = SYNCOPATE_SOURCE "/tests/data/measured/plan/plans/" + bestMeasured.toStdString() + ".plan.json";
        const auto given = readExecutionPlanFile(file, *request.dag);
        VERIFY_VALUE(given);
        const double joint = iterationOf(request, PlanMethod::Syndicate);
        COMPARE_BELOW(joint, must(playPlan(*request.dag, *given, request.costs)).iterationSeconds);
        COMPARE_BELOW(joint, iterationOf(request, PlanMethod::Sched));
        COMPARE_BELOW(joint, iterationOf(request, PlanMethod::Exec));
        COMPARE_BELOW(iterationOf(request, PlanMethod::Sched), iterationOf(request, PlanMethod::Fifo));
        COMPARE_AT_LEAST(joint, planBoundSeconds(request));
    }

    /// A data-parallel job as a DAG: compute adds up, and without network time that is the iteration.
    void jobsAreDags() {
        Job job{.name = "two", .batchSize = 1, .layers = {}, .variables = {}, .notes = {}};
        for (const char *name : {"a", "b"}) {
            Layer layer;
            layer.name = name;
            layer.forwardSeconds = 1;
            layer.backwardSeconds = 2;
            if (!job.layers.empty())
                layer.parents = {0};
            layer.variables = {static_cast<std::int32_t>(job.variables.size())};
            Variable variable;
            variable.name = std::string(name) + "/w";
            variable.shape = {1000};
            job.variables.push_back(variable);
            job.layers.push_back(layer);
        }
        const auto dag = dagOfJob(job, 4);
        VERIFY_VALUE(dag);
        QCOMPARE(dag->ops.size(), std::size_t{6});
        COMPARE_CLOSE(dag->computeSeconds(), 6);
        Channel fast = unitChannel("fast");
        fast.bandwidthBytesPerSecond = 1e12;
        COMPARE_CLOSE(iterationOf(requestFor(*dag, {fast}), PlanMethod::Syndicate), 6, 1e-6);
        // 4000 bytes among four at 6000 bytes/s: a second each; the one of the layer that is ready last is exposed.
        fast.bandwidthBytesPerSecond = 6000;
        COMPARE_CLOSE(iterationOf(requestFor(*dag, {fast}), PlanMethod::Fifo), 7);
        QVERIFY(!dagOfJob(job, 1).has_value());
        // An update of two seconds, too, which a layer's forward op begins with: by bytes, of the two layers alike or as 1 to 3.
        job.updateSeconds = 2;
        const auto updated = dagOfJob(job, 4);
        VERIFY_VALUE(updated);
        COMPARE_CLOSE(updated->computeSeconds(), 8);
        COMPARE_CLOSE(iterationOf(requestFor(*updated, {fast}), PlanMethod::Fifo), 9);
        job.variables[1].shape = {3000};
        const auto uneven = dagOfJob(job, 4);
        VERIFY_VALUE(uneven);
        QCOMPARE(uneven->ops.size(), dag->ops.size());
        COMPARE_CLOSE(uneven->ops[0].seconds, 1 + 2 * 0.25);
        COMPARE_CLOSE(uneven->ops[1].seconds, 1 + 2 * 0.75);
        COMPARE_CLOSE(uneven->computeSeconds(), 8);
    }
};

QTEST_APPLESS_MAIN(TestPlanSearch)
#include "tst_plan_search.moc"
