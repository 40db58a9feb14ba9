// SPDX-License-Identifier: GPL-3.0-or-later
// Journeys from a goal to its result, with their actions counted and their results compared with the engine, which is asked
// without the explorer. Each prints a line with its actions and seconds (docs/performance.md).
#include "engine/analyze/calibrate_files.h"
#include "engine/analyze/metrics.h"
#include "engine/analyze/trace_difference.h"
#include "engine/profile/recording/recording.h"
#include "engine/query/query.h"
#include "engine/session/first_contact.h"
#include "engine/simulate/measured_run.h"
#include "engine/simulate/run.h"
#include "engine/strategy/strategy_file.h"
#include "tests/files.h"
#include "tests/profile/rank_traces.h"
#include "tests/ui/journey.h"
#include "ui/difference/difference_panel.h"
#include "ui/export/export_sheet.h"
#include "ui/inspector/inspector.h"
#include "ui/inspector/profile_panel.h"
#include "ui/knobs/knobs_panel.h"
#include "ui/project/scenarios_panel.h"
#include "ui/query/query_panel.h"
#include "ui/runs/history_plot.h"
#include "ui/runs/plan_stack.h"
#include "ui/runs/search_preset.h"
#include "ui/runs/searcher.h"
#include "ui/theme/qcustomplot.h"
#include "ui/timeline/timeline_view.h"
#include "ui/variables/variables_panel.h"
#include "ui/why/why_panel.h"
#include "ui/window/message_bar.h"

#include <QComboBox>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QTableView>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QToolButton>
#include <QUndoStack>

using namespace syncopate;
using namespace syncopate::ui;

class TestJourneys : public QObject, WindowFixture {
    Q_OBJECT

    QTemporaryDir m_folder;

    /// The sample's profile, without the cluster beside it, as a user's own.
    [[nodiscard]] QString ownProfile() {
        const QString own = m_folder.filePath(QStringLiteral("rank0.json.gz"));
        QFile::copy(QStringLiteral(SYNCOPATE_SOURCE "/sample_data/resnet50_cpu_gloo_rank0.json.gz"), own);
        return own;
    }
    [[nodiscard]] bool isOpened() {
        return QTest::qWaitFor([this] { return session().run(Side::B) != nullptr && !session().isLoading(); },
                               syncopate::testing::patience) &&
               settle();
    }
    [[nodiscard]] double shown(Side side) { return session().run(side)->recording().iterationSeconds; }
    /// The engine's iteration time of a side of the present state.
    [[nodiscard]] double simulated(Side side) { return (*simulate(*makeScenario(session().state(), side)))->iterationSeconds; }
    [[nodiscard]] double cell(const char *row, int column) {
        const InspectorModel &model = *window().inspector().model();
        for (int r = 0; r < model.rowCount(); ++r)
            if (model.index(r, InspectorModel::MetricColumn).data().toString() == QString::fromUtf8(row))
                return model.index(r, column).data(Qt::UserRole).toDouble();
        return std::numeric_limits<double>::quiet_NaN();
    }
    /// The button with that text, which the panel must have.
    [[nodiscard]] QPushButton &button(QWidget &panel, const char *text) {
        const auto buttons = panel.findChildren<QPushButton *>();
        const auto found = std::ranges::find(buttons, QString::fromUtf8(text), &QPushButton::text);
        if (found == buttons.end())
            qFatal("there is no button %s", text);
        return **found;
    }
    [[nodiscard]] QStringList exportWith(Journey &journey) {
        journey.key(Qt::Key_E, Qt::ControlModifier);
        const QPointer<ExportSheet> sheet = window().findChild<ExportSheet *>();
        if (!sheet)
            return {};
        sheet->setFolder(m_folder.path()); // as after the previous export
        QStringList paths;
        connect(sheet, &ExportSheet::exported, this, [&paths](const QStringList &written) { paths = written; });
        journey.accept(*sheet);
        return QTest::qWaitFor([&paths] { return !paths.isEmpty(); }, syncopate::testing::patience) ? paths : QStringList();
    }
    /// Ctrl+2 and Start, then a click on the best trial's dot, which puts it on B. Returns the trial's iteration time.
    [[nodiscard]] double searchWith(Journey &journey) {
        journey.key(Qt::Key_2, Qt::ControlModifier);
        SearchPreset &search = window().search();
        if (!QTest::qWaitFor([&] { return search.startButton().isVisible(); }))
            return -1;
        QTest::qWait(200); // until the panel has its place
        journey.click(search.startButton());
        Searcher &searcher = window().searcher();
        if (!QTest::qWaitFor([&] { return searcher.status() == Searcher::Status::Done; }, syncopate::testing::patience))
            return -1;
        const SearchHistory &history = searcher.history();
        const auto best = static_cast<RunId>(history.bestTrial(SearchObjective::IterationTime));
        HistoryPlot &plot = search.plot();
        if (!QTest::qWaitFor([&] { return plot.trialAt(plot.positionOf(best)) == std::optional(best); }))
            return -1;
        journey.click(plot.plot(), plot.positionOf(best).toPoint());
        const bool isPut =
            QTest::qWaitFor([this] { return std::holds_alternative<Edited>(session().state().side(Side::B).source); },
                            syncopate::testing::patience);
        return isPut && settle() ? history.trials[static_cast<std::size_t>(best)].metrics.iterationSeconds : -1;
    }

private Q_SLOTS:
    void init() { start({1280, 720}); }
    void cleanup() { stop(); }

    /// The figures shown for a profile are the engine's for the file: its overlap, and the compute of a stretch.
    void fromAProfileToItsOverlap() {
        const QString own = ownProfile();
        Journey journey("a profile's overlap and a stretch of it", window());
        journey.drop(own);
        QVERIFY(isOpened());
        const auto profile = *importRecording(own.toStdString());
        const auto measured = measuredRecording(profile, std::shared_ptr<const Job>(profile, &profile->job), {});
        QCOMPARE(cell("Overlap", InspectorModel::AColumn), iterationStatistics(*measured).overlapRatio());
        TimelineView &view = window().view(Side::A);
        QSignalSpy areas(&session(), &Session::areaReady);
        journey.drag(view, {view.width() / 2, view.height() / 2}, {3 * view.width() / 4, view.height() / 2});
        const auto stretch = window().axis().selection();
        QVERIFY(stretch);
        const auto origin = static_cast<double>(iterationWindow(*measured).first);
        const AreaStatistics area = areaStatistics(measured->timeline, static_cast<Nanoseconds>(origin + stretch->first),
                                                   static_cast<Nanoseconds>(origin + stretch->second), 0);
        COMPARE_ABOVE(area.computeSeconds, 0.0);
        const auto isCounted = [&] { return std::abs(cell("Compute", InspectorModel::AColumn) - area.computeSeconds) < 2e-9; };
        QVERIFY(QTest::qWaitFor(isCounted, syncopate::testing::patience));
        journey.key(view, Qt::Key_F);
        QCOMPARE(journey.actions(), 3);
        journey.arrive();
    }

    void fromAKnobToItsTimelinesAndBack() {
        QVERIFY(open());
        const double before = shown(Side::B);
        Journey journey("a dragged knob, undone", window());
        QSlider &slider = *window().knobs().knob(QStringLiteral("bandwidth"))->slider();
        const double share = static_cast<double>(slider.value()) / slider.maximum();
        const QPoint handle(static_cast<int>(8 + share * (slider.width() - 16)), slider.height() / 2);
        journey.drag(slider, handle, handle - QPoint(60, 0));
        QVERIFY(settle());
        COMPARE_ABOVE(shown(Side::B), before);
        QCOMPARE(shown(Side::A), simulated(Side::A));
        QCOMPARE(shown(Side::B), simulated(Side::B));
        journey.key(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(settle());
        QCOMPARE(shown(Side::B), before);
        QCOMPARE(journey.actions(), 2);
        journey.arrive();
    }

    void fromOneStrategyToAnother() {
        QVERIFY(open());
        Journey journey("two strategies compared, a variable's traffic, swapped", window());
        journey.type(*window().knobs().strategyBox(Side::B)->lineEdit(), QStringLiteral("PartitionedPS"));
        QVERIFY(settle());
        const double a = simulated(Side::A), b = simulated(Side::B);
        QCOMPARE(cell("Iteration", InspectorModel::AColumn), a);
        QCOMPARE(cell("Iteration", InspectorModel::BColumn), b);
        QCOMPARE(cell("Iteration", InspectorModel::DeltaColumn), std::abs(b - a)); // it sorts by magnitude
        QTableView &variables = *window().variables().table();
        journey.click(*variables.viewport(), variables.visualRect(variables.model()->index(0, 0)).center());
        QVERIFY(window().variables().selectedVariable() >= 0);
        journey.key(window().view(Side::A), Qt::Key_X);
        QVERIFY(settle());
        QCOMPARE(shown(Side::A), b);
        QCOMPARE(shown(Side::B), a);
        QCOMPARE(journey.actions(), 4);
        journey.arrive();
    }

    void fromASearchToItsBest() {
        QVERIFY(open());
        const double before = std::min(shown(Side::A), shown(Side::B));
        Journey journey("a search, its best candidate in B", window());
        const double best = searchWith(journey);
        QCOMPARE(shown(Side::B), best);
        QCOMPARE(simulated(Side::B), best);
        COMPARE_AT_MOST(best, before);
        QCOMPARE(journey.actions(), 3);
        journey.arrive();
    }

    void fromASideToAFile() {
        QVERIFY(open());
        Journey journey("A's strategy in a file", window());
        const QStringList paths = exportWith(journey);
        QVERIFY(!paths.isEmpty());
        const auto written = readStrategyFile(paths.first().toStdString());
        VERIFY_VALUE(written);
        QVERIFY(written->nodes == makeScenario(session().state(), Side::A)->strategy->nodes);
        QCOMPARE(journey.actions(), 2);
        journey.arrive();
    }

    /// From a user's own profile to a better setting in a file. It contains the engine's best trial, which is faster than the
    /// simulation of the profile's own strategy.
    void fromAFirstProfileToABetterSettingInSixSteps() {
        Journey journey("a first profile, a better setting exported", window());
        journey.drop(ownProfile());
        QVERIFY(isOpened());
        QVERIFY(std::holds_alternative<Measured>(session().state().side(Side::A).source));
        const double before = shown(Side::B);
        const double best = searchWith(journey);
        QCOMPARE(shown(Side::B), best);
        COMPARE_BELOW(best, before);
        const QStringList paths = exportWith(journey);
        QVERIFY(!paths.isEmpty());
        const auto written = readStrategyFile(paths.first().toStdString());
        VERIFY_VALUE(written);
        QVERIFY(written->nodes == session().run(Side::B)->simulation()->scenario.strategy->nodes);
        COMPARE_AT_MOST(journey.actions(), 6);
        journey.arrive();
    }

    /// The error of the profile's own simulation, then the same job on another cluster.
    void fromAProfileToAnotherCluster() {
        Journey journey("a profile's error, then on another cluster", window());
        journey.drop(ownProfile());
        QVERIFY(isOpened());
        QVERIFY(QTest::qWaitFor([this] { return window().profile().check().has_value(); }, syncopate::testing::patience));
        const auto check = checkStep(session().state());
        VERIFY_VALUE(check);
        QCOMPARE(window().profile().check()->error(), check->error());
        const QString percent = QString::number(std::abs(100 * check->error()), 'f', 1) + QStringLiteral(" %");
        QVERIFY2(window().profile().verdict().contains(percent), qPrintable(window().profile().verdict()));
        for (QAction *entry : window().profile().moveMenu().actions())
            if (entry->data().toString() == QStringLiteral("A2"))
                journey.choose(*entry);
        QVERIFY(QTest::qWaitFor([this] { return session().state().side(Side::B).clusterSource == "A2"; },
                                syncopate::testing::patience));
        QVERIFY(settle());
        QCOMPARE(shown(Side::B), simulated(Side::B));
        QCOMPARE(journey.actions(), 3);
        journey.arrive();
    }

    /// One of several dropped files is opened, and the offered button opens all of them.
    void fromDroppedRanksToAllOfThem() {
        const QTemporaryDir folder;
        QStringList paths;
        for (const int rank : {0, 1}) {
            paths += folder.filePath(QStringLiteral("trace_%1.json").arg(rank));
            ranks::write(paths.back(), ranks::straggler(rank, rank == 1 ? 40 : 0, 40));
        }
        Journey journey("the traces of all ranks", window());
        journey.drop(paths);
        QVERIFY(isOpened());
        QVERIFY(session().state().profile->ranks.empty()); // one file alone
        const auto buttons = window().messageBar().findChildren<QToolButton *>();
        const auto all = std::ranges::find(buttons, QStringLiteral("Open folder as ranks"), &QToolButton::text);
        QVERIFY(all != buttons.end() && (*all)->isVisible());
        journey.click(**all);
        QTRY_COMPARE(session().state().profile->ranks.size(), std::size_t{2});
        QCOMPARE(journey.actions(), 2);
        journey.arrive();
    }

    /// Of a job and a cluster that are dropped together one is opened, and the message says so.
    void ofAJobAndAClusterOneIsOpened() {
        const QTemporaryDir folder;
        const QString job = folder.filePath(QStringLiteral("net.json")), cluster = folder.filePath(QStringLiteral("two.yml"));
        syncopate::testing::writeFile(job, "{\"name\": \"net\", \"batch_size\": 1, \"layers\": [{\"name\": \"l\", "
                                           "\"forward_seconds\": 0.01, \"backward_seconds\": 0.02, \"variables\": "
                                           "[{\"name\": \"l/w\", \"shape\": [4]}]}]}");
        syncopate::testing::writeFile(cluster, "nodes:\n  - address: 10.0.0.1\n    gpus: [0]\n    chief: true\n"
                                               "  - address: 10.0.0.2\n    gpus: [0]\n    ssh_config: conf\n"
                                               "ssh:\n  conf:\n    username: me\n");
        Journey journey("a job and a cluster at once", window());
        journey.drop(QStringList{job, cluster});
        QVERIFY(isOpened());
        QTRY_VERIFY2(window().messageBar().text().contains(QStringLiteral("net.json, one of 2 files")),
                     qPrintable(window().messageBar().text()));
        journey.drop(QStringList{cluster, job});
        QTRY_COMPARE(session().state().clusterSource, cluster.toStdString());
        QTRY_VERIFY2(window().messageBar().text().contains(QStringLiteral("two.yml, one of 2 files")),
                     qPrintable(window().messageBar().text()));
        journey.arrive();
    }

    /// Another file that is opened before the first of the dropped ones is read takes its place, and nothing is said of that one.
    void aFileOpenedMeanwhileIsNotADroppedOne() {
        const QTemporaryDir folder;
        const QString first = folder.filePath(QStringLiteral("trace_0.json")),
                      second = folder.filePath(QStringLiteral("trace_1.json"));
        ranks::write(first, ranks::straggler(0, 0, 40));
        ranks::write(second, ranks::straggler(1, 40, 40));
        Journey journey("another file than the dropped ones", window());
        journey.drop(QStringList{first, folder.filePath(QStringLiteral("two.yml"))});
        session().open(second);
        QVERIFY(isOpened());
        QCoreApplication::processEvents();
        QCOMPARE(session().state().source, second.toStdString());
        QVERIFY2(!window().messageBar().text().contains(QStringLiteral("one of 2 files")),
                 qPrintable(window().messageBar().text()));
        journey.drop(QStringList{first, folder.filePath(QStringLiteral("two.yml"))});
        session().cancelLoad();
        session().open(first); // by itself
        QVERIFY(isOpened());
        QCoreApplication::processEvents();
        QCOMPARE(session().state().source, first.toStdString());
        QVERIFY2(!window().messageBar().text().contains(QStringLiteral("one of 2 files")),
                 qPrintable(window().messageBar().text()));
        journey.arrive();
    }

    /// Before a job is open, what is said of a dropped cluster stays.
    void aRemarkOnADroppedFileStays() {
        const QTemporaryDir folder;
        const QString cluster = folder.filePath(QStringLiteral("one.yml"));
        syncopate::testing::writeFile(cluster, "nodes:\n  - address: 10.0.0.1\n    gpus: [0]\n    chief: true\n");
        Journey journey("a cluster before any job", window());
        journey.drop(QStringList{cluster, folder.filePath(QStringLiteral("net.json"))});
        QTRY_COMPARE(session().state().clusterSource, cluster.toStdString());
        QCoreApplication::processEvents();
        QVERIFY2(window().messageBar().text().contains(QStringLiteral("one.yml is the cluster of the next")),
                 qPrintable(window().messageBar().text()));
        journey.arrive();
    }

    /// Of dropped files that cannot be opened the message says why, whatever is open.
    void aDroppedFileThatFailsIsNotOpened() {
        const QTemporaryDir folder;
        const QString good = folder.filePath(QStringLiteral("trace_0.json")),
                      bad = folder.filePath(QStringLiteral("trace_1.json"));
        ranks::write(good, ranks::straggler(0, 0, 40));
        QFile cut(bad);
        QVERIFY(cut.open(QIODevice::WriteOnly));
        cut.write("{\"traceEvents\": [");
        cut.close();
        Journey journey("a damaged trace among dropped ones", window());
        journey.drop(good);
        QVERIFY(isOpened());
        journey.drop(QStringList{bad, good});
        SessionState next = session().state();
        next.cluster = std::make_shared<const Cluster>(uniformCluster(4, 1)); // edited while it is read
        session().change(std::move(next), QStringLiteral("four nodes"));
        QVERIFY(settle());
        QCoreApplication::processEvents();
        QVERIFY2(window().messageBar().text().contains(QStringLiteral("trace_1.json")), qPrintable(window().messageBar().text()));
        QVERIFY2(!window().messageBar().text().contains(QStringLiteral("Opened")), qPrintable(window().messageBar().text()));
        QCOMPARE(session().state().source, good.toStdString());
    }

    /// A trace before and one after a change, whose first op takes 40 us longer: the differences by op, layer and stream, and
    /// their places.
    void fromTwoTracesToTheirDifference() {
        const QString before = m_folder.filePath(QStringLiteral("before.json")),
                      after = m_folder.filePath(QStringLiteral("after.json"));
        ranks::write(before, ranks::straggler(0, 0, 40));
        ranks::write(after, ranks::straggler(0, 40, 40));
        Journey journey("two measured traces, their difference by op, layer and stream", window());
        journey.drop(before);
        QVERIFY(isOpened());
        journey.choose(*window().action(QStringLiteral("difference")));
        DifferencePanel &panel = window().traceDifference();
        QPushButton &open = button(panel, "Compare with another trace…");
        QVERIFY(QTest::qWaitFor([&] { return open.isVisible() && open.isEnabled(); }, syncopate::testing::patience));
        journey.willAnswer(after);
        journey.click(open);
        QVERIFY(QTest::qWaitFor([&] { return !panel.isRunning(); }, syncopate::testing::patience));
        QVERIFY2(panel.model().difference() != nullptr, qPrintable(panel.state()));
        const auto want = compareTraces(**importProfile(before.toStdString()), **importProfile(after.toStdString()));
        VERIFY_VALUE(want);
        for (const auto &[by, rows] : {std::pair(DifferenceBy::Op, &want->ops),
                                       {DifferenceBy::Layer, &want->layers},
                                       {DifferenceBy::Stream, &want->streams}}) {
            if (by != DifferenceBy::Op) // which is shown first
                journey.choose(panel.by(), static_cast<int>(by));
            QCOMPARE(panel.model().rowCount(), static_cast<int>(rows->size()));
            for (int r = 0; r < panel.model().rowCount(); ++r) {
                QCOMPARE(panel.model().index(r, 0).data().toString(),
                         QString::fromStdString((*rows)[static_cast<std::size_t>(r)].name));
                QCOMPARE(panel.model().at(r).change(), (*rows)[static_cast<std::size_t>(r)].change());
            }
            const auto longer = std::ranges::max(*rows, {}, &DifferenceRow::change);
            COMPARE_WITHIN(longer.change(), 40e-6, 1e-9, longer.name);
        }
        QCOMPARE(journey.actions(), 9);
        journey.arrive();
    }

    /// A profile's own cluster, fitted to a table of message costs; the error of the fit and that of the step are stated.
    void fromAProfileToAFittedCluster() {
        const QString costs = QStringLiteral(SYNCOPATE_SOURCE "/tests/data/calibrate/message_cost.csv");
        Journey journey("a profile's cluster calibrated, its errors", window());
        journey.drop(ownProfile());
        QVERIFY(isOpened());
        const SessionState before = session().state();
        ProfilePanel &panel = window().profile();
        QPushButton &calibrate = button(panel, "Calibrate…");
        QVERIFY(QTest::qWaitFor([&] { return calibrate.isVisible() && calibrate.isEnabled(); }, syncopate::testing::patience));
        journey.willAnswer(costs);
        journey.click(calibrate);
        QVERIFY(QTest::qWaitFor([this] { return session().state().clusterEdited; }, syncopate::testing::patience));
        QVERIFY(settle());
        const auto want = calibrateCluster(withKnobs(*before.cluster, before), *readCalibrationFiles({costs.toStdString()}), {});
        VERIFY_VALUE(want);
        QVERIFY(*session().state().cluster == want->cluster);
        QVERIFY(!want->figures.empty());
        for (const CalibratedFigure &figure : want->figures) {
            const QString stated = QStringLiteral("%1 %2 → %3 (median error %4 %)")
                                       .arg(QString::fromStdString(figure.key))
                                       .arg(figure.before, 0, 'g', 4)
                                       .arg(figure.after, 0, 'g', 4)
                                       .arg(100 * figure.error.median, 0, 'f', 1);
            QVERIFY2(window().messageBar().text().contains(stated), qPrintable(window().messageBar().text()));
        }
        QVERIFY(QTest::qWaitFor([&] { return !panel.isPending() && panel.check(); }, syncopate::testing::patience));
        const auto check = checkStep(session().state());
        VERIFY_VALUE(check);
        QCOMPARE(panel.check()->error(), check->error());
        QCOMPARE(shown(Side::B), simulated(Side::B));
        QCOMPARE(journey.actions(), 3);
        journey.arrive();
    }

    /// A trace without a training step is queried.
    void fromARecordingToAnAnswer() {
        const QString path = QStringLiteral(SYNCOPATE_SOURCE "/tests/data/recordings/rocpd_v3.db");
        Journey journey("a recording, queried", window());
        journey.drop(path);
        QVERIFY(
            QTest::qWaitFor([this] { return session().run(Side::A) && !session().isLoading(); }, syncopate::testing::patience));
        journey.key(Qt::Key_Q, Qt::ControlModifier | Qt::ShiftModifier);
        auto &panel = *window().findChild<QueryPanel *>();
        QPushButton &run = button(panel, "Run");
        QTest::qWait(200); // until the panel has its place
        journey.click(run);
        QVERIFY(QTest::qWaitFor([&] { return !panel.isRunning() && panel.model().result(); }, syncopate::testing::patience));
        const auto profile = *importRecording(path.toStdString());
        const auto answer = runQuery(
            {{querySide("A", measuredRecording(profile, std::shared_ptr<const Job>(profile, &profile->job), {}), profile)}},
            panel.editor().toPlainText().toStdString());
        VERIFY_VALUE(answer);
        COMPARE_ABOVE(answer->rows.size(), std::size_t{0});
        QVERIFY(panel.model().result()->rows == answer->rows);
        QCOMPARE(journey.actions(), 3);
        journey.arrive();
    }

    /// Two kept settings, all of their sides one above the other.
    void fromTwoSettingsToFourTimelines() {
        QVERIFY(open());
        Journey journey("two settings kept, four scenarios stacked", window());
        std::vector<double> want{simulated(Side::A), simulated(Side::B)};
        journey.key(Qt::Key_D, Qt::ControlModifier);
        journey.type(*window().knobs().knob(QStringLiteral("bandwidth"))->field(), QStringLiteral("5"));
        QVERIFY(settle());
        journey.key(Qt::Key_D, Qt::ControlModifier);
        want.push_back(simulated(Side::A));
        want.push_back(simulated(Side::B));
        ScenariosPanel &panel = window().scenarios();
        QTRY_VERIFY(panel.isVisible() && panel.model()->rowCount() == 4);
        QTableView &table = *panel.table();
        journey.click(*table.viewport(), table.visualRect(table.model()->index(0, ScenariosModel::Name)).center());
        journey.key(table, Qt::Key_A, Qt::ControlModifier);
        QVERIFY(panel.stackButton().isEnabled());
        journey.click(panel.stackButton());
        StackedScenarios *stacked = panel.stacked();
        QVERIFY(stacked && stacked->isVisible());
        QVERIFY(QTest::qWaitFor([&] { return !stacked->isSimulating(); }, syncopate::testing::patience));
        QCOMPARE(stacked->stack().rows().size(), want.size());
        for (std::size_t row = 0; row < want.size(); ++row)
            COMPARE_CLOSE(static_cast<double>(stacked->stack().rows()[row].data->iteration()), want[row] * 1e9, 1e-6);
        QCOMPARE(journey.actions(), 7);
        journey.arrive();
    }

    void fromWhyToARemedy() {
        QVERIFY(open());
        const double before = shown(Side::A);
        Journey journey("why, and its best remedy tried", window());
        journey.key(Qt::Key_I, Qt::ControlModifier);
        WhyPanel &why = window().why();
        QVERIFY(QTest::qWaitFor([&] { return why.answer() && why.answer()->complete; }, syncopate::testing::patience));
        const auto first = why.remedyAt(0);
        QVERIFY(first);
        const auto promised = why.answer()->remedies[*first].iterationSeconds;
        QVERIFY(promised.has_value());
        journey.click(*why.remedies().cellWidget(0, 3));
        QVERIFY(settle());
        QCOMPARE(shown(Side::A), *promised);
        QCOMPARE(simulated(Side::A), *promised);
        COMPARE_BELOW(*promised, before);
        QCOMPARE(journey.actions(), 2);
        journey.arrive();
    }
};

QTEST_MAIN(TestJourneys)
#include "tst_journeys.moc"
