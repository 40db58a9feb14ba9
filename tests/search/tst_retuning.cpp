// SPDX-License-Identifier: GPL-3.0-or-later
// Conditions over time, and a job that is re-tuned under them.
#include "engine/search/tune/retuning.h"
#include "engine/simulate/run.h"
#include "engine/simulate/steady_state.h"
#include "engine/trial/simulated_judge.h"
#include "tests/checks.h"
#include "tests/scenarios.h"

#include <QtTest>
#include <cmath>
#include <stop_token>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

ScenarioRecipe recipe() {
    ScenarioRecipe made;
    made.job = std::make_shared<const Job>(chainJob({{1e-3, 2e-3, 1'000'000}, {1e-3, 2e-3, 3'000'000}}));
    made.cluster = std::make_shared<const Cluster>(withDedicatedServers(uniformCluster(2, 10), 1));
    made.strategy = BuiltStrategy{"PS"};
    made.policy = *parsePolicy("bytescheduler");
    return made;
}

/// Fastest, 1 s, with a partition of 1 MiB per Gbit/s of the first node's NIC; each factor e away adds 0.1 s.
class FollowsBandwidth final : public Judge {
public:
    [[nodiscard]] std::string text() const override { return "follows()"; }
    [[nodiscard]] bool isDeterministic() const override { return true; }
    [[nodiscard]] Result<Verdict> judge(const Scenario &scenario, std::stop_token /*stop*/) override {
        const double gbits = scenario.cluster->nodes.front().bandwidthBytesPerSecond / 125e6;
        Verdict verdict;
        verdict.iterationSeconds = 2;
        if (!scenario.policy.has("partition"))
            return verdict;
        verdict.iterationSeconds = 1 + 0.1 * std::abs(std::log(scenario.policy.value("partition") / (1048576 * gbits)));
        return verdict;
    }
};

/// Ten seconds over the first node's NIC in Gbit/s, at any setting.
class IsBoundByLinks final : public Judge {
public:
    [[nodiscard]] std::string text() const override { return "links()"; }
    [[nodiscard]] bool isDeterministic() const override { return true; }
    [[nodiscard]] Result<Verdict> judge(const Scenario &scenario, std::stop_token /*stop*/) override {
        Verdict verdict;
        verdict.iterationSeconds = 10 / (scenario.cluster->nodes.front().bandwidthBytesPerSecond / 125e6);
        return verdict;
    }
};

/// 2 s in any scenario: no measurement tells of the conditions.
class AlwaysAlike final : public Judge {
public:
    [[nodiscard]] std::string text() const override { return "alike()"; }
    [[nodiscard]] bool isDeterministic() const override { return true; }
    [[nodiscard]] Result<Verdict> judge(const Scenario & /*scenario*/, std::stop_token /*stop*/) override {
        Verdict verdict;
        verdict.iterationSeconds = 2;
        return verdict;
    }
};

/// Follows the bandwidth for this many calls; during the next one its caller requests a stop.
class StopsAfter final : public Judge {
public:
    explicit StopsAfter(int calls) : m_left(calls) {}
    [[nodiscard]] std::string text() const override { return "stops()"; }
    [[nodiscard]] bool isDeterministic() const override { return true; }
    [[nodiscard]] Result<Verdict> judge(const Scenario &scenario, std::stop_token stop) override {
        if (m_left-- > 0)
            return m_follows.judge(scenario, stop);
        m_stop.request_stop();
        return cancelled();
    }
    [[nodiscard]] std::stop_token token() const { return m_stop.get_token(); }

private:
    FollowsBandwidth m_follows;
    std::stop_source m_stop;
    int m_left;
};

RetuningOptions options() {
    RetuningOptions made;
    made.iterations = 60;
    made.evaluations = 40;
    made.method = "coordinate";
    made.grid = {24, 2};
    made.threads = 1;
    return made;
}

} // namespace

class TestRetuning : public QObject {
    Q_OBJECT

private slots:
    void schedulesAreRead() {
        const auto schedule = parseConditions("iteration,bandwidth_gbits,network_jobs,compute,straggler\n"
                                              "0,10,0,1,1\n20,,2,1.5,1\n40,3,0,1,2\n");
        VERIFY_VALUE(schedule);
        QVERIFY(!schedule->inSeconds);
        QCOMPARE(schedule->conditions.size(), std::size_t{3});
        QVERIFY(!schedule->conditions[1].bandwidthGbits);
        QCOMPARE(schedule->at(0), std::size_t{0});
        QCOMPARE(schedule->at(19), std::size_t{0});
        QCOMPARE(schedule->at(20), std::size_t{1});
        QCOMPARE(schedule->at(1e6), std::size_t{2});
        const auto spreadsheet =
            parseConditions("\xef\xbb\xbfiteration, bandwidth_gbits, network_jobs,compute\r\n0, 10,,\r\n20,\t,2, \r\n");
        VERIFY_VALUE(spreadsheet);
        QCOMPARE(spreadsheet->conditions.size(), std::size_t{2});
        QVERIFY(spreadsheet->conditions[0].sameAs({0, 10.0, 0, 1, 1}));
        QVERIFY(spreadsheet->conditions[1].sameAs({0, std::nullopt, 2, 1, 1}));
        const auto seconds = parseConditions("seconds,straggler\n0,1\n2.5,3\n");
        QVERIFY(seconds && seconds->inSeconds);
        QCOMPARE(seconds->at(2.4), std::size_t{0});
    }

    void hostileSchedulesAreRefused_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("empty") << QByteArray() << QByteArray("conditions.csv");
        QTest::newRow("no clock") << QByteArray("bandwidth_gbits\n10\n") << QByteArray("iteration");
        QTest::newRow("two clocks") << QByteArray("iteration,seconds,compute\n0,0,1\n") << QByteArray("seconds");
        QTest::newRow("nothing changes") << QByteArray("iteration\n0\n") << QByteArray("nothing changes");
        QTest::newRow("no lines") << QByteArray("iteration,compute\n") << QByteArray("0 lines");
        QTest::newRow("late") << QByteArray("iteration,compute\n5,1\n") << QByteArray("begins at 5");
        QTest::newRow("back") << QByteArray("iteration,compute\n0,1\n9,1\n3,2\n") << QByteArray("csv:4:");
        QTest::newRow("twice") << QByteArray("iteration,compute\n0,1\n0,2\n") << QByteArray("csv:3:");
        QTest::newRow("text") << QByteArray("iteration,compute\n0,fast\n") << QByteArray("compute");
        QTest::newRow("NaN") << QByteArray("iteration,compute\n0,nan\n") << QByteArray("compute");
        QTest::newRow("negative") << QByteArray("iteration,network_jobs\n0,-1\n") << QByteArray("network_jobs");
        QTest::newRow("no bandwidth") << QByteArray("iteration,bandwidth_gbits\n0,0\n") << QByteArray("bandwidth_gbits");
        QTest::newRow("fields") << QByteArray("iteration,compute\n0,1,2\n") << QByteArray("csv:2:");
        QTest::newRow("misspelt") << QByteArray("iteration,compute,bandwith_gbits\n0,1,2\n")
                                  << QByteArray("csv:1: the schedule has no column 'bandwith_gbits'");
        QTest::newRow("bytes") << QByteArray("\xff\xfe\0iteration", 12) << QByteArray("conditions.csv");
    }
    void hostileSchedulesAreRefused() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, says);
        const auto schedule =
            parseConditions(std::string_view(text.constData(), static_cast<std::size_t>(text.size())), "conditions.csv");
        QVERIFY(!schedule);
        QVERIFY2(schedule.error().toString().find(says.toStdString()) != std::string::npos, schedule.error().toString().c_str());
    }

    void conditionsChangeTheCluster() {
        ScenarioRecipe base = recipe();
        base.knobs.bandwidthGbits = 20;
        const ScenarioRecipe shared = underCondition(base, {0, std::nullopt, 1, 2, 3});
        COMPARE_CLOSE(shared.cluster->nodes[0].bandwidthBytesPerSecond, 10 * 125e6);
        COMPARE_CLOSE(shared.cluster->nodes[0].computeScale, 1.0 / 6);
        COMPARE_CLOSE(shared.cluster->nodes[1].computeScale, 0.5);
        COMPARE_CLOSE(underCondition(base, {0, 3.0, 0, 1, 1}).cluster->nodes[1].bandwidthBytesPerSecond, 3 * 125e6);
        // Times that were measured over other links are left out.
        base.collectiveCurves = std::make_shared<const std::vector<CollectiveCurve>>(1);
        QVERIFY(underCondition(base, {0, std::nullopt, 0, 2, 1}).collectiveCurves);
        QVERIFY(underCondition(base, {0, 20.0, 0, 1, 1}).collectiveCurves);
        const ScenarioRecipe slower = underCondition(base, {0, 3.0, 0, 1, 1});
        QVERIFY(!slower.collectiveCurves && slower.cluster->staleCurvesLeftOut);
        QVERIFY(!underCondition(base, {0, std::nullopt, 1, 1, 1}).collectiveCurves);
        base.collectiveCurves = nullptr;
        QCOMPARE((Condition{0, std::nullopt, 0, 1, 2}.describe()), std::string("the first worker's compute x 2"));
        QCOMPARE((Condition{0, std::nullopt, 0, 3, 2}.describe()), std::string("compute x 3, the first worker's x 2"));
        const auto plain = makeScenario(base), same = makeScenario(underCondition(base, {}));
        QVERIFY(plain && same);
        QCOMPARE(same->cluster->nodes[0].bandwidthBytesPerSecond, plain->cluster->nodes[0].bandwidthBytesPerSecond);
    }

    /// Collectives on named channels do not use the cards that these conditions change: under any of them the time is the same.
    void linksThatNothingUsesAreSaid() {
        ScenarioRecipe onChannels = recipe();
        Cluster named = uniformCluster(2, 10);
        named.namedChannels = {{.name = "rdma", .links = {"rdma"}, .bandwidthBytesPerSecond = 125e6}};
        onChannels.cluster = std::make_shared<const Cluster>(std::move(named));
        onChannels.strategy = BuiltStrategy{"AllReduce"};
        const auto links = must(parseConditions("iteration,bandwidth_gbits,network_jobs\n0,10,0\n20,1,3\n"));
        const auto rulesOf = [](const ConditionSchedule &schedule, const ScenarioRecipe &of) {
            std::vector<std::string> rules;
            for (const LintMark &mark : lintConditions(schedule, must(makeScenario(of))))
                rules.push_back(mark.rule);
            return rules;
        };
        const auto secondsUnder = [&](const Condition &condition) {
            return must(simulate(must(makeScenario(underCondition(onChannels, condition)))))->iterationSeconds;
        };
        COMPARE_CLOSE(secondsUnder(links.conditions[1]), secondsUnder(links.conditions[0]));
        QCOMPARE(rulesOf(links, onChannels), std::vector<std::string>{"links-ignored"});
        QVERIFY(rulesOf(must(parseConditions("iteration,compute\n0,2\n")), onChannels).empty());
        QVERIFY(rulesOf(links, recipe()).empty());
        onChannels.policy = must(parsePolicy("fifo(form=flows)"));
        QVERIFY(rulesOf(links, onChannels).empty());
        QVERIFY(secondsUnder(links.conditions[1]) > 2 * secondsUnder(links.conditions[0]));
    }

    /// Measured times of collectives on named channels, or inside one node, hold whatever happens to the cards.
    void measuredTimesOfOtherLinksStay() {
        ScenarioRecipe measured = recipe();
        measured.strategy = BuiltStrategy{"AllReduce"};
        measured.policy = must(parsePolicy("fifo"));
        measured.collectiveCurves =
            std::make_shared<const std::vector<CollectiveCurve>>(1, CollectiveCurve{CollectiveKind::AllReduce, 2, {{0, 5, 0}}});
        Cluster named = uniformCluster(2, 10), oneNode = uniformCluster(1, 10);
        named.namedChannels = {{.name = "rdma", .links = {"rdma"}, .bandwidthBytesPerSecond = 125e6}};
        oneNode.nodes.front().gpus = {0, 1};
        for (const Cluster &cluster : {named, oneNode}) {
            measured.cluster = std::make_shared<const Cluster>(cluster);
            for (const Condition &condition : {Condition{}, Condition{0, 1.0, 0, 1, 1}, Condition{0, std::nullopt, 3, 1, 1}})
                COMPARE_ABOVE(must(simulate(must(makeScenario(underCondition(measured, condition)))))->iterationSeconds, 5);
        }
        measured.cluster = std::make_shared<const Cluster>(uniformCluster(2, 10));
        QVERIFY(!underCondition(measured, {0, 1.0, 0, 1, 1}).collectiveCurves);
    }

    /// The cards do carry what goes to servers, so the conditions are not to be left out where a strategy has both.
    void linksThatServersUseAreKept() {
        ScenarioRecipe both = recipe();
        Cluster named = *both.cluster;
        named.namedChannels = {{.name = "rdma", .links = {"rdma"}, .bandwidthBytesPerSecond = 125e6}};
        both.cluster = std::make_shared<const Cluster>(std::move(named));
        both.policy = must(parsePolicy("fifo"));
        Strategy mixed = *must(makeScenario(both)).strategy; // on the server
        both.strategy = BuiltStrategy{"AllReduce"};
        mixed.nodes.front() = must(makeScenario(both)).strategy->nodes.front();
        both.strategy = FixedStrategy{std::make_shared<const Strategy>(std::move(mixed))};
        const auto links = must(parseConditions("iteration,bandwidth_gbits\n0,10\n20,1\n"));
        const auto secondsUnder = [&](const Condition &condition) {
            return must(simulate(must(makeScenario(underCondition(both, condition)))))->iterationSeconds;
        };
        COMPARE_ABOVE(secondsUnder(links.conditions[1]), 1.5 * secondsUnder(links.conditions[0]));
        const auto marks = lintConditions(links, must(makeScenario(both)));
        QCOMPARE(marks.size(), std::size_t{1});
        QCOMPARE(marks[0].rule, std::string("links-ignored"));
        QVERIFY2(marks[0].text.find("parameter servers") != std::string::npos, marks[0].text.c_str());
        QVERIFY2(marks[0].remedy.find("leave") == std::string::npos, marks[0].remedy.c_str());
    }

    void armsAreInTheirOrder() {
        const auto schedule = parseConditions("iteration,bandwidth_gbits\n0,10\n20,0.5\n65,10\n");
        FollowsBandwidth judge;
        RetuningOptions longer = options();
        longer.iterations = 100;
        const auto arms = playRetuning(recipe(), TuneSpace::partitionAndCredit(), *schedule, longer, judge);
        VERIFY_VALUE(arms);
        QCOMPARE(arms->size(), std::size_t{4});
        const RetuningArm &usual = (*arms)[0], &once = (*arms)[1], &retuned = (*arms)[2], &oracle = (*arms)[3];
        COMPARE_BELOW(retuned.totalSeconds, once.totalSeconds);
        COMPARE_BELOW(oracle.totalSeconds, retuned.totalSeconds);
        COMPARE_AT_MOST(oracle.totalSeconds, usual.totalSeconds);
        for (const RetuningArm &arm : *arms)
            for (std::size_t i = 0; i < arm.steps.size(); ++i)
                COMPARE_AT_LEAST(arm.steps[i].seconds, oracle.steps[i].seconds * (1 - 1e-12), arm.name);
        QCOMPARE(once.changes.size(), std::size_t{1});
        QCOMPARE(retuned.changes.size(), std::size_t{3});
        // A monitor is a look late: the look before iteration 20 knows iterations until 19 only; that before 70 knows 65.
        QCOMPARE(retuned.changes[1].iteration, 30);
        QCOMPARE(retuned.changes[2].iteration, 70);
        QCOMPARE(oracle.changes[1].iteration, 20);
        // A change costs an iteration of the old setting under the new condition.
        COMPARE_CLOSE(retuned.changes[1].costSeconds, once.steps[20].seconds);
        double sum = 0;
        for (const ConditionStep &step : retuned.steps)
            sum += step.seconds;
        COMPARE_CLOSE(retuned.totalSeconds, sum + retuned.changes[1].costSeconds + retuned.changes[2].costSeconds);
        COMPARE_CLOSE(retuned.samplesPerSecond, 100 * 2 * recipe().job->batchSize / retuned.totalSeconds);
    }

    /// Nothing is changed for a gain below 5 %: from 10 to 8 Gbit/s it is 2 %.
    void theTriggerKeepsStill() {
        const auto schedule = parseConditions("iteration,bandwidth_gbits\n0,10\n20,8\n");
        FollowsBandwidth judge;
        const auto arms = playRetuning(recipe(), TuneSpace::partitionAndCredit(), *schedule, options(), judge);
        QVERIFY(arms);
        QCOMPARE((*arms)[2].changes.size(), std::size_t{1});
        RetuningOptions eager = options();
        eager.minGain = 0.005;
        const auto moved = playRetuning(recipe(), TuneSpace::partitionAndCredit(), *schedule, eager, judge);
        QVERIFY(moved);
        QCOMPARE((*moved)[2].changes.size(), std::size_t{2});
    }

    /// The monitor's looks are of the iterations just over, also where the times tell nothing: a change at 20 shows at 30.
    void looksAreOfTheLastIterations() {
        RetuningOptions more = options();
        more.compares = true;
        AlwaysAlike judge;
        const auto predicted = [&](const char *schedule) {
            const auto arms = playRetuning(recipe(), TuneSpace::partitionAndCredit(), *parseConditions(schedule), more, judge);
            std::vector<double> speeds;
            for (const RetuningArm::Look &look : arms.value()[4].looks)
                speeds.push_back(look.predictedSamplesPerSecond);
            return speeds;
        };
        const auto changed = predicted("iteration,bandwidth_gbits\n0,10\n20,0.5\n"),
                   constant = predicted("iteration,bandwidth_gbits\n0,10\n");
        QCOMPARE(changed.size(), std::size_t{5});
        for (std::size_t look = 0; look < 3; ++look)
            QCOMPARE(changed[look] == constant[look], look < 2);
    }

    /// AutoByte looks every 10 iterations, learns the time of the previous one, changes by its predictions, and pays for the
    /// change; no arm beats the oracle, which knows all settings tried.
    void autoByteStandsBesideTheOthers() {
        const auto schedule = parseConditions("iteration,bandwidth_gbits\n0,10\n20,0.5\n40,10\n");
        RetuningOptions more = options();
        more.compares = true;
        FollowsBandwidth judge;
        const auto arms = playRetuning(recipe(), TuneSpace::partitionAndCredit(), *schedule, more, judge);
        VERIFY_VALUE(arms);
        QCOMPARE(arms->size(), std::size_t{7});
        const RetuningArm &oracle = (*arms)[3], &autoByte = (*arms)[4];
        QCOMPARE(autoByte.name, std::string("autobyte"));
        QCOMPARE((*arms)[5].name, std::string("random() re-tuned"));
        QCOMPARE((*arms)[6].name, std::string("fifo"));
        for (std::size_t a = 0; a < 6; ++a) // the plain policy has no partition, which this judge depends on
            for (std::size_t i = 0; i < oracle.steps.size(); ++i)
                COMPARE_AT_LEAST((*arms)[a].steps[i].seconds, oracle.steps[i].seconds * (1 - 1e-12), (*arms)[a].name);
        QCOMPARE(autoByte.looks.size(), std::size_t{5});
        double sum = 0;
        for (const ConditionStep &step : autoByte.steps)
            sum += step.seconds;
        for (std::size_t c = 1; c < autoByte.changes.size(); ++c)
            sum += autoByte.changes[c].costSeconds;
        COMPARE_CLOSE(autoByte.totalSeconds, sum);
        std::size_t change = 1;
        for (const RetuningArm::Look &look : autoByte.looks) {
            const auto before = static_cast<std::size_t>(look.iteration) - 1;
            COMPARE_CLOSE(look.measuredSamplesPerSecond, 2 * recipe().job->batchSize / autoByte.steps[before].seconds);
            const bool changed = change < autoByte.changes.size() && autoByte.changes[change].iteration == look.iteration;
            QCOMPARE(changed, look.gain >= more.minGain);
            change += changed ? 1 : 0;
        }
        QCOMPARE(change, autoByte.changes.size());
        QVERIFY(autoByte.network && autoByte.network->command.starts_with("tune --train"));
        // Until a monitor can know of the change at 20, nothing differs from a run without it; the look before 30 saw it.
        const auto constant = playRetuning(recipe(), TuneSpace::partitionAndCredit(),
                                           *parseConditions("iteration,bandwidth_gbits\n0,10\n"), more, judge);
        VERIFY_VALUE(constant);
        const auto &unchanged = (*constant)[4].looks;
        for (std::size_t look = 0; look < 3; ++look)
            QCOMPARE(autoByte.looks[look].predictedSamplesPerSecond == unchanged[look].predictedSamplesPerSecond, look < 2);
        // Its judge takes a second where the network expects milliseconds: the first look adapts it.
        QVERIFY(autoByte.looks.front().adapted);
        // A trigger that nothing satisfies: the initial setting is kept.
        more.minGain = 1e9;
        const auto still = playRetuning(recipe(), TuneSpace::partitionAndCredit(), *schedule, more, judge);
        QVERIFY(still);
        QCOMPARE((*still)[4].changes.size(), std::size_t{1});
    }

    /// An iteration in which the rate falls has the speed of no condition: the network does not learn from it.
    void autoByteLearnsNothingFromMixedIterations() {
        RetuningOptions more = options();
        more.compares = true;
        more.iterations = 12;
        AlwaysAlike judge; // 2 s, where the network expects milliseconds: it would adapt
        const auto adapts = [&](const char *schedule) {
            const auto arms = playRetuning(recipe(), TuneSpace::partitionAndCredit(), *parseConditions(schedule), more, judge);
            return arms.value()[4].looks.at(0).adapted;
        };
        QVERIFY(adapts("seconds,bandwidth_gbits\n0,10\n17.5,0.5\n"));
        QVERIFY(!adapts("seconds,bandwidth_gbits\n0,10\n18.5,0.5\n"));
    }

    /// A stop ends the run at any time, also while the oracle compares settings.
    void aStopEndsThePlay() {
        const auto schedule = parseConditions("iteration,bandwidth_gbits\n0,10\n10,0.5\n20,10\n");
        RetuningOptions few = options();
        few.iterations = 30;
        few.evaluations = 6;
        few.grid = {3, 2};
        bool finished = false;
        for (int calls = 0; !finished && calls < 1000; ++calls) {
            StopsAfter judge(calls);
            const auto arms = playRetuning(recipe(), TuneSpace::partitionAndCredit(), *schedule, few, judge, judge.token());
            finished = arms.has_value();
            QVERIFY2(finished || arms.error().isCancelled(), finished ? "" : arms.error().toString().c_str());
        }
        QVERIFY(finished);
    }

    /// Each arm has its own clock: a faster arm meets a condition in a later iteration.
    void secondsAreTheArmsOwn() {
        const auto schedule = parseConditions("seconds,bandwidth_gbits\n0,10\n25,0.5\n");
        FollowsBandwidth judge;
        const auto arms = playRetuning(recipe(), TuneSpace::partitionAndCredit(), *schedule, options(), judge);
        QVERIFY(arms);
        const auto firstUnderSecond = [](const RetuningArm &arm) { // its iterations follow each other until the condition changes
            double clock = 0;
            std::size_t i = 0;
            for (; i < arm.steps.size() && clock < 25; ++i) {
                if (std::abs(arm.steps[i].startSeconds - clock) > 1e-9 || arm.steps[i].condition != 0)
                    return std::size_t{0};
                clock += arm.steps[i].seconds;
            }
            return i;
        };
        for (const RetuningArm &arm : *arms) {
            QCOMPARE(arm.steps.size(), std::size_t{60});
            for (const ConditionStep &step : arm.steps)
                QCOMPARE(step.condition, std::size_t{step.startSeconds >= 25 ? 1U : 0U});
        }
        // 4 MB instead of 10 MiB: 1.096 s an iteration.
        QCOMPARE(firstUnderSecond(arms->front()), std::size_t{23});
        COMPARE_ABOVE(firstUnderSecond((*arms)[3]), firstUnderSecond(arms->front()));
    }

    /// 1 s at 10 Gbit/s and 2 s at 5: half an iteration at the one, a quarter at the other, and the last quarter at 10 again.
    void conditionsChangeWithinAnIteration_data() {
        QTest::addColumn<QByteArray>("schedule");
        QTest::addColumn<double>("third");
        QTest::newRow("once") << QByteArray("seconds,bandwidth_gbits\n0,10\n2.5,5\n") << 0.5 + 0.5 * 2;
        QTest::newRow("twice") << QByteArray("seconds,bandwidth_gbits\n0,10\n2.5,5\n3,10\n") << 0.5 + 0.5 + 0.25;
        QTest::newRow("between two iterations") << QByteArray("seconds,bandwidth_gbits\n0,10\n2,5\n") << 2.0;
        QTest::newRow("iterations") << QByteArray("iteration,bandwidth_gbits\n0,10\n3,5\n") << 1.0;
    }
    void conditionsChangeWithinAnIteration() {
        QFETCH(QByteArray, schedule);
        QFETCH(double, third);
        IsBoundByLinks judge;
        const auto arms =
            playRetuning(recipe(), TuneSpace::partitionAndCredit(), *parseConditions(schedule.toStdString()), options(), judge);
        VERIFY_VALUE(arms);
        const RetuningArm &usual = arms->front();
        COMPARE_CLOSE(usual.steps[1].seconds, 1.0);
        COMPARE_CLOSE(usual.steps[2].seconds, third);
        QVERIFY(!usual.steps[1].isMixed);
        QCOMPARE(usual.steps[2].isMixed, third < 2 && third > 1);
        COMPARE_CLOSE(usual.steps[3].startSeconds, 2 + third);
    }

    /// The same with the simulator, whose links change their rates at that moment, on a job that only sends.
    void changesAgreeWithLinksThatChange() {
        ScenarioRecipe sends = recipe();
        sends.job = std::make_shared<const Job>(chainJob({{1e-9, 1e-9, 1'000'000}, {1e-9, 1e-9, 3'000'000}}));
        auto scenario = makeScenario(sends);
        VERIFY_VALUE(scenario);
        scenario->iterations = 12;
        const auto startsOf = [](const Scenario &played) {
            const auto run = simulate(played);
            return iterationStarts((*run)->graph, {(*run)->readySeconds, (*run)->startSeconds, (*run)->endSeconds}).front();
        };
        constexpr std::size_t first = 3; // by then iterations are alike
        const auto even = startsOf(*scenario);
        const double pace = even[first + 1] - even[first], change = 2.3 * pace;
        const auto halfOf = [&](bool server, std::int32_t index, bool up) {
            return BackgroundTraffic{server, index, up, even[first] + change, 1e6, 0.5};
        };
        for (const bool up : {false, true}) {
            scenario->background.push_back(halfOf(true, 0, up));
            for (const std::int32_t worker : {0, 1})
                scenario->background.push_back(halfOf(false, worker, up));
        }
        const auto starts = startsOf(*scenario);
        const ConditionSchedule schedule{true, {{}, {change, std::nullopt, 1, 1, 1}}};
        SimulatedJudge judge;
        RetuningOptions few = options();
        few.iterations = 8;
        few.evaluations = 1;
        few.grid = {};
        const auto arms = playRetuning(sends, TuneSpace::partitionAndCredit(), schedule, few, judge);
        VERIFY_VALUE(arms);
        COMPARE_WITHIN(arms->front().steps[2].seconds, pace * (0.3 + 0.7 * 2), 1e-6 * pace); // layers take a little
        for (std::size_t i = 0; i < 8; ++i)
            COMPARE_WITHIN(arms->front().steps[i].startSeconds, starts[first + i] - starts[first], 1e-3 * pace);
    }
};

QTEST_APPLESS_MAIN(TestRetuning)
#include "tst_retuning.moc"
