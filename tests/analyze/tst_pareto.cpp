// SPDX-License-Identifier: GPL-3.0-or-later
// The Pareto front, compared with its definition over all pairs.
#include "engine/analyze/pareto.h"
#include "engine/base/rng.h"
#include "tests/checks.h"

#include <QtTest>
#include <array>
#include <cmath>

using namespace syncopate;

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

bool isPlaced(const Objectives &o) { return !std::isnan(o.seconds) && !std::isnan(o.cost); }

/// The definition, O(n^2).
std::vector<bool> frontByPairs(const std::vector<Objectives> &all) {
    bool memory = true;
    for (const Objectives &o : all)
        memory = memory && (!isPlaced(o) || !std::isnan(o.peakMemoryBytes));
    const auto figures = [&](const Objectives &o) { return std::array{o.seconds, o.cost, memory ? o.peakMemoryBytes : 0}; };
    std::vector<bool> front;
    for (const Objectives &candidate : all) {
        bool isOn = isPlaced(candidate);
        for (const Objectives &other : all) {
            if (!isOn || !isPlaced(other))
                continue;
            bool asGood = true, better = false;
            for (std::size_t f = 0; f < 3; ++f) {
                asGood = asGood && figures(other)[f] <= figures(candidate)[f];
                better = better || figures(other)[f] < figures(candidate)[f];
            }
            isOn = !(asGood && better);
        }
        front.push_back(isOn);
    }
    return front;
}

QByteArray written(const std::vector<bool> &front) {
    QByteArray text;
    for (const bool isOn : front)
        text += isOn ? '1' : '0';
    return text;
}

} // namespace

class TestPareto : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void asByPairs() {
        Rng rng(7);
        std::size_t onFront = 0, total = 0;
        for (int round = 0; round < 3000; ++round) {
            // Few distinct values produce ties, many produce long fronts.
            const double levels = round % 3 == 0 ? 4 : round % 3 == 1 ? 40 : 1e6;
            const bool withMemory = round % 2 == 0, someUnknown = round % 5 == 0;
            std::vector<Objectives> all(rng.next() % 40);
            for (Objectives &o : all) {
                const auto draw = [&] { return 1 + std::floor(rng.uniform(0, levels)); };
                o = {draw(), draw(), withMemory ? draw() : unknown};
                if (round % 4 == 3)
                    o.cost = levels + 1 - o.seconds; // nothing is dominated by time and cost
                if (someUnknown && rng.uniform(0, 1) < 0.2)
                    o.seconds = unknown;
                if (someUnknown && rng.uniform(0, 1) < 0.05)
                    o.peakMemoryBytes = unknown;
            }
            const std::vector<bool> want = frontByPairs(all);
            QCOMPARE(written(paretoFront(all).has), written(want));
            onFront += static_cast<std::size_t>(std::ranges::count(want, true));
            total += all.size();
        }
        COMPARE_ABOVE(onFront, total / 10); // the draws include both kinds
        COMPARE_BELOW(onFront, total * 9 / 10);
    }

    void roundingIsNoDifference() {
        // The second is slower by less than rounding error and costs the same.
        const std::vector<Objectives> all{{0.1, 2, unknown}, {0.1 * (1 + 1e-13), 2, unknown}, {0.1 * (1 + 1e-6), 2, unknown}};
        QCOMPARE(written(paretoFront(all).has), QByteArray("110"));
    }

    void memoryCountsWhereAllTellIt() {
        std::vector<Objectives> all{{1, 1, 8e9}, {2, 2, 4e9}};
        QVERIFY(paretoFront(all).weighsMemory);
        QCOMPARE(written(paretoFront(all).has), QByteArray("11"));
        all.push_back({3, 3, unknown});
        QVERIFY(!paretoFront(all).weighsMemory);
        QCOMPARE(written(paretoFront(all).has), QByteArray("100"));
        QVERIFY(!paretoFront({}).weighsMemory);
    }

    void figuresAreOfASample() {
        // Twice the nodes at 1.5 times the throughput: faster and more expensive, although a step takes longer.
        const Objectives few = objectivesOf(100, 4), many = objectivesOf(150, 8);
        COMPARE_CLOSE(many.seconds, few.seconds / 1.5);
        COMPARE_CLOSE(many.cost, few.cost * 2 / 1.5);
        QCOMPARE(written(paretoFront(std::array{few, many}).has), QByteArray("11"));
        for (const double none : {0.0, -1.0, unknown})
            QVERIFY(std::isnan(objectivesOf(none, 4).seconds) && std::isnan(objectivesOf(none, 4).cost));
    }
};

QTEST_APPLESS_MAIN(TestPareto)
#include "tst_pareto.moc"
