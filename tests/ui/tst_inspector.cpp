// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of each worker, rank and device of what is shown, beside sums over its lanes that are made here: a selected span's
// worker is the one whose figures are shown.
#include "engine/analyze/metrics.h"
#include "engine/simulate/run.h"
#include "tests/profile/rank_traces.h"
#include "tests/ui/window_fixture.h"
#include "ui/inspector/inspector.h"
#include "ui/timeline/timeline_view.h"

#include <QComboBox>
#include <QLabel>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

using namespace syncopate;
using namespace syncopate::ui;

namespace {

/// Of one worker in a measured iteration, seconds.
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
    void choose(int data) {
        box().setCurrentIndex(box().findData(data));
        Q_EMIT box().activated(box().currentIndex());
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

    /// Without a choice the figures are those of the rank that communication exposes longest, which is named; the mean of all,
    /// once chosen, stays when spans are selected.
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
        choose(AreaQuery::meanOfAll);
        const Figures mean{(each[0].compute + each[1].compute) / 2, (each[0].communication + each[1].communication) / 2,
                           (each[0].overlapped + each[1].overlapped) / 2, (each[0].exposed + each[1].exposed) / 2};
        QVERIFY(shows(mean, InspectorModel::AColumn));
        QVERIFY(!clickSpanOf(1).isEmpty());
        QCOMPARE(box().currentData().toInt(), static_cast<int>(AreaQuery::meanOfAll));
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
        for (int device = 0; device < 2; ++device) {
            QCOMPARE(box().itemText(box().findData(device)), names[device]);
            const QString lane = clickSpanOf(device);
            QVERIFY2(lane.startsWith(names[device]), qPrintable(lane));
            QCOMPARE(box().currentText(), names[device]);
            QVERIFY(shows(figuresOf(recording, device), InspectorModel::AColumn));
        }
    }

    /// Simulated workers that are not alike: a class is what its name says, and a side that lacks the class shows dashes.
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
        for (const std::int32_t worker : {0, classes - 1}) {
            choose(worker);
            const double want = areaStatistics(run->recording().timeline, from, to, worker).communicationSeconds;
            QVERIFY(QTest::qWaitFor([&] { return std::abs(cell("Communication", InspectorModel::AColumn) - want) < 2e-9; },
                                    syncopate::testing::patience));
            QCOMPARE(cell("Compute", InspectorModel::BColumn), other);
        }
        const std::array shownRuns{run, std::shared_ptr<const ShownRun>()};
        AreaQuery query;
        query.worker = classes;
        QVERIFY(!countArea(shownRuns, query).areas[0] && !countArea(shownRuns, query).areas[1]);
        InspectorModel model(theme());
        model.set(run, run, countArea({run, run}, query).areas);
        QVERIFY(model.index(0, InspectorModel::AColumn).data(Qt::UserRole).isValid()); // the iteration is the run's
        QCOMPARE(model.index(2, InspectorModel::AColumn).data().toString(), QStringLiteral("–"));
    }
};

QTEST_MAIN(TestInspector)
#include "tst_inspector.moc"
