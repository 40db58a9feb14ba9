// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/job/catalogue.h"
#include "engine/job/measured_times.h"
#include "tests/checks.h"
#include "tests/foreign_traces.h"

#include <QtTest>

#include <QFile>
#include <QRegularExpression>

using namespace syncopate;

namespace {

/// PipeDream's layers as a job, in the order of node numbers, with the parameters of a node as one variable. The Input node is
/// data loading.
std::optional<Job> pipeDream(const char *model) {
    QFile file(QString::fromStdString(testing::foreignTrace("layer_profiles/pipedream/")) + model + "_graph.txt");
    if (!file.open(QIODevice::ReadOnly))
        return std::nullopt;
    static const QRegularExpression node(
        "^node(\\d+) -- (.*) -- forward_compute_time=([0-9.]+), backward_compute_time=([0-9.]+), .*parameter_size=([0-9.]+)",
        QRegularExpression::MultilineOption);
    std::map<int, QRegularExpressionMatch> nodes;
    auto matches = node.globalMatch(QString::fromUtf8(file.readAll()));
    while (matches.hasNext()) {
        const auto match = matches.next();
        nodes.emplace(match.captured(1).toInt(), match);
    }
    Job job;
    job.name = model;
    job.batchSize = 64;
    for (const auto &[number, match] : nodes) {
        if (match.captured(2).startsWith("Input"))
            continue;
        Layer layer;
        layer.name = "node" + std::to_string(number);
        layer.forwardSeconds = match.captured(3).toDouble() / 1e3;
        layer.backwardSeconds = match.captured(4).toDouble() / 1e3;
        if (const auto bytes = static_cast<std::int64_t>(match.captured(5).toDouble()); bytes > 0) {
            layer.variables = {static_cast<std::int32_t>(job.variables.size())};
            job.variables.push_back({layer.name, {bytes / 4}, DataType::Float32, false, false});
        }
        job.layers.push_back(layer);
    }
    return job;
}

} // namespace

class TestMeasuredTimes : public QObject {
    Q_OBJECT
private slots:
    void pipeDreamsLayers_data() {
        QTest::addColumn<QString>("job");
        QTest::newRow("alexnet") << "alexnet";
        QTest::newRow("vgg16") << "vgg16";
        QTest::newRow("resnet50") << "resnet50";
        QTest::newRow("densenet121") << "densenet121";
    }

    void pipeDreamsLayers() {
        QFETCH(QString, job);
        REQUIRE_FOREIGN_TRACE("layer_profiles");
        const auto measured = pipeDream(QTest::currentDataTag());
        const auto modelled = catalogueJob(job.toStdString());
        const auto result = withMeasuredTimes(*modelled, *measured);
        QVERIFY2(result.has_value(), result ? "" : result.error().toString().c_str());
        QVERIFY(validateJob(*result).has_value());
        QVERIFY(result->variables == modelled->variables);
        QCOMPARE(result->batchSize, 64.0);
        // No time is lost.
        COMPARE_CLOSE(result->forwardSeconds(), measured->forwardSeconds(), 1e-9);
        COMPARE_CLOSE(result->backwardSeconds(), measured->backwardSeconds(), 1e-9);
        for (const Layer &layer : result->layers)
            COMPARE_ABOVE(layer.forwardSeconds, 0, layer.name);
    }

    void vggLayerByLayer() {
        REQUIRE_FOREIGN_TRACE("layer_profiles");
        const auto measured = pipeDream("vgg16");
        // Forward 251.9 ms, backward 438.6 ms in total; 18.0 ms of that are the Input node.
        COMPARE_WITHIN(measured->forwardSeconds(), 0.2519 - 0.0180, 1e-4);
        COMPARE_WITHIN(measured->backwardSeconds(), 0.4386, 1e-4);
        const auto result = withMeasuredTimes(*catalogueJob("vgg16"), *measured);
        // Most parameters are in fc1; the longest layer is the second convolution of 64 channels.
        const auto longest = std::max_element(result->layers.begin(), result->layers.end(),
                                              [](const Layer &a, const Layer &b) { return a.forwardSeconds < b.forwardSeconds; });
        QCOMPARE(longest->name, std::string("block1_conv2"));
    }

    void partnersByHand() {
        Job job;
        job.variables = {{"k", {2, 3}, {}, false, false}, {"g", {3}, {}, false, false}, {"f", {7}, {}, false, false}};
        job.layers = {{"conv", 1, 2, {}, {0, 1}}, {"fc", 1, 2, {0}, {2}}};
        Job measured;
        measured.batchSize = 8;
        job.notes = {"of the job"};
        measured.notes = {"CPU times"};
        measured.updateSeconds = 0.5;
        measured.updateHostSeconds = 0.25;
        measured.variables = {{"a", {6}, {}, false, false}, {"b", {7}, {}, false, false}};
        measured.layers = {{"pad", 1, 10, {}, {}}, {"conv", 2, 20, {}, {0}}, {"relu", 4, 40, {}, {}}, {"fc", 8, 80, {}, {1}}};
        const auto result = withMeasuredTimes(job, measured);
        QVERIFY(result.has_value());
        QCOMPARE(result->layers[0].forwardSeconds, 7.0);
        QCOMPARE(result->layers[0].backwardSeconds, 70.0);
        QCOMPARE(result->layers[1].forwardSeconds, 8.0);
        QCOMPARE(result->layers[1].backwardSeconds, 80.0);
        QCOMPARE(result->batchSize, 8.0);
        QCOMPARE(result->updateSeconds, 0.5);
        QCOMPARE(result->updateHostSeconds, 0.25);
        QVERIFY(result->layers[1].parents == job.layers[1].parents);
        // The job's notes on its variables, what replaces those on its times, and the notes on the new ones.
        QCOMPARE(result->notes.size(), std::size_t{3});
        QCOMPARE(result->notes.front(), std::string("of the job"));
        QCOMPARE(result->notes.back(), std::string("CPU times"));
        // Whether the batch was stated comes with it.
        QVERIFY(!result->batchStated);
        measured.batchStated = true;
        QVERIFY(withMeasuredTimes(job, measured)->batchStated);
    }

    void anotherModelIsRefused() {
        const auto result = withMeasuredTimes(*catalogueJob("vgg16"), *catalogueJob("resnet50"));
        QVERIFY(!result);
        QVERIFY(result.error().what.find("vgg16") != std::string::npos);
        QVERIFY(!withMeasuredTimes(*catalogueJob("vgg16"), Job{}));
    }
};

QTEST_GUILESS_MAIN(TestMeasuredTimes)
#include "tst_measured_times.moc"
