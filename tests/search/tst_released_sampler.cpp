// SPDX-License-Identifier: GPL-3.0-or-later
// AutoSync's released sampler, draw by draw, against tests/data/golden/autosync.
#include "engine/search/released_sampler.h"
#include "tests/checks.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

QJsonObject golden(const char *file) {
    QFile json(QStringLiteral(SYNCOPATE_SOURCE "/tests/data/golden/") + file);
    return json.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(json.readAll()).object() : QJsonObject();
}

Job jobOf(const QJsonArray &variables) {
    Job job;
    job.layers.push_back({"all", 0.001, 0.002, {}, {}});
    for (const auto &entry : variables) {
        const QJsonObject object = entry.toObject();
        Variable variable;
        variable.name = object["name"].toString().toStdString();
        for (const auto &dimension : object["shape"].toArray())
            variable.shape.push_back(dimension.toInteger());
        variable.dtype = *dataTypeFromName(object["dtype"].toString().toStdString());
        variable.sparse = object["sparse"].toBool();
        variable.controlFlow = object["control_flow"].toBool();
        job.layers[0].variables.push_back(static_cast<std::int32_t>(job.variables.size()));
        job.variables.push_back(std::move(variable));
    }
    return job;
}

/// {"ps": [device, proxy, sync, staleness]} or {"ar": [spec, compressor, group]}.
Synchronizer synchronizerOf(const QJsonObject &node) {
    Synchronizer s;
    if (const QJsonArray ps = node["ps"].toArray(); !ps.isEmpty()) {
        s.kind = SynchronizerKind::ParameterServer;
        s.reductionDestination = ps[0].toString().toStdString();
        s.localReplication = ps[1].toBool();
        s.sync = ps[2].toBool();
        return s;
    }
    const QJsonArray ar = node["ar"].toArray();
    const QString compressor = ar[1].toString();
    s.compressor = compressor == "HorovodCompressor"     ? Compressor::Horovod
                   : compressor == "HorovodCompressorEF" ? Compressor::HorovodEF
                                                         : Compressor::None;
    s.group = ar[2].toInt();
    return s;
}

Strategy strategyOf(const QJsonArray &nodes) {
    Strategy strategy;
    for (const auto &entry : nodes) {
        const QJsonObject object = entry.toObject();
        NodeConfig node;
        node.variableName = object["var"].toString().toStdString();
        for (const QString &count : object["partitioner"].toString().split(',', Qt::SkipEmptyParts))
            node.partitions.push_back(count.toInt());
        for (const auto &part : object["parts"].toArray())
            node.parts.push_back({part.toObject()["var"].toString().toStdString(), synchronizerOf(part.toObject())});
        if (node.parts.empty())
            node.synchronizer = synchronizerOf(object);
        strategy.nodes.push_back(std::move(node));
    }
    return strategy;
}

} // namespace

class TestReleasedSampler : public QObject {
    Q_OBJECT

private slots:
    void againstGolden() {
        const QJsonObject models = golden("autodist/models.json");
        int compared = 0;
        for (const auto &entry : golden("autosync/cases.json")["cases"].toArray()) {
            const QJsonObject example = entry.toObject();
            const QString sampler = example["strategy"].toString();
            if (!sampler.startsWith("sampler:") || !example.contains("node_config")) // of ResNet-50's there is a checksum only
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
