// SPDX-License-Identifier: GPL-3.0-or-later
// Stragglers among synthetic ranks, compared with closed forms; and among recorded ones, whose replay must match the recording.
#include "engine/analyze/stragglers.h"
#include "tests/checks.h"
#include "tests/foreign_traces.h"
#include "tests/profile/rank_traces.h"

#include <QtTest>
#include <algorithm>
#include <limits>

using namespace syncopate;

namespace {

constexpr Nanoseconds ms = 1'000'000;

/// Ranks whose step is: compute, an all-reduce of 3 ms that begins when the last rank has computed, 2 ms of update. The compute
/// of rank r in step s takes compute[r][s].
ImportedProfile synchronous(const std::vector<std::vector<Nanoseconds>> &compute, Nanoseconds pause = 0) {
    ImportedProfile profile;
    const std::size_t steps = compute.front().size();
    profile.rankSteps.resize(compute.size());
    for (std::size_t rank = 0; rank < compute.size(); ++rank) {
        profile.ranks.emplace_back().rank = static_cast<std::int64_t>(rank);
        Lane lane;
        lane.worker = static_cast<std::int32_t>(rank);
        lane.isCompute = true;
        profile.timeline.lanes.push_back(lane);
    }
    Nanoseconds now = 0;
    for (std::size_t step = 0; step < steps; ++step) {
        profile.rankStepNames.push_back("step " + std::to_string(step));
        Nanoseconds longest = 0;
        for (const auto &rank : compute)
            longest = std::max(longest, rank[step]);
        const Nanoseconds reduced = now + pause + longest + 3 * ms;
        for (std::size_t rank = 0; rank < compute.size(); ++rank) {
            const Nanoseconds ready = now + pause + compute[rank][step];
            Lane &lane = profile.timeline.lanes[rank];
            for (const auto &[start, end] : {std::pair(now + pause, ready), {reduced, reduced + 2 * ms}}) {
                lane.start.push_back(start);
                lane.end.push_back(end);
                lane.category.push_back(Category::Backward);
            }
            profile.rankSteps[rank].steps.emplace_back(now, reduced + 2 * ms);
            profile.rankSteps[rank].collectives.push_back({static_cast<std::int32_t>(step), 0, false, ready, reduced});
        }
        now = reduced + 2 * ms;
    }
    return profile;
}

double secondsOfMs(double milliseconds) { return milliseconds * 1e-3; }

} // namespace

class TestStragglers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Own times are 10 + 2 ms, and 20 + 2 ms for rank 2. With its own times scaled by 12 / 22, its compute ends after 20 * 12 /
    /// 22 ms, and its update after the others' 2 ms.
    void oneSlowRank() {
        const auto found = findStragglers(synchronous({{10 * ms, 10 * ms}, {10 * ms, 10 * ms}, {20 * ms, 20 * ms}}));
        QVERIFY2(found, found ? "" : found.error().toString().c_str());
        QCOMPARE(found->slowest, std::size_t{2});
        COMPARE_CLOSE(found->stepSeconds, secondsOfMs(20 + 3 + 2));
        COMPARE_CLOSE(found->ranks[0].ownSeconds, secondsOfMs(12));
        COMPARE_CLOSE(found->ranks[2].ownSeconds, secondsOfMs(22));
        COMPARE_CLOSE(found->ranks[2].computeSeconds, secondsOfMs(22));
        COMPARE_CLOSE(found->ranks[2].behindSeconds, secondsOfMs(10));
        COMPARE_WITHIN(found->ranks[0].behindSeconds, 0, 1e-15);
        QVERIFY(!found->ranks[0].asMedianSeconds && !found->ranks[1].asMedianSeconds);
        // Its update is scaled, too, so that it begins the second step before the others.
        const double cut = 12.0 / 22, first = std::max(10.0, 20 * cut),
                     second = std::max(first + 3 + 2 + 10, first + 3 + 22 * cut);
        COMPARE_CLOSE(*found->ranks[2].asMedianSeconds, secondsOfMs((second + 3 + 2) / 2));
        COMPARE_CLOSE(found->slowestAsMedianSeconds, secondsOfMs((second + 3 + 2) / 2));
        COMPARE_CLOSE(found->allAsMedianSeconds, found->slowestAsMedianSeconds);
        QCOMPARE(found->steps.size(), std::size_t{2});
        COMPARE_CLOSE(found->steps[1].seconds, secondsOfMs(25));
        COMPARE_CLOSE(found->steps[1].behindSeconds, secondsOfMs(10));
    }

    /// Two ranks are slow alternately: neither alone explains the steps, both together do.
    void slowByTurns() {
        const auto found = findStragglers(
            synchronous({{8 * ms, 18 * ms}, {8 * ms, 8 * ms}, {8 * ms, 8 * ms}, {28 * ms, 8 * ms}, {8 * ms, 8 * ms}}));
        QVERIFY(found);
        QCOMPARE(found->slowest, std::size_t{3});
        QCOMPARE(found->steps[0].slowest, std::size_t{3});
        QCOMPARE(found->steps[1].slowest, std::size_t{0});
        COMPARE_CLOSE(found->stepSeconds, secondsOfMs((28 + 5 + 18 + 5) / 2.0));
        COMPARE_CLOSE(found->ranks[3].worstBehindSeconds, secondsOfMs(20));
        COMPARE_CLOSE(found->ranks[3].behindSeconds, secondsOfMs(10));
        const double third = 28 * 10.0 / 30, zeroth = 18 * 10.0 / 20; // like the median
        COMPARE_CLOSE(*found->ranks[3].asMedianSeconds, secondsOfMs((third + 5 + 18 + 5) / 2));
        COMPARE_CLOSE(*found->ranks[0].asMedianSeconds, secondsOfMs((28 + 5 + zeroth + 5) / 2));
        COMPARE_CLOSE(found->allAsMedianSeconds, secondsOfMs((third + 5 + zeroth + 5) / 2));
    }

    /// A pause without a collective is a rank's own time; waiting for a collective is not.
    void pausesAreOwn() {
        const auto found = findStragglers(synchronous({{10 * ms}, {10 * ms}, {16 * ms}}, 4 * ms));
        QVERIFY(found);
        COMPARE_CLOSE(found->ranks[0].computeSeconds, secondsOfMs(12));
        COMPARE_CLOSE(found->ranks[0].ownSeconds, secondsOfMs(16));
        COMPARE_CLOSE(found->ranks[2].ownSeconds, secondsOfMs(22));
        const double cut = 16.0 / 22;
        COMPARE_CLOSE(found->allAsMedianSeconds, secondsOfMs(std::max(14.0, 20 * cut) + 5));
    }

    /// Lateness hidden behind other waits costs nothing: no rank waits for the late rank's collective before the longer one ends.
    void hiddenLatenessCostsNothing() {
        ImportedProfile profile = synchronous({{10 * ms}, {10 * ms}, {12 * ms}});
        // A second all-reduce, from the start to 20 ms, that every update waits for.
        for (std::size_t rank = 0; rank < 3; ++rank) {
            auto &collectives = profile.rankSteps[rank].collectives;
            collectives.insert(collectives.begin(), {1, 1, false, 0, 20 * ms});
            profile.timeline.lanes[rank].start[1] = 20 * ms;
            profile.timeline.lanes[rank].end[1] = 22 * ms;
            profile.rankSteps[rank].steps[0].second = 22 * ms;
        }
        const auto found = findStragglers(profile);
        QVERIFY(found);
        COMPARE_CLOSE(found->ranks[2].behindSeconds, secondsOfMs(2));
        COMPARE_CLOSE(found->stepSeconds, secondsOfMs(22));
        COMPARE_CLOSE(found->allAsMedianSeconds, secondsOfMs(22));
    }

    /// A zero-length collective ends when the work begins during which it was started: that work does not wait for it.
    void collectivesWithoutLength() {
        ImportedProfile profile = synchronous({{10 * ms}, {10 * ms}});
        for (RankSteps &rank : profile.rankSteps) {
            const Nanoseconds reduced = rank.collectives.front().end;
            rank.collectives.push_back({1, 1, false, reduced, reduced});
        }
        const auto found = findStragglers(profile);
        QVERIFY2(found, found ? "" : found.error().toString().c_str());
        COMPARE_CLOSE(found->stepSeconds, secondsOfMs(10 + 3 + 2));
    }

    /// Even if a collective ends sooner, a rank's own work still counts: had rank 4 been like the median, its all-reduce would
    /// end after 13 * 12 / 22 + 1 ms, and rank 0, itself 2 ms behind, would finish its 12 ms of compute later than that.
    void ownWorkIsAwaitedToo() {
        ImportedProfile profile;
        profile.rankStepNames = {"step"};
        for (std::size_t rank = 0; rank < 5; ++rank) {
            const Nanoseconds compute = (rank == 0 ? 12 : rank == 4 ? 20 : 10) * ms, update = (rank == 4 ? 20 : 14) * ms;
            profile.ranks.emplace_back().rank = static_cast<std::int64_t>(rank);
            Lane lane;
            lane.worker = static_cast<std::int32_t>(rank);
            lane.isCompute = true;
            lane.start = {0, update};
            lane.end = {compute, update + 2 * ms};
            lane.category = {Category::Backward, Category::Update};
            profile.timeline.lanes.push_back(lane);
            profile.rankSteps.push_back({{{0, update + 2 * ms}}, {{0, 0, false, (rank == 4 ? 13 : 5) * ms, 14 * ms}}});
        }
        const auto found = findStragglers(profile);
        QVERIFY2(found, found ? "" : found.error().toString().c_str());
        COMPARE_CLOSE(found->ranks[0].behindSeconds, secondsOfMs(2));
        COMPARE_CLOSE(found->ranks[4].behindSeconds, secondsOfMs(10));
        COMPARE_CLOSE(found->stepSeconds, secondsOfMs(22));
        COMPARE_CLOSE(*found->ranks[4].asMedianSeconds, secondsOfMs(14));
        COMPARE_CLOSE(found->allAsMedianSeconds, secondsOfMs(12));
    }

    /// From files: the forward pass of rank 1 takes 40 us longer. Own times are 375 and 415 us; scaled, its last gradient is
    /// ready 400 * 375 / 415 us after the start, followed by 15 us of all-reduce and 15 us to the end.
    void fromFiles() {
        QTemporaryDir folder;
        for (int rank = 0; rank < 2; ++rank)
            ranks::write(folder.filePath(QString("trace_%1.json").arg(rank)), ranks::straggler(rank, rank == 1 ? 40 : 0, 40));
        const auto profile = importProfile(folder.path().toStdString());
        QVERIFY2(profile, profile ? "" : profile.error().toString().c_str());
        const auto found = findStragglers(**profile);
        QVERIFY2(found, found ? "" : found.error().toString().c_str());
        QCOMPARE(found->slowest, std::size_t{1});
        COMPARE_CLOSE(found->ranks[0].ownSeconds, 375e-6);
        COMPARE_CLOSE(found->ranks[1].ownSeconds, 415e-6);
        COMPARE_CLOSE(found->stepSeconds, 430e-6);
        COMPARE_CLOSE(found->slowestAsMedianSeconds, (400 * 375.0 / 415 + 30) * 1e-6);
    }

    /// Eight recorded ranks: replayed unchanged, the step is the recorded one.
    void recordedRanks() {
        REQUIRE_FOREIGN_TRACE("kineto");
        const std::string path = testing::foreignTrace("kineto/param_dlrm_v100_ws8_all_ranks.tar.gz");
        const auto profile = importProfile(path);
        QVERIFY2(profile, profile ? "" : profile.error().toString().c_str());
        const auto found = findStragglers(**profile);
        QVERIFY2(found, found ? "" : found.error().toString().c_str());
        QCOMPARE(found->ranks.size(), std::size_t{8});
        Nanoseconds first = std::numeric_limits<Nanoseconds>::max(), last = 0;
        for (std::size_t rank = 0; rank < 8; ++rank) {
            const RankSteps &own = (*profile)->rankSteps[rank];
            first = std::min(first, own.steps.front().first);
            for (const RankedCollective &collective : own.collectives)
                last = std::max(last, collective.end);
            for (const Lane &lane : (*profile)->timeline.lanes)
                if (lane.isCompute && lane.worker == static_cast<std::int32_t>(rank))
                    for (std::size_t s = 0; s < lane.size(); ++s)
                        if (!isCommunication(lane.category[s]) && lane.start[s] >= own.steps.front().first &&
                            lane.start[s] < own.steps.back().second)
                            last = std::max(last, lane.end[s]);
        }
        COMPARE_CLOSE(found->stepSeconds, secondsOf(last - first) / static_cast<double>(found->steps.size()));
        COMPARE_AT_MOST(found->allAsMedianSeconds, found->stepSeconds * (1 + 1e-9));
        for (const RankLag &rank : found->ranks)
            COMPARE_AT_MOST(rank.computeSeconds, rank.ownSeconds * (1 + 1e-9));
    }

    void errorsSayWhy() {
        const auto alone = findStragglers(synchronous({{10 * ms}}));
        QVERIFY(!alone && QString::fromStdString(alone.error().what).contains("one rank"));
        ImportedProfile apart = synchronous({{10 * ms}, {10 * ms}});
        apart.rankSteps.clear();
        const auto doubted = findStragglers(apart);
        QVERIFY(!doubted && QString::fromStdString(doubted.error().what).contains("clocks"));
        // Rank 0 leaves the first all-reduce before rank 1 begins the second, which rank 0 reaches later.
        ImportedProfile wrong = synchronous({{10 * ms}, {10 * ms}});
        wrong.rankSteps[0].collectives = {{0, 0, false, 10 * ms, 12 * ms}, {1, 1, false, 13 * ms, 14 * ms}};
        wrong.rankSteps[1].collectives = {{1, 1, false, 10 * ms, 11 * ms}, {0, 0, false, 14 * ms, 15 * ms}};
        wrong.timeline.lanes[0].start = {0, 12 * ms};
        wrong.timeline.lanes[0].end = {10 * ms, 13 * ms};
        wrong.timeline.lanes[1].start = {0, 11 * ms};
        wrong.timeline.lanes[1].end = {10 * ms, 14 * ms};
        const auto circle = findStragglers(wrong);
        QVERIFY(!circle && QString::fromStdString(circle.error().what).contains("contradict"));
        std::stop_source stop;
        stop.request_stop();
        const auto stopped = findStragglers(synchronous({{10 * ms}, {10 * ms}}), stop.get_token());
        QVERIFY(!stopped && stopped.error().isCancelled());
    }
};

QTEST_MAIN(TestStragglers)
#include "tst_stragglers.moc"
