// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/job/catalogue.h"
#include "engine/job/job_file.h"

#include <QtTest>

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace syncopate;

class TestCatalogue : public QObject {
    Q_OBJECT
private slots:
    void everyJobIsValid();
    void parameterCounts_data();
    void parameterCounts();
    void variablesEqualTheGoldenOnes_data();
    void variablesEqualTheGoldenOnes();
    void timesFollowTheFormula();
    void unknownName();
};

void TestCatalogue::everyJobIsValid() {
    for (const CatalogueJob &entry : catalogueJobs()) {
        const auto job = catalogueJob(entry.name);
        QVERIFY2(job.has_value(), entry.name.c_str());
        QVERIFY(validateJob(*job).has_value());
        QVERIFY(!job->notes.empty());
        QCOMPARE(job->name, entry.name);
        const auto read = readJobText(writeJobText(*job));
        QVERIFY2(read.has_value(), read ? "" : read.error().toString().c_str());
        QVERIFY(read->layers == job->layers);
        QVERIFY(read->variables == job->variables);
    }
}

void TestCatalogue::parameterCounts_data() {
    QTest::addColumn<double>("published");
    QTest::addColumn<int>("variables");
    QTest::newRow("resnet50") << 25.6e6 << 214;
    QTest::newRow("vgg16") << 138.36e6 << 32;
    QTest::newRow("bert_base") << 110e6 << 206;
    QTest::newRow("bert_large") << 337e6 << 398;
}

void TestCatalogue::parameterCounts() {
    QFETCH(double, published);
    QFETCH(int, variables);
    const auto job = catalogueJob(QTest::currentDataTag());
    QVERIFY(job.has_value());
    QVERIFY2(std::abs(static_cast<double>(job->parameterCount()) / published - 1) < 0.01,
             std::to_string(job->parameterCount()).c_str());
    QCOMPARE(static_cast<int>(job->variables.size()), variables);
}

void TestCatalogue::variablesEqualTheGoldenOnes_data() {
    QTest::addColumn<int>("unused");
    for (const char *name : {"resnet50", "vgg16", "bert_base"})
        QTest::newRow(name) << 0;
}

void TestCatalogue::variablesEqualTheGoldenOnes() {
    QFile file(QStringLiteral(SYNCOPATE_SHARED "/golden/autodist/models.json"));
    if (!file.open(QIODevice::ReadOnly))
        QSKIP("golden/autodist/models.json is not in the shared folder");
    const QJsonArray golden = QJsonDocument::fromJson(file.readAll()).object()[QTest::currentDataTag()].toArray();
    QVERIFY(!golden.isEmpty());
    const auto job = catalogueJob(QTest::currentDataTag());
    QVERIFY(job.has_value());
    QCOMPARE(static_cast<qsizetype>(job->variables.size()), golden.size());
    for (qsizetype v = 0; v < golden.size(); ++v) {
        const Variable &variable = job->variables[static_cast<std::size_t>(v)];
        const QJsonObject expected = golden[v].toObject();
        QCOMPARE(QString::fromStdString(variable.name), expected["name"].toString());
        std::vector<std::int64_t> shape;
        for (const auto &dimension : expected["shape"].toArray())
            shape.push_back(dimension.toInteger());
        QVERIFY2(variable.shape == shape, variable.name.c_str());
        QCOMPARE(variable.sparse, expected["sparse"].toBool());
        QCOMPARE(QString::fromUtf8(nameOf(variable.dtype).data()), expected["dtype"].toString());
    }
}

void TestCatalogue::timesFollowTheFormula() {
    // Throughputs on one T4 that AutoDist's documentation publishes; forward and backward only, so within 2 %.
    const auto vgg = catalogueJob("vgg16");
    QVERIFY(std::abs(vgg->batchSize / (vgg->forwardSeconds() + vgg->backwardSeconds()) / 75.0 - 1) < 0.02);
    const auto bert = catalogueJob("bert_large");
    QCOMPARE(bert->batchSize, 8.0);
    QVERIFY(std::abs(bert->batchSize / (bert->forwardSeconds() + bert->backwardSeconds()) / 11.08 - 1) < 0.02);
    // ResNet-50: 3.86 billion multiply-adds an image (He et al. 2016: 3.8).
    const auto resnet = catalogueJob("resnet50");
    QVERIFY(std::abs(resnet->forwardSeconds() / (32 * 2 * 3.86e9 / 2.8e12) - 1) < 0.02);
    for (const Layer &layer : resnet->layers)
        QCOMPARE(layer.backwardSeconds, 2 * layer.forwardSeconds);
    // The first convolution: 2 * 7*7*3*64 * 112*112 operations an image.
    QCOMPARE(resnet->layers[0].forwardSeconds, 32 * 2.0 * 7 * 7 * 3 * 64 * 112 * 112 / 2.8e12);
    // The projection and the first 1x1 convolution of a stage read the same output.
    QVERIFY(resnet->layers[1].parents == resnet->layers[2].parents);
}

void TestCatalogue::unknownName() {
    const auto job = catalogueJob("resnet51");
    QVERIFY(!job);
    for (const CatalogueJob &entry : catalogueJobs())
        QVERIFY(job.error().remedy.find(entry.name) != std::string::npos);
}

QTEST_GUILESS_MAIN(TestCatalogue)
#include "tst_catalogue.moc"
