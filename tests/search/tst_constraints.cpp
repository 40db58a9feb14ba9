// SPDX-License-Identifier: GPL-3.0-or-later
// Random+G's constraints, compared with the papers: balanced servers, groups of adjacent layers, the choice of what is split and
// what stays whole.
#include "engine/base/rng.h"
#include "engine/search/constraints.h"
#include "tests/checks.h"
#include "tests/search/searches.h"

#include <QtTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <set>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

/// The shards of a strategy in the order of the layers (with chainJob: of the variables).
struct ShardView {
    const Synchronizer *synchronizer;
    double bytes;
};
std::vector<ShardView> shardsOf(const Job &job, const Strategy &strategy) {
    std::vector<ShardView> shards;
    for (std::size_t v = 0; v < strategy.nodes.size(); ++v) {
        const NodeConfig &node = strategy.nodes[v];
        const auto bytes = static_cast<double>(job.variables[v].sizeBytes());
        if (!node.isPartitioned()) {
            shards.push_back({&node.synchronizer, bytes});
            continue;
        }
        // numpy.array_split: the first rows % parts parts have one additional row.
        const auto rows = static_cast<double>(job.variables[v].shape[static_cast<std::size_t>(node.partitionAxis())]);
        const auto parts = static_cast<double>(node.parts.size());
        for (std::size_t p = 0; p < node.parts.size(); ++p)
            shards.push_back(
                {&node.parts[p].synchronizer,
                 bytes / rows * (std::floor(rows / parts) + (static_cast<double>(p) < std::fmod(rows, parts) ? 1 : 0))});
    }
    return shards;
}

} // namespace

class TestConstraints : public QObject {
    Q_OBJECT

private slots:
    void samplesKeepToTheConstraints() {
        const Job job = mixedJob();
        const Cluster cluster = plainCluster(3, 1e9);
        SamplerSettings settings;
        settings.wholeUpToBytes = 10'000;
        settings.splitFromBytes = 3'000'000; // the sparse table is always split
        settings.maxParts = 9;
        settings.maxGroups = 3;
        settings.minGroups = 2;
        std::set<std::size_t> partCounts;
        std::set<std::int32_t> axes;
        int servedSeen = 0, reducedSeen = 0;
        for (std::uint64_t seed = 0; seed < 2000; ++seed) {
            Rng rng(seed);
            const Strategy strategy = sampleStrategy(job, cluster, settings, rng);
            QCOMPARE(strategy.replicas, cluster.replicaDevices());
            QCOMPARE(strategy.nodes.size(), job.variables.size());
            QVERIFY(!strategy.nodes[0].isPartitioned()); // 4000 bytes
            QVERIFY(strategy.nodes[2].isPartitioned());  // 4 MB
            QVERIFY(!strategy.nodes[3].isPartitioned()); // a scalar
            QVERIFY(!strategy.nodes[4].isPartitioned()); // control flow
            QCOMPARE(strategy.nodes[2].partitionAxis(), 0);
            for (std::size_t v = 0; v < strategy.nodes.size(); ++v) {
                const NodeConfig &node = strategy.nodes[v];
                QCOMPARE(node.variableName, job.variables[v].name);
                if (!node.isPartitioned())
                    continue;
                partCounts.insert(node.parts.size());
                COMPARE_AT_LEAST(node.parts.size(), 2);
                COMPARE_AT_MOST(node.parts.size(), 9);
                QCOMPARE(node.partitions.size(), job.variables[v].shape.size());
                QCOMPARE(std::accumulate(node.partitions.begin(), node.partitions.end(), 1, std::multiplies<>()),
                         static_cast<int>(node.parts.size()));
                if (v == 1)
                    axes.insert(node.partitionAxis());
            }
            std::map<std::string, double> loads;
            std::vector<std::pair<std::int32_t, double>> groups; // in layer order
            double largest = 0, served = 0, reduced = 0;
            for (const ShardView &shard : shardsOf(job, strategy)) {
                const Synchronizer &s = *shard.synchronizer;
                QVERIFY(s.sync && s.staleness == 0 && s.compressor == Compressor::None);
                if (s.kind == SynchronizerKind::ParameterServer) {
                    COMPARE_AT_LEAST(cluster.nodeOf(s.reductionDestination), 0);
                    loads[s.reductionDestination] += shard.bytes;
                    largest = std::max(largest, shard.bytes);
                    served += shard.bytes;
                    continue;
                }
                reduced += shard.bytes;
                if (groups.empty() || groups.back().first != s.group)
                    groups.emplace_back(s.group, 0);
                groups.back().second += shard.bytes;
            }
            for (const PartConfig &part : strategy.nodes[2].parts)
                QVERIFY(part.synchronizer.kind == SynchronizerKind::ParameterServer); // sparse
            servedSeen += strategy.nodes[0].synchronizer.kind == SynchronizerKind::ParameterServer ? 1 : 0;
            reducedSeen += strategy.nodes[0].synchronizer.kind == SynchronizerKind::AllReduce ? 1 : 0;
            // c_lb: a server gets a shard only while it has (within a few bytes) the least, so none exceeds its share by more
            // than one shard.
            for (const auto &[server, load] : loads)
                COMPARE_AT_MOST(load, served / 3 + largest + 64);
            // c_am: groups are ranges in layer order, numbered 0, 1, ...; all but the last have their share.
            for (std::size_t g = 0; g < groups.size(); ++g) {
                QCOMPARE(groups[g].first, static_cast<std::int32_t>(g));
                QVERIFY(g + 1 == groups.size() || groups[g].second >= reduced / settings.maxGroups * (1 - 1e-12));
            }
            COMPARE_AT_MOST(groups.size(), 3);
        }
        QCOMPARE(partCounts, (std::set<std::size_t>{2, 3, 4, 5, 6, 7, 8, 9})); // all allowed values occur
        QCOMPARE(axes, (std::set<std::int32_t>{0, 1}));
        COMPARE_ABOVE(servedSeen, 800);
        COMPARE_ABOVE(reducedSeen, 800);
    }

    void balanceFollowsTheBandwidth() {
        Rng rng(3);
        const std::vector<std::size_t> serverOf = balanceLoads(std::vector<double>(1000, 1e4), {1, 3, 4}, 1, rng);
        std::array<int, 3> count{};
        for (const std::size_t server : serverOf)
            ++count[server];
        COMPARE_WITHIN(count[0], 125, 1);
        COMPARE_WITHIN(count[1], 375, 1);
        COMPARE_WITHIN(count[2], 500, 1);
    }

    void balanceIsTheSoftmaxOfThePaper() {
        // Two shards on two equal servers with 100 bytes of slack: the second, of 50 bytes, sees 100 * (1/2, 1/2) - (100, 0), so
        // it goes to the empty server with probability 1 / (1 + exp(-1)).
        int elsewhere = 0, first = 0;
        constexpr int draws = 40000;
        for (int seed = 0; seed < draws; ++seed) {
            Rng rng(static_cast<std::uint64_t>(seed));
            const auto serverOf = balanceLoads({50, 100}, {1, 1}, 100, rng);
            elsewhere += serverOf[0] != serverOf[1] ? 1 : 0;
            first += serverOf[1] == 0 ? 1 : 0;
        }
        COMPARE_WITHIN(elsewhere / double(draws), 1 / (1 + std::exp(-1.0)), 0.01); // 4 standard deviations
        COMPARE_WITHIN(first / double(draws), 0.5, 0.01);
        // Without a limit: a fair coin.
        elsewhere = 0;
        for (int seed = 0; seed < draws; ++seed) {
            Rng rng(static_cast<std::uint64_t>(seed));
            const auto serverOf = balanceLoads({50, 100}, {1, 9}, std::numeric_limits<double>::infinity(), rng);
            elsewhere += serverOf[0] != serverOf[1] ? 1 : 0;
        }
        COMPARE_WITHIN(elsewhere / double(draws), 0.5, 0.01);
    }

    void mergeFillsOneGroupAfterTheOther() {
        using Groups = std::vector<std::int32_t>;
        QCOMPARE(mergeAdjacent({1, 1, 1, 1}, 2), (Groups{0, 0, 1, 1}));
        QCOMPARE(mergeAdjacent({5, 1, 1, 1}, 2), (Groups{0, 1, 1, 1}));
        QCOMPARE(mergeAdjacent({3, 3, 3}, 2), (Groups{0, 0, 1})); // 3 is below the share of 4.5
        QCOMPARE(mergeAdjacent({1, 9, 1, 1}, 4), (Groups{0, 0, 1, 1}));
        QCOMPARE(mergeAdjacent({1, 2, 3}, 1), (Groups{0, 0, 0}));
        QCOMPARE(mergeAdjacent({1, 1, 1, 0}, 3), (Groups{0, 1, 2, 2})); // never a fourth
        QVERIFY(mergeAdjacent({}, 3).empty());
    }

    void withoutConstraintsEverythingComesUp() {
        SamplerSettings settings;
        settings.balanceLoads = settings.mergeAdjacent = false;
        settings.wholeUpToBytes = settings.splitFromBytes = 1e12;
        settings.maxGroups = 2;
        const Job job = chainJob({{1e-3, 1e-3, 10}, {1e-3, 1e-3, 1000}, {1e-3, 1e-3, 10}});
        const Cluster cluster = plainCluster(2, 1e9);
        std::set<std::string> seen;
        for (std::uint64_t seed = 0; seed < 5000; ++seed) {
            Rng rng(seed);
            std::string key;
            for (const NodeConfig &node : sampleStrategy(job, cluster, settings, rng).nodes)
                key += node.synchronizer.kind == SynchronizerKind::ParameterServer ? node.synchronizer.reductionDestination
                                                                                   : std::to_string(node.synchronizer.group);
            seen.insert(key);
        }
        // Each of three variables on one of two servers or reduced: 4^3 ways with two groups, minus those where a single reduced
        // one is in group 1 without a group 0: 3 variables x 4 placements of the others.
        QCOMPARE(seen.size(), std::size_t(64 - 12));
    }
};

QTEST_GUILESS_MAIN(TestConstraints)
#include "tst_constraints.moc"
