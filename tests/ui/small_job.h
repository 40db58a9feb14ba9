// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFile>
#include <QString>

namespace syncopate::testing {

/// A job file of three layers, the middle one with most of the bytes, so that a simulation takes a few milliseconds. Empty if it
/// cannot be written.
[[nodiscard]] inline QString writeSmallJob(const QString &folder) {
    const auto layer = [](const char *name, const char *forward, const char *backward, const char *elements) {
        return QByteArray(R"({"name": ")") + name + R"(", "forward_seconds": )" + forward + R"(, "backward_seconds": )" +
               backward + R"(, "variables": [{"name": ")" + name + R"(/w", "shape": [)" + elements +
               R"(], "dtype": "float32"}]})";
    };
    QFile file(folder + QStringLiteral("/small.json"));
    if (!file.open(QIODevice::WriteOnly))
        return {};
    file.write(R"({"name": "small", "batch_size": 32, "layers": [)" + layer("a", "0.002", "0.004", "50000") + ", " +
               layer("b", "0.003", "0.005", "900000") + ", " + layer("c", "0.002", "0.004", "200000") + "]}");
    return file.fileName();
}

} // namespace syncopate::testing
