// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/checks.h"
#include "tests/profile/collective_traces.h"
#include "tests/profile/rank_traces.h"

#include "engine/profile/torch/kineto_raw_event.h"
#include "engine/profile/variables/variable_list.h"

#include <QtTest>

#include <algorithm>

using namespace syncopate;
using tiny::Hooks;

namespace {

std::vector<std::int64_t> sizesOf(const ImportedProfile &profile) {
    std::vector<std::int64_t> sizes;
    for (const GradientCollective &gradient : profile.gradients)
        sizes.push_back(gradient.elements);
    return sizes;
}

std::string joined(const std::vector<std::string> &sentences) {
    std::string text;
    for (const std::string &sentence : sentences)
        text += sentence + "\n";
    return text;
}

#define COMPARE_SIZES(profile, ...)                                                                                              \
    QVERIFY2(sizesOf(profile) == (std::vector<std::int64_t>{__VA_ARGS__}),                                                       \
             fmt::format("got {}, want {}; {}", fmt::join(sizesOf(profile), ", "),                                               \
                         fmt::join(std::vector<std::int64_t>{__VA_ARGS__}, ", "), joined((profile).inferred))                    \
                 .c_str())

#define SAYS(sentences, part)                                                                                                    \
    QVERIFY2(joined(sentences).find(part) != std::string::npos,                                                                  \
             fmt::format("'{}' is not in: {}", part, joined(sentences)).c_str())

} // namespace

class TestCollectiveSizes : public QObject {
    Q_OBJECT

private slots:
    /// An op that encloses a collective has dimensions of its own; only the collective's count.
    void ownSizes_data() {
        QTest::addColumn<bool>("range");
        QTest::addColumn<bool>("params");
        QTest::addColumn<QString>("op");
        QTest::addColumn<QString>("kernel");
        for (const char *kernel : {"AllReduce_Sum_f32_RING_LL", "SendRecv", "Generic", "Broadcast_RING_LL"}) {
            QTest::addRow("range, %s", kernel) << true << false << QString() << QString(kernel);
            QTest::addRow("record_param_comms, %s", kernel) << false << true << QString() << QString(kernel);
            QTest::addRow("both, %s", kernel) << true << true << QString() << QString(kernel);
            QTest::addRow("c10d, %s", kernel) << false << false << QString("[[[40], [5]], [], []]") << QString(kernel);
        }
    }
    void ownSizes() {
        QFETCH(bool, range);
        QFETCH(bool, params);
        QFETCH(QString, op);
        QFETCH(QString, kernel);
        Hooks hooks;
        hooks.first = hooks.second = 45;
        hooks.range = range;
        hooks.params = params;
        hooks.op = op.toStdString();
        hooks.kernel = kernel.toStdString();
        const auto profile = tiny::import(tiny::hookedTrace(hooks));
        VERIFY_VALUE(profile);
        COMPARE_SIZES(**profile, 45, 45);
        QCOMPARE((*profile)->job.parameterCount(), std::int64_t{8}); // from the shapes of AccumulateGrad
    }

    /// Without ops that state sizes they are unknown: AccumulateGrad's dimensions are not a collective's.
    void noSizes() {
        Hooks hooks;
        hooks.range = false;
        const auto profile = tiny::import(tiny::hookedTrace(hooks));
        VERIFY_VALUE(profile);
        COMPARE_SIZES(**profile, 0, 0);
        QVERIFY2((*profile)->sizeDoubt.empty(), (*profile)->sizeDoubt.c_str()); // unknown sizes are not a different sum
    }

    void dimensionsOfTheFirstTensor() {
        using Dims = std::vector<std::int64_t>;
        for (const auto &[text, want] : {std::pair<const char *, Dims>("[[64, 3], [], 5]", {64, 3}),
                                         {"[[], [7]]", {7}},
                                         {"[[[64, 3], [5]]]", {64, 3}},
                                         {"[[[]], []]", {}},
                                         {"[5]", {}}})
            QVERIFY2(kineto::firstDims(text) == want, text);
    }

    void sizesOfTensors() {
        const auto moved = [](const char *dims, bool separate, std::int64_t want) {
            const std::int64_t got = kineto::elementsMoved(dims, separate);
            QVERIFY2(got == want, fmt::format("{}: got {}, want {}", dims, got, want).c_str());
        };
        moved("[[45310188]]", true, 45310188);
        moved("[[4], [5, 2]]", true, 14);
        moved("[[[4], [5, 2]], [], []]", false, 14); // coalesced
        moved("[[16], [4], []]", false, 16);         // an all-gather's output, next to its input
        moved("[[4], [16], []]", false, 16);         // a reduce-scatter's input, next to its output
        moved("[[], [], []]", false, -1);
        moved("[]", true, -1);
        moved("", false, -1);
        moved("]]]][[[[", false, -1);
        moved("[[0]]", true, 0);
        moved("[[99999999999, 99999999999]]", true, 1'000'000'000'000'000);
        moved("[[99999999999999999999999]]", true, 1'000'000'000'000'000);
    }

    /// As c10d writes types, and as the autograd profiler does.
    void typesOfTensors() {
        for (const auto &[name, type] : {std::pair{"Float", DataType::Float32},
                                         {"c10::BFloat16", DataType::BFloat16},
                                         {"Short", DataType::Int16},
                                         {"short int", DataType::Int16},
                                         {"long int", DataType::Int64},
                                         {"unsigned char", DataType::Int8},
                                         {"Float8_e4m3fn", DataType::Int8},
                                         {"c10::Float8_e4m3fn", DataType::Int8}}) {
            const auto profile =
                tiny::import(tiny::replaced(tiny::trace(), R"("dtype": "Float")", fmt::format(R"("dtype": "{}")", name)));
            VERIFY_VALUE(profile);
            QVERIFY2((*profile)->gradients.front().dtype == type, name);
            const auto ofVariables = tiny::import(
                tiny::replaced(tiny::trace(), R"("Input type": ["float"])", fmt::format(R"("Input type": ["{}"])", name)));
            VERIFY_VALUE(ofVariables);
            QVERIFY2((*ofVariables)->job.variables.front().dtype == type, name);
        }
    }

    /// However large a file's sizes are, their sum is no negative number.
    void sumsStopAtTheLargestNumber() {
        const tiny::Spelling s;
        std::string events = tiny::events(s);
        for (int i = 0; i < 9300; ++i)
            events += "," + tiny::device(s, "20", "ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)", 391, 5, 6,
                                         R"(, "Collective name": "allreduce", "In msg nelems": 1000000000000000)");
        const auto profile = tiny::import("[" + events + "]");
        VERIFY_VALUE(profile);
        SAYS((*profile)->inferred, "9302 gradient collectives with 9223372036854775807 elements");
        SAYS((*profile)->inferred, "move 9223372036854775807 elements");
    }

    /// If an op has two kernels, each with the op's size, the size counts once.
    void kernelsOfOneOp() {
        Hooks hooks;
        const tiny::Spelling s;
        hooks.more = tiny::device(s, "20", "ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)", 391, 5, 6);
        const auto profile = tiny::import(tiny::hookedTrace(hooks));
        VERIFY_VALUE(profile);
        COMPARE_SIZES(**profile, 2, 6);
        SAYS((*profile)->inferred, "1 kernel continues a collective");
        SAYS((*profile)->inferred, "Sizes of the profile's 2 collectives: 2 ");
        SAYS((*profile)->inferred, "1 step is marked by a ProfilerStep annotation.");
        SAYS((*profile)->inferred, ", the only complete step.");
        SAYS((*profile)->inferred, "The only complete step has the job's layers: its durations are kept as a sample.");
        QVERIFY2((*profile)->sizeDoubt.empty(), (*profile)->sizeDoubt.c_str());
    }

    /// Without shapes, buckets stand in for variables: buckets of gradients, not the model's own gathers.
    void bucketsAreOfGradients() {
        tiny::Spelling unshaped;
        unshaped.shapes = false;
        Hooks hooks;
        for (const bool gathers : {false, true}) {
            if (gathers)
                hooks.more = tiny::launch(unshaped, "2", 66, 9) + ",\n" +
                             tiny::device(unshaped, "20", "ncclDevKernel_AllGather_RING_LL(x)", 391, 5, 9,
                                          R"(, "Collective name": "_allgather_base", "In msg nelems": 1000,
                                             "Out msg nelems": 2000, "dtype": "Float")");
            const auto profile = tiny::import(tiny::hookedTrace(hooks, unshaped));
            VERIFY_VALUE(profile);
            SAYS((*profile)->inferred, "2 gradient buckets with 8 elements");
            QCOMPARE((*profile)->job.parameterCount(), std::int64_t{8});
        }
    }

    /// A kernel whose launch was not recorded belongs to the place where the op with its external id ran.
    void launchesNotRecorded() {
        Hooks hooks;
        hooks.params = true;
        hooks.range = false;
        std::string text = tiny::hookedTrace(hooks);
        for (const auto &[correlation, id] : {std::pair{6, 900}, std::pair{7, 901}}) {
            text = tiny::replaced(text, fmt::format("\"args\": {{\"correlation\": {}}}", correlation), "\"args\": {}");
            text = tiny::replaced(text, fmt::format("\"stream\": 20, \"correlation\": {}", correlation),
                                  fmt::format("\"stream\": 20, \"correlation\": {}, \"External id\": {}", correlation, id));
        }
        const auto profile = tiny::import(text);
        VERIFY_VALUE(profile);
        COMPARE_SIZES(**profile, 2, 6);
        QCOMPARE((*profile)->gradients[0].step, 0);
    }

    /// With a world size of one, all-reduces with sizes are called, but move nothing.
    void worldOfOne() {
        Hooks hooks;
        hooks.world = 1;
        hooks.kernels = false;
        hooks.params = true;
        tiny::Spelling unshaped;
        unshaped.shapes = false;
        for (const tiny::Spelling &s : {tiny::Spelling(), unshaped}) {
            const auto profile = tiny::import(tiny::hookedTrace(hooks, s));
            VERIFY_VALUE(profile);
            const ImportedProfile &p = **profile;
            SAYS(p.inferred, "2 collectives were called");
            SAYS(p.inferred, "2 allreduce with 8 elements");
            SAYS(p.inferred, "world of 1 rank they moved nothing");
            QVERIFY(joined(p.inferred).find("No collective was recorded") == std::string::npos);
            QVERIFY(p.gradients.empty());
            QCOMPARE(p.job.parameterCount(), std::int64_t{8}); // from shapes, or from the bytes that the calls would have moved
            QVERIFY2(p.sizeDoubt.empty(), p.sizeDoubt.c_str());
        }
        hooks.world = 4; // the same with several ranks: the kernels are missing
        const auto profile = tiny::import(tiny::hookedTrace(hooks));
        VERIFY_VALUE(profile);
        SAYS((*profile)->inferred, "no kernel or transfer of them was recorded");
        QVERIFY(joined((*profile)->inferred).find("moved nothing") == std::string::npos);
        SAYS(std::vector{(*profile)->inferred.front()}, "do not add up");
    }

    /// Without any call, the number of ranks tells a single worker from a step that did not synchronise.
    void stepsWithoutCollectives() {
        Hooks hooks;
        hooks.kernels = hooks.params = hooks.range = false;
        for (const int world : {1, 4}) {
            hooks.world = world;
            std::string text = tiny::hookedTrace(hooks);
            for (const char *call : {"c10d::allreduce_", "record_param_comms"})
                text = tiny::replaced(text, call, "aten::empty");
            const auto profile = tiny::import(text);
            VERIFY_VALUE(profile);
            SAYS((*profile)->inferred, world == 1 ? "No collective was recorded: one worker"
                                                  : "No collective was recorded, although the run had 4 ranks");
        }
    }

    void sumsThatDiffer() {
        Hooks hooks;
        hooks.first = 45;
        const auto profile = tiny::import(tiny::hookedTrace(hooks));
        VERIFY_VALUE(profile);
        for (const auto &notes : {(*profile)->inferred, (*profile)->job.notes}) {
            const std::vector<std::string> first{notes.front()};
            SAYS(first, "do not add up");
            SAYS(first, "move 51 elements");
            SAYS(first, "variables have 8");
            QCOMPARE(std::count(notes.begin(), notes.end(), notes.front()), std::ptrdiff_t{1});
        }
        // Only a broadcast, besides variables that must be synchronised somehow.
        const auto none = tiny::import(tiny::replaced(tiny::trace(), "\"allreduce\"", "\"broadcast\""));
        VERIFY_VALUE(none);
        SAYS(std::vector{(*none)->inferred.front()}, "the 0 gradient collectives of the step move 0 elements");
        const auto same = tiny::import(tiny::trace());
        VERIFY_VALUE(same);
        QVERIFY2((*same)->sizeDoubt.empty(), (*same)->sizeDoubt.c_str());
    }

    /// The doubt stays first when ranks are merged, and is checked again with a list of variables.
    void sumsThatDifferLater() {
        QTemporaryDir folder;
        ranks::Rank first, second;
        second.rank = 1;
        first.elements = second.elements = 3;
        ranks::write(folder.filePath("a.json"), ranks::trace(first));
        ranks::write(folder.filePath("b.json"), ranks::trace(second));
        const auto merged = importProfile(folder.path().toStdString());
        VERIFY_VALUE(merged);
        SAYS(std::vector{(*merged)->inferred.front()}, "move 9 elements");
        SAYS(std::vector{(*merged)->job.notes.front()}, "move 9 elements");
        VariableList list;
        list.file = "list.json";
        list.format = "list";
        list.variables = {{"a", {2, 3, 1, 1}}, {"b", {2}}};
        const auto listed = withVariables(**merged, list);
        VERIFY_VALUE(listed);
        SAYS(std::vector{(*listed)->inferred.front()}, "move 9 elements");
        QCOMPARE(std::count((*listed)->inferred.begin(), (*listed)->inferred.end(), (*listed)->inferred.front()),
                 std::ptrdiff_t{1});
    }

    /// CPU time is not the step time of a device whose work is not read.
    void otherAccelerators() {
        const auto refused = [](const std::string &text, const char *why) {
            const auto profile = tiny::import(text);
            QVERIFY2(!profile, why);
            QVERIFY2(profile.error().what.find(why) != std::string::npos, profile.error().toString().c_str());
            QVERIFY(!profile.error().remedy.empty());
            const auto source = ByteSource::fromMemory(text);
            const auto overlap = measureKinetoOverlap(*source, "tiny.json");
            QVERIFY2(!overlap && overlap.error().what.find(why) != std::string::npos, why);
        };
        tiny::Spelling s;
        s.kernel = "mtia_ccp_events";
        s.runtime = "mtia_runtime";
        refused(tiny::trace(s), "7 mtia_ccp_events");
        s.kernel = "hpu_op";
        s.runtime = "cpu_instant_event";
        refused(tiny::trace(s), "7 hpu_op");
        s.kernel = "nothing_known"; // the launches show that there was a device
        s.runtime = "cuda_runtime";
        refused(tiny::trace(s), "7 kernels were launched, but no compute kernel was recorded");
        s.runtime = "mtia_runtime";
        refused(tiny::trace(s), "7 mtia_runtime");
        s.runtime = "cpu_instant_event";
        refused(tiny::replaced(tiny::trace(s), "\"traceEvents\": [",
                               R"("traceEvents": [{"ph": "s", "cat": "async_npu", "name": "async_npu", "id": 1, "ts": 1},)"),
                "1 async_npu");
    }

    /// Accelerators whose kernels have Kineto's own category are supported; their launches have other categories.
    void otherRuntimes() {
        for (const char *runtime : {"xpu_runtime", "privateuse1_runtime", "PrivateUse1_Driver"}) {
            tiny::Spelling s;
            s.runtime = runtime;
            const auto profile = tiny::import(tiny::trace(s));
            VERIFY_VALUE(profile);
            COMPARE_SIZES(**profile, 2, 6);
        }
    }
};

QTEST_GUILESS_MAIN(TestCollectiveSizes)
#include "tst_collective_sizes.moc"
