// SPDX-License-Identifier: GPL-3.0-or-later
// Job files that carry a profile's steps.
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
        samples[1] = {.step = 5, .forwardSeconds = {2, 4}, .backwardSeconds = {8, 16}, .updateSeconds = 0};
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
        }
        const auto none = readStepSamplesText(writeJobText(*job), *job);
        QVERIFY(none && none->empty());
    }

    void bad_data() {
        QTest::addColumn<QString>("samples");
        for (const char *bad : {"7", "[7]", "[{}]", R"([{"forward_seconds": [1], "backward_seconds": [1, 2]}])",
                                R"([{"forward_seconds": [1, -2], "backward_seconds": [1, 2]}])",
                                R"([{"forward_seconds": [1, 2], "backward_seconds": [1, null]}])",
                                R"([{"step": -1, "forward_seconds": [1, 2], "backward_seconds": [1, 2]}])",
                                R"([{"forward_seconds": [1, 2], "backward_seconds": [1, 2], "update_seconds": "x"}])"})
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
