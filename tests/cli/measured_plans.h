// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The measured plans of tests/data, for tests of `plan`.
#include <QFile>
#include <QStringList>
#include <QTemporaryDir>

namespace syncopate::testing {

inline const QString measured = QStringLiteral(SYNCOPATE_SOURCE "/tests/data/measured/plan/");

/// The two channels of the measured plans, as a cluster file.
inline QString channels(const QTemporaryDir &folder, const char *ofE0 = "", const char *ofE1 = "") {
    QFile file(folder.filePath(QStringLiteral("two.yml")));
    if (!file.open(QIODevice::WriteOnly))
        return {};
    file.write("nodes: [{address: 10.0.0.1, gpus: [0], chief: true, network_bandwidth: 1}, {address: 10.0.0.2, gpus: [0], "
               "network_bandwidth: 1, ssh_config: c}]\nssh: {c: {username: me}}\n");
    file.write(qPrintable(QStringLiteral("channels:\n- {name: e0, bandwidth: 1%1}\n- {name: e1, bandwidth: 0.4%2}\n")
                              .arg(QLatin1String(ofE0), QLatin1String(ofE1))));
    return file.fileName();
}

inline QStringList plan(const QTemporaryDir &folder, const QStringList &more) {
    return QStringList{"plan",
                       "--job",
                       measured + "dags/a2a-prefetch.dag.json",
                       "--cluster",
                       channels(folder),
                       "--costs",
                       measured + "collectives.csv",
                       "--evaluations",
                       "200"} +
           more;
}

} // namespace syncopate::testing
