// SPDX-License-Identifier: GPL-3.0-or-later
// A recording without a training step is still a timeline: it has the spans that the files were made with
// (tests/mutants/recordings.py), and for foreign files the sums reported by their own tools.
#include "engine/analyze/metrics.h"
#include "engine/cluster/cluster.h"
#include "engine/parse/byte_source.h"
#include "engine/profile/perfetto/pftrace.h"
#include "engine/profile/recording/recording.h"
#include "engine/profile/recording/recording_builder.h"
#include "engine/profile/rocm/rocpd.h"
#include "engine/profile/xla/xplane.h"
#include "engine/store/project_file.h"
#include "tests/checks.h"
#include "tests/files.h"
#include "tests/foreign_traces.h"
#include "tests/profile/rank_traces.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <array>
#include <limits>
#include <map>
#include <set>
#include <sqlite3.h>
#include <vector>

using namespace syncopate;
using namespace syncopate::testing;

namespace {

const std::string data = SYNCOPATE_SOURCE "/tests/data/recordings/";

std::shared_ptr<const ImportedProfile> recordingOf(const std::string &path) {
    const auto profile = importRecording(path);
    if (!profile) {
        qWarning("%s", profile.error().toString().c_str());
        return nullptr;
    }
    return *profile;
}

struct Span {
    std::string name;
    Nanoseconds start, length;
    bool operator<(const Span &other) const {
        return std::tie(name, start, length) < std::tie(other.name, other.start, other.length);
    }
    bool operator==(const Span &) const = default;
};

/// Spans by the prefix of their lanes' names, in nanoseconds from `zero`.
std::multiset<Span> spansOf(const Timeline &timeline, const std::string &lane) {
    std::multiset<Span> spans;
    for (const Lane &one : timeline.lanes)
        if (one.name.starts_with(lane))
            for (std::size_t i = 0; i < one.size(); ++i)
                spans.insert({timeline.labels[static_cast<std::size_t>(one.label[i])], one.start[i], one.end[i] - one.start[i]});
    return spans;
}

/// Over all spans of the lanes whose names have that prefix.
std::set<Category> categoriesOf(const Timeline &timeline, const std::string &lane) {
    std::set<Category> categories;
    for (const Lane &one : timeline.lanes)
        if (one.name.starts_with(lane))
            categories.insert(one.category.begin(), one.category.end());
    return categories;
}

struct Sum {
    std::size_t spans = 0;
    Nanoseconds busy = 0;
};
/// Over the lanes whose names contain `lane`, one after another.
Sum sumOf(const Timeline &timeline, const std::string &lane) {
    Sum sum;
    for (const Lane &one : timeline.lanes)
        if (one.name.find(lane) != std::string::npos)
            for (std::size_t i = 0; i < one.size(); ++i) {
                ++sum.spans;
                sum.busy += one.end[i] - one.start[i];
            }
    return sum;
}

/// A device of an XPlane profile. Events are numbers of `names`, from 1 on, and their starts and ends in microseconds.
class DevicePlane {
public:
    DevicePlane(const std::string &device, const std::vector<std::string> &names) : m_plane(protobufField(2, device)) {
        for (std::size_t n = 0; n < names.size(); ++n)
            m_plane += protobufField(4, protobufNumber(1, n + 1) + protobufField(2, protobufField(2, names[n])));
    }
    void line(const std::string &name, const std::vector<std::array<std::uint64_t, 3>> &events) {
        std::string content = protobufField(2, name);
        for (const auto &[event, from, to] : events)
            content += protobufField(4, protobufNumber(1, event) + protobufNumber(2, from * 1'000'000) +
                                            protobufNumber(3, (to - from) * 1'000'000));
        m_plane += protobufField(3, content);
    }
    [[nodiscard]] Timeline timeline() const {
        const std::string file = protobufField(1, m_plane);
        const auto source = ByteSource::fromMemory(file);
        return must(importXPlane(*source, "tpu.xplane.pb", file))->timeline;
    }

private:
    std::string m_plane;
};

/// The arrays of a tuple whose text is long: 400 of 16 elements each.
std::string manyArrays() {
    std::string arrays = "f32[16]{0:T(128)}";
    for (int i = 1; i < 400; ++i)
        arrays += ", f32[16]{0:T(128)}";
    return arrays;
}

/// The bytes of all spans of that name.
double bytesOf(const Timeline &timeline, const std::string &name) {
    double bytes = 0;
    for (const Lane &lane : timeline.lanes)
        for (std::size_t i = 0; i < lane.size(); ++i)
            if (timeline.labels[static_cast<std::size_t>(lane.label[i])] == name)
                bytes += lane.sizeBytes[i];
    return bytes;
}

} // namespace

class TestRecordings : public QObject {
    Q_OBJECT

private slots:
    /// Devices are workers in the order of their work: a mean divides by the number of devices present, not by their ids.
    void numbersOfDevicesAreNames() {
        QFile file(QString::fromStdString(data + "two_gpus.pftrace"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QTemporaryDir folder;
        QFile other(folder.filePath("gpus_2_and_7.pftrace"));
        QVERIFY(other.open(QIODevice::WriteOnly));
        other.write(file.readAll().replace("gpu 0", "gpu 2").replace("gpu 1", "gpu 7"));
        other.close();
        const auto profile = recordingOf(other.fileName().toStdString());
        QVERIFY(profile);
        std::map<std::string, std::int32_t> workers;
        for (const Lane &lane : profile->timeline.lanes)
            if (lane.worker >= 0)
                workers[lane.name.substr(0, 5)] = lane.worker;
        QCOMPARE(workers, (std::map<std::string, std::int32_t>{{"gpu 2", 0}, {"gpu 7", 1}}));
    }

    /// Tracks of devices are known by words of their names, not by parts of words.
    void upstreamIsNoStream() {
        QFile file(QString::fromStdString(data + "two_gpus.pftrace"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QTemporaryDir folder;
        const QString path = folder.filePath("upstream.pftrace");
        testing::writeFile(path, file.readAll().replace("gpu 0 stream 7", "upstream 70000"));
        const auto profile = recordingOf(path.toStdString());
        QVERIFY(profile);
        std::map<std::string, std::int32_t> workers;
        for (const Lane &lane : profile->timeline.lanes)
            workers[lane.name.substr(0, 8)] = lane.worker;
        QCOMPARE(workers,
                 (std::map<std::string, std::int32_t>{{"upstream", -1}, {"gpu 1 st", 0}, {"main", -1}, {"main (2)", -1}}));
    }

    void ownFiles_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QStringList>("devices");
        QTest::addColumn<QString>("host");
        QTest::addColumn<double>("copySeconds");
        const QStringList amd{"GPU 0", "GPU 1"}, xla{"GPU:0", "GPU:1"}, tracks{"gpu 0 stream 7", "gpu 1 stream 7"};
        QTest::newRow("rocpd 3") << "rocpd_v3.db" << amd << "host thread 70" << 20e-6;
        QTest::newRow("rocpd 4") << "rocpd_v4.db" << amd << "host thread 70" << 0.0;
        QTest::newRow("xplane") << "two_gpus.xplane.pb" << xla << "host main" << 20e-6;
        QTest::newRow("perfetto") << "two_gpus.pftrace" << tracks << "main" << 20e-6;
        QTest::newRow("perfetto, compressed") << "two_gpus_compressed.pftrace" << tracks << "main" << 20e-6;
    }
    void ownFiles() {
        QFETCH(QString, file);
        QFETCH(QStringList, devices);
        QFETCH(QString, host);
        QFETCH(double, copySeconds);
        const auto profile = recordingOf(data + file.toStdString());
        QVERIFY(profile);
        QVERIFY(isRecordingOnly(profile->job));
        QVERIFY2(whyNoJob(profile->job).find("no training step") != std::string::npos, whyNoJob(profile->job).c_str());
        const Timeline &timeline = profile->timeline;
        const std::multiset<Span> compute{{"gemm", 0, 100'000}, {"gemm", 200'000, 50'000}};
        const std::multiset<Span> all{
            {"gemm", 0, 100'000}, {"gemm", 200'000, 50'000}, {"ncclDevKernel_AllReduce_Sum_f32_RING_LL", 120'000, 60'000}};
        std::set<std::int32_t> workers;
        for (const QString &device : devices) {
            auto got = spansOf(timeline, device.toStdString());
            std::erase_if(got, [](const Span &span) { return isCopyName(span.name); });
            QVERIFY2(got == all, qPrintable(device));
            for (const Lane &lane : timeline.lanes)
                if (lane.name.starts_with(device.toStdString()))
                    workers.insert(lane.worker);
        }
        QCOMPARE(workers, (std::set<std::int32_t>{0, 1}));
        for (const Lane &lane : timeline.lanes)
            for (std::size_t i = 0; i < lane.size(); ++i) {
                const std::string &name = timeline.labels[static_cast<std::size_t>(lane.label[i])];
                if (name.starts_with("nccl"))
                    QCOMPARE(lane.category[i], Category::AllReduce);
                QVERIFY2((lane.category[i] == Category::Copy) == isCopyName(name), name.c_str());
                if (i > 0)
                    COMPARE_AT_LEAST(lane.start[i], lane.end[i - 1]);
            }
        const auto onHost = spansOf(timeline, host.toStdString());
        QVERIFY(onHost.contains({"hipLaunchKernel", 10'000, 10'000}));
        for (const Lane &lane : timeline.lanes) // a thread's work is neither compute nor communication
            for (const Category category : lane.category)
                QVERIFY2((category == Category::Host) == (lane.worker < 0), lane.name.c_str());
        QCOMPARE(profile->steps.size() > 0, true);
        COMPARE_WITHIN(profile->steps.front().startSeconds, 0, 1e-9);
        COMPARE_CLOSE(profile->steps.front().endSeconds, 300e-6);
        const AreaStatistics first = areaStatistics(timeline, 0, 300'000, 0);
        COMPARE_CLOSE(first.computeSeconds, (100 + 50) * 1e-6);
        COMPARE_CLOSE(first.copySeconds, copySeconds);
        COMPARE_CLOSE(first.exposedSeconds, 60e-6);
    }

    /// Each process of a capture has a range of the one step. Regions of one event have its message as their name.
    void stepsOfSeveralProcessesCountOnce() {
        QTemporaryDir folder;
        const QString path = folder.filePath("two_processes.db");
        QVERIFY(QFile::copy(QString::fromStdString(data + "rocpd_v3.db"), path));
        QVERIFY(QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner));
        sqlite3 *database = nullptr;
        QCOMPARE(sqlite3_open(path.toUtf8().constData(), &database), SQLITE_OK);
        for (const char *sql : {"CREATE TABLE rocpd_event_0a1c (id INTEGER PRIMARY KEY, extdata TEXT)",
                                "INSERT INTO rocpd_event_0a1c SELECT * FROM rocpd_event_0a1b",
                                "INSERT INTO rocpd_event_0a1c VALUES (3, '{\"message\": \"batch\"}')",
                                "CREATE TABLE rocpd_region_0a1c (id INTEGER PRIMARY KEY, tid INTEGER, start INTEGER, end "
                                "INTEGER, name_id INTEGER, event_id INTEGER)",
                                "INSERT INTO rocpd_region_0a1c SELECT * FROM rocpd_region_0a1b",
                                "INSERT INTO rocpd_region_0a1c VALUES (3, 71, 5000020000, 5000030000, 1, 3)",
                                "INSERT INTO rocpd_region_0a1c VALUES (4, 71, 5000040000, 5000060000, 1, 3)"})
            QCOMPARE(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK);
        sqlite3_close(database);
        const auto profile = recordingOf(path.toStdString());
        QVERIFY(profile);
        QCOMPARE(profile->steps.size(), std::size_t{1});
        QCOMPARE(profile->steps.front().name, std::string("ProfilerStep#5"));
        const auto named = spansOf(profile->timeline, "process 1: host thread 71");
        QVERIFY((named == std::multiset<Span>{{"batch", 20'000, 10'000}, {"batch", 40'000, 20'000}}));
    }

    /// Both devices of the file have a line of its one step, which is no second step.
    void stepsOfSeveralDevicesCountOnce() {
        const auto profile = recordingOf(data + "two_gpus.xplane.pb");
        QVERIFY(profile);
        QCOMPARE(profile->steps.size(), std::size_t{1});
        QCOMPARE(profile->steps.front().name, std::string("step 5"));
        QCOMPARE(profile->timeline.iterationStart, std::vector<Nanoseconds>{0});
        QVERIFY(mentions(profile->read, "lines left out, which repeat others: 3.")); // with a derived line of each
    }

    /// Two processes of a Perfetto trace, whose tracks appear in turn, mark the same two steps.
    void stepsOfSeveralTracksCountOnce() {
        constexpr std::uint64_t begins = 1, ends = 2;
        const auto packet = [](const std::string &content) { return protobufField(1, content + protobufNumber(10, 1)); };
        const auto event = [&](std::uint64_t track, std::uint64_t type, std::uint64_t time, const std::string &name = {}) {
            return packet(protobufNumber(8, time) +
                          protobufField(11, protobufNumber(9, type) + protobufNumber(11, track) + protobufField(23, name)));
        };
        std::string file;
        for (const std::uint64_t process : {40U, 50U}) { // thread 1 of each, on a track with the process's number
            const std::string thread = protobufField(4, protobufNumber(1, process) + protobufNumber(2, 1));
            file += packet(protobufField(60, protobufNumber(1, process) + thread));
        }
        for (const std::uint64_t step : {0U, 1U})
            for (const std::uint64_t process : {50U, 40U})
                file += event(process, begins, 1000 + 100 * step + process, fmt::format("ProfilerStep#{}", step)) +
                        event(process, ends, 1050 + 100 * step + process);
        const auto source = ByteSource::fromMemory(file);
        const auto profile = importPerfetto(*source, "two_processes.pftrace");
        VERIFY_VALUE(profile);
        QVERIFY((*profile)->timeline.spanCount() == 4); // of both processes
        QCOMPARE((*profile)->steps.size(), std::size_t{2});
        QCOMPARE((*profile)->steps.front().name, std::string("ProfilerStep#0"));
        QCOMPARE((*profile)->steps.back().name, std::string("ProfilerStep#1"));
    }

    /// Work of a GPU's queues is told apart by its names, as that of streams is. A stage's description is not its name.
    void renderStagesHaveCategories() {
        const auto entry = [](int list, std::uint64_t id, const std::string &name, const std::string &more) {
            return protobufField(list, protobufNumber(1, id) + protobufField(2, name) + protobufField(3, more));
        };
        const auto packet = [](const std::string &content) { return protobufField(1, content + protobufNumber(10, 1)); };
        const auto stage = [&](std::uint64_t time, const std::string &fields) {
            return packet(protobufNumber(8, time) + protobufField(53, protobufNumber(2, 100) + protobufNumber(13, 1) + fields));
        };
        const std::string file =
            packet(protobufNumber(13, 1) +
                   protobufField(12, entry(24, 1, "compute queue", "of all programs") + entry(24, 2, "Memcpy HtoD", "copies") +
                                         entry(1000, 1, "_Z4gemm", "gemm") +
                                         entry(1000, 2, "_Z4nccl", "ncclDevKernel_AllReduce_Sum_f32_RING_LL"))) +
            stage(1000, protobufNumber(19, 1)) + stage(1100, protobufNumber(19, 2)) + stage(1200, protobufNumber(14, 2)) +
            stage(1300, {});
        const auto source = ByteSource::fromMemory(file);
        const auto profile = importPerfetto(*source, "stages.pftrace");
        VERIFY_VALUE(profile);
        std::map<std::string, Category> categories;
        for (const Lane &lane : (*profile)->timeline.lanes)
            for (std::size_t i = 0; i < lane.size(); ++i)
                categories[(*profile)->timeline.labels[static_cast<std::size_t>(lane.label[i])]] = lane.category[i];
        QVERIFY(categories == (std::map<std::string, Category>{{"gemm", Category::OtherCompute},
                                                               {"ncclDevKernel_AllReduce_Sum_f32_RING_LL", Category::AllReduce},
                                                               {"Memcpy HtoD", Category::Copy},
                                                               {"compute queue", Category::OtherCompute}}));
        const AreaStatistics all = areaStatistics((*profile)->timeline, 0, 400, 0);
        COMPARE_CLOSE(all.computeSeconds, 200e-9);
        COMPARE_CLOSE(all.communicationSeconds, 100e-9);
        COMPARE_CLOSE(all.copySeconds, 100e-9);
    }

    /// The rule itself: the first process whose step has a usable time, wherever its other steps come.
    void stepsAreOfTheFirstProcess() {
        RecordingBuilder recording;
        recording.add(recording.group("lane", -1, false), 0, 40, Category::OtherCompute, recording.label("op"));
        recording.addStep(7, "endless", 0, std::numeric_limits<std::int64_t>::max());
        QVERIFY(recording.takesStepsOf(3));
        recording.addStep(3, "first", 0, 10);
        recording.addStep(7, "first", 1, 11);
        recording.addStep(3, "second", 20, 30);
        QVERIFY(recording.takesStepsOf(3) && !recording.takesStepsOf(7));
        const auto profile = recording.finish("steps", "no job", {});
        VERIFY_VALUE(profile);
        QCOMPARE((*profile)->steps.size(), std::size_t{2});
        QCOMPARE((*profile)->steps.back().name, std::string("second"));
    }

    void copiesAreKnownByName() {
        for (const char *name :
             {"Memcpy HtoD (Pageable -> Device)", "Memcpy DtoD (Device -> Device)", "MemcpyH2D", "MemcpyDtoH", "MemcpyP2P",
              "Memcpy", "Memset", "Memset (Device)", "Memset 0", "MEMORY_COPY_DEVICE_TO_HOST", "__amd_rocclr_copyBuffer.kd",
              "__amd_rocclr_fillBufferAligned", "copy-start.3", "copy-done", "%copy-done.3 = f32[5]{0} copy-done(%copy-start.3)"})
            QCOMPARE(categoryOfKernel(name), Category::Copy);
        for (const char *name : {"copy_fusion.2", "%copy.2 = f32[5]{0} copy(%x)", "MemcpyKernel", "Memset32Kernel", "MemcpyHt",
                                 "MemcpyH", "MemcpyH2", "memcpy32_post", "void at::native::copy_kernel", "gemm", "", "Mem"})
            QCOMPARE(categoryOfKernel(name), Category::OtherCompute);
    }

    void shapesGiveBytes() {
        const auto profile = recordingOf(data + "two_gpus.xplane.pb");
        QVERIFY(profile);
        double bytes = 0;
        for (const Lane &lane : profile->timeline.lanes)
            for (std::size_t i = 0; i < lane.size(); ++i)
                if (profile->timeline.labels[static_cast<std::size_t>(lane.label[i])] == "all-reduce.3") {
                    QCOMPARE(lane.category[i], Category::AllReduce);
                    bytes += lane.sizeBytes[i];
                }
        COMPARE_CLOSE(bytes, 5 * 1024 * 4.0);
    }

    /// A TPU's ops wait for asynchronous copies and collectives, whose own times are on a line apart. All lines of a device are
    /// its worker's, also where modules come before ops.
    void transfersOfATpuAreNotCompute() {
        DevicePlane plane("/device:TPU:0",
                          {"%fusion.1 = f32[8]{0} fusion(%x)", "%copy-done.2 = f32[8]{0} copy-done(%copy-start.2)",
                           "%copy-start.2 = (f32[8]{0}, f32[8]{0}, u32[]) copy-start(%x)",
                           "%all-gather-start.3 = (f32[4]{0}, f32[8]{0}) all-gather-start(%x)",
                           "%all-gather-done.3 = f32[8]{0} all-gather-done(%all-gather-start.3)", "jit_f(1)"});
        plane.line("XLA Modules", {{6, 0, 100}});
        plane.line("XLA Ops", {{1, 0, 20}, {2, 20, 70}, {1, 70, 90}, {5, 90, 100}});
        plane.line("Async XLA Ops", {{3, 5, 95}, {4, 60, 100}}); // the copy hides nothing, but the wait for it until 70
        const Timeline timeline = plane.timeline();
        for (const Lane &lane : timeline.lanes)
            QVERIFY2(lane.worker == 0, lane.name.c_str());
        const AreaStatistics all = areaStatistics(timeline, 0, 100'000, 0);
        COMPARE_CLOSE(all.computeSeconds, 40e-6);
        COMPARE_CLOSE(all.copySeconds, 50e-6);
        COMPARE_CLOSE(all.communicationSeconds, 40e-6);
        COMPARE_CLOSE(all.overlappedSeconds, 20e-6);
        COMPARE_CLOSE(all.exposedSeconds, 10e-6);
        QVERIFY(categoriesOf(timeline, "TPU:0 Async XLA Ops") == (std::set{Category::OtherCompute, Category::OtherComm}));
    }

    /// Of an asynchronous collective, an op starts the transfer and another one waits for its end: one transfer, with the bytes
    /// of its result, whether or not a line of asynchronous ops repeats it. A half whose other half was not recorded stays.
    void asynchronousCollectivesAreOneTransfer() {
        const std::vector<std::string> names{
            "%fusion.1 = f32[8]{0} fusion(%x)",
            "%all-reduce-start.1 = f32[8]{0:T(8,128)} all-reduce-start(f32[8]{0} %x), channel_id=1, to_apply=%add",
            "%all-reduce-done.2 = f32[8]{0:T(8,128)} all-reduce-done(f32[8]{0} %all-reduce-start.1)",
            "%all-gather-start.3 = (f32[4]{0}, f32[8]{0}) all-gather-start(f32[4]{0} %y), channel_id=2",
            "%all-gather-done.3 = f32[8]{0} all-gather-done((f32[4]{0}, f32[8]{0}) %all-gather-start.3)",
            "collective-permute-start.4",
            "collective-permute-done.4"};
        const std::string lane = "TPU:0 XLA Ops communication";
        DevicePlane pairs("/device:TPU:0", names); // a done op, four pairs, of which two are of one op, and a start op
        pairs.line("XLA Ops", {{7, 0, 5},
                               {2, 10, 11},
                               {4, 11, 12},
                               {1, 12, 40},
                               {3, 40, 50},
                               {5, 50, 51},
                               {6, 60, 61},
                               {7, 65, 70},
                               {2, 70, 71},
                               {3, 80, 81},
                               {6, 90, 91}});
        const Timeline paired = pairs.timeline();
        QVERIFY((spansOf(paired, lane) == std::multiset<Span>{{"collective-permute-done.4", 0, 5'000},
                                                              {"all-reduce-start.1", 10'000, 40'000},
                                                              {"all-gather-start.3", 11'000, 40'000},
                                                              {"collective-permute-start.4", 60'000, 10'000},
                                                              {"all-reduce-start.1", 70'000, 11'000},
                                                              {"collective-permute-start.4", 90'000, 1'000}}));
        const AreaStatistics all = areaStatistics(paired, 0, 91'000, 0);
        COMPARE_CLOSE(all.communicationSeconds, (5 + 41 + 10 + 11 + 1) * 1e-6);
        COMPARE_CLOSE(all.overlappedSeconds, 28e-6);
        COMPARE_CLOSE(bytesOf(paired, "all-reduce-start.1"), 2 * 8 * 4.0);
        COMPARE_CLOSE(bytesOf(paired, "all-gather-start.3"), 8 * 4.0);

        // The done op of the first all-reduce and all of the all-gather but its start were not recorded.
        DevicePlane cut("/device:TPU:0", names);
        cut.line("XLA Ops", {{1, 0, 5}, {2, 10, 11}, {1, 12, 40}, {2, 50, 51}, {3, 60, 61}, {4, 70, 71}});
        QVERIFY((spansOf(cut.timeline(), lane) == std::multiset<Span>{{"all-reduce-start.1", 10'000, 1'000},
                                                                      {"all-reduce-start.1", 50'000, 11'000},
                                                                      {"all-gather-start.3", 70'000, 1'000}}));

        DevicePlane repeated("/device:TPU:0", names); // but for the second all-reduce
        repeated.line("Async XLA Ops", {{2, 10, 50}, {4, 11, 51}});
        repeated.line("XLA Ops",
                      {{1, 0, 5}, {2, 10, 11}, {4, 11, 12}, {1, 12, 40}, {3, 40, 50}, {5, 50, 51}, {2, 70, 71}, {3, 80, 81}});
        const Timeline once = repeated.timeline();
        QVERIFY((spansOf(once, "TPU:0 Async XLA Ops communication") ==
                 std::multiset<Span>{{"all-reduce-start.1", 10'000, 40'000}, {"all-gather-start.3", 11'000, 40'000}}));
        QVERIFY((spansOf(once, lane) == std::multiset<Span>{{"all-reduce-start.1", 70'000, 11'000}}));
        COMPARE_CLOSE(bytesOf(once, "all-reduce-start.1"), 2 * 8 * 4.0);
        COMPARE_CLOSE(bytesOf(once, "all-gather-start.3"), 8 * 4.0);
    }

    /// A loop's op lasts as long as the ops of its iterations, which are on the same line: it hides none of them. What it carries
    /// from one to the next may have any number of arrays, whose text comes before the opcode.
    void loopsDoNotCompute() {
        for (const std::string &carried : {std::string("f32[8]{0}"), manyArrays()}) {
            DevicePlane plane("/device:TPU:0",
                              {"%fusion.1 = f32[8]{0} fusion(%x)", "%all-reduce.2 = f32[8]{0} all-reduce(%y)",
                               "%while.3 = (s32[], " + carried + ") while(%tuple), condition=%c, body=%b",
                               "%conditional.4 = f32[8]{0} conditional(%p, %x, %y), branch_computations={%f, %g}"});
            // Nothing is in the conditionals; one begins together with the loop around it.
            plane.line("XLA Ops", {{3, 0, 100}, {4, 0, 10}, {1, 10, 40}, {2, 40, 70}, {1, 70, 100}, {4, 100, 110}});
            const AreaStatistics all = areaStatistics(plane.timeline(), 0, 110'000, 0);
            COMPARE_CLOSE(all.computeSeconds, (40 + 30 + 10) * 1e-6);
            COMPARE_CLOSE(all.communicationSeconds, 30e-6);
            COMPARE_CLOSE(all.overlappedSeconds, 0);
            COMPARE_CLOSE(all.exposedSeconds, 30e-6);
            QVERIFY((spansOf(plane.timeline(), "TPU:0 XLA Ops control flow") == std::multiset<Span>{{"while.3", 0, 100'000}}));
        }
    }

    /// XLA prints what an async-start begins as the opcode (openxla.org/xla/async_ops). Without that sugar it may be anything.
    void asynchronousOpsHaveTheirOpcode() {
        DevicePlane plane(
            "/device:TPU:0",
            {"%fusion.1 = f32[8]{0} fusion(%x)",
             "%async-start.7 = ((f32[8]{0:T(128)}), f32[4]{0}, u32[]) reduce-scatter-start(f32[8]{0} %x), to_apply=%add",
             "%async-done.9 = f32[4]{0} reduce-scatter-done(((f32[8]{0:T(128)}), f32[4]{0}, u32[]) %async-update.10)",
             "%async-start.8 = ((f32[8]{0}), f32[8]{0}, u32[]) async-start(f32[8]{0} %x), calls=%async_computation",
             "%async-update.10 = ((f32[8]{0:T(128)}), f32[4]{0}, u32[]) reduce-scatter-update("
             "((f32[8]{0:T(128)}), f32[4]{0}, u32[]) %async-start.7)"});
        plane.line("XLA Ops", {{2, 0, 1}, {1, 1, 20}, {5, 20, 21}, {1, 21, 30}, {3, 30, 40}, {4, 40, 41}});
        const Timeline timeline = plane.timeline();
        QVERIFY((spansOf(timeline, "TPU:0 XLA Ops communication") == std::multiset<Span>{{"async-start.7", 0, 40'000}}));
        QVERIFY(categoriesOf(timeline, "TPU:0 XLA Ops communication") == (std::set{Category::OtherComm}));
        COMPARE_CLOSE(bytesOf(timeline, "async-start.7"), 4 * 4.0);
        const AreaStatistics all = areaStatistics(timeline, 0, 41'000, 0);
        COMPARE_CLOSE(all.computeSeconds, 29e-6);
        COMPARE_CLOSE(all.overlappedSeconds, 28e-6);
    }

    /// A combined collective has a tuple of arrays, whose text may have any length before it names its start op.
    void combinedCollectivesCountAllTheirArrays() {
        const std::string arrays = manyArrays();
        DevicePlane plane("/device:TPU:0",
                          {"%all-reduce.5 = (f32[1024]{0:T(1024)}, /*index=1*/bf16[3,5]{1,0:T(8,128)(2,1)}) "
                           "all-reduce(f32[1024]{0} %a, bf16[3,5]{1,0} %b), channel_id=1",
                           "%all-reduce-start.3 = (" + arrays + ") all-reduce-start(%x)",
                           "%all-reduce-done.1 = (" + arrays + ") all-reduce-done((" + arrays + ") %all-reduce-start.3)"});
        plane.line("XLA Ops", {{1, 0, 5}, {2, 10, 11}, {3, 20, 30}});
        const Timeline timeline = plane.timeline();
        QVERIFY((spansOf(timeline, "TPU:0 XLA Ops communication") ==
                 std::multiset<Span>{{"all-reduce.5", 0, 5'000}, {"all-reduce-start.3", 10'000, 20'000}}));
        COMPARE_CLOSE(bytesOf(timeline, "all-reduce.5"), 1024 * 4 + 15 * 2.0);
        COMPARE_CLOSE(bytesOf(timeline, "all-reduce-start.3"), 400 * 16 * 4.0);
    }

    void endsBeyondEveryClockAreLeftOut() {
        const auto message = [](int number, const std::string &content) {
            return std::string(1, static_cast<char>((number << 3) | 2)) + static_cast<char>(content.size()) + content;
        };
        const std::string latest = std::string(8, '\xff') + '\x7f'; // the largest 64-bit number
        const std::string usable = std::string("\x08\x01\x10\x00\x18", 5) + "\x88\x27";
        const std::string endless = std::string("\x08\x01\x10", 3) + latest + '\x18' + latest;
        const std::string line = message(2, "Stream #1") + "\x18\xe8\x07" + message(4, usable) + message(4, endless);
        const std::string file = message(1, message(2, "/device:GPU:0") + message(3, line));
        const auto source = ByteSource::fromMemory(file);
        const auto profile = importXPlane(*source, "endless.xplane.pb", file);
        QVERIFY(profile);
        QVERIFY((*profile)->timeline.spanCount() == 1);
        QVERIFY((*profile)->eventCount == 2);
    }

    void longNamesAreCut() {
        RecordingBuilder recording;
        const std::string name(2 * RecordingBuilder::maxNameBytes, 'x');
        recording.add(recording.group(name, -1, false), 0, 10, Category::OtherCompute, recording.label("op"));
        recording.addStep(1, name, 0, 10);
        const auto profile = recording.finish("long", "no job", {});
        QVERIFY(profile);
        QVERIFY((*profile)->timeline.lanes.front().name.size() == RecordingBuilder::maxNameBytes);
        QVERIFY((*profile)->steps.front().name.size() == RecordingBuilder::maxNameBytes);
    }

    /// The environment variables in a rocpd file, which may be secrets, do not reach the profile.
    void theEnvironmentIsNotRead() {
        const auto profile = recordingOf(data + "rocpd_v3.db");
        QVERIFY(profile);
        const std::string secret = "do-not-show";
        QFile file(QString::fromStdString(data + "rocpd_v3.db"));
        QVERIFY(file.open(QFile::ReadOnly) && file.readAll().contains(secret.c_str())); // it is in the file
        for (const auto *texts : {&profile->timeline.labels, &profile->read, &profile->inferred, &profile->job.notes})
            for (const std::string &text : *texts)
                QVERIFY(text.find(secret) == std::string::npos && text.find("TOKEN") == std::string::npos);
        for (const Lane &lane : profile->timeline.lanes)
            QVERIFY(lane.name.find(secret) == std::string::npos);
    }

    void rowsAreProgress() {
        Progress progress;
        QVERIFY(importRocpd(data + "rocpd_v3.db", {}, {}, &progress));
        QCOMPARE(progress.done.load(), std::uint64_t{21}); // 3 strings and agents, 2 symbols, a thread, a stream, 11 rows of work
        QCOMPARE(progress.total.load(), progress.done.load() + 69); // the only thread has the row id 70
    }

    /// A project stores the recording's path, shows it again from there, and contains no copy of it.
    void projectsKeepNoCopy() {
        const QTemporaryDir folder;
        const std::string file = folder.filePath("p.syncopate").toStdString(), source = data + "rocpd_v3.db";
        const auto loaded = loadJobOrRecording(source);
        QVERIFY(loaded);
        Project project;
        project.present.source = source;
        project.present.job = loaded->job;
        project.present.profile = loaded->profile;
        project.present.sides[0] = {Measured{}, "fifo"};
        project.present.sides[1] = {Built{"AllReduce()"}, "ddp"};
        project.present.compare = false;
        project.present.cluster = std::make_shared<const Cluster>(*catalogueCluster("B7"));
        project.present.clusterSource = "B7";
        QVERIFY(writeProject(project, file));
        QFile bytes(QString::fromStdString(file));
        QVERIFY(bytes.open(QFile::ReadOnly) && !bytes.readAll().contains("do-not-show"));
        const auto read = readProject(file);
        VERIFY_VALUE(read);
        QVERIFY(read->losses.empty() && read->present.profile && read->present.job && isRecordingOnly(*read->present.job));
        QCOMPARE(read->present.profile->timeline.spanCount(), loaded->profile->timeline.spanCount());
        // Once the recording is gone, the project opens and reports only that as lost.
        project.present.source = folder.filePath("gone.db").toStdString();
        QVERIFY(writeProject(project, file));
        const auto without = readProject(file);
        QVERIFY(without && without->losses.size() == 1 && !without->present.job);
    }

    /// If a job is required they are refused by name, as before.
    void aJobIsNotMadeOfThem() {
        for (const auto &[file, what] : {std::pair{"rocpd_v3.db", "rocpd"}, std::pair{"two_gpus.xplane.pb", "XPlane"},
                                         std::pair{"two_gpus.pftrace", "Perfetto"}}) {
            const auto job = loadJob(data + file);
            QVERIFY(!job);
            QVERIFY2(job.error().what.find(what) != std::string::npos, job.error().what.c_str());
            const auto recording = loadJobOrRecording(data + file);
            QVERIFY(recording && recording->profile && isRecordingOnly(*recording->job));
        }
    }

    /// Inference: a Kineto trace without a backward pass shows its kernels and says why nothing is simulated.
    void inferenceIsARecording() {
        const QTemporaryDir folder;
        tiny::Spelling spelling;
        std::string text = "[" + tiny::host(spelling, "cpu_op", "1", "aten::conv2d", 10, 20, "\"External id\": 5") + "," +
                           tiny::launch(spelling, "1", 12, 1) + "," + tiny::device(spelling, "7", "conv", 100, 40, 1) + "," +
                           tiny::device(spelling, "7", "relu", 150, 5, 2);
        spelling.kernel = "gpu_memcpy";
        text += "," + tiny::device(spelling, "7", "Memcpy DtoH (Device -> Pinned)", 160, 20, 3) + "]";
        ranks::write(folder.filePath("inference.json"), text);
        const std::string path = folder.filePath("inference.json").toStdString();
        const auto refused = importProfile(path);
        QVERIFY(!refused);
        const auto profile = recordingOf(path);
        QVERIFY(profile && isRecordingOnly(profile->job));
        QVERIFY2(whyNoJob(profile->job).find(refused.error().what) != std::string::npos, whyNoJob(profile->job).c_str());
        const Sum kernels = sumOf(profile->timeline, "kernels stream 7");
        QCOMPARE(kernels.spans, std::size_t{2});
        QCOMPARE(kernels.busy, Nanoseconds{45'000});
        QVERIFY(!spansOf(profile->timeline, "host thread 1").empty());
        QVERIFY(categoriesOf(profile->timeline, "host thread 1") == std::set{Category::Host});
        QVERIFY(categoriesOf(profile->timeline, "device 0 kernels") == std::set{Category::OtherCompute});
        QVERIFY(categoriesOf(profile->timeline, "device 0 memory") == std::set{Category::Copy});
    }

    /// Inference on a CPU: without a device the threads do the computing.
    void withoutADeviceThreadsCompute() {
        const QTemporaryDir folder;
        ranks::write(folder.filePath("cpu.json"),
                     "[" + tiny::host(tiny::Spelling(), "cpu_op", "1", "aten::conv2d", 10, 20, "\"External id\": 5") + "]");
        const auto profile = recordingOf(folder.filePath("cpu.json").toStdString());
        QVERIFY(profile);
        QVERIFY(categoriesOf(profile->timeline, "host thread 1") == std::set{Category::OtherCompute});
    }

    void whatHoldsNothingIsStillRefused() {
        const QTemporaryDir folder;
        const auto refusedAs = [&](const std::string &bytes, const char *what) {
            ranks::write(folder.filePath("file"), bytes);
            const auto profile = importRecording(folder.filePath("file").toStdString());
            return !profile && profile.error().toString().find(what) != std::string::npos && !profile.error().remedy.empty();
        };
        QVERIFY(refusedAs("hello", "not JSON"));
        QVERIFY(refusedAs("{\"traceEvents\": []}", "no events"));
        QFile whole(QString::fromStdString(data + "two_gpus.xplane.pb"));
        QVERIFY(whole.open(QFile::ReadOnly));
        const std::string bytes = whole.readAll().toStdString();
        QVERIFY(refusedAs(bytes.substr(0, bytes.size() - 20), "reaches beyond its message") ||
                refusedAs(bytes.substr(0, bytes.size() - 20), "cut off"));
        std::string filtered = "\n\xef\xbf\xbd\x01\x12\x0d/device:GPU:0";
        for (int i = 0; i < 40; ++i)
            filtered += "\xef\xbf\xbd";
        QVERIFY(refusedAs(filtered, "in binary mode"));
        QFile database(QString::fromStdString(data + "rocpd_v3.db"));
        QVERIFY(database.open(QFile::ReadOnly));
        QVERIFY(refusedAs(database.read(20000).toStdString(), "damaged or cut off"));
    }

    void othersFiles_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("lane");
        QTest::addColumn<int>("spans");
        QTest::addColumn<double>("nanoseconds");
        QTest::addColumn<double>("tolerance");
        const auto row = [](const char *file, const char *lane, int spans, double nanoseconds, double tolerance = 0) {
            QTest::addRow("%s %s", file, lane) << file << lane << spans << nanoseconds << tolerance;
        };
        row("rocpd/made_v3_ddp_2gpu.db", "GPU 0", 20, 33'000'000);
        row("rocpd/amd_synthetic_v3_reduced.db", "kernels", 2, 3'000'000);
        row("rocpd/amd_synthetic_v3_reduced.db", "copies", 2, 600'000);
        row("rocpd/amd_synthetic_v3_reduced.db", "host thread", 2, 8'000'000);
        // Picoseconds in the file, whole nanoseconds here.
        row("xplane/jax_te_attention_mi355_1gpu.xplane.pb", "Stream #2", 150, 12'133'585, 1e-4);
        row("xplane/jax_gemm_mi300_1gpu.xplane.pb", "Stream #", 54, 3'475'484, 1e-4);
        row("xplane/tpu_v6e_4chips_allreduce.xplane.pb.gz", "TPU:0 XLA Ops communication", 3, 365'076'000, 1e-5);
        row("xplane/tpu_v6e_4chips_allreduce.xplane.pb.gz", "TPU:0 Async XLA Ops", 600, 197'605'762'000, 1e-5);
        row("pftrace/track_event_counters.pftrace", "t1", 3, 500);
        row("pftrace/gpu_compute_launch.pftrace", "GPU 0", 1, 50);
    }
    void othersFiles() {
        REQUIRE_FOREIGN_TRACE("rocpd");
        REQUIRE_FOREIGN_TRACE("xplane");
        REQUIRE_FOREIGN_TRACE("pftrace");
        QFETCH(QString, file);
        QFETCH(QString, lane);
        QFETCH(int, spans);
        QFETCH(double, nanoseconds);
        QFETCH(double, tolerance);
        const auto profile = recordingOf(testing::foreignTrace(file.toStdString()));
        QVERIFY(profile);
        const Sum sum = sumOf(profile->timeline, lane.toStdString());
        QCOMPARE(static_cast<int>(sum.spans), spans);
        COMPARE_CLOSE(static_cast<double>(sum.busy), nanoseconds, tolerance);
    }

    /// The same step as Kineto JSON and as Perfetto: 245 kernels, 8 of them NCCL's.
    void perfettoIsTheKinetoTrace() {
        REQUIRE_FOREIGN_TRACE("pftrace");
        const auto profile = recordingOf(testing::foreignTrace("pftrace/made_dlrm_rank0.pftrace"));
        QVERIFY(profile);
        Nanoseconds nccl = 0, all = 0;
        std::size_t count = 0;
        for (const Lane &lane : profile->timeline.lanes)
            for (std::size_t i = 0; i < lane.size() && lane.worker >= 0; ++i) {
                const Nanoseconds length = lane.end[i] - lane.start[i];
                ++count;
                all += length;
                nccl += profile->timeline.labels[static_cast<std::size_t>(lane.label[i])].starts_with("nccl") ? length : 0;
            }
        QCOMPARE(nccl, Nanoseconds{5'798'000});
        COMPARE_AT_LEAST(count, 245);
        COMPARE_AT_LEAST(all, 6'832'000);
        QCOMPARE(profile->timeline.duration, Nanoseconds{14'504'000});
    }

    void damagedAndForeignOnesAreNamed() {
        REQUIRE_FOREIGN_TRACE("xplane");
        REQUIRE_FOREIGN_TRACE("rocpd");
        for (const auto &[file, what] : {std::pair{"xplane/damaged_by_utf8_tpu.xplane.pb.gz", "EF BF BD"},
                                         std::pair{"rocpd/not_a_trace_rocprof_compute.db.gz", "gzip"}}) {
            const auto profile = importRecording(testing::foreignTrace(file));
            QVERIFY2(!profile, file);
            QVERIFY2(profile.error().what.find(what) != std::string::npos, profile.error().toString().c_str());
        }
    }
};

QTEST_GUILESS_MAIN(TestRecordings)
#include "tst_recordings.moc"
