// SPDX-License-Identifier: GPL-3.0-or-later
// Two traces of known spans: the differences by op, layer and stream equal the known ones.
#include "engine/analyze/trace_difference.h"
#include "tests/checks.h"
#include "tests/files.h"

#include <QtTest>
#include <algorithm>

using namespace syncopate;

namespace {

constexpr Nanoseconds ms = 1'000'000;

struct Op {
    const char *label;
    std::size_t lane;
    Nanoseconds at, length; ///< relative to its step's start
};

/// `steps` steps of 100 ms, each with these ops, after a warm-up of 40 ms; two lanes per rank.
ImportedProfile trace(const char *file, int steps, const std::vector<Op> &ops, int ranks = 1) {
    ImportedProfile profile;
    profile.file = file;
    Timeline &timeline = profile.timeline;
    profile.ranks.resize(ranks > 1 ? static_cast<std::size_t>(ranks) : 0);
    const auto labelOf = [&](const std::string &name) {
        const auto found = std::ranges::find(timeline.labels, name);
        if (found == timeline.labels.end())
            timeline.labels.push_back(name);
        return static_cast<std::int32_t>(std::ranges::find(timeline.labels, name) - timeline.labels.begin());
    };
    const auto add = [&](Lane &lane, const std::string &name, Nanoseconds start, Nanoseconds length) {
        lane.start.push_back(start);
        lane.end.push_back(start + length);
        lane.label.push_back(labelOf(name));
        lane.category.push_back(Category::OtherCompute);
        lane.variable.push_back(-1);
        lane.task.push_back(-1);
        lane.sizeBytes.push_back(0);
    };
    for (int rank = 0; rank < ranks; ++rank)
        for (const char *stream : {"compute", "communication"}) {
            Lane lane;
            lane.name = ranks > 1 ? "rank " + std::to_string(rank) + " " + stream : stream;
            timeline.lanes.push_back(lane);
        }
    for (Lane &lane : timeline.lanes)
        add(lane, "warm-up", 0, 30 * ms); // belongs to no step
    for (int step = 0; step < steps; ++step) {
        const Nanoseconds start = (40 + 100 * step) * ms;
        ProfileStep marked;
        marked.name = "step " + std::to_string(step);
        marked.startSeconds = static_cast<double>(start) * 1e-9;
        marked.endSeconds = marked.startSeconds + 0.1;
        profile.steps.push_back(marked);
        for (int rank = 0; rank < ranks; ++rank)
            for (const Op &op : ops)
                add(timeline.lanes[2 * static_cast<std::size_t>(rank) + op.lane], op.label, start + op.at, op.length);
    }
    timeline.duration = (40 + 100 * steps) * ms;
    Layer layer;
    layer.name = "conv1";
    layer.forwardSeconds = 0.010;
    layer.backwardSeconds = 0.020;
    profile.job.layers = {layer, layer};
    return profile;
}

const DifferenceRow *rowOf(const std::vector<DifferenceRow> &rows, const std::string &name) {
    const auto found = std::ranges::find(rows, name, &DifferenceRow::name);
    return found == rows.end() ? nullptr : &*found;
}

const std::vector<Op> before{
    {"conv", 0, 0, 10 * ms}, {"conv", 0, 20 * ms, 4 * ms}, {"relu", 0, 12 * ms, 1 * ms}, {"nccl", 1, 5 * ms, 30 * ms}};
const std::vector<Op> after{{"conv", 0, 0, 17 * ms}, {"gelu", 0, 18 * ms, 1 * ms}, {"nccl", 1, 5 * ms, 28 * ms}};

} // namespace

class TestTraceDifference : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void ofOneStepOfOneRank() {
        // Two steps against five, one rank against three: sums differ widely, figures per step do not.
        ImportedProfile b = trace("b", 5, after, 3);
        b.job.layers[1].backwardSeconds = 0.026;
        const auto difference = compareTraces(trace("a", 2, before), b);
        QVERIFY(difference);
        QCOMPARE(difference->of[0].steps, std::int64_t{2});
        QCOMPARE(difference->of[1].ranks, std::int64_t{3});
        COMPARE_CLOSE(difference->of[1].stepSeconds, 0.1);
        QCOMPARE(QString::fromStdString(difference->ops.front().name), QStringLiteral("conv")); // the largest change
        const DifferenceRow &conv = difference->ops.front();
        COMPARE_CLOSE(conv.seconds[0], 0.014);
        COMPARE_CLOSE(conv.seconds[1], 0.017);
        COMPARE_CLOSE(conv.change(), 0.003);
        COMPARE_CLOSE(conv.count[0], 2.0);
        COMPARE_CLOSE(conv.count[1], 1.0);
        COMPARE_CLOSE(rowOf(difference->ops, "nccl")->change(), -0.002);
        QVERIFY(!rowOf(difference->ops, "relu")->isInBoth() && !rowOf(difference->ops, "gelu")->isInBoth());
        COMPARE_CLOSE(rowOf(difference->ops, "relu")->change(), -0.001);
        QVERIFY(!rowOf(difference->ops, "warm-up")); // belongs to no step
        QVERIFY(testing::mentions(difference->notes, "No stream"));
        QVERIFY(testing::mentions(difference->notes, "1 ranks against 3"));
        // A rank's stream counts in full for that rank.
        COMPARE_CLOSE(rowOf(difference->streams, "rank 1 compute")->seconds[1], 0.018);
        COMPARE_CLOSE(rowOf(difference->streams, "compute")->seconds[0], 0.015);
        // Layers of the same name are compared in order.
        QCOMPARE(QString::fromStdString(difference->layers.front().name), QStringLiteral("conv1 (2), backward"));
        COMPARE_CLOSE(difference->layers.front().change(), 0.006);
        QCOMPARE(rowOf(difference->layers, "conv1, backward")->change(), 0.0);
    }

    void roundingIsNoDifference() {
        const ImportedProfile a = trace("a", 3, before);
        ImportedProfile b = trace("b", 7, before);
        b.job.layers[0].forwardSeconds *= 1 + 1e-13;
        const auto difference = compareTraces(a, b);
        QVERIFY(difference);
        for (const auto *rows : {&difference->ops, &difference->layers, &difference->streams}) {
            QVERIFY(!rows->empty());
            for (const DifferenceRow &row : *rows) {
                QVERIFY(row.isInBoth());
                COMPARE_WITHIN(row.change(), 0.0, 0.0, row.name);
            }
        }
        QVERIFY(difference->notes.empty());
    }

    void onlyCompleteStepsCount() {
        ImportedProfile b = trace("b", 3, after);
        b.timeline.lanes[0].end[1] += 50 * ms; // the first step is cut short: its conv takes longer
        StepSample second, third;
        second.step = 1;
        third.step = 2;
        b.samples = {second, third};
        const auto difference = compareTraces(trace("a", 2, before), b);
        QVERIFY(difference);
        QCOMPARE(difference->of[1].steps, std::int64_t{2});
        COMPARE_CLOSE(rowOf(difference->ops, "conv")->seconds[1], 0.017);
    }

    /// Steps of a damaged trace may overlap: a long step still holds its spans after a short one within it has ended.
    void overlappingStepsHoldTheirSpans() {
        ImportedProfile a = trace("a", 1, {{"conv", 0, 0, 4 * ms}, {"late", 0, 60 * ms, 5 * ms}});
        ProfileStep inner = a.steps.front();
        inner.startSeconds += 0.010;
        inner.endSeconds = inner.startSeconds + 0.020;
        a.steps.push_back(inner);
        const auto difference = compareTraces(a, a);
        QVERIFY(difference);
        QCOMPARE(difference->of[0].steps, std::int64_t{2});
        QVERIFY(rowOf(difference->ops, "late"));
        COMPARE_CLOSE(rowOf(difference->ops, "late")->seconds[0], 0.0025); // over two steps
        COMPARE_CLOSE(rowOf(difference->streams, "compute")->seconds[0], 0.0045);
    }

    void whatCannotBeComparedSaysSo() {
        ImportedProfile a = trace("a", 2, before), b = trace("b", 2, after);
        b.steps.clear();
        const auto refused = compareTraces(a, b);
        QVERIFY(!refused);
        QCOMPARE(QString::fromStdString(refused.error().file), QStringLiteral("b"));
        a.steps.clear();
        b.job.layers.clear();
        const auto whole = compareTraces(a, b);
        QVERIFY(whole);
        QCOMPARE(whole->of[0].steps, std::int64_t{0});
        COMPARE_CLOSE(whole->of[0].stepSeconds, 0.24);
        COMPARE_CLOSE(rowOf(whole->ops, "conv")->seconds[0], 0.028);
        QVERIFY(rowOf(whole->ops, "warm-up"));
        QVERIFY(whole->layers.empty());
        QVERIFY(testing::mentions(whole->notes, "Layers are not compared: b"));
        QVERIFY(testing::mentions(whole->notes, "Neither trace marks steps"));
        ImportedProfile elsewhere = trace("c", 2, before);
        for (ProfileStep &step : elsewhere.steps) {
            step.startSeconds += 10;
            step.endSeconds += 10;
        }
        QVERIFY(!compareTraces(trace("a", 2, before), elsewhere));
    }
};

QTEST_APPLESS_MAIN(TestTraceDifference)
#include "tst_trace_difference.moc"
