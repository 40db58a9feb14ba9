// SPDX-License-Identifier: GPL-3.0-or-later
// AutoByte's optimizer and trigger on a network, and the training set of networks.
#include "engine/job/catalogue.h"
#include "engine/search/tune/conditions.h"
#include "engine/search/tune/meta_training.h"
#include "engine/search/tune/meta_tuner.h"
#include "engine/search/tune/tuners.h"
#include "engine/search/tune/tuning.h"
#include "tests/checks.h"
#include "tests/scenarios.h"

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stop_token>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

ScenarioRecipe recipeWith(const std::string &policy, double gbits = 10) {
    ScenarioRecipe recipe;
    recipe.job = std::make_shared<const Job>(*catalogueJob("alexnet"));
    recipe.cluster = std::make_shared<const Cluster>(withDedicatedServers(uniformCluster(4, gbits), 4));
    recipe.strategy = BuiltStrategy{"PSLoadBalancing"};
    recipe.policy = *parsePolicy(policy);
    return recipe;
}

TuneSpace spaceAt(double gbits) {
    return *TuneSpace::make(recipeWith("bytescheduler(hash=mxnet)", gbits), TuneSpace::partitionAndCredit());
}

RuntimeMetrics metricsOf(const TuneSpace &space) { return *runtimeMetricsOf(*space.defaultScenario()); }

std::vector<SchedulerSetting> candidatesOf(const TuneSpace &space) {
    std::vector<SchedulerSetting> settings;
    for (const TunePoint &point : MetaTuner::candidatePoints(space))
        settings.push_back({space.valuesAt(point)[0], space.valuesAt(point)[1]});
    return settings;
}

/// Of the settings within 1 % of the highest speed, the one from which the others are nearest, by factors.
SchedulerSetting middleOfTied(const std::vector<SchedulerSetting> &settings, const std::vector<double> &speeds) {
    const double highest = *std::max_element(speeds.begin(), speeds.end());
    SchedulerSetting middle;
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < settings.size(); ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < settings.size(); ++j) {
            const double p = std::log(settings[i].partitionBytes / settings[j].partitionBytes),
                         c = std::log(settings[i].creditBytes / settings[j].creditBytes);
            sum += highest <= 1.01 * speeds[j] ? std::sqrt(p * p + c * c) : 0;
        }
        if (highest <= 1.01 * speeds[i] && sum < nearest * (1 - 1e-9)) {
            nearest = sum;
            middle = settings[i];
        }
    }
    return middle;
}

Result<MetaSet> smallSet(unsigned threads, std::uint64_t seed = 3) {
    return makeMetaSet({.conditions = 5, .pairs = 4, .heldOutConditions = 1, .seed = seed, .threads = threads});
}

} // namespace

class TestMetaTuner : public QObject {
    Q_OBJECT

private slots:
    void otherKnobsAreRefused() {
        const auto refused = [](const std::string &policy, std::vector<TuneAxis> axes) {
            return !makeTuner("meta", *TuneSpace::make(recipeWith(policy), std::move(axes)), 1);
        };
        const auto pair = TuneSpace::partitionAndCredit();
        QVERIFY(!refused("bytescheduler", pair));
        QVERIFY(refused("byteps", pair));
        QVERIFY(refused("bytescheduler", {pair[0]}));
        // Partitions that cut the job into more pieces than the network was ever trained on.
        QVERIFY(refused("bytescheduler", {{pair[0].dimension, 4096, 8192, Scale::Logarithmic, {}}, pair[1]}));
    }

    /// The proposal is the middle of the pairs within 1 % of the best of the network's own predictions over all pairs, found by a
    /// plain loop, and the gain is relative to the present pair.
    void theMiddleOfTheBestPredictionsIsProposed() {
        const TuneSpace space = spaceAt(10);
        const auto network = std::make_shared<const MetaNetwork>(*shippedMetaNetwork());
        const auto tuner = MetaTuner::make(space, network);
        QVERIFY(tuner);
        COMPARE_ABOVE(tuner->candidates(), 200);
        const auto proposal = tuner->propose(metricsOf(space), space.defaultValues());
        const auto predicted = [&](double partition, double credit) {
            const SchedulerSetting setting{partition, credit};
            return network->samplesPerSecond(metricsOf(space), {&setting, 1}).front();
        };
        QCOMPARE(space.valuesAt(proposal.point), proposal.values);
        COMPARE_CLOSE(proposal.samplesPerSecond, predicted(proposal.values[0], proposal.values[1]), 1e-5);
        COMPARE_CLOSE(proposal.gain, proposal.samplesPerSecond / predicted(4e6, 16e6) - 1, 1e-4);
        for (double partition = 65536; partition < 2e9; partition *= 2) // the range's ends are on the grid of candidates
            for (const double multiple : {1, 4, 16})
                COMPARE_AT_LEAST(proposal.samplesPerSecond * 1.05, predicted(partition, multiple * partition),
                                 std::to_string(partition));
        const std::vector<SchedulerSetting> settings = candidatesOf(space);
        QCOMPARE(settings.size(), tuner->candidates());
        const std::vector<double> speeds = network->samplesPerSecond(metricsOf(space), settings);
        const SchedulerSetting middle = middleOfTied(settings, speeds);
        COMPARE_CLOSE(proposal.values[0], middle.partitionBytes);
        COMPARE_CLOSE(proposal.values[1], middle.creditBytes);
    }

    /// On all-reduces the middle is another pair than the fastest at some bandwidths, so that a test can tell them apart.
    void theMiddleIsNotAlwaysTheFastest() {
        std::size_t others = 0;
        for (const double gbits : {1, 5, 10, 25}) {
            ScenarioRecipe recipe = recipeWith("bytescheduler", gbits);
            recipe.strategy = BuiltStrategy{"AllReduce(chunk_size=1)"};
            const TuneSpace space = *TuneSpace::make(std::move(recipe), TuneSpace::partitionAndCredit());
            const std::vector<SchedulerSetting> settings = candidatesOf(space);
            const auto speeds = shippedMetaNetwork()->samplesPerSecond(metricsOf(space), settings);
            const auto values = MetaTuner::make(space)->propose(metricsOf(space), space.defaultValues()).values;
            COMPARE_CLOSE(values[0], middleOfTied(settings, speeds).partitionBytes);
            COMPARE_CLOSE(values[1], middleOfTied(settings, speeds).creditBytes);
            const auto fastest = static_cast<std::size_t>(std::max_element(speeds.begin(), speeds.end()) - speeds.begin());
            others += settings[fastest].partitionBytes != values[0] || settings[fastest].creditBytes != values[1] ? 1 : 0;
        }
        COMPARE_AT_LEAST(others, 1);
    }

    /// A prediction 8 % off is accepted; one 40 % off is learned from: the next proposal's is lower.
    void onlyAPredictionThatIsOffAdapts() {
        const TuneSpace space = spaceAt(10);
        const auto network = std::make_shared<const MetaNetwork>(*shippedMetaNetwork());
        auto tuner = *MetaTuner::make(space, network);
        const RuntimeMetrics metrics = metricsOf(space);
        const auto before = tuner.propose(metrics, space.defaultValues());
        tuner.observe(metrics, before.values, before.samplesPerSecond * 1.08);
        QCOMPARE(tuner.adaptations(), std::size_t{0});
        tuner.observe(metrics, before.values, std::nan(""));
        tuner.observe(metrics, before.values, -1);
        QCOMPARE(tuner.adaptations(), std::size_t{0});
        tuner.observe(metrics, before.values, before.samplesPerSecond * 0.6);
        QCOMPARE(tuner.adaptations(), std::size_t{1});
        COMPARE_BELOW(tuner.propose(metrics, before.values).samplesPerSecond, before.samplesPerSecond);
    }

    /// The present setting first, then three predictions; well ahead of the default, near the grid's best.
    void theTunerEndsByItself_data() {
        QTest::addColumn<double>("gbits");
        QTest::newRow("1 Gbit/s") << 1.0;
        QTest::newRow("10 Gbit/s") << 10.0;
        QTest::newRow("25 Gbit/s") << 25.0;
    }
    void theTunerEndsByItself() {
        QFETCH(double, gbits);
        const TuneSpace space = spaceAt(gbits);
        const auto tuner = makeTuner("meta()", space, 1);
        QVERIFY(tuner);
        QCOMPARE((*tuner)->text(), std::string("meta()"));
        const auto judge = makeJudge("simulated()");
        const auto tuning = runTuning(**tuner, **judge, {30, 1});
        QVERIFY(tuning && tuning->best());
        COMPARE_AT_MOST(tuning->path.size(), 4);
        QCOMPARE(tuning->path.front().values, space.presentValues());
        const auto once = runTuning(**makeTuner("meta(tries=1)", space, 1), **judge, {30, 1});
        QVERIFY(once);
        COMPARE_AT_MOST(once->path.size(), 2);
        QCOMPARE(tuning->path[1].values, once->path[1].values); // the first is the best
        const TuneStep &best = tuning->path[*tuning->best()];
        COMPARE_BELOW(best.iterationSeconds, tuning->path.front().iterationSeconds);
        const auto map =
            landscapeOf(*TuneSpace::make(space.recipe(), {{space.axes()[0].dimension, 65536, 1073741824, Scale::Logarithmic, {}},
                                                          space.axes()[1]}),
                        {8, 5}, **judge, 1);
        QVERIFY(map && map->best());
        COMPARE_AT_MOST(best.iterationSeconds, 1.05 * map->points[*map->best()].iterationSeconds);
    }

    /// Each is unlike all earlier ones, and predicted to be at most as fast, except for ties.
    void laterTriesAreUnlikeEarlierOnes() {
        const TuneSpace space = spaceAt(10);
        const auto tuner = *MetaTuner::make(space);
        const RuntimeMetrics metrics = metricsOf(space);
        const auto network = *shippedMetaNetwork();
        const auto isFar = [](double a, double b) { return std::abs(std::log(a / b)) >= std::log(3) - 1e-12; };
        std::vector<std::vector<double>> tried;
        double before = std::numeric_limits<double>::infinity();
        for (int count = 0; count < 4; ++count) {
            const auto point = tuner.proposeUnlike(metrics, tried);
            QVERIFY(point);
            const std::vector<double> values = space.valuesAt(*point);
            if (tried.empty())
                QCOMPARE(values, tuner.propose(metrics, space.defaultValues()).values);
            for (const auto &other : tried)
                QVERIFY(isFar(values[0], other[0]) || isFar(values[1], other[1]));
            const SchedulerSetting setting{values[0], values[1]};
            const double speed = network.samplesPerSecond(metrics, {&setting, 1}).front();
            COMPARE_AT_MOST(speed, before * (1.01 + 1e-5));
            before = speed;
            tried.push_back(values);
        }
        std::vector<std::vector<double>> everywhere;
        for (double partition = 4096; partition < 4e9; partition *= 2)
            for (double credit = partition; credit < 32 * partition; credit *= 2)
                everywhere.push_back({partition, credit});
        QVERIFY(!tuner.proposeUnlike(metrics, everywhere));
    }

    void theSetIsAFunctionOfItsSeed() {
        const auto set = smallSet(1), again = smallSet(3), other = smallSet(1, 4);
        QVERIFY(set && again && other);
        QCOMPARE(set->training.size(), std::size_t{5});
        QCOMPARE(set->heldOut.size(), std::size_t{1});
        QCOMPARE(set->leftOut.size(), std::size_t{1});
        QCOMPARE(again->points(), set->points());
        for (std::size_t i = 0; i < set->training.size(); ++i)
            QCOMPARE(again->training[i].samplesPerSecond, set->training[i].samplesPerSecond);
        QVERIFY(other->training.front().samplesPerSecond != set->training.front().samplesPerSecond);
        for (const MetaExample &example : set->training)
            for (std::size_t i = 0; i < example.settings.size(); ++i) {
                COMPARE_AT_LEAST(example.settings[i].partitionBytes, 4096);
                COMPARE_AT_MOST(example.settings[i].partitionBytes, 1073741824);
                COMPARE_AT_LEAST(example.settings[i].creditBytes, example.settings[i].partitionBytes);
                COMPARE_AT_MOST(example.settings[i].creditBytes, 16 * example.settings[i].partitionBytes);
                COMPARE_ABOVE(example.samplesPerSecond[i], 0);
            }
    }

    /// Courses of the bandwidth before the iterations that are simulated: some are steady, some change on all cards alike, some
    /// fluctuate, and none by more than the network knows. The control forgets all looks but the newest, and nothing else.
    void bandwidthHasACourse() {
        const MetaSetOptions options{.conditions = 40, .pairs = 2, .heldOutConditions = 1, .seed = 3, .threads = 1};
        const auto set = makeMetaSet(options);
        QVERIFY(set);
        std::size_t steady = 0, stepped = 0, fluctuating = 0;
        for (const MetaExample &example : set->training) {
            const Matrix<double> &up = example.metrics.upBytesPerSecond, &down = example.metrics.downBytesPerSecond;
            QCOMPARE(up.rows, bandwidthLooks);
            QCOMPARE(up.cols, example.metrics.workers());
            const auto ratio = [&](std::size_t look, std::size_t worker) { return up(look, worker) / up(up.rows - 1, worker); };
            bool alike = true, same = true;
            for (std::size_t look = 0; look < up.rows; ++look)
                for (std::size_t w = 0; w < up.cols; ++w) {
                    alike = alike && std::abs(ratio(look, w) / ratio(look, 0) - 1) < 1e-9; // on all cards
                    same = same && std::abs(ratio(look, w) - 1) < 1e-9;
                    COMPARE_BELOW(std::abs(std::log(ratio(look, w))), std::log(MetaNetwork::maxChange) + 1e-9);
                }
            steady += same ? 1 : 0;
            stepped += alike && !same ? 1 : 0;
            fluctuating += alike ? 0 : 1;
            QCOMPARE(up.values == down.values, alike); // each direction fluctuates on its own
        }
        COMPARE_AT_LEAST(steady, 12);
        COMPARE_AT_LEAST(stepped, 4);
        COMPARE_AT_LEAST(fluctuating, 4);
        MetaSetOptions newest = options;
        newest.newestLookAlone = true;
        const auto control = makeMetaSet(newest);
        QVERIFY(control);
        QCOMPARE(control->training.size(), set->training.size());
        for (std::size_t i = 0; i < set->training.size(); ++i) {
            const RuntimeMetrics &whole = set->training[i].metrics, &last = control->training[i].metrics;
            QCOMPARE(last.upBytesPerSecond.rows, std::size_t{1});
            QCOMPARE(last.boundSamplesPerSecond(), whole.boundSamplesPerSecond());
            QCOMPARE(control->training[i].samplesPerSecond, set->training[i].samplesPerSecond);
        }
    }

    void aStopEndsTheSet() {
        std::stop_source stop;
        stop.request_stop();
        const auto set = makeMetaSet({.conditions = 3, .pairs = 3, .heldOutConditions = 1}, stop.get_token());
        QVERIFY(!set);
        QVERIFY(set.error().isCancelled());
    }

    /// Compared with a plain loop over the pairs of one condition.
    void errorsAreThoseOfTheChoice() {
        const auto set = smallSet(1);
        QVERIFY(set);
        const auto errorsOf = [](const MetaNetwork &network, const std::vector<MetaExample> &examples, std::size_t tries = 1) {
            return syncopate::errorsOf(network, examples, tries, PairChoice::Fastest);
        };
        const MetaErrors errors = errorsOf(*shippedMetaNetwork(), set->heldOut);
        const MetaExample &example = set->heldOut.front();
        const auto predicted = shippedMetaNetwork()->samplesPerSecond(example.metrics, example.settings);
        std::size_t chosen = 0, best = 0;
        for (std::size_t i = 0; i < predicted.size(); ++i) {
            chosen = predicted[i] > predicted[chosen] ? i : chosen;
            best = example.samplesPerSecond[i] > example.samplesPerSecond[best] ? i : best;
        }
        QCOMPARE(errors.conditions, std::size_t{1});
        COMPARE_CLOSE(1 + errors.maxRegret, example.samplesPerSecond[best] / example.samplesPerSecond[chosen]);
        for (const double regret : {errors.medianRegret, errors.meanRegret, errors.p90Regret})
            COMPARE_CLOSE(1 + regret, 1 + errors.maxRegret);
        QCOMPARE(errors.within2, errors.maxRegret <= 0.02 ? 1.0 : 0.0);
        double near = 0; // a random pair's chance
        for (const double speed : example.samplesPerSecond)
            near += example.samplesPerSecond[best] <= 1.05 * speed ? 1 : 0;
        const double miss = 1 - near / static_cast<double>(predicted.size());
        COMPARE_CLOSE(errors.randomWithin5, 1 - miss);
        COMPARE_CLOSE(errorsOf(*shippedMetaNetwork(), set->heldOut, 3).randomWithin5, 1 - miss * miss * miss);
        // The second try is, of the pairs that differ by a factor of three, the fastest by prediction.
        std::size_t second = predicted.size();
        const auto isFar = [](double a, double b) { return std::max(a, b) >= 3 * std::min(a, b); };
        for (std::size_t i = 0; i < predicted.size(); ++i) {
            const SchedulerSetting &a = example.settings[i], &b = example.settings[chosen];
            if ((isFar(a.partitionBytes, b.partitionBytes) || isFar(a.creditBytes, b.creditBytes)) &&
                (second == predicted.size() || predicted[i] > predicted[second]))
                second = i;
        }
        COMPARE_BELOW(second, predicted.size());
        std::vector<MetaExample> known = set->heldOut;
        std::fill(known.front().samplesPerSecond.begin(), known.front().samplesPerSecond.end(), 2);
        known.front().samplesPerSecond[chosen] = 1;
        known.front().samplesPerSecond[second] = 3;
        COMPARE_CLOSE(errorsOf(*shippedMetaNetwork(), known, 1).maxRegret, 2);
        COMPARE_WITHIN(errorsOf(*shippedMetaNetwork(), known, 2).maxRegret, 0, 1e-12);
    }

    /// By default they belong to the pair that the tuner takes; mean, 90th percentile and maximum are over all conditions.
    /// Measured speeds are made up, so that no two pairs have the same regret.
    void errorsAreThoseOfTheRule() {
        auto set = makeMetaSet({.conditions = 0, .heldOutConditions = 6, .seed = 5, .threads = 2});
        QVERIFY(set && set->training.empty());
        std::vector<MetaExample> examples = set->heldOut;
        examples.insert(examples.end(), set->leftOut.begin(), set->leftOut.end());
        QCOMPARE(examples.size(), std::size_t{12});
        const auto network = *shippedMetaNetwork();
        std::vector<double> regrets;
        std::size_t others = 0; // conditions whose middle is not the fastest
        for (MetaExample &example : examples) {
            const auto predicted = network.samplesPerSecond(example.metrics, example.settings);
            const SchedulerSetting middle = middleOfTied(example.settings, predicted);
            for (std::size_t i = 0; i < predicted.size(); ++i) {
                example.samplesPerSecond[i] = static_cast<double>(1 + i);
                if (example.settings[i].partitionBytes == middle.partitionBytes &&
                    example.settings[i].creditBytes == middle.creditBytes) {
                    regrets.push_back(static_cast<double>(predicted.size()) / static_cast<double>(1 + i) - 1);
                    others += predicted[i] < *std::max_element(predicted.begin(), predicted.end()) ? 1 : 0;
                }
            }
        }
        COMPARE_AT_LEAST(others, 1);
        std::sort(regrets.begin(), regrets.end());
        QCOMPARE(regrets.size(), std::size_t{12});
        const MetaErrors errors = errorsOf(network, examples);
        COMPARE_CLOSE(1 + errors.maxRegret, 1 + regrets.back());
        COMPARE_CLOSE(1 + errors.p90Regret, 1 + regrets[10]);
        COMPARE_CLOSE(1 + errors.medianRegret, 1 + (regrets[5] + regrets[6]) / 2);
        double mean = 0;
        for (const double regret : regrets)
            mean += regret / 12;
        COMPARE_CLOSE(1 + errors.meanRegret, 1 + mean);
    }

    /// Held-out conditions may use all pairs that the tuner proposes; the grid of 12 x 5 has a fifth of them.
    void heldOutConditionsMayHaveAllCandidates() {
        const auto set =
            makeMetaSet({.conditions = 0, .heldOutConditions = 1, .seed = 3, .heldOutCandidates = true, .threads = 2});
        QVERIFY(set);
        COMPARE_AT_LEAST(set->heldOut.front().settings.size(), 200);
        COMPARE_AT_MOST(set->heldOut.front().settings.size(), 384);
    }
};

QTEST_APPLESS_MAIN(TestMetaTuner)
#include "tst_meta_tuner.moc"
