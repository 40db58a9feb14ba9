// SPDX-License-Identifier: GPL-3.0-or-later
// Changing conditions in the explorer, compared with the engine's own arms and with single simulations.
#include "tests/checks.h"
#include "tests/ui/small_job.h"
#include "tests/ui/window_fixture.h"
#include "ui/runs/argument_sheet.h"
#include "ui/runs/conditions_preset.h"
#include "ui/runs/run_text.h"
#include "ui/theme/qcustomplot.h"

#include <QAction>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace syncopate;
using namespace syncopate::ui;

namespace {

constexpr const char *schedule = "iteration,bandwidth_gbits,straggler\n0,10,1\n10,0.5,1\n20,10,3\n";

} // namespace

class TestConditions : public QObject, WindowFixture {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        start();
        QVERIFY(open(syncopate::testing::writeSmallJob(m_folder.path()), QStringLiteral("A2")));
        SessionState next = session().state();
        next.servers = 2;
        next.workers = 4;
        next.bandwidthGbits = 2; // overridden by conditions
        next.sides = {SideState{Built{"PSLoadBalancing"}, "bytescheduler"}, SideState{Built{"AllReduce(chunk_size=1)"}, "fifo"}};
        session().change(next, QStringLiteral("test"));
        QVERIFY(settle());
        window().action(QStringLiteral("conditions"))->trigger();
        preset().sheet().scheduleBox().setPlainText(QString::fromLatin1(schedule));
        preset().sheet().lengthBox().setValue(30);
        preset().sheet().evaluationsBox().setValue(8);
        QVERIFY(preset().sheet().tunerSheet().setText("random"));
    }
    void cleanup() { stop(); }

    /// Without a number of evaluations a grid is judged as a whole, as on the command line.
    void aGridIsJudgedWhole() {
        QVERIFY(preset().sheet().tunerSheet().setText("grid(steps=7)"));
        preset().sheet().evaluationsBox().setValue(0);
        QVERIFY(play());
        RetuningOptions options;
        options.iterations = 30;
        options.method = "grid(steps=7)";
        const auto judge = *makeJudge("simulated()");
        const auto retunedSeconds = [&](std::uint64_t evaluations) {
            options.evaluations = evaluations;
            const auto arms = *playRetuning(*recipeOf(session().state(), Side::A), TuneSpace::partitionAndCredit(),
                                            *parseConditions(schedule), options, *judge);
            return arms[retunedArm].totalSeconds;
        };
        QCOMPARE(preset().run()->arms[retunedArm].totalSeconds, retunedSeconds(49));
        QVERIFY(retunedSeconds(49) != retunedSeconds(10)); // else this would prove nothing
    }

    void figuresAreThoseOfTheEngine() {
        QVERIFY(play());
        const auto run = preset().run();
        RetuningOptions options;
        options.iterations = 30;
        options.evaluations = 8;
        options.method = "random";
        options.compares = true;
        const auto judge = *makeJudge("simulated()");
        const auto arms = *playRetuning(*recipeOf(session().state(), Side::A), TuneSpace::partitionAndCredit(),
                                        *parseConditions(schedule), options, *judge);
        QCOMPARE(run->arms.size(), arms.size());
        QCOMPARE(arms.size(), std::size_t{7}); // including AutoByte, a random arm and the plain policy
        for (std::size_t a = 0; a < arms.size(); ++a) {
            QCOMPARE(run->arms[a].name, arms[a].name);
            QCOMPARE(run->arms[a].totalSeconds, arms[a].totalSeconds);
            QCOMPARE(run->arms[a].samplesPerSecond, arms[a].samplesPerSecond);
            QCOMPARE(run->arms[a].changes.size(), arms[a].changes.size());
            const QCPGraph &line = preset().speeds().lineOf(a);
            QCOMPARE(line.dataCount(), 31); // extends to the end of the last iteration
            const double samples = arms[a].samplesPerSecond * arms[a].totalSeconds / 30;
            for (std::size_t i = 0; i < 30; ++i) {
                QCOMPARE(run->arms[a].steps[i].seconds, arms[a].steps[i].seconds);
                COMPARE_CLOSE(line.data()->at(static_cast<int>(i))->value, samples / arms[a].steps[i].seconds, 1e-12);
            }
            QCOMPARE(preset().speeds().changesOf(a).dataCount(), static_cast<int>(arms[a].changes.size()) - 1);
        }
        QCOMPARE(preset().speeds().changesOf(3).data()->at(0)->key, 10.0); // the oracle changes with the bandwidth
        preset().speeds().plot().replot();
        const QStringList below = preset().speeds().conditionTexts();
        QCOMPARE(below.size(), 3);
        QCOMPARE(below[0], QStringLiteral("10 Gbit/s"));
        QCOMPARE(below[1], QStringLiteral("0.5 Gbit/s"));
        QVERIFY2(below[2].startsWith(QLatin1String("10 Gbit/s, ")), qPrintable(below[2]));
        const auto number = [&](int row, int column) {
            return preset().table().proxy().sourceModel()->index(row, column).data(Qt::UserRole).toDouble();
        };
        for (int row = 0; row < 7; ++row) {
            const RetuningArm &arm = arms[static_cast<std::size_t>(row)];
            QCOMPARE(number(row, 2), arm.totalSeconds);
            QCOMPARE(number(row, 3), arm.samplesPerSecond);
            COMPARE_WITHIN(number(row, 4), arm.totalSeconds / arms[oracleArm].totalSeconds - 1, 1e-12);
            QCOMPARE(number(row, 5), static_cast<double>(arm.changes.size() - 1));
        }
        // AutoByte's row states its network's origin and errors; the others have none.
        const auto tip = [&](int row) {
            return preset().table().proxy().sourceModel()->index(row, 1).data(Qt::ToolTipRole).toString();
        };
        const MetaOrigin origin = shippedMetaNetwork()->origin();
        for (const QString &part : {QString::fromStdString(origin.command), percentText(origin.heldOut.medianError),
                                    percentText(origin.leftOut.withinGoal), percentText(origin.leftOut.goal)})
            QVERIFY2(tip(4).contains(part), qPrintable(tip(4)));
        QVERIFY2(!tip(2).contains(QLatin1String("Meta-network")), qPrintable(tip(2)));
    }

    /// The legend names the arms of the present run, each once, also after a run with more arms.
    void theLegendNamesTheArms() {
        const auto named = [&] {
            QStringList names;
            const QCPLegend &legend = *preset().speeds().plot().legend;
            for (int item = 0; item < legend.itemCount(); ++item)
                if (auto *entry = qobject_cast<QCPPlottableLegendItem *>(legend.item(item)))
                    names << entry->plottable()->name();
            names.sort();
            return names;
        };
        const auto arms = [&] {
            QStringList names;
            for (const RetuningArm &arm : preset().run()->arms)
                names << QString::fromStdString(arm.name);
            names.sort();
            return names;
        };
        QVERIFY(play());
        const QStringList many = arms();
        QCOMPARE(named(), many);
        SessionState next = session().state();
        next.side(Side::A).policy = "byteps"; // has no arm of AutoByte
        session().change(next, QStringLiteral("test"));
        QVERIFY(settle());
        QVERIFY(play());
        COMPARE_BELOW(arms().size(), many.size());
        QCOMPARE(named(), arms());
        next.side(Side::A).policy = "bytescheduler";
        session().change(next, QStringLiteral("test"));
        QVERIFY(settle());
        QVERIFY(play());
        QCOMPARE(named(), many);
    }

    void theMarkIsDraggedAndWalks() {
        QVERIFY(play());
        QCustomPlot &plot = preset().speeds().plot();
        plot.replot();
        const QPoint at(static_cast<int>(preset().speeds().pixelOf(12)), plot.axisRect()->center().y());
        QTest::mouseClick(&plot, Qt::LeftButton, {}, at);
        QCOMPARE(preset().speeds().iteration(), std::size_t{12});
        QCOMPARE(preset().markLabel().text(), preset().run()->describe(12));
        QVERIFY(preset().markLabel().text().contains(QLatin1String("iteration 12")));
        plot.setFocus();
        QTest::keyClick(&plot, Qt::Key_Right);
        QCOMPARE(preset().speeds().iteration(), std::size_t{13});
        QTest::keyClick(&plot, Qt::Key_End);
        QCOMPARE(preset().speeds().iteration(), std::size_t{29});
        QTest::keyClick(&plot, Qt::Key_Right);
        QCOMPARE(preset().speeds().iteration(), std::size_t{29});
        const QModelIndex marked = preset().table().proxy().sourceModel()->index(3, 6);
        COMPARE_CLOSE(marked.data(Qt::UserRole).toDouble(), preset().run()->speedOf(3, 29), 1e-12);
    }

    /// A job that does not say its batch has no samples per second: neither of all iterations nor of the marked one.
    void withoutABatchThereAreNoSamples() {
        SessionState next = session().state();
        auto job = std::make_shared<Job>(*next.job);
        job->batchSize = 0;
        next.job = job;
        session().change(next, QStringLiteral("No batch"));
        QVERIFY(settle());
        QVERIFY(play());
        const QAbstractItemModel &model = *preset().table().proxy().sourceModel();
        constexpr int total = 2, samples = 3, marked = 6;
        QVERIFY(model.rowCount() > 0);
        for (int row = 0; row < model.rowCount(); ++row) {
            QVERIFY(std::isfinite(model.index(row, total).data(Qt::UserRole).toDouble()));
            for (const int column : {samples, marked})
                QCOMPARE(model.index(row, column).data().toString(), QStringLiteral("–"));
        }
    }

    /// A side then shows that iteration; the other side stays unchanged, although knobs were turned.
    void anIterationGoesOnASide() {
        QVERIFY(play());
        const SessionState before = session().state();
        const double a = session().run(Side::A)->recording().iterationSeconds;
        for (const auto &[arm, iteration] : {std::pair<std::size_t, std::size_t>{0, 12}, {3, 12}, {6, 12}, {2, 25}}) {
            preset().setIteration(iteration);
            preset().put(arm, Side::B);
            QVERIFY(settle());
            QCOMPARE(session().run(Side::B)->recording().iterationSeconds, preset().run()->arms[arm].steps[iteration].seconds);
            QCOMPARE(session().run(Side::A)->recording().iterationSeconds, a);
            session().undoStack()->undo();
            QVERIFY(session().state() == before);
            QVERIFY(settle());
        }
        preset().speeds().plot().setFocus();
        QTest::keyClick(&preset().speeds().plot(), Qt::Key_A);
        QVERIFY(settle());
        QCOMPARE(session().run(Side::A)->recording().iterationSeconds, preset().run()->arms[retunedArm].steps[25].seconds);
        QVERIFY2(preset().stateLabel().text().contains(QLatin1String("before the knobs")),
                 qPrintable(preset().stateLabel().text()));
    }

    /// The mark moves at the pace of the chosen arm: its own steps determine where a share of its time has passed.
    void iterationsArePlayedAtTheirPace() {
        QVERIFY(play());
        IterationPlayer &player = preset().player();
        QTest::keyClick(&focusedPlot(), Qt::Key_Space);
        QVERIFY(player.isPlaying());
        QCOMPARE(preset().playButton().text(), QStringLiteral("Pause"));
        QVERIFY(QTest::qWaitFor([&] { return preset().speeds().iteration() > 0; }, syncopate::testing::patience));
        QTest::keyClick(&focusedPlot(), Qt::Key_Space);
        QVERIFY(!player.isPlaying());
        for (const std::size_t arm : {std::size_t{0}, oracleArm}) {
            preset().table().select(static_cast<RunId>(arm));
            const RetuningArm &trained = preset().run()->arms[arm];
            for (const double share : {0.0, 0.2, 0.5, 0.9}) {
                preset().setIteration(0);
                for (int tick = 0; tick < 100; ++tick) // like the timer, in small steps
                    player.advance(share * IterationPlayer::wholeSeconds / 100);
                const double moment = share * trained.totalSeconds;
                std::size_t shown = 0;
                while (shown + 1 < trained.steps.size() && trained.steps[shown + 1].startSeconds <= moment * (1 + 1e-9))
                    ++shown;
                QCOMPARE(preset().speeds().iteration(), shown);
                QCOMPARE(preset().slider().value(), static_cast<int>(shown));
                QCOMPARE(preset().markLabel().text(), preset().run()->describe(shown));
            }
        }
        player.play();
        player.advance(2 * IterationPlayer::wholeSeconds);
        QCOMPARE(preset().speeds().iteration(), std::size_t{29});
        QVERIFY(!player.isPlaying());
        player.play(); // from the start again
        QCOMPARE(preset().speeds().iteration(), std::size_t{0});
        player.pause();
        preset().slider().setValue(17);
        QCOMPARE(preset().speeds().iteration(), std::size_t{17});
    }

    /// B shows the engine's result for the marked iteration while the mark moves, and all of it is one undo step.
    void bFollowsTheMark() {
        QVERIFY(play());
        const SessionState before = session().state();
        const int steps = session().undoStack()->count();
        QTest::mouseClick(&preset().followButton(), Qt::LeftButton);
        preset().table().select(static_cast<RunId>(oracleArm));
        for (const std::size_t iteration : {std::size_t{3}, std::size_t{12}, std::size_t{25}}) {
            preset().setIteration(iteration);
            QVERIFY(settle());
            QCOMPARE(session().run(Side::B)->recording().iterationSeconds,
                     preset().run()->arms[oracleArm].steps[iteration].seconds);
        }
        QVERIFY(QTest::qWaitFor([&] { return session().undoStack()->count() > steps; }, syncopate::testing::patience));
        QTest::mouseClick(&preset().followButton(), Qt::LeftButton);
        QVERIFY(session().undoStack()->undoText().contains(QLatin1String("iteration 25 of oracle as B")));
        session().undoStack()->setIndex(steps);
        QVERIFY(session().state() == before);
        QVERIFY(settle());
        preset().setIteration(5); // B no longer follows
        QVERIFY(session().state() == before);
    }

    /// The settings file for the policy's system has the setting in effect at the mark, in whole parameters.
    void theMarkedSettingIsWritten() {
        QVERIFY(play());
        preset().table().select(static_cast<RunId>(oracleArm));
        QSignalSpy written(&preset(), &ConditionsPreset::settingWritten);
        for (const std::size_t iteration : {std::size_t{2}, std::size_t{15}}) {
            preset().setIteration(iteration);
            const QString path = m_folder.filePath(QStringLiteral("setting%1.env").arg(iteration));
            preset().writeSetting(path);
            QVERIFY(written.wait(syncopate::testing::patience));
            QFile file(path);
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QString text = QString::fromUtf8(file.readAll());
            const std::vector<double> &values = preset().run()->settingOf(oracleArm, iteration);
            const long long partition = std::llround(values[0] / 4), credit = std::llround(values[1] / values[0]) * partition;
            for (const auto &[key, parameters] :
                 {std::pair{"BYTESCHEDULER_PARTITION", partition}, {"BYTESCHEDULER_CREDIT", credit}}) {
                const QString line = QStringLiteral("\n%1=%2\n").arg(QLatin1String(key)).arg(parameters);
                QVERIFY2(text.contains(line), qPrintable(line + text));
            }
        }
        QVERIFY(preset().run()->settingOf(oracleArm, 2) != preset().run()->settingOf(oracleArm, 15));
        QSignalSpy failed(&session(), &Session::failed);
        preset().table().select(RunId{6}); // fifo belongs to no system
        preset().writeSetting(m_folder.filePath(QStringLiteral("fifo.env")));
        QVERIFY(failed.wait(syncopate::testing::patience));
        QVERIFY(!QFile::exists(m_folder.filePath(QStringLiteral("fifo.env"))));
    }

    void tablesAreChecked() {
        QVERIFY(preset().startButton().isEnabled());
        preset().sheet().scheduleBox().setPlainText(QStringLiteral("iteration,bandwidth_gbits\n0,10\n0,20\n"));
        QVERIFY(!preset().startButton().isEnabled());
        QVERIFY2(preset().sheet().whyNot(session().state()).contains(QLatin1String("begins at 0")),
                 qPrintable(preset().sheet().whyNot(session().state())));
        QFile file(m_folder.filePath(QStringLiteral("conditions.csv")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(schedule);
        file.close();
        preset().sheet().openFile(file.fileName());
        QCOMPARE(preset().sheet().scheduleBox().toPlainText(), QString::fromLatin1(schedule));
        QVERIFY(preset().startButton().isEnabled());
        preset().sheet().openFile(m_folder.filePath(QStringLiteral("none.csv")));
        QCOMPARE(preset().sheet().scheduleBox().toPlainText(), QString::fromLatin1(schedule)); // unchanged
        SessionState next = session().state();
        next.side(Side::A).policy = "fifo";
        session().change(next, QStringLiteral("policy"));
        QVERIFY(!preset().startButton().isEnabled());
    }

    void stopEndsIt() {
        preset().sheet().evaluationsBox().setValue(10'000);
        preset().start();
        QVERIFY(preset().isRunning());
        QTest::mouseClick(&preset().stopButton(), Qt::LeftButton);
        QVERIFY(!preset().isRunning());
        QVERIFY(preset().stateLabel().text().startsWith(QLatin1String("stopped")));
        const QString text = preset().stateLabel().text();
        QTest::qWait(200); // nothing more arrives
        QCOMPARE(preset().stateLabel().text(), text);
        QVERIFY(!preset().run());
        QCOMPARE(preset().stopButton().text(), QStringLiteral("Again"));
        // With a policy that has no settings nothing can be played again, and the line says why.
        SessionState next = session().state();
        next.side(Side::A).policy = "fifo";
        session().change(next, QStringLiteral("policy"));
        QVERIFY2(preset().stateLabel().text().contains(QLatin1String("no settings to tune")),
                 qPrintable(preset().stateLabel().text()));
        QVERIFY(preset().stopButton().text() != QStringLiteral("Again"));
        session().undoStack()->undo();
        QCOMPARE(preset().stateLabel().text(), text);
        preset().sheet().scheduleBox().insertPlainText(QStringLiteral("x")); // while a schedule is typed
        QVERIFY(preset().stopButton().text() != QStringLiteral("Again"));
        preset().sheet().scheduleBox().undo();
        QCOMPARE(preset().stateLabel().text(), text);
        QCOMPARE(preset().stopButton().text(), QStringLiteral("Again"));
    }

    /// By the clock, a slower arm meets a condition in an earlier iteration: its figure is not for the condition that is named.
    void anArmUnderAnotherConditionSaysSo() {
        ConditionsRun run;
        run.plan.state = session().state();
        run.plan.schedule = *parseConditions("seconds,bandwidth_gbits\n0,10\n1,2\n");
        for (const char *name : {"default", "once", "re-tuned", "oracle"}) {
            const bool isSlow = run.arms.empty();
            const double seconds = isSlow ? 1 : 0.5; // of an iteration of 10 samples
            RetuningArm arm;
            arm.name = name;
            arm.steps = {{0, seconds, 0, false}, {seconds, seconds, isSlow ? std::size_t{1} : std::size_t{0}, false}};
            arm.totalSeconds = 2 * seconds;
            arm.samplesPerSecond = 10 / seconds;
            run.arms.push_back(arm);
        }
        QCOMPARE(run.describe(0), QStringLiteral("iteration 0, 10 Gbit/s, samples/s: default 10.0, once 20.0, re-tuned 20.0, "
                                                 "oracle 20.0"));
        QCOMPARE(run.describe(1), QStringLiteral("iteration 1, 10 Gbit/s, samples/s: default 10.0 (2 Gbit/s), once 20.0, "
                                                 "re-tuned 20.0, oracle 20.0"));
    }

    /// As on the command line: bandwidth changes nothing for collectives on named channels, which do not use the cards.
    void aScheduleThatChangesNothingIsTold() {
        const auto playOn = [this](std::vector<Channel> channels) {
            SessionState next = session().state();
            auto cluster = std::make_shared<Cluster>(*next.cluster);
            cluster->namedChannels = std::move(channels);
            next.cluster = cluster;
            next.side(Side::A) = SideState{Built{"AllReduce(chunk_size=1)"}, "bytescheduler"};
            session().change(next, QStringLiteral("test"));
            return settle() && play();
        };
        preset().sheet().scheduleBox().setPlainText(QStringLiteral("iteration,bandwidth_gbits\n0,10\n15,0.5\n"));
        QVERIFY(playOn({}));
        const auto text = [this] { return preset().stateLine().state().text; };
        QVERIFY2(!text().contains(QLatin1String("named channels")), qPrintable(text()));
        COMPARE_ABOVE(preset().run()->arms[0].steps[29].seconds, 1.1 * preset().run()->arms[0].steps[0].seconds);
        QVERIFY(playOn({{.name = "rdma", .links = {"rdma"}, .bandwidthBytesPerSecond = 125e6}}));
        COMPARE_CLOSE(preset().run()->arms[0].steps[29].seconds, preset().run()->arms[0].steps[0].seconds, 1e-9);
        QVERIFY2(text().contains(QLatin1String("bandwidth_gbits and network_jobs change the nodes' cards")) &&
                     text().contains(QLatin1String("leave these columns out")),
                 qPrintable(text()));
    }

private:
    QCustomPlot &focusedPlot() {
        preset().speeds().plot().setFocus();
        return preset().speeds().plot();
    }
    ConditionsPreset &preset() { return *window().findChild<ConditionsPreset *>(); }
    bool play() {
        const auto before = preset().run();
        QTest::mouseClick(&preset().startButton(), Qt::LeftButton);
        const auto isOver = [&] { return preset().run() && preset().run() != before && preset().run()->complete; };
        return QTest::qWaitFor(isOver, syncopate::testing::patience) && preset().run()->hasArms();
    }

    QTemporaryDir m_folder;
};

QTEST_MAIN(TestConditions)
#include "tst_conditions.moc"
