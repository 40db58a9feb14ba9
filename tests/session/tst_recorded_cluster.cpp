// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/comparable.h"
#include "engine/base/units.h"
#include "engine/session/recorded_cluster.h"
#include "engine/simulate/measured_run.h"
#include "tests/checks.h"
#include "tests/files.h"
#include "tests/profile/tiny_trace.h"
#include "tests/scenarios.h"

#include <QtTest>

using namespace syncopate;

namespace {

ImportedProfile recordedOn(RecordedPlatform platform) {
    ImportedProfile profile;
    profile.file = "profile.json";
    profile.platform = std::move(platform);
    return profile;
}

GradientCollective reduced(double mebibytes, double seconds) {
    return {0, static_cast<std::int64_t>(mebibytes * (1 << 18)), DataType::Float32, 0, seconds};
}

} // namespace

class TestRecordedCluster : public QObject {
    Q_OBJECT

private slots:
    void aTraceTellsItsPlatform() {
        const std::string devices =
            R"("deviceProperties": [{"id": 0, "name": "Tesla T4 {x}"}, {"id": 1, "name": "Tesla T4 {x}"}], )";
        const auto profile = tiny::import(tiny::replaced(tiny::trace(), "\"distributedInfo\"", devices + "\"distributedInfo\""));
        VERIFY_VALUE(profile);
        const RecordedPlatform &platform = (*profile)->platform;
        QCOMPARE(platform.ranks, 2);
        QCOMPARE(platform.devicesOfNode, 2);
        QCOMPARE(platform.device, std::string("Tesla T4 {x}"));
        QCOMPARE(platform.backend, std::string("nccl"));
        // Without a header, the collectives' groups determine it.
        const auto bare = tiny::import("[" + tiny::events({}) + "]");
        VERIFY_VALUE(bare);
        QCOMPARE((*bare)->platform.ranks, 2);
        QCOMPARE((*bare)->platform.devicesOfNode, 0);
    }

    void nodesAreFilledWithRanks() {
        const auto cluster = recordedCluster(recordedOn({10, 4, "V100", "nccl"}));
        VERIFY_VALUE(cluster);
        QCOMPARE(cluster->replicaCount(), 10);
        QCOMPARE(cluster->nodes.size(), std::size_t(3));
        QCOMPARE(cluster->nodes[2].gpus.size(), std::size_t(2));
        QCOMPARE(cluster->nodes[0].device, std::string("V100"));
        // A profile does not state its number of nodes: it follows from the assumptions.
        QVERIFY(testing::mentions(cluster->notes, "Read: 10 ranks, 4 V100 on the node of the recorded process, nccl."));
        QVERIFY(testing::mentions(cluster->notes, "Assumed: 3 nodes, as every device"));
        const auto notes = notesOnMachines(recordedOn({10, 4, "V100", "nccl"}));
        VERIFY_VALUE(notes);
        QCOMPARE(notes->size(), cluster->notes.size());
        for (std::size_t n = 0; n < notes->size(); ++n)
            QCOMPARE((*notes)[n].sentence(), cluster->notes[n]);
        QVERIFY(notes->front().how == Obtained::Read && notes->back().how == Obtained::Assumed);
        const auto cpus = recordedCluster(recordedOn({3, 0, "", "gloo"}));
        VERIFY_VALUE(cpus);
        QVERIFY(testing::mentions(cpus->notes, "Assumed: 3 nodes, as every rank has a node of its own."));
        QCOMPARE(cpus->nodes.size(), std::size_t(3));
        QCOMPARE(cpus->replicaCount(), 3);
        const auto one = recordedCluster(recordedOn({1, 8, "V100", ""}));
        VERIFY_VALUE(one);
        QCOMPARE(one->replicaCount(), 1);
        QVERIFY(!testing::mentions(one->notes, "every device")); // the others were idle
        for (const std::int64_t ranks : {std::int64_t(0), std::int64_t(-3), std::int64_t(1) << 40})
            QVERIFY(!recordedCluster(recordedOn({ranks, 8, "V100", "nccl"})));
    }

    /// 64 MiB reduced by 4 ranks in 10 ms: 2 x 3/4 x 64 MiB / 10 ms = 80.5 Gbit/s on each link of a ring.
    void linksAreAsFastAsCollectivesShow() {
        ImportedProfile profile = recordedOn({4, 1, "V100", "nccl"});
        for (int i = 0; i < 20; ++i)
            profile.gradients.push_back(reduced(64, i % 2 == 0 ? 0.010 : 0.040)); // every second one waits for another rank
        profile.gradients.push_back(reduced(0.001, 1e-9));                        // shows the latency
        const double wanted = 2 * 0.75 * 64 * (1 << 20) / 0.010;
        const double got = recordedCluster(profile)->nodes[0].bandwidthBytesPerSecond;
        COMPARE_CLOSE(got, wanted, 1e-9);
        profile.platform.devicesOfNode = 4; // all on one node: its fabric
        const auto inside = recordedCluster(profile);
        COMPARE_CLOSE(inside->intraNodeBandwidthBytesPerSecond, wanted, 1e-9);
        QVERIFY(testing::mentions(inside->notes, "links inside nodes"));
    }

    void assumedRates_data() {
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("devices");
        QTest::addColumn<double>("seconds"); // of an all-reduce of 64 MiB; 0 = there is none
        QTest::addColumn<QStringList>("wanted");
        const QString none = QStringLiteral(", as no recorded collective shows it."),
                      between = QStringLiteral("Assumed: 25 Gbit/s between nodes"),
                      inside = QStringLiteral("Assumed: 96 Gbit/s inside nodes"); // PCIe 3 x16: 12 GB/s
        QTest::newRow("one rank") << 1 << 8 << 0. << QStringList{};
        QTest::newRow("one node") << 4 << 4 << 0. << QStringList{inside + none};
        QTest::newRow("nodes of one device") << 4 << 1 << 0. << QStringList{between + none};
        QTest::newRow("nodes without devices") << 4 << 0 << 0. << QStringList{between + none};
        QTest::newRow("nodes of several") << 8 << 4 << 0. << QStringList{between + none, inside + none};
        QTest::newRow("one node, shown") << 4 << 4 << 0.01 << QStringList{};
        QTest::newRow("nodes of one device, shown") << 4 << 1 << 0.01 << QStringList{};
        QTest::newRow("nodes of several, shown between them") << 8 << 4 << 0.01 << QStringList{inside + none};
        // 2 x 3/4 x 64 MiB in 1 ps: 8.05e+11 Gbit/s; of 8 ranks, with 7/8, 9.4e+11.
        const QString discarded =
            QStringLiteral(", as the recorded gradient all-reduces show 8.05e+11 Gbit/s, which is no plausible rate.");
        QTest::newRow("one node, no link is that fast") << 4 << 4 << 1e-12 << QStringList{inside + discarded};
        QTest::newRow("nodes, no link is that fast") << 4 << 1 << 1e-12 << QStringList{between + discarded};
        QTest::newRow("nodes of several, no link is that fast")
            << 8 << 4 << 1e-12 << QStringList{QString(between + discarded).replace("8.05e+11", "9.4e+11"), inside + none};
    }

    /// The notes name each assumed rate that the simulation uses, and no other.
    void assumedRates() {
        QFETCH(int, ranks);
        QFETCH(int, devices);
        QFETCH(double, seconds);
        QFETCH(QStringList, wanted);
        ImportedProfile profile = recordedOn({ranks, devices, "V100", "nccl"});
        if (seconds > 0)
            profile.gradients = {reduced(64, seconds), reduced(0.5, seconds)}; // the second one is too small to show a rate
        const auto cluster = recordedCluster(profile);
        VERIFY_VALUE(cluster);
        QStringList notes, rates;
        for (const std::string &note : cluster->notes)
            notes.push_back(QString::fromStdString(note));
        for (const QString &note : notes)
            if (note.startsWith("Assumed: ") && note.contains("Gbit/s"))
                rates.push_back(note);
        QCOMPARE(rates, wanted);
        if (seconds == 0.01)
            QVERIFY2(testing::mentions(cluster->notes, "the fast ones of 1 recorded gradient all-reduces"),
                     qPrintable(notes.join('\n')));
        QCOMPARE(notes.back(), QStringLiteral("Assumed: 30 microseconds of one-way latency, and the nodes' addresses."));
    }

    void theRemarkSaysWhereItIsSimulated() {
        SessionState state;
        QVERIFY(clusterRemark(state).empty());
        state.profile = std::make_shared<const ImportedProfile>(recordedOn({8, 8, "V100", "nccl"}));
        state.clusterSource = recordedClusterName;
        QVERIFY(clusterRemark(state).find("8 ranks on 1 node with 8 V100, nccl") != std::string::npos);
        // Ten ranks on nodes of four: the last node has two.
        state.profile = std::make_shared<const ImportedProfile>(recordedOn({10, 4, "V100", "nccl"}));
        QVERIFY2(clusterRemark(state).find("10 ranks on 3 nodes with up to 4 V100 each, nccl") != std::string::npos,
                 clusterRemark(state).c_str());
        state.profile = std::make_shared<const ImportedProfile>(recordedOn({8, 4, "V100", "nccl"}));
        QVERIFY2(clusterRemark(state).find("8 ranks on 2 nodes with 4 V100 each, nccl") != std::string::npos,
                 clusterRemark(state).c_str());
        state.clusterSource = "B7";
        QVERIFY(clusterRemark(state).find("B7, which was chosen before") != std::string::npos);
        state.profile = std::make_shared<const ImportedProfile>(recordedOn({}));
        QVERIFY(clusterRemark(state).find("does not say which machines") != std::string::npos);
    }

    /// The tiny trace idles for 30 us between its passes and 20 us before the update, 15 of which an all-reduce covers; the step
    /// may have a margin of 10 us. Without subtracting the exposed 15 us it would be 60.
    void waitingForTheHostIsNoDifference() {
        const auto profile = tiny::import(tiny::trace());
        VERIFY_VALUE(profile);
        const auto measured = measuredRecording(*profile, std::make_shared<const Job>((*profile)->job));
        const AreaStatistics area = iterationStatistics(*measured);
        QVERIFY(measured->measured);
        const double wait = hostWaitSeconds(*measured, area);
        const QString figures = QStringLiteral("window %1, compute %2, exposed %3")
                                    .arg(area.windowSeconds)
                                    .arg(area.computeSeconds)
                                    .arg(area.exposedSeconds);
        COMPARE_ABOVE(wait, 34.9e-6, figures);
        COMPARE_BELOW(wait, 45.1e-6, figures);
        Recording simulated;
        QVERIFY(whyNotComparable(Quantity::Length, *measured, area, simulated, {}).empty());
        QVERIFY(!whyNotComparable(Quantity::Messages, *measured, area, simulated, {}).empty());
        QVERIFY(whyNotComparable(Quantity::Device, *measured, area, simulated, {}).find("for its host") != std::string::npos);
        QVERIFY(whyNotComparable(Quantity::Device, simulated, {}, *measured, area).find("for its host") != std::string::npos);
        QVERIFY(whyNotComparable(Quantity::Device, *measured, area, *measured, area).empty());
        AreaStatistics busy = area; // a device that its host keeps busy
        busy.waitSeconds = busy.exposedSeconds + 0.01 * busy.windowSeconds;
        QVERIFY(whyNotComparable(Quantity::Device, *measured, busy, simulated, {}).empty());
        QCOMPARE(hostWaitSeconds(simulated, area), 0.0);
    }

    /// The profile's own job, simulated: its launch gaps are gaps there too, so all figures of the device are comparable.
    void aSimulatedProfileWaitsForItsHostToo() {
        const auto profile = tiny::import(tiny::trace());
        VERIFY_VALUE(profile);
        const auto job = std::make_shared<const Job>((*profile)->job);
        const auto measured = measuredRecording(*profile, job);
        const auto run = simulate(testing::scenario(*job, testing::plainCluster(2, 1e9), testing::allReduceEach(*job)));
        VERIFY_VALUE(run);
        const AreaStatistics ofMeasured = iterationStatistics(*measured), ofRun = iterationStatistics(**run);
        COMPARE_WITHIN(hostWaitSeconds(**run, ofRun), job->hostSeconds(), 1e-8);
        COMPARE_WITHIN(hostWaitSeconds(**run, ofRun), hostWaitSeconds(*measured, ofMeasured), 10.1e-6); // the step's margin
        COMPARE_WITHIN(ofRun.computeSeconds, ofMeasured.computeSeconds, 0.1e-6);
        QCOMPARE(whyNotComparable(Quantity::Device, *measured, ofMeasured, **run, ofRun), std::string());
    }

    /// Copies of 20 us between the passes, and of 6 us under the all-reduce that is exposed for 15. They are neither compute nor
    /// exposed nor waits for the host, and the simulated step is as long as without them: its layers have them in their
    /// durations.
    void copiesAreNeitherComputeNorLost() {
        tiny::Spelling spelling;
        std::string events = tiny::events(spelling);
        const auto copy = [&](double launched, double at, double length, int correlation, const char *name) {
            spelling.kernel = "gpu_memcpy";
            events += ",\n" + tiny::launch(spelling, spelling.mainThread, launched, correlation) + ",\n" +
                      tiny::device(spelling, spelling.stream, name, at, length, correlation);
        };
        copy(40, 255, 20, 8, "Memcpy HtoD (Pageable -> Device)"); // by the normalisation's forward
        copy(111, 464, 6, 9, "Memset (Device)");                  // by the optimizer
        const auto plain = tiny::import(tiny::trace()), copies = tiny::import("[" + events + "]");
        VERIFY_VALUE(plain);
        VERIFY_VALUE(copies);
        const auto recordingOf = [](const auto &profile) {
            return measuredRecording(profile, std::make_shared<const Job>(profile->job));
        };
        const auto before = recordingOf(*plain), measured = recordingOf(*copies);
        const AreaStatistics without = iterationStatistics(*before), with = iterationStatistics(*measured);
        QCOMPARE(without.copySeconds, 0.0);
        COMPARE_WITHIN(with.copySeconds, 26e-6, 1e-12);
        COMPARE_WITHIN(with.computeSeconds, without.computeSeconds, 1e-12);
        COMPARE_WITHIN(with.exposedSeconds, without.exposedSeconds - 6e-6, 1e-12);
        COMPARE_WITHIN(hostWaitSeconds(*measured, with), hostWaitSeconds(*before, without) - 20e-6, 1e-12);
        double exposed = 0;
        for (const auto &[from, to] : exposedIntervals(measured->timeline, 0))
            exposed += static_cast<double>(to - from) * 1e-9;
        double exposedBefore = 0;
        for (const auto &[from, to] : exposedIntervals(before->timeline, 0))
            exposedBefore += static_cast<double>(to - from) * 1e-9;
        COMPARE_WITHIN(exposed, exposedBefore - 6e-6, 1e-12);

        COMPARE_WITHIN((*copies)->job.forwardSeconds(), (*plain)->job.forwardSeconds(), 1e-12);
        COMPARE_WITHIN((*copies)->job.hostSeconds(), (*plain)->job.hostSeconds() - 20e-6, 1e-12);
        const auto simulated = [](const std::shared_ptr<const ImportedProfile> &profile) {
            return *simulate(
                testing::scenario(profile->job, testing::plainCluster(2, 1e9), testing::allReduceEach(profile->job)));
        };
        const auto runBefore = simulated(*plain), run = simulated(*copies);
        COMPARE_WITHIN(run->iterationSeconds, runBefore->iterationSeconds, 6.1e-6); // the memset's share of the exposed part
        QCOMPARE(iterationStatistics(*run).copySeconds, 0.0);
        COMPARE_WITHIN(iterationStatistics(*run).computeSeconds, with.computeSeconds + 26e-6, 0.1e-6);
        QVERIFY(whyNotComparable(Quantity::Device, *measured, with, *run, iterationStatistics(*run)).find("copies memory") !=
                std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestRecordedCluster)
#include "tst_recorded_cluster.moc"
