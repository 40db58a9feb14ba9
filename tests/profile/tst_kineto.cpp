// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/profile/tiny_trace.h"

#include "engine/parse/json_stream.h"
#include "engine/profile/torch/kineto_events.h"
#include "tests/checks.h"

#include <QtTest>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using namespace syncopate;
using tiny::replaced;
using tiny::Spelling;

namespace {

/// The expected import of tiny::trace(), in any spelling.
void checkTiny(const ImportedProfile &profile, bool shapes = true) {
    const Job &job = profile.job;
    QCOMPARE(profile.steps.size(), std::size_t{1});
    COMPARE_WITHIN(profile.steps[0].forwardSeconds, 150e-6, 1e-12);
    COMPARE_WITHIN(profile.steps[0].backwardSeconds, 180e-6, 1e-12);
    COMPARE_WITHIN(profile.steps[0].updateSeconds, 10e-6, 1e-12);
    COMPARE_WITHIN(profile.steps[0].communicationSeconds, 55e-6, 1e-12);
    COMPARE_WITHIN(profile.steps[0].exposedCommunicationSeconds, 15e-6, 1e-12);
    QCOMPARE(job.layers.size(), std::size_t{2});
    QCOMPARE(job.layers[0].name, std::string("conv2d_1"));
    QCOMPARE(job.layers[1].name, std::string("batch_norm_1"));
    COMPARE_WITHIN(job.layers[0].forwardSeconds, 100e-6, 1e-12);
    COMPARE_WITHIN(job.layers[1].forwardSeconds, 80e-6, 1e-12); // followed by 30 idle
    COMPARE_WITHIN(job.layers[1].backwardSeconds, 60e-6, 1e-12);
    COMPARE_WITHIN(job.layers[0].backwardSeconds, 125e-6, 1e-12);   // plus 5 idle, less 15 waiting for the all-reduce
    COMPARE_WITHIN(job.layers[1].forwardHostSeconds, 30e-6, 1e-12); // the device idles until the backward pass begins
    COMPARE_WITHIN(job.layers[0].backwardHostSeconds, 5e-6, 1e-12);
    COMPARE_WITHIN(job.layers[0].forwardHostSeconds + job.layers[1].backwardHostSeconds, 0, 1e-12);
    COMPARE_AT_MOST(job.updateHostSeconds, job.updateSeconds);
    QCOMPARE(job.parameterCount(), std::int64_t{8});
    QCOMPARE(job.variables.size(), std::size_t{2});
    QCOMPARE(job.layers[0].variables, std::vector<std::int32_t>{0});
    QCOMPARE(job.variables[0].elementCount(), std::int64_t{6});
    QCOMPARE(job.variables[0].name, std::string(shapes ? "conv2d_1/weight" : "bucket1"));
    QCOMPARE(job.variables[1].name, std::string(shapes ? "batch_norm_1/weight" : "bucket0"));
    QCOMPARE(job.batchSize, 32.0);
    QCOMPARE(profile.gradients.size(), std::size_t{2});
}

/// Whether damage ended in an error that names it, or left a valid job.
bool isSound(const Result<std::shared_ptr<const ImportedProfile>> &profile) {
    return profile ? validateJob((*profile)->job).has_value() : !profile.error().what.empty();
}

} // namespace

class TestKineto : public QObject {
    Q_OBJECT

private slots:
    void timesAreExact() {
        const auto parsed = [](std::string_view text) {
            Nanoseconds time = -1;
            return parseMicroseconds(text, time) ? time : Nanoseconds{-77};
        };
        QCOMPARE(parsed("1712195495505582.988"), Nanoseconds{1712195495505582988});
        QCOMPARE(parsed("9223372036854775.807"), Nanoseconds{9223372036854775807});
        QCOMPARE(parsed("4458676416431.397"), Nanoseconds{4458676416431397});
        QCOMPARE(parsed("12"), Nanoseconds{12000});
        QCOMPARE(parsed("0.5"), Nanoseconds{500});
        QCOMPARE(parsed("0.0004"), Nanoseconds{0});
        QCOMPARE(parsed("0.0006"), Nanoseconds{1});
        for (const char *tiny : {"0.00009", "-0.00009", "6e-300", "0.00049"})
            QCOMPARE(parsed(tiny), Nanoseconds{0});
        QCOMPARE(parsed("0.00051"), Nanoseconds{1});
        QCOMPARE(parsed("-1.25"), Nanoseconds{-1250});
        QCOMPARE(parsed("1.5e3"), Nanoseconds{1500000});
        QCOMPARE(parsed("15E-1"), Nanoseconds{1500});
        QCOMPARE(parsed("1.7121954955055829e15"), Nanoseconds{1712195495505582900});
        QCOMPARE(parsed("0000000000000000000000001.5"), Nanoseconds{1500});
        for (const char *wrong :
             {"", "-", ".", "NaN", "Infinity", "1e999", "1e-99999", "12x", "99999999999999999999", "1e", "1e+-3", "true"})
            QVERIFY2(parsed(wrong) == Nanoseconds{-77}, wrong);
    }

    void spellings_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("shapes");
        for (const tiny::Variant &variant : tiny::variants())
            QTest::newRow(variant.name) << QString::fromStdString(variant.text) << variant.shapes;
    }
    void spellings() {
        QFETCH(QString, text);
        QFETCH(bool, shapes);
        std::string bytes = text.toStdString();
        if (QByteArray(QTest::currentDataTag()) == "gzip")
            bytes = tiny::gzip(bytes);
        const auto profile = tiny::import(bytes);
        VERIFY_VALUE(profile);
        checkTiny(**profile, shapes);
    }

    void timelineHasTheTrueTimes() {
        const auto profile = tiny::import(tiny::trace());
        VERIFY_VALUE(profile);
        const Timeline &timeline = (*profile)->timeline;
        QCOMPARE(timeline.lanes.size(), std::size_t{2});
        const Lane &compute = timeline.lanes[0], &communication = timeline.lanes[1];
        QCOMPARE(compute.name, std::string("compute stream 7"));
        QVERIFY(compute.isCompute);
        QCOMPARE(compute.start, (std::vector<Nanoseconds>{100000, 200000, 280000, 340000, 480000}));
        QCOMPARE(compute.end, (std::vector<Nanoseconds>{200000, 250000, 340000, 460000, 490000}));
        QVERIFY(compute.category == (std::vector<Category>{Category::Forward, Category::Forward, Category::Backward,
                                                           Category::Backward, Category::Update}));
        QCOMPARE(timeline.labels[static_cast<std::size_t>(compute.label[0])],
                 std::string("void conv<float>(float const*, \"q\")"));
        QCOMPARE(communication.name, std::string("communication stream 20"));
        QCOMPARE(communication.start, (std::vector<Nanoseconds>{350000, 460000}));
        QCOMPARE(communication.end, (std::vector<Nanoseconds>{390000, 475000}));
        QCOMPARE(communication.sizeBytes, (std::vector<double>{8, 24}));
        QVERIFY(communication.category[0] == Category::AllReduce);
        QCOMPARE(timeline.iterationStart, std::vector<Nanoseconds>{100000});
    }

    void stepsWithoutMarks() {
        Spelling s;
        s.step = false;
        const auto profile = tiny::import(tiny::trace(s));
        VERIFY_VALUE(profile);
        QVERIFY((*profile)->inferred[0].find("the optimizer's only step ends the training step") != std::string::npos);
        const auto whole = tiny::import(replaced(tiny::trace(s), "Optimizer.step#SGD.step", "something else"));
        VERIFY_VALUE(whole);
        QVERIFY((*whole)->inferred[0].find("whole profile") != std::string::npos);
    }

    void chosenStep() {
        Spelling s, later;
        later.base = 2000;
        const std::string two =
            R"({"traceEvents": [)" + tiny::events(s) + "," +
            replaced(replaced(tiny::events(later), "\"correlation\": ", "\"correlation\": 10"), "\"dur\": 100,", "\"dur\": 90,") +
            "]}";
        const auto second = tiny::import(two, ImportOptions{1});
        VERIFY_VALUE(second);
        QCOMPARE((*second)->steps.size(), std::size_t{2});
        COMPARE_WITHIN((*second)->steps[1].forwardSeconds, 140e-6, 1e-12);
        COMPARE_WITHIN((*second)->steps[0].endSeconds, 490e-6, 1e-12);
        const auto third = tiny::import(two, ImportOptions{2});
        QVERIFY(!third);
        QVERIFY(third.error().remedy.find("0 to 1") != std::string::npos);
    }

    /// Each complete step over the same layers: the second one's first kernel and convolution backward are shorter.
    void stepSamples() {
        Spelling s, later;
        later.base = 2000;
        std::string second = replaced(tiny::events(later), "\"correlation\": ", "\"correlation\": 10");
        second = replaced(replaced(second, "\"dur\": 100,", "\"dur\": 90,"), "\"dur\": 120,", "\"dur\": 110,");
        second = replaced(second, "ProfilerStep#4", "ProfilerStep#5");
        const std::string two = R"({"traceEvents": [)" + tiny::events(s) + "," + second + "]}";
        const auto profile = tiny::import(two, ImportOptions{0});
        VERIFY_VALUE(profile);
        const auto &samples = (*profile)->samples;
        QCOMPARE(samples.size(), std::size_t{2});
        QCOMPARE(samples[1].step, 1);
        // 10 of the 90 us that the first forward kernel lost become idle time after it; likewise in the backward pass.
        COMPARE_WITHIN(samples[0].forwardSeconds[0], 100e-6, 1e-12);
        COMPARE_WITHIN(samples[0].backwardSeconds[0], 125e-6, 1e-12);
        COMPARE_WITHIN(samples[1].forwardSeconds[0], 100e-6, 1e-12);
        COMPARE_WITHIN(samples[1].forwardSeconds[1], 80e-6, 1e-12);
        COMPARE_WITHIN(samples[1].backwardSeconds[1], 60e-6, 1e-12);
        for (std::size_t layer = 0; layer < 2; ++layer) {
            COMPARE_WITHIN(samples[0].forwardSeconds[layer], (*profile)->job.layers[layer].forwardSeconds, 1e-12);
            COMPARE_WITHIN(samples[0].backwardSeconds[layer], (*profile)->job.layers[layer].backwardSeconds, 1e-12);
        }
        // A step with another structure is not a sample.
        const auto other = tiny::import(replaced(two, "\"ts\": 2031, \"dur\": 20, \"args\": {\"Sequence number\": 6}",
                                                 "\"ts\": 2031, \"dur\": 20, \"args\": {}"),
                                        ImportOptions{0});
        VERIFY_VALUE(other);
        QCOMPARE((*other)->samples.size(), std::size_t{1});
    }

    /// Without a device the outermost ops count as compute, and gloo's annotations (on gloo's thread) are extracted.
    void cpuOnly() {
        Spelling s;
        s.backwardThread = s.mainThread;
        const auto op = [&](const char *name, double at, double length, const char *args = "") {
            return tiny::host(s, s.op, s.mainThread, name, at, length, args);
        };
        std::string all = op("aten::linear", 10, 100, R"("Sequence number": 1, "Input Dims": [[16, 4], [3, 4], [3]])");
        for (const std::string &event :
             {op("aten::t", 11, 9, R"("Sequence number": 1)"), op("aten::addmm", 20, 80, R"("Sequence number": 2)"),
              op("aten::mse_loss", 110, 10, R"("Sequence number": 3)"),
              op("autograd::engine::evaluate_function: MseLossBackward0", 130, 20),
              op("MseLossBackward0", 131, 15, R"("Sequence number": 3, "Fwd thread id": 1)"),
              op("autograd::engine::evaluate_function: AddmmBackward0", 150, 60),
              op("AddmmBackward0", 151, 50, R"("Sequence number": 2, "Fwd thread id": 1)"), tiny::accumulate(s, 210, "[3]"),
              op("autograd::engine::evaluate_function: TBackward0", 218, 12),
              op("TBackward0", 219, 5, R"("Sequence number": 1, "Fwd thread id": 1)"), tiny::accumulate(s, 230, "[3, 4]"),
              op("c10d::allreduce_", 239, 1),
              tiny::host(s, s.annotation, "99", "gloo:all_reduce", 241, 100, R"("Input Dims": [[15]])"),
              tiny::host(s, s.annotation, s.mainThread, "Optimizer.step#SGD.step", 341, 30, ""), op("aten::add_", 342, 20),
              tiny::host(s, s.annotation, s.mainThread, "ProfilerStep#1", 0, 380, "")})
            all += ",\n" + event;
        const auto profile = tiny::import("[" + all + "]");
        VERIFY_VALUE(profile);
        const Job &job = (*profile)->job;
        QCOMPARE(job.layers.size(), std::size_t{1});
        QCOMPARE(job.layers[0].name, std::string("linear_1"));
        QCOMPARE(job.parameterCount(), std::int64_t{15});
        QCOMPARE(job.variables[0].name, std::string("linear_1/bias"));
        QCOMPARE(job.batchSize, 16.0);
        COMPARE_WITHIN(job.layers[0].forwardSeconds, 130e-6, 1e-12);  // 110 of ops, 10 idle before and 10 after
        COMPARE_WITHIN(job.layers[0].backwardSeconds, 112e-6, 1e-12); // 108 of ops, idle until the update less the all-reduce
        QCOMPARE((*profile)->gradients.size(), std::size_t{1});
        QCOMPARE((*profile)->gradients[0].elements, std::int64_t{15});
        COMPARE_WITHIN((*profile)->steps[0].exposedCommunicationSeconds, 100e-6, 1e-12);
    }

    /// 200 transfers of one thread at the same time: their lanes are bounded, as the time to search them is.
    void transfersAtOnceShareLanes() {
        Spelling s;
        s.backwardThread = s.mainThread;
        std::string all = tiny::host(s, s.op, s.mainThread, "aten::linear", 10, 100, R"("Sequence number": 1)") + ",\n" +
                          tiny::node(s, "AddmmBackward0", 150, 40, 1) + ",\n" +
                          tiny::host(s, s.annotation, s.mainThread, "ProfilerStep#1", 0, 1000, "");
        constexpr int transfers = 200;
        for (int i = 0; i < transfers; ++i)
            all += ",\n" + tiny::host(s, s.annotation, "99", "gloo:all_reduce", 200 + i, 400, R"("Input Dims": [[15]])");
        const auto profile = tiny::import("[" + all + "]");
        VERIFY_VALUE(profile);
        std::size_t lanes = 0, spans = 0;
        for (const Lane &lane : (*profile)->timeline.lanes) {
            if (lane.isCompute)
                continue;
            ++lanes;
            spans += lane.size();
            for (std::size_t i = 0; i < lane.size(); ++i) {
                COMPARE_AT_LEAST(lane.end[i], lane.start[i]);
                COMPARE_AT_LEAST(lane.start[i], i > 0 ? lane.end[i - 1] : 0);
            }
        }
        QCOMPARE(lanes, std::size_t{64});
        QCOMPARE(spans, std::size_t{transfers});
        COMPARE_WITHIN((*profile)->steps[0].communicationSeconds, (199 + 400) * 1e-6,
                       1e-12); // from the first start to the last end
    }

    /// Names are made in time linear in their number: counted from 2 each, these would take hours.
    void manyGradientsOfALayer() {
        Spelling s;
        s.backwardThread = s.mainThread;
        constexpr int gradients = 100'000;
        std::string all = tiny::host(s, s.op, s.mainThread, "aten::linear", 10, 100, R"("Sequence number": 1)") + ",\n" +
                          tiny::node(s, "AddmmBackward0", 150, 40, 1) + ",\n" +
                          tiny::host(s, s.annotation, s.mainThread, "ProfilerStep#1", 0, 1000 + 2.0 * gradients, "");
        for (int i = 0; i < gradients; ++i)
            all += ",\n" + tiny::host(s, s.op, s.mainThread, "torch::autograd::AccumulateGrad", 200 + 2.0 * i, 1,
                                      R"("Input Dims": [[2]], "Input type": ["float"])");
        const auto profile = tiny::import("[" + all + "]");
        VERIFY_VALUE(profile);
        const std::vector<Variable> &variables = (*profile)->job.variables;
        QCOMPARE(variables.size(), std::size_t{gradients});
        QCOMPARE(variables[0].name, std::string("linear_1/weight"));
        QCOMPARE(variables[1].name, std::string("linear_1/bias"));
        for (int i = 2; i < gradients; ++i)
            QCOMPARE(variables[static_cast<std::size_t>(i)].name, fmt::format("linear_1/variable{}", i));
    }

    void refusesWhatIsNotTraining() {
        const auto refused = [](const std::string &text, const char *why) {
            const auto profile = tiny::import(text);
            QVERIFY(!profile);
            QVERIFY2(profile.error().toString().find(why) != std::string::npos, profile.error().toString().c_str());
        };
        refused("", "empty");
        refused("PK\x03\x04zip", "zip archive");
        refused(std::string(257, 'a') + "ustar  ", "tar archive");
        refused("SQLite format 3", "SQLite");
        refused("hello", "not JSON");
        refused(R"({"a": 1})", "no \"traceEvents\"");
        refused(R"({"traceEvents": []})", "no events");
        refused("[[1, 2], [3]]", "not trace events");
        refused(R"([{"ph": "X", "cat": "kernel", "name": "k", "ts": 1, "dur": 2}])", "no backward pass");
        refused(R"([{"ph": "M", "name": "k"}])", "not a profile of training");
        // Incomplete training: each case has its own reason.
        const auto event = [](const char *category, const char *name) {
            return fmt::format(R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": 1, "tid": 1, "ts": 1, "dur": 2}})", category,
                               name);
        };
        const std::string op = event("cpu_op", "aten::conv2d");
        refused("[" + event("kernel", "sgemm") + "]", "no ops that launched them");
        refused("[" + event("kernel", "ncclKernel_AllReduce") + "]", "collectives only");
        refused("[" + event("cpu_op", "record_param_comms") + "]", "collectives only");
        refused("[" + op + "]", "inference, or only a part");
        refused("[" + op + "," + event("user_annotation", "Optimizer.step#SGD.step") + "]",
                "ops of the autograd thread are missing");
        refused("[" + op + "," + event("cuda_runtime", "cudaGraphLaunch") + "]", "graphs");
        refused("[" + op + "," + event("mtia_ccp_events", "gemm") + "]", "1 mtia_ccp_events");
        refused("[{\"ph\": \"X\", \"name\": \"a \" b\"}]", "byte 26");
        refused("[" + std::string(5000, '{'), "byte");
        refused("[{\"args\": " + std::string(5000, '['), "1024 deep");
    }

    void truncationsNeitherCrashNorPass() {
        const std::string text = tiny::trace(), packed = tiny::gzip(text);
        for (std::size_t length = 0; length < text.size(); ++length) {
            const auto profile = tiny::import(text.substr(0, length));
            QVERIFY2(!profile, std::to_string(length).c_str());
            QVERIFY2(!profile.error().what.empty(), std::to_string(length).c_str());
        }
        for (std::size_t length = 0; length < packed.size(); ++length) {
            const auto profile = tiny::import(packed.substr(0, length));
            QVERIFY2(!profile, std::to_string(length).c_str());
        }
        const auto cut = tiny::import(packed.substr(0, packed.size() / 2));
        QVERIFY(!cut);
        QVERIFY2(cut.error().toString().find("gzip data is cut off") != std::string::npos, cut.error().toString().c_str());
        QVERIFY2(cut.error().place.starts_with("byte "), cut.error().toString().c_str());
        QCOMPARE(cut.error().file, std::string("tiny.json"));
        // The array form may lack its end, but not within an event.
        const std::string open = std::string("[").append(tiny::events({}));
        for (std::size_t length = 0; length < open.size(); ++length)
            QVERIFY2(isSound(tiny::import(open.substr(0, length))), std::to_string(length).c_str());
    }

    void damageIsReported() {
        const std::string packed = tiny::gzip(tiny::trace());
        int accepted = 0;
        for (std::size_t at = 2; at < packed.size(); at += 3) {
            std::string damaged = packed;
            damaged[at] = static_cast<char>(damaged[at] ^ 0x15);
            const auto profile = tiny::import(damaged);
            QVERIFY2(isSound(profile), std::to_string(at).c_str());
            accepted += profile ? 1 : 0;
        }
        COMPARE_AT_MOST(accepted, 4); // a changed time, system or flag in the header is harmless
        std::string damaged = packed;
        damaged[packed.size() - 6] = static_cast<char>(damaged[packed.size() - 6] ^ 1); // the checksum
        const auto profile = tiny::import(damaged);
        QVERIFY(!profile);
        QVERIFY2(profile.error().what.find("damaged") != std::string::npos, profile.error().toString().c_str());
        const std::string text = tiny::trace();
        for (std::size_t at = 0; at < text.size(); at += 5) {
            std::string changed = text;
            changed[at] = at % 2 == 0 ? '"' : '\0';
            QVERIFY2(isSound(tiny::import(changed)), std::to_string(at).c_str());
        }
    }

    void twoGzipMembersAreOneText() {
        const std::string text = tiny::trace();
        const auto profile = tiny::import(tiny::gzip(text.substr(0, 300)) + tiny::gzip(text.substr(300)) + std::string(5, '\0'));
        VERIFY_VALUE(profile);
        checkTiny(**profile);
    }

    /// Names are valid UTF-8 whatever follows a backslash, which JSON allows before few characters.
    void escapesAreUndone() {
        const auto undone = [](const char *inside) { return unescapeJson(inside); };
        QCOMPARE(undone(R"(a\nb\u00e9\ud83d\ude00\"\/\q)"), std::string("a\nb\xc3\xa9\xf0\x9f\x98\x80\"/q"));
        QCOMPARE(undone("\\\xc3\xa9x"), std::string("\xc3\xa9x"));
        QCOMPARE(undone("\\\xc3"), std::string("?"));
        QCOMPARE(undone("\\ud83d-"), std::string("?-"));
    }

    void textIsMadeClean() {
        const std::string text = replaced(tiny::trace(), "\"norm\"", "\"n\\u00e9\\ud83d\\ude00\xff\\n\"");
        const auto profile = tiny::import(text);
        VERIFY_VALUE(profile);
        const auto &labels = (*profile)->timeline.labels;
        QVERIFY(std::find(labels.begin(), labels.end(), "n\xc3\xa9\xf0\x9f\x98\x80?\\n") != labels.end());
    }

    void cancels() {
        std::stop_source stop;
        stop.request_stop();
        const auto profile = tiny::import(tiny::trace(), {}, stop.get_token());
        QVERIFY(!profile);
        QVERIFY(profile.error().isCancelled());
    }
};

QTEST_GUILESS_MAIN(TestKineto)
#include "tst_kineto.moc"
