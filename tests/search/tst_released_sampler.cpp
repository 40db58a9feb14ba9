// SPDX-License-Identifier: GPL-3.0-or-later
// AutoSync's released sampler, compared draw by draw with tests/data/golden/autosync.
#include "engine/search/released_sampler.h"
#include "tests/checks.h"
#include "tests/golden.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

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
};

QTEST_GUILESS_MAIN(TestReleasedSampler)
#include "tst_released_sampler.moc"
