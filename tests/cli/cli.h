// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The command line as scripts call it, for its tests.

#include "tests/checks.h"
#include "tests/files.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QList>
#include <QProcess>
#include <QStringList>

namespace syncopate::testing {

/// The result of running a program.
struct ProcessResult {
    int exitCode = -1; ///< -1: not started, killed by a signal, or timed out; `err` ends with the reason
    QByteArray out, err;
    [[nodiscard]] QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
    /// One object per line, as `simulate --batch` answers.
    [[nodiscard]] QList<QJsonObject> lines() const {
        QList<QJsonObject> objects;
        for (const QByteArray &line : out.split('\n'))
            if (!line.isEmpty())
                objects.append(QJsonDocument::fromJson(line).object());
        return objects;
    }
    /// One line on stderr that begins like every error of the command line.
    [[nodiscard]] bool isOneError() const { return err.startsWith("error: ") && err.count('\n') == 1; }
};

/// Runs a program until it ends, with `in` on its standard input.
inline ProcessResult runProgram(const QString &program, const QStringList &arguments, const QByteArray &in = {}) {
    QProcess process;
    process.start(program, arguments);
    process.write(in);
    process.closeWriteChannel();
    const bool done = process.waitForFinished(patience) && process.exitStatus() == QProcess::NormalExit;
    const QByteArray reason = done ? QByteArray() : QStringLiteral("%1: %2").arg(program, process.errorString()).toUtf8();
    return {done ? process.exitCode() : -1, process.readAllStandardOutput(), process.readAllStandardError() + reason};
}

/// Runs syncopate-cli.
inline ProcessResult cli(const QStringList &arguments, const QByteArray &in = {}) {
    return runProgram(QStringLiteral(SYNCOPATE_CLI), arguments, in);
}

} // namespace syncopate::testing
