// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps over plans of a training DAG in the panel of runs: the points equal those of syncopate-cli sweep, only knobs that plans
// depend on are offered, and a click shows the point's figures on both sides.
#include "engine/session/dag_job.h"
#include "engine/session/planned_work.h"
#include "engine/space/space.h"
#include "tests/checks.h"
#include "tests/cli/cli.h"
#include "tests/ui/plans_fixture.h"
#include "ui/knobs/knob_bindings.h"
#include "ui/runs/sweep_plot.h"
#include "ui/runs/sweep_preset.h"
#include "ui/theme/qcustomplot.h"

#include <QComboBox>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <array>

using namespace syncopate;
using namespace syncopate::testing;
using namespace syncopate::ui;

class TestDagSweeps : public QObject, PlansFixture {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        // An all-to-all that delays the forward, and gradients that may hide behind the rest of the backward.
        write(dag(), "dag step processes 4\n"
                     "op forward  compute 10ms after tokens previous gradients\n"
                     "op backward compute 20ms after forward\n"
                     "op tokens    all_to_all 2MB previous forward\n"
                     "op gradients all_reduce 4MB after forward\n");
        write(cluster(),
              "nodes: [{address: 10.0.0.1, gpus: [0], chief: true, network_bandwidth: 1}, {address: 10.0.0.2, gpus: [0], "
              "network_bandwidth: 1, ssh_config: c}, {address: 10.0.0.3, gpus: [0], network_bandwidth: 1, ssh_config: c}, "
              "{address: 10.0.0.4, gpus: [0], network_bandwidth: 1, ssh_config: c}]\n"
              "ssh: {c: {username: me}}\nlatency_seconds: 0.0001\n");
    }
    void init() { start(); }
    void cleanup() { stop(); }

    /// Curve and map, of both sides, bit for bit.
    void pointsAreThoseOfTheCommandLine() {
        QVERIFY(open(dag(), cluster()));
        show("bandwidth");
        enter(sweeps().xRange(), "0.5..8:4:log");
        QVERIFY(complete());
        compare({"bandwidth=0.5..8:4:log"});
        QCOMPARE(sweeps().sweep()->points[0].size(), std::size_t{4});
        COMPARE_ABOVE(sweeps().sweep()->points[0].front().iterationSeconds, sweeps().sweep()->points[0].back().iterationSeconds);
        QCOMPARE(sweeps().plot().graph(0)->dataCount(), 4);
        QCOMPARE(sweeps().plot().graph(1)->dataCount(), 4);
        // The axes have captions where there is room.
        auto *plot = window().findChild<SweepPlot *>();
        plot->resize(500, 300);
        QCOMPARE(sweeps().plot().xAxis->label(), knobBindings()[sweeps().sweep()->x.dimension].info.name);
        QCOMPARE(sweeps().plot().yAxis->label(), QStringLiteral("iteration"));
        plot->resize(500, 120);
        QVERIFY(sweeps().plot().xAxis->label().isEmpty() && sweeps().plot().yAxis->label().isEmpty());
        sweeps().yBox().setCurrentIndex(sweeps().yBox().findText(QStringLiteral("Latency")));
        enter(sweeps().yRange(), "0..10ms:3");
        QVERIFY(complete() && sweeps().sweep()->y);
        compare({"bandwidth=0.5..8:4:log", "latency=0..10ms:3"});
    }

    /// The table has the knob, both sides' iterations and their difference, and no rates: a DAG has no samples.
    void aRowTakesItsSetting() {
        QVERIFY(open(dag(), cluster()));
        show("bandwidth");
        enter(sweeps().xRange(), "0.5..8:4:log");
        QVERIFY(complete());
        const auto sweep = sweeps().sweep();
        window().runs().setView(RunsPanel::View::Table);
        RunsTable &table = sweeps().table();
        const QAbstractItemModel &model = *table.proxy().sourceModel();
        QCOMPARE(model.rowCount(), 4);
        QStringList columns;
        for (int column = 1; column < model.columnCount(); ++column)
            columns += model.headerData(column, Qt::Horizontal).toString();
        QCOMPARE(columns, (QStringList{QStringLiteral("Bandwidth"), QStringLiteral("A iteration"), QStringLiteral("B iteration"),
                                       QStringLiteral("B \u2212 A")}));
        table.select(1);
        QTest::keyClick(&table.table(), Qt::Key_Return);
        QTRY_COMPARE(session().state().bandwidthGbits.value_or(0), sweep->x.values[1]);
        QVERIFY(settle());
        showPoint(*sweep, 1);
        QCOMPARE(sweeps().sweep(), sweep); // it is still of the same planners
        session().undoStack()->undo();
        QVERIFY(settle());
        QVERIFY(!session().state().bandwidthGbits);
        QCOMPARE(sweeps().sweep(), sweep);
        // Another planner makes other points.
        session().chooseStrategy(Side::A, "ho", QStringLiteral("A"));
        QVERIFY(settle());
        QTRY_VERIFY_WITH_TIMEOUT(sweeps().sweep() && sweeps().sweep() != sweep, patience);
        QVERIFY(complete());
        compare({"bandwidth=0.5..8:4:log"});
    }

    void aClickOnThePlotTakesItsSetting() {
        QVERIFY(open(dag(), cluster()));
        show("bandwidth");
        QVERIFY(complete());
        QCOMPARE(sweeps().sweep()->size(), std::size_t{21});
        QCustomPlot &plot = sweeps().plot();
        plot.replot();
        QTest::mouseClick(&plot, Qt::LeftButton, {}, plot.axisRect()->rect().center());
        QTRY_VERIFY(session().state().bandwidthGbits);
        QVERIFY(settle());
        // Any setting between the points can be clicked: both sides have the plans that the command line makes there.
        const QString bandwidth = QString::number(*session().state().bandwidthGbits, 'g', 17);
        for (const Side side : {Side::A, Side::B}) {
            const ProcessResult answer =
                cli({"simulate", "--json", "--job", dag(), "--cluster", cluster(), "--strategy",
                     QString::fromStdString(textOf(session().state().side(side).source)), "--bandwidth", bandwidth});
            QVERIFY2(answer.exitCode == 0, answer.err.constData());
            QVERIFY(session().run(side) && session().run(side)->plan());
            QCOMPARE(session().run(side)->recording().iterationSeconds, answer.json()["iteration_seconds"].toDouble(-1));
        }
    }

    /// Planning for a point shows its time and can be stopped once it takes long; then nothing has changed, and the sweep goes
    /// on until it is stopped, too.
    void planningForAPointCanBeStopped() {
        QByteArray text = "dag long processes 4\n"; // for which a search takes seconds
        for (int o = 0; o < 80; ++o) {
            const QByteArray number = QByteArray::number(o);
            text += "op compute" + number + " compute 1ms previous reduce" + number + "\n";
            text += "op reduce" + number + " all_reduce " + QByteArray::number(1 + o % 7) + "MB after compute" + number + "\n";
        }
        const QString path = m_folder.filePath(QStringLiteral("long.dag"));
        write(path, text);
        session().startWith({}, true, {"fifo", "fifo"});
        QVERIFY(open(path, cluster()));
        SessionState next = session().state();
        std::get<Planned>(next.side(Side::B).source).before = Built{"syndicate(chains=16)"};
        session().change(next, QStringLiteral("a planner that takes long"));
        QVERIFY(settle());
        show("bandwidth");
        QTRY_VERIFY_WITH_TIMEOUT(sweeps().sweep() && sweeps().sweep()->done > 0, patience); // fifo's points
        const SessionState before = session().state();
        const auto line = [this]() -> const RunState & { return sweeps().stateLine().state(); };
        QPushButton &button = sweeps().stopButton();
        const auto choosePoint = [&] {
            QCustomPlot &plot = sweeps().plot();
            plot.replot();
            QTest::mouseClick(&plot, Qt::LeftButton, {}, plot.axisRect()->rect().center());
            QVERIFY(!line().beside.isEmpty() && !line().besideIsLong);
            QElapsedTimer since;
            since.start();
            QTRY_VERIFY(line().besideIsLong);
            COMPARE_AT_LEAST(static_cast<double>(since.elapsed()), 200.0);
            QCOMPARE(sweeps().stateLine().label().text(), QStringLiteral("planning for the point…"));
            const double shown = sweeps().stateLine().elapsedLabel().text().section(QLatin1Char(' '), 0, 0).toDouble();
            COMPARE_AT_LEAST(shown, 0.2);
            COMPARE_AT_MOST(shown, static_cast<double>(since.elapsed()) / 1000 + 0.15);
            QVERIFY(button.isEnabled());
            QCOMPARE(button.text(), QStringLiteral("Stop"));
        };
        choosePoint();
        QCOMPARE(line().phase, RunState::Phase::Running); // the sweep
        button.click();
        QVERIFY(line().beside.isEmpty());
        QCOMPARE(line().phase, RunState::Phase::Running);
        button.click();
        QCOMPARE(line().phase, RunState::Phase::Stopped);
        QCOMPARE(button.text(), QStringLiteral("Again"));
        choosePoint();
        QTest::keyClick(&sweeps().xBox(), Qt::Key_Escape);
        QVERIFY(line().beside.isEmpty());
        QCOMPARE(line().phase, RunState::Phase::Stopped);
        QTest::qWait(100); // nothing comes of it later
        QVERIFY(session().state() == before);
        choosePoint();
        SessionState turned = before; // the knob that is swept, so that the sweep stays
        knobBindings()[*scenarioSpace().indexOf("bandwidth")].set(turned, 2.5);
        session().change(turned, QStringLiteral("another bandwidth"));
        QVERIFY(line().beside.isEmpty());
        QCOMPARE(line().phase, RunState::Phase::Stopped);
    }

    /// Knobs that reach no plan are not offered; a job of layers has all again.
    void offersWhatReachesPlans() {
        const auto offered = [this] {
            QStringList names;
            for (int row = 0; row < sweeps().xBox().count(); ++row)
                names += sweeps().xBox().itemText(row);
            return names;
        };
        const QStringList all = offered();
        COMPARE_ABOVE(all.size(), 10);
        QVERIFY(open(dag(), cluster()));
        QCOMPARE(offered(), (QStringList{QStringLiteral("Bandwidth"), QStringLiteral("Latency")}));
        QCOMPARE(sweeps().yBox().count(), 3); // nothing, and these
        show("partition");
        QCOMPARE(sweeps().xBox().currentText(), QStringLiteral("Bandwidth"));
        QVERIFY(window().action(QStringLiteral("sweep"))->isEnabled());
        QVERIFY(openProfile(QStringLiteral("syndicate:a1")));
        QCOMPARE(offered(), (QStringList{QStringLiteral("Bandwidth"), QStringLiteral("Latency"), QStringLiteral("Workers")}));
        QVERIFY(openProfile(QStringLiteral("alexnet")));
        QCOMPARE(offered(), all);
        show("workers");
        QVERIFY(complete());
    }

    /// A DAG of the catalogue has as many processes as there are GPUs at the point.
    void workersAreThoseOfThePoint() {
        std::array<SideState, 2> sides{};
        session().startWith(sides, true, {"fifo", "sched"});
        QVERIFY(open(QStringLiteral("syndicate:a1"), QStringLiteral("syndicate")));
        show("workers");
        enter(sweeps().xRange(), "16..32:2");
        QVERIFY(complete());
        const auto sweep = sweeps().sweep();
        for (const Side side : {Side::A, Side::B}) {
            const QJsonArray points =
                cli({"sweep", "--json", "--job", "syndicate:a1", "--cluster", "syndicate", "--strategy",
                     QString::fromStdString(textOf(session().state().side(side).source)), "--knob", "workers=16..32:2"})
                    .json()["points"]
                    .toArray();
            QCOMPARE(points.size(), 2);
            for (int p = 0; p < points.size(); ++p)
                QVERIFY(isSame(points[p].toObject(), sweep->points[indexOf(side)][static_cast<std::size_t>(p)]));
        }
        window().runs().setView(RunsPanel::View::Table);
        sweeps().table().select(0);
        QTest::keyClick(&sweeps().table().table(), Qt::Key_Return);
        QTRY_COMPARE(session().state().workers.value_or(0), 16);
        QVERIFY(settle());
        QCOMPARE(session().run(Side::A)->recording().workers, 16);
        showPoint(*sweep, 0);
        session().undoStack()->undo();
        QVERIFY(settle());
        QCOMPARE(session().run(Side::A)->recording().workers, session().state().cluster->replicaCount());
    }

    /// Plans of files and channels with figures of their own follow no knob, and a note says so.
    void whatFollowsNoKnobSaysSo() {
        QVERIFY(open(dag(), cluster()));
        const QString file = m_folder.filePath(QStringLiteral("fifo.plan.json"));
        write(file, QByteArray::fromStdString([this] {
                  const PlannedWork &work = *std::get<Planned>(session().state().side(Side::A).source).work;
                  return writeExecutionPlan(work.plan, work.dag);
              }()));
        session().chooseStrategy(Side::A, file.toStdString(), QStringLiteral("A"));
        QVERIFY(settle());
        show("bandwidth");
        enter(sweeps().xRange(), "1..2:2");
        QVERIFY(complete());
        for (std::size_t p = 0; p < 2; ++p) {
            QVERIFY(QString::fromStdString(sweeps().sweep()->points[0][p].error).contains(QStringLiteral("channels of its own")));
            QVERIFY(sweeps().sweep()->points[1][p].error.empty() && sweeps().sweep()->points[1][p].iterationSeconds > 0);
        }
        session().chooseStrategy(Side::B, file.toStdString(), QStringLiteral("B"));
        QVERIFY(settle());
        QTRY_VERIFY(!sweeps().sweep());
        QVERIFY2(sweeps().stateLine().state().text.contains(QStringLiteral("channels of its own")),
                 qPrintable(sweeps().stateLine().state().text));
        for (const Side side : {Side::A, Side::B}) {
            session().chooseStrategy(side, "fifo", QStringLiteral("back"));
            QVERIFY(settle());
        }
        QVERIFY(complete());
        SessionState next = session().state();
        Cluster named = *next.cluster;
        named.namedChannels = {{"nic", {"nic"}, 1.25e8, 0}};
        next.cluster = std::make_shared<const Cluster>(std::move(named));
        session().change(next, QStringLiteral("named"));
        QVERIFY(settle());
        QTRY_VERIFY(!sweeps().sweep());
        QVERIFY2(sweeps().stateLine().state().text.contains(QStringLiteral("figures of their own")),
                 qPrintable(sweeps().stateLine().state().text));
    }

private:
    [[nodiscard]] QString dag() const { return m_folder.filePath(QStringLiteral("step.dag")); }
    [[nodiscard]] QString cluster() const { return m_folder.filePath(QStringLiteral("four.yml")); }
    static void write(const QString &path, const QByteArray &text) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    }
    SweepPreset &sweeps() { return window().sweeps(); }
    void show(const char *knob) {
        window().action(QStringLiteral("sweep"))->trigger();
        sweeps().sweepKnob(QLatin1String(knob));
    }
    static void enter(QLineEdit &field, const char *text) {
        field.setText(QString::fromLatin1(text));
        Q_EMIT field.editingFinished();
    }
    bool complete() {
        return QTest::qWaitFor([this] { return sweeps().sweep() && sweeps().sweep()->isComplete(); }, patience);
    }
    [[nodiscard]] static bool isSame(const QJsonObject &wanted, const SweepPoint &got) {
        const auto is = [&](const char *key, double value) { return wanted[QLatin1String(key)].toDouble(-1) == value; };
        return got.error.empty() && is("iteration_seconds", got.iterationSeconds) && is("confidence", got.confidence) &&
               is("exposed_communication_seconds", got.exposedSeconds) && is("nodes", got.nodes) &&
               is("peak_memory_bytes", got.peakMemoryBytes);
    }
    /// Compares the sweep's points of both sides with the command line's.
    void compare(const QStringList &knobs) {
        for (const Side side : {Side::A, Side::B}) {
            QStringList arguments{
                "sweep",     "--json",  "--job",      dag(),
                "--cluster", cluster(), "--strategy", QString::fromStdString(textOf(session().state().side(side).source))};
            for (const QString &knob : knobs)
                arguments += {"--knob", knob};
            const ProcessResult answer = cli(arguments);
            QVERIFY2(answer.exitCode == 0, answer.err.constData());
            const QJsonArray points = answer.json()["points"].toArray();
            const auto &swept = sweeps().sweep()->points[indexOf(side)];
            QCOMPARE(static_cast<std::size_t>(points.size()), swept.size());
            for (std::size_t p = 0; p < swept.size(); ++p)
                QVERIFY2(isSame(points[static_cast<qsizetype>(p)].toObject(), swept[p]), answer.out.constData());
        }
    }
    /// Both sides show the point's figures.
    void showPoint(const Sweep &sweep, std::size_t point) {
        for (const Side side : {Side::A, Side::B}) {
            QVERIFY(session().run(side) && session().run(side)->plan());
            QCOMPARE(session().run(side)->recording().iterationSeconds, sweep.points[indexOf(side)][point].iterationSeconds);
        }
    }

    const QTemporaryDir m_folder;
};

QTEST_MAIN(TestDagSweeps)
#include "tst_dag_sweeps.moc"
