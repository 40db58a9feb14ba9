// SPDX-License-Identifier: GPL-3.0-or-later
// The line above a run: its clock ticks only while it runs, and its button stops or resumes.
#include "tests/checks.h"
#include "ui/runs/run_state_line.h"

#include <QElapsedTimer>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace syncopate;
using namespace syncopate::ui;

class TestRunStateLine : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theClockTicksWhileItRuns() {
        RunStateLine line(QStringLiteral("State"), QStringLiteral("Resume"), QStringLiteral("Goes on."));
        QVERIFY(line.elapsedLabel().text().isEmpty());
        const auto shownSeconds = [&] { return line.elapsedLabel().text().section(QLatin1Char(' '), 0, 0).toDouble(); };
        constexpr double rounding = 0.05;
        QElapsedTimer sinceStart;
        sinceStart.start();
        line.setState({RunState::Phase::Running, QStringLiteral("1 of 9"), 1, 9});
        QCOMPARE(line.label().text(), QStringLiteral("1 of 9"));
        const QString atStart = line.elapsedLabel().text();
        QVERIFY2(atStart.endsWith(QStringLiteral(" s")), qPrintable(atStart));
        COMPARE_AT_MOST(shownSeconds(), static_cast<double>(sinceStart.elapsed()) / 1000 + rounding);
        // Only the clock changes the text.
        const auto ticked = [&](const QString &from) {
            return QTest::qWaitFor([&] { return line.elapsedLabel().text() != from; }, syncopate::testing::patience);
        };
        QVERIFY(ticked(atStart));
        const QString running = line.elapsedLabel().text();
        QVERIFY(ticked(running));
        line.setState({RunState::Phase::Stopped, QStringLiteral("stopped at 2 of 9"), 2, 9});
        const QString stopped = line.elapsedLabel().text();
        QTest::qWait(250);
        QCOMPARE(line.elapsedLabel().text(), stopped);
        // A resumed run continues from its previous time; another run starts from zero.
        line.setState({RunState::Phase::Running, QStringLiteral("2 of 9"), 2, 9});
        QCOMPARE(line.elapsedLabel().text(), stopped);
        line.setState({RunState::Phase::Ended, QStringLiteral("9 trials"), 9, 9});
        sinceStart.restart();
        line.resetClock();
        line.setState({RunState::Phase::Running, QStringLiteral("0 of 9"), 0, 9});
        COMPARE_AT_MOST(shownSeconds(), static_cast<double>(sinceStart.elapsed()) / 1000 + rounding);
    }

    /// Long work beside a run has the text, the clock and the button until it ends; the run's time goes on.
    void besideARunTimeIsItsOwn() {
        RunStateLine line(QStringLiteral("State"), QStringLiteral("Resume"), QStringLiteral("Goes on."));
        const auto shownSeconds = [&] { return line.elapsedLabel().text().section(QLatin1Char(' '), 0, 0).toDouble(); };
        line.setState({RunState::Phase::Running, QStringLiteral("1 of 9"), 1, 9});
        QTest::qWait(400);
        line.setState({RunState::Phase::Ended, QStringLiteral("9 of 9"), 9, 9});
        const QString ended = line.elapsedLabel().text();
        line.setState({RunState::Phase::Ended, QStringLiteral("9 of 9"), 9, 9, QStringLiteral("planning"), false});
        QCOMPARE(line.label().text(), QStringLiteral("planning"));
        QCOMPARE(line.elapsedLabel().text(), ended); // until it is long
        QVERIFY(!line.button().isEnabled());
        line.setState({RunState::Phase::Ended, QStringLiteral("9 of 9"), 9, 9, QStringLiteral("planning"), true});
        COMPARE_BELOW(shownSeconds(), 0.3);
        QVERIFY(line.button().isEnabled());
        QCOMPARE(line.button().text(), QStringLiteral("Stop"));
        const QString atFirst = line.elapsedLabel().text();
        QTRY_VERIFY(line.elapsedLabel().text() != atFirst);
        QSignalSpy stop(&line, &RunStateLine::stopWanted);
        line.button().click();
        QCOMPARE(stop.count(), 1);
        line.setState({RunState::Phase::Ended, QStringLiteral("9 of 9"), 9, 9});
        QCOMPARE(line.label().text(), QStringLiteral("9 of 9"));
        QCOMPARE(line.elapsedLabel().text(), ended);
        QVERIFY(!line.button().isEnabled());
    }

    void theButtonStopsAndResumes() {
        RunStateLine line(QStringLiteral("State"), QStringLiteral("Resume"), QStringLiteral("Goes on."));
        QSignalSpy stop(&line, &RunStateLine::stopWanted), resume(&line, &RunStateLine::resumeWanted);
        QVERIFY(!line.button().isEnabled());
        line.setState({RunState::Phase::Running, {}, 1, 9});
        QCOMPARE(line.button().text(), QStringLiteral("Stop"));
        line.button().click();
        QCOMPARE(stop.count(), 1);
        line.setState({RunState::Phase::Stopping, {}, 1, 9});
        QVERIFY(!line.button().isEnabled());
        line.setState({RunState::Phase::Stopped, {}, 1, 9});
        QCOMPARE(line.button().text(), QStringLiteral("Resume"));
        line.button().click();
        QCOMPARE(resume.count(), 1);
        QCOMPARE(stop.count(), 1);
        line.setState({RunState::Phase::Ended, {}, 9, 9});
        QVERIFY(!line.button().isEnabled());
    }
};

QTEST_MAIN(TestRunStateLine)
#include "tst_run_state_line.moc"
