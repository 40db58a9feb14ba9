// SPDX-License-Identifier: GPL-3.0-or-later
// The panel queries the shown runs, answers in a table, and a row selects its span. Recordings without a training step open as
// timelines that can be queried.
#include "engine/profile/recording/recording.h"
#include "tests/cli/cli.h"
#include "tests/ui/window_fixture.h"
#include "ui/inspector/inspector.h"
#include "ui/knobs/knobs_panel.h"
#include "ui/query/query_panel.h"
#include "ui/runs/search_preset.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/message_bar.h"
#include "ui/window/panels.h"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>

using namespace syncopate;
using namespace syncopate::ui;

class TestQueryPanel : public QObject, WindowFixture {
    Q_OBJECT

    QueryPanel &panel() { return *window().findChild<QueryPanel *>(); }
    bool ask(const char *sql) {
        panel().editor().setPlainText(QString::fromUtf8(sql));
        panel().ask();
        return QTest::qWaitFor([this] { return !panel().isRunning(); }, syncopate::testing::patience);
    }
    QString cell(int row, int column) { return panel().table().model()->index(row, column).data().toString(); }
    bool openRecording(const char *name) {
        session().open(QStringLiteral(SYNCOPATE_SOURCE "/tests/data/recordings/") + QLatin1String(name));
        return QTest::qWaitFor([this] { return session().run(Side::A) && !session().isLoading(); },
                               syncopate::testing::patience) &&
               settle();
    }

private Q_SLOTS:
    void init() { start(); }
    void cleanup() { stop(); }

    void bothSidesAreAsked() {
        QVERIFY(open());
        window().action(QStringLiteral("query"))->trigger();
        QVERIFY(ask("SELECT side, count(*) FROM spans GROUP BY side ORDER BY side"));
        QCOMPARE(panel().table().model()->rowCount(), 2);
        for (const Side side : {Side::A, Side::B})
            QCOMPARE(cell(static_cast<int>(side), 1).toULongLong(), session().run(side)->recording().timeline.spanCount());
        QVERIFY2(panel().state().startsWith(QStringLiteral("2 rows")), qPrintable(panel().state()));
    }

    /// In a small window the answer has more room than the question, and an error is shown whole.
    void aSmallWindowShowsTheWholeError() {
        window().resize(960, 540);
        QVERIFY(open());
        window().action(QStringLiteral("query"))->trigger();
        QVERIFY(ask("SELECT nam FROM spans"));
        QTest::qWait(250); // docks move
        QCOMPARE(window().size(), QSize(960, 540));
        QVERIFY2(panel().state().contains(QStringLiteral("no such column")), qPrintable(panel().state()));
        COMPARE_BELOW(panel().editor().width(), panel().table().width());
        const QLabel *state = nullptr;
        for (const QLabel *label : panel().findChildren<QLabel *>())
            if (label->text() == panel().state())
                state = label;
        QVERIFY(state);
        COMPARE_AT_LEAST(state->visibleRegion().boundingRect().height(), state->heightForWidth(state->width()));
        COMPARE_AT_LEAST(panel().table().height(), 60);
    }

    void aRowSelectsItsSpan() {
        QVERIFY(open());
        window().action(QStringLiteral("query"))->trigger();
        QVERIFY(ask(
            "SELECT span_id, lane, start_ns FROM spans WHERE side = 'B' AND iteration = 2 ORDER BY duration_ns DESC LIMIT 5"));
        panel().table().selectRow(2);
        const auto selected = window().view(Side::B).selectedSpan();
        QVERIFY(selected);
        const Lane &lane = session().run(Side::B)->recording().timeline.lanes[selected->lane];
        QCOMPARE(QString::fromStdString(lane.name), cell(2, 1));
        QCOMPARE(QString::number(lane.start[selected->span]), cell(2, 2));
        // In another run that number is another span.
        SessionState next = session().state();
        next.bandwidthGbits = 3;
        session().change(next, QStringLiteral("Bandwidth"));
        QVERIFY(settle());
        window().view(Side::B).selectSpan({});
        panel().table().selectRow(1);
        QVERIFY(!window().view(Side::B).selectedSpan());
        QVERIFY2(panel().state().contains(QStringLiteral("run the query again")), qPrintable(panel().state()));
    }

    void spansOfAHiddenSideAreNotSelected() {
        QVERIFY(open());
        QVERIFY(ask("SELECT span_id, side FROM spans WHERE start_ns > 0 ORDER BY side DESC LIMIT 1"));
        QCOMPARE(cell(0, 1), QStringLiteral("B"));
        window().action(QStringLiteral("compare"))->trigger();
        QVERIFY(settle());
        panel().table().selectRow(0);
        QVERIFY(!window().view(Side::B).selectedSpan());
        QVERIFY2(panel().state().contains(QStringLiteral("B is not shown")), qPrintable(panel().state()));
    }

    /// An answer that stays visible for hours does not keep a run of hundreds of megabytes alive.
    void runsAreNotKept() {
        QVERIFY(open());
        QVERIFY(ask("SELECT count(*) FROM spans"));
        const std::weak_ptr<const ShownRun> asked = session().run(Side::A);
        QVERIFY(open(QStringLiteral("alexnet")));
        QTRY_VERIFY(asked.expired());
    }

    void rowsAreSorted() {
        QVERIFY(open());
        QVERIFY(ask("SELECT 10 AS n, 1 AS i UNION ALL SELECT 'a', 2 UNION ALL SELECT NULL, 3 UNION ALL SELECT 9.5, 4 UNION ALL "
                    "SELECT 10, 5"));
        QHeaderView &header = *panel().table().horizontalHeader();
        const auto column = [this] {
            QString all;
            for (int row = 0; row < panel().table().model()->rowCount(); ++row)
                all += cell(row, 1);
            return all;
        };
        const auto sort = [&](int by, Qt::SortOrder order) {
            header.setSortIndicator(by, order);
            return QTest::qWaitFor([this] { return !panel().isSorting(); }, syncopate::testing::patience);
        };
        panel().table().selectRow(1); // 'a', which stays selected
        QVERIFY(sort(0, Qt::AscendingOrder));
        QCOMPARE(column(), QStringLiteral("34152"));
        QCOMPARE(panel().table().currentIndex().row(), 4);
        QVERIFY(sort(0, Qt::DescendingOrder));
        QCOMPARE(column(), QStringLiteral("21543"));
        QVERIFY(sort(-1, Qt::AscendingOrder));
        QCOMPARE(column(), QStringLiteral("12345"));
    }

    void errorsAreInline() {
        QVERIFY(open());
        QVERIFY(ask("SELECT 42 AS n"));
        QVERIFY(ask("SELECT bogus FROM spans"));
        QVERIFY2(panel().state().contains(QStringLiteral("bogus")), qPrintable(panel().state()));
        QCOMPARE(cell(0, 0), QStringLiteral("42")); // the previous answer stays
        QVERIFY(ask("DROP TABLE spans"));
        QVERIFY2(panel().state().contains(QStringLiteral("SELECT")), qPrintable(panel().state()));
    }

    void itCanBeCancelled() {
        QVERIFY(open());
        panel().editor().setPlainText(
            QStringLiteral("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"));
        panel().ask();
        QVERIFY(panel().isRunning());
        panel().cancel();
        QVERIFY(!panel().isRunning());
        QVERIFY(ask("SELECT 1 AS one"));
        QCOMPARE(cell(0, 0), QStringLiteral("1"));
    }

    void itIsExported() {
        QVERIFY(open());
        QVERIFY(ask("SELECT 'a,b' AS t, 0.1 + 0.2 AS n"));
        const QTemporaryDir folder;
        const auto write = [this](const QString &path) {
            panel().exportTo(path);
            return QTest::qWaitFor([this] { return !panel().isWriting(); }, syncopate::testing::patience);
        };
        QVERIFY(write(folder.filePath(QStringLiteral("r.csv"))));
        QCOMPARE(syncopate::testing::contentOf(folder.filePath(QStringLiteral("r.csv"))),
                 QByteArray("t,n\n\"a,b\",0.30000000000000004\n"));
        QVERIFY(write(folder.filePath(QStringLiteral("r.json"))));
        const QJsonObject json =
            QJsonDocument::fromJson(syncopate::testing::contentOf(folder.filePath(QStringLiteral("r.json")))).object();
        QCOMPARE(json[QStringLiteral("rows")].toArray()[0].toArray()[1].toDouble(), 0.1 + 0.2);
        QVERIFY(ask("SELECT 2 AS n UNION ALL SELECT 1 UNION ALL SELECT 3"));
        panel().table().horizontalHeader()->setSortIndicator(0, Qt::DescendingOrder);
        QVERIFY(QTest::qWaitFor([this] { return !panel().isSorting(); }, syncopate::testing::patience));
        QVERIFY(write(folder.filePath(QStringLiteral("sorted.csv"))));
        QCOMPARE(syncopate::testing::contentOf(folder.filePath(QStringLiteral("sorted.csv"))), QByteArray("n\n3\n2\n1\n"));
        QVERIFY(write(QStringLiteral("/nowhere/r.csv")));
        QVERIFY2(panel().state().contains(QStringLiteral("nowhere")), qPrintable(panel().state()));
    }

    /// An example takes the place of a statement, which Undo brings back.
    void anExampleLosesNothing() {
        QVERIFY(open());
        const QString own = QStringLiteral("SELECT 1 AS mine");
        panel().editor().setPlainText(own);
        Q_EMIT panel().examples().activated(1);
        QVERIFY(QTest::qWaitFor([this] { return !panel().isRunning(); }, syncopate::testing::patience));
        QVERIFY(panel().editor().toPlainText() != own);
        panel().editor().undo();
        QCOMPARE(panel().editor().toPlainText(), own);
    }

    void everyExampleAnswers() {
        QVERIFY(open());
        window().action(QStringLiteral("query"))->trigger();
        for (int i = 0; i < panel().examples().count(); ++i) {
            panel().examples().setCurrentIndex(i);
            Q_EMIT panel().examples().activated(i);
            QVERIFY(QTest::qWaitFor([this] { return !panel().isRunning(); }, syncopate::testing::patience));
            QVERIFY2(panel().state().contains(QStringLiteral(" rows in ")), qPrintable(panel().state()));
        }
    }

    void recordingsOpenAsTimelines_data() {
        QTest::addColumn<QString>("file");
        for (const char *file : {"rocpd_v3.db", "rocpd_v4.db", "two_gpus.xplane.pb", "two_gpus.pftrace"})
            QTest::newRow(file) << QString::fromLatin1(file);
    }
    void recordingsOpenAsTimelines() {
        QFETCH(QString, file);
        QVERIFY(openRecording(qPrintable(file)));
        const SessionState &state = session().state();
        QVERIFY(isRecordingOnly(*state.job) && !state.compare);
        QVERIFY2(window().messageBar().text().contains(QStringLiteral("no training step")),
                 qPrintable(window().messageBar().text()));
        QVERIFY(ask("SELECT name, sum(duration_ns) FROM spans WHERE category = 'other compute' GROUP BY name"));
        QCOMPARE(cell(0, 0), QStringLiteral("gemm"));
        // Nothing can be simulated: actions that would are disabled, with the reason.
        const QString reason = QStringLiteral("no training step");
        for (const char *id : {"compare", "swap", "search", "sweep", "tune", "conditions", "plan", "throughput"}) {
            const QAction *action = window().action(QString::fromLatin1(id));
            QVERIFY2(!action->isEnabled() && action->toolTip().contains(reason), qPrintable(action->toolTip()));
        }
        QVERIFY(window().inspector().workerBox()->isVisible()); // of the two devices
        const QString notes = window().inspector().findChild<QTextBrowser *>()->toPlainText();
        QVERIFY2(notes.contains(QStringLiteral("Job")) && !notes.contains(QStringLiteral("Cluster")), qPrintable(notes));
        const Knob *bandwidth = window().knobs().knob(QStringLiteral("bandwidth"));
        QVERIFY(!bandwidth->field()->isEnabled() && bandwidth->field()->toolTip().contains(reason));
        const QComboBox *strategy = window().knobs().strategyBox(Side::A);
        QVERIFY(!strategy->isEnabled() && strategy->toolTip().contains(reason));
        QVERIFY2(window().search().stateLabel().text().contains(reason), qPrintable(window().search().stateLabel().text()));
        // A project's state may have B nevertheless: it says so, and every panel handles the missing run.
        SessionState both = state;
        both.compare = true;
        session().change(both, QStringLiteral("Compare"));
        QVERIFY(window().action(QStringLiteral("compare"))->isEnabled()); // to go back
        QVERIFY(settle());
        QVERIFY(session().error(Side::B) && session().error(Side::B)->what.find("no training step") != std::string::npos);
        for (QDockWidget *dock : window().findChildren<QDockWidget *>()) {
            dock->raise();
            QTest::qWait(20);
        }
        // A job opened after it has its own sides again.
        QVERIFY(open(QStringLiteral("alexnet")));
        QVERIFY(session().state().compare && session().state().side(Side::A).hasScenario());
        QVERIFY(!session().error(Side::A) && !session().error(Side::B));
        QVERIFY(window().action(QStringLiteral("search"))->isEnabled());
        QVERIFY(!window().action(QStringLiteral("search"))->toolTip().contains(reason));
        QVERIFY(window().knobs().strategyBox(Side::A)->isEnabled() &&
                !window().knobs().strategyBox(Side::A)->toolTip().contains(reason));
    }

    /// Remarks on a recording end when it is no longer open.
    void remarksEndWithWhatTheyAreAbout() {
        QVERIFY(open(QStringLiteral("alexnet")));
        QVERIFY(openRecording("rocpd_v4.db"));
        QVERIFY(window().messageBar().isVisible());
        session().undoStack()->undo();
        QVERIFY(!isRecordingOnly(*session().state().job));
        QVERIFY2(window().messageBar().isHidden(), qPrintable(window().messageBar().text()));
    }
};

QTEST_MAIN(TestQueryPanel)
#include "tst_query_panel.moc"
