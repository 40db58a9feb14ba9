// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of each worker, rank and device of the shown runs, beside sums over its lanes that are made here: a selected span's
// worker has its figures shown.
#include "engine/analyze/metrics.h"
#include "engine/cluster/cluster.h"
#include "engine/job/catalogue.h"
#include "engine/simulate/run.h"
#include "engine/strategy/builders.h"
#include "engine/strategy/comm_policy.h"
#include "tests/profile/rank_traces.h"
#include "tests/scenarios.h"
#include "tests/ui/window_fixture.h"
#include "ui/inspector/inspector.h"
#include "ui/inspector/profile_panel.h"
#include "ui/timeline/timeline_view.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace syncopate;
using namespace syncopate::ui;

namespace {

/// Figures of one worker in a measured iteration, seconds.
struct Figures {
    double compute = 0, communication = 0, overlapped = 0, exposed = 0;
};

/// Cuts the iteration where any span begins or ends, and asks for each piece which spans cover it.
Figures figuresOf(const Recording &run, std::int32_t worker) {
    const auto [from, to] = iterationWindow(run);
    std::vector<Nanoseconds> cuts{from, to};
    for (const Lane &lane : run.timeline.lanes)
        for (std::size_t i = 0; i < lane.size(); ++i)
            for (const Nanoseconds cut : {lane.start[i], lane.end[i]})
                cuts.push_back(std::clamp(cut, from, to));
    std::ranges::sort(cuts);
    Figures sum;
    for (std::size_t c = 0; c + 1 < cuts.size(); ++c) {
        bool computes = false, communicates = false, anyCommunicates = false;
        for (const Lane &lane : run.timeline.lanes)
            for (std::size_t i = 0; i < lane.size(); ++i)
                if (lane.start[i] <= cuts[c] && lane.end[i] >= cuts[c + 1]) {
                    computes = computes || (lane.worker == worker && isCompute(lane.category[i]));
                    anyCommunicates = anyCommunicates || isCommunication(lane.category[i]);
                    communicates = communicates || (lane.worker == worker && isCommunication(lane.category[i]));
                }
        const double length = secondsOf(cuts[c + 1] - cuts[c]);
        sum.compute += computes ? length : 0;
        sum.communication += communicates ? length : 0;
        sum.overlapped += computes && communicates ? length : 0;
        sum.exposed += !computes && anyCommunicates ? length : 0;
    }
    return sum;
}

} // namespace

class TestInspector : public QObject, WindowFixture {
    Q_OBJECT

    using Whose = AreaQuery::Whose;

    Inspector &inspector() { return window().inspector(); }
    QComboBox &box() { return *inspector().workerBox(); }

    [[nodiscard]] double cell(const char *row, int column) {
        const InspectorModel &model = *inspector().model();
        for (int r = 0; r < model.rowCount(); ++r)
            if (model.index(r, InspectorModel::MetricColumn).data().toString() == QString::fromUtf8(row)) {
                const QVariant value = model.index(r, column).data(Qt::UserRole);
                return value.isValid() ? value.toDouble() : std::numeric_limits<double>::quiet_NaN();
            }
        return std::numeric_limits<double>::infinity();
    }
    [[nodiscard]] bool shows(const Figures &want, int column) {
        return QTest::qWaitFor(
            [&] {
                return std::abs(cell("Compute", column) - want.compute) < 2e-9 &&
                       std::abs(cell("Communication", column) - want.communication) < 2e-9 &&
                       std::abs(cell("Overlapped", column) - want.overlapped) < 2e-9 &&
                       std::abs(cell("Exposed", column) - want.exposed) < 2e-9;
            },
            syncopate::testing::patience);
    }
    /// As the user does.
    void choose(int item) {
        box().setCurrentIndex(item);
        Q_EMIT box().activated(item);
    }
    [[nodiscard]] int itemOf(AreaQuery::Whose whose) { return box().findData(static_cast<int>(whose)); }
    [[nodiscard]] bool isChosen(AreaQuery::Whose whose) { return box().currentIndex() == itemOf(whose); }
    /// The first span of a lane of the worker (-1: of a server or host thread). The lane's name; empty: there is none.
    [[nodiscard]] QString showSpanOf(Side side, std::int32_t worker) {
        TimelineView &view = window().view(side);
        for (std::size_t l = 0; l < view.data()->laneCount(); ++l)
            if (const Lane &lane = view.data()->lane(l); lane.worker == worker && lane.size() > 0) {
                view.showSpan({l, 0});
                return view.selectedSpan() ? QString::fromStdString(lane.name) : QString();
            }
        return {};
    }
    /// Clicks a span of the worker's compute lanes in A, which must be visible. Returns its lane's name.
    [[nodiscard]] QString clickSpanOf(std::int32_t worker) {
        TimelineView &view = window().view(Side::A);
        const QRect plot = view.plotRect();
        for (int y = plot.top(); y <= plot.bottom(); y += 2)
            for (int x = plot.left(); x <= plot.right(); ++x) {
                const auto span = view.spanAt({x, y});
                if (!span || view.data()->lane(span->lane).worker != worker || !view.data()->lane(span->lane).isCompute)
                    continue;
                QTest::mouseClick(&view, Qt::LeftButton, {}, {x, y});
                return view.selectedSpan() == span ? QString::fromStdString(view.data()->lane(span->lane).name) : QString();
            }
        return {};
    }
    [[nodiscard]] QString spanText() {
        QString all;
        for (const QLabel *label : inspector().findChildren<QLabel *>())
            if (!label->isHidden())
                all += label->text();
        return all;
    }
    /// Two ranks of one job, of which rank 1 computes longer.
    [[nodiscard]] bool openRanks(const QTemporaryDir &folder) {
        for (int rank = 0; rank < 2; ++rank)
            ranks::write(folder.filePath(QString("trace_%1.json").arg(rank)), ranks::straggler(rank, rank == 1 ? 40 : 0, 40));
        return openProfile(folder.path());
    }

private Q_SLOTS:
    void init() { start(); }
    void cleanup() { stop(); }

    /// A span of either rank shows that span with its rank's figures; the other side has one class of workers and keeps its own.
    void aSpanShowsItsRanksFigures() {
        const QTemporaryDir folder;
        QVERIFY(openRanks(folder));
        const auto run = session().run(Side::A);
        const Recording &recording = run->recording();
        QVERIFY(recording.measured);
        const std::array want{figuresOf(recording, 0), figuresOf(recording, 1)};
        COMPARE_ABOVE(want[1].compute, want[0].compute + 1e-6);
        const double other = cell("Compute", InspectorModel::BColumn);
        COMPARE_ABOVE(other, 0.0);
        for (const std::int32_t rank : {1, 0, 1}) {
            const QString lane = clickSpanOf(rank);
            QVERIFY2(lane.startsWith(QStringLiteral("rank %1 ").arg(rank)), qPrintable(lane));
            QVERIFY2(spanText().contains(lane), qPrintable(spanText()));
            QCOMPARE(box().currentText(), QStringLiteral("rank %1").arg(rank));
            QVERIFY2(shows(want[static_cast<std::size_t>(rank)], InspectorModel::AColumn), qPrintable(QString::number(rank)));
            QCOMPARE(cell("Compute", InspectorModel::BColumn), other);
        }
        // Within a stretch, too.
        const double half = recording.iterationSeconds * 0.5e9;
        window().axis().setSelection(TimeAxis::Range(0, half));
        const auto from = iterationWindow(recording).first;
        const double compute = areaStatistics(recording.timeline, from, from + static_cast<Nanoseconds>(half), 1).computeSeconds;
        COMPARE_BELOW(compute, want[1].compute);
        QVERIFY(QTest::qWaitFor([&] { return std::abs(cell("Compute", InspectorModel::AColumn) - compute) < 2e-9; },
                                syncopate::testing::patience));
    }

    /// Without a choice the figures are of the rank with the longest exposed communication, which is named; the mean of all, once
    /// chosen, stays when spans are selected.
    void theLongestExposedIsShownFirst() {
        const QTemporaryDir folder;
        QVERIFY(openRanks(folder));
        const Recording &recording = session().run(Side::A)->recording();
        const AreaStatistics worst = iterationStatistics(recording);
        const std::array each{figuresOf(recording, 0), figuresOf(recording, 1)};
        COMPARE_CLOSE(worst.exposedSeconds, std::max(each[0].exposed, each[1].exposed));
        QVERIFY(!box().isHidden());
        QVERIFY2(box().currentText().endsWith(QStringLiteral("rank %1").arg(worst.worker)), qPrintable(box().currentText()));
        QVERIFY(shows(each[static_cast<std::size_t>(worst.worker)], InspectorModel::AColumn));
        choose(itemOf(Whose::MeanOfAll));
        const Figures mean{(each[0].compute + each[1].compute) / 2, (each[0].communication + each[1].communication) / 2,
                           (each[0].overlapped + each[1].overlapped) / 2, (each[0].exposed + each[1].exposed) / 2};
        QVERIFY(shows(mean, InspectorModel::AColumn));
        QVERIFY(!clickSpanOf(1).isEmpty());
        QVERIFY(isChosen(Whose::MeanOfAll));
        QVERIFY(shows(mean, InspectorModel::AColumn));
    }

    /// Devices of a recording without a step have the names that their lanes begin with.
    void devicesOfARecording_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QStringList>("names");
        QTest::newRow("rocpd") << "rocpd_v4.db" << QStringList{"GPU 0", "GPU 1"};
        QTest::newRow("xplane") << "two_gpus.xplane.pb" << QStringList{"GPU:0", "GPU:1"};
        QTest::newRow("perfetto") << "two_gpus.pftrace" << QStringList{"gpu 0", "gpu 1"};
    }
    void devicesOfARecording() {
        QFETCH(QString, file);
        QFETCH(QStringList, names);
        session().open(QStringLiteral(SYNCOPATE_SOURCE "/tests/data/recordings/") + file);
        QVERIFY(
            QTest::qWaitFor([this] { return session().run(Side::A) && !session().isLoading(); }, syncopate::testing::patience));
        QVERIFY(settle());
        const Recording &recording = session().run(Side::A)->recording();
        // Nothing says that it was simulated, or speaks of a step.
        QVERIFY2(spanText().contains(QStringLiteral("All that was recorded")), qPrintable(spanText()));
        QVERIFY(window().profile().visibleRegion().isEmpty()); // the timeline has the room
        QVERIFY2(window().profile().verdict().startsWith(QStringLiteral("This is ")), qPrintable(window().profile().verdict()));
        QVERIFY2(window().profile().sides().isEmpty(), qPrintable(window().profile().sides()));
        for (int device = 0; device < 2; ++device) {
            COMPARE_AT_LEAST(box().findText(names[device]), 1);
            const QString lane = clickSpanOf(device);
            QVERIFY2(lane.startsWith(names[device]), qPrintable(lane));
            QCOMPARE(box().currentText(), names[device]);
            QVERIFY(shows(figuresOf(recording, device), InspectorModel::AColumn));
        }
        // A host thread's spans are no device's.
        QVERIFY(!showSpanOf(Side::A, -1).isEmpty());
        QCOMPARE(box().currentText(), names[1]);
    }

    /// A server's lane belongs to no worker: its span leaves the list unchanged, and does not show the mean of all.
    void aServersSpanChoosesNoWorker() {
        Cluster cluster = uniformCluster(3, 10);
        cluster.nodes[1].bandwidthBytesPerSecond /= 2;
        cluster.serverOnly = {2};
        cluster.host = {.sendSeconds = 1e-5, .receiveSeconds = 1e-5};
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("server.yml"));
        syncopate::testing::writeFile(path, writeResourceSpec(cluster));
        session().startWith({SideState{Built{"PSLoadBalancing"}, "fifo"}, SideState{Built{"AllReduce(chunk_size=128)"}, "fifo"}},
                            true);
        QVERIFY(open(QStringLiteral("alexnet"), path));
        COMPARE_ABOVE(session().run(Side::A)->workers().size(), std::size_t{1});
        QVERIFY(isChosen(Whose::LongestExposed));
        const QString lane = showSpanOf(Side::A, -1);
        QVERIFY2(lane.contains(QStringLiteral("server")), qPrintable(lane));
        QVERIFY(isChosen(Whose::LongestExposed));
        QVERIFY(!showSpanOf(Side::A, 1).isEmpty());
        const QString worker = QString::fromStdString(session().run(Side::A)->workers()[1].name);
        QCOMPARE(box().currentText(), worker);
        QVERIFY(!showSpanOf(Side::A, -1).isEmpty());
        QCOMPARE(box().currentText(), worker);
    }

    /// Without a selected span the figures are again those of the worker with the longest exposed communication, unless the user
    /// chose the worker.
    void escapeLeavesTheSpansWorker() {
        const QTemporaryDir folder;
        QVERIFY(openRanks(folder));
        const auto deselect = [this] {
            QTest::keyClick(&window().view(Side::A), Qt::Key_Escape);
            return !window().view(Side::A).selectedSpan();
        };
        const Recording &recording = session().run(Side::A)->recording();
        const std::int32_t worst = iterationStatistics(recording).worker;
        QVERIFY(!clickSpanOf(1 - worst).isEmpty());
        QVERIFY(box().currentText().startsWith(QStringLiteral("rank")));
        QVERIFY(deselect());
        QVERIFY(isChosen(Whose::LongestExposed));
        QVERIFY(shows(figuresOf(recording, worst), InspectorModel::AColumn));
        const QString wanted = QStringLiteral("rank %1").arg(1 - worst);
        choose(box().findText(wanted));
        QVERIFY(!clickSpanOf(1 - worst).isEmpty());
        QVERIFY(deselect());
        QCOMPARE(box().currentText(), wanted);
    }

    /// The old worker's figures do not stand under the new one's name until the answer is there.
    void noFiguresUntilTheAnswer() {
        const QTemporaryDir folder;
        QVERIFY(openRanks(folder));
        choose(box().findText(QStringLiteral("rank 0")));
        const Recording &recording = session().run(Side::A)->recording();
        QVERIFY(shows(figuresOf(recording, 0), InspectorModel::AColumn));
        choose(box().findText(QStringLiteral("rank 1")));
        QVERIFY(std::isnan(cell("Compute", InspectorModel::AColumn)));
        QVERIFY(!std::isnan(cell("Iteration", InspectorModel::AColumn))); // whichever the worker
        QVERIFY(shows(figuresOf(recording, 1), InspectorModel::AColumn));
    }

    /// Two runs may number the same rank differently: names say which is which.
    void workersOfTwoRunsAreMatchedByName() {
        const auto runOf = [](const std::vector<int> &ranks) {
            auto recording = std::make_shared<Recording>();
            recording->job = std::make_shared<const Job>();
            recording->iterationSeconds = 1e-3;
            recording->timeline.labels = {"op"};
            for (std::size_t r = 0; r < ranks.size(); ++r) {
                Lane lane;
                lane.name = "rank " + std::to_string(ranks[r]) + " compute stream 7";
                lane.worker = static_cast<std::int32_t>(r);
                lane.isCompute = true;
                lane.start = {0};
                lane.end = {1000 * (ranks[r] + 1)};
                lane.category = {Category::Forward};
                lane.label = {0};
                lane.variable = lane.task = {-1};
                lane.sizeBytes = {0};
                recording->timeline.lanes.push_back(lane);
            }
            recording->timeline.duration = 1'000'000;
            return std::make_shared<const ShownRun>(std::shared_ptr<const Recording>(std::move(recording)));
        };
        const std::array runs{runOf({0, 4}), runOf({0, 1, 4})};
        AreaQuery query;
        query.whose = Whose::Named;
        query.worker = "rank 4";
        const AreaAnswer four = countArea(runs, query);
        for (const auto &area : four.areas)
            COMPARE_WITHIN(area.value().computeSeconds, 5e-6, 1e-12);
        query.worker = "rank 1";
        const AreaAnswer one = countArea(runs, query);
        QVERIFY(!one.areas[0]);
        COMPARE_WITHIN(one.areas[1].value().computeSeconds, 2e-6, 1e-12);
    }

    /// Where each side has one worker there is no list, and the text names the worker if both have the same.
    void aSingleWorkerIsNamed() {
        session().startWith({SideState{Built{"AllReduce(chunk_size=128)"}, "fifo"}, SideState{Built{"AllReduce"}, "ddp"}}, true);
        QVERIFY(open(QStringLiteral("alexnet"), QStringLiteral("B7")));
        const std::string a = session().run(Side::A)->workers().front().name, b = session().run(Side::B)->workers().front().name;
        QVERIFY(box().isHidden());
        QCOMPARE(a, b);
        QVERIFY2(spanText().contains(QStringLiteral("Last full iteration, %1.").arg(QString::fromStdString(a))),
                 qPrintable(spanText()));
    }

    /// Three alike workers and a slow one: folded into two classes, they have the mean of all four, as without folding.
    void theMeanCountsAlikeWorkersEach() {
        const Job job = testing::chainJob({{0.01, 0.05, 1'000'000}, {0.01, 0.05, 1'000'000}});
        Cluster cluster = testing::plainCluster(4, 1e9);
        cluster.nodes.back().computeScale = 0.5;
        Scenario scenario = testing::scenario(job, cluster, testing::allReduceEach(job));
        AreaQuery query;
        query.whose = Whose::MeanOfAll;
        query.variable = job.variables.back().name;
        std::array<AreaAnswer, 2> answers;
        for (const bool folds : {true, false}) {
            scenario.fold = folds;
            const auto run = testing::runOf(scenario);
            QVERIFY(run);
            const auto shown = std::make_shared<const ShownRun>(run);
            QCOMPARE(shown->workers().size(), folds ? std::size_t{2} : std::size_t{4});
            AreaAnswer &answer = answers[folds ? 0 : 1];
            answer = countArea({shown, nullptr}, query);
            QVERIFY(answer.areas[0] && answer.variables[0]);
            COMPARE_WITHIN(answer.areas[0]->computeSeconds, (3 * 0.12 + 0.24) / 4, 1e-8, folds ? "folded" : "each alone");
        }
        for (double AreaStatistics::*figure : {&AreaStatistics::communicationSeconds, &AreaStatistics::overlappedSeconds,
                                               &AreaStatistics::exposedSeconds, &AreaStatistics::meanTransferSeconds})
            COMPARE_WITHIN((*answers[0].areas[0]).*figure, (*answers[1].areas[0]).*figure, 1e-8);
        QCOMPARE(answers[0].areas[0]->transfers, answers[1].areas[0]->transfers);
        for (double VariableArea::*figure : {&VariableArea::trafficSeconds, &VariableArea::exposedSeconds})
            COMPARE_WITHIN((*answers[0].variables[0]).*figure, (*answers[1].variables[0]).*figure, 1e-8);
        COMPARE_CLOSE(answers[0].variables[0]->sizeBytes, answers[1].variables[0]->sizeBytes);
    }

    /// Where iterations differ, figures are means over them, also those that are counted because a variable or a worker is
    /// chosen.
    void chosenFiguresAreMeansOfTheSameIterations() {
        Scenario scenario;
        scenario.job = std::make_shared<const Job>(*catalogueJob("alexnet"));
        scenario.cluster = std::make_shared<const Cluster>(*catalogueCluster("A2"));
        scenario.strategy = std::make_shared<const Strategy>(*buildStrategy("PartitionedPS", *scenario.job, *scenario.cluster));
        scenario.policy = *parsePolicy("p3");
        const auto run = simulate(scenario);
        VERIFY_VALUE(run);
        const std::int32_t count = (*run)->windowIterations;
        COMPARE_AT_LEAST(count, 2);
        const auto shown = std::make_shared<const ShownRun>(*run);
        AreaQuery query;
        query.variable = scenario.job->variables.front().name;
        const AreaAnswer answer = countArea({shown, nullptr}, query);
        QVERIFY(answer.areas[0] && answer.variables[0]);
        // Each iteration by itself.
        AreaStatistics want;
        VariableArea wantOfVariable;
        const auto &starts = (*run)->timeline.iterationStart;
        for (std::size_t i = starts.size() - 1 - static_cast<std::size_t>(count); i + 1 < starts.size(); ++i) {
            query.stretch.emplace(starts[i] - shown->timeline().origin(), starts[i + 1] - shown->timeline().origin());
            const AreaAnswer one = countArea({shown, nullptr}, query);
            want.computeSeconds += one.areas[0]->computeSeconds / count;
            want.communicationSeconds += one.areas[0]->communicationSeconds / count;
            want.exposedSeconds += one.areas[0]->exposedSeconds / count;
            wantOfVariable.trafficSeconds += one.variables[0]->trafficSeconds / count;
            wantOfVariable.sizeBytes += one.variables[0]->sizeBytes / count;
        }
        for (double AreaStatistics::*figure :
             {&AreaStatistics::computeSeconds, &AreaStatistics::communicationSeconds, &AreaStatistics::exposedSeconds}) {
            COMPARE_WITHIN((*answer.areas[0]).*figure, want.*figure, 1e-8);
            COMPARE_WITHIN((*answer.areas[0]).*figure, shown->window().*figure, 1e-8); // as without a variable
        }
        COMPARE_WITHIN(answer.variables[0]->trafficSeconds, wantOfVariable.trafficSeconds, 1e-8);
        COMPARE_CLOSE(answer.variables[0]->sizeBytes, wantOfVariable.sizeBytes);
    }

    /// Simulated workers that differ: a class has the workers in its name, and a side that lacks the class shows dashes.
    void classesOfASimulation() {
        session().startWith({SideState{Built{"PSLoadBalancing"}, "fifo"}, SideState{Built{"AllReduce(chunk_size=128)"}, "fifo"}},
                            true);
        QVERIFY(open(QStringLiteral("alexnet"), QStringLiteral("B7")));
        const auto run = session().run(Side::A);
        const auto classes = static_cast<std::int32_t>(run->workers().size());
        COMPARE_ABOVE(classes, 1);
        QCOMPARE(static_cast<std::size_t>(classes), run->simulation()->graph.workerNames.size());
        QCOMPARE(session().run(Side::B)->workers().size(), std::size_t{1});
        const double other = cell("Compute", InspectorModel::BColumn);
        const auto [from, to] = iterationWindow(run->recording());
        const auto communication = [&](std::int32_t worker) {
            return areaStatistics(run->recording().timeline, from, to, worker).communicationSeconds;
        };
        COMPARE_ABOVE(std::abs(communication(0) - communication(classes - 1)), 1e-6); // else the choice would show nothing
        for (const std::int32_t worker : {0, classes - 1}) {
            const int item = box().findText(QString::fromStdString(run->workers()[static_cast<std::size_t>(worker)].name));
            COMPARE_AT_LEAST(item, 1);
            choose(item);
            const double want = communication(worker);
            QVERIFY(QTest::qWaitFor([&] { return std::abs(cell("Communication", InspectorModel::AColumn) - want) < 2e-9; },
                                    syncopate::testing::patience));
            QCOMPARE(cell("Compute", InspectorModel::BColumn), other);
        }
        const std::array shownRuns{run, std::shared_ptr<const ShownRun>()};
        AreaQuery query;
        query.whose = Whose::Named;
        query.worker = "none of them";
        QVERIFY(!countArea(shownRuns, query).areas[0] && !countArea(shownRuns, query).areas[1]);
        InspectorModel model(theme());
        model.set(run, run, countArea({run, run}, query).areas);
        QVERIFY(model.index(0, InspectorModel::AColumn).data(Qt::UserRole).isValid()); // the iteration is the run's
        QCOMPARE(model.index(2, InspectorModel::AColumn).data().toString(), QStringLiteral("–"));
    }

    /// A third click on a column's header shows the figures in their own order again.
    void aThirdClickClearsTheOrder() {
        QVERIFY(open());
        const QTableView &table = *window().inspector().table();
        const auto names = [&table] {
            QStringList all;
            for (int row = 0; row < table.model()->rowCount(); ++row)
                all += table.model()->index(row, 0).data().toString();
            return all;
        };
        const QStringList before = names();
        QHeaderView *header = table.horizontalHeader();
        const QPoint at(header->sectionViewportPosition(InspectorModel::AColumn) + 8, header->height() / 2);
        for (int click = 0; click < 3; ++click) {
            QCOMPARE(names() == before, click == 0);
            QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, at);
        }
        QCOMPARE(header->sortIndicatorSection(), -1);
        QCOMPARE(header->sortIndicatorOrder(), Qt::AscendingOrder);
        QCOMPARE(names(), before);
    }

    /// The notes of a cluster that both sides run on are shown once, those of a side's own cluster as that side's.
    void notesOfAClusterAreItsSides() {
        const auto noted = [](const char *note) {
            Cluster cluster = uniformCluster(2, 10);
            cluster.notes = {note};
            return std::make_shared<const Cluster>(std::move(cluster));
        };
        QVERIFY(open());
        const auto *notes = inspector().findChild<QTextBrowser *>();
        const auto shownAfter = [&](const SessionState &next) {
            session().change(next, QStringLiteral("test"));
            return settle() ? notes->toPlainText() : QString();
        };
        SessionState next = session().state();
        next.compare = true;
        next.cluster = noted("Rack of Ann.");
        QString text = shownAfter(next);
        QCOMPARE(text.count(QStringLiteral("Rack of Ann.")), 1);
        QVERIFY2(text.contains(QStringLiteral("Cluster\n")) && !text.contains(QStringLiteral("Cluster of")), qPrintable(text));
        next.side(Side::B).cluster = noted("Rack of Bob.");
        text = shownAfter(next);
        QCOMPARE(text.count(QStringLiteral("Rack of Ann.")), 1);
        QVERIFY2(text.contains(QStringLiteral("Cluster of A\nRack of Ann.\nCluster of B\nRack of Bob.")), qPrintable(text));
        next.side(Side::A).cluster = noted("Rack of Eve."); // nothing runs on Ann's any more
        text = shownAfter(next);
        QVERIFY2(text.contains(QStringLiteral("Cluster of A\nRack of Eve.\nCluster of B\nRack of Bob.")), qPrintable(text));
        QVERIFY2(!text.contains(QStringLiteral("Ann")), qPrintable(text));
        next.compare = false;
        text = shownAfter(next);
        QVERIFY2(text.contains(QStringLiteral("Cluster\nRack of Eve.")) && !text.contains(QStringLiteral("Bob")),
                 qPrintable(text));
    }
};

QTEST_MAIN(TestInspector)
#include "tst_inspector.moc"
