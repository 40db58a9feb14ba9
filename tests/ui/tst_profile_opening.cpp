// SPDX-License-Identifier: GPL-3.0-or-later
// The first contact with a profile: the measured step beside its simulation on the same machines, with the error, what the
// profile lacks, and where it cannot be compared.
#include "engine/analyze/calibrate_files.h"
#include "engine/job/job_file.h"
#include "engine/session/recorded_cluster.h"
#include "engine/simulate/run.h"
#include "tests/profile/tiny_trace.h"
#include "tests/ui/window_fixture.h"
#include "ui/inspector/inspector.h"
#include "ui/inspector/inspector_model.h"
#include "ui/inspector/profile_panel.h"
#include "ui/knobs/knobs_panel.h"
#include "ui/throughput/throughput_panel.h"
#include "ui/topology/topology_panel.h"
#include "ui/topology/topology_view.h"
#include "ui/window/message_bar.h"
#include "ui/window/perspectives.h"

#include <QAction>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

using namespace syncopate;
using namespace syncopate::ui;

class TestProfileOpening : public QObject, WindowFixture {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString written(const char *name, const std::string &text) {
        QFile file(m_folder.filePath(QString::fromUtf8(name)));
        if (!file.open(QIODevice::WriteOnly))
            return {};
        file.write(QByteArray::fromStdString(text));
        return file.fileName();
    }
    QString profile() { return written("tiny.json", tiny::trace()); }
    ProfilePanel &panel() { return window().profile(); }
    /// Cell of the inspector's row that is called so.
    QVariant cell(const char *row, int column, int role) {
        const auto *model = window().inspector().findChild<QTableView *>()->model();
        for (int r = 0; r < model->rowCount(); ++r)
            if (model->index(r, InspectorModel::MetricColumn).data().toString() == QString::fromUtf8(row))
                return model->index(r, column).data(role);
        return {};
    }

private Q_SLOTS:
    void init() { start(); }
    void cleanup() { stop(); }

    void itsOwnMachinesAreTheFirstCluster() {
        QVERIFY(openProfile(profile()));
        QCOMPARE(session().state().clusterSource, std::string(recordedClusterName));
        QCOMPARE(session().state().cluster->replicaCount(), 2);
        QVERIFY2(panel().facts().contains(QStringLiteral("2 ranks")), qPrintable(panel().facts()));
    }

    /// One summary, in front: the measured step, the simulation of the same step on the same machines, and the error.
    void theMeasuredStepIsHeldAgainstItsSimulation() {
        QVERIFY(openProfile(profile()));
        QTRY_VERIFY(!panel().isPending());
        QVERIFY(panel().isVisible() && !panel().visibleRegion().isEmpty());
        QVERIFY(window().messageBar().isHidden());
        QVERIFY(std::holds_alternative<Measured>(session().state().side(Side::A).source));
        const double measured = session().run(Side::A)->recording().iterationSeconds;
        const double simulated = session().run(Side::B)->recording().iterationSeconds;
        QVERIFY(session().run(Side::B)->simulation());
        QVERIFY(panel().check().has_value());
        QCOMPARE(panel().check()->measuredSeconds, measured);
        QCOMPARE(panel().check()->simulatedSeconds, simulated);
        const QString percent = QString::number(std::abs(100 * (simulated / measured - 1)), 'f', 1) + QStringLiteral(" %");
        QVERIFY2(panel().verdict().contains(percent), qPrintable(panel().verdict() + QStringLiteral(" has no ") + percent));
        QVERIFY2(panel().verdict().contains(QStringLiteral("machines that the profile names")), qPrintable(panel().verdict()));
    }

    /// A recording can only be viewed: room for its timeline, the reason once, and no figure that the file does not state.
    void aRecordingOpensAsATrace() {
        session().open(QStringLiteral(SYNCOPATE_SOURCE "/tests/data/recordings/rocpd_v4.db"));
        QVERIFY(
            QTest::qWaitFor([this] { return session().run(Side::A) && !session().isLoading(); }, syncopate::testing::patience));
        QVERIFY(settle());
        QCOMPARE(window().perspectives().present(), QStringLiteral("trace"));
        QVERIFY2(panel().verdict().contains(QStringLiteral("no training step")), qPrintable(panel().verdict()));
        QVERIFY2(!panel().facts().contains(panel().verdict()), qPrintable(panel().facts()));
        QCOMPARE(panel().batchBox().text(), QStringLiteral("not known"));
        for (const QPushButton *button : window().throughput().findChildren<QPushButton *>())
            QVERIFY2(button->text() != QStringLiteral("Predict") || !button->isEnabled(), "nothing can be predicted");
        window().perspectives().show(QStringLiteral("topology"));
        QTRY_VERIFY(!window().topology().view().emptyText().isEmpty());
        QVERIFY2(window().topology().view().emptyText().contains(QStringLiteral("recording")),
                 qPrintable(window().topology().view().emptyText()));
        QVERIFY(!window().topology().view().data());
        window().perspectives().show(QStringLiteral("trace"));
        QVERIFY(openProfile(QStringLiteral("alexnet")));
        QCOMPARE(window().perspectives().present(), QStringLiteral("compare"));
    }

    void anotherJobStartsAsUsual() {
        QVERIFY(openProfile(profile()));
        QVERIFY(openProfile(QStringLiteral("alexnet")));
        QVERIFY(session().run(Side::A)->simulation() && session().run(Side::B)->simulation());
        QVERIFY(session().state().side(Side::A) != session().state().side(Side::B));
        QVERIFY(panel().facts().isEmpty() && !panel().check());
    }

    /// A knob that affects neither side says so, until a side is simulated over links.
    void knobsWithoutEffectSaySo() {
        QVERIFY(openProfile(profile()));
        const Knob *bandwidth = window().knobs().knob(QStringLiteral("bandwidth"));
        const auto marked = [](const Knob *knob) {
            const auto labels = knob->findChildren<QLabel *>();
            return std::any_of(labels.begin(), labels.end(), [knob](const QLabel *label) {
                return label->isVisibleTo(knob) && label->text() == QStringLiteral("no effect");
            });
        };
        QVERIFY(!marked(bandwidth)); // B is simulated
        SessionState alone = session().state();
        alone.compare = false; // A is measured
        session().change(alone, QStringLiteral("A alone"));
        QVERIFY(marked(bandwidth));
        QVERIFY2(bandwidth->slider()->toolTip().contains(QStringLiteral("measured")), qPrintable(bandwidth->slider()->toolTip()));
        QVERIFY(bandwidth->slider()->isEnabled()); // Throughput may use it
        alone.side(Side::A) = {Built{"AllReduce"}, "fifo"};
        auto cluster = std::make_shared<Cluster>(*alone.cluster);
        cluster->nodes.resize(1);
        alone.cluster = cluster;
        session().change(alone, QStringLiteral("One node"));
        QVERIFY2(bandwidth->slider()->toolTip().contains(QStringLiteral("one node")), qPrintable(bandwidth->slider()->toolTip()));
        QVERIFY(!marked(window().knobs().knob(QStringLiteral("workers"))));
        QVERIFY(settle());
        session().open(QStringLiteral("alexnet"), QStringLiteral("A2"));
        QTRY_VERIFY_WITH_TIMEOUT(session().state().source == "alexnet", syncopate::testing::patience);
        QVERIFY(settle());
        QVERIFY(!marked(bandwidth) && !bandwidth->slider()->toolTip().contains(QStringLiteral("Without effect")));
    }

    void itMovesToAnotherCluster() {
        QVERIFY(openProfile(profile()));
        QAction *a2 = nullptr;
        for (QAction *action : panel().moveMenu().actions())
            if (action->data().toString() == QStringLiteral("A2"))
                a2 = action;
        QVERIFY(a2 && a2->text().contains(QStringLiteral("11 nodes, one GeForce TITAN X each"))); // with its description
        const QString speed = QStringLiteral("devices keep the speed that was recorded");
        QVERIFY2(panel().moveMenu().actions().first()->text().contains(speed),
                 qPrintable(panel().moveMenu().actions().first()->text()));
        QVERIFY(!panel().moveMenu().actions().first()->isEnabled() && !panel().sides().contains(speed));
        a2->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(session().state().side(Side::B).clusterSource == "A2", syncopate::testing::patience);
        QVERIFY(settle());
        QCOMPARE(session().state().clusterSource, std::string(recordedClusterName)); // the cluster that it is compared on stays
        SessionState alone = session().state();
        alone.cluster = std::make_shared<const Cluster>(*catalogueCluster("A2"));
        alone.side(Side::B).cluster.reset();
        QCOMPARE(session().run(Side::B)->recording().iterationSeconds,
                 (*simulate(*makeScenario(alone, Side::B)))->iterationSeconds);
        QVERIFY2(panel().sides().contains(QStringLiteral("on A2")), qPrintable(panel().sides()));
        QVERIFY2(panel().sides().contains(speed), qPrintable(panel().sides()));
    }

    /// While B's next strategy is being simulated, the time of the one before stands beside that one's name.
    void timesAreOfTheStrategyNamed() {
        QVERIFY(openProfile(profile()));
        const QString before = panel().sides();
        SessionState next = session().state();
        next.side(Side::B).source = Built{"PSLoadBalancing"};
        session().change(next, QStringLiteral("another strategy"));
        QVERIFY(session().isStale(Side::B));
        QCOMPARE(panel().sides(), before);
        QVERIFY(settle());
        QVERIFY2(panel().sides().contains(QStringLiteral("B: PSLoadBalancing on")), qPrintable(panel().sides()));
    }

    /// Moving shows B's simulation where B was hidden or a measurement, too.
    void movingSimulatesB() {
        QVERIFY(openProfile(profile()));
        SessionState alone = session().state();
        alone.compare = false;
        alone.side(Side::B) = alone.side(Side::A);
        session().change(alone, QStringLiteral("A alone"));
        QVERIFY(settle());
        const int steps = session().undoStack()->index();
        panel().moveTo(QStringLiteral("no such cluster"));
        QTRY_VERIFY_WITH_TIMEOUT(!session().isLoading(), syncopate::testing::patience);
        QVERIFY(!session().state().compare);
        panel().moveTo(QStringLiteral("A2"));
        QTRY_VERIFY_WITH_TIMEOUT(session().state().side(Side::B).clusterSource == "A2", syncopate::testing::patience);
        QVERIFY(settle());
        QVERIFY(session().state().compare && session().state().side(Side::B).hasScenario());
        QVERIFY(std::holds_alternative<Measured>(session().state().side(Side::A).source));
        QVERIFY(session().run(Side::B) && session().run(Side::B)->simulation());
        QVERIFY2(panel().sides().contains(QStringLiteral("on A2")), qPrintable(panel().sides()));
        QCOMPARE(session().undoStack()->index(), steps + 1);
    }

    /// The cluster's figures change as the command line's calibration changes them, in one undo step, and the check follows.
    void measurementsCalibrateIt() {
        QVERIFY(openProfile(profile()));
        QTRY_VERIFY(!panel().isPending());
        const SessionState before = session().state();
        const QString log = written("costs.csv", "");
        QFile::remove(log);
        QVERIFY(QFile::copy(QStringLiteral(SYNCOPATE_SOURCE "/tests/data/calibrate/message_cost.csv"), log));
        session().calibrate({log});
        QTRY_VERIFY_WITH_TIMEOUT(session().state().clusterEdited, syncopate::testing::patience);
        const auto wanted = calibrateCluster(*before.cluster, *readCalibrationFiles({log.toStdString()}), {});
        QVERIFY(wanted.has_value() && !wanted->figures.empty());
        QVERIFY(*session().state().cluster == wanted->cluster);
        QVERIFY2(window().messageBar().text().contains(QString::fromStdString(wanted->figures.front().key)),
                 qPrintable(window().messageBar().text()));
        QVERIFY(settle());
        QTRY_VERIFY(!panel().isPending());
        QCOMPARE(panel().check()->simulatedSeconds, session().run(Side::B)->recording().iterationSeconds);
        session().undoStack()->undo();
        QVERIFY(session().state() == before);
    }

    /// Figures are measured against the shown cluster, with its knobs; changes made while a log is read stay.
    void calibrationKnowsTheKnobs() {
        QVERIFY(openProfile(profile()));
        const QString log = QStringLiteral(SYNCOPATE_SOURCE "/tests/data/calibrate/message_cost.csv");
        SessionState turned = session().state();
        turned.bandwidthGbits = 3;
        session().change(turned, QStringLiteral("Bandwidth"));
        session().calibrate({log});
        turned.bandwidthGbits = 5;
        session().change(turned, QStringLiteral("Bandwidth"));
        QTRY_VERIFY_WITH_TIMEOUT(!session().isLoading(), syncopate::testing::patience);
        QVERIFY(session().state() == turned);
        QVERIFY2(window().messageBar().text().contains(QStringLiteral("Not calibrated")),
                 qPrintable(window().messageBar().text()));
        session().calibrate({log});
        QTRY_VERIFY_WITH_TIMEOUT(session().state().clusterEdited, syncopate::testing::patience);
        const auto wanted = calibrateCluster(withKnobs(*turned.cluster, turned), *readCalibrationFiles({log.toStdString()}), {});
        QVERIFY(*session().state().cluster == wanted->cluster);
        QVERIFY(!session().state().bandwidthGbits);
    }

    /// A catalogue job's default cluster came with that job, and the profile's with the profile.
    void noClusterIsInherited() {
        QVERIFY(openProfile(QStringLiteral("alexnet")));
        QCOMPARE(session().state().clusterSource, std::string("B7"));
        QVERIFY(openProfile(profile()));
        QCOMPARE(session().state().clusterSource, std::string(recordedClusterName));
        QVERIFY(openProfile(QStringLiteral("alexnet")));
        QCOMPARE(session().state().clusterSource, std::string("B7"));
    }

    void aChosenClusterStaysAndIsSaid() {
        QVERIFY(openProfile(QStringLiteral("alexnet")));
        session().openCluster(QStringLiteral("A2"));
        QVERIFY(QTest::qWaitFor([&] { return session().state().clusterSource == "A2"; }, syncopate::testing::patience));
        QVERIFY(settle());
        QVERIFY(openProfile(profile()));
        QCOMPARE(session().state().clusterSource, std::string("A2"));
        QVERIFY2(panel().sides().contains(QStringLiteral("A2, which was chosen before")), qPrintable(panel().sides()));
        SessionState edited = session().state();
        edited.cluster = std::make_shared<const Cluster>(*edited.cluster);
        edited.clusterEdited = true;
        session().change(edited, QStringLiteral("Edit"));
        QVERIFY(settle());
        QVERIFY2(panel().sides().contains(QStringLiteral(" on A2 (edited), ")), qPrintable(panel().sides()));
        session().openCluster(QString::fromLatin1(recordedClusterName));
        QVERIFY(QTest::qWaitFor([&] { return session().state().clusterSource == recordedClusterName; },
                                syncopate::testing::patience));
        QCOMPARE(session().state().cluster->replicaCount(), 2);
    }

    /// A simulated profile waits for its host as the profile did, so that times of the device are compared; the wait that stands
    /// for another strategy's messages is not.
    void whatCannotBeComparedHasNoDifference() {
        QVERIFY(openProfile(profile()));
        SessionState next = session().state();
        next.side(Side::A) = {Measured{}, {}};
        session().change(next, QStringLiteral("measured"));
        QVERIFY(settle());
        const int delta = InspectorModel::DeltaColumn;
        QCOMPARE(cell("· transfers", delta, Qt::DisplayRole).toString(), QStringLiteral("–"));
        QVERIFY(!cell("· transfers", delta, Qt::ToolTipRole).toString().isEmpty());
        for (const char *row : {"Iteration", "Samples/s", "Compute", "· for the host"})
            QVERIFY2(cell(row, delta, Qt::DisplayRole).toString() != QStringLiteral("–"), row);
        // Two simulations are compared in everything.
        next.side(Side::A) = {Built{"PS"}, "fifo"};
        session().change(next, QStringLiteral("simulated"));
        QVERIFY(settle());
        QVERIFY(cell("· transfers", delta, Qt::DisplayRole).toString() != QStringLiteral("–"));
    }

    void missingSizesCanBeAttached() {
        tiny::Spelling spelling;
        spelling.shapes = spelling.metadata = false;
        QVERIFY(openProfile(written("bare.json", tiny::trace(spelling))));
        QVERIFY(session().state().job->variables.empty());
        QVERIFY2(panel().facts().contains(QStringLiteral("does not state the sizes")), qPrintable(panel().facts()));
        QVERIFY(panel().attachButton().isVisible());
        // The effect of its file dialog: the same model with its sizes.
        session().attachSizes(written("sizes.json", writeJobText((*tiny::import(tiny::trace()))->job)));
        QVERIFY(QTest::qWaitFor([&] { return !session().isLoading() && !session().state().job->variables.empty(); },
                                syncopate::testing::patience));
        QCOMPARE(session().state().job->variables.size(), std::size_t(2));
        QVERIFY(settle());
        QVERIFY(!panel().facts().contains(QStringLiteral("does not state the sizes")));
        QVERIFY(!panel().attachButton().isVisible());
    }

    /// A typing error in the batch of a job file is mended by typing again, and 0 takes the batch back.
    void aStatedBatchCanBeStatedAgain() {
        QVERIFY(openProfile(written("bare.json", R"({"name": "bare", "layers": [
            {"name": "a", "forward_seconds": 0.01, "backward_seconds": 0.02, "variables": [{"name": "w", "shape": [1000]}]}]})")));
        QSpinBox &batch = panel().batchBox();
        QVERIFY(batch.isEnabled());
        QCOMPARE(session().state().job->batchSize, 0.0);
        const auto notes = session().state().job->notes;
        for (const int samples : {3, 32}) {
            batch.setValue(samples);
            QCOMPARE(session().state().job->batchSize, double(samples));
            QVERIFY2(batch.isEnabled(), qPrintable(QString::number(samples)));
            QCOMPARE(session().state().job->notes.size(), notes.size() + 1); // the first value leaves no note
        }
        batch.setValue(0);
        QCOMPARE(session().state().job->batchSize, 0.0);
        QVERIFY(session().state().job->notes == notes);
        session().undoStack()->undo();
        QCOMPARE(batch.value(), 32);
        QVERIFY(batch.isEnabled());
        batch.setValue(1);
        QCOMPARE(batch.text(), QStringLiteral("1 sample"));
        session().undoStack()->undo();
        QCOMPARE(batch.text(), QStringLiteral("32 samples"));
        session().undoStack()->redo();
        QCOMPARE(batch.text(), QStringLiteral("1 sample"));
        QVERIFY(settle());
    }

    /// The times of a catalogue model are those of its batch.
    void aKnownBatchOfTheCatalogueStays() {
        QVERIFY(openProfile(QStringLiteral("alexnet")));
        QVERIFY(!panel().batchBox().isEnabled());
        QCOMPARE(panel().batchBox().value(), static_cast<int>(session().state().job->batchSize));
    }
};

QTEST_MAIN(TestProfileOpening)
#include "tst_profile_opening.moc"
