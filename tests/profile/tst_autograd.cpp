// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/autograd/autograd_trace.h"
#include "tests/checks.h"

#include <QtTest>

#include <QDir>
#include <QTemporaryDir>
#include <cmath>
#include <fmt/format.h>
#include <fstream>

using namespace syncopate;

namespace {

/// In the format of torch/autograd/profiler.py of PyTorch 1.7: one line, a flow for each kernel, no categories.
class Export {
public:
    void op(const std::string &name, int thread, double at, double length, double kernelAt = -1, double kernelLength = 0) {
        add(fmt::format(
            R"({{"name": "{}", "ph": "X", "ts": {:.3f}, "dur": {:.3f}, "tid": {}, "pid": "CPU functions", "args": {{}}}})", name,
            at, length, thread));
        if (kernelAt < 0)
            return;
        add(fmt::format(
            R"({{"name": "{}", "ph": "s", "ts": {:.3f}, "tid": {}, "pid": "CPU functions", "id": {}, "cat": "cpu_to_cuda", "args": {{}}}})",
            name, at, thread, m_id));
        add(fmt::format(
            R"({{"name": "{}", "ph": "f", "ts": {:.3f}, "tid": 0, "pid": "CUDA functions", "id": {}, "cat": "cpu_to_cuda", "args": {{}}}})",
            name, kernelAt, m_id));
        add(fmt::format(
            R"({{"name": "{}", "ph": "X", "ts": {:.3f}, "dur": {:.3f}, "tid": 0, "pid": "CUDA functions", "args": {{}}}})", name,
            kernelAt, kernelLength));
        ++m_id;
    }
    [[nodiscard]] std::string text() const { return "[" + m_text + "]"; }

private:
    void add(const std::string &event) { m_text += (m_text.empty() ? "" : ", ") + event; }
    std::string m_text;
    int m_id = 0;
};

/// Two steps of two linear layers and a relu. Forward 30 + 5 + 20 us and backward 40 + 10 + 70 us, without idle time; in the 8 us
/// of the optimizer's range an op of 6 us. With `kernels`, the device begins 100 us after the host, and each of these but the
/// addmm within a linear has a kernel that takes twice as long.
std::string twoSteps(bool kernels) {
    Export trace;
    for (int step = 0; step < 2; ++step) {
        const double base = 1000 + step * 1000;
        const auto op = [&](const std::string &name, int thread, double at, double length) {
            if (kernels)
                trace.op(name, thread, base + at, length, base + 100 + 2 * at, 2 * length);
            else
                trace.op(name, thread, base + at, length);
        };
        op("aten::linear", 1, 0, 30);
        trace.op("aten::addmm", 1, base + 2, 26);
        op("aten::relu", 1, 30, 5);
        op("aten::linear", 1, 35, 20);
        trace.op("aten::addmm", 1, base + 37, 16);
        op("AddmmBackward", 2, 55, 40);
        op("ReluBackward0", 2, 95, 10);
        op("AddmmBackward", 2, 105, 60);
        op("torch::autograd::AccumulateGrad", 2, 165, 10);
        op("Optimizer.step#SGD.step", 1, 175, 8);
        op("aten::add_", 1, 176, 6);
    }
    return trace.text();
}

Result<std::shared_ptr<const ImportedProfile>> import(const std::string &text) {
    const auto source = ByteSource::fromMemory(text);
    return importAutogradTrace(*source, "legacy.json");
}

} // namespace

class TestAutograd : public QObject {
    Q_OBJECT

private slots:
    void numbers() {
        const std::string text = twoSteps(false);
        const auto source = ByteSource::fromMemory(text);
        AutogradNumbers numbers;
        const auto trace = readAutogradTrace(*source, numbers);
        VERIFY_VALUE(trace);
        QCOMPARE(numbers.backwardNodes, std::uint64_t{6});
        QCOMPARE(numbers.forwardOps, std::uint64_t{6}); // relu and two addmm, in two steps
        // The first linear layer has the sequence number of the last AddmmBackward.
        std::vector<std::pair<std::string, std::int64_t>> numbered;
        for (const TraceEvent &event : trace->events) {
            if (event.sequence >= 0)
                numbered.emplace_back(trace->nameOf(event), event.sequence);
        }
        const std::vector<std::pair<std::string, std::int64_t>> expected{
            {"aten::linear", 0},  {"aten::relu", 1},    {"aten::linear", 2},  {"AddmmBackward", 2},
            {"ReluBackward0", 1}, {"AddmmBackward", 0}, {"aten::linear", 3},  {"aten::relu", 4},
            {"aten::linear", 5},  {"AddmmBackward", 5}, {"ReluBackward0", 4}, {"AddmmBackward", 3}};
        QVERIFY(numbered == expected);
    }

    void hostSteps() {
        const auto profile = import(twoSteps(false));
        VERIFY_VALUE(profile);
        const ImportedProfile &p = **profile;
        QCOMPARE(p.steps.size(), std::size_t{2});
        COMPARE_WITHIN(p.steps[0].forwardSeconds, 55e-6, 1e-10);
        COMPARE_WITHIN(p.steps[0].backwardSeconds, 120e-6, 1e-10);
        COMPARE_WITHIN(p.steps[0].updateSeconds, 6e-6, 1e-10); // the op within it: a range is not work
        COMPARE_AT_LEAST(p.job.layers.size(), 1);
        COMPARE_WITHIN(p.job.forwardSeconds(), 55e-6, 1e-10);
        COMPARE_WITHIN(p.job.backwardSeconds(), 121e-6, 1e-10); // including the microsecond before the update
        COMPARE_WITHIN(p.job.hostSeconds() - p.job.updateHostSeconds, 1e-6, 1e-10);
        QVERIFY(p.job.variables.empty());
        QVERIFY(QString::fromStdString(p.inferred.front()).contains("6 backward nodes"));
    }

    void kernels() {
        const auto profile = import(twoSteps(true));
        VERIFY_VALUE(profile);
        const ImportedProfile &p = **profile;
        COMPARE_WITHIN(p.steps[0].forwardSeconds, 110e-6, 1e-10);
        COMPARE_WITHIN(p.steps[0].backwardSeconds, 240e-6, 1e-10);
        COMPARE_WITHIN(p.steps[1].backwardSeconds, 240e-6, 1e-10);
        QCOMPARE(p.overlap.size(), std::size_t{1});
        QCOMPARE(p.overlap[0].computeKernels, std::uint64_t{18});
        COMPARE_WITHIN(p.overlap[0].computeSeconds, 2 * 2 * 183e-6, 1e-10);
    }

    /// If the device idles between its kernels, the job waits for the host.
    void launchGaps() {
        Export trace;
        for (int step = 0; step < 2; ++step) {
            const double base = 1000 + step * 1000;
            trace.op("aten::linear", 1, base, 30, base + 100, 60);
            trace.op("aten::relu", 1, base + 30, 5, base + 160, 10); // 40 us idle
            trace.op("AddmmBackward", 2, base + 55, 40, base + 210, 80);
            trace.op("torch::autograd::AccumulateGrad", 2, base + 95, 10, base + 297, 20); // 7 us idle
            trace.op("Optimizer.step#SGD.step", 1, base + 110, 8);
            trace.op("aten::add_", 1, base + 111, 6, base + 317, 12);
        }
        const auto profile = import(trace.text());
        VERIFY_VALUE(profile);
        const Job &job = (*profile)->job;
        QCOMPARE(job.layers.size(), std::size_t{1});
        COMPARE_WITHIN(job.layers[0].forwardHostSeconds, 40e-6, 1e-10);
        COMPARE_WITHIN(job.layers[0].forwardSeconds, 110e-6, 1e-10);
        COMPARE_WITHIN(job.layers[0].backwardHostSeconds, 7e-6, 1e-10);
        QVERIFY(!(*profile)->samples.empty());
        COMPARE_WITHIN((*profile)->samples[0].backwardHostSeconds[0], 7e-6, 1e-10);
    }

    /// Reading through the format detection, and refused files.
    void files() {
        QTemporaryDir folder;
        const auto write = [&](const char *name, const std::string &text) {
            const std::string path = folder.filePath(name).toStdString();
            std::ofstream(path, std::ios::binary) << text;
            return path;
        };
        QVERIFY(looksLikeAutogradTrace(twoSteps(false)));
        const auto whole = importProfile(write("whole.json", twoSteps(true)));
        VERIFY_VALUE(whole);
        const std::string text = twoSteps(false);
        for (std::size_t length = 60; length < text.size(); length += 97)
            QVERIFY(!importProfile(write("cut.json", text.substr(0, length))));
        Export inference;
        inference.op("aten::linear", 1, 0, 30);
        const auto refused = importProfile(write("inference.json", inference.text()));
        QVERIFY(!refused && QString::fromStdString(refused.error().what).contains("no backward pass"));
        std::string quoted = text;
        quoted.insert(quoted.find("aten::relu"), "a \"name\" ");
        const auto unescaped = importProfile(write("quoted.json", quoted));
        QVERIFY(!unescaped && !unescaped.error().place.empty());
        const auto overlap = measureOverlap(write("o.json", inference.text()));
        QVERIFY(overlap);
        COMPARE_WITHIN(overlap->front().computeSeconds, 30e-6, 1e-10);
    }

    void damagedFiles() {
        const QDir damaged(SYNCOPATE_SOURCE "/tests/damaged/autograd");
        const QStringList files = damaged.entryList(QDir::Files);
        COMPARE_AT_LEAST(files.size(), 4);
        for (const QString &file : files) {
            const auto profile = importProfile(damaged.filePath(file).toStdString());
            QVERIFY2(!profile && !profile.error().what.empty() && !profile.error().file.empty(), qPrintable(file));
        }
    }
};

QTEST_GUILESS_MAIN(TestAutograd)
#include "tst_autograd.moc"
