// SPDX-License-Identifier: GPL-3.0-or-later
// Job files that contain a profile's steps.
#include "engine/job/job_file.h"
#include "engine/profile/step_samples.h"

#include <QtTest>

using namespace syncopate;

namespace {
const char *const text = R"({"name": "two", "layers": [
    {"name": "a", "forward_seconds": 0.1, "backward_seconds": 0.2, "variables": [{"name": "a/w", "shape": [10]}]},
    {"name": "b", "forward_seconds": 0.3, "backward_seconds": 0.4}]%1})";
}

class TestStepSamples : public QObject {
    Q_OBJECT

private slots:
    void roundTrip() {
        const auto job = readJobText(QString(text).arg("").toStdString());
        QVERIFY(job);
        std::vector<StepSample> samples(2);
        samples[0] = {.step = 3, .forwardSeconds = {0.1, 1.0 / 3}, .backwardSeconds = {0, 1e-9}, .updateSeconds = 0.7};
        samples[1] = {.step = 5,
                      .forwardSeconds = {2, 4},
                      .backwardSeconds = {8, 16},
                      .updateSeconds = 0.5,
                      .forwardHostSeconds = {0, 1.0 / 7},
                      .backwardHostSeconds = {8, 0},
                      .updateHostSeconds = 0.25};
        const std::string written = writeJobText(*job, samples);
        const auto again = readJobText(written);
        QVERIFY(again);
        QCOMPARE(again->notes.size(), job->notes.size()); // the key is known
        QCOMPARE(writeJobText(*again), writeJobText(*job));
        const auto read = readStepSamplesText(written, *again);
        QVERIFY(read);
        QCOMPARE(read->size(), 2U);
        for (std::size_t i = 0; i < 2; ++i) {
            QCOMPARE((*read)[i].step, samples[i].step);
            QVERIFY((*read)[i].forwardSeconds == samples[i].forwardSeconds);
            QVERIFY((*read)[i].backwardSeconds == samples[i].backwardSeconds);
            QVERIFY((*read)[i].updateSeconds == samples[i].updateSeconds);
            QVERIFY((*read)[i].forwardHostSeconds == samples[i].forwardHostSeconds);
            QVERIFY((*read)[i].backwardHostSeconds == samples[i].backwardHostSeconds);
            QVERIFY((*read)[i].updateHostSeconds == samples[i].updateHostSeconds);
        }
        const auto marked = readStepSamplesText("\xef\xbb\xbf" + written, *again); // a byte order mark
        QVERIFY(marked && marked->size() == 2);
        const auto none = readStepSamplesText(writeJobText(*job), *job);
        QVERIFY(none && none->empty());
    }

    /// A step that does not state its waits for the host has the job's shares of them; stated zeros are kept.
    void waitsForTheHost() {
        auto job = *readJobText(QString(text).arg("").toStdString());
        job.layers[0].forwardHostSeconds = 0.025; // a quarter
        job.layers[1].backwardHostSeconds = 0.4;
        StepSample silent{.forwardSeconds = {0.4, 0.3}, .backwardSeconds = {0.2, 0.8}};
        const StepSample filled = withHostSeconds(silent, job);
        QVERIFY((filled.forwardHostSeconds == std::vector{0.1, 0.0}));
        QVERIFY((filled.backwardHostSeconds == std::vector{0.0, 0.8}));
        silent.forwardHostSeconds = silent.backwardHostSeconds = {0, 0};
        QVERIFY((withHostSeconds(silent, job).backwardHostSeconds == std::vector{0.0, 0.0}));
        const auto read = readStepSamplesText(writeJobText(job, {silent, sampleOf(job)}), job);
        QVERIFY2(read, read ? "" : read.error().toString().c_str());
        QVERIFY((read->front().forwardHostSeconds == std::vector{0.0, 0.0}));
        QVERIFY((read->back().forwardHostSeconds == std::vector{0.025, 0.0}));
    }

    void bad_data() {
        QTest::addColumn<QString>("samples");
        for (const char *bad : {"7", "[7]", "[{}]", R"([{"forward_seconds": [1], "backward_seconds": [1, 2]}])",
                                R"([{"forward_seconds": [1, -2], "backward_seconds": [1, 2]}])",
                                R"([{"forward_seconds": [1, 2], "backward_seconds": [1, null]}])",
                                R"([{"step": -1, "forward_seconds": [1, 2], "backward_seconds": [1, 2]}])",
                                R"([{"forward_seconds": [1, 2], "backward_seconds": [1, 2], "update_seconds": "x"}])",
                                R"([{"forward_seconds": [1, 2], "backward_seconds": [1, 2], "update_host_seconds": 0}])",
                                R"([{"forward_seconds": [1, 2], "backward_seconds": [1, 2], "forward_host_seconds": [1, 2]}])",
                                R"([{"forward_seconds": [1, 2], "backward_seconds": [1, 2], "forward_host_seconds": [1, 2],
                                     "backward_host_seconds": [1, 2.5]}])",
                                R"([{"forward_seconds": [1, 2], "backward_seconds": [1, 2], "forward_host_seconds": [1, 2],
                                     "backward_host_seconds": [1, 1], "update_host_seconds": 1}])"})
            QTest::newRow(bad) << bad;
    }
    void bad() {
        QFETCH(QString, samples);
        const auto job = readJobText(QString(text).arg("").toStdString());
        QVERIFY(job);
        const auto read = readStepSamplesText(QString(text).arg(", \"step_samples\": " + samples).toStdString(), *job, "j.json");
        QVERIFY(!read);
        QVERIFY2(read.error().toString().starts_with("j.json:step_samples"), read.error().toString().c_str());
    }
};

QTEST_APPLESS_MAIN(TestStepSamples)
#include "tst_step_samples.moc"
