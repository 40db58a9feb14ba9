// SPDX-License-Identifier: GPL-3.0-or-later
// Flow arrows against a walk over all paths of the graph; searches against a scan of every span.
#include "engine/analyze/flows.h"
#include "engine/base/rng.h"
#include "engine/cluster/cluster.h"
#include "engine/job/catalogue.h"
#include "engine/strategy/builders.h"
#include "engine/timeline/find_spans.h"
#include "engine/timeline/span_hits.h"
#include "tests/checks.h"

#include <QTest>
#include <algorithm>
#include <map>
#include <set>
#include <stop_token>

using namespace syncopate;

namespace {

/// A graph given by its edges; each task in `drawn` has one span, one after another on a lane of their own.
Run graphOf(std::size_t tasks, const std::vector<std::pair<std::uint32_t, std::uint32_t>> &edges,
            const std::vector<std::uint8_t> &drawn) {
    Run run;
    TaskGraph &graph = run.graph;
    graph.kind.assign(tasks, TaskKind::Forward);
    graph.worker.assign(tasks, WorkerClassId(0));
    graph.unit.assign(tasks, UnitId());
    graph.parentCount.assign(tasks, 0);
    graph.successorOffsets.assign(tasks + 1, 0);
    for (std::size_t t = 0; t < tasks; ++t) {
        for (const auto &[from, to] : edges)
            if (from == t) {
                graph.successors.emplace_back(static_cast<std::size_t>(to));
                ++graph.parentCount[to];
            }
        graph.successorOffsets[t + 1] = static_cast<std::uint32_t>(graph.successors.size());
        run.startSeconds.push_back(static_cast<double>(t));
        run.endSeconds.push_back(static_cast<double>(t) + 1);
        if (drawn[t] == 0)
            continue;
        Lane lane;
        lane.worker = 0;
        lane.start = {static_cast<Nanoseconds>(t) * 1000};
        lane.end = {static_cast<Nanoseconds>(t) * 1000 + 1000};
        lane.category = {Category::Forward};
        lane.label = {0};
        lane.variable = {-1};
        lane.task = {static_cast<std::int32_t>(t)};
        lane.sizeBytes = {0};
        run.timeline.lanes.push_back(lane);
    }
    run.timeline.labels = {"x"};
    return run;
}

Flow flow(std::int32_t from, std::int32_t to) { return {TaskId(from), TaskId(to)}; }

/// The drawn tasks that a walk from `task` meets first, found by trying every path.
void walk(const Run &run, const std::vector<std::uint8_t> &drawn, TaskId task, std::set<TaskId> &found) {
    const auto &offsets = run.graph.successorOffsets;
    for (std::uint32_t e = offsets[task.index()]; e < offsets[task.next().index()]; ++e) {
        const TaskId next = run.graph.successors[e];
        if (drawn[next.index()] != 0)
            found.insert(next);
        else
            walk(run, drawn, next, found);
    }
}

Timeline randomTimeline(Rng &rng) {
    Timeline timeline;
    timeline.labels = {"conv1/kernel", "Conv2/bias", "fc", "update"};
    for (int l = 0; l < 4; ++l) {
        Lane lane;
        Nanoseconds t = 0;
        for (int i = 0; i < 30; ++i) {
            t += static_cast<Nanoseconds>(rng.next() % 3); // many equal start times across lanes
            lane.start.push_back(t);
            t += 1 + static_cast<Nanoseconds>(rng.next() % 3);
            lane.end.push_back(t);
            lane.label.push_back(static_cast<std::int32_t>(rng.next() % 4));
            lane.category.push_back(Category::Push);
            lane.task.push_back(static_cast<std::int32_t>(rng.next() % 1000) * (l == 3 ? 1000003 : 1));
        }
        timeline.lanes.push_back(lane);
    }
    return timeline;
}

/// Lanes of thousands of spans, most of which do not match.
Timeline longTimeline(Rng &rng) {
    Timeline timeline;
    timeline.labels = {"conv", "fc", "update"};
    for (const int spans : {5000, 1, 2048, 0}) {
        Lane lane;
        Nanoseconds t = 0;
        for (int i = 0; i < spans; ++i) {
            t += static_cast<Nanoseconds>(rng.next() % 2);
            lane.start.push_back(t);
            lane.end.push_back(++t);
            const auto chance = rng.next() % 1200;
            lane.label.push_back(chance < 2 ? static_cast<std::int32_t>(chance) : 2);
            lane.category.push_back(Category::Push);
            lane.task.push_back(i);
        }
        timeline.duration = std::max(timeline.duration, t);
        timeline.lanes.push_back(lane);
    }
    return timeline;
}

} // namespace

class TestFlows : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void joinsAreWalkedOver() {
        // 0 and 1 join in 2 (not drawn), which releases 3 and 4; 0 also releases 4 directly.
        const Run run = graphOf(5, {{0, 2}, {1, 2}, {2, 3}, {2, 4}, {0, 4}}, {1, 1, 0, 1, 1});
        const FlowFinder finder(run);
        auto flows = finder.ofTask(TaskId(0), 500);
        std::sort(flows.begin(), flows.end());
        QCOMPARE(flows, (std::vector<Flow>{flow(0, 3), flow(0, 4)}));
        flows = finder.ofTask(TaskId(4), 500);
        std::sort(flows.begin(), flows.end());
        QCOMPARE(flows, (std::vector<Flow>{flow(0, 4), flow(1, 4)}));
        QVERIFY(finder.ofTask({}, 500).empty());
        QVERIFY(finder.ofTask(TaskId(5), 500).empty());
        QCOMPARE(finder.ofTask(TaskId(2), 500), std::vector<Flow>()); // not drawn
        QCOMPARE(finder.ofTask(TaskId(4), 1).size(), std::size_t(1));
    }

    void equalToAllPaths() {
        Rng rng(7);
        for (int round = 0; round < 200; ++round) {
            constexpr std::uint32_t tasks = 14;
            std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
            std::vector<std::uint8_t> drawn;
            for (std::uint32_t t = 0; t < tasks; ++t)
                drawn.push_back(rng.next() % 2);
            for (std::uint32_t from = 0; from < tasks; ++from)
                for (std::uint32_t to = from + 1; to < tasks; ++to)
                    if (rng.next() % 5 == 0)
                        edges.emplace_back(from, to);
            const Run run = graphOf(tasks, edges, drawn);
            const FlowFinder finder(run);
            std::set<Flow> all;
            for (std::size_t t = 0; t < tasks; ++t) {
                if (drawn[t] == 0)
                    continue;
                std::set<TaskId> next;
                walk(run, drawn, TaskId(t), next);
                for (const TaskId to : next)
                    all.insert({TaskId(t), to});
            }
            // Every task has exactly these flows, from both ends.
            std::set<Flow> found;
            for (std::size_t t = 0; t < tasks; ++t)
                if (drawn[t] != 0)
                    for (const Flow &flow : finder.ofTask(TaskId(t), 500)) {
                        QVERIFY(all.contains(flow));
                        found.insert(flow);
                    }
            QVERIFY(found == all);
        }
    }

    void ofARealRun() {
        Scenario scenario;
        scenario.job = std::make_shared<const Job>(*catalogueJob("resnet50"));
        scenario.cluster = std::make_shared<const Cluster>(*catalogueCluster("A2"));
        scenario.strategy = std::make_shared<const Strategy>(*buildStrategy("PSLoadBalancing", *scenario.job, *scenario.cluster));
        const auto run = *simulate(scenario);
        const FlowFinder finder(*run);
        const Nanoseconds from = std::llround(run->windowStartSeconds * 1e9),
                          to = from + std::llround(run->iterationSeconds * 1e9);
        const auto flows = finder.ofVariable(0, from, to, 500);
        QVERIFY(!flows.empty());
        bool pushes = false, pulls = false;
        for (const Flow &flow : flows) {
            const std::size_t a = flow.from.index(), b = flow.to.index();
            COMPARE_AT_MOST(run->endSeconds[a], run->startSeconds[b] + 1e-12); // a dependency ends before its dependent starts
            QVERIFY(!finder.spans().of(flow.from.number()).empty() && !finder.spans().of(flow.to.number()).empty());
            pushes = pushes || (run->graph.kind[a] == TaskKind::Backward && run->graph.kind[b] == TaskKind::Push);
            pulls = pulls || (run->graph.kind[a] == TaskKind::Pull && run->graph.kind[b] == TaskKind::Forward);
        }
        QVERIFY(pushes && pulls);
        QVERIFY(std::set<Flow>(flows.begin(), flows.end()).size() == flows.size());
        for (std::size_t limit = 0; limit <= flows.size(); ++limit) { // as many as allowed, though some are found twice
            const auto some = finder.ofVariable(0, from, to, limit);
            QCOMPARE(some.size(), limit);
            QVERIFY(std::includes(flows.begin(), flows.end(), some.begin(), some.end()));
        }
        QVERIFY(finder.ofVariable(-1, from, to, 500).empty());
    }

    void spansOfTasks() {
        Rng rng(3);
        const Timeline timeline = randomTimeline(rng); // the last lane's numbers are sparse: sorted instead of counted
        const TaskSpans spans(timeline);
        std::map<std::int32_t, std::vector<SpanRef>> expected;
        for (std::size_t l = 0; l < timeline.lanes.size(); ++l)
            for (std::size_t i = 0; i < timeline.lanes[l].size(); ++i)
                expected[timeline.lanes[l].task[i]].push_back({l, i});
        for (const auto &[task, wanted] : expected) {
            const auto found = spans.of(task);
            QVERIFY(std::equal(found.begin(), found.end(), wanted.begin(), wanted.end()));
        }
        QVERIFY(spans.of(-1).empty());
        QVERIFY(spans.of(999999999).empty());
        QVERIFY(TaskSpans(Timeline{}).of(0).empty());
    }

    void searchesEqualLookingAtEverySpan() {
        Rng rng(11);
        for (int round = 0; round < 100; ++round) {
            Timeline timeline = round < 90 ? randomTimeline(rng) : longTimeline(rng);
            const auto wanted = labelsContaining(timeline, round % 2 == 0 ? "conv" : "fc");
            struct One {
                Nanoseconds start;
                std::size_t lane, span;
                auto operator<=>(const One &) const = default;
            };
            std::vector<One> all;
            for (std::size_t l = 0; l < timeline.lanes.size(); ++l)
                for (std::size_t i = 0; i < timeline.lanes[l].size(); ++i)
                    if (wanted[static_cast<std::size_t>(timeline.lanes[l].label[i])] != 0)
                        all.push_back({timeline.lanes[l].start[i], l, i});
            std::sort(all.begin(), all.end());
            const SpanHits hits(timeline, wanted);
            std::stop_source source;
            source.request_stop();
            const SpanHits stopped(timeline, wanted, source.get_token());
            QCOMPARE(stopped.total(), std::size_t{0});
            QVERIFY(!stopped.firstFrom(0) && !stopped.neighbour({}, true) && !stopped.neighbour({}, false));
            for (const One &hit : all)
                QVERIFY(!stopped.contains({hit.lane, hit.span}));
            QCOMPARE(hits.total(), all.size());
            // Walking forwards and backwards visits each once, in order.
            std::optional<SpanRef> at;
            for (std::size_t k = 0; k < all.size(); ++k) {
                at = neighbour(timeline, wanted, at, true);
                QVERIFY(at && at->lane == all[k].lane && at->span == all[k].span);
                QVERIFY(hits.contains(*at));
                QCOMPARE(hits.before(*at), k);
                QVERIFY(hits.neighbour(k == 0 ? std::nullopt : std::optional(SpanRef{all[k - 1].lane, all[k - 1].span}), true) ==
                        at);
            }
            QVERIFY(!neighbour(timeline, wanted, at, true) && !hits.neighbour(at, true));
            at.reset();
            for (std::size_t k = all.size(); k-- > 0;) {
                at = neighbour(timeline, wanted, at, false);
                QVERIFY(at && at->lane == all[k].lane && at->span == all[k].span);
                QVERIFY(
                    hits.neighbour(k + 1 == all.size() ? std::nullopt : std::optional(SpanRef{all[k + 1].lane, all[k + 1].span}),
                                   false) == at);
            }
            QVERIFY(!neighbour(timeline, wanted, at, false) && !hits.neighbour(at, false));
            // Also from a span that is not a hit.
            for (int n = 0; n < 20; ++n) {
                const auto l = static_cast<std::size_t>(rng.uniform(0, static_cast<double>(timeline.lanes.size())));
                if (timeline.lanes[l].size() == 0)
                    continue;
                const SpanRef any{l, static_cast<std::size_t>(rng.uniform(0, static_cast<double>(timeline.lanes[l].size())))};
                const One place{timeline.lanes[any.lane].start[any.span], any.lane, any.span};
                QCOMPARE(static_cast<std::ptrdiff_t>(hits.before(any)),
                         std::lower_bound(all.begin(), all.end(), place) - all.begin());
                QVERIFY(hits.neighbour(any, true) == neighbour(timeline, wanted, any, true));
                QVERIFY(hits.neighbour(any, false) == neighbour(timeline, wanted, any, false));
            }
            for (Nanoseconds time = 0; time < 2 * timeline.duration + 130; time += 7 + timeline.duration / 50) {
                const auto first = std::find_if(all.begin(), all.end(), [&](const One &one) { return one.start >= time; });
                const auto found = hits.firstFrom(time);
                QCOMPARE(found.has_value(), first != all.end());
                if (found)
                    QVERIFY(found->lane == first->lane && found->span == first->span);
            }
        }
        QCOMPARE(SpanHits().total(), std::size_t{0});
        QVERIFY(!SpanHits().neighbour({}, true));
        Timeline named;
        named.labels = {"Conv", "fc"};
        QCOMPARE(labelsContaining(named, "cONV"), (std::vector<std::uint8_t>{1, 0}));
        QCOMPARE(labelsContaining(named, ""), (std::vector<std::uint8_t>{0, 0}));
    }
};

QTEST_GUILESS_MAIN(TestFlows)
#include "tst_flows.moc"
