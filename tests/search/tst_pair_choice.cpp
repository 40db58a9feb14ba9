// SPDX-License-Identifier: GPL-3.0-or-later
// The choice of a pair by its predicted speed.
#include "engine/base/rng.h"
#include "engine/search/tune/pair_choice.h"
#include "tests/checks.h"

#include <QtTest>
#include <algorithm>
#include <array>
#include <cmath>

using namespace syncopate;

namespace {

constexpr double mega = 1e6;

/// Partitions of 1, 2, 4, .. MB under one credit.
std::vector<SchedulerSetting> partitions(std::size_t count) {
    std::vector<SchedulerSetting> settings;
    for (std::size_t i = 0; i < count; ++i)
        settings.push_back({mega * std::exp2(i), 1024 * mega});
    return settings;
}

std::size_t chosen(const std::vector<double> &speeds, PairChoice choice) {
    return choosePair(partitions(speeds.size()), speeds, {}, choice).value_or(speeds.size());
}

} // namespace

class TestPairChoice : public QObject {
    Q_OBJECT

private slots:
    /// Five pairs tie, the fastest of which is at the edge.
    void aTieIsLeftToTheRule() {
        const std::vector<double> speeds{80, 100, 99.5, 99.2, 99.4, 99.1, 90};
        QCOMPARE(chosen(speeds, PairChoice::Fastest), std::size_t{1});
        QCOMPARE(chosen(speeds, PairChoice::Middle), std::size_t{3});
        QCOMPARE(chosen(speeds, PairChoice::LargestPartition), std::size_t{5});
        QCOMPARE(choosePair(partitions(7), speeds), std::optional<std::size_t>(3)); // the default rule
    }

    /// 100 / 99.05 is a tie, 100 / 98.95 is not.
    void aTieEndsAtOnePercent() {
        QCOMPARE(chosen({100, 99.05, 99.05, 50}, PairChoice::Middle), std::size_t{1});
        QCOMPARE(chosen({100, 99.05, 98.95, 50}, PairChoice::LargestPartition), std::size_t{1});
        QCOMPARE(chosen({100, 98.95, 98.95, 50}, PairChoice::Middle), std::size_t{0});
    }

    /// Partition and credit count alike, by factors: the middle of a cross is its centre, wherever it is in the list.
    void distancesAreOfBothByFactors() {
        std::vector<SchedulerSetting> cross{{2, 64}, {32, 64}, {8, 16}, {8, 256}, {8, 64}};
        const std::vector<double> speeds(5, 100);
        for (std::size_t centre = 5; centre-- > 0;) {
            QCOMPARE(choosePair(cross, speeds), std::optional(centre));
            if (centre > 0)
                std::swap(cross[centre], cross[centre - 1]);
        }
    }

    /// Means over neighbours at whole octaves, by hand: weights exp(-(octaves / 0.8)^2 / 2) of 0.458, 0.0439 and 0.000884.
    void averagesAreOverNeighbours() {
        constexpr std::array weights{1.0, 0.457833, 0.043937, 0.000884};
        int notFastest = 0;
        for (std::uint64_t seed = 0; seed < 200; ++seed) {
            Rng rng(seed);
            std::vector<double> speeds(4), means;
            std::generate(speeds.begin(), speeds.end(), [&] { return rng.uniform(90, 110); });
            for (std::size_t pair = 0; pair < speeds.size(); ++pair) {
                double sum = 0, all = 0;
                for (std::size_t other = 0; other < speeds.size(); ++other) {
                    const double weight = weights[std::max(pair, other) - std::min(pair, other)];
                    sum += weight * speeds[other];
                    all += weight;
                }
                means.push_back(sum / all);
            }
            const auto wanted = static_cast<std::size_t>(std::max_element(means.begin(), means.end()) - means.begin());
            QCOMPARE(chosen(speeds, PairChoice::Averaged), wanted);
            notFastest += chosen(speeds, PairChoice::Fastest) != wanted ? 1 : 0;
        }
        COMPARE_ABOVE(notFastest, 20); // else the fastest would do
    }

    /// A factor of three in partition or credit; the rule holds for the remaining pairs.
    void whatIsLikeATriedPairIsLeftOut() {
        QVERIFY(areUnlike({mega, mega}, {3 * mega, mega}));
        QVERIFY(areUnlike({mega, 3 * mega}, {mega, mega}));
        QVERIFY(!areUnlike({mega, 2.9 * mega}, {2.9 * mega, mega}));
        const std::vector<double> speeds{100, 100, 100, 100, 100, 99.8, 99.9, 70, 100};
        const std::vector<SchedulerSetting> tried{partitions(9)[2]};
        QCOMPARE(choosePair(partitions(9), speeds, tried), std::optional<std::size_t>(5)); // 0, 4, 5, 6 and 8 are left
        QVERIFY(!choosePair(partitions(3), std::vector<double>{1, 2, 3}, std::vector<SchedulerSetting>{partitions(2)[1]}));
        QVERIFY(!choosePair({}, {}));
    }

    /// Speeds that are alike over nine partitions and a fifth lower beyond; the predictions see another pair as fast at either
    /// end, and err by up to 0.5 % besides. The middle never leaves the plateau, and the fastest prediction often does.
    void noiseDoesNotLeadOffAPlateau() {
        int fastestLost = 0, middleLost = 0;
        for (std::uint64_t seed = 0; seed < 200; ++seed) {
            Rng rng(seed);
            std::vector<double> speeds;
            for (std::size_t i = 0; i < 17; ++i)
                speeds.push_back((i >= 3 && i <= 13 ? 100 : 80) * rng.uniform(0.995, 1.005));
            const auto isOff = [](std::size_t i) { return i < 4 || i > 12; };
            fastestLost += isOff(chosen(speeds, PairChoice::Fastest)) ? 1 : 0;
            middleLost += isOff(chosen(speeds, PairChoice::Middle)) ? 1 : 0;
        }
        COMPARE_AT_LEAST(fastestLost, 15); // 2 of 11: some 36
        QCOMPARE(middleLost, 0);
    }

    void namesAreTold() {
        QCOMPARE(std::size(pairChoices), std::size_t{4});
        for (const PairChoice choice : pairChoices)
            QCOMPARE(std::count_if(std::begin(pairChoices), std::end(pairChoices),
                                   [&](PairChoice other) { return nameOf(other) == nameOf(choice); }),
                     std::ptrdiff_t{1});
        QVERIFY(nameOf(PairChoice::Middle) == "middle");
    }
};

QTEST_APPLESS_MAIN(TestPairChoice)
#include "tst_pair_choice.moc"
