// SPDX-License-Identifier: GPL-3.0-or-later
// Remedies of all kinds, each compared with a simulation of its own.
#include "engine/analyze/explain.h"
#include "engine/analyze/remedy_trials.h"
#include "engine/cluster/cluster.h"
#include "engine/job/catalogue.h"
#include "engine/search/alternatives.h"
#include "engine/search/tuned_baselines.h"
#include "engine/strategy/builders.h"
#include "engine/strategy/policy.h"
#include "tests/checks.h"
#include "tests/scenarios.h"

#include <QtTest>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <vector>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

ScenarioRecipe recipeOf(const std::string &builder, const std::string &policy) {
    ScenarioRecipe made;
    made.job = std::make_shared<const Job>(*catalogueJob("alexnet"));
    made.cluster = std::make_shared<const Cluster>(uniformCluster(4, 10));
    made.strategy = BuiltStrategy{builder};
    made.policy = *parsePolicy(policy);
    return made;
}

double iterationOf(const Scenario &scenario) {
    const auto run = simulate(scenario);
    return run ? (*run)->iterationSeconds : std::numeric_limits<double>::quiet_NaN();
}

Scenario withBuilder(Scenario scenario, const std::string &expression) {
    scenario.strategy = std::make_shared<const Strategy>(*buildStrategy(expression, *scenario.job, *scenario.cluster));
    return scenario;
}

struct Explained {
    ScenarioRecipe recipe;
    std::shared_ptr<const Run> run;
    Explanation answer;
};

Explained explained(const std::string &builder, const std::string &policy, const std::vector<SearchWinner> &winners = {},
                    WhyOptions options = {}) {
    Explained made{recipeOf(builder, policy), {}, {}};
    made.run = *simulate(*makeScenario(made.recipe));
    options.alternatives = [&] { return alternativesTo(*made.run, winners); };
    made.answer = *explain(*made.run, made.recipe, options);
    return made;
}

} // namespace

class TestRemedies : public QObject {
    Q_OBJECT

    static void scenarios() {
        QTest::addColumn<QString>("builder");
        QTest::addColumn<QString>("policy");
        QTest::newRow("servers, fifo") << "PSLoadBalancing"
                                       << "fifo";
        QTest::newRow("servers, parts") << "PartitionedPS"
                                        << "bytescheduler";
        QTest::newRow("all-reduce, ddp") << "AllReduce(chunk_size=8)"
                                         << "ddp(bucket_cap=5MiB)";
    }

private Q_SLOTS:
    void eachIsASimulation_data() { scenarios(); }
    /// A remedy's promise equals a complete simulation of its scenario; sorted by gain, remedies that cannot be simulated last.
    void eachIsASimulation() {
        QFETCH(QString, builder);
        QFETCH(QString, policy);
        const Explained made = explained(builder.toStdString(), policy.toStdString());
        QVERIFY(made.answer.complete);
        QCOMPARE(made.answer.leftOut, std::size_t{0});
        COMPARE_ABOVE(static_cast<double>(made.answer.remedies.size()), 20);
        double before = std::numeric_limits<double>::infinity();
        for (const RemedyRow &row : made.answer.remedies) {
            const QByteArray what(row.remedy.text.english().c_str());
            QVERIFY2(row.iterationSeconds.has_value(), what);
            COMPARE_CLOSE(*row.iterationSeconds, iterationOf(row.remedy.scenario()), 0, what);
            COMPARE_WITHIN(row.gain, 1 - *row.iterationSeconds / made.run->iterationSeconds, 1e-12, what);
            COMPARE_AT_MOST(row.gain, before, what);
            before = row.gain;
        }
    }

    void everythingIsTried_data() { scenarios(); }
    /// Every builder with its defaults, the best of each one's grid, and every policy, found by brute force.
    void everythingIsTried() {
        QFETCH(QString, builder);
        QFETCH(QString, policy);
        const Explained made = explained(builder.toStdString(), policy.toStdString());
        const Scenario &present = made.run->scenario;
        const auto shortest = [&](const auto &wanted) {
            double seconds = std::numeric_limits<double>::infinity();
            for (const RemedyRow &row : made.answer.remedies)
                if (wanted(row.remedy))
                    seconds = std::min(seconds, *row.iterationSeconds);
            return seconds;
        };
        for (const BuilderInfo &info : strategyBuilders()) {
            double best = std::numeric_limits<double>::infinity();
            std::vector<Scenario> grid; // builders have strategies in common
            for (const std::string &expression : tunedExpressions(info.name)) {
                const Scenario tried = withBuilder(present, expression);
                if (sameStrategy(*tried.strategy, *present.strategy))
                    continue;
                const double seconds = iterationOf(tried);
                best = std::min(best, seconds);
                grid.push_back(tried);
                if (expression == info.name)
                    COMPARE_CLOSE(shortest([&](const Remedy &r) {
                                      return r.scenario().policy == present.policy && r.scenario().cluster == present.cluster &&
                                             sameStrategy(*r.scenario().strategy, *tried.strategy);
                                  }),
                                  seconds, 0, expression);
            }
            COMPARE_CLOSE(shortest([&](const Remedy &r) {
                              return r.scenario().policy == present.policy && r.scenario().cluster == present.cluster &&
                                     std::ranges::any_of(grid, [&](const Scenario &s) {
                                         return sameStrategy(*s.strategy, *r.scenario().strategy);
                                     });
                          }),
                          best, 0, info.name);
        }
        // Tuned builders are listed only if they beat their defaults.
        std::map<std::string, std::vector<const RemedyRow *>> families;
        for (const RemedyRow &row : made.answer.remedies)
            if (!row.family.empty())
                families[row.family].push_back(&row);
        for (const auto &[family, rows] : families)
            for (const RemedyRow *row : rows)
                QVERIFY2(rows.size() <= 2 && (row->remedy.kind != RemedyKind::TunedBuilder || row == rows.front()),
                         family.c_str());
        const bool reduces = builder.startsWith("AllReduce");
        for (const Policy *kind : policies()) {
            if (kind->fuse && !reduces)
                continue; // it would change nothing
            Scenario tried = present;
            tried.policy = CommPolicy(*kind);
            if (tried.policy != present.policy)
                COMPARE_CLOSE(shortest([&](const Remedy &r) { return r.scenario().policy == tried.policy; }), iterationOf(tried),
                              0, kind->name);
        }
        const auto fuses = [&](const Remedy &r) {
            return r.kind == RemedyKind::Policy && r.scenario().policy.kind().fuse != nullptr;
        };
        QCOMPARE(std::isfinite(shortest(fuses)), reduces);
    }

    /// Half and twice each knob are remedies, except for the number of workers, which changes the step itself.
    void knobsAreRemedies() {
        const Explained made = explained("PartitionedPS", "bytescheduler");
        std::set<std::string> seen;
        for (const Sensitivity &row : made.answer.sensitivities)
            for (const auto &[value, seconds] : {std::pair(row.lowValue, row.lowSeconds), {row.highValue, row.highSeconds}}) {
                if (!seconds)
                    continue;
                const Dimension &dimension = scenarioSpace()[row.dimension];
                const Scenario turned = *makeScenario(*dimension.with(made.recipe, value));
                const auto listed = std::ranges::find_if(made.answer.remedies, [&](const RemedyRow &r) {
                    return *r.remedy.scenario().cluster == *turned.cluster && r.remedy.scenario().policy == turned.policy &&
                           sameStrategy(*r.remedy.scenario().strategy, *turned.strategy);
                });
                seen.insert(dimension.id);
                QVERIFY2((listed != made.answer.remedies.end()) == (dimension.id != "workers"), dimension.id.c_str());
                if (listed != made.answer.remedies.end())
                    COMPARE_CLOSE(*listed->iterationSeconds, iterationOf(turned), 0, dimension.id);
            }
        for (const char *id : {"bandwidth", "workers", "partition", "credit"})
            QVERIFY2(seen.contains(id), id);
    }

    /// The doubt of a knob's gain is that of both runs, not of the present one alone. Here iterations differ by some 0.0003 of
    /// their mean at twice the bandwidth, and by far less at the present one.
    void knobsHaveTheDoubtOfTheirOwnRuns() {
        const Explained made = explained("PartitionedPS", "http2");
        double most = 0;
        for (const RemedyRow &row : made.answer.remedies) {
            if (row.remedy.kind != RemedyKind::Knob)
                continue;
            const auto turned = simulate(row.remedy.scenario());
            VERIFY_VALUE(turned);
            const double both = made.run->confidence + (*turned)->confidence;
            COMPARE_WITHIN(row.doubt, std::isfinite(both) ? both : 0, 1e-15, row.remedy.text.english());
            most = std::max(most, row.doubt - made.run->confidence);
        }
        COMPARE_ABOVE(most, 1e-4);
    }

    /// A gain counts where it is above the doubt of both simulations, or one of them has no steady state to doubt.
    void gainsBelowTheirDoubtDoNotHelp() {
        constexpr double never = std::numeric_limits<double>::infinity();
        const Job job = chainJob({{0.01, 0.02, 1000}});
        const Scenario fast = scenario(job, plainCluster(2, 2e9), allReduceEach(job));
        const Remedy remedy{RemedyKind::Knob, named("faster"), ScenarioChange{fast}};
        Run run = *runOf(scenario(job, plainCluster(2, 1e9), allReduceEach(job)));
        SimulatedIteration half;
        half.iterationSeconds = run.iterationSeconds / 2;
        for (const auto &[before, after, helps] : {std::tuple(0.001, 0.002, true),
                                                   {0.4, 0.2, false},
                                                   {0.001, never, true},
                                                   {never, never, true},
                                                   {never, 0.001, true}}) {
            run.confidence = before;
            half.confidence = after;
            RemedyTrials trials(run, 10);
            RemedyRow row{.remedy = remedy, .iterationSeconds = 0.0};
            trials.setFigures(row, half);
            trials.add(remedy, half.iterationSeconds, after);
            QCOMPARE(row.helps(), helps);
            QCOMPARE(trials.rows().front().helps(), helps);
        }
    }

    /// From infinity, half and twice lead nowhere: the system's default is tried.
    void anUnlimitedSizeIsLimited() {
        const Explained made = explained("AllReduce", "fsdp2(module=model)");
        const auto limited = std::ranges::find_if(made.answer.remedies,
                                                  [](const RemedyRow &r) { return r.remedy.kind == RemedyKind::ResizeParts; });
        QVERIFY(limited != made.answer.remedies.end());
        QCOMPARE(limited->remedy.text.english(), std::string("Limit the module size: 381 MiB"));
        COMPARE_CLOSE(*limited->iterationSeconds, iterationOf(*makeScenario(recipeOf("AllReduce", "fsdp2"))), 0);
    }

    /// A default without overlap is tried with it; a size that the system chooses has no half; elements are not bytes.
    void overlapIsSwitchedOn() {
        const auto textsOf = [](const Explained &made) {
            std::vector<std::string> texts;
            for (const RemedyRow &row : made.answer.remedies)
                if (row.remedy.kind == RemedyKind::ResizeParts)
                    texts.push_back(row.remedy.text.english());
            std::sort(texts.begin(), texts.end());
            return texts;
        };
        const Explained megatron = explained("AllReduce", "megatron");
        QCOMPARE(textsOf(megatron), std::vector<std::string>{"Set overlap_grad_reduce to on"});
        const auto on = std::ranges::find_if(megatron.answer.remedies,
                                             [](const RemedyRow &r) { return r.remedy.kind == RemedyKind::ResizeParts; });
        COMPARE_CLOSE(*on->iterationSeconds,
                      iterationOf(*makeScenario(recipeOf("AllReduce", "megatron(overlap_grad_reduce=on)"))), 0);
        const Explained deepspeed = explained("AllReduce", "deepspeed(reduce_bucket=20000000,overlap=on)");
        QCOMPARE(textsOf(deepspeed), (std::vector<std::string>{"Halve the reduce bucket: 10000000 elements"}));
    }

    /// Neither the run itself nor any other scenario is tried twice.
    void nothingIsTriedTwice() {
        const ScenarioRecipe other = recipeOf("PSLoadBalancing", "fifo"); // already tried as a builder's
        const Explained made = explained("PS", "fifo", {{named("trial 1"), makeScenario(other)->strategy, other.policy}});
        for (std::size_t a = 0; a < made.answer.remedies.size(); ++a) {
            const Scenario &one = made.answer.remedies[a].remedy.scenario();
            const auto equals = [&](const Scenario &other) {
                return one.policy == other.policy && *one.cluster == *other.cluster &&
                       sameStrategy(*one.strategy, *other.strategy);
            };
            QVERIFY2(!equals(made.run->scenario), made.answer.remedies[a].remedy.text.english().c_str());
            for (std::size_t b = 0; b < a; ++b)
                QVERIFY2(!equals(made.answer.remedies[b].remedy.scenario()),
                         made.answer.remedies[a].remedy.text.english().c_str());
        }
        QVERIFY(std::ranges::none_of(made.answer.remedies,
                                     [](const RemedyRow &r) { return r.remedy.kind == RemedyKind::Winner; })); // the builder's
    }

    /// A search's winner is tried with the policy it was searched with; one for another cluster says why it cannot be tried.
    void winnersAreTried() {
        const ScenarioRecipe other = recipeOf("AllReduce(chunk_size=2)", "tic");
        const auto winner = makeScenario(other)->strategy;
        Strategy elsewhere = *makeScenario(recipeOf("PS", "fifo"))->strategy;
        for (NodeConfig &node : elsewhere.nodes)
            node.synchronizer.reductionDestination = "10.9.9.9:CPU:0";
        const Explained made = explained(
            "PSLoadBalancing", "fifo",
            {{named("trial 3"), winner, other.policy}, {named("trial 4"), std::make_shared<const Strategy>(elsewhere), {}}});
        Scenario tried = made.run->scenario;
        tried.strategy = winner;
        tried.policy = other.policy;
        const auto row = std::ranges::find_if(
            made.answer.remedies, [](const RemedyRow &r) { return r.remedy.text.english() == "Strategy of trial 3"; });
        QVERIFY(row != made.answer.remedies.end());
        COMPARE_CLOSE(*row->iterationSeconds, iterationOf(tried), 0);
        QCOMPARE(std::get<SearchWinner>(std::get<ScenarioChange>(row->remedy.change).origin).name.english(),
                 std::string("trial 3"));
        QCOMPARE(made.answer.remedies.back().remedy.text.english(), std::string("Strategy of trial 4"));
        QVERIFY(!made.answer.remedies.back().iterationSeconds.has_value());
        const std::string why = made.answer.remedies.back().iterationSeconds.error().toString();
        QVERIFY2(why.find("10.9.9.9:CPU:0") != std::string::npos, why.c_str());
        QVERIFY(!made.answer.remedies.back().helps());
    }

    /// The budget drops the last remedies, and reports how many. A knob value that a cause suggests, too, counts once.
    void theBudgetHolds_data() { scenarios(); }
    void theBudgetHolds() {
        QFETCH(QString, builder);
        QFETCH(QString, policy);
        const Explanation all = explained(builder.toStdString(), policy.toStdString()).answer;
        const auto knobs = [](const Explanation &answer) {
            return static_cast<std::size_t>(
                std::ranges::count_if(answer.remedies, [](const RemedyRow &r) { return r.remedy.kind == RemedyKind::Knob; }));
        };
        for (const std::size_t budget : {0U, 1U, 12U}) {
            const Explanation some =
                explained(builder.toStdString(), policy.toStdString(), {}, {.maxSimulations = budget}).answer;
            QVERIFY(some.complete);
            QCOMPARE(some.tried, budget + knobs(some)); // knobs are simulated for the tornado anyway
            QCOMPARE(some.tried + some.leftOut, all.tried);
        }
    }

    /// With another number of workers the gain is in throughput: twice the workers, with almost nothing to send.
    void moreWorkersGainThroughput() {
        const Job job = chainJob({{0.01, 0.02, 1000}});
        const auto run = runOf(scenario(job, plainCluster(2, 1e9), allReduceEach(job)));
        RemedyTrials trials(*run, 10);
        const Scenario four = scenario(job, plainCluster(4, 1e9), allReduceEach(job));
        QVERIFY(trials.admits(four));
        RemedyRow row{.remedy = {RemedyKind::Knob, named("four"), ScenarioChange{four}}, .iterationSeconds = 0.0};
        trials.setFigures(row, simulateIteration(four));
        trials.insert(row);
        QCOMPARE(trials.rows().size(), std::size_t{1});
        COMPARE_WITHIN(trials.rows().front().gain, 0.5, 1e-3);
    }

    /// The number of threads changes nothing: neither the tried remedies, over budget or not, nor the order of equals.
    void threadsDoNotMatter_data() { scenarios(); }
    void threadsDoNotMatter() {
        QFETCH(QString, builder);
        QFETCH(QString, policy);
        for (const std::size_t budget : {20U, 500U}) {
            const auto by = [&](unsigned threads) {
                return explained(builder.toStdString(), policy.toStdString(), {}, {.maxSimulations = budget, .threads = threads})
                    .answer;
            };
            const Explanation one = by(1), many = by(7);
            QCOMPARE(many.tried, one.tried);
            QCOMPARE(many.leftOut, one.leftOut);
            QCOMPARE(many.remedies.size(), one.remedies.size());
            for (std::size_t r = 0; r < one.remedies.size(); ++r) {
                QCOMPARE(many.remedies[r].remedy.text.english(), one.remedies[r].remedy.text.english());
                QCOMPARE(many.remedies[r].iterationSeconds.has_value(), one.remedies[r].iterationSeconds.has_value());
                QCOMPARE(many.remedies[r].iterationSeconds.value_or(0), one.remedies[r].iterationSeconds.value_or(0));
                QCOMPARE(many.remedies[r].family, one.remedies[r].family);
            }
            QCOMPARE(many.sensitivities.size(), one.sensitivities.size());
            for (std::size_t d = 0; d < one.sensitivities.size(); ++d) {
                QCOMPARE(many.sensitivities[d].dimension, one.sensitivities[d].dimension);
                QVERIFY(many.sensitivities[d].lowSeconds == one.sensitivities[d].lowSeconds);
                QVERIFY(many.sensitivities[d].highSeconds == one.sensitivities[d].highSeconds);
            }
        }
    }

    /// A stop takes effect after the simulations that are under way, in every phase.
    void itStops() {
        const ScenarioRecipe made = recipeOf("PSLoadBalancing", "fifo");
        const auto run = *simulate(*makeScenario(made));
        for (const std::size_t at : {0U, 3U, 20U}) {
            std::stop_source stop;
            std::size_t tried = 0;
            const WhyOptions options{.alternatives = [&] { return alternativesTo(*run, {}); }, .threads = 3};
            const auto answer = explain(*run, made, options, stop.get_token(), [&](const Explanation &so) {
                tried = so.tried;
                if (so.tried >= at)
                    stop.request_stop();
            });
            QVERIFY(!answer);
            QVERIFY(answer.error().isCancelled());
            COMPARE_AT_MOST(tried, at + 2); // a knob has two ends
        }
    }

    /// If the causes suggest no change, as with measured collectives, builders and policies are tried nevertheless.
    void trafficIsEnough() {
        ScenarioRecipe made = recipeOf("AllReduce", "tic");
        const CollectiveCurve curve{CollectiveKind::AllReduce, made.cluster->replicaCount(), {{0, 5e-3, 1e-9}}};
        made.collectiveCurves = std::make_shared<const std::vector<CollectiveCurve>>(1, curve);
        const auto run = *simulate(*makeScenario(made));
        const CauseFinder finder(*run);
        QVERIFY(hasTraffic(finder.ofIteration()));
        QVERIFY(proposeRemedies(*run, finder, finder.ofIteration()).empty());
        const auto answer = explain(*run, made, {.alternatives = [&] { return alternativesTo(*run, {}); }});
        QVERIFY(answer && answer->complete);
        for (const RemedyKind kind : {RemedyKind::Builder, RemedyKind::Policy})
            QVERIFY2(std::ranges::any_of(answer->remedies, [&](const RemedyRow &r) { return r.remedy.kind == kind; }),
                     nameOf(kind));
    }

    /// If compute alone decides, no builder is tried.
    void computingAloneHasNone() {
        ScenarioRecipe made = recipeOf("AllReduce", "fifo");
        made.job = std::make_shared<const Job>(chainJob({{0.25, 0.5, 0}}));
        made.cluster = std::make_shared<const Cluster>(plainCluster(1, 1e9));
        const auto run = *simulate(*makeScenario(made));
        const auto answer = explain(*run, made, {.alternatives = [&] { return alternativesTo(*run, {}); }});
        QVERIFY(answer && answer->complete);
        for (const RemedyRow &row : answer->remedies)
            QVERIFY2(row.remedy.kind == RemedyKind::Knob && !row.helps(), row.remedy.text.english().c_str());
    }
};

QTEST_APPLESS_MAIN(TestRemedies)
#include "tst_remedies.moc"
