// SPDX-License-Identifier: GPL-3.0-or-later
// AutoSync's released sampler, compared draw by draw with tests/data/golden/autosync.
#include "engine/search/released_sampler.h"
#include "tests/checks.h"
#include "tests/golden.h"
#include "tests/scenarios.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>
#include <algorithm>

using namespace syncopate;
using namespace syncopate::testing;

class TestReleasedSampler : public QObject {
    Q_OBJECT

private slots:
    void againstGolden() {
        const QJsonObject models = golden("autodist/models.json");
        int compared = 0;
        for (const auto &entry : golden("autosync/cases.json")["cases"].toArray()) {
            const QJsonObject example = entry.toObject();
            const QString sampler = example["strategy"].toString();
            if (!sampler.startsWith("sampler:") || !example.contains("node_config")) // for ResNet-50 there is only a checksum
                continue;
            const Job job = jobOf(models[example["model"].toString()].toArray());
            const std::string spec = SYNCOPATE_SOURCE "/tests/data/golden/autodist/" + example["spec"].toString().toStdString();
            const auto cluster = readResourceSpecFile(spec);
            QVERIFY(cluster.has_value());
            const auto &variants = releasedVariants();
            const auto variant = std::find_if(variants.begin(), variants.end(), [&](const ReleasedVariant &v) {
                return sampler.mid(8) == QString::fromStdString(v.name);
            });
            QVERIFY2(variant != variants.end(), qPrintable(sampler));
            const Strategy got = sampleAsReleased(*variant, job, *cluster, static_cast<std::uint32_t>(example["seed"].toInt()));
            const Strategy want = strategyOf(example["node_config"].toArray());
            QCOMPARE(got.nodes.size(), want.nodes.size());
            for (std::size_t v = 0; v < got.nodes.size(); ++v)
                QVERIFY2(got.nodes[v] == want.nodes[v],
                         qPrintable(QStringLiteral("%1 %2 %3 seed %4: %5")
                                        .arg(example["model"].toString(), example["spec"].toString(), sampler)
                                        .arg(example["seed"].toInt())
                                        .arg(got.nodes[v].variableName.c_str())));
            ++compared;
        }
        QCOMPARE(compared, 56);
    }

    /// With nearly as many groups as variables, draws that give each group a member are as rare as 60! in 60^60. The sampler ends
    /// all the same, and each group has a member.
    void manyGroupsEnd() {
        const Job job = chainJob(std::vector<LayerSpec>(120, {1e-3, 2e-3, 1}));
        const Cluster cluster = plainCluster(2, 1e9);
        const auto &variants = releasedVariants();
        const auto variant = std::ranges::find_if(
            variants, [](const ReleasedVariant &each) { return each.merge == ReleasedVariant::Merge::Random; });
        QVERIFY(variant != variants.end());
        std::size_t most = 0;
        for (std::uint32_t seed = 0; seed < 20; ++seed) {
            std::vector<std::int32_t> groups;
            for (const NodeConfig &node : sampleAsReleased(*variant, job, cluster, seed).nodes)
                if (node.synchronizer.kind == SynchronizerKind::AllReduce) // of one element, so none is partitioned
                    groups.push_back(node.synchronizer.group);
            const std::size_t reduced = groups.size();
            std::ranges::sort(groups);
            groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
            QVERIFY(!groups.empty());
            QCOMPARE(groups.front(), 1);
            QCOMPARE(static_cast<std::size_t>(groups.back()), groups.size());
            most = std::max(most, 100 * groups.size() / reduced);
        }
        COMPARE_AT_LEAST(most, 90); // percent of the reduced variables: 20 seeds draw such a number of groups, too
    }
};

QTEST_GUILESS_MAIN(TestReleasedSampler)
#include "tst_released_sampler.moc"
