// SPDX-License-Identifier: GPL-3.0-or-later
// The input of learned rankers: numbers that do not depend on names of machines, variables or groups.
#include "engine/base/rng.h"
#include "engine/cost/features.h"
#include "engine/job/catalogue.h"
#include "engine/search/random_sampler.h"
#include "engine/strategy/builders.h"
#include "tests/checks.h"

#include <QtTest>
#include <cmath>
#include <memory>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

FeatureExtractor extractorOf(const Job &job, const Cluster &cluster) {
    return FeatureExtractor(std::make_shared<const CostModel>(
        RankerDomain{std::make_shared<const Job>(job), std::make_shared<const Cluster>(cluster), 1}));
}

template <class Change> void changeSynchronizers(Strategy &strategy, Change &&change) {
    for (NodeConfig &node : strategy.nodes) {
        change(node.synchronizer);
        for (PartConfig &part : node.parts)
            change(part.synchronizer);
    }
}

bool equal(const StrategyFeatures &a, const StrategyFeatures &b) { return a.variables == b.variables && a.globals == b.globals; }

} // namespace

class TestFeatures : public QObject {
    Q_OBJECT

private slots:
    /// Finite, within the documented range, and one row per variable, for jobs and clusters of any size.
    void range_data() {
        QTest::addColumn<QString>("job");
        QTest::addColumn<QString>("cluster");
        QTest::newRow("equal nodes") << "bert_base"
                                     << "B7";
        QTest::newRow("one device each") << "vgg16"
                                         << "A1";
        QTest::newRow("unequal nodes, sparse tables") << "ncf_sparse"
                                                      << "B11";
        QTest::newRow("one node") << "resnet50"
                                  << "B4";
    }
    void range() {
        QFETCH(QString, job);
        QFETCH(QString, cluster);
        const Job made = *catalogueJob(job.toStdString());
        const Cluster machines = *catalogueCluster(cluster.toStdString());
        const FeatureExtractor extractor = extractorOf(made, machines);
        QCOMPARE(extractor.layerCount(), made.layers.size());
        QCOMPARE(extractor.layerOfRow().size(), made.variables.size());
        QVERIFY(std::is_sorted(extractor.layerOfRow().begin(), extractor.layerOfRow().end()));
        QCOMPARE(extractor.graph().nodeCount(), made.layers.size());
        Rng rng(3);
        for (int i = 0; i < 20; ++i) {
            const auto features = extractor.extract(sampleStrategy(made, machines, {}, rng));
            QVERIFY2(features.has_value(), features ? "" : features.error().toString().c_str());
            QCOMPARE(features->variables.rows, made.variables.size());
            QCOMPARE(features->globals.size(), FeatureExtractor::globalWidth);
            std::vector<float> all = features->variables.values;
            all.insert(all.end(), features->globals.begin(), features->globals.end());
            for (const float value : all)
                QVERIFY2(std::isfinite(value) && value >= 0 && value < 6, qPrintable(QString::number(value)));
        }
    }

    /// Renaming groups or, on equal machines, swapping servers' roles does not change the features.
    void namesDoNotMatter() {
        const Job job = *catalogueJob("vgg16");
        const Cluster cluster = *catalogueCluster("B7");
        const FeatureExtractor extractor = extractorOf(job, cluster);
        const std::vector<std::string> servers = cluster.reductionDevices();
        Rng rng(4);
        for (int i = 0; i < 10; ++i) {
            const Strategy strategy = sampleStrategy(job, cluster, {}, rng);
            Strategy renamed = strategy;
            changeSynchronizers(renamed, [&](Synchronizer &s) {
                s.group = 1000 - 7 * s.group;
                const auto at = std::find(servers.begin(), servers.end(), s.reductionDestination);
                if (at != servers.end())
                    s.reductionDestination = servers[(static_cast<std::size_t>(at - servers.begin()) + 1) % servers.size()];
            });
            const StrategyFeatures features = *extractor.extract(strategy);
            const StrategyFeatures same = *extractor.extract(renamed);
            for (std::size_t f = 0; f < features.globals.size(); ++f)
                COMPARE_WITHIN(same.globals[f], features.globals[f], 1e-5, std::to_string(f));
            for (std::size_t f = 0; f < features.variables.values.size(); ++f)
                COMPARE_WITHIN(same.variables.values[f], features.variables.values[f], 1e-5,
                               std::to_string(f % FeatureExtractor::variableWidth));
        }
    }

    /// A group is one message for each reduction that its variables have, of two collectives where these are two (Eq. 3).
    void groupsPayForTheirReductions() {
        const Job job = *catalogueJob("vgg16");
        const Cluster cluster = *catalogueCluster("A1");
        const FeatureExtractor extractor = extractorOf(job, cluster);
        Strategy strategy = *buildStrategy("AllReduce(chunk_size=512)", job, cluster);
        const auto messages = [&] { // of all collectives
            const auto features = extractor.extract(strategy);
            return features ? std::expm1(6.0 * features->globals[22]) : -1;
        };
        const double devices = cluster.replicaCount();
        COMPARE_CLOSE(messages(), devices, 1e-5);
        strategy.nodes.front().synchronizer.reduction = Reduction::ReduceBroadcast;
        COMPARE_CLOSE(messages(), (1 + 2) * devices, 1e-5);
        changeSynchronizers(strategy, [](Synchronizer &synchronizer) { synchronizer.reduction = Reduction::ScatterGather; });
        COMPARE_CLOSE(messages(), 2 * devices, 1e-5);
    }

    /// Every choice of a strategy changes its features.
    void choicesMatter() {
        const Job job = *catalogueJob("vgg16");
        const Cluster cluster = *catalogueCluster("B7");
        const FeatureExtractor extractor = extractorOf(job, cluster);
        const Strategy base = *buildStrategy("PSLoadBalancing", job, cluster);
        const Strategy reduced = *buildStrategy("AllReduce(chunk_size=4)", job, cluster);
        const StrategyFeatures features = *extractor.extract(base);
        const auto differs = [&](const Strategy &from, auto &&change) {
            Strategy other = from;
            change(other.nodes[20].synchronizer);
            return !equal(*extractor.extract(other), *extractor.extract(from));
        };
        QVERIFY(differs(base, [](Synchronizer &s) { s.localReplication = true; }));
        QVERIFY(differs(base, [](Synchronizer &s) { s.sync = false; }));
        QVERIFY(differs(base, [](Synchronizer &s) { s.staleness = 2; }));
        QVERIFY(differs(base, [](Synchronizer &s) { s.kind = SynchronizerKind::AllReduce; }));
        QVERIFY(differs(base, [&](Synchronizer &s) {
            const std::vector<std::string> servers = cluster.reductionDevices();
            s.transferDestination = s.reductionDestination == servers[0] ? servers[1] : servers[0];
        }));
        QVERIFY(differs(reduced, [](Synchronizer &s) { s.compressor = Compressor::Horovod; }));
        QVERIFY(differs(reduced, [](Synchronizer &s) { s.group = 99; }));
        QVERIFY(!equal(*extractor.extract(*buildStrategy("PartitionedPS", job, cluster)), features));
        QVERIFY(!extractor.extract(Strategy{}).has_value());
    }
};

QTEST_GUILESS_MAIN(TestFeatures)
#include "tst_features.moc"
