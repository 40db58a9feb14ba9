// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/link_loads.h"
#include "engine/export/export.h"
#include "engine/session/session_state.h"
#include "engine/simulate/measured_run.h"
#include "engine/simulate/run.h"
#include "engine/strategy/builders.h"
#include "engine/strategy/strategy_file.h"
#include "tests/checks.h"
#include "tests/scenarios.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <type_traits>

using namespace syncopate;

// A recording has no strategy and no graph: functions that need them do not accept one.
static_assert(!std::is_convertible_v<const Recording &, const Run &>);
static_assert(!std::is_convertible_v<std::shared_ptr<const Recording>, std::shared_ptr<const Run>>);
static_assert(!std::is_invocable_v<decltype(&variableRows), const Recording &>);
static_assert(!std::is_invocable_v<decltype(&serverShares), const Recording &>);
static_assert(std::is_same_v<decltype(measuredRecording(nullptr, nullptr)), std::shared_ptr<const Recording>>);

namespace {

SessionState twoSides() {
    SessionState state;
    state.job = std::make_shared<const Job>(testing::chainJob({{0.002, 0.004, 500000}, {0.002, 0.004, 500000}}));
    state.cluster = std::make_shared<const Cluster>(uniformCluster(4, 10));
    state.sides = {SideState{Built{"PS"}, "fifo"}, SideState{Built{"AllReduce"}, "fifo"}};
    return state;
}

std::shared_ptr<const Strategy> built(const SessionState &state, const char *builder) {
    return std::make_shared<const Strategy>(*buildStrategy(builder, *state.job, *state.cluster));
}

} // namespace

class TestSource : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    std::string written(const Strategy &strategy, const char *name) {
        QFile file(m_folder.filePath(QString::fromLatin1(name)));
        if (!file.open(QIODevice::WriteOnly))
            return {};
        file.write(QByteArray::fromStdString(writeStrategyJson(strategy)));
        return file.fileName().toStdString();
    }

private slots:
    /// A chosen file's content is kept, even if the file changes or goes.
    void aFileIsReadWhenItIsChosen() {
        SessionState state = twoSides();
        const auto strategy = built(state, "PartitionedPS");
        const std::string path = written(*strategy, "chosen.json");
        state.side(Side::A).source = readSource(path);
        const auto before = makeScenario(state, Side::A);
        VERIFY_VALUE(before);
        QVERIFY(before->strategy->nodes == strategy->nodes);
        QVERIFY(QFile::remove(QString::fromStdString(path)));
        state.bandwidthGbits = 25;
        const auto after = makeScenario(state, Side::A);
        VERIFY_VALUE(after);
        QVERIFY(after->strategy->nodes == strategy->nodes);
        VERIFY_VALUE(simulate(*after));
        QCOMPARE(strategyTitle(state.side(Side::A)), path);
    }

    void aFileThatCannotBeReadSaysWhy() {
        SessionState state = twoSides();
        state.side(Side::B).source = readSource("nowhere/there.pb");
        const auto scenario = makeScenario(state, Side::B);
        QVERIFY(!scenario);
        const auto direct = readStrategyFile("nowhere/there.pb");
        QCOMPARE(scenario.error().toString(), [&] {
            Error error = direct.error();
            error.what = "B: " + error.what;
            return error.toString();
        }());
    }

    void filesAreEqualByWhatTheyHeld() {
        const SessionState state = twoSides();
        const std::string path = written(*built(state, "PS"), "same.json");
        const Source first = readSource(path), second = readSource(path);
        QVERIFY(first == second);
        written(*built(state, "AllReduce"), "same.json");
        QVERIFY(readSource(path) != first);
        QVERIFY(QFile::remove(QString::fromStdString(path)));
        QVERIFY(readSource(path) != first);
        QVERIFY(readSource(path) == readSource(path));
    }

    void textsMeanSources() {
        QVERIFY(readSource("measured") == Source(Measured{}));
        QVERIFY(readSource("AllReduce(chunk_size=128)") == Source(Built{"AllReduce(chunk_size=128)"}));
        QVERIFY(namesStrategyFile("x.pb") && namesStrategyFile("a/b") && !namesStrategyFile("PS"));
        for (const char *text : {"measured", "AllReduce", "no/such.json", ""})
            QCOMPARE(textOf(readSource(text)), std::string(text));
    }

    /// Edits and played steps are layered over the chosen source, and are discarded in favour of it.
    void whatLiesBeneath() {
        const SessionState state = twoSides();
        const auto strategy = built(state, "PS");
        const Source chosen = Built{"PSLoadBalancing"};
        const Source changed = edited(chosen, strategy);
        QCOMPARE(strategyTitle({changed, "fifo"}), std::string("PSLoadBalancing, edited"));
        QVERIFY(withoutEdits(changed) == chosen);
        const Source trial = replaced(chosen, strategy, "trial 17");
        QCOMPARE(strategyTitle({trial, "fifo"}), std::string("trial 17"));
        QCOMPARE(strategyTitle({edited(trial, strategy), "fifo"}), std::string("trial 17, edited"));
        QCOMPARE(strategyTitle({edited(edited(trial, strategy), strategy), "fifo"}), std::string("trial 17, edited"));
        TraceRequest request;
        request.title = "4 workers";
        const Source steps = played(played(trial, request), request);
        QCOMPARE(strategyTitle({steps, "fifo"}), std::string("4 workers"));
        QCOMPARE(textOf(steps), std::string("PSLoadBalancing"));
        QVERIFY(withoutRuns(steps) == trial);
        QVERIFY(withoutEdits(steps) == chosen);
        QVERIFY(withoutEdits(replaced(Measured{}, strategy, "trial 1")) == Source(Built{"AllReduce"}));
    }

    void recordingsHaveNoScenario() {
        SessionState state = twoSides();
        state.side(Side::A).source = Measured{};
        state.side(Side::B).source = played(Measured{}, {});
        QVERIFY(!state.side(Side::A).hasScenario() && !state.side(Side::B).hasScenario());
        QCOMPARE(makeScenario(state, Side::A).error().what, std::string("A: shows a measured step, which has no scenario"));
        QCOMPARE(makeScenario(state, Side::B).error().what, std::string("B: shows generated steps, which have no scenario"));
    }
};

QTEST_GUILESS_MAIN(TestSource)
#include "tst_source.moc"
