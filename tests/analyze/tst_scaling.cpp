// SPDX-License-Identifier: GPL-3.0-or-later
// Scaling curves compared with closed forms, and with a simulation of every number of workers.
#include "engine/analyze/scaling.h"
#include "engine/simulate/run.h"
#include "tests/checks.h"
#include "tests/scenarios.h"

#include <QtTest>
#include <algorithm>
#include <cmath>

using namespace syncopate;

namespace {

constexpr double compute = 0.75, transfer = 0.011; ///< seconds; the latter is one variable over the server's link

/// One variable on one dedicated server, whose link all workers share: an iteration of n workers takes 0.75 s + 2 n 11 ms.
ScenarioRecipe oneServer() {
    ScenarioRecipe recipe;
    recipe.job = std::make_shared<const Job>(testing::chainJob({{0.25, 0.5, 2'750'000}}));
    recipe.cluster = std::make_shared<const Cluster>(testing::servedCluster(1, 1e9));
    recipe.strategy = BuiltStrategy{"PS"};
    return recipe;
}

double iterationOf(double workers, double transferSeconds = transfer) { return compute + 2 * workers * transferSeconds; }

/// The best n from 1 to `to`, by the closed form.
std::int32_t kneeOfClosedForm(std::int32_t to, double share, double transferSeconds) {
    const double one = 1 / iterationOf(1);
    std::int32_t best = 1;
    const auto worth = [&](std::int32_t n) { return n / iterationOf(n, transferSeconds) - share * one * n; };
    for (std::int32_t n = 2; n <= to; ++n)
        if (worth(n) > worth(best))
            best = n;
    return best;
}

/// Samples per second of n workers of oneServer(), the last of which computes at two thirds of the others' speed: simulated.
double samplesWithAStraggler(std::int32_t n) {
    ScenarioRecipe recipe = oneServer();
    recipe.knobs.workers = n;
    Scenario scenario = *makeScenario(recipe);
    Cluster cluster = *scenario.cluster;
    for (std::size_t node = cluster.nodes.size(); node-- > 0;)
        if (cluster.nodes[node].replicaCount() > 0 &&
            std::ranges::find(cluster.serverOnly, static_cast<std::int32_t>(node)) == cluster.serverOnly.end()) {
            cluster.nodes[node].computeScale = 2.0 / 3;
            break;
        }
    scenario.cluster = std::make_shared<const Cluster>(std::move(cluster));
    return (*simulate(scenario))->samplesPerSecond;
}

ScalingOptions upTo(std::int32_t to) {
    ScalingOptions options;
    options.to = to;
    options.resolution = 0;
    return options;
}

ScalingPoint pointOf(std::int32_t workers, double samplesPerSecond) {
    ScalingPoint point;
    point.workers = workers;
    point.samplesPerSecond = samplesPerSecond;
    return point;
}

const ScalingPoint *pointAt(const Scaling &scaling, std::int32_t workers) {
    const auto found = std::ranges::find(scaling.points, workers, &ScalingPoint::workers);
    return found == scaling.points.end() ? nullptr : &*found;
}

std::string whyOf(const Scaling &scaling, std::int32_t workers) {
    const auto found = std::ranges::find(scaling.worth, workers, &WorthBenchmarking::workers);
    return found == scaling.worth.end() ? std::string() : found->why.english();
}

} // namespace

class TestScaling : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Linear up to 10 workers, then flat: the knee is at 10 for any worthwhile share.
    void kneeOfARoof() {
        std::vector<ScalingPoint> points;
        for (std::int32_t n = 1; n <= 40; ++n)
            points.push_back(pointOf(n, std::min(n, 10) * 7.0));
        for (const double share : {0.1, 0.5, 0.9}) {
            const auto knee = kneeOf(points, share, 7);
            QVERIFY(knee.has_value());
            QCOMPARE(knee->workers, 10);
            QVERIFY(!knee->isBeyond);
        }
    }

    /// The second worker gains nothing, as traffic begins; from there scaling is linear. Such a dip is not a knee.
    void aDipIsNoKnee() {
        std::vector<ScalingPoint> points{pointOf(1, 100)};
        for (std::int32_t n = 2; n <= 20; ++n)
            points.push_back(pointOf(n, 100 + 80.0 * (n - 2)));
        auto knee = kneeOf(points, 0.5, 100);
        QVERIFY(knee && knee->isBeyond);
        QCOMPARE(knee->workers, 20);
        knee = kneeOf(points, 0.9, 100);
        QVERIFY(knee && !knee->isBeyond);
        QCOMPARE(knee->workers, 1);
        QVERIFY(!kneeOf({}, 0.5, 100));
    }

    void oneServerIsTheClosedForm() {
        const auto scaling = findScaling(oneServer(), upTo(64));
        QVERIFY2(scaling, scaling ? "" : scaling.error().toString().c_str());
        QVERIFY(scaling->isComplete);
        for (const std::int32_t n : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64})
            QVERIFY2(pointAt(*scaling, n), qPrintable(QString::number(n)));
        const ScalingPoint *before = nullptr;
        const double one = 1 / iterationOf(1);
        for (const ScalingPoint &point : scaling->points) {
            const double n = point.workers, iteration = iterationOf(n);
            COMPARE_CLOSE(point.iterationSeconds, iteration);
            COMPARE_CLOSE(point.samplesPerSecond, n / iteration);
            COMPARE_CLOSE(point.efficiency, 1 / iteration / one);
            COMPARE_CLOSE(point.bottleneck.shares[0], compute / iteration);
            COMPARE_CLOSE(point.bottleneck.shares[1], 2 * n * transfer / iteration);
            COMPARE_CLOSE(point.bounds.computeSeconds, compute);
            if (before) {
                const double m = before->workers;
                COMPARE_CLOSE(point.marginalEfficiency, (n / iteration - m / iterationOf(m)) / (n - m) / one, 1e-9);
            } else {
                QVERIFY(std::isnan(point.marginalEfficiency));
            }
            before = &point;
        }
        // 2 n 11 ms exceed 750 ms from 35 workers on.
        QCOMPARE(scaling->regions.size(), std::size_t{2});
        QCOMPARE(scaling->regions[0].from, 1);
        QCOMPARE(scaling->regions[0].to, 34);
        QVERIFY(scaling->regions[0].bottleneck == Bottleneck::Compute);
        QCOMPARE(scaling->regions[1].from, 35);
        QCOMPARE(scaling->regions[1].to, 64);
        QVERIFY(scaling->regions[1].bottleneck == Bottleneck::Network);
        QVERIFY2(scaling->regions[1].resource.starts_with("n1 "), scaling->regions[1].resource.c_str());
    }

    /// The knee and, with half and twice the bandwidth, the ends of its band are the optimum of the closed form.
    void kneeAndBandAreTheClosedForms() {
        for (const double share : {0.3, 0.5, 0.7}) {
            ScalingOptions options = upTo(64);
            options.worthwhileShare = share;
            const auto scaling = findScaling(oneServer(), options);
            QVERIFY(scaling && scaling->knee && scaling->low && scaling->high);
            const std::int32_t half = kneeOfClosedForm(64, share, 2 * transfer),
                               twice = kneeOfClosedForm(64, share, transfer / 2);
            QCOMPARE(scaling->knee->workers, kneeOfClosedForm(64, share, transfer));
            QCOMPARE(scaling->conditions.size(), std::size_t{3});
            QCOMPARE(scaling->conditions[0].name.english(), std::string("links at half"));
            QCOMPARE(scaling->conditions[0].knee->workers, half);
            QCOMPARE(scaling->conditions[1].knee->workers, twice);
            // The third condition is a straggler, whose knee is no closed form.
            const std::array knees{scaling->knee->workers, half, twice, scaling->conditions[2].knee->workers};
            QCOMPARE(scaling->low->workers, *std::ranges::min_element(knees));
            QCOMPARE(scaling->high->workers, *std::ranges::max_element(knees));
            QVERIFY2(whyOf(*scaling, scaling->knee->workers).starts_with("the knee"), "no knee among them");
            QVERIFY(whyOf(*scaling, scaling->low->workers).find("low end") != std::string::npos);
            QVERIFY(whyOf(*scaling, scaling->high->workers).find("high end") != std::string::npos);
            QVERIFY(whyOf(*scaling, 35).find("network instead of compute") != std::string::npos);
        }
    }

    /// With a straggler, the optimum over all n, each simulated here.
    void theStragglersKneeIsTheBestOfAll() {
        const auto scaling = findScaling(oneServer(), upTo(32));
        QVERIFY(scaling);
        std::int32_t best = 0;
        double most = 0;
        for (std::int32_t n = 1; n <= 32; ++n) {
            const double worth = samplesWithAStraggler(n) - 0.5 / iterationOf(1) * n;
            if (n == 1 || worth > most * (1 + 1e-12)) {
                best = n;
                most = worth;
            }
        }
        QVERIFY(scaling->conditions[2].name.english().find("two thirds") != std::string::npos);
        QCOMPARE(scaling->conditions[2].knee->workers, best);
    }

    /// Regions match simulations at both of their ends: a ring, servers on the workers' nodes, nodes of two devices.
    void regionsAreSimulatedAtTheirEnds() {
        for (const char *builder : {"AllReduce", "PSLoadBalancing"})
            for (const int devices : {1, 2}) {
                ScenarioRecipe recipe;
                recipe.job = std::make_shared<const Job>(
                    testing::chainJob({{0.002, 0.004, 500000}, {0.002, 0.004, 2000000}, {0.001, 0.002, 900000}}));
                Cluster cluster = uniformCluster(4, 10);
                cluster.latencySeconds = 2e-4;
                for (Node &node : cluster.nodes)
                    for (std::int32_t gpu = 1; gpu < devices; ++gpu)
                        node.gpus.push_back(gpu);
                recipe.cluster = std::make_shared<const Cluster>(std::move(cluster));
                recipe.strategy = BuiltStrategy{builder};
                recipe.policy = *parsePolicy("fifo");
                const auto scaling = findScaling(recipe, upTo(24));
                QVERIFY2(scaling, scaling ? "" : scaling.error().toString().c_str());
                COMPARE_AT_LEAST(scaling->regions.size(), 2U);
                for (const ScalingRegion &region : scaling->regions)
                    for (const std::int32_t n : {region.from, region.to}) {
                        recipe.knobs.workers = n;
                        const auto run = simulate(*makeScenario(recipe));
                        const CauseFinder finder(**run);
                        const CauseChain chain = finder.ofIteration();
                        std::array<double, bottleneckCount> seconds{};
                        for (const Cause &cause : chain.causes)
                            seconds[static_cast<std::size_t>(bottleneckOf(cause.kind))] += cause.seconds();
                        const double largest = *std::ranges::max_element(seconds);
                        COMPARE_CLOSE(seconds[static_cast<std::size_t>(region.bottleneck)], largest, 1e-9,
                                      fmt::format("{} on {} of {}", builder, n, devices));
                    }
                for (std::size_t r = 1; r < scaling->regions.size(); ++r) // found exactly
                    QCOMPARE(scaling->regions[r].from, scaling->regions[r - 1].to + 1);
            }
    }

    /// Links at half and at twice their rate change collectives with measured times, too: those belong to the links as they are.
    /// They stay where collectives use no card: on named channels, and inside a node.
    void linksChangeMeasuredCollectives() {
        constexpr double curve = 0.05, ring = 1.5 * transfer; // seconds of an all-reduce among four, measured and modelled
        const auto surveyOf = [&](const Cluster &cluster, bool isMeasured, const char *builder = "AllReduce") {
            ScenarioRecipe recipe = oneServer();
            recipe.strategy = BuiltStrategy{builder};
            recipe.cluster = std::make_shared<const Cluster>(cluster);
            if (isMeasured)
                recipe.collectiveCurves = std::make_shared<const std::vector<CollectiveCurve>>(
                    1, CollectiveCurve{CollectiveKind::AllReduce, 4, {{0, curve, 0}}});
            return testing::must(findScaling(recipe, upTo(4)));
        };
        const auto says = [](const Scaling &scaling) {
            return std::ranges::any_of(scaling.assumptions, [](const std::string &text) {
                return text.find("measured ones belong to the links as they are") != std::string::npos;
            });
        };
        const Cluster nodes = testing::plainCluster(4, 1e9);
        Cluster filed = nodes, named = nodes, single = testing::plainCluster(1, 1e9);
        filed.collectives = {{CollectiveKind::AllReduce, 4, {{1e6, curve}, {1e8, curve}}}};
        named.namedChannels = {{.name = "rdma", .links = {"rdma"}, .bandwidthBytesPerSecond = 1e9}};
        single.nodes[0].gpus = {0, 1, 2, 3};
        for (const auto &[cluster, isMeasured] : {std::pair{nodes, true}, {filed, false}}) {
            const Scaling scaling = surveyOf(cluster, isMeasured);
            COMPARE_CLOSE(pointAt(scaling, 4)->iterationSeconds, compute + curve, 1e-9);
            COMPARE_CLOSE(pointAt(scaling, 4)->highSamplesPerSecond, 4 / (compute + ring / 2), 1e-4);
            QVERIFY(says(scaling));
        }
        for (Cluster cluster : {named, single})
            for (const bool isMeasured : {true, false}) {
                if (!isMeasured)
                    cluster.collectives = filed.collectives;
                const Scaling scaling = surveyOf(cluster, isMeasured);
                COMPARE_CLOSE(pointAt(scaling, 4)->iterationSeconds, compute + curve, 1e-9);
                COMPARE_CLOSE(pointAt(scaling, 4)->highSamplesPerSecond, 4 / (compute + curve), 1e-9);
                QVERIFY(!says(scaling));
            }
        QVERIFY(!says(surveyOf(nodes, false)));
        QVERIFY(!says(surveyOf(filed, false, "PSLoadBalancing"))); // has no collectives
    }

    /// Without traffic every worker adds the same, and the knee is beyond the range.
    void withoutTrafficThereIsNoKnee() {
        ScenarioRecipe recipe = oneServer();
        recipe.job = std::make_shared<const Job>(testing::chainJob({{0.25, 0.5, 0}}));
        const auto scaling = findScaling(recipe, upTo(16));
        QVERIFY(scaling && scaling->knee && scaling->knee->isBeyond);
        QCOMPARE(scaling->knee->workers, 16);
        QCOMPARE(scaling->regions.size(), std::size_t{1});
        for (const ScalingPoint &point : scaling->points)
            COMPARE_CLOSE(point.efficiency, 1);
        QCOMPARE(whyOf(*scaling, 16), std::string("the knee, or beyond"));
    }

    /// The sixth worker cannot be simulated: the knee is the fifth, and nothing says that more workers pay.
    void noKneeIsBeyondTheSimulated() {
        ScenarioRecipe recipe = oneServer();
        recipe.job = std::make_shared<const Job>(testing::chainJob({{0.25, 0.5, 0}}));
        Cluster cluster = testing::servedCluster(8, 1e9);
        cluster.nodes[5].computeScale = 0;
        recipe.cluster = std::make_shared<const Cluster>(std::move(cluster));
        const auto scaling = findScaling(recipe, upTo(16));
        VERIFY_VALUE(scaling);
        for (const ScalingPoint &point : scaling->points)
            QVERIFY2(point.isSimulated() == (point.workers <= 5), qPrintable(QString::number(point.workers)));
        VERIFY_VALUE(scaling->knee);
        QCOMPARE(scaling->knee->workers, 5);
        QVERIFY(!scaling->knee->isBeyond);
        QCOMPARE(whyOf(*scaling, 5), std::string("the knee"));
        QVERIFY(scaling->high && !scaling->high->isBeyond);
    }

    /// Partial results only grow: points are never lost, the band comes last, and the costs are the ones that the sink saw.
    void itIsToldInSlices() {
        std::size_t told = 0, points = 0;
        const auto scaling = findScaling(oneServer(), upTo(16), {}, [&](const Scaling &now) {
            ++told;
            COMPARE_AT_LEAST(now.points.size(), points);
            points = now.points.size();
            QVERIFY(now.isComplete || now.simulations == told);
            QVERIFY(now.isComplete || !now.points.empty());
            const bool isBandReady =
                std::ranges::all_of(now.conditions, [](const auto &condition) { return condition.knee.has_value(); });
            if (!isBandReady || now.conditions.empty())
                QVERIFY(!now.low);
        });
        QVERIFY(scaling);
        QCOMPARE(told, scaling->simulations + 1);
        QVERIFY(!std::isnan(pointAt(*scaling, 8)->lowSamplesPerSecond));
        COMPARE_CLOSE(pointAt(*scaling, 8)->lowSamplesPerSecond,
                      std::min(8 / iterationOf(8, 2 * transfer), samplesWithAStraggler(8)));
        COMPARE_CLOSE(pointAt(*scaling, 8)->highSamplesPerSecond, 8 / iterationOf(8, transfer / 2));
        ScalingOptions plain = upTo(16);
        plain.band = false;
        const auto alone = findScaling(oneServer(), plain);
        QVERIFY(alone && alone->conditions.empty() && !alone->low);
        COMPARE_BELOW(alone->simulations, scaling->simulations);
        std::stop_source stop;
        const auto stopped = findScaling(oneServer(), upTo(16), stop.get_token(), [&](const Scaling &) { stop.request_stop(); });
        QVERIFY(!stopped && stopped.error().isCancelled());
    }

    /// A strategy from a file runs on any number of workers.
    void fixedStrategiesAreOnAllWorkers() {
        ScenarioRecipe recipe = oneServer();
        recipe.strategy = FixedStrategy{*makeStrategy(recipe.strategy, *recipe.job, *recipe.cluster), false};
        ScalingOptions options = upTo(4);
        options.band = false;
        const auto scaling = findScaling(recipe, options);
        QVERIFY(scaling);
        QVERIFY(pointAt(*scaling, 1) && pointAt(*scaling, 2) && pointAt(*scaling, 4));
        for (const ScalingPoint &point : scaling->points)
            COMPARE_CLOSE(point.iterationSeconds, iterationOf(point.workers));
    }

    void rangesAreRead() {
        const auto range = parseScalingRange("2-512");
        QVERIFY(range && range->from == 2 && range->to == 512);
        for (const char *bad : {"", "8", "8-", "-8", "8-8", "8-4", "0-4", "1.5-4", "1-1e9", "a-b", "1-4-8", "1..4", "nan-4"}) {
            const auto refused = parseScalingRange(bad);
            QVERIFY2(!refused && refused.error().remedy.find("1-64") != std::string::npos, bad);
        }
        for (const double share : {0.0, 1.0, -1.0, std::nan("")}) {
            ScalingOptions options = upTo(4);
            options.worthwhileShare = share;
            const auto refused = findScaling(oneServer(), options);
            QVERIFY2(!refused && refused.error().what.find("worthwhile share") != std::string::npos,
                     qPrintable(QString::number(share)));
        }
        for (const double resolution : {-0.1, 1.0, 1e30, std::nan("")}) {
            ScalingOptions options = upTo(4);
            options.resolution = resolution;
            const auto refused = findScaling(oneServer(), options);
            QVERIFY2(!refused, qPrintable(QString::number(resolution)));
            QVERIFY2(refused.error().what.find("resolution") != std::string::npos, refused.error().what.c_str());
        }
    }
};

QTEST_MAIN(TestScaling)
#include "tst_scaling.moc"
