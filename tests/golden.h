// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Reads tests/data/golden.

#include "engine/job/job.h"
#include "engine/strategy/strategy.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <utility>

namespace syncopate::testing {

/// The output of the released AutoDist and AutoSync; see tests/data/README.md. Empty if the file cannot be read.
inline QJsonObject golden(const char *file) {
    QFile json(QStringLiteral(SYNCOPATE_SOURCE "/tests/data/golden/") + file);
    return json.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(json.readAll()).object() : QJsonObject();
}

/// One layer with the variables listed in models.json.
inline Job jobOf(const QJsonArray &variables) {
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
inline Synchronizer synchronizerOf(const QJsonObject &node) {
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

/// Node configs in the form used by cases.json.
inline Strategy strategyOf(const QJsonArray &nodes) {
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

} // namespace syncopate::testing
