// SPDX-License-Identifier: GPL-3.0-or-later
// Why a plan takes as long as it does: closed forms of small DAGs, shares that add up to the iteration, remedies that keep their
// promise when tried, and remedies that are not tried.
#include "engine/base/rng.h"
#include "engine/session/dag_job.h"
#include "engine/session/explain_plan.h"
#include "engine/session/plan_settings.h"
#include "engine/session/take_remedy.h"
#include "tests/checks.h"
#include "tests/files.h"
#include "tests/plan/dags.h"
#include "tests/scenarios.h"

#include <QDir>
#include <QtTest>
#include <algorithm>
#include <numeric>
#include <set>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

const QString measured = QStringLiteral(SYNCOPATE_SOURCE "/tests/data/measured/plan/");

/// A plan on side A of a session, with its run.
struct Shown {
    SessionState state;
    std::shared_ptr<const PlannedRecording> run;

    [[nodiscard]] const PlannedWork &work() const { return *std::get<Planned>(state.side(Side::A).source).work; }
    [[nodiscard]] ScenarioRecipe recipe() const { return plannedRecipe(state, Side::A); }
    [[nodiscard]] Result<Explanation> explained(const PlanWhyOptions &options = {}) const {
        return explainPlan(*run, work(), recipe(), options);
    }
    /// The explanation before any remedy is tried.
    [[nodiscard]] Explanation causes() const {
        std::stop_source source;
        Explanation first;
        (void)explainPlan(*run, work(), recipe(), {}, source.get_token(), [&](const Explanation &answer) {
            first = answer;
            source.request_stop();
        });
        return first;
    }
};

Result<Shown> shownOf(SessionState state) {
    Shown shown{std::move(state), nullptr};
    shown.run = TRY(plannedRun(shown.work(), shown.state.job, effectiveCluster(shown.state, Side::A)));
    return shown;
}

Result<Shown> shown(PlannedWork work, Cluster cluster = uniformCluster(2, 10)) {
    SessionState state;
    state.job = std::make_shared<const Job>(chainJob({{0.002, 0.004, 5'000'000}, {0.003, 0.005, 9'000'000}}));
    state.cluster = std::make_shared<const Cluster>(std::move(cluster));
    state.side(Side::A).source = planned({}, std::make_shared<const PlannedWork>(std::move(work)));
    return shownOf(std::move(state));
}

PlannedWork workOf(const TrainingDag &dag, ExecutionPlan plan) {
    return {.title = "made plan", .dag = dag, .plan = std::move(plan), .costs = {}};
}

/// The share with this name; all zero if there is none.
PlanShare shareOf(const std::vector<PlanShare> &shares, const std::string &name) {
    const auto found = std::ranges::find(shares, name, &PlanShare::name);
    return found == shares.end() ? PlanShare{} : *found;
}

double sumOf(const std::vector<PlanShare> &shares, double PlanShare::*seconds) {
    return std::accumulate(shares.begin(), shares.end(), 0.0,
                           [=](double sum, const PlanShare &share) { return sum + share.*seconds; });
}

/// The first row whose text begins with it; null: there is none.
const RemedyRow *rowOf(const Explanation &answer, const std::string &text) {
    const auto found =
        std::ranges::find_if(answer.remedies, [&](const RemedyRow &row) { return row.remedy.text.english().starts_with(text); });
    return found == answer.remedies.end() ? nullptr : &*found;
}

/// An invariant of every explanation: no moment is left out or counted twice.
void addsUp(const Explanation &answer, const Shown &shown, const std::string &about) {
    const double iteration = answer.chain.toSeconds - answer.chain.fromSeconds;
    const PlanShares &shares = answer.shares;
    if (mentions(shown.run->assumptions, "every iteration repeats the one before")) // else the chain's may differ from the mean
        COMPARE_CLOSE(iteration, shown.run->iterationSeconds, 1e-9, About(about));
    COMPARE_CLOSE(std::accumulate(answer.causes.begin(), answer.causes.end(), 0.0,
                                  [](double sum, const CauseRow &row) { return sum + row.endSeconds - row.startSeconds; }),
                  iteration, 1e-9, About(about));
    COMPARE_CLOSE(shares.computePathSeconds + sumOf(shares.collectives, &PlanShare::pathSeconds), iteration, 1e-9, About(about));
    COMPARE_CLOSE(shares.computePathSeconds + sumOf(shares.channels, &PlanShare::pathSeconds), iteration, 1e-9, About(about));
    const double compute = shown.work().dag.computeSeconds();
    COMPARE_CLOSE(compute + sumOf(shares.collectives, &PlanShare::idleSeconds), iteration, 1e-9, About(about));
    COMPARE_CLOSE(compute + sumOf(shares.channels, &PlanShare::idleSeconds), iteration, 1e-9, About(about));
    COMPARE_AT_MOST(shares.computePathSeconds, compute * (1 + 1e-9), About(about));
    QCOMPARE(answer.chain.seconds(CauseKind::Start), 0.0);
    for (const PlanShare &share : shares.collectives) {
        COMPARE_AT_MOST(share.latencySeconds + share.sharingSeconds, share.pathSeconds * (1 + 1e-9), About(about));
        COMPARE_AT_MOST(share.blockingSeconds, share.pathSeconds * (1 + 1e-9), About(about));
    }
    COMPARE_AT_MOST(answer.bounds.largest(), shown.run->iterationSeconds * (1 + 1e-9), About(about));
    COMPARE_AT_MOST(answer.bounds.planSeconds, shown.run->iterationSeconds * (1 + 1e-9), About(about));
}

} // namespace

class TestPlanWhy : public QObject {
    Q_OBJECT

private slots:
    /// forward 1 s, backward 2 s, an all-reduce of two processes: 5 s, and two steps of 0.25 s.
    void latencyAndTransfer() {
        const TrainingDag dag = dataParallel(1, 2, 5);
        Channel channel = unitChannel("c");
        channel.latencySeconds = 0.25;
        const auto side =
            shown(workOf(dag, planOf(dag, {channel}, {{2_op, {CollectiveKind::AllReduce}, 0_channel}}, {{{0_motif, 0}}})));
        VERIFY_VALUE(side);
        const auto answer = side->explained();
        VERIFY_VALUE(answer);
        addsUp(*answer, *side, "data parallel");
        COMPARE_CLOSE(side->run->iterationSeconds, 1 + 2 + 5.5);
        COMPARE_CLOSE(answer->chain.seconds(CauseKind::Latency), 0.5);
        COMPARE_CLOSE(answer->chain.seconds(CauseKind::Transfer), 5);
        QCOMPARE(answer->shares.collectives.size(), std::size_t{1});
        const PlanShare &share = answer->shares.collectives.front();
        QCOMPARE(share.name, std::string("ar"));
        COMPARE_CLOSE(share.pathSeconds, 5.5);
        COMPARE_CLOSE(share.latencySeconds, 0.5);
        COMPARE_CLOSE(share.idleSeconds, 5.5);
        QCOMPARE(share.blockingSeconds + share.sharingSeconds, 0.0);
        QCOMPARE(answer->causes.back().what.english(), std::string("ar: all_reduce, on c"));
        QCOMPARE(answer->causes.back().how.english(), std::string("latency 500 ms; transfer 5 s"));
        QCOMPARE(answer->busiestQueue, std::string("c"));
        COMPARE_CLOSE(answer->bounds.queueSeconds, 5.5);
        // Remedies in closed form; the best first.
        const RemedyRow *faster = rowOf(*answer, "Channel c twice as fast: "),
                        *sooner = rowOf(*answer, "Half the latency of channel c: 125 ms");
        QVERIFY2(faster && sooner, answer->remedies.front().remedy.text.english().c_str());
        COMPARE_CLOSE(*faster->iterationSeconds, 1 + 2 + 2.5 + 0.5);
        COMPARE_CLOSE(*sooner->iterationSeconds, 1 + 2 + 5 + 0.25);
        COMPARE_CLOSE(answer->remedies.front().gain, faster->gain); // as large as that of a second channel
        QVERIFY(faster->helps() && sooner->helps());
    }

    /// The present order cannot use a second channel. Two all-reduces of 4 s behind 3 s of compute take 4 s over two.
    void otherChannelsArePlannedFor() {
        const TrainingDag dag = dagOf({computeOp("step", 3, {}, {1_op, 2_op}), commOp("a", CollectiveKind::AllReduce, 4, {0_op}),
                                       commOp("b", CollectiveKind::AllReduce, 4, {0_op})});
        const std::vector<PlannedMotif> motifs{{1_op, {CollectiveKind::AllReduce}, 0_channel},
                                               {2_op, {CollectiveKind::AllReduce}, 0_channel}};
        const auto side = shown(workOf(dag, planOf(dag, {unitChannel("c")}, motifs, {{{0_motif, 0}, {1_motif, 0}}})));
        VERIFY_VALUE(side);
        COMPARE_CLOSE(side->run->iterationSeconds, 3 + 8);
        const auto answer = side->explained({.evaluations = 50});
        VERIFY_VALUE(answer);
        const RemedyRow *second = rowOf(*answer, "Plan for a second c, with SYNDICATE");
        QVERIFY(second);
        COMPARE_CLOSE(*second->iterationSeconds, 3 + 4);
        const auto tried = shownOf(withPlanRemedy(side->state, Side::A, second->remedy));
        VERIFY_VALUE(tried);
        COMPARE_CLOSE(tried->run->iterationSeconds, 3 + 4);
        QCOMPARE(tried->work().plan.channels.size(), std::size_t{2});
        QCOMPARE(tried->work().plan.channels[1].name, std::string("c 2"));
        // A plan that was edited by hand stays so over a faster channel, and gives way to a planner's, whose title does not say
        // it.
        PlannedWork byHand = side->work();
        byHand.edited = true;
        SessionState state = side->state;
        state.side(Side::A).source = planned({}, std::make_shared<const PlannedWork>(byHand));
        const RemedyRow *faster = rowOf(*answer, "Channel c twice as fast");
        QVERIFY(faster);
        for (const auto &[remedy, stays] : {std::pair(second, false), {faster, true}}) {
            const SessionState taken = withPlanRemedy(state, Side::A, remedy->remedy);
            QCOMPARE(std::get<Planned>(taken.side(Side::A).source).work->edited, stays);
        }
        // Nothing can be planned within a byte, and each row says so.
        const auto bounded = side->explained({.evaluations = 50, .maxBytes = 1});
        VERIFY_VALUE(bounded);
        const RemedyRow *refused = rowOf(*bounded, "Plan for a second c");
        QVERIFY(refused && !refused->iterationSeconds);
        QCOMPARE(refused->iterationSeconds.error().what, std::string("no plan was found that holds 1 B or less"));
    }

    /// In a session of a training DAG, the source of a side names the planner by which its plan is made again, such as for
    /// another cluster: a planner that is taken from the remedies takes its place. Where the job has layers, it is a builder, and
    /// stays.
    void aTakenPlannerPlansAgain() {
        const auto dag = std::make_shared<const TrainingDag>(
            dagOf({computeOp("one", 1), computeOp("two", 4, {0_op}), commOp("large", CollectiveKind::AllReduce, 5e9, {0_op}),
                   commOp("small", CollectiveKind::AllReduce, 1e9, {0_op}), computeOp("three", 4, {1_op, 3_op})}));
        SessionState state;
        state.job = jobOfDag("made");
        state.cluster = std::make_shared<const Cluster>(uniformCluster(2, 10));
        const auto source = plannedBy(state, Side::A, dag, "fifo");
        VERIFY_VALUE(source);
        state.side(Side::A).source = *source;
        const auto side = shownOf(state);
        VERIFY_VALUE(side);
        const auto answer = side->explained({.evaluations = 50});
        VERIFY_VALUE(answer);
        int planners = 0, channels = 0;
        for (const RemedyRow &row : answer->remedies) {
            const auto *change = std::get_if<std::shared_ptr<const PlanChange>>(&row.remedy.change);
            if (!change)
                continue;
            const SessionState taken = withPlanRemedy(state, Side::A, row.remedy);
            const bool isPlanner = row.remedy.kind == RemedyKind::Planner;
            QCOMPARE(textOf(taken.side(Side::A).source), isPlanner ? (*change)->method : std::string("fifo"));
            (isPlanner ? planners : channels) += 1;
            if (!isPlanner)
                continue;
            const auto again = plannedAgain(taken);
            VERIFY_VALUE(again);
            QCOMPARE(std::get<Planned>(again->side(Side::A).source).work->title, (*change)->title);
            SessionState ofLayers = taken;
            ofLayers.job = std::make_shared<const Job>(chainJob({{0.002, 0.004, 5'000'000}}));
            ofLayers.side(Side::A).source = planned(Built{"PS"}, std::get<Planned>(*source).work);
            QCOMPARE(textOf(withPlanRemedy(ofLayers, Side::A, row.remedy).side(Side::A).source), std::string("PS"));
        }
        COMPARE_ABOVE(planners, 0);
        COMPARE_ABOVE(channels, 0);
    }

    /// A motif that is ready waits for the one before it in its channel's order: for `early`, only its turn on the channel behind
    /// `late` is to blame. In the other order nothing is, and `early` is on no path.
    void turnsOfAChannel() {
        const TrainingDag dag =
            dagOf({computeOp("one", 1, {}, {2_op, 3_op}), computeOp("two", 4, {0_op}),
                   commOp("early", CollectiveKind::AllReduce, 3, {0_op}), commOp("late", CollectiveKind::AllReduce, 2, {1_op})});
        const std::vector<PlannedMotif> motifs{{2_op, {CollectiveKind::AllReduce}, 0_channel},
                                               {3_op, {CollectiveKind::AllReduce}, 0_channel}};
        const auto wrong = shown(workOf(dag, planOf(dag, {unitChannel("c")}, motifs, {{{1_motif, 0}, {0_motif, 0}}})));
        VERIFY_VALUE(wrong);
        const auto answer = wrong->explained();
        VERIFY_VALUE(answer);
        addsUp(*answer, *wrong, "late first");
        const PlanShare late = shareOf(answer->shares.collectives, "late"), early = shareOf(answer->shares.collectives, "early");
        COMPARE_CLOSE(late.blockingSeconds, 2);
        COMPARE_CLOSE(late.idleSeconds, 2);
        COMPARE_CLOSE(early.pathSeconds, 3);
        QCOMPARE(early.blockingSeconds, 0.0);
        COMPARE_CLOSE(shareOf(answer->shares.channels, "c").blockingSeconds, 2);
        QVERIFY2(answer->causes.back().how.english().ends_with("waited for its turn (c)"),
                 answer->causes.back().how.english().c_str());
        const RemedyRow *fifo = rowOf(*answer, "Plan with FIFO");
        QVERIFY(fifo);
        COMPARE_CLOSE(*fifo->iterationSeconds, 1 + 4 + 2);
        COMPARE_CLOSE(fifo->gain, 0.3);
        // Twice as fast they take 1 s and 1.5 s: one after the other behind the compute, or the longer one beside it.
        const RemedyRow *faster = rowOf(*answer, "Channel c twice as fast: "),
                        *planned = rowOf(*answer, "Plan for c twice as fast, with SYNDICATE");
        QVERIFY(faster && planned);
        COMPARE_CLOSE(*faster->iterationSeconds, 1 + 4 + 1 + 1.5);
        COMPARE_CLOSE(*planned->iterationSeconds, 1 + 4 + 1);
        QVERIFY(planned->remedy.kind == RemedyKind::PlannedChannel && faster->remedy.kind == RemedyKind::Channel);

        const auto right = shown(workOf(dag, planOf(dag, {unitChannel("c")}, motifs, {{{0_motif, 0}, {1_motif, 0}}})));
        VERIFY_VALUE(right);
        const auto better = right->explained();
        VERIFY_VALUE(better);
        addsUp(*better, *right, "early first");
        QCOMPARE(better->shares.collectives.size(), std::size_t{1});
        QCOMPARE(better->shares.collectives.front().name, std::string("late"));
        QCOMPARE(better->shares.collectives.front().blockingSeconds, 0.0);
        QVERIFY(!rowOf(*better, "Plan with FIFO")); // it is this plan
    }

    /// Nothing waited for the channel alone where a dependency ended with it, or where it ran the dependency.
    void dependenciesAreNoTurns() {
        for (const bool chained : {false, true}) {
            const TrainingDag dag = dagOf({computeOp("one", 1, {}, {2_op, 3_op}), computeOp("two", 4, {0_op}),
                                           commOp("early", CollectiveKind::AllReduce, chained ? 5 : 4, {0_op}),
                                           commOp("late", CollectiveKind::AllReduce, 2, {chained ? 2_op : 1_op})});
            const std::vector<PlannedMotif> motifs{{2_op, {CollectiveKind::AllReduce}, 0_channel},
                                                   {3_op, {CollectiveKind::AllReduce}, 0_channel}};
            const auto side = shown(workOf(dag, planOf(dag, {unitChannel("c")}, motifs, {{{0_motif, 0}, {1_motif, 0}}})));
            VERIFY_VALUE(side);
            const Explanation answer = side->causes();
            addsUp(answer, *side, chained ? "chained" : "at once");
            COMPARE_CLOSE(shareOf(answer.shares.collectives, "late").pathSeconds, 2);
            QCOMPARE(sumOf(answer.shares.collectives, &PlanShare::blockingSeconds), 0.0);
        }
    }

    /// Of two collectives that share a link, 4 s and 3 s alone, the longer one ends after 7 s: 3 s of them are the other's.
    void sharedLinks() {
        const TrainingDag dag = dagOf({computeOp("step", 1, {}, {1_op, 2_op}), commOp("a", CollectiveKind::AllReduce, 4, {0_op}),
                                       commOp("b", CollectiveKind::AllReduce, 3, {0_op})});
        Channel same = unitChannel("y");
        same.links = {"x"};
        const auto side = shown(
            workOf(dag, planOf(dag, {unitChannel("x"), same},
                               {{1_op, {CollectiveKind::AllReduce}, 0_channel}, {2_op, {CollectiveKind::AllReduce}, 1_channel}},
                               {{{0_motif, 0}}, {{1_motif, 0}}})));
        VERIFY_VALUE(side);
        const auto answer = side->explained();
        VERIFY_VALUE(answer);
        addsUp(*answer, *side, "shared");
        const PlanShare a = shareOf(answer->shares.collectives, "a");
        COMPARE_CLOSE(a.pathSeconds, 7);
        COMPARE_CLOSE(a.sharingSeconds, 3);
        QCOMPARE(shareOf(answer->shares.channels, "y").pathSeconds, 0.0);
        QCOMPARE(answer->busiestLink, std::string("x"));
        COMPARE_CLOSE(answer->bounds.networkSeconds, 7);
    }

    /// All measured plans, and all planners on random DAGs.
    void sharesAddUp() {
        int plans = 0, turns = 0, waits = 0;
        for (const QString &file : QDir(measured + "plans").entryList({"*.json"}, QDir::Files))
            for (const char *dag : {"a2a", "a2a-prefetch", "ar", "ar-prefetch"}) {
                PlannedWork work;
                work.dag = *readTrainingDagFile((measured + "dags/" + dag + ".dag.json").toStdString());
                const auto plan = readExecutionPlanFile((measured + "plans/" + file).toStdString(), work.dag);
                if (!plan)
                    continue; // of another DAG
                work.plan = *plan;
                work.costs = *readMotifCostsFile((measured + "collectives.csv").toStdString());
                const auto side = shown(std::move(work));
                VERIFY_VALUE(side);
                const Explanation answer = side->causes();
                addsUp(answer, *side, file.toStdString());
                ++plans;
                turns += sumOf(answer.shares.channels, &PlanShare::blockingSeconds) > 0 ? 1 : 0;
            }
        QCOMPARE(plans, 27);
        COMPARE_ABOVE(turns, 0);
        Rng rng(19);
        for (int round = 0; round < 60; ++round) {
            PlanRequest request;
            request.dag = std::make_shared<const TrainingDag>(smallRandomDag(rng));
            request.channels = {unitChannel("one"), unitChannel("two")};
            request.channels[1].latencySeconds = 0.125;
            if (round % 3 == 0)
                request.channels[1].links = {"one"};
            request.evaluations = request.minEvaluations = 20;
            const auto method = static_cast<PlanMethod>(round % planMethodCount);
            PlannedWork work = workOf(*request.dag, findPlan(request, method)->plan);
            const auto side = shown(std::move(work));
            VERIFY_VALUE(side);
            const Explanation answer = side->causes();
            addsUp(answer, *side, "round " + std::to_string(round));
            waits += sumOf(answer.shares.collectives, &PlanShare::idleSeconds) > 0 ? 1 : 0;
        }
        COMPARE_ABOVE(waits, 20);
    }

    /// A remedy that is tried gives the iteration that it promised; nothing is tried twice; the largest gain is first.
    void remediesHoldWhatTheyPromise() {
        Cluster two = uniformCluster(4, 10);
        two.namedChannels = {{"fast", {"fast"}, 1e9, 2e-5}, {"slow", {"slow"}, 2e8, 1e-5}};
        for (const Cluster &cluster : {two, uniformCluster(4, 10)}) {
            SessionState state;
            state.job = std::make_shared<const Job>(chainJob({{0.002, 0.004, 50'000'000}, {0.003, 0.005, 9'000'000}}));
            state.cluster = std::make_shared<const Cluster>(cluster);
            const auto task = planTask(state, {.method = "fifo"});
            VERIFY_VALUE(task);
            state.side(Side::A).source = planned(
                {}, std::make_shared<const PlannedWork>(plannedWork(*task, findPlan(task->request, task->method).value())));
            const auto side = shownOf(state);
            VERIFY_VALUE(side);
            const auto answer = side->explained();
            VERIFY_VALUE(answer);
            addsUp(*answer, *side, cluster.name);
            QVERIFY(answer->complete);
            QCOMPARE(answer->tried, static_cast<std::size_t>(std::ranges::count_if(answer->remedies, [](const RemedyRow &row) {
                         return row.iterationSeconds.has_value();
                     })));
            std::set<std::string> texts;
            for (std::size_t r = 0; r < answer->remedies.size(); ++r) {
                const RemedyRow &row = answer->remedies[r];
                QVERIFY2(texts.insert(row.remedy.text.english()).second, row.remedy.text.english().c_str());
                VERIFY_VALUE(row.iterationSeconds);
                if (r > 0)
                    COMPARE_AT_MOST(row.gain, answer->remedies[r - 1].gain);
                COMPARE_CLOSE(row.gain, 1 - *row.iterationSeconds / side->run->iterationSeconds, 1e-12);
                const auto tried = shownOf(withPlanRemedy(state, Side::A, row.remedy));
                VERIFY_VALUE(tried);
                QCOMPARE(tried->run->iterationSeconds, *row.iterationSeconds);
                QVERIFY(!(tried->state == state));
            }
            COMPARE_ABOVE(answer->remedies.front().gain, 0.05);
            COMPARE_BELOW(answer->remedies.back().gain, 0.0005); // half the bandwidth, or an order that is no better
            // Knobs turn the cards' channel, not the channels that the cluster names; the doubled channel is then the doubled
            // card.
            const bool named = !cluster.namedChannels.empty();
            const auto knobs = [&](std::string_view id) {
                return std::ranges::any_of(answer->sensitivities,
                                           [&](const Sensitivity &row) { return scenarioSpace()[row.dimension].id == id; });
            };
            QCOMPARE(knobs("bandwidth"), !named);
            QVERIFY(knobs("workers")); // the DAG is the job's
            QVERIFY(!knobs("servers"));
            QCOMPARE(std::ranges::count_if(answer->remedies,
                                           [](const RemedyRow &row) { return row.remedy.kind == RemedyKind::Channel; }) > 0,
                     named);
            for (const RemedyRow &row : answer->remedies)
                QVERIFY2(!row.remedy.text.english().starts_with("Workers"), row.remedy.text.english().c_str());
        }
    }

    /// Measured times are halved as a whole: they do not state their latency.
    void measuredCosts() {
        PlannedWork work;
        work.dag = *readTrainingDagFile((measured + "dags/a2a.dag.json").toStdString());
        work.plan = *readExecutionPlanFile((measured + "plans/a2a-fifo-s1.plan.json").toStdString(), work.dag);
        work.costs = *readMotifCostsFile((measured + "collectives.csv").toStdString());
        const std::string used = work.plan.channels[work.plan.motifs.front().channel.index()].name;
        const auto side = shown(std::move(work));
        VERIFY_VALUE(side);
        const auto answer = side->explained({.evaluations = 5});
        VERIFY_VALUE(answer);
        QCOMPARE(answer->chain.seconds(CauseKind::Latency), 0.0);
        const RemedyRow *faster = rowOf(*answer, "Channel " + used + " twice as fast: half its measured times");
        QVERIFY(faster && faster->iterationSeconds);
        const auto tried = shownOf(withPlanRemedy(side->state, Side::A, faster->remedy));
        QCOMPARE(tried->run->iterationSeconds, *faster->iterationSeconds);
        // Everything beyond compute is one channel's. At most half of it is gone: another path may be the longest now.
        COMPARE_AT_LEAST(*faster->iterationSeconds,
                         answer->shares.computePathSeconds + sumOf(answer->shares.channels, &PlanShare::pathSeconds) / 2);
        COMPARE_ABOVE(faster->gain, 0.2);
        const RemedyRow *sooner = rowOf(*answer, "Half the latency of channel " + used);
        QVERIFY(sooner && !sooner->iterationSeconds && !sooner->helps());
        QVERIFY(sooner->iterationSeconds.error().what.find("measured") != std::string::npos);
    }

    /// Measured times of which the plan's collectives use none, or some, hide no latency: an all-reduce of 5.5 s and an
    /// all-to-all of 2.25 s over one channel, of which nothing or the all-reduce (7 s) was measured.
    void curvesOfOtherCollectives() {
        const TrainingDag dag =
            dagOf({computeOp("step", 3, {}, {1_op, 2_op}), commOp("sum", CollectiveKind::AllReduce, 5, {0_op}),
                   commOp("swap", CollectiveKind::AllToAll, 4, {0_op})});
        Channel channel = unitChannel("c");
        channel.latencySeconds = 0.25;
        const std::vector<PlannedMotif> motifs{{1_op, {CollectiveKind::AllReduce}, 0_channel},
                                               {2_op, {CollectiveKind::AllToAll}, 0_channel}};
        for (const bool measuresSum : {false, true}) {
            PlannedWork work = workOf(dag, planOf(dag, {channel}, motifs, {{{0_motif, 0}, {1_motif, 0}}}));
            work.costs.curves = {
                {measuresSum ? CollectiveKind::AllReduce : CollectiveKind::AllGather, "c", {}, {{5, measuresSum ? 7.0 : 50.0}}}};
            const auto side = shown(std::move(work));
            VERIFY_VALUE(side);
            COMPARE_CLOSE(side->run->iterationSeconds, 3 + (measuresSum ? 7 : 5.5) + 2.25);
            const auto answer = side->explained({.evaluations = 5});
            VERIFY_VALUE(answer);
            const RemedyRow *faster = rowOf(*answer, "Channel c twice as fast: "),
                            *sooner = rowOf(*answer, "Half the latency of channel c: 125 ms");
            QVERIFY(faster && sooner);
            QVERIFY2(!faster->remedy.text.english().ends_with("measured times"), faster->remedy.text.english().c_str());
            COMPARE_CLOSE(*faster->iterationSeconds, 3 + (measuresSum ? 3.5 : 2.5 + 0.5) + (1 + 0.25));
            COMPARE_CLOSE(*sooner->iterationSeconds, 3 + (measuresSum ? 7 : 5.25) + 2.125);
        }
    }

    /// A knob of the links drops the times that the cluster measured, as planning at that value does, and remedies keep their
    /// promise. Channels of the plan, or named by the cluster, have no such knobs.
    void clustersMeasuredTimes() {
        SessionState state;
        state.job = std::make_shared<const Job>(chainJob({{0.002, 0.004, 5'000'000}, {0.003, 0.005, 9'000'000}}));
        state.cluster = std::make_shared<const Cluster>(withAllReduces(uniformCluster(4, 10), 0.5));
        const auto task = planTask(state, {.method = "fifo"});
        VERIFY_VALUE(task);
        PlannedWork work = plannedWork(*task, findPlan(task->request, task->method).value());
        state.side(Side::A).source = planned({}, std::make_shared<const PlannedWork>(work));
        const auto side = shownOf(state);
        VERIFY_VALUE(side);
        const auto answer = side->explained({.evaluations = 5});
        VERIFY_VALUE(answer);
        const auto isBandwidth = [](const Sensitivity &row) { return scenarioSpace()[row.dimension].id == "bandwidth"; };
        const auto row = std::ranges::find_if(answer->sensitivities, isBandwidth);
        QVERIFY(row != answer->sensitivities.end());
        QVERIFY(row->lowSeconds && row->highSeconds);
        for (const auto &[value, seconds] : {std::pair(row->lowValue, *row->lowSeconds), {row->highValue, *row->highSeconds}}) {
            const auto there = planTask(withValue(state, scenarioSpace()[row->dimension], value), {.method = "fifo"});
            VERIFY_VALUE(there);
            COMPARE_CLOSE(seconds, findPlan(there->request, there->method)->run.iterationSeconds);
            COMPARE_BELOW(seconds, side->run->iterationSeconds);
        }
        int halved = 0;
        for (const RemedyRow &remedy : answer->remedies)
            if (remedy.iterationSeconds) {
                const auto tried = shownOf(withPlanRemedy(state, Side::A, remedy.remedy));
                VERIFY_VALUE(tried);
                QCOMPARE(tried->run->iterationSeconds, *remedy.iterationSeconds);
                halved += remedy.remedy.text.english().ends_with("half its measured times") ? 1 : 0;
            }
        QCOMPARE(halved, 1);
        work.onCluster = false;
        const auto own = shown(work, *state.cluster);
        VERIFY_VALUE(own);
        const auto ofOwn = own->explained({.evaluations = 5});
        VERIFY_VALUE(ofOwn);
        QVERIFY(std::ranges::none_of(ofOwn->sensitivities, isBandwidth));
        Cluster named = *state.cluster;
        named.namedChannels = {Channel{"fast", {"fast"}, 1e9, 2e-5}};
        state.cluster = std::make_shared<const Cluster>(std::move(named));
        const auto onNamed = planTask(state, {.method = "fifo"});
        VERIFY_VALUE(onNamed);
        const PlannedWork workOnNamed = plannedWork(*onNamed, findPlan(onNamed->request, onNamed->method).value());
        QVERIFY(!workOnNamed.costs.curves.empty());
        const auto shownOnNamed = shown(workOnNamed, *state.cluster);
        VERIFY_VALUE(shownOnNamed);
        const auto ofNamed = shownOnNamed->explained({.evaluations = 5});
        VERIFY_VALUE(ofNamed);
        QVERIFY(std::ranges::none_of(ofNamed->sensitivities, isBandwidth));
    }

    /// Communication below compute has no remedy, and none is sought.
    void computeAlone() {
        const TrainingDag dag =
            dagOf({computeOp("fwd", 3), computeOp("bwd", 3, {0_op}), commOp("free", CollectiveKind::AllReduce, 1, {0_op})});
        const auto side = shown(
            workOf(dag, planOf(dag, {unitChannel("c")}, {{2_op, {CollectiveKind::AllReduce}, 0_channel}}, {{{0_motif, 0}}})));
        VERIFY_VALUE(side);
        const auto answer = side->explained();
        VERIFY_VALUE(answer);
        QVERIFY(answer->complete && answer->remedies.empty() && answer->shares.collectives.empty());
        COMPARE_CLOSE(answer->shares.computePathSeconds, 6);
    }

    /// A wait of the compute stream has the causes of its moment only; shares stay the iteration's.
    void oneWait() {
        const TrainingDag dag = dataParallel(1, 2, 5);
        const auto side = shown(
            workOf(dag, planOf(dag, {unitChannel("c")}, {{2_op, {CollectiveKind::AllReduce}, 0_channel}}, {{{0_motif, 0}}})));
        VERIFY_VALUE(side);
        const auto answer = side->explained({.wait = ComputeWait{0, side->run->windowStartSeconds + 4}});
        VERIFY_VALUE(answer);
        COMPARE_CLOSE(answer->chain.toSeconds - answer->chain.fromSeconds, 5);
        QCOMPARE(answer->causes.size(), std::size_t{1});
        COMPARE_CLOSE(answer->shares.computePathSeconds, 3);
    }

    void stopsWhenAsked() {
        const TrainingDag dag = dataParallel(1, 2, 5);
        const auto side = shown(
            workOf(dag, planOf(dag, {unitChannel("c")}, {{2_op, {CollectiveKind::AllReduce}, 0_channel}}, {{{0_motif, 0}}})));
        VERIFY_VALUE(side);
        std::stop_source source;
        int reports = 0;
        const auto answer =
            explainPlan(*side->run, side->work(), side->recipe(), {}, source.get_token(), [&](const Explanation &so) {
                QVERIFY(!so.complete);
                if (++reports == 2)
                    source.request_stop();
            });
        QVERIFY(!answer && answer.error().isCancelled());
        QCOMPARE(reports, 2);
    }
};

QTEST_GUILESS_MAIN(TestPlanWhy)
#include "tst_plan_why.moc"
