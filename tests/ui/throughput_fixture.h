// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/checks.h"
#include "tests/ui/window_fixture.h"
#include "ui/throughput/predictor.h"
#include "ui/throughput/setting_sheet.h"
#include "ui/throughput/throughput_panel.h"

#include <QAction>
#include <QByteArray>
#include <QFile>
#include <QString>
#include <QTemporaryDir>
#include <QTest>

namespace syncopate::ui {

/// The common parts of tests of the throughput panel: its present curve, and files to give it.
class ThroughputFixture : protected WindowFixture {
protected:
    [[nodiscard]] ThroughputPanel &panel() { return window().throughput(); }
    [[nodiscard]] const Forecast &forecast() { return *panel().entries().front().forecast; }
    [[nodiscard]] QString cell(int row, int column) { return panel().points().index(row, column).data().toString(); }
    QString file(const QString &name, const QByteArray &text) {
        QFile out(m_folder.filePath(name));
        if (!out.open(QIODevice::WriteOnly) || out.write(text) != text.size())
            qFatal("cannot write");
        return out.fileName();
    }
    /// Opens the panel and waits for the complete curve of its knobs and the session.
    bool predicted() {
        window().action(QStringLiteral("throughput"))->trigger();
        return QTest::qWaitFor(
            [this] {
                const auto &present = panel().entries().front().forecast;
                return panel().predictor().status() == Predictor::Status::Done && present && !present->isDraft() &&
                       present->setting == panel().sheet().setting() && present->state.job == session().state().job &&
                       !panel().isOutdated();
            },
            syncopate::testing::patience);
    }

    QTemporaryDir m_folder;
};

} // namespace syncopate::ui
