// SPDX-License-Identifier: GPL-3.0-or-later
// Links whose rates change over time, in the event loop: closed forms, folding, and a run's report on them.
#include "engine/cluster/background.h"
#include "engine/graph/graph_builder.h"
#include "engine/network/tcp_links.h"
#include "engine/simulate/event_loop.h"
#include "engine/strategy/lint.h"
#include "tests/checks.h"
#include "tests/files.h"
#include "tests/scenarios.h"

#include <QtTest>
#include <cmath>
#include <limits>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

constexpr LinkId onlyLink(0);

/// The end of the only task: `bytes` over a link of 10 bytes/s with these changes, as one flow or in steps around a ring.
double endOf(double bytes, const std::vector<CapacityChange> &changes, std::int32_t ringSteps = 0) {
    GraphBuilder builder;
    builder.addLink({"link", 10});
    TaskRow row;
    row.path = builder.addPath({{onlyLink, 1}});
    row.sizeBytes = bytes;
    if (ringSteps > 0) {
        row.ring = builder.addRing({{{row.path, 0}}, ringSteps});
        row.path = {};
    }
    builder.addTask(row);
    builder.graph().capacityChanges = changes;
    const Schedule schedule = runEventLoop(builder.take());
    return schedule.complete ? schedule.endSeconds.front() : -1;
}

Job job() { return chainJob({{0.004, 0.008, 40000}, {0.004, 0.008, 1200000}, {0.002, 0.004, 600000}}); }

std::shared_ptr<const Run> runOf(Scenario given, const char *background, bool fold = true) {
    if (*background != '\0')
        given.background = must(parseBackground(background));
    given.fold = fold;
    const auto run = simulate(given);
    if (!run)
        qFatal("%s", run.error().toString().c_str());
    return *run;
}

} // namespace

class TestBackground : public QObject {
    Q_OBJECT

private slots:
    /// 20 bytes by 2 s, the other 10 at 5 bytes/s; and back to the full rate from 3 s on.
    void aFlowOverALinkThatSlowsDown() {
        QCOMPARE(endOf(30, {}), 3.0);
        QCOMPARE(endOf(30, {{2, onlyLink, 5}}), 4.0);
        QCOMPARE(endOf(30, {{2, onlyLink, 5}, {3, onlyLink, 10}}), 3.5);
        QCOMPARE(endOf(30, {{0, onlyLink, 5}}), 6.0);
        QCOMPARE(endOf(30, {{3.5, onlyLink, 5}}), 3.0); // too late to matter
    }

    /// Ten steps of 1 s that are skipped over at once if nothing happens: 4.5 of them, half of one at half the rate, five of 2 s.
    void aRingDoesNotLeapOverAChange() {
        QCOMPARE(endOf(100, {}, 10), 10.0);
        QCOMPARE(endOf(100, {{4.5, onlyLink, 5}}, 10), 15.5);
    }

    /// Data in a queue keeps its position, so TCP reacts within its window.
    void tcpFollowsWithinItsWindow() {
        const double rate = 1e6, window = 8e3;
        NetworkOverTime<TcpLinks> links({{1, LinkId(0), rate / 2}}, std::vector<double>{rate, rate},
                                        TcpOptions{.windowBytes = window, .segmentBytes = 2e3, .smallQueueSeconds = 0});
        links.start(FlowId(7), links.links().connect(0, 1), 2e6, 0);
        double now = 0, end = -1;
        std::vector<NetworkEvent> seen;
        while ((now = links.next(now)) < std::numeric_limits<double>::infinity()) {
            seen.clear();
            links.advance(now, seen);
            for (const NetworkEvent &event : seen)
                if (event.kind == NetworkEvent::Kind::Arrived && event.flow == FlowId(7))
                    end = now;
        }
        COMPARE_WITHIN(end, 3, window / (rate / 2));
    }

    /// A server with half of its links always taken equals a server with links of half the rate.
    void takenAllTheTime() {
        for (const char *policy : {"fifo", "fifo(barrier=off)", "http2(window=64KiB)", "byteps(partition=1MB,credit=4MB)"}) {
            Cluster slow = servedCluster(3, 1e8), full = slow;
            slow.nodes[3].bandwidthBytesPerSecond = 5e7;
            const Strategy strategy = parameterServers(job(), {"n3:CPU:0"});
            const auto want = runOf(scenario(job(), slow, strategy, *parsePolicy(policy)), "");
            const auto got =
                runOf(scenario(job(), full, strategy, *parsePolicy(policy)), "server0.up:0.5@0-1000s,server0.down:0.5@0-1000s");
            COMPARE_CLOSE(got->iterationSeconds, want->iterationSeconds, 1e-9, policy);
            const auto undisturbed = runOf(scenario(job(), full, strategy, *parsePolicy(policy)), "");
            COMPARE_ABOVE(got->iterationSeconds, 1.2 * undisturbed->iterationSeconds, policy);
        }
    }

    /// A node with background traffic differs from all others; folded and unfolded runs agree.
    void foldingKeepsItApart() {
        const char *background = "worker1.up:0.5@0.1-0.4s,worker1.down:0.3@0.2-1000s";
        for (const char *policy : {"fifo", "fifo(form=flows)", "ddp(bucket_cap=1MB)"}) {
            for (const bool servers : {false, true}) {
                const Scenario given =
                    scenario(job(), servedCluster(4, 1e8), servers ? parameterServers(job(), {"n4:CPU:0"}) : allReduceEach(job()),
                             *parsePolicy(policy));
                const auto folded = runOf(given, background), apart = runOf(given, background, false);
                COMPARE_CLOSE(folded->iterationSeconds, apart->iterationSeconds, 1e-9, policy);
                QCOMPARE(apart->graph.workerNames.size(), 4U);
                if (servers)
                    QCOMPARE(folded->graph.workerNames.size(), 2U);
            }
        }
    }

    /// Traffic that takes nothing changes no bit, even if it names nodes that the cluster lacks.
    void nothingTakenNothingChanged() {
        const Scenario given = scenario(job(), plainCluster(3, 1e8), allReduceEach(job()), *parsePolicy("ddp"));
        const auto without = runOf(given, "");
        for (const char *background : {"worker0.up:0@0-10s", "worker7.up:0.5@0-10s,server0.down:0.5@0-10s"}) {
            const auto with = runOf(given, background);
            QVERIFY2(with->endSeconds == without->endSeconds, background);
            QVERIFY2(mentions(with->assumptions, "Background traffic takes nothing"), background);
            QVERIFY2(!mentions(with->assumptions, "Links change their rates"), background);
        }
        QVERIFY(!mentions(without->assumptions, "ackground"));
    }

    /// The figures are for one iteration, and the run says which.
    void theFiguresSayOfWhat() {
        Scenario given = scenario(job(), servedCluster(2, 1e8), parameterServers(job(), {"n2:CPU:0"}));
        QVERIFY(mentions(runOf(given, "worker0.up:0.5@0-0.1s")->assumptions, "the figures are those of iteration 5 of 6"));
        given.background = {{.share = 2}};
        const auto refused = simulate(given);
        QVERIFY(!refused);
        QVERIFY2(refused.error().remedy.find("share") != std::string::npos, refused.error().toString().c_str());
    }

    void lintNamesWhatTheClusterLacks() {
        const Cluster cluster = servedCluster(2, 1e8);
        QVERIFY(lintBackground(cluster, *parseBackground("worker1.up:0.5@0-1,server0.down:0.5@0-1")).empty());
        const auto marks =
            lintBackground(cluster, *parseBackground("worker2.up:0.5@0-1,worker2.down:0.5@0-1,server1.up:0.5@0-1"));
        QCOMPARE(marks.size(), 2U);
        QCOMPARE(marks[0].rule, std::string("background-nowhere"));
        QVERIFY(marks[0].text.find("worker 2") != std::string::npos && marks[1].text.find("server 1") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestBackground)
#include "tst_background_traffic.moc"
