// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/utf8.h"
#include "engine/job/catalogue.h"
#include "engine/job/measured_times.h"
#include "engine/profile/pipedream/pipedream.h"
#include "tests/checks.h"
#include "tests/files.h"
#include "tests/foreign_traces.h"
#include "tests/profile/tiny_trace.h"

#include <QtTest>

#include <QDir>
#include <QTemporaryDir>
#include <algorithm>
#include <cmath>
#include <filesystem>

using namespace syncopate;

namespace {

const std::string profiles = testing::foreignTrace("layer_profiles/pipedream/");

const std::string diamond =
    "node4 -- Add(inplace) -- forward_compute_time=0.500, backward_compute_time=0.250, activation_size=512.0, "
    "parameter_size=0.000\n"
    "node1 -- Input -- forward_compute_time=90.000, backward_compute_time=0.000, activation_size=1.0, "
    "parameter_size=0.000\n"
    "node2 -- Conv2d(3, 8, kernel_size=(3, 1), stride=(1, 1), groups=1, bias=False) -- forward_compute_time=2.000, "
    "backward_compute_time=4.000, activation_size=512.0, parameter_size=288.000\n"
    "node3 -- Linear(in_features=5, out_features=4, bias=True) -- forward_compute_time=1.000, "
    "backward_compute_time=3.000, activation_size=512.000, parameter_size=96.000 -- stage_id=1\n"
    "node5 -- LSTM(4, 4) -- forward_compute_time=1.5, backward_compute_time=1, activation_size=[64.0; 512.0; 512.0], "
    "parameter_size=40\n"
    "\tnode1 -- node2\n\tnode1 -- node3\n\tnode2 -- node4\n\tnode3 -- node4\n\tnode4 -- node5\n";

} // namespace

class TestPipeDream : public QObject {
    Q_OBJECT

private slots:
    /// Bytes that are not UTF-8, in a node's name or in the file's, are replaced before they are used.
    void namesAreMadeValid() {
        std::string text = diamond;
        for (const auto &[from, to] :
             {std::pair{"Conv2d(", "Con\xff\xfe("}, std::pair{"node3", "no\xc3"}, std::pair{"Add(", "\xe2\x82("}})
            for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + 1))
                text.replace(at, std::string_view(from).size(), to);
        const auto profile = importPipeDream(text, "dir/ti\xf0ny_graph.txt");
        VERIFY_VALUE(profile);
        const ImportedProfile &p = **profile;
        QCOMPARE(p.job.layers.size(), std::size_t{4});
        QCOMPARE(p.job.name, std::string("ti?ny"));
        QVERIFY(std::any_of(p.job.layers.begin(), p.job.layers.end(), [](const Layer &l) { return l.name == "Con??_2"; }));
        std::vector<std::string> all = p.timeline.labels;
        all.insert(all.end(), p.job.notes.begin(), p.job.notes.end());
        all.insert(all.end(), p.inferred.begin(), p.inferred.end());
        all.insert(all.end(), p.read.begin(), p.read.end());
        all.push_back(p.file);
        for (const Layer &layer : p.job.layers)
            all.push_back(layer.name);
        for (const Variable &variable : p.job.variables)
            all.push_back(variable.name);
        for (const std::string &name : all)
            QVERIFY2(isValidUtf8(name), name.c_str());
        const auto broken = importPipeDream("node1 -- \xff -- forward_compute_time=\xfe", "x");
        QVERIFY(!broken);
        QVERIFY2(isValidUtf8(broken.error().what), broken.error().what.c_str());
    }

    void utf8() {
        QCOMPARE(validUtf8("plain"), std::string("plain"));
        QCOMPARE(validUtf8("h\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"), std::string("h\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"));
        QCOMPARE(validUtf8("a\xff"
                           "b\xc3"),
                 std::string("a?b?"));
        QCOMPARE(validUtf8("\xc0\x80\xed\xa0\x80"), std::string("?????")); // overlong, surrogate
        for (const char *wrong : {"\xff", "\xc3", "\xe2\x82", "\xf5\x80\x80\x80", "\x80"})
            QVERIFY(!isValidUtf8(wrong));
        QVERIFY(isValidUtf8(""));
    }

    void diamondByHand() {
        QVERIFY(looksLikePipeDream(diamond));
        const auto profile = importPipeDream(diamond, "dir/tiny_graph.txt");
        VERIFY_VALUE(profile);
        const Job &job = (*profile)->job;
        QCOMPARE(job.name, std::string("tiny"));
        QCOMPARE(job.layers.size(), std::size_t{4});
        QCOMPARE(job.layers[0].name, std::string("Conv2d_2"));
        QCOMPARE(job.layers[3].name, std::string("LSTM_5"));
        QVERIFY(job.layers[0].parents.empty() && job.layers[1].parents.empty()); // the input is not a layer
        QVERIFY((job.layers[2].parents == std::vector<std::int32_t>{0, 1}));
        COMPARE_WITHIN(job.forwardSeconds(), 5e-3, 1e-12);
        COMPARE_WITHIN(job.backwardSeconds(), 8.25e-3, 1e-12); // without the 90 ms of loading
        QCOMPARE(job.variables.size(), std::size_t{4});
        QVERIFY((job.variables[0].shape == std::vector<std::int64_t>{8, 3, 3, 1}));
        QVERIFY((job.variables[1].shape == std::vector<std::int64_t>{4, 5}));
        QCOMPARE(job.variables[2].name, std::string("Linear_3/bias"));
        QVERIFY((job.variables[3].shape == std::vector<std::int64_t>{10}));
        QCOMPARE(job.batchSize, 32.0); // the state of 512 bytes is 32 x 4 floats
        QCOMPARE((*profile)->timeline.duration, Nanoseconds{13'250'000});
        QCOMPARE((*profile)->timeline.lanes.size(), std::size_t{1});
    }

    void aByteOrderMarkIsLeftOut() {
        const std::string text = "\xef\xbb\xbf" + diamond;
        QVERIFY(looksLikePipeDream(text));
        const auto profile = importPipeDream(text, "graph.txt");
        VERIFY_VALUE(profile);
        QCOMPARE((*profile)->job.layers.size(), std::size_t{4});
    }

    /// A file is read like other profiles: gzip or not, with progress, within the limit on its text.
    void filesMayBeGzip() {
        const QTemporaryDir folder;
        const auto plain = importPipeDream(diamond, "diamond_graph.txt");
        VERIFY_VALUE(plain);
        for (const auto &[name, bytes] :
             {std::pair("diamond_graph.txt", diamond), std::pair("diamond_graph.txt.gz", tiny::gzip(diamond))}) {
            testing::writeFile(folder.filePath(name), bytes);
            Progress progress;
            const auto profile = importProfile(folder.filePath(name).toStdString(), {}, {}, &progress);
            VERIFY_VALUE(profile);
            QVERIFY((*profile)->job.layers == (*plain)->job.layers && (*profile)->job.variables == (*plain)->job.variables);
            QCOMPARE(progress.done.load(), progress.total.load());
        }
        ImportOptions small;
        small.limitBytes = 100;
        const std::string path = folder.filePath("diamond_graph.txt.gz").toStdString();
        const auto refused = importProfile(path, small);
        QVERIFY(!refused && refused.error().file == path && !refused.error().remedy.empty());
    }

    /// Figures of the traces' index, which include the input nodes' time.
    void realFiles_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("nodes");
        QTest::addColumn<double>("forward");
        QTest::addColumn<double>("input");
        QTest::addColumn<double>("backward");
        QTest::addColumn<double>("megabytes");
        QTest::addColumn<double>("batch");
        QTest::newRow("vgg16") << "vgg16" << 41 << 251.9 << 17.972 << 438.6 << 553.4 << 128.0;
        QTest::newRow("resnet50") << "resnet50" << 177 << 201.5 << 18.962 << 260.9 << 102.2 << 128.0;
        QTest::newRow("alexnet") << "alexnet" << 23 << 680.7 << 635.902 << 40.5 << 244.4 << 256.0;
        QTest::newRow("densenet121") << "densenet121" << 429 << 186.5 << 9.085 << 148.8 << 31.9 << 64.0;
        QTest::newRow("resnet18") << "resnet18" << 71 << 581.1 << 473.625 << 152.3 << 46.8 << 256.0;
        QTest::newRow("gnmt") << "gnmt" << 48 << 33.5 << 0.0 << 55.9 << 775.1 << 0.0;
    }
    void realFiles() {
        REQUIRE_FOREIGN_TRACE("layer_profiles");
        QFETCH(QString, file);
        QFETCH(int, nodes);
        QFETCH(double, forward);
        QFETCH(double, input);
        QFETCH(double, backward);
        QFETCH(double, megabytes);
        QFETCH(double, batch);
        const auto profile = importProfile(profiles + file.toStdString() + "_graph.txt");
        VERIFY_VALUE(profile);
        const ImportedProfile &p = **profile;
        QCOMPARE(static_cast<int>(p.eventCount), nodes);
        COMPARE_WITHIN(p.job.forwardSeconds() * 1e3 + input, forward, 0.051);
        COMPARE_WITHIN(p.job.backwardSeconds() * 1e3, backward, 0.051);
        COMPARE_WITHIN(static_cast<double>(p.job.parameterBytes()) * 1e-6, megabytes, 0.051);
        if (batch > 0)
            QCOMPARE(p.job.batchSize, batch);
        QVERIFY(validateJob(p.job));
    }

    /// The layers' times replace a catalogue job's.
    void measuredTimes() {
        REQUIRE_FOREIGN_TRACE("layer_profiles");
        const auto profile = importProfile(profiles + "vgg16_graph.txt");
        const auto job = catalogueJob("vgg16");
        QVERIFY(profile && job);
        const auto measured = withMeasuredTimes(*job, (*profile)->job);
        VERIFY_VALUE(measured);
        COMPARE_WITHIN(measured->forwardSeconds(), (*profile)->job.forwardSeconds(), 1e-9);
        QVERIFY(measured->variables == job->variables);
        QVERIFY(!withMeasuredTimes(*catalogueJob("resnet50"), (*profile)->job));
    }

    void damagedFiles() {
        const QDir folder(SYNCOPATE_SOURCE "/tests/damaged/pipedream");
        const QStringList files = folder.entryList(QDir::Files);
        COMPARE_AT_LEAST(files.size(), 6);
        for (const QString &file : files) {
            const auto profile = importProfile(folder.filePath(file).toStdString());
            QVERIFY2(!profile, qPrintable(file));
            QVERIFY2(!profile.error().what.empty() && !profile.error().remedy.empty(), qPrintable(file));
            QVERIFY2(QString::fromStdString(profile.error().file).endsWith(file), profile.error().toString().c_str());
        }
        const auto circle = importPipeDream(diamond + "\tnode5 -- node2\n", "x");
        QVERIFY(!circle && QString::fromStdString(circle.error().what).contains("cycle"));
        // Listed first, node4 waits for the cycle of node2 and node3, and is not in it.
        const auto follower = importPipeDream(diamond + "\tnode2 -- node3\n\tnode3 -- node2\n", "x");
        QVERIFY(!follower);
        QVERIFY2(follower.error().what.starts_with("node2 waits for itself") && follower.error().place == "3",
                 follower.error().toString().c_str());
        const auto unknown = importPipeDream(diamond + "\tnode5 -- node9\n", "x");
        QVERIFY(!unknown && unknown.error().place == "11");
    }
};

QTEST_GUILESS_MAIN(TestPipeDream)
#include "tst_pipedream.moc"
