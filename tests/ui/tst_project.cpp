// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/checks.h"
#include "tests/ui/slow_side.h"
#include "ui/knobs/knobs_panel.h"
#include "ui/project/recent_files.h"
#include "ui/project/scenarios_panel.h"
#include "ui/runs/argument_sheet.h"
#include "ui/runs/plan_preset.h"
#include "ui/runs/plan_sheet.h"
#include "ui/runs/runs_table.h"
#include "ui/runs/search_preset.h"
#include "ui/tables/filter_line.h"
#include "ui/theme/theme.h"
#include "ui/throughput/setting_sheet.h"
#include "ui/throughput/throughput_panel.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/main_window.h"
#include "ui/window/message_bar.h"
#include "ui/window/perspectives.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTableView>
#include <QTest>
#include <utility>

using namespace syncopate;
using namespace syncopate::ui;

namespace {

bool settled(MainWindow &window) {
    return QTest::qWaitFor(
        [&] { return window.session().state().job && !window.session().isLoading() && !window.session().isStale(); },
        syncopate::testing::patience);
}

void turn(MainWindow &window, double gbits) {
    SessionState next = window.session().state();
    next.bandwidthGbits = gbits;
    window.session().change(std::move(next), QStringLiteral("Bandwidth"));
}

QString sessions() { return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/sessions"); }

} // namespace

class TestProject : public QObject {
    Q_OBJECT

    Theme m_theme;
    QTemporaryDir m_folder;

private Q_SLOTS:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("SyncopateTest"));
        QDir(sessions()).removeRecursively();
        RecentFiles::clear();
    }

    /// A file whose disk is not mounted is not listed, and is again once it is mounted, whichever files were opened meanwhile.
    void recentFilesOnAnotherDiskAreNotForgotten() {
        RecentFiles::clear();
        const QString disk = m_folder.filePath(QStringLiteral("disk")), away = m_folder.filePath(QStringLiteral("away"));
        const QString onDisk = disk + QStringLiteral("/a.json"), beside = m_folder.filePath(QStringLiteral("beside.json"));
        QVERIFY(QDir().mkpath(disk));
        for (const QString &path : {onDisk, beside}) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
        }
        RecentFiles::add(onDisk);
        QVERIFY(QDir().rename(disk, away));
        RecentFiles::add(beside);
        QCOMPARE(RecentFiles::list(), QStringList{beside});
        QVERIFY(QDir().rename(away, disk));
        QCOMPARE(RecentFiles::list(), (QStringList{beside, onDisk}));
        RecentFiles::clear();
    }

    /// Files of one name in several folders get different titles of limited length.
    void recentFilesSayTheirFolder() {
        const QString home = QDir::homePath();
        QCOMPARE(RecentFiles::titleOf(home + QStringLiteral("/runs/monday/rank0.json")),
                 QStringLiteral("rank0.json · ~/runs/monday"));
        QCOMPARE(RecentFiles::titleOf(QStringLiteral("/data/rank0.json")), QStringLiteral("rank0.json · /data"));
        const QString deep = RecentFiles::titleOf(QStringLiteral("/data") + QStringLiteral("/folder").repeated(20) +
                                                  QStringLiteral("/last/rank0.json"));
        QVERIFY2(deep.startsWith(QStringLiteral("rank0.json · …/folder")) && deep.endsWith(QStringLiteral("/last")) &&
                     deep.size() < 60,
                 qPrintable(deep));
    }

    /// Deleted files take no places from existing ones, and neither kind grows without limit.
    void deletedRecentFilesPushNoneOut() {
        RecentFiles::clear();
        const auto create = [this](const QString &name) {
            QFile file(m_folder.filePath(name));
            return file.open(QIODevice::WriteOnly) ? file.fileName() : QString();
        };
        const QString kept = create(QStringLiteral("kept.json"));
        RecentFiles::add(kept);
        for (int deleted = 0; deleted < 2 * RecentFiles::most; ++deleted) {
            const QString path = create(QStringLiteral("deleted %1.json").arg(deleted));
            RecentFiles::add(path);
            QVERIFY(QFile::remove(path));
        }
        QCOMPARE(RecentFiles::list(), QStringList{kept});
        for (int more = 1; more <= RecentFiles::most; ++more)
            RecentFiles::add(create(QStringLiteral("more %1.json").arg(more)));
        QCOMPARE(RecentFiles::list().size(), RecentFiles::most);
        QVERIFY(!RecentFiles::list().contains(kept));
        COMPARE_AT_MOST(QSettings().value(QStringLiteral("recentFiles")).toStringList().size(), 2 * RecentFiles::most);
        RecentFiles::clear();
    }

    void reopensExactly() {
        const QString file = m_folder.filePath(QStringLiteral("a project.syncopate"));
        SessionState present;
        TimeAxis::Range seen;
        std::array<double, 2> iterations{};
        {
            MainWindow window(m_theme);
            window.show();
            window.session().openSample();
            QVERIFY(settled(window));
            turn(window, 2.5);
            QVERIFY(settled(window));
            window.action(QStringLiteral("keep"))->trigger();
            turn(window, 10);
            QVERIFY(settled(window));
            window.scenarios().model()->setData(window.scenarios().model()->index(0, ScenariosModel::Note),
                                                QStringLiteral("slow links"), Qt::EditRole);
            window.axis().setWindow(1e8, 9e8);
            window.axis().setSelection(TimeAxis::Range(2e8, 3e8));
            QSignalSpy saved(&window.keeper(), &ProjectKeeper::saved);
            window.keeper().saveAs(file);
            QVERIFY(saved.wait(syncopate::testing::patience));
            QCOMPARE(window.windowTitle(), QStringLiteral("a project – Syncopate"));
            present = window.session().state();
            seen = window.axis().window();
            for (const Side side : {Side::A, Side::B})
                iterations[indexOf(side)] = window.session().run(side)->recording().iterationSeconds;
        }
        MainWindow window(m_theme);
        window.show();
        window.session().open(file);
        QVERIFY(settled(window));
        QVERIFY(window.messageBar().text().isEmpty());
        QCOMPARE(window.session().state().bandwidthGbits, present.bandwidthGbits);
        QCOMPARE(window.session().state().source, present.source);
        QVERIFY(*window.session().state().cluster == *present.cluster);
        QVERIFY(window.session().state().profile);
        for (const Side side : {Side::A, Side::B})
            QCOMPARE(window.session().run(side)->recording().iterationSeconds, iterations[indexOf(side)]);
        QCOMPARE(window.axis().window(), seen);
        QCOMPARE(window.axis().selection(), std::optional(TimeAxis::Range(2e8, 3e8)));
        QCOMPARE(window.keeper().scenarios().size(), std::size_t{1});
        QCOMPARE(window.keeper().scenarios()[0].note, std::string("slow links"));
        QCOMPARE(*window.keeper().scenarios()[0].state.bandwidthGbits, 2.5);
        QCOMPARE(window.session().undoStack()->count(), 0);
        QCOMPARE(RecentFiles::list().first(), file);
        // Changes from now on are saved without being asked.
        turn(window, 33);
        QVERIFY(QTest::qWaitFor(
            [&] {
                const auto saved = readProject(file.toStdString());
                return saved && saved->present.bandwidthGbits == 33.0;
            },
            syncopate::testing::patience));
        // And unsaved ones when the window closes.
        turn(window, 44);
        window.close();
        QCOMPARE(*readProject(file.toStdString())->present.bandwidthGbits, 44.0);
    }

    /// A project's time window is restored although the side that is as long as it has no run yet.
    void theWindowOfALongSideIsKept() {
        Project project;
        project.present = slowB();
        project.views["time"] = R"({"locked":true,"window":[-1e9,6e10]})";
        const QString file = m_folder.filePath(QStringLiteral("long.syncopate"));
        QVERIFY(writeProject(project, file.toStdString()).has_value());
        MainWindow window(m_theme);
        window.show();
        window.session().open(file);
        QVERIFY(QTest::qWaitFor([&] { return window.session().run(Side::A) != nullptr; }, syncopate::testing::patience));
        QVERIFY(window.session().isStale(Side::B));
        COMPARE_BELOW(window.session().run(Side::A)->recording().iterationSeconds, 10.0);
        QCOMPARE(window.axis().window(), TimeAxis::Range(-1e9, 6e10));
    }

    void aSearchIsReopened() {
        const QString file = m_folder.filePath(QStringLiteral("search.syncopate"));
        SearchHistory history;
        QJsonObject sheet;
        QStringList rows;
        const auto rowsOf = [](MainWindow &window) {
            QStringList texts;
            const QAbstractItemModel *table = window.candidates().table().model();
            for (int row = 0; row < table->rowCount(); ++row)
                for (int column = 0; column < table->columnCount(); ++column)
                    texts += table->index(row, column).data().toString();
            return texts;
        };
        {
            MainWindow window(m_theme);
            window.show();
            window.session().open(QStringLiteral("alexnet"));
            QVERIFY(settled(window));
            window.search().budgetBox().setValue(100000);
            window.search().seedBox().setValue(23);
            window.search().start();
            QVERIFY(
                QTest::qWaitFor([&] { return window.searcher().history().trials.size() >= 12; }, syncopate::testing::patience));
            window.search().stop();
            QVERIFY(QTest::qWaitFor([&] { return window.searcher().status() == Searcher::Status::Stopped; },
                                    syncopate::testing::patience));
            window.candidates().model().setPinned(7, true);
            window.candidates().model().setPinned(-1, true);
            window.candidates().filter().setText(QStringLiteral("candidate=trial"));
            window.candidates().table().sortByColumn(CandidatesModel::Shards, Qt::DescendingOrder);
            window.throughput().sheet().priceBox().setValue(3.5);
            window.throughput().sheet().cynthiaBox().setChecked(false);
            window.search().put(7, Side::B);
            QVERIFY(QTest::qWaitFor([&] { return std::holds_alternative<Edited>(window.session().state().side(Side::B).source); },
                                    syncopate::testing::patience));
            QVERIFY(settled(window));
            window.search().budgetBox().setValue(40); // the sheet now differs from the search
            QSignalSpy saved(&window.keeper(), &ProjectKeeper::saved);
            window.keeper().saveAs(file);
            QVERIFY(saved.wait(syncopate::testing::patience));
            history = window.searcher().history();
            sheet = window.search().settings();
            rows = rowsOf(window);
        }
        MainWindow window(m_theme);
        window.show();
        window.session().open(file);
        QVERIFY(settled(window));
        const SearchHistory &read = window.searcher().history();
        QCOMPARE(read.trials.size(), history.trials.size());
        QCOMPARE(read.baselines.size(), history.baselines.size());
        for (std::size_t t = 0; t < read.trials.size(); ++t)
            QVERIFY(read.trials[t].metrics == history.trials[t].metrics);
        QCOMPARE(window.searcher().status(), Searcher::Status::Stopped);
        QVERIFY(window.searcher().plan()->state.job == window.session().state().job);
        QCOMPARE(window.search().settings(), sheet);
        QCOMPARE(window.search().stateLabel().text(), QStringLiteral("stopped at %1 of 100000").arg(history.trials.size()));
        QCOMPARE(window.candidates().model().pins(), (std::set<RunId>{-1, 7}));
        QCOMPARE(window.throughput().sheet().options().pricePerNodeHour, 3.5);
        QVERIFY(!window.throughput().sheet().options().cynthia && window.throughput().sheet().options().queueing);
        QCOMPARE(rowsOf(window), rows);
        QCOMPARE(sourceName(window.session().state().side(Side::B).source), std::string("trial 7"));
        QCOMPARE(window.session().run(Side::B)->recording().iterationSeconds, history.trials[7].metrics.iterationSeconds);
        // A trial's strategy is decoded from its genes, and the search continues as if it had not been stopped.
        window.search().put(5, Side::A);
        QVERIFY(QTest::qWaitFor([&] { return std::holds_alternative<Edited>(window.session().state().side(Side::A).source); },
                                syncopate::testing::patience));
        QVERIFY(settled(window));
        QCOMPARE(window.session().run(Side::A)->recording().iterationSeconds, history.trials[5].metrics.iterationSeconds);
        window.search().resume();
        QVERIFY(QTest::qWaitFor([&] { return read.trials.size() > history.trials.size(); }, syncopate::testing::patience));
        window.search().stop();
        QVERIFY(QTest::qWaitFor([&] { return window.searcher().status() == Searcher::Status::Stopped; },
                                syncopate::testing::patience));
        SearchPlan plan = *window.searcher().plan();
        plan.trials = history.trials.size() + 1;
        const auto planned = planSearch(plan);
        SearchObserver silent;
        const auto truth = runSearch(planned->request, *planned->method, *planned->judge, silent);
        QVERIFY(read.trials[history.trials.size()].metrics == truth->trials.back().metrics);
        // A project without a search shows none.
        Project none = *readProject(file.toStdString());
        none.search = nullptr;
        none.revision = 0;
        const QString other = m_folder.filePath(QStringLiteral("none.syncopate"));
        QVERIFY(writeProject(none, other.toStdString()).has_value());
        window.session().open(other);
        QVERIFY(QTest::qWaitFor([&] { return window.keeper().path() == other; }, syncopate::testing::patience));
        QVERIFY(settled(window));
        QCOMPARE(window.searcher().status(), Searcher::Status::Idle);
        QVERIFY(!window.searcher().plan());
        QCOMPARE(window.candidates().model().rowCount(), 0);
    }

    /// Filter and order of the scenarios belong to the project; one without them resets both.
    void theTableOfScenariosIsReopened() {
        const QString file = m_folder.filePath(QStringLiteral("table.syncopate"));
        QJsonObject kept;
        {
            MainWindow window(m_theme);
            window.show();
            window.session().open(QStringLiteral("alexnet"));
            QVERIFY(settled(window));
            window.action(QStringLiteral("keep"))->trigger();
            QCOMPARE(window.scenarios().table()->model()->rowCount(), 2);
            window.scenarios().filter().setText(QStringLiteral("nodes>1000000"));
            window.scenarios().table()->sortByColumn(ScenariosModel::Iteration, Qt::DescendingOrder);
            kept = window.scenarios().settings();
            QSignalSpy saved(&window.keeper(), &ProjectKeeper::saved);
            window.keeper().saveAs(file);
            QVERIFY(saved.wait(syncopate::testing::patience));
        }
        MainWindow window(m_theme);
        window.show();
        const QJsonObject fresh = window.scenarios().settings();
        QVERIFY(fresh != kept);
        window.session().open(file);
        QVERIFY(settled(window));
        QCOMPARE(window.scenarios().settings(), kept);
        QCOMPARE(window.scenarios().model()->rowCount(), 2);
        QCOMPARE(window.scenarios().table()->model()->rowCount(), 0);
        Project other = *readProject(file.toStdString());
        QCOMPARE(other.views.erase("scenarios"), std::size_t{1});
        other.revision = 0;
        const QString without = m_folder.filePath(QStringLiteral("without.syncopate"));
        QVERIFY(writeProject(other, without.toStdString()).has_value());
        window.session().open(without);
        QVERIFY(QTest::qWaitFor([&] { return window.keeper().path() == without; }, syncopate::testing::patience));
        QVERIFY(settled(window));
        QCOMPARE(window.scenarios().settings(), fresh);
        QCOMPARE(window.scenarios().table()->model()->rowCount(), 2);
    }

    void notesStayWithTheirJob() {
        const QString file = m_folder.filePath(QStringLiteral("notes.syncopate"));
        {
            MainWindow window(m_theme);
            window.show();
            window.session().open(QStringLiteral("alexnet"));
            QVERIFY(settled(window));
            window.notes().add({0, 1e6, 2e6, {}, "of alexnet"});
            window.session().open(QStringLiteral("vgg11"));
            QVERIFY(QTest::qWaitFor([&] { return window.session().state().source == "vgg11"; }, syncopate::testing::patience));
            QVERIFY(window.notes().notes().empty());
            window.notes().setNotes({{1, 3e6, 3e6, {}, "of vgg11"}}); // not a step of the user's: the next undo concerns the job
            window.session().undoStack()->undo();                     // alexnet again
            QCOMPARE(window.session().state().source, std::string("alexnet"));
            QCOMPARE(window.notes().notes().size(), std::size_t(1));
            QCOMPARE(window.notes().notes()[0].text, std::string("of alexnet"));
            QVERIFY(settled(window));
            QSignalSpy saved(&window.keeper(), &ProjectKeeper::saved);
            window.keeper().saveAs(file);
            QVERIFY(saved.wait(syncopate::testing::patience));
        }
        MainWindow window(m_theme);
        window.show();
        window.session().open(file);
        QVERIFY(settled(window));
        QCOMPARE(window.notes().notes().size(), std::size_t(1));
        QCOMPARE(window.notes().notes()[0].text, std::string("of alexnet"));
        window.session().open(QStringLiteral("vgg11"));
        QVERIFY(QTest::qWaitFor([&] { return window.session().state().source == "vgg11"; }, syncopate::testing::patience));
        QCOMPARE(window.notes().notes().size(), std::size_t(1));
        QCOMPARE(window.notes().notes()[0].text, std::string("of vgg11"));
    }

    /// Notes stand on the side that they were written for, although another job begins with the sides that were swapped.
    void notesStayOnTheirSide() {
        MainWindow window(m_theme);
        window.show();
        window.session().open(QStringLiteral("vgg11"));
        QVERIFY(settled(window));
        SessionState other = window.session().state();
        window.session().open(QStringLiteral("alexnet"));
        QVERIFY(QTest::qWaitFor([&] { return window.session().state().source == "alexnet"; }, syncopate::testing::patience));
        window.notes().setNotes({{0, 1e6, 2e6, {}, "of A"}});
        window.action(QStringLiteral("swap"))->trigger();
        QCOMPARE(int{window.notes().notes()[0].side}, 1);
        const auto swapped = window.session().state().sides;
        other.sides = {swapped[1], swapped[0]};
        window.session().change(other, QStringLiteral("vgg11"));
        QVERIFY(window.notes().notes().empty());
        window.session().undoStack()->undo();
        QVERIFY(window.session().state().sides == swapped);
        QCOMPARE(window.notes().notes().size(), std::size_t(1));
        QCOMPARE(int{window.notes().notes()[0].side}, 1);
    }

    /// Views of a project whose job has given way to another one before they were shown: its notes come back with it.
    void viewsWaitForTheirJob() {
        const QString file = m_folder.filePath(QStringLiteral("waiting.syncopate"));
        SessionState other;
        {
            MainWindow window(m_theme);
            window.show();
            window.session().open(QStringLiteral("vgg11"));
            QVERIFY(settled(window));
            other = window.session().state();
            window.session().open(QStringLiteral("alexnet"));
            QVERIFY(QTest::qWaitFor([&] { return window.session().state().source == "alexnet"; }, syncopate::testing::patience));
            QVERIFY(settled(window));
            window.notes().add({0, 1e6, 2e6, {}, "of alexnet"});
            window.axis().setSelection(TimeAxis::Range(1e6, 2e6));
            QSignalSpy saved(&window.keeper(), &ProjectKeeper::saved);
            window.keeper().saveAs(file);
            QVERIFY(saved.wait(syncopate::testing::patience));
        }
        MainWindow window(m_theme);
        window.show();
        Session &session = window.session();
        bool isChanged = false;
        const QObject scope; // of the connection
        connect(
            &session, &Session::stateChanged, &scope,
            [&] {
                if (!std::exchange(isChanged, true))
                    session.change(other, QStringLiteral("vgg11"));
            },
            Qt::QueuedConnection); // before the first run can arrive
        session.open(file);
        QVERIFY(QTest::qWaitFor([&] { return session.state().source == "vgg11"; }, syncopate::testing::patience));
        QVERIFY(settled(window));
        QVERIFY(window.notes().notes().empty());
        QVERIFY(!window.axis().selection());
        session.undoStack()->undo();
        QCOMPARE(session.state().source, std::string("alexnet"));
        QCOMPARE(window.notes().notes().size(), std::size_t(1));
        QCOMPARE(window.notes().notes()[0].text, std::string("of alexnet"));
    }

    /// What a project does not state is as in a new window, not as the project opened before left it.
    void aProjectWithoutViewsResetsThem() {
        MainWindow window(m_theme);
        window.show();
        window.session().open(QStringLiteral("alexnet"));
        QVERIFY(settled(window));
        const QJsonObject search = window.search().settings(), plan = window.plans().settings(),
                          candidates = window.candidates().settings(), throughput = window.throughput().settings();
        const QString file = m_folder.filePath(QStringLiteral("viewless.syncopate"));
        Project project;
        project.present = window.session().state();
        QVERIFY(writeProject(project, file.toStdString()).has_value());
        QVERIFY(window.search().judgeSheet().setText("noisy()").has_value());
        window.search().budgetBox().setValue(77);
        window.plans().sheet().budgetBox().setValue(88);
        window.plans().sheet().memoryField().setText(QStringLiteral("2GiB"));
        window.candidates().filter().setText(QStringLiteral("servers>2"));
        window.throughput().sheet().cynthiaBox().setChecked(false);
        window.action(QStringLiteral("lock"))->trigger();
        window.axis().setSelection(TimeAxis::Range(1e6, 2e6));
        window.view(Side::A).setAllCollapsed(true);
        window.perspectives().show(QStringLiteral("search"));
        window.session().open(file);
        QVERIFY(QTest::qWaitFor([&] { return window.keeper().path() == file; }, syncopate::testing::patience));
        QVERIFY(settled(window));
        QTRY_COMPARE(window.search().settings(), search);
        QCOMPARE(window.plans().settings(), plan);
        QCOMPARE(window.candidates().settings(), candidates);
        QCOMPARE(window.throughput().settings(), throughput);
        QVERIFY(window.action(QStringLiteral("lock"))->isChecked());
        QVERIFY(!window.axis().selection());
        QVERIFY(window.view(Side::A).arrangement().collapsed.empty());
        // The panels are still arranged for it.
        QCOMPARE(window.perspectives().present(), QStringLiteral("search"));
    }

    void scenariosByKeyboard() {
        MainWindow window(m_theme);
        window.show();
        window.session().open(QStringLiteral("alexnet"));
        QVERIFY(settled(window));
        ScenariosPanel &panel = window.scenarios();
        const QAbstractItemModelTester tester(panel.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        const double kept = window.session().run(Side::A)->recording().iterationSeconds;
        QTest::keyClick(&window, Qt::Key_D, Qt::ControlModifier);
        QCOMPARE(panel.model()->rowCount(), 2); // A and B
        QCOMPARE(window.keeper().scenarios()[0].iterationSeconds[0], std::optional(kept));
        turn(window, 2.5); // below a connection's limit
        QVERIFY(settled(window));
        const double present = window.session().run(Side::A)->recording().iterationSeconds;
        COMPARE_ABOVE(present, kept);
        panel.table()->setFocus();
        QTest::mouseClick(panel.table()->viewport(), Qt::LeftButton, {},
                          panel.table()->visualRect(panel.table()->model()->index(0, 0)).center());
        // Its A beside the present A: the clusters differ, so B gets one of its own.
        QTest::keyClick(panel.table(), Qt::Key_B);
        QVERIFY(settled(window));
        QCOMPARE(window.session().run(Side::A)->recording().iterationSeconds, present);
        QCOMPARE(window.session().run(Side::B)->recording().iterationSeconds, kept);
        QTest::keyClick(panel.table(), Qt::Key_Return);
        QVERIFY(settled(window));
        QVERIFY(window.session().state() == window.keeper().scenarios()[0].state);
        QTest::keyClick(panel.table(), Qt::Key_Delete);
        QCOMPARE(panel.model()->rowCount(), 0);
        window.session().undoStack()->undo();
        QCOMPARE(panel.model()->rowCount(), 2);
    }

    void anUnsavedSessionIsOffered() {
        QDir(sessions()).removeRecursively();
        QVERIFY(ProjectKeeper::lastSession().isEmpty());
        {
            MainWindow window(m_theme);
            window.keeper().setKeepsSessions(true);
            window.show();
            window.session().open(QStringLiteral("alexnet"));
            QVERIFY(settled(window));
            turn(window, 77);
            QSignalSpy saved(&window.keeper(), &ProjectKeeper::saved);
            QVERIFY(saved.wait(syncopate::testing::patience));
            QVERIFY(window.keeper().path().isEmpty());
            QVERIFY(ProjectKeeper::lastSession().isEmpty()); // it is still open
            window.close();
        }
        const QString last = ProjectKeeper::lastSession();
        QVERIFY(!last.isEmpty());
        { // A window that keeps no session, as for a picture, leaves the file where it is.
            MainWindow drawing(m_theme);
            drawing.keeper().setKeepsSessions(false);
            drawing.show();
            drawing.session().open(last);
            QVERIFY(settled(drawing));
            drawing.close();
        }
        QCOMPARE(ProjectKeeper::lastSession(), last);
        MainWindow window(m_theme);
        window.keeper().setKeepsSessions(true);
        window.show();
        window.session().open(last);
        QVERIFY(settled(window));
        QCOMPARE(window.session().state().bandwidthGbits, std::optional(77.0));
        QVERIFY(window.keeper().path().isEmpty());
        QVERIFY(!RecentFiles::list().contains(last));
        // Saved under a name, it is the user's project and no longer an unnamed session.
        QSignalSpy saved(&window.keeper(), &ProjectKeeper::saved);
        const QString file = m_folder.filePath(QStringLiteral("mine.syncopate"));
        window.keeper().saveAs(file);
        QVERIFY(QTest::qWaitFor([&] { return !saved.isEmpty() && saved.last().first().toString() == file; },
                                syncopate::testing::patience));
        window.close();
        QVERIFY(ProjectKeeper::lastSession().isEmpty());
        QCOMPARE(*readProject(file.toStdString())->present.bandwidthGbits, 77.0);
    }

    void whatCannotBeOpenedOrSavedSaysWhy() {
        MainWindow window(m_theme);
        window.show();
        QFile bad(m_folder.filePath(QStringLiteral("bad.syncopate")));
        QVERIFY(bad.open(QIODevice::WriteOnly));
        bad.write(QByteArray(4096, 'x'));
        bad.close();
        window.session().open(bad.fileName());
        QVERIFY(QTest::qWaitFor([&] { return !window.messageBar().text().isEmpty(); }, syncopate::testing::patience));
        QVERIFY2(window.messageBar().text().contains(QStringLiteral("not a Syncopate project")),
                 qPrintable(window.messageBar().text()));
        QVERIFY(!window.session().state().job);
        window.session().open(QStringLiteral("alexnet"));
        QVERIFY(settled(window));
        window.keeper().saveAs(QStringLiteral("/nonexistent/folder/x.syncopate"));
        QVERIFY(QTest::qWaitFor([&] { return window.messageBar().text().contains(QStringLiteral("cannot be written")); },
                                syncopate::testing::patience));
    }

    /// Qt would crash on some layouts of panels in a damaged file.
    void damagedPanelsStayAsTheyAre() {
        MainWindow window(m_theme);
        window.show();
        window.session().open(QStringLiteral("alexnet"));
        QVERIFY(settled(window));
        const QString file = m_folder.filePath(QStringLiteral("panels.syncopate"));
        window.keeper().saveAs(file);
        QVERIFY(QTest::qWaitFor([&] { return window.keeper().path() == file; }, syncopate::testing::patience));
        QTRY_VERIFY(readProject(file.toStdString()).has_value());
        Project project = *readProject(file.toStdString());
        const QByteArray layout = window.saveState();
        const QByteArray twice = QByteArray(layout).replace(QByteArray("\0w\0h\0y", 6), QByteArray("\0l\0o\0g", 6));
        QVERIFY(twice != layout);
        for (const QByteArray &damaged : {layout.left(layout.size() / 2), twice, QByteArray("x")}) {
            const QJsonObject panels{{QStringLiteral("layout"), QString::fromLatin1(damaged.toBase64())}};
            project.views["panels"] = QJsonDocument(panels).toJson(QJsonDocument::Compact).toStdString();
            project.revision = 0;
            const QString other = m_folder.filePath(QStringLiteral("panels%1.syncopate").arg(damaged.size())); // not kept yet
            QVERIFY(writeProject(project, other.toStdString()).has_value());
            auto *log = window.findChild<QDockWidget *>(QStringLiteral("log"))->findChild<QPlainTextEdit *>();
            log->clear();
            window.session().open(other);
            QTRY_VERIFY_WITH_TIMEOUT(log->toPlainText().contains(QStringLiteral("arrangement of panels cannot be read")), 20000);
            QVERIFY(settled(window));
            QVERIFY(window.findChild<QDockWidget *>(QStringLiteral("knobs"))->isVisible());
        }
    }

    void windowsAreTheirOwn() {
        MainWindow window(m_theme);
        window.show();
        window.session().open(QStringLiteral("alexnet"));
        QVERIFY(settled(window));
        QPointer<MainWindow> other = window.openWindow();
        QVERIFY(!other->session().state().job);
        other->session().open(QStringLiteral("vgg11"));
        QVERIFY(settled(*other));
        QCOMPARE(window.session().state().source, std::string("alexnet"));
        other->close();
        QTRY_VERIFY(other.isNull());
        QVERIFY(window.session().run(Side::A));
    }
};

QTEST_MAIN(TestProject)
#include "tst_project.moc"
