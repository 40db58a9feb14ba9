// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/profile/tiny_trace.h"

#include "engine/job/catalogue.h"
#include "engine/job/job_file.h"
#include "tests/checks.h"
#include "tests/foreign_traces.h"

#include <QtTest>

#include <QDir>
#include <QTemporaryDir>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

using namespace syncopate;

namespace {

const std::string traces = testing::foreignTrace("");

/// Busy milliseconds of the spans selected by `wanted`, overlaps counted once.
template <class Wanted> double busyMilliseconds(const Timeline &timeline, Wanted &&wanted) {
    std::vector<std::pair<Nanoseconds, Nanoseconds>> spans;
    for (const Lane &lane : timeline.lanes) {
        for (std::size_t i = 0; i < lane.size(); ++i) {
            if (wanted(lane, i))
                spans.emplace_back(lane.start[i], lane.end[i]);
        }
    }
    std::sort(spans.begin(), spans.end());
    Nanoseconds busy = 0, reached = 0;
    for (const auto &[from, to] : spans) {
        busy += std::max<Nanoseconds>(0, to - std::max(from, reached));
        reached = std::max(reached, to);
    }
    return static_cast<double>(busy) * 1e-6;
}

/// Files that are not training profiles, each with its own reason.
const std::vector<std::pair<const char *, const char *>> refusedFiles{
    {"kineto/tracelens_bert_small_h100_1gpu.json.gz", "inference, or only a part"},
    {"kineto/tracelens_qwen05b_mi300_1gpu.json.gz", "inference, or only a part"},
    {"kineto/hta_alexnet_a100_1gpu.json.gz", "inference, or only a part"},
    {"kineto/tracelens_vllm_cudagraph_decode.json.gz", "1 graph launches ran 425 kernels"},
    {"kineto_odd/rank_not_found.json.gz", "ops of the autograd thread are missing"},
    {"kineto_odd/large_integer_rank-70.json.gz", "collectives only"},
    {"kineto_odd/gloo_cpu_only_rank-34_of_300.json.gz", "inference, or only a part"},
    {"kineto_odd/overlaid_critical_path_trace.json.gz", "inference, or only a part"},
    {"kineto_odd/event_sync_multi_stream.json.gz", "inference, or only a part"},
    {"kineto_odd/mtia_inference_rank_0.json.gz", "1313 mtia_ccp_events"},
    {"kineto_odd/memory_timeline.raw.gz", "memory timeline"},
    {"kineto_odd/old_lowercase_external_id_rank_1.json.gz", "no ops that launched them"},
};

} // namespace

class TestProfileFiles : public QObject {
    Q_OBJECT

private slots:
    /// Numbers of the traces' index: unions of intervals, computed independently.
    void referenceNumbers_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<double>("compute");
        QTest::addColumn<double>("communication");
        QTest::addColumn<double>("hidden");
        QTest::addColumn<int>("steps");
        QTest::newRow("A100 DDP") << "kineto/hta_resnet50_ddp_a100_ws2_rank0.json.gz" << 115.656 << 46.876 << 7.317 << 3;
        QTest::newRow("V100 DLRM") << "kineto/hta_dlrm_v100_ws2_rank1.json.gz" << 548.148 << 251.341 << 178.043 << 6;
        QTest::newRow("V100 2021") << "kineto/kineto_resnet50_v100_2021_old_format_a.json.gz" << 591.532 << 0.0 << 0.0 << 6;
        QTest::newRow("linear") << "kineto/param_linear_1gpu.json.gz" << 369.343 << 0.0 << 0.0 << 40;
        QTest::newRow("MI250") << "kineto/hta_toy_mi250_rocm62.json.gz" << 0.111 << 0.0 << 0.0 << 2;
        QTest::newRow("MI300") << "kineto/tracelens_resnet18_train_mi300_1gpu.json.gz" << 358.909 << 0.0 << 0.0 << 5;
    }
    void referenceNumbers() {
        REQUIRE_FOREIGN_TRACE("kineto");
        QFETCH(QString, file);
        QFETCH(double, compute);
        QFETCH(double, communication);
        QFETCH(double, hidden);
        QFETCH(int, steps);
        Progress progress;
        const auto profile = importProfile(traces + file.toStdString(), {}, {}, &progress);
        VERIFY_VALUE(profile);
        QCOMPARE(progress.done.load(), progress.total.load());
        const Timeline &timeline = (*profile)->timeline;
        const auto computes = [](const Lane &lane, std::size_t) { return lane.isCompute; };
        const auto communicates = [](const Lane &lane, std::size_t i) { return isCommunication(lane.category[i]); };
        const double busyCompute = busyMilliseconds(timeline, computes), busyComm = busyMilliseconds(timeline, communicates);
        const double either =
            busyMilliseconds(timeline, [&](const Lane &l, std::size_t i) { return computes(l, i) || communicates(l, i); });
        COMPARE_WITHIN(busyCompute, compute, 0.0006);
        COMPARE_WITHIN(busyComm, communication, 0.0006);
        COMPARE_WITHIN(busyCompute + busyComm - either, hidden, 0.0006);
        QCOMPARE((*profile)->steps.size(), static_cast<std::size_t>(steps));
        for (const Lane &lane : timeline.lanes) {
            for (std::size_t i = 1; i < lane.size(); ++i) {
                COMPARE_AT_LEAST(lane.start[i], lane.end[i - 1]);
                COMPARE_AT_LEAST(lane.end[i], lane.start[i]);
            }
        }
    }

    void ddpStepAddsUp() {
        REQUIRE_FOREIGN_TRACE("kineto");
        const auto profile = importProfile(traces + "kineto/hta_resnet50_ddp_a100_ws2_rank0.json.gz");
        VERIFY_VALUE(profile);
        const ImportedProfile &p = **profile;
        QCOMPARE(p.gradients.size(), std::size_t{15});
        for (int step = 0; step < 3; ++step) {
            std::int64_t elements = 0;
            for (const GradientCollective &gradient : p.gradients)
                elements += gradient.step == step ? gradient.elements : 0;
            QCOMPARE(elements, std::int64_t{25557032});
        }
        QCOMPARE(p.job.variables.size(), std::size_t{5});
        QCOMPARE(p.job.parameterCount(), std::int64_t{25557032});
        QCOMPARE(p.job.layers.size(), std::size_t{108});
        QCOMPARE(p.job.layers.back().variables.size(), std::size_t{0});
        QCOMPARE(p.job.variables.front().name, std::string("bucket4")); // the last one sent belongs to the first layer
        // Layers and update fill the step, except for waits for communication alone.
        const double step = p.steps[1].startSeconds - p.steps[0].startSeconds;
        const double sum = p.job.forwardSeconds() + p.job.backwardSeconds() + p.job.updateSeconds;
        COMPARE_WITHIN(step, p.steps[0].exposedCommunicationSeconds + sum, 1e-4);
    }

    /// The sample of the job's own step equals the job's times; all samples differ, over one set of layers.
    void stepsAreSamples() {
        REQUIRE_FOREIGN_TRACE("kineto");
        const auto profile = importProfile(traces + "kineto/param_linear_1gpu.json.gz");
        VERIFY_VALUE(profile);
        const ImportedProfile &p = **profile;
        QCOMPARE(p.samples.size(), std::size_t{40});
        int own = 0;
        std::set<double> sums;
        for (const StepSample &sample : p.samples) {
            QCOMPARE(sample.forwardSeconds.size(), p.job.layers.size());
            QCOMPARE(sample.backwardSeconds.size(), p.job.layers.size());
            double sum = sample.updateSeconds;
            for (std::size_t i = 0; i < p.job.layers.size(); ++i) {
                sum += sample.forwardSeconds[i] + sample.backwardSeconds[i];
                if (sample.step != p.jobStep)
                    continue;
                COMPARE_WITHIN(sample.forwardSeconds[i], p.job.layers[i].forwardSeconds, 1e-12, p.job.layers[i].name);
                COMPARE_WITHIN(sample.backwardSeconds[i], p.job.layers[i].backwardSeconds, 1e-12, p.job.layers[i].name);
                ++own;
            }
            if (sample.step == p.jobStep)
                COMPARE_WITHIN(sample.updateSeconds, p.job.updateSeconds, 1e-12);
            sums.insert(sum);
            // Without communication: the layers and the update fill the step up to the next one's first work.
            if (sample.step + 1 < static_cast<std::int32_t>(p.steps.size())) {
                const auto at = static_cast<std::size_t>(sample.step);
                COMPARE_WITHIN(sum, p.steps[at + 1].startSeconds - p.steps[at].startSeconds, 1e-9);
            }
        }
        QCOMPARE(own, static_cast<int>(p.job.layers.size()));
        QCOMPARE(sums.size(), p.samples.size());
    }

    void shapesGiveVariables() {
        REQUIRE_FOREIGN_TRACE("kineto");
        const auto profile = importProfile(traces + "kineto/kineto_resnet50_v100_2021_old_format_a.json.gz");
        VERIFY_VALUE(profile);
        QCOMPARE((*profile)->job.variables.size(), std::size_t{161});
        QCOMPARE((*profile)->job.parameterCount(), std::int64_t{25557032});
        QCOMPARE((*profile)->job.batchSize, 32.0);
        QVERIFY((*profile)->job.variables[0].shape == (std::vector<std::int64_t>{64, 3, 7, 7}));
    }

    void sizesFromAnnotations() {
        REQUIRE_FOREIGN_TRACE("kineto");
        const auto profile = importProfile(traces + "kineto/hta_dlrm_v100_ws2_rank1.json.gz");
        VERIFY_VALUE(profile);
        std::int64_t elements = 0;
        for (const GradientCollective &gradient : (*profile)->gradients)
            elements += gradient.step == 4 ? gradient.elements : 0;
        QCOMPARE(elements, std::int64_t{45310188 + 267040 + 4432073});
    }

    void refusals_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("reason");
        for (const auto &[file, reason] : refusedFiles)
            QTest::newRow(file) << QString(file) << QString(reason);
    }
    void refusals() {
        REQUIRE_FOREIGN_TRACE("kineto");
        QFETCH(QString, file);
        QFETCH(QString, reason);
        const std::string path = traces + file.toStdString();
        const auto profile = importProfile(path);
        QVERIFY(!profile);
        QVERIFY2(QString::fromStdString(profile.error().what).contains(reason), profile.error().toString().c_str());
        QVERIFY(!profile.error().remedy.empty());
        QCOMPARE(profile.error().file, path);
    }

    void everyOddFileIsListed() {
        REQUIRE_FOREIGN_TRACE("kineto");
        for (const auto &entry : std::filesystem::directory_iterator(traces + "kineto_odd")) {
            const std::string name = "kineto_odd/" + entry.path().filename().string();
            QVERIFY2(std::any_of(refusedFiles.begin(), refusedFiles.end(), [&](const auto &row) { return row.first == name; }),
                     name.c_str());
        }
    }

    void ownSample() {
        const auto profile = importProfile(SYNCOPATE_SOURCE "/sample_data/resnet50_cpu_gloo_rank0.json.gz");
        VERIFY_VALUE(profile);
        const ImportedProfile &p = **profile;
        QCOMPARE(p.steps.size(), std::size_t{3});
        QCOMPARE(p.job.variables.size(), std::size_t{161});
        QCOMPARE(p.job.parameterCount(), std::int64_t{25557032});
        QCOMPARE(p.job.batchSize, 8.0);
        QCOMPARE(p.gradients.size(), std::size_t{15});
        std::int64_t elements = 0;
        for (const GradientCollective &gradient : p.gradients)
            elements += gradient.step == 0 ? gradient.elements : 0;
        QCOMPARE(elements, std::int64_t{25557032});
        COMPARE_ABOVE(p.job.backwardSeconds(), p.job.forwardSeconds());
    }

    void damagedFiles() {
        int files = 0;
        for (const auto &entry : std::filesystem::directory_iterator(SYNCOPATE_SOURCE "/tests/damaged/kineto")) {
            const auto profile = importProfile(entry.path().string());
            QVERIFY2(!profile, entry.path().c_str());
            QVERIFY2(!profile.error().what.empty() && profile.error().file == entry.path().string(), entry.path().c_str());
            ++files;
        }
        COMPARE_AT_LEAST(files, 5);
        QVERIFY(!importProfile("/nonexistent/trace.json"));
        QVERIFY(!importProfile("/tmp"));
    }

    void loadsWhateverIsNamed() {
        QTemporaryDir folder;
        const std::string trace = folder.filePath("t.txt").toStdString(), job = folder.filePath("j.gz").toStdString();
        const std::string spaced = folder.filePath("s.json").toStdString();
        std::ofstream(trace) << tiny::trace();
        std::ofstream(spaced) << "\n\n[" << tiny::events({}) << "]";
        std::ofstream(job)
            << R"({"name": "schemaVersion", "layers": [{"name": "a", "forward_seconds": 1, "backward_seconds": 2}]})";
        for (const std::string &path : {trace, spaced}) {
            const auto profile = loadJob(path);
            VERIFY_VALUE(profile);
            QVERIFY(profile->profile);
            QCOMPARE(profile->job->layers.size(), std::size_t{2});
        }
        const auto file = loadJob(job);
        VERIFY_VALUE(file);
        QVERIFY(!file->profile);
        QCOMPARE(file->job->layers[0].name, std::string("a"));
        const auto named = loadJob("resnet50");
        VERIFY_VALUE(named);
        QVERIFY(!named->profile);
        const auto unknown = loadJob("resnet51");
        QVERIFY(!unknown);
        for (const CatalogueJob &known : catalogueJobs())
            QVERIFY2(unknown.error().toString().find(known.name) != std::string::npos, known.name.c_str());
        const auto missing = loadJob("no/such/file.json");
        QVERIFY(!missing);
        QVERIFY2(missing.error().what.find("no such file") != std::string::npos, missing.error().toString().c_str());
    }
};

QTEST_GUILESS_MAIN(TestProfileFiles)
#include "tst_profile_files.moc"
