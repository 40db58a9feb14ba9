// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/metrics.h"
#include "engine/parse/archive.h"
#include "engine/profile/chakra/chakra_recorded.h"
#include "tests/checks.h"
#include "tests/files.h"
#include "tests/foreign_traces.h"

#include <QtTest>

#include <QDir>
#include <QTemporaryDir>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <tuple>

using namespace syncopate;

namespace {

const std::string traces = testing::foreignTrace("chakra_et/");

std::string varint(std::uint64_t value) {
    std::string text;
    for (; value >= 0x80; value >>= 7)
        text += static_cast<char>(value | 0x80);
    return text + static_cast<char>(value);
}
std::string bytes(int number, const std::string &content) {
    return varint(static_cast<std::uint64_t>(number) << 3 | 2) + varint(content.size()) + content;
}
std::string number(int field, std::uint64_t value) { return varint(static_cast<std::uint64_t>(field) << 3) + varint(value); }
std::string attribute(const std::string &name, int member, std::uint64_t value) {
    return bytes(10, bytes(1, name) + number(member, value));
}

struct Node {
    std::uint64_t id;
    std::string name;
    int kind = 4;
    std::uint64_t duration = 0;
    bool host = true;
    std::uint64_t thread = 1;
    std::int64_t sequence = -1;
    std::vector<std::uint64_t> data = {};
    std::uint64_t size = 0; ///< for an all-reduce
    std::uint64_t start = 0;
    std::vector<std::uint64_t> controls = {};
    std::uint64_t collective = 0; ///< comm_type; 0 = all-reduce
    std::string group = {};       ///< pg_name
};

std::string message(const Node &node, bool packed) {
    std::string list, text = (node.id > 0 ? number(1, node.id) : std::string()) + bytes(2, node.name) +
                             number(3, static_cast<std::uint64_t>(node.kind));
    for (const std::uint64_t id : node.data)
        list += packed ? varint(id) : number(5, id);
    text += packed && !list.empty() ? bytes(5, list) : list;
    list.clear();
    for (const std::uint64_t id : node.controls)
        list += packed ? varint(id) : number(4, id);
    text += packed && !list.empty() ? bytes(4, list) : list;
    if (node.start > 0)
        text += number(6, node.start);
    if (node.duration > 0)
        text += number(7, node.duration);
    text += attribute("is_cpu_op", 27, node.host ? 1 : 0) + attribute("tid", packed ? 9 : 13, node.thread) +
            attribute("seq_id", 9, static_cast<std::uint64_t>(node.sequence));
    if (node.kind == 7 && !node.host)
        text += attribute("comm_type", 9, node.collective) + attribute("comm_size", packed ? 9 : 13, node.size);
    if (!node.group.empty())
        text += bytes(10, bytes(1, "pg_name") + bytes(29, node.group));
    return varint(text.size()) + text;
}

/// Forward: convolution 20, relu 3 (no linear layer), a second convolution 30; backward: convolutions 50 and 40; an all-reduce of
/// each gradient; update 5.
std::vector<Node> step() {
    return {{1, "aten::conv2d(0)", 4, 4, true, 1, 10, {}},
            {2, "conv_kernel", 4, 20, false, 7, -1, {1, 99}}, // 99 is not in the file
            {3, "aten::conv2d(1)", 4, 1, true, 1, 10, {1}},
            {4, "aten::relu", 4, 2, true, 1, 11, {3}},
            {5, "relu_kernel", 4, 3, false, 7, -1, {4, 2}},
            {6, "aten::conv2d", 4, 4, true, 1, 12, {4}},
            {7, "conv_kernel", 4, 30, false, 7, -1, {6, 5}},
            {8, "aten::convolution_backward", 4, 4, true, 2, -1, {6}},
            {9, "dgrad", 4, 50, false, 7, -1, {8, 7}},
            {10, "c10d::allreduce_", 7, 1, true, 2, -1, {8}},
            {11, "ncclKernel_AllReduce", 7, 25, false, 20, -1, {10, 9}, 400},
            {12, "aten::threshold_backward", 4, 2, true, 2, -1, {10}},
            {13, "relu_grad", 4, 6, false, 7, -1, {12, 9}},
            {14, "aten::convolution_backward", 4, 4, true, 2, -1, {12}},
            {15, "dgrad", 4, 40, false, 7, -1, {14, 13}},
            {16, "ncclKernel_AllReduce", 7, 15, false, 20, -1, {14, 15}, 80},
            {17, "aten::_foreach_add_", 4, 3, true, 1, -1, {16}},
            {18, "update", 4, 5, false, 7, -1, {17}}};
}

std::string file(const std::vector<Node> &nodes, bool packed = false) {
    const std::string metadata = bytes(1, "0.0.4");
    std::string text = varint(metadata.size()) + metadata;
    for (const Node &node : nodes)
        text += message(node, packed);
    return text;
}

Result<std::shared_ptr<const ImportedProfile>> import(const std::string &text) {
    const auto source = ByteSource::fromMemory(text);
    return importChakra(*source, "step.et");
}

/// Compares names, starts and ends, by lane.
bool haveSameSpans(const Timeline &a, const Timeline &b) {
    return a.labels == b.labels &&
           std::equal(a.lanes.begin(), a.lanes.end(), b.lanes.begin(), b.lanes.end(), [](const Lane &x, const Lane &y) {
               return x.name == y.name && x.start == y.start && x.end == y.end && x.label == y.label;
           });
}

/// Reads the nodes' trace and records it as a step.
Result<RecordedStep> stepOf(const std::vector<Node> &nodes) {
    const std::string text = file(nodes);
    const auto source = ByteSource::fromMemory(text);
    const auto trace = readChakra(*source);
    return trace ? recordChakra(*trace, "step.et") : Unexpected(trace.error());
}

/// The step with recorded starts, on a clock that reads `origin` when the first host op and the first kernel start: conv 0-20,
/// relu 26-29, conv 29-59, dgrad 66-116, all-reduce 116-141, relu's gradient 121-127, dgrad 129-169, all-reduce 169-184, update
/// 186-191.
std::vector<Node> stepOnClock(std::uint64_t origin) {
    std::vector<Node> nodes = step();
    const std::map<std::uint64_t, std::uint64_t> starts{{2, 0},    {5, 26},   {7, 29},   {9, 66},  {11, 116},
                                                        {13, 121}, {15, 129}, {16, 169}, {18, 186}};
    for (Node &node : nodes)
        node.start = origin + (starts.contains(node.id) ? starts.at(node.id) : 5 * (node.id - 1));
    return nodes;
}

} // namespace

class TestChakra : public QObject {
    Q_OBJECT

private slots:
    /// Names and dependencies count towards the memory limit like nodes, however few nodes have them.
    void whatOneNodeKeepsIsBounded() {
        const auto read = [](const std::vector<Node> &nodes) {
            const std::string text = file(nodes, true);
            const auto source = ByteSource::fromMemory(text);
            source->setLimits(ReadLimits::of(std::uint64_t{4} << 20));
            return readChakra(*source).has_value();
        };
        std::vector<Node> nodes = step();
        QVERIFY(read(nodes));
        nodes.back().data.assign(500'000, 1); // 12 MB from 500 KB of text
        QVERIFY(!read(nodes));
        nodes = step();
        for (std::size_t n = 0; n < nodes.size(); ++n)
            nodes[n].name.assign(std::size_t{1} << 19, static_cast<char>('a' + n));
        QVERIFY(!read(nodes));
    }

    void stepByHand_data() {
        QTest::addColumn<bool>("packed");
        QTest::newRow("packed, int64") << true;
        QTest::newRow("not packed, uint64") << false;
    }
    void stepByHand() {
        QFETCH(bool, packed);
        const std::string text = file(step(), packed);
        QVERIFY(looksLikeChakra(text));
        const auto profile = import(text);
        VERIFY_VALUE(profile);
        const ImportedProfile &p = **profile;
        QCOMPARE(p.job.layers.size(), std::size_t{2});
        QCOMPARE(p.job.layers[0].name, std::string("conv2d_1"));
        QVERIFY(p.job.layers[1].parents == std::vector<std::int32_t>{0});
        COMPARE_WITHIN(p.job.layers[0].forwardSeconds, 23e-6, 1e-9);
        COMPARE_WITHIN(p.job.layers[1].forwardSeconds, 30e-6, 1e-9);
        COMPARE_WITHIN(p.job.layers[1].backwardSeconds, 50e-6, 1e-9);
        COMPARE_WITHIN(p.job.layers[0].backwardSeconds, 46e-6, 1e-9); // the relu's gradient precedes its convolution's
        COMPARE_WITHIN(p.job.updateSeconds, 5e-6, 1e-9);
        QCOMPARE(p.job.variables.size(), std::size_t{2});
        QCOMPARE(p.job.variables[0].elementCount(), std::int64_t{20}); // the last one reduced belongs to the first layer
        QVERIFY(p.job.layers[1].variables == std::vector<std::int32_t>{1});
        QCOMPARE(p.gradients.size(), std::size_t{2});
        // Replayed: the stream is busy from 4 us (its launch) without gaps until the update waits for the last all-reduce.
        COMPARE_WITHIN(p.gradients[0].startSeconds, 107e-6, 1e-9);
        COMPARE_WITHIN(p.gradients[1].startSeconds, 153e-6, 1e-9);
        COMPARE_WITHIN(p.steps[0].endSeconds, (153 + 15 + 3 + 5) * 1e-6, 1e-9);
        COMPARE_WITHIN(p.steps[0].exposedCommunicationSeconds, 15e-6, 1e-9);
        QVERIFY(p.timeline.spanCount() == 18);
        QVERIFY(testing::mentions(p.read, "1 data dependencies name nodes that are not in the file"));
        QVERIFY(p.opGraphs.empty()); // no transfers by which to predict throughput: that goes by the layers
        QVERIFY(validateJob(p.job));
        QVERIFY(p.recorded); // its two all-reduces can be planned
        QCOMPARE(std::count_if(p.recorded->ops.begin(), p.recorded->ops.end(),
                               [](const RecordedOp &op) { return op.collective == "all_reduce"; }),
                 std::ptrdiff_t{2});
    }

    /// The threads' ops launch kernels: while only they run, the worker does not compute.
    void theHostDoesNotCompute() {
        const auto profile = import(file(stepOnClock(1000)));
        VERIFY_VALUE(profile);
        const Timeline &timeline = (*profile)->timeline;
        for (const Lane &lane : timeline.lanes)
            for (const Category category : lane.category)
                QVERIFY2((category == Category::Host) == lane.name.starts_with("thread"), lane.name.c_str());
        const AreaStatistics step = areaStatistics(timeline, 0, timeline.duration);
        COMPARE_CLOSE(step.computeSeconds, (20 + 3 + 30 + 50 + 6 + 40 + 5) * 1e-6); // the kernels
        COMPARE_CLOSE(step.communicationSeconds, (25 + 15) * 1e-6);
        COMPARE_CLOSE(step.overlappedSeconds, (6 + 141 - 129) * 1e-6); // relu's gradient, and dgrad's first part
        COMPARE_CLOSE(step.exposedSeconds, (25 + 15 - 6 - 12) * 1e-6);
    }

    /// A copy on the compute stream is recognised by its name, and stays in its layer's duration.
    void copiesDoNotCompute() {
        std::vector<Node> nodes = stepOnClock(1000);
        for (Node &node : nodes)
            if (node.name == "relu_grad")
                node.name = "Memcpy DtoD (Device -> Device)";
        const auto profile = import(file(nodes)), before = import(file(stepOnClock(1000)));
        VERIFY_VALUE(profile);
        const Timeline &timeline = (*profile)->timeline;
        const AreaStatistics step = areaStatistics(timeline, 0, timeline.duration);
        COMPARE_CLOSE(step.computeSeconds, (20 + 3 + 30 + 50 + 40 + 5) * 1e-6);
        COMPARE_CLOSE(step.copySeconds, 6e-6);
        COMPARE_CLOSE(step.exposedSeconds, (25 + 15 - 6 - 12) * 1e-6); // it ran under the first all-reduce
        COMPARE_CLOSE((*profile)->job.backwardSeconds(), (*before)->job.backwardSeconds());
    }

    /// A control dependency makes an op wait. Between two communication ops it is a channel's order, which plans choose; in a
    /// trace with host ops it names a caller.
    void controlDependenciesAreWaits() {
        const std::vector<Node> device{
            {.id = 1, .name = "a", .duration = 10, .host = false},
            {.id = 2, .name = "sum", .kind = 7, .duration = 50, .host = false, .data = {1}, .size = 8},
            {.id = 3, .name = "sum", .kind = 7, .duration = 50, .host = false, .size = 8, .controls = {2}},
            {.id = 4, .name = "b", .duration = 20, .host = false},
            {.id = 5, .name = "c", .duration = 30, .host = false, .controls = {2}}};
        const auto made = stepOf(device);
        VERIFY_VALUE(made);
        QCOMPARE(made->ops.size(), std::size_t{5}); // a, b, c and the two
        QVERIFY(made->ops[1].parents.empty());
        QCOMPARE(made->ops[2].parents, std::vector<std::int32_t>{3});
        QVERIFY(made->ops[4].parents.empty());
        std::vector<Node> early = device; // "a" waits for "c" by a control dependency, and must be played after it
        early[0].controls = {5};
        early[4].controls = {};
        const auto later = stepOf(early);
        VERIFY_VALUE(later);
        COMPARE_CLOSE(later->ops[0].seconds, 40e-6, 1e-9); // c and a, then the first sum begins
        COMPARE_CLOSE(later->ops[1].seconds, 20e-6, 1e-9);
        early[4].controls = {1}; // and "c" for "a": then control dependencies are ignored
        const auto circle = stepOf(early);
        VERIFY_VALUE(circle);
        QVERIFY(std::any_of(circle->notes.begin(), circle->notes.end(),
                            [](const std::string &note) { return note.find("form a cycle") != note.npos; }));
        std::vector<Node> called = device;
        called.push_back({.id = 6, .name = "aten::op", .duration = 1, .host = true});
        const std::string text = file(called);
        const auto source = ByteSource::fromMemory(text);
        const auto trace = readChakra(*source);
        VERIFY_VALUE(trace);
        QVERIFY(trace->inputsOf(trace->nodes[4]).empty());
        QCOMPARE(trace->inputsOf(trace->nodes[1]).size(), std::size_t{1});
    }

    /// What a plan cannot keep is left out by name.
    void unknownCollectivesAreLeftOut() {
        const auto made =
            stepOf({{.id = 1, .name = "a", .duration = 10, .host = false},
                    {.id = 2, .name = "sum", .kind = 7, .duration = 50, .host = false, .data = {1}, .size = 8},
                    {.id = 3, .name = "new", .kind = 7, .duration = 50, .host = false, .size = 8, .collective = 12}});
        VERIFY_VALUE(made);
        QCOMPARE(made->leftOut, std::vector<std::string>{"collective of unknown kind"});
        QCOMPARE(made->ops.size(), std::size_t{2});
    }

    /// Our own traces name a group by size and stride; a name that only begins like that says nothing.
    void groupsByName() {
        for (const auto &[name, size, stride] :
             {std::tuple("4x2", 4, 2), {"4x2_tensor_parallel", 0, 1}, {"4x", 0, 1}, {"4", 0, 1}}) {
            const auto made =
                stepOf({{.id = 1, .name = "a", .duration = 10, .host = false},
                        {.id = 2, .name = "sum", .kind = 7, .duration = 5, .host = false, .size = 8, .group = name}});
            VERIFY_VALUE(made);
            const RecordedOp &sum = made->ops.back();
            QVERIFY2(sum.groupSize == size && sum.groupStride == stride,
                     fmt::format("{}: got {} x {}, want {} x {}", name, sum.groupSize, sum.groupStride, size, stride).c_str());
        }
    }

    /// The error names a node of the cycle, not one that waits for it.
    void cyclesAreNamed() {
        const auto cycle = stepOf({{.id = 1, .name = "follower", .duration = 1, .data = {3}},
                                   {.id = 2, .name = "a", .duration = 1, .data = {3}},
                                   {.id = 3, .name = "b", .duration = 1, .data = {2}}});
        QVERIFY(!cycle);
        QVERIFY2(cycle.error().what.starts_with("node 3 depends on itself"), cycle.error().toString().c_str());
    }

    /// Resizing has "linear" in its name, and no weights.
    void resizingIsNoLayer() {
        std::vector<Node> nodes = step();
        nodes[3].name = "aten::upsample_bilinear2d";
        nodes[11].name = "aten::upsample_bilinear2d_backward";
        const auto profile = import(file(nodes)), plain = import(file(step()));
        VERIFY_VALUE(profile);
        VERIFY_VALUE(plain);
        QVERIFY((*profile)->job.layers == (*plain)->job.layers);
    }

    void recordedStarts() {
        std::vector<Node> nodes = step();
        for (std::size_t i = 0; i < nodes.size(); ++i)
            nodes[i].start = 1'000'000 + 100 * i;
        const auto profile = import(file(nodes));
        VERIFY_VALUE(profile);
        COMPARE_WITHIN((*profile)->gradients[0].startSeconds, 1000e-6, 1e-9);
        COMPARE_WITHIN((*profile)->steps[0].exposedCommunicationSeconds, 40e-6, 1e-9);
    }

    /// If the device neither computes nor communicates, the preceding layer waits for the host.
    void launchGaps() {
        std::vector<Node> nodes = step();
        const std::map<std::uint64_t, std::uint64_t> starts{{2, 104},  {5, 130},  {7, 133},  {9, 170}, {11, 220},
                                                            {13, 225}, {15, 233}, {16, 273}, {18, 290}};
        for (Node &node : nodes) // host ops do not matter
            node.start = 1'000'000 + (starts.contains(node.id) ? starts.at(node.id) : node.id);
        const auto profile = import(file(nodes));
        VERIFY_VALUE(profile);
        const Job &job = (*profile)->job;
        // conv 104-124, relu 130-133, conv 133-163, dgrad 170-220, relu's gradient 225-231, dgrad 233-273, update 290-295;
        // all-reduces 220-245 and 273-288 are not gaps.
        COMPARE_WITHIN(job.layers[0].forwardHostSeconds, 6e-6, 1e-12);
        COMPARE_WITHIN(job.layers[0].forwardSeconds, 29e-6, 1e-12);
        COMPARE_WITHIN(job.layers[1].forwardHostSeconds, 7e-6, 1e-12);
        COMPARE_WITHIN(job.layers[1].backwardHostSeconds, 0, 1e-12);
        COMPARE_WITHIN(job.layers[0].backwardHostSeconds, 2e-6, 1e-12); // after the second all-reduce
        COMPARE_WITHIN(job.layers[0].backwardSeconds, 48e-6, 1e-12);
        COMPARE_WITHIN(job.hostSeconds(), 15e-6, 1e-12);
        COMPARE_WITHIN((*profile)->steps[0].forwardSeconds, 53e-6, 1e-12); // without its gaps
        QVERIFY((*profile)->samples[0].forwardHostSeconds ==
                (std::vector{job.layers[0].forwardHostSeconds, job.layers[1].forwardHostSeconds}));
        QVERIFY(testing::mentions((*profile)->inferred, "in which the device neither computed nor communicated"));
        // If one kernel has no start, no gap is known.
        nodes[6].start = 0;
        const auto partly = import(file(nodes));
        VERIFY_VALUE(partly);
        QCOMPARE((*partly)->job.hostSeconds(), 0.0);
        QVERIFY(testing::mentions((*partly)->inferred, "A simulation of it shows no launch gaps"));
    }

    /// A start of 0 is omitted in the file: nodes without a start began at 0 unless something contradicts that.
    void clockFromZero_data() {
        QTest::addColumn<bool>("hostOnly");
        QTest::newRow("device") << false;
        QTest::newRow("host only") << true;
    }
    void clockFromZero() {
        QFETCH(bool, hostOnly);
        const auto imported = [&](std::uint64_t origin) {
            std::vector<Node> nodes = stepOnClock(origin);
            if (hostOnly)
                std::erase_if(nodes, [](const Node &node) { return !node.host; });
            return import(file(nodes));
        };
        const auto unix = imported(1'000'000), zero = imported(0);
        VERIFY_VALUE(unix);
        VERIFY_VALUE(zero);
        const Job &job = (*zero)->job;
        // On the host: 0-4, 10-11, 15-17, 25-29, 35-39, 55-57, 65-69, 80-83; c10d::allreduce_ is not compute.
        COMPARE_WITHIN(job.hostSeconds(), hostOnly ? (6 + 4 + 8 + 6 + 16 + 8 + 11) * 1e-6 : 15e-6, 1e-12);
        QVERIFY(job.layers == (*unix)->job.layers);
        COMPARE_WITHIN(job.updateSeconds, (*unix)->job.updateSeconds, 1e-15);
        COMPARE_WITHIN((*zero)->steps[0].endSeconds, (*unix)->steps[0].endSeconds, 1e-15);
        QVERIFY(haveSameSpans((*unix)->timeline, (*zero)->timeline));
        QVERIFY(testing::mentions((*zero)->inferred, fmt::format("Nodes without one ({}) started at 0", hostOnly ? 1 : 2)));
        QVERIFY(!testing::mentions((*unix)->inferred, "Nodes without one"));
    }

    /// A missing start is not 0 if the trace contradicts it; then the import says why launch gaps are unknown.
    void startsThatAreUnknown_data() {
        QTest::addColumn<std::uint64_t>("origin");
        QTest::addColumn<QList<int>>("startless"); // indices into step()
        QTest::addColumn<QString>("reason");
        QTest::newRow("behind others") << std::uint64_t{0} << QList<int>{6}
                                       << R"("conv_kernel" depends on a node that started later)";
        QTest::newRow("two at once") << std::uint64_t{0} << QList<int>{3, 4} << R"("relu_kernel" would have run together)";
        QTest::newRow("too long") << std::uint64_t{0} << QList<int>{1} << R"("conv_kernel" would not have ended before)";
        QTest::newRow("another clock") << std::uint64_t{1'000'000} << QList<int>{0, 1} << "the clock began longer before";
    }
    void startsThatAreUnknown() {
        QFETCH(std::uint64_t, origin);
        QFETCH(QList<int>, startless);
        QFETCH(QString, reason);
        std::vector<Node> nodes = stepOnClock(origin);
        nodes[4].data = {4}; // the kernels depend only on their launches
        if (startless == QList<int>{1})
            nodes[1].duration = 28;
        for (const int place : startless)
            nodes[static_cast<std::size_t>(place)].start = 0;
        if (startless.contains(3)) // its launch has no dependencies
            nodes[3].data = {};
        const auto profile = import(file(nodes));
        VERIFY_VALUE(profile);
        QCOMPARE((*profile)->job.hostSeconds(), 0.0);
        QVERIFY(testing::mentions((*profile)->inferred, "A simulation of it shows no launch gaps"));
        const std::string &why = (*profile)->inferred.at((*profile)->inferred.size() - 2);
        QVERIFY2(QString::fromStdString(why).contains(reason), why.c_str());
    }

    /// A line break in a name would let it forge lines where it is displayed.
    void namesAreOneLine() {
        std::vector<Node> nodes = step();
        nodes[5].name = "aten::conv2d\nerror: forged";
        const auto profile = import(file(nodes));
        VERIFY_VALUE(profile);
        QCOMPARE((*profile)->job.layers[1].name, std::string("conv2d\\nerror: forged_1"));
        for (const std::string &label : (*profile)->timeline.labels)
            QVERIFY(label.find('\n') == std::string::npos);
    }

    /// Neither the order of nodes in the file nor the size of their ids carries meaning.
    void nodesInAnyOrder_data() {
        QTest::addColumn<bool>("reversed");
        QTest::addColumn<quint64>("apart");
        QTest::newRow("reversed") << true << quint64{1};
        QTest::newRow("far apart") << false << quint64{1'000'000'007};
        QTest::newRow("both") << true << quint64{1'000'000'007};
    }
    void nodesInAnyOrder() {
        QFETCH(bool, reversed);
        QFETCH(quint64, apart);
        const auto plain = import(file(step()));
        VERIFY_VALUE(plain);
        std::vector<Node> nodes = step();
        for (Node &node : nodes) {
            node.id *= apart;
            for (std::uint64_t &id : node.data)
                id *= apart;
        }
        if (reversed)
            std::reverse(nodes.begin(), nodes.end());
        const auto profile = import(file(nodes));
        VERIFY_VALUE(profile);
        QVERIFY((*profile)->job.layers == (*plain)->job.layers);
        QVERIFY(haveSameSpans((*plain)->timeline, (*profile)->timeline));
        COMPARE_CLOSE((*profile)->steps[0].endSeconds, (*plain)->steps[0].endSeconds);
        nodes.back().id = nodes.front().id;
        const auto twice = import(file(nodes));
        QVERIFY(!twice && QString::fromStdString(twice.error().what).contains("two nodes have the id"));
    }

    /// The converted ResNet-50 of the traces' index, with sums computed from the file independently.
    void realTrace() {
        REQUIRE_FOREIGN_TRACE("chakra_et");
        std::string content;
        const auto found = forEachPart(traces + "chakra_resnet_linked_et.tar.gz",
                                       [&](const std::string &name, std::unique_ptr<ByteSource> source) -> Result<Walk> {
                                           if (!QString::fromStdString(name).endsWith("chakra.0.et"))
                                               return {};
                                           auto bytes = readHead(*source, std::size_t{1} << 28);
                                           content = bytes ? *bytes : std::string();
                                           return {};
                                       });
        VERIFY_VALUE(found);
        const auto source = ByteSource::fromMemory(content);
        const auto trace = readChakra(*source);
        VERIFY_VALUE(trace);
        QCOMPARE(trace->nodes.size(), std::size_t{3664});
        std::size_t compute = 0, collectives = 0, sized = 0, deps = 0;
        for (const ChakraNode &node : trace->nodes) {
            compute += node.kind == ChakraNode::Kind::Compute ? 1 : 0;
            collectives += node.kind == ChakraNode::Kind::Collective ? 1 : 0;
            sized += node.sizeBytes >= 0 ? 1 : 0;
            deps += node.inputCount;
        }
        QCOMPARE(compute, std::size_t{3643});
        QCOMPARE(collectives, std::size_t{21});
        QCOMPARE(sized, std::size_t{7});
        QCOMPARE(deps, std::size_t{181878});
        QTemporaryDir folder;
        const std::string path = folder.filePath("chakra.0.et").toStdString();
        std::ofstream(path, std::ios::binary) << content;
        const auto profile = importProfile(path);
        VERIFY_VALUE(profile);
        const ImportedProfile &p = **profile;
        COMPARE_WITHIN(p.job.forwardSeconds(), 90254e-6, 1e-9);
        COMPARE_WITHIN(p.job.backwardSeconds(), 198627e-6, 1e-9);
        COMPARE_WITHIN(p.job.updateSeconds, 3947e-6, 1e-9);
        QCOMPARE(p.job.layers.size(), std::size_t{107}); // 53 convolutions, 53 normalisations, one linear
        QCOMPARE(p.job.variables.size(), std::size_t{5});
        QCOMPARE(p.job.parameterCount(), std::int64_t{25557032});
        QCOMPARE(p.job.variables.back().elementCount(), std::int64_t{2049000}); // the last layer's bucket is sent first
        ImportOptions options;
        options.variables = testing::foreignTrace("model_vars/onnx/light_resnet50.onnx");
        const auto sizedProfile = importProfile(path, options);
        VERIFY_VALUE(sizedProfile);
        QCOMPARE((*sizedProfile)->job.variables.size(), std::size_t{161});
    }

    void refused() {
        REQUIRE_FOREIGN_TRACE("chakra_et");
        const auto workload = importProfile(traces + "microbench/all_reduce/8npus_1MB/all_reduce.0.et");
        QVERIFY(!workload && QString::fromStdString(workload.error().what).contains("no computation"));
        std::vector<Node> inference = step();
        inference.resize(7);
        const auto forward = import(file(inference));
        QVERIFY(!forward && QString::fromStdString(forward.error().what).contains("inference"));
    }

    void damagedFiles() {
        const QDir damaged(SYNCOPATE_SOURCE "/tests/damaged/chakra");
        const QStringList files = damaged.entryList(QDir::Files);
        COMPARE_AT_LEAST(files.size(), 8);
        for (const QString &name : files) {
            const auto profile = importProfile(damaged.filePath(name).toStdString());
            QVERIFY2(!profile && !profile.error().what.empty() && !profile.error().remedy.empty(), qPrintable(name));
            QVERIFY2(QString::fromStdString(profile.error().file).endsWith(name), profile.error().toString().c_str());
        }
        const std::string whole = file(step());
        const std::string last = message(step().back(), false);
        for (std::size_t length = whole.size() - last.size() + 1; length < whole.size(); ++length)
            QVERIFY(!import(whole.substr(0, length))); // cut within a message
        for (std::size_t at = 0; at < whole.size(); ++at) {
            std::string other = whole;
            other[at] = static_cast<char>(other[at] ^ 0x41);
            const auto profile = import(other);
            QVERIFY(profile ? validateJob((*profile)->job).has_value() : !profile.error().what.empty());
        }
    }
};

QTEST_GUILESS_MAIN(TestChakra)
#include "tst_chakra.moc"
