// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/job/catalogue.h"
#include "engine/job/job_file.h"
#include "tests/checks.h"

#include <QtTest>

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>

using namespace syncopate;

class TestCatalogue : public QObject {
    Q_OBJECT
private slots:
    void everyJobIsValid();
    void parameterCounts_data();
    void parameterCounts();
    void autoSyncTable1();
    void multiplyAdds_data();
    void multiplyAdds();
    void sparseVariables();
    void inceptionsFlow();
    void descriptionsAreWhole();
    void otherBatchAndDevice();
    void refuses();
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
    // Trainable parameters as printed by Keras (keras.io/api/applications, model.summary()).
    QTest::newRow("resnet50") << 25583592.0 << 214;
    QTest::newRow("resnet101") << 44601832.0 << 418;
    QTest::newRow("resnet152") << 60268520.0 << 622;
    QTest::newRow("inception_v3") << 23817352.0 << 190;
    QTest::newRow("densenet121") << 7978856.0 << 364;
    QTest::newRow("vgg16") << 138357544.0 << 32;
    // Trainable parameters as printed by torchvision (docs of alexnet and vgg11, num_params).
    QTest::newRow("alexnet") << 61100840.0 << 16;
    QTest::newRow("vgg11") << 132863336.0 << 22;
    // timm's inception_v4, 42.68 million.
    QTest::newRow("inception_v4") << 42679816.0 << 300;
    // Szegedy et al. 2015, Table 1: 6797.7 K, where K is 1024 (its last row: 1024 x 1000 weights are 1000 K).
    QTest::newRow("googlenet") << 6797.7 * 1024 << 116;
    // Devlin et al. 2019: 110M. The 340M of its BERT-large is 336M in Hugging Face's model card, to the last digit given.
    QTest::newRow("bert_base") << 110e6 << 206;
    QTest::newRow("bert_base_sparse") << 110e6 << 206;
    QTest::newRow("bert_large") << 336e6 << 398;
    // Turc et al. 2019, Table 1 (BERT miniatures): 6 layers of 512 have 35.4M; 2 and 4 layers of 256 have 9.7M and 11.3M, and
    // the count is linear in the layers.
    QTest::newRow("bert_6l") << 35.4e6 << 110;
    QTest::newRow("bert_3l") << (9.7e6 + 11.3e6) / 2 << 62;
    // Jozefowicz et al. 2016, Table 1: LSTM-2048-512 has 0.83 billion.
    QTest::newRow("lm1b") << 0.83e9 << 6;
    // AutoSync, supplement, Table 1.
    QTest::newRow("ncf_dense") << 122e6 << 10;
    QTest::newRow("ncf_sparse") << 122e6 << 10;
    // No count is published: 138493 users and 26744 items (MovieLens-20M) of 64 + 128 factors are 31,725,504 on their own.
    QTest::newRow("ncf_ml20m") << 31725504.0 << 10;
    // 6 + 6 layers: 33708 * 512 shared, 12 * (4 * 512^2 + 2 * 512 * 2048) and 6 * 4 * 512^2 in projections (Vaswani et al.
    // 2017, section 3); biases and norms are below 0.2 %.
    QTest::newRow("transformer") << 33708.0 * 512 + 12 * (4 * 512 * 512 + 2 * 512 * 2048) + 6 * 4 * 512 * 512 << 185;
}

void TestCatalogue::parameterCounts() {
    QFETCH(double, published);
    QFETCH(int, variables);
    const auto job = catalogueJob(QTest::currentDataTag());
    QVERIFY(job.has_value());
    COMPARE_CLOSE(static_cast<double>(job->parameterCount()), published, 0.01);
    QCOMPARE(static_cast<int>(job->variables.size()), variables);
}

/// AutoSync's Table 1 gives whole millions, some rounded up, some down.
void TestCatalogue::autoSyncTable1() {
    const std::vector<std::pair<const char *, double>> table{
        {"resnet101", 45},  {"inception_v3", 24}, {"vgg16", 138},  {"densenet121", 8}, {"transformer", 62},
        {"ncf_dense", 122}, {"ncf_sparse", 122},  {"bert_3l", 11}, {"bert_6l", 36},    {"bert_base", 110}};
    for (const auto &[name, millions] : table) {
        const auto job = catalogueJob(name);
        COMPARE_WITHIN(static_cast<double>(job->parameterCount()) / 1e6, millions, 1, name);
    }
    // 23M is ResNet-50 without its classifier; BERT-large's 340M is the authors' rounded figure.
    const auto resnet = catalogueJob("resnet50");
    COMPARE_WITHIN(static_cast<double>(resnet->parameterCount() - 2048 * 1000 - 1000) / 1e6, 23, 1);
    COMPARE_CLOSE(static_cast<double>(catalogueJob("bert_large")->parameterCount()), 340e6, 0.012);
    for (const char *name : {"resnet50", "resnet101", "inception_v3", "vgg16", "densenet121", "bert_3l", "bert_6l", "bert_base"})
        QCOMPARE(catalogueJob(name)->batchSize, 32.0);
    QCOMPARE(catalogueJob("transformer")->batchSize, 5000.0);
    QCOMPARE(catalogueJob("ncf_dense")->batchSize, 256.0);
}

void TestCatalogue::multiplyAdds_data() {
    QTest::addColumn<double>("published"); // billions of multiply-adds per image
    // He et al. 2016, Table 1.
    QTest::newRow("resnet50") << 3.8;
    QTest::newRow("resnet101") << 7.6;
    QTest::newRow("resnet152") << 11.3;
    // torchvision's documentation (GFLOPS, which are multiply-adds there): all five.
    QTest::newRow("alexnet") << 0.71;
    QTest::newRow("vgg11") << 7.61;
    QTest::newRow("vgg16") << 15.47;
    QTest::newRow("inception_v3") << 5.71;
    QTest::newRow("densenet121") << 2.83;
    QTest::newRow("inception_v4") << 12.28; // timm, at 299 x 299
    // Caffe's bvlc_googlenet. Szegedy et al. 2015 have 1.5 billion, with 3x3 pools that round down.
    QTest::newRow("googlenet") << 1.58;
}

void TestCatalogue::multiplyAdds() {
    QFETCH(double, published);
    const auto &all = catalogueJobs();
    const auto entry = std::find_if(all.begin(), all.end(), [](const auto &e) { return e.name == QTest::currentDataTag(); });
    const auto job = catalogueJob(entry->name);
    const double counted = job->forwardSeconds() * entry->sustainedFlopsPerSecond / job->batchSize / 2e9;
    COMPARE_CLOSE(counted, published, 0.016);
}

void TestCatalogue::variablesEqualTheGoldenOnes_data() {
    QTest::addColumn<int>("unused");
    for (const char *name : {"resnet50", "vgg16", "bert_base", "bert_base_sparse", "ncf_ml20m", "lm1b"})
        QTest::newRow(name) << 0;
}

void TestCatalogue::variablesEqualTheGoldenOnes() {
    QFile file(QStringLiteral(SYNCOPATE_SOURCE "/tests/data/golden/autodist/models.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
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
    // Throughputs on one T4 published in AutoDist's documentation, from which the sustained rates follow, with two or three
    // digits.
    const std::vector<std::pair<const char *, double>> throughputs{
        {"vgg16", 75.0}, {"bert_large", 11.08}, {"resnet101", 61.9}, {"densenet121", 97.3}, {"inception_v3", 136.0}};
    for (const auto &[name, samplesPerSecond] : throughputs) {
        const auto job = catalogueJob(name);
        COMPARE_CLOSE(job->batchSize / (job->forwardSeconds() + job->backwardSeconds()), samplesPerSecond, 0.02, name);
    }
    QCOMPARE(catalogueJob("bert_large")->batchSize, 8.0);
    // ResNet-50: 3.86 billion multiply-adds per image (He et al. 2016: 3.8).
    const auto resnet = catalogueJob("resnet50");
    COMPARE_CLOSE(resnet->forwardSeconds(), (32 * 2 * 3.86e9 / 2.8e12), 0.02);
    for (const Layer &layer : resnet->layers)
        QCOMPARE(layer.backwardSeconds, 2 * layer.forwardSeconds);
    // The first convolution: 2 * 7*7*3*64 * 112*112 operations per image.
    QCOMPARE(resnet->layers[0].forwardSeconds, 32 * 2.0 * 7 * 7 * 3 * 64 * 112 * 112 / 2.8e12);
    // The projection and the first 1x1 convolution of a stage read the same output.
    QVERIFY(resnet->layers[1].parents == resnet->layers[2].parents);
}

void TestCatalogue::sparseVariables() {
    const auto sparse = [](const char *name) {
        std::vector<std::string> names;
        const auto job = catalogueJob(name);
        for (const Variable &variable : job->variables)
            if (variable.sparse)
                names.push_back(variable.name);
        return names;
    };
    QVERIFY((sparse("ncf_sparse") == std::vector<std::string>{"embedding_user/embeddings:0", "embedding_item/embeddings:0"}));
    QVERIFY(sparse("ncf_dense").empty());
    QCOMPARE(sparse("lm1b").size(), std::size_t{3});
    QCOMPARE(sparse("bert_base_sparse").size(), std::size_t{1});
    // MLPerf's enlarged MovieLens-20M: 16 x 138,493 users and 32 x 26,744 movies.
    QVERIFY((catalogueJob("ncf_dense")->variables[0].shape == std::vector<std::int64_t>{2215888, 40}));
    QVERIFY((catalogueJob("ncf_dense")->variables[1].shape == std::vector<std::int64_t>{855808, 40}));
}

/// Widths printed in the papers: what reads a module or a dense block reads the concatenation of its columns or layers.
void TestCatalogue::inceptionsFlow() {
    const auto v3 = catalogueJob("inception_v3");
    QVERIFY((v3->variables.back().shape == std::vector<std::int64_t>{1000}));
    QVERIFY((v3->variables[v3->variables.size() - 2].shape == std::vector<std::int64_t>{2048, 1000}));
    QVERIFY((v3->variables.front().shape == std::vector<std::int64_t>{3, 3, 3, 32}));
    QCOMPARE(v3->variables.front().name, std::string("conv2d/kernel:0"));
    QCOMPARE(v3->variables[3].name, std::string("batch_normalization_1/beta:0"));
    // The classifier reads the six columns of the last module.
    QCOMPARE(v3->layers.back().parents.size(), std::size_t{6});
    const auto v4 = catalogueJob("inception_v4");
    QVERIFY((v4->variables[v4->variables.size() - 2].shape == std::vector<std::int64_t>{1536, 1001}));
    QCOMPARE(v4->variables[6].name, std::string("v/cg/incept_v4_sa0/conv3/conv2d/kernel:0"));
    const auto google = catalogueJob("googlenet");
    QVERIFY((google->variables[google->variables.size() - 2].shape == std::vector<std::int64_t>{1024, 1001}));
    QCOMPARE(google->variables.back().name, std::string("v/cg/affine0/biases:0"));
    // The last normalisation reads the whole dense block: its input and its 16 convolutions.
    const auto dense = catalogueJob("densenet121");
    QVERIFY((dense->variables[dense->variables.size() - 2].shape == std::vector<std::int64_t>{1024, 1000}));
    QCOMPARE(dense->layers[dense->layers.size() - 2].parents.size(), std::size_t{17});
}

/// A description ends with the definition, which has all widths of the layers (He et al. 2017 and MLPerf), and the rate.
void TestCatalogue::descriptionsAreWhole() {
    for (const auto &[name, end] :
         {std::pair("ncf_dense", "with 8 factors and layers 64, 32, 16, 8, times from FLOPs at 2.67 TFLOP/s"),
          {"ncf_sparse", "with 8 factors and layers 64, 32, 16, 8, times from FLOPs at 2.67 TFLOP/s"},
          {"ncf_ml20m", "with MLPerf's 64 factors and layers 256, 256, 128, 64, times from FLOPs at 2.67 TFLOP/s"},
          {"vgg16", "; variables of Keras' definition, times from FLOPs at 6.95 TFLOP/s"}}) {
        const auto entry = std::ranges::find(catalogueJobs(), name, &CatalogueJob::name);
        QVERIFY2(entry != catalogueJobs().end(), name);
        QVERIFY2(entry->description.ends_with(end),
                 qPrintable(QString("got %1, want %2 at its end").arg(QString::fromStdString(entry->description), end)));
    }
}

void TestCatalogue::otherBatchAndDevice() {
    const auto usual = catalogueJob("vgg16");
    const auto larger = catalogueJob("vgg16:64");
    QCOMPARE(larger->batchSize, 64.0);
    COMPARE_WITHIN(larger->forwardSeconds() / usual->forwardSeconds(), 2, 1e-12);
    const auto faster = catalogueJob("vgg16@V100");
    COMPARE_WITHIN(usual->forwardSeconds() / faster->forwardSeconds(), 15.7 / 8.1, 1e-12);
    QVERIFY(faster->variables == usual->variables);
    QVERIFY(faster->notes != usual->notes);
    const auto both = catalogueJob("vgg16:16@V100");
    COMPARE_WITHIN(faster->forwardSeconds() / both->forwardSeconds(), 2, 1e-12);
}

void TestCatalogue::refuses() {
    for (const char *text : {"", "vgg16:", "vgg16:0", "vgg16:-3", "vgg16:1e3", "vgg16:99999999999999999999", "vgg16@",
                             "vgg16@TPU", "vgg16@V100:64", "@V100", ":8", "VGG16"}) {
        const auto job = catalogueJob(text);
        QVERIFY2(!job, text);
        QVERIFY(!job.error().remedy.empty());
    }
}

void TestCatalogue::unknownName() {
    const auto job = catalogueJob("resnet51");
    QVERIFY(!job);
    for (const CatalogueJob &entry : catalogueJobs())
        QVERIFY(job.error().remedy.find(entry.name) != std::string::npos);
}

QTEST_GUILESS_MAIN(TestCatalogue)
#include "tst_catalogue.moc"
