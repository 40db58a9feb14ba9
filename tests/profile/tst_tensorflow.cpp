// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/files.h"
#include "tests/profile/tiny_timeline.h"

#include "engine/analyze/metrics.h"
#include "engine/profile/profile.h"
#include "engine/profile/tensorflow/tensorflow.h"
#include "engine/simulate/measured_run.h"
#include "tests/checks.h"
#include "tests/foreign_traces.h"

#include <QtTest>

#include <QDir>
#include <QTemporaryDir>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <tuple>

using namespace syncopate;

namespace {

const std::string traces = testing::foreignTrace("tf_timeline/");

Result<std::shared_ptr<const OpGraph>> readText(const std::string &text) {
    const auto source = ByteSource::fromMemory(text);
    return readTensorFlowTimeline(*source, "tiny.json");
}

Result<std::shared_ptr<const OpGraph>> readShared(const std::string &file) {
    const auto source = ByteSource::openFile(traces + file);
    if (!source)
        return tl::unexpected(source.error());
    return readTensorFlowTimeline(**source, file);
}

const ProfiledOp &named(const OpGraph &graph, std::string_view name) {
    for (const ProfiledOp &op : graph.ops) {
        if (op.name == name)
            return op;
    }
    qFatal("no op %s", std::string(name).c_str());
}

} // namespace

class TestTensorFlow : public QObject {
    Q_OBJECT

private slots:
    void graphOfAStep() {
        const auto graph = readText(tiny::timeline());
        VERIFY_VALUE(graph);
        const OpGraph &g = **graph;
        QCOMPARE(g.ops.size(), std::size_t{15});
        QCOMPARE(g.resources.size(), std::size_t{2}); // rows of one device are merged
        QCOMPARE(g.zero, Nanoseconds{1578906108771000000});
        std::map<OpStage, int> stages;
        for (const ProfiledOp &op : g.ops)
            ++stages[g.stageOf(op)];
        QCOMPARE(stages[OpStage::Downlink], 2);
        QCOMPARE(stages[OpStage::Worker], 5);
        QCOMPARE(stages[OpStage::Uplink], 2);
        QCOMPARE(stages[OpStage::Server], 6);
        const ProfiledOp &conv = named(g, "conv/Conv2D");
        QCOMPARE(conv.start, Nanoseconds{25000});
        QCOMPARE(conv.end, Nanoseconds{65000});
        QCOMPARE(conv.inputs.size(), std::size_t{2});
        QCOMPARE(conv.inputs[0], -1); // fed
        QCOMPARE(g.ops[static_cast<std::size_t>(conv.inputs[1])].name, std::string("a/read"));
        const ProfiledOp &fc = named(g, "fc/MatMul"); // "b/read/_7"
        QCOMPARE(g.ops[static_cast<std::size_t>(fc.inputs[1])].name, std::string("b/read"));
        const ProfiledOp &filter = named(g, "gradients/conv/Conv2D_grad/Conv2DBackpropFilter"); // ":0" and "^"
        QCOMPARE(g.ops[static_cast<std::size_t>(filter.inputs[0])].name, std::string("gradients/fc/MatMul_grad/MatMul_1"));
        QCOMPARE(g.ops[static_cast<std::size_t>(filter.inputs[1])].name, std::string("fc/MatMul"));
        QCOMPARE(g.unresolvedInputs, std::uint64_t{3}); // the images and two rates
        QCOMPARE(conv.sizeBytes, std::int64_t{-1});
        for (std::size_t i = 0; i < g.ops.size(); ++i) {
            for (const std::int32_t input : g.ops[i].inputs)
                COMPARE_BELOW(input, static_cast<std::int32_t>(i));
        }
    }

    void memoryObjectsGiveSizes() {
        tiny::TimelineOptions options;
        options.memory = true;
        const auto graph = readText(tiny::timeline(options));
        QVERIFY(graph);
        QCOMPARE(named(**graph, "a").sizeBytes, std::int64_t{400});
        QCOMPARE(named(**graph, "gradients/fc/MatMul_grad/MatMul_1").sizeBytes, std::int64_t{1200});
        std::int64_t received = 0;
        for (const ProfiledOp &op : (*graph)->ops)
            received += op.type == "RecvTensor" ? op.sizeBytes : 0;
        QCOMPARE(received, std::int64_t{3200});
        const auto profile = importOpGraphs({*graph}, "tiny.json");
        QVERIFY(profile);
        QCOMPARE((*profile)->unsized.size(), std::size_t{0});
        QCOMPARE((*profile)->job.variables.size(), std::size_t{2});
        QCOMPARE((*profile)->job.variables[0].name, std::string("a"));
        QCOMPARE((*profile)->job.variables[1].elementCount(), std::int64_t{300});
    }

    /// If a writer gives each received tensor its name, input and size, transfers are part of the graph.
    void namedTransfers() {
        const std::string server = "/job:ps/replica:0/task:0/device:CPU:0 Compute";
        const std::string worker = "/job:worker/replica:0/task:0/device:CPU:0 Compute";
        const auto op = [](int row, int at, int length, const std::string &type, const std::string &arguments) {
            return fmt::format(R"(,{{"ph": "X", "cat": "Op", "name": "{0}", "pid": {1}, "tid": 0, "ts": {2}, "dur": {3}, )"
                               R"("args": {{"op": "{0}", {4}}}}})",
                               type, row, 1000 + at, length, arguments);
        };
        const auto graph = readText(
            fmt::format(R"({{"traceEvents": [{{"name": "process_name", "ph": "M", "pid": 0, "args": {{"name": "Allocators"}}}},
                {{"name": "process_name", "ph": "M", "pid": 1, "args": {{"name": "{}"}}}},
                {{"name": "process_name", "ph": "M", "pid": 3, "args": {{"name": "{}"}}}})",
                        worker, server) +
            op(3, 0, 0, "VariableV2", R"("name": "w", "bytes": 400)") +
            op(3, 0, 0, "Identity", R"("name": "w/read", "input0": "w")") +
            op(1, 0, 20, "RecvTensor", R"("name": "w/read/_1", "input0": "w/read", "bytes": 400)") +
            op(1, 20, 5, "MatMul", R"("name": "fc", "input0": "w/read/_1")") +
            op(1, 25, 10, "MatMul", R"("name": "gradients/fc_grad", "input0": "fc")") +
            op(3, 36, 30, "RecvTensor", R"("name": "gradients/w/_1", "input0": "gradients/fc_grad", "bytes": 400)") +
            op(3, 66, 2, "ApplyGradientDescent", R"("name": "update_w", "input0": "w", "input1": "gradients/w/_1")") + "]}");
        QVERIFY(graph);
        const auto inputsOf = [&](const std::string &name) {
            std::vector<std::string> names;
            for (const std::int32_t input : named(**graph, name).inputs)
                names.push_back(input < 0 ? "none" : (*graph)->ops[static_cast<std::size_t>(input)].name);
            return names;
        };
        QVERIFY(inputsOf("fc") == std::vector<std::string>{"w/read/_1"});
        QVERIFY(inputsOf("w/read/_1") == std::vector<std::string>{"w/read"});
        QVERIFY((inputsOf("update_w") == std::vector<std::string>{"w", "gradients/w/_1"}));
        QCOMPARE(named(**graph, "w/read/_1").sizeBytes, std::int64_t{400});
        QCOMPARE(named(**graph, "fc").sizeBytes, std::int64_t{-1});
        const auto profile = importOpGraphs({*graph}, "named.json");
        VERIFY_VALUE(profile);
        QCOMPARE((*profile)->job.variables.size(), std::size_t{1});
        QCOMPARE((*profile)->job.variables[0].elementCount(), std::int64_t{100});
        COMPARE_WITHIN((*profile)->job.layers[0].backwardSeconds, 10e-6, 1e-12);
    }

    /// All figures by hand, from the table in tiny_timeline.h.
    void workerAndServer() {
        const auto graph = readText(tiny::timeline());
        const auto profile = importOpGraphs({*graph}, "tiny.json");
        VERIFY_VALUE(profile);
        const ImportedProfile &p = **profile;
        QCOMPARE(p.job.layers.size(), std::size_t{2});
        QCOMPARE(p.job.layers[0].name, std::string("conv"));
        QCOMPARE(p.job.layers[1].name, std::string("fc"));
        QVERIFY(p.job.layers[1].parents == std::vector<std::int32_t>{0});
        COMPARE_WITHIN(p.job.layers[0].forwardSeconds, 50e-6, 1e-12);
        COMPARE_WITHIN(p.job.layers[1].forwardSeconds, 35e-6, 1e-12); // plus 5 us in which nothing ran
        COMPARE_WITHIN(p.job.layers[1].backwardSeconds, 60e-6, 1e-12);
        COMPARE_WITHIN(p.job.layers[0].backwardSeconds, 100e-6, 1e-12);
        COMPARE_WITHIN(p.job.updateSeconds, 0, 1e-12); // on the server
        QCOMPARE(p.unsized.size(), std::size_t{2});
        QCOMPARE(p.unsized[0].name, std::string("a"));
        QCOMPARE(p.unsized[0].layer, 0);
        QCOMPARE(p.unsized[1].layer, 1);
        COMPARE_WITHIN(p.steps[0].forwardSeconds, 80e-6, 1e-12);
        COMPARE_WITHIN(p.steps[0].backwardSeconds, 160e-6, 1e-12);
        COMPARE_WITHIN(p.steps[0].communicationSeconds, (50 + 30 + 50) * 1e-6, 1e-12);
        COMPARE_WITHIN(p.steps[0].exposedCommunicationSeconds, (25 + 50) * 1e-6, 1e-12);
        std::map<Category, int> spans;
        for (const Lane &lane : p.timeline.lanes) {
            QCOMPARE(lane.isCompute, lane.name == "/job:worker/replica:0/task:0/device:CPU:0");
            for (std::size_t i = 0; i < lane.size(); ++i) {
                ++spans[lane.category[i]];
                if (i > 0)
                    COMPARE_AT_LEAST(lane.start[i], lane.end[i - 1]);
            }
        }
        QCOMPARE(spans[Category::Pull], 2);
        QCOMPARE(spans[Category::Push], 2);
        QCOMPARE(spans[Category::Forward], 3);
        QCOMPARE(spans[Category::Backward], 2);
        QCOMPARE(spans[Category::OtherCompute], 6);
        QCOMPARE(p.timeline.duration, Nanoseconds{332000});
        QVERIFY(validateJob(p.job));
        const AreaStatistics all = areaStatistics(p.timeline, 0, p.timeline.duration, 0);
        COMPARE_WITHIN(all.pullSeconds, 50e-6, 1e-12);
        COMPARE_WITHIN(all.pushSeconds, (30 + 50) * 1e-6, 1e-12);
        COMPARE_WITHIN(all.communicationSeconds, p.steps[0].communicationSeconds, 1e-12);
        COMPARE_WITHIN(all.exposedSeconds, p.steps[0].exposedCommunicationSeconds, 1e-12);
    }

    /// Beside another worker, nothing tells whose pushes a server receives: they count for neither.
    void pushesOfSeveralWorkers() {
        std::string text = tiny::timeline();
        text.insert(
            text.find('[') + 1,
            R"({"ph": "M", "name": "process_name", "pid": 9, "args": {"name": "/job:worker/replica:0/task:1/device:CPU:0 Compute"}},
            {"ph": "X", "cat": "Op", "name": "NoOp", "pid": 9, "tid": 0, "ts": 1578906108771010, "dur": 1, "args": {"name": "wait", "op": "NoOp"}},)");
        const auto graph = readText(text);
        const auto profile = importOpGraphs({*graph}, "two.json");
        VERIFY_VALUE(profile);
        const Timeline &timeline = (*profile)->timeline;
        const AreaStatistics first = areaStatistics(timeline, 0, timeline.duration, 0);
        COMPARE_WITHIN(first.communicationSeconds, 50e-6, 1e-12);
        COMPARE_WITHIN(first.pushSeconds, 0, 1e-12);
        COMPARE_WITHIN(first.communicationSeconds, (*profile)->steps[0].communicationSeconds, 1e-12);
    }

    /// Where an accelerator's kernels were traced, the ops of its worker launch them: they are the host's, and not compute.
    void launchesAreTheHosts() {
        const tiny::TimelineOptions options;
        std::string kernels =
            R"({"ph": "M", "name": "process_name", "pid": 9, "args": {"name": "/device:GPU:0/stream:all Compute"}},)";
        for (const auto &[name, type, at, length] :
             {std::tuple("conv/Conv2D", "Conv2D", 60, 20),
              {"fc/MatMul", "MatMul", 90, 10},
              {"gradients/fc/MatMul_grad/MatMul_1", "MatMul", 180, 30},
              {"gradients/conv/Conv2D_grad/Conv2DBackpropFilter", "Conv2DBackpropFilter", 280, 40}})
            kernels += fmt::format(
                R"({{"ph": "X", "cat": "Op", "name": "{}", "pid": 9, "tid": 0, "ts": {}, "dur": {}, "args": {{"name": "{}", "op": "{}"}}}},)",
                type, options.base + at, length, name, type);
        kernels += R"({"ph": "M", "name": "process_name", "pid": 8, "args": {"name": "/device:GPU:0/memcpy Compute"}},)";
        kernels += fmt::format(
            R"({{"ph": "X", "cat": "Op", "name": "MEMCPYHtoD", "pid": 8, "tid": 0, "ts": {}, "dur": 9, "args": {{"name": "edge_4_conv", "op": "MEMCPYHtoD"}}}},)",
            options.base + 330);
        std::string text = tiny::timeline(options);
        text.insert(text.find('[') + 1, kernels);
        const QTemporaryDir folder;
        testing::writeFile(folder.filePath("gpu.json"), text);
        const auto profile = importProfile(folder.filePath("gpu.json").toStdString());
        VERIFY_VALUE(profile);
        const Timeline &timeline = (*profile)->timeline;
        std::map<std::string, std::set<Category>> categories;
        for (const Lane &lane : timeline.lanes)
            categories[lane.name].insert(lane.category.begin(), lane.category.end());
        QVERIFY(categories["/device:GPU:0/stream:all"] == (std::set{Category::Forward, Category::Backward}));
        QVERIFY(categories["/device:GPU:0/memcpy"] == std::set{Category::Copy});
        QVERIFY(categories[options.worker] == std::set{Category::Host});
        QVERIFY(!categories["/job:ps/replica:0/task:0/device:CPU:0"].contains(Category::Host));
        COMPARE_CLOSE(areaStatistics(timeline, 0, timeline.duration).computeSeconds, (20 + 10 + 30 + 40) * 1e-6);
    }

    /// An accelerator's rows do not name its task. Of the only worker, kernels hide the tensors that it receives, in [0, 50) us;
    /// beside another worker nothing tells whose they are. The server has no kernels: its ops are its compute.
    void kernelsHideWhatTheirWorkerReceives() {
        const auto row = [](int process, const std::string &name) {
            return fmt::format(R"({{"ph": "M", "name": "process_name", "pid": {}, "args": {{"name": "{} Compute"}}}},)", process,
                               name);
        };
        const auto op = [](int process, const char *type, const char *name, int at, int length) {
            return fmt::format(
                R"({{"ph": "X", "cat": "Op", "name": "{}", "pid": {}, "tid": 0, "ts": {}, "dur": {}, "args": {{"name": "{}", "op": "{}"}}}},)",
                type, process, tiny::TimelineOptions().base + at, length, name, type);
        };
        const QTemporaryDir folder;
        const auto overlapWith = [&](const std::string &more) {
            std::string text = tiny::timeline();
            text.insert(text.find('[') + 1, more);
            testing::writeFile(folder.filePath("gpu.json"), text);
            std::map<std::string, OverlapFigures> figures;
            for (const OverlapFigures &one : testing::must(measureOverlap(folder.filePath("gpu.json").toStdString())))
                figures[one.device] = one;
            return figures;
        };
        const std::string gpu = row(9, "/device:GPU:0/stream:all") + row(8, "/device:GPU:0/memcpy") +
                                op(9, "Conv2D", "conv/Conv2D", 30, 30) + op(8, "MEMCPYHtoD", "edge_4_conv", 330, 9);
        auto alone = overlapWith(gpu);
        QCOMPARE(alone.size(), std::size_t{2});
        const OverlapFigures &worker = alone["worker:0"], &server = alone["ps:0"];
        QCOMPARE(worker.computeKernels, std::uint64_t{1});
        QCOMPARE(worker.copies, std::uint64_t{1});
        COMPARE_WITHIN(worker.computeSeconds, 30e-6, 1e-12);
        COMPARE_WITHIN(worker.communicationSeconds, 50e-6, 1e-12);
        COMPARE_WITHIN(worker.hiddenSeconds, 20e-6, 1e-12);
        COMPARE_WITHIN(server.computeSeconds, (3 + 5 + 10) * 1e-6, 1e-12);
        COMPARE_WITHIN(server.communicationSeconds, (30 + 50) * 1e-6, 1e-12);

        auto beside = overlapWith(gpu + row(7, "/job:worker/replica:0/task:1/device:CPU:0") + op(7, "NoOp", "wait", 10, 1));
        QCOMPARE(beside["/device:GPU:0"].computeKernels, std::uint64_t{1});
        QCOMPARE(beside["worker:0"].computeKernels, std::uint64_t{0});
        COMPARE_WITHIN(beside["worker:0"].communicationSeconds, 50e-6, 1e-12);
    }

    /// A folder holds many steps; the job is the median one, all are samples.
    void folderOfSteps() {
        QTemporaryDir folder;
        const double stretches[] = {3, 1, 2};
        for (int i = 0; i < 3; ++i) {
            tiny::TimelineOptions options;
            options.base += i * 1000;
            options.stretch = stretches[i];
            testing::writeFile(folder.filePath(QString("timeline_%1.json").arg(i)), tiny::timeline(options));
        }
        testing::writeFile(folder.filePath("notes.txt"), "not a timeline");
        testing::writeFile(folder.filePath("cluster.json"), R"({"nodes": [{"address": "10.0.0.1", "gpus": [0]}]})");
        const auto profile = importProfile(folder.path().toStdString());
        VERIFY_VALUE(profile);
        const ImportedProfile &p = **profile;
        QCOMPARE(p.steps.size(), std::size_t{3});
        QCOMPARE(p.samples.size(), std::size_t{3});
        QCOMPARE(p.opGraphs.size(), std::size_t{3});
        COMPARE_WITHIN(p.job.backwardSeconds(), 320e-6, 1e-12);
        COMPARE_WITHIN(p.samples[0].backwardSeconds[0], 300e-6, 1e-12);
        COMPARE_WITHIN(p.samples[1].backwardSeconds[1], 60e-6, 1e-12);
        COMPARE_WITHIN(p.steps[2].startSeconds, 2025e-6, 1e-9);
        QCOMPARE(p.jobStep, 2);
        const auto measured = measuredRecording(*profile, std::make_shared<const Job>(p.job)); // of that step, not of the folder
        COMPARE_WITHIN(measured->windowStartSeconds, p.steps[2].startSeconds, 1e-12);
        COMPARE_WITHIN(measured->iterationSeconds, p.steps[2].endSeconds - p.steps[2].startSeconds, 1e-12);
        QCOMPARE(p.timeline.iterationStart.size(), std::size_t{3});
        ImportOptions first;
        first.step = 0;
        const auto asked = importProfile(folder.path().toStdString(), first);
        VERIFY_VALUE(asked);
        QCOMPARE((*asked)->jobStep, 0);
        COMPARE_WITHIN((*asked)->job.backwardSeconds(), 480e-6, 1e-12);
        const auto files =
            importProfiles({folder.filePath("timeline_1.json").toStdString(), folder.filePath("timeline_0.json").toStdString()});
        QVERIFY(files && (*files)->steps.size() == 2);
        first.step = 3;
        QVERIFY(!importProfile(folder.path().toStdString(), first));
    }

    /// Steps are numbered by time, as the timeline's iterations are, whatever the files' names.
    void stepsAreInTheOrderOfTime() {
        QTemporaryDir folder;
        for (const int i : {1, 2, 10}) {
            tiny::TimelineOptions options;
            options.base += i * 1000;
            testing::writeFile(folder.filePath(QString("step_%1.json").arg(i)), tiny::timeline(options));
        }
        const auto profile = importProfile(folder.path().toStdString());
        VERIFY_VALUE(profile);
        const std::vector<ProfileStep> &steps = (*profile)->steps;
        QCOMPARE(steps.size(), std::size_t{3});
        const double times[] = {0, 1e-3, 9e-3}; // behind the first
        for (std::size_t i = 0; i < steps.size(); ++i) {
            QCOMPARE(steps[i].name, std::string(std::array{"step_1", "step_2", "step_10"}[i]));
            COMPARE_WITHIN(steps[i].startSeconds - steps[0].startSeconds, times[i], 1e-9);
            COMPARE_WITHIN(static_cast<double>((*profile)->timeline.iterationStart[i]) * 1e-9, steps[i].startSeconds, 2e-9);
        }
    }

    /// Counts of the traces' index, and busy times computed independently from the files (unions of intervals).
    void realFiles() {
        REQUIRE_FOREIGN_TRACE("tf_timeline");
        const auto distributed = readShared("tfe_ps_2workers_timeline.json");
        VERIFY_VALUE(distributed);
        QCOMPARE((*distributed)->eventCount, std::uint64_t{38});
        QCOMPARE((*distributed)->ops.size(), std::size_t{19});
        QCOMPARE((*distributed)->resources.size(), std::size_t{3});
        std::map<OpStage, int> stages;
        for (const ProfiledOp &op : (*distributed)->ops)
            ++stages[(*distributed)->stageOf(op)];
        QCOMPARE(stages[OpStage::Downlink] + stages[OpStage::Uplink], 7);
        QCOMPARE(stages[OpStage::Uplink], 2);
        const ProfiledOp &product = named(**distributed, "MatMul_1"); // reads split_S5 and w/read_S7 of the server
        QCOMPARE((*distributed)->ops[static_cast<std::size_t>(product.inputs[1])].name, std::string("w/read"));

        const auto overlap = measureOverlap(traces + "tfe_ps_2workers_timeline.json");
        QVERIFY(overlap && overlap->size() == 3);
        const double compute[] = {48e-6, 11e-6, 7e-6}, received[] = {258e-6, 280e-6, 227e-6}; // ps:0, worker:0, worker:1
        for (std::size_t i = 0; i < 3; ++i) {
            COMPARE_WITHIN((*overlap)[i].computeSeconds, compute[i], 1e-12);
            COMPARE_WITHIN((*overlap)[i].communicationSeconds, received[i], 1e-12);
        }
        const auto gpu = readShared("kittibox_gpu_timeline.json");
        QVERIFY(gpu);
        QCOMPARE((*gpu)->eventCount, std::uint64_t{10019});
        QCOMPARE((*gpu)->ops.size(), std::size_t{4789 + 21 + 296 + 4}); // stream:all, without the streams that it duplicates
        const auto kernels = measureOverlap(traces + "kittibox_gpu_timeline.json");
        QVERIFY(kernels && kernels->size() == 1);
        COMPARE_WITHIN(kernels->front().computeSeconds, 1.848902, 1e-12);
        QCOMPARE(kernels->front().copies, std::uint64_t{21});
    }

    void realTrainingStep() {
        REQUIRE_FOREIGN_TRACE("tf_timeline");
        const auto profile = importProfile(traces + "anna_cpu_train_timeline.json");
        VERIFY_VALUE(profile);
        const ImportedProfile &p = **profile;
        QCOMPARE(p.eventCount, std::uint64_t{424});
        const char *const layers[] = {"CONV1_LAYER", "FC1_LAYER", "FC2_LAYER", "FC3_LAYER"};
        QCOMPARE(p.job.layers.size(), std::size_t{4});
        for (std::size_t i = 0; i < 4; ++i) {
            QCOMPARE(p.job.layers[i].name, std::string(layers[i]));
            QCOMPARE(p.job.layers[i].parents.size(), std::size_t{i > 0 ? 1U : 0U});
        }
        // Seven ApplyAdam ops, one per variable; their slots and the powers of beta are not variables.
        const std::pair<const char *, int> variables[] = {{"CONV1_TENSORS/Variable", 0}, {"CONV1_TENSORS/Variable_1", 0},
                                                          {"FC1_TENSORS/Variable", 1},   {"FC1_TENSORS/Variable_1", 1},
                                                          {"FC2_TENSORS/Variable", 2},   {"FC2_TENSORS/Variable_1", 2},
                                                          {"FC3_TENSORS/Variable", 3}};
        QCOMPARE(p.unsized.size(), std::size_t{7});
        for (std::size_t i = 0; i < 7; ++i) {
            QCOMPARE(p.unsized[i].name, std::string(variables[i].first));
            QCOMPARE(p.unsized[i].layer, variables[i].second);
        }
        // The whole step, from the first op's start to the last one's end.
        COMPARE_WITHIN(p.job.forwardSeconds() + p.job.backwardSeconds() + p.job.updateSeconds, 33719e-6, 1e-12);
        // The convolution's two backward ops run from 14032 to 33542 us.
        COMPARE_ABOVE(p.job.layers[0].backwardSeconds, 19510e-6);
    }

    /// The only op is on a stream that is ignored because there is a row for all streams.
    void nothingIsLeft() {
        const auto graph = readText(
            R"({"traceEvents": [{"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "/device:GPU:0/stream:all Compute"}},
            {"ph": "M", "name": "process_name", "pid": 2, "args": {"name": "/device:GPU:0/stream:14 Compute"}},
            {"ph": "X", "pid": 2, "tid": 0, "ts": 1, "dur": 2, "name": "MatMul", "args": {"name": "fc/MatMul", "op": "MatMul"}}]})");
        QVERIFY(!graph && QString::fromStdString(graph.error().what).contains("no op"));
    }

    void inferenceIsRefused() {
        tiny::TimelineOptions options;
        options.gradients = false;
        QTemporaryDir folder;
        testing::writeFile(folder.filePath("inference.json"), tiny::timeline(options));
        const auto profile = importProfile(folder.filePath("inference.json").toStdString());
        QVERIFY(!profile);
        QVERIFY2(QString::fromStdString(profile.error().what).contains("inference"), profile.error().toString().c_str());
        if (std::filesystem::exists(traces))
            QVERIFY(!importProfile(traces + "kittibox_gpu_timeline.json"));
    }

    void damagedFiles() {
        const QDir folder(SYNCOPATE_SOURCE "/tests/damaged/tensorflow");
        const QStringList files = folder.entryList(QDir::Files);
        COMPARE_AT_LEAST(files.size(), 6);
        for (const QString &file : files) {
            const auto profile = importProfile(folder.filePath(file).toStdString());
            QVERIFY2(!profile, qPrintable(file));
            QVERIFY(!profile.error().what.empty());
            QVERIFY2(QString::fromStdString(profile.error().file).endsWith(file), profile.error().toString().c_str());
        }
        // Truncated at any byte, it is an error or a profile, never a crash.
        const std::string whole = tiny::timeline();
        for (std::size_t length = 0; length < whole.size(); length += 7)
            QVERIFY(!readText(whole.substr(0, length)));
        std::stop_source stop;
        stop.request_stop();
        const auto source = ByteSource::fromMemory(whole);
        const auto stopped = readTensorFlowTimeline(*source, "tiny.json", stop.get_token());
        QVERIFY(!stopped && stopped.error().isCancelled());
    }
};

QTEST_GUILESS_MAIN(TestTensorFlow)
#include "tst_tensorflow.moc"
