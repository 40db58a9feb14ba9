// SPDX-License-Identifier: GPL-3.0-or-later
// Paths of a task graph over TCP: segments by hand, TcpLinks, fluid links where nothing contends, and whole simulations.
#include "engine/analyze/causes.h"
#include "engine/base/numbers.h"
#include "engine/base/rng.h"
#include "engine/cluster/background.h"
#include "engine/network/tcp_paths.h"
#include "engine/rewrite/rewrite.h"
#include "engine/simulate/event_loop.h"
#include "tests/checks.h"
#include "tests/files.h"
#include "tests/scenarios.h"

#include <QtTest>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

/// A flow of `bytes` on `path` from `seconds` on.
struct Flow {
    PathId path;
    double bytes = 0, seconds = 0;
};

/// When each flow ends; flows start in the order of time.
template <Network Links> std::vector<double> endsOf(Links &links, const std::vector<Flow> &flows) {
    std::vector<double> ends(flows.size(), -1);
    std::vector<NetworkEvent> seen;
    std::size_t started = 0;
    for (double now = 0;;) {
        const double next = links.next(now), nextStart = started < flows.size() ? flows[started].seconds : infinity;
        if (std::min(next, nextStart) == infinity)
            return ends;
        now = std::min(next, nextStart);
        if (next <= nextStart) {
            seen.clear();
            links.advance(now, seen);
            for (const NetworkEvent &event : seen)
                if (event.kind == NetworkEvent::Kind::Arrived)
                    ends[event.flow.index()] = now;
        } else {
            links.start(FlowId(started), flows[started].path, flows[started].bytes, now);
            ++started;
        }
    }
}

/// The NICs of nodes, two links each as in TcpLinks: 2n sends, 2n + 1 receives.
LinkPaths nics(int nodes, double bytesPerSecond) {
    LinkPaths network;
    for (std::int32_t n = 0; n < nodes; ++n)
        for (const bool receives : {false, true})
            network.addLink({.name = "nic",
                             .bytesPerSecond = bytesPerSecond,
                             .nodes = {n},
                             .receives = receives,
                             .opposite = LinkId(2 * n + (receives ? 0 : 1))});
    return network;
}

PathId addPath(LinkPaths &network, int from, int to, double limit = infinity) {
    return network.addPath(std::vector<PathHop>{{LinkId(2 * from), 1}, {LinkId(2 * to + 1), 1}}, limit);
}

/// Segments of 1,000 bytes, windows that let `segments` of them be under way, and no congestion window.
TcpOptions windowOf(int segments) { return {.windowBytes = 1e3 * segments, .segmentBytes = 1e3, .smallQueueSeconds = 0}; }

/// When each flow ends over TcpPaths with `options`.
std::vector<double> tcpEnds(const LinkPaths &network, const std::vector<Flow> &flows, const TcpOptions &options) {
    TcpPaths links(network, options);
    return endsOf(links, flows);
}

/// The first task whose times differ, with both; empty if there is none.
std::string firstDifference(const std::vector<double> &got, const std::vector<double> &want) {
    if (got.size() != want.size())
        return fmt::format("got {} tasks, want {}", got.size(), want.size());
    const auto [a, b] = std::mismatch(got.begin(), got.end(), want.begin());
    return a == got.end() ? "" : fmt::format("task {}: got {:.17g} s, want {:.17g} s", a - got.begin(), *a, *b);
}

Job job() { return chainJob({{0.004, 0.008, 40000}, {0.004, 0.008, 1200000}, {0.002, 0.004, 600000}}); }

std::shared_ptr<const Run> overTcp(Scenario given, const char *background = "") {
    if (*background != '\0')
        given.background = must(parseBackground(background));
    given.linkModel = LinkModel::Tcp;
    return must(simulate(given));
}

} // namespace

class TestTcpPaths : public QObject {
    Q_OBJECT

private slots:
    void pathsOfOneNodeIntoAnotherAreConnections() {
        LinkPaths network = nics(3, 1e6);
        const LinkId lane = network.addLink({.name = "lane", .bytesPerSecond = 1e6, .nodes = {0}, .isFabric = true});
        const LinkId shared = network.addLink({.name = "connections", .bytesPerSecond = 1e6});
        const auto path = [&](std::vector<LinkId> links) {
            std::vector<PathHop> hops;
            for (const LinkId link : links)
                hops.push_back({link, 1});
            return network.addPath(hops);
        };
        const LinkId tx0(0), rx0(1), tx1(2), rx1(3);
        for (const auto &[links, is] : {std::pair(std::vector<LinkId>{tx0, rx1}, true),
                                        {{tx0, rx1, shared}, true},
                                        {{lane, tx0, rx1}, true},
                                        {{lane}, false},
                                        {{shared}, false},
                                        {{tx0, rx0}, false},
                                        {{tx0, rx0, tx1, rx1}, false}}) {
            std::vector<std::size_t> numbers;
            for (const LinkId link : links)
                numbers.push_back(link.index());
            QVERIFY2(isConnection(network, path(links)) == is,
                     fmt::format("links {}: want {}", fmt::join(numbers, ", "), is).c_str());
        }
    }

    /// Two links of 1,000 bytes/s: ten segments arrive one second apart, the first after two.
    void oneFlowOverTwoLinks() {
        LinkPaths network = nics(2, 1e3);
        const PathId path = addPath(network, 0, 1);
        QCOMPARE(tcpEnds(network, {{path, 1e4}}, windowOf(4)), std::vector<double>{11});
        // A window of one segment: each waits until the one before has arrived.
        QCOMPARE(tcpEnds(network, {{path, 1e4}}, windowOf(1)), std::vector<double>{20});
        // A flow that a limit keeps to half the rate: its segments leave the shaper two seconds apart, then pass the second link.
        const PathId limited = addPath(network, 0, 1, 500);
        QCOMPARE(tcpEnds(network, {{limited, 1e4}}, windowOf(40)), std::vector<double>{21});
    }

    /// Both senders' segments take turns at the receiver's link, which serves twenty of them from 1 s on.
    void twoFlowsIntoOneLink() {
        LinkPaths network = nics(3, 1e3);
        const PathId a = addPath(network, 0, 2), b = addPath(network, 1, 2);
        const auto ends = tcpEnds(network, {{a, 1e4}, {b, 1e4}}, windowOf(2));
        QCOMPARE(ends, (std::vector<double>{20, 21}));
    }

    /// A path is a pool of connections: flows at once do not queue behind each other, and one alone finds the window that its
    /// predecessor has reached.
    void flowsOfOnePathAreConnectionsOfTheirOwn() {
        LinkPaths network = nics(2, 1e3);
        const PathId limited = addPath(network, 0, 1, 250);
        TcpPaths links(network, windowOf(40));
        // Each has its own shaper, which releases a segment every 4 s: the first flow's from 4 s on, the other's, whose first
        // segment waits until the link has served the four before it, from 8 s on.
        const auto ends = endsOf(links, {{limited, 4e3}, {limited, 4e3}, {limited, 1e3, 60}});
        COMPARE_CLOSE(ends[0], 17, 1e-12);
        COMPARE_CLOSE(ends[1], 21, 1e-12);
        COMPARE_CLOSE(ends[2], 65, 1e-12);
        QCOMPARE(links.connectionCount(), std::size_t{2});
    }

    /// What TcpLinks does with the same connections, for flows that find theirs idle. TcpPaths takes events that differ only by
    /// rounding as simultaneous, hence the tolerance.
    void asTcpLinks() {
        constexpr int nodes = 4;
        constexpr double rate = 1e8;
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            Rng rng(seed);
            LinkPaths network = nics(nodes, rate);
            TcpLinks links(std::vector<double>(nodes, rate), {});
            std::vector<Flow> flows;
            for (int c = 0; c < 12; ++c) {
                const auto from = static_cast<std::int32_t>(rng.next() % nodes);
                const auto to = static_cast<std::int32_t>((from + 1 + static_cast<int>(rng.next() % (nodes - 1))) % nodes);
                const double limit = c % 3 == 0 ? rate / 3 : infinity;
                const PathId path = addPath(network, from, to, limit);
                QCOMPARE(links.connect(from, to, limit), path);
                flows.push_back({path, rng.uniform(1e3, 2e7), rng.uniform(0, 0.2)});
            }
            std::sort(flows.begin(), flows.end(), [](const Flow &a, const Flow &b) { return a.seconds < b.seconds; });
            const auto got = tcpEnds(network, flows, {}), want = endsOf(links, flows);
            for (std::size_t f = 0; f < flows.size(); ++f)
                COMPARE_CLOSE(got[f], want[f], 1e-12);
        }
    }

    /// Flows that meet no others end as over fluid links, except for some segments: the windows open while the first ones are
    /// under way, and the last one passes the second link alone.
    void asFluidWhereNothingContends() {
        constexpr double rate = 1e9;
        LinkPaths network = nics(6, rate);
        std::vector<Flow> flows;
        for (int pair = 0; pair < 3; ++pair)
            flows.push_back(
                {addPath(network, 2 * pair, 2 * pair + 1, pair == 2 ? rate / 4 : infinity), 1e8 * (pair + 1), 0.01 * pair});
        FluidLinks fluid(network);
        const auto want = endsOf(fluid, flows), got = tcpEnds(network, flows, {});
        for (std::size_t f = 0; f < flows.size(); ++f) {
            COMPARE_ABOVE(got[f], want[f]);
            COMPARE_WITHIN(got[f], want[f], 20 * TcpOptions().segmentBytes / rate);
        }
    }

    /// Flows inside nodes and of analytic collectives do not see connections, and share links as over fluid ones.
    void otherFlowsAreBeside() {
        LinkPaths network = nics(2, 1e3);
        const PathId across = addPath(network, 0, 1);
        std::vector<PathHop> all;
        for (std::size_t l = 0; l < 4; ++l)
            all.push_back({LinkId(l), 1});
        const PathId collective = network.addPath(all);
        const auto ends = tcpEnds(network, {{across, 1e4}, {collective, 1e4}, {collective, 1e4}}, windowOf(4));
        QCOMPARE(ends, (std::vector<double>{11, 20, 20}));
    }

    /// Half the rate from 6.5 s on: queued segments keep their times, so the flow follows within its window.
    void ratesChange() {
        LinkPaths network = nics(2, 1e3);
        const PathId path = addPath(network, 0, 1);
        network.capacityChanges = {{6.5, LinkId(1), 500}, {6.5, LinkId(3), 500}};
        NetworkOverTime<TcpPaths> links(network.capacityChanges, network, windowOf(1));
        // One segment at a time: three by 6 s; the fourth has left its sender at 7 s and takes 2 s more, the other six 3 s each.
        QCOMPARE(endsOf(links, {{path, 1e4}}), std::vector<double>{9 + 6 * 3});
    }

    /// All segments of a burst pass at one time, but not in one call: a run can stop between two of them.
    void aBurstPassesInPieces() {
        LinkPaths network = nics(2, 1e3);
        for (FluidLink &link : network.links)
            link.burstBytes = 1e12;
        const PathId path = addPath(network, 0, 1);
        TcpPaths links(network, windowOf(4));
        links.start(FlowId(0), path, 1e8, 0); // 100,000 segments
        std::vector<NetworkEvent> seen;
        int calls = 0;
        for (; seen.empty() && links.next(0) == 0; ++calls)
            links.advance(0, seen);
        QCOMPARE(seen.size(), std::size_t{1});
        COMPARE_ABOVE(calls, 1);
        QCOMPARE(tcpEnds(network, {{path, 1e8}}, windowOf(4)), std::vector<double>{0});
    }

    /// A run over TCP: the same bits every time, no node folded, and nothing earlier than any bound.
    void simulations() {
        for (const char *policy : {"fifo", "fifo(form=flows)", "byteps(partition=1MB,credit=4MB)", "fifo(barrier=off)"})
            for (const bool servers : {false, true}) {
                const Scenario given =
                    scenario(job(), servedCluster(4, 1e8), servers ? parameterServers(job(), {"n4:CPU:0"}) : allReduceEach(job()),
                             must(parsePolicy(policy)));
                const auto run = overTcp(given), again = overTcp(given), fluid = must(simulate(given));
                for (const auto times : {&Run::startSeconds, &Run::endSeconds}) {
                    const std::string differs = firstDifference((*run).*times, (*again).*times);
                    QVERIFY2(differs.empty(), fmt::format("{}: {}", policy, differs).c_str());
                }
                QCOMPARE(run->graph.workerNames.size(), std::size_t{4});
                QVERIFY(mentions(run->assumptions, "segments of TCP connections"));
                QVERIFY(!mentions(run->assumptions, "folded"));
                COMPARE_ABOVE(run->iterationSeconds, CauseFinder(*run).bounds().largest() * (1 - 1e-9), policy);
                // Queues of the same bytes over the same links: within a tenth of fair shares.
                COMPARE_CLOSE(run->iterationSeconds, fluid->iterationSeconds, 0.1, policy);
                const bool isAnalytic = !servers && std::string(policy).find("flows") == std::string::npos;
                if (isAnalytic) // the same fluid links
                    COMPARE_CLOSE(run->iterationSeconds, fluid->iterationSeconds, 0, policy);
                else
                    QVERIFY2(run->iterationSeconds != fluid->iterationSeconds,
                             fmt::format("{}: {:.17g} s over either", policy, run->iterationSeconds).c_str());
            }
    }

    /// One push and one pull per step over idle links: the closed form, within the segments of store and forward.
    void oneWorkerAndItsServer() {
        const Scenario given = scenario(chainJob({{0.01, 0.02, 2500000}}), servedCluster(1, 1e8),
                                        parameterServers(chainJob({{0.01, 0.02, 2500000}}), {"n1:CPU:0"}));
        const double want = 0.03 + 2 * 1e7 / 1e8; // forward and backward, then 10 MB each way at 100 MB/s
        const double got = overTcp(given)->iterationSeconds;
        COMPARE_ABOVE(got, want);
        COMPARE_WITHIN(got, want, 10 * TcpOptions().segmentBytes / 1e8);
    }

    void backgroundTrafficSlowsConnections() {
        const Scenario given = scenario(job(), servedCluster(2, 1e8), parameterServers(job(), {"n2:CPU:0"}));
        Scenario slow = given;
        Cluster half = servedCluster(2, 1e8);
        half.nodes[2].bandwidthBytesPerSecond = 5e7;
        slow.cluster = std::make_shared<const Cluster>(half);
        const auto got = overTcp(given, "server0.up:0.5@0-1000s,server0.down:0.5@0-1000s");
        COMPARE_CLOSE(got->iterationSeconds, overTcp(slow)->iterationSeconds, 0.01);
        COMPARE_ABOVE(got->iterationSeconds, 1.2 * overTcp(given)->iterationSeconds);
    }

    /// A longer graph that begins with the one played continues where that ended, as over fluid links.
    void aLongerGraphGoesOn() {
        Scenario given = scenario(job(), servedCluster(3, 1e8), parameterServers(job(), {"n3:CPU:0"}));
        given.linkModel = LinkModel::Tcp;
        const auto graphOf = [&](std::int32_t iterations) {
            given.iterations = iterations;
            return must(rewrite(given));
        };
        Playback playback(graphOf(6));
        playback.playToIteration(5, {}, nullptr);
        playback.extend(graphOf(12));
        playback.playToEnd({}, nullptr);
        const std::string differs = firstDifference(playback.schedule().endSeconds, runEventLoop(graphOf(12)).endSeconds);
        QVERIFY2(differs.empty(), differs.c_str());
    }
};

QTEST_GUILESS_MAIN(TestTcpPaths)
#include "tst_tcp_paths.moc"
