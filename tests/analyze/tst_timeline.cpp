// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/rng.h"
#include "engine/timeline/first_free.h"
#include "engine/timeline/time_ranges.h"
#include "engine/timeline/timeline.h"

#include <QtTest>
#include <algorithm>
#include <bitset>

using namespace syncopate;

namespace {

/// Spans of length 1 to 9 with gaps of 0 to 4.
Lane randomLane(Rng &rng, int spans) {
    Lane lane;
    Nanoseconds at = 0;
    for (int i = 0; i < spans; ++i) {
        at += static_cast<Nanoseconds>(rng.uniform(0, 5));
        lane.start.push_back(at);
        at += 1 + static_cast<Nanoseconds>(rng.uniform(0, 9));
        lane.end.push_back(at);
        lane.category.push_back(static_cast<Category>(rng.next() % categoryCount));
    }
    return lane;
}

constexpr std::size_t instants = 60;

/// Ranges of 0 to 59 in any order, some of them empty or ending before their start.
TimeRanges randomRanges(Rng &rng) {
    TimeRanges ranges(rng.next() % 8);
    for (auto &[from, to] : ranges) {
        from = static_cast<Nanoseconds>(rng.next() % (instants - 10));
        to = from + static_cast<Nanoseconds>(rng.next() % 12) - 1;
    }
    return ranges;
}

std::bitset<instants> instantsIn(const TimeRanges &ranges) {
    std::bitset<instants> in;
    for (const auto &[from, to] : ranges)
        for (Nanoseconds at = from; at < to; ++at)
            in.set(static_cast<std::size_t>(at));
    return in;
}

} // namespace

class TestTimeline : public QObject {
    Q_OBJECT

private slots:
    void indexEqualsScan() {
        Rng rng(11);
        for (const int spans : {0, 1, 7, 8, 9, 15, 16, 17, 64, 1000}) {
            const Lane lane = randomLane(rng, spans);
            const Nanoseconds at = lane.end.empty() ? 0 : lane.end.back();
            const LaneIndex index(lane);
            for (int q = 0; q < 300; ++q) {
                const auto from = static_cast<Nanoseconds>(rng.uniform(-5, static_cast<double>(at) + 5));
                const auto to = from + static_cast<Nanoseconds>(rng.uniform(0, static_cast<double>(at) + 5));
                std::array<Nanoseconds, categoryCount> expected{};
                std::int64_t covering = -1;
                for (std::size_t i = 0; i < lane.size(); ++i) {
                    expected[static_cast<std::size_t>(lane.category[i])] +=
                        std::max<Nanoseconds>(0, std::min(to, lane.end[i]) - std::max(from, lane.start[i]));
                    if (lane.start[i] <= from && from < lane.end[i])
                        covering = static_cast<std::int64_t>(i);
                }
                QCOMPARE(index.busy(from, to), expected);
                QCOMPARE(index.spanAt(from), covering);
            }
        }
    }

    /// Steps within a span and across hundreds, with and without gaps, from before the first span to beyond the last.
    void walkEqualsQuestions() {
        Rng rng(13);
        for (const int spans : {0, 1, 16, 40, 3000})
            for (const double longest : {3.0, 90.0, 5000.0}) {
                const Lane lane = randomLane(rng, spans);
                const LaneIndex index(lane);
                BusyWalk walk(index);
                Nanoseconds at = -20;
                const Nanoseconds end = lane.end.empty() ? 0 : lane.end.back();
                walk.moveTo(at);
                while (at < end + 20) {
                    if (rng.next() % 4 == 0)
                        walk.moveTo(at += static_cast<Nanoseconds>(rng.uniform(0, longest)));
                    const Nanoseconds to = at + static_cast<Nanoseconds>(rng.uniform(0, longest));
                    BusyTimes busy{};
                    walk.advanceTo(to, [&busy](std::size_t category, Nanoseconds time) { busy[category] = time; });
                    QCOMPARE(busy, index.busy(at, to));
                    QCOMPARE(walk.span(),
                             static_cast<std::size_t>(std::upper_bound(lane.end.begin(), lane.end.end(), to) - lane.end.begin()));
                    at = to;
                }
            }
    }

    /// Unions and intersections have the instants that a scan of all instants finds, each once.
    void rangesEqualTheirInstants() {
        Rng rng(14);
        for (int round = 0; round < 2000; ++round) {
            const TimeRanges a = randomRanges(rng), b = randomRanges(rng);
            const TimeRanges unitedA = unite(a), unitedB = unite(b), both = intersect(unitedA, unitedB);
            QVERIFY(instantsIn(unitedA) == instantsIn(a));
            QVERIFY(instantsIn(both) == (instantsIn(a) & instantsIn(b)));
            QCOMPARE(lengthOf(unitedA), static_cast<Nanoseconds>(instantsIn(a).count()));
            QCOMPARE(lengthOf(both), static_cast<Nanoseconds>(instantsIn(both).count()));
            for (std::size_t i = 0; i < unitedA.size(); ++i)
                QVERIFY(unitedA[i].first < unitedA[i].second && (i == 0 || unitedA[i - 1].second < unitedA[i].first));
        }
    }

    /// Few and many spans at a time, some ending together, compared with a scan of every lane.
    void firstFreeEqualsScan() {
        Rng rng(12);
        for (const double longest : {1.0, 8.0, 100.0, 3000.0}) {
            std::vector<Nanoseconds> ends;
            FirstFree free;
            Nanoseconds at = 0;
            for (int span = 0; span < 2000; ++span) {
                at += static_cast<Nanoseconds>(rng.uniform(0, 3));
                const auto lane = static_cast<std::size_t>(
                    std::find_if(ends.begin(), ends.end(), [&](Nanoseconds end) { return end <= at; }) - ends.begin());
                QCOMPARE(free.at(at), lane);
                ends.resize(std::max(ends.size(), lane + 1));
                ends[lane] = at + 1 + static_cast<Nanoseconds>(rng.uniform(0, longest));
                free.take(lane, ends[lane]);
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestTimeline)
#include "tst_timeline.moc"
