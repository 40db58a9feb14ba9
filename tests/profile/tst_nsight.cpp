// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/nsight/nsight.h"
#include "engine/profile/recording/recording.h"
#include "tests/checks.h"
#include "tests/foreign_traces.h"
#include "tests/sqlite_circles.h"

#include <QtTest>

#include <QDir>
#include <QTemporaryDir>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <sqlite3.h>

using namespace syncopate;

namespace {

const std::string captures = testing::foreignTrace("nsys_sqlite/");

/// A capture of one training step per process: forward 100 + 50, backward 60 + 120, update 10 (microseconds), and an all-reduce
/// of 40, 30 of which overlap the backward pass.
class Capture {
public:
    explicit Capture(const QString &path, bool old = false) : m_old(old) {
        sqlite3_open(path.toUtf8().constData(), &m_database);
        run("CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL)");
        run(fmt::format("CREATE TABLE {} (name TEXT, value TEXT)", old ? "EXPORT_META_DATA" : "META_DATA_EXPORT"));
        run(fmt::format("INSERT INTO {} VALUES ('EXPORT_SCHEMA_VERSION', '{}')", old ? "EXPORT_META_DATA" : "META_DATA_EXPORT",
                        old ? "2.9.1" : "3.25.0"));
        run(fmt::format(
            "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, "
            "streamId INTEGER NOT NULL, correlationId INTEGER, {} shortName INTEGER NOT NULL)",
            old ? "" : "globalPid INTEGER,"));
        run("CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid INTEGER, correlationId INTEGER, "
            "nameId INTEGER)");
        run("CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT, globalTid INTEGER, textId "
            "INTEGER)");
        run("INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel'), (2, 'gemm'), (3, 'ncclDevKernel_AllReduce_Sum_f32_RING_LL'), "
            "(4, 'aten::linear, seq = 1, op_id = 7')");
    }
    ~Capture() { sqlite3_close(m_database); }
    Capture(const Capture &) = delete;
    Capture &operator=(const Capture &) = delete;

    void addStep(std::int64_t process, int device) {
        const std::int64_t pid = process << 24, mainThread = pid | 1, backwardThread = pid | 2;
        const auto range = [&](std::int64_t thread, const char *text, int at, int length) {
            run(fmt::format("INSERT INTO NVTX_EVENTS VALUES ({}, {}, 59, {}, {}, {})", at * 1000, (at + length) * 1000,
                            std::string(text) == "4" ? "NULL" : fmt::format("'{}'", text), thread,
                            std::string(text) == "4" ? "4" : "NULL"));
        };
        const auto kernel = [&](std::int64_t thread, int launched, int at, int length, int stream, int name) {
            ++m_correlation; // the same ids in every process
            run(fmt::format("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES ({}, {}, {}, {}, 1)", launched * 1000,
                            launched * 1000 + 500, thread, m_correlation));
            run(fmt::format("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES ({}, {}, {}, {}, {}, {} {})", at * 1000,
                            (at + length) * 1000, device, stream, m_correlation, m_old ? std::string() : fmt::format("{},", pid),
                            name));
        };
        m_correlation = 0;
        range(mainThread, "iteration 3", 0, 400);
        range(mainThread, "4", 10, 10);
        kernel(mainThread, 12, 100, 100, 7, 2);
        range(mainThread, "aten::linear, seq = 2, op_id = 8, sizes = [[32, 4], [8, 4]]", 22, 10);
        kernel(mainThread, 24, 200, 50, 7, 2);
        range(backwardThread, "autograd::engine::evaluate_function: AddmmBackward0, seq = 2", 40, 10);
        kernel(backwardThread, 42, 250, 60, 7, 2);
        range(backwardThread, "autograd::engine::evaluate_function: AddmmBackward0, seq = 1", 52, 10);
        kernel(backwardThread, 54, 310, 120, 7, 2);
        range(backwardThread, "torch::autograd::AccumulateGrad, op_id = 9, sizes = [[8, 4]]", 63, 5);
        kernel(backwardThread, 64, 400, 40, 20, 3);
        range(mainThread, "Optimizer.step#SGD.step", 80, 20);
        kernel(mainThread, 82, 440, 10, 7, 2);
    }
    void run(const std::string &sql) {
        char *message = nullptr;
        if (sqlite3_exec(m_database, sql.c_str(), nullptr, nullptr, &message) != SQLITE_OK)
            qFatal("%s: %s", sql.c_str(), message);
    }

private:
    sqlite3 *m_database = nullptr;
    bool m_old;
    int m_correlation = 0;
};

/// Returns `path`, with a capture of one step modified by `statement`.
QString captured(const QString &path, const char *statement) {
    Capture capture(path);
    capture.addStep(144, 0);
    capture.run(statement);
    return path;
}

} // namespace

class TestNsight : public QObject {
    Q_OBJECT

private slots:
    void copiesAndFills() {
        QTemporaryDir folder;
        const QString path = folder.filePath("copies.sqlite");
        {
            Capture capture(path);
            capture.addStep(144, 0);
            for (const char *table : {"MEMCPY", "MEMSET"})
                capture.run(
                    fmt::format("CREATE TABLE CUPTI_ACTIVITY_KIND_{} (start INTEGER, end INTEGER, deviceId INTEGER, streamId "
                                "INTEGER, correlationId INTEGER, globalPid INTEGER, copyKind INTEGER)",
                                table));
            capture.run(fmt::format("INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (460000, 465000, 0, 7, 90, {}, 2)",
                                    std::int64_t{144} << 24));
            capture.run(fmt::format("INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (470000, 473000, 0, 7, 91, {}, NULL)",
                                    std::int64_t{144} << 24));
        }
        const auto profile = importProfile(path.toStdString());
        VERIFY_VALUE(profile);
        std::map<std::string, Category> found;
        for (const Lane &lane : (*profile)->timeline.lanes)
            for (std::size_t i = 0; i < lane.size(); ++i)
                found[(*profile)->timeline.labels[static_cast<std::size_t>(lane.label[i])]] = lane.category[i];
        QCOMPARE(found.at("Memcpy DtoH"), Category::Copy);
        QCOMPARE(found.at("Memset"), Category::Copy);
        QVERIFY(found.at("gemm") != Category::Copy);
    }

    /// Further tables may have any name, also a keyword of SQL.
    void tablesCalledAsKeywords() {
        QTemporaryDir folder;
        const auto plain = importProfile(captured(folder.filePath("plain.sqlite"), "SELECT 1").toStdString());
        const auto beside =
            importProfile(captured(folder.filePath("order.sqlite"), "CREATE TABLE \"order\" (\"group\" INTEGER)").toStdString());
        VERIFY_VALUE(plain);
        VERIFY_VALUE(beside);
        QCOMPARE((*beside)->timeline.spanCount(), (*plain)->timeline.spanCount());
    }

    void step_data() {
        QTest::addColumn<bool>("old");
        QTest::newRow("3.25") << false;
        QTest::newRow("2.9") << true; // no globalPid, and the older name of the version's table
    }
    void step() {
        QFETCH(bool, old);
        QTemporaryDir folder;
        const QString path = folder.filePath("what?is #this%.sqlite");
        { Capture(path, old).addStep(144, 0); }
        Progress progress;
        const auto profile = importProfile(path.toStdString(), {}, {}, &progress);
        VERIFY_VALUE(profile);
        QCOMPARE(progress.done.load(), progress.total.load());
        VERIFY_VALUE(readNsight("/" + path.toStdString())); // the same file; in a URI, what follows two slashes names a host
        const ImportedProfile &p = **profile;
        QCOMPARE(p.steps.size(), std::size_t{1});
        QCOMPARE(p.steps[0].name, std::string("ProfilerStep#3"));
        COMPARE_WITHIN(p.steps[0].forwardSeconds, 150e-6, 1e-12);
        COMPARE_WITHIN(p.steps[0].backwardSeconds, 180e-6, 1e-12);
        COMPARE_WITHIN(p.steps[0].updateSeconds, 10e-6, 1e-12);
        COMPARE_WITHIN(p.steps[0].communicationSeconds, 40e-6, 1e-12);
        COMPARE_WITHIN(p.overlap[0].hiddenSeconds, 30e-6, 1e-12);
        QCOMPARE(p.overlap[0].communicationKernels, std::uint64_t{1});
        QCOMPARE(p.job.batchSize, 32.0);
        QVERIFY(p.read.front().find(old ? "2.9.1" : "3.25.0") != std::string::npos);
        QVERIFY(p.read.front().find("CUPTI_ACTIVITY_KIND_MEMCPY") != std::string::npos); // reported as missing
        QVERIFY(validateJob(p.job));
    }

    /// Two processes with the same correlation ids are two ranks on one clock.
    void processes() {
        QTemporaryDir folder;
        const QString path = folder.filePath("two.sqlite");
        {
            Capture capture(path);
            capture.addStep(144, 0);
            capture.addStep(145, 1);
        }
        const auto capture = readNsight(path.toStdString());
        QVERIFY(capture && capture->processes.size() == 2);
        QCOMPARE(capture->processes[1].globalPid >> 24, std::int64_t{145});
        QCOMPARE(capture->processes[1].device, std::int64_t{1});
        const auto profile = importProfile(path.toStdString());
        VERIFY_VALUE(profile);
        QCOMPARE((*profile)->ranks.size(), std::size_t{2});
        QCOMPARE((*profile)->overlap.size(), std::size_t{2});
        COMPARE_WITHIN((*profile)->ranks[1].clockOffsetSeconds, 0, 1e-9);
        COMPARE_WITHIN((*profile)->job.backwardSeconds(), 180e-6, 1e-12);
        const auto measured = measureOverlap(path.toStdString());
        VERIFY_VALUE(measured);
        std::vector<std::pair<std::int64_t, std::string>> got; // rank and device: the first process has rank 0
        for (const OverlapFigures &figures : *measured)
            got.emplace_back(figures.rank, figures.device);
        QVERIFY((got == std::vector<std::pair<std::int64_t, std::string>>{{0, "0"}, {1, "1"}}));
    }

    /// Above a process's 24 bits an id has those of its machine (Nsight Systems' user guide: PID = globalTid / 0x1000000 %
    /// 0x1000000).
    void processesAreNamedByTheirNumber() {
        QTemporaryDir folder;
        const QString path = folder.filePath("machine.sqlite");
        {
            Capture capture(path);
            capture.addStep(std::int64_t{1} << 24 | 144, 0);
            capture.addStep(std::int64_t{1} << 24 | 145, 1);
        }
        const auto profile = importProfile(path.toStdString());
        VERIFY_VALUE(profile);
        QCOMPARE((*profile)->ranks.size(), std::size_t{2});
        QCOMPARE((*profile)->ranks[0].file, path.toStdString() + ":process 144");
        QCOMPARE((*profile)->ranks[1].file, path.toStdString() + ":process 145");
    }

    /// A recording without ops of two processes, each of which has a range of the one step.
    void stepsOfProcessesCountOnce() {
        QTemporaryDir folder;
        const QString path = folder.filePath("ranges.sqlite");
        {
            Capture capture(path);
            capture.addStep(144, 0);
            capture.addStep(145, 1);
            capture.run("DELETE FROM NVTX_EVENTS WHERE text IS NULL OR text NOT LIKE 'iteration%'");
        }
        const auto recording = importRecording(path.toStdString());
        VERIFY_VALUE(recording);
        QVERIFY((*recording)->job.layers.empty());
        QCOMPARE((*recording)->steps.size(), std::size_t{1});
        QCOMPARE((*recording)->steps[0].name, std::string("ProfilerStep#3"));
    }

    /// The figures of the traces' index; none of these captures contains a training step.
    void realCaptures() {
        REQUIRE_FOREIGN_TRACE("nsys_sqlite");
        struct Figures {
            const char *file;
            std::uint64_t kernels, collectives, copies;
            double compute, communication, hidden, busy;
        };
        const std::vector<Figures> rows{{"mfu_2gpu_before", 1960, 33, 643, 253.691, 17.173, 0, 273.818},
                                        {"mfu_2gpu_before", 1984, 33, 646, 256.096, 8.229, 0, 267.276},
                                        {"rtx3080_tiny_nsys2026.1", 2, 0, 1, 0.004, 0, 0, 0.006},
                                        {"saxpy-mpi-cuda_nsys_perlmutter0", 5, 0, 15, 88.573, 0, 0, 373.273}};
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const Figures &row = rows[i];
            const auto all = measureOverlap(captures + row.file + ".sqlite");
            VERIFY_VALUE(all);
            QCOMPARE(all->size(), std::size_t{i < 2 ? 2U : 1U});
            const OverlapFigures &f = (*all)[i == 1 ? 1 : 0];
            QCOMPARE(f.computeKernels, row.kernels);
            QCOMPARE(f.communicationKernels, row.collectives);
            QCOMPARE(f.copies, row.copies);
            COMPARE_WITHIN(f.computeSeconds * 1e3, row.compute, 0.00051, row.file);
            COMPARE_WITHIN(f.communicationSeconds * 1e3, row.communication, 0.00051, row.file);
            COMPARE_WITHIN(f.hiddenSeconds * 1e3, row.hidden, 0.00051, row.file);
            COMPARE_WITHIN(f.busySeconds * 1e3, row.busy, 0.00051, row.file);
            const auto profile = importProfile(captures + row.file + ".sqlite");
            QVERIFY(!profile && !profile.error().remedy.empty());
        }
        const auto capture = readNsight(captures + "mfu_2gpu_before.sqlite");
        QVERIFY(capture);
        QCOMPARE(capture->schema, std::string("3.25.0"));
        std::size_t ranges = 0, kernels = 0;
        for (const NsightProcess &process : capture->processes) {
            for (const TraceEvent &event : process.trace.events) {
                ranges += event.kind == EventKind::Operator || event.kind == EventKind::Annotation ? 1 : 0;
                kernels += event.kind == EventKind::Kernel ? 1 : 0;
            }
        }
        QCOMPARE(ranges, std::size_t{19118});
        QCOMPARE(kernels, std::size_t{4010});
    }

    /// Pages that refer to each other in circles are tables with any number of rows in a file of a few kilobytes.
    void endlessRows_data() {
        QTest::addColumn<QString>("table");
        for (const char *table : {"CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_RUNTIME", "NVTX_EVENTS", "META_DATA_EXPORT"})
            QTest::newRow(table) << QString(table);
    }
    void endlessRows() {
        QFETCH(QString, table);
        QTemporaryDir folder;
        const QString path = folder.filePath("circles.sqlite");
        { Capture(path).addStep(144, 0); }
        testing::nameInCircles(path.toStdString(), table.toStdString(), 4);
        Progress progress;
        const auto profile = importProfile(path.toStdString(), {}, {}, &progress);
        if (table == "META_DATA_EXPORT") { // only its first row, the schema's version, is read
            VERIFY_VALUE(profile);
            return;
        }
        QVERIFY(!profile);
        QVERIFY2(profile.error().what.find("in circles") != std::string::npos, profile.error().toString().c_str());
        QCOMPARE(profile.error().file, path.toStdString());
        COMPARE_BELOW(progress.done.load(), std::filesystem::file_size(path.toStdString()));
    }

    /// Rows dropped by a filter cost time without producing an event.
    void endlessWork() {
        QTemporaryDir folder;
        const QString path = captured(folder.filePath("circles.sqlite"), "UPDATE NVTX_EVENTS SET eventType = 60");
        testing::nameInCircles(path.toStdString(), "NVTX_EVENTS", 4);
        const auto profile = importProfile(path.toStdString());
        QVERIFY(!profile);
        QVERIFY2(profile.error().what.find("in circles") != std::string::npos, profile.error().toString().c_str());
    }

    /// The events' memory is limited as for other formats, and the error says how to proceed.
    void memoryIsBounded() {
        QTemporaryDir folder;
        const QString path =
            captured(folder.filePath("large.sqlite"),
                     "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000) INSERT INTO "
                     "CUPTI_ACTIVITY_KIND_KERNEL SELECT 1000 * i, 1000 * i + 1, 0, 7, -1, 144 << 24, 2 FROM n");
        ImportOptions options;
        options.limitBytes = 1 << 20;
        const auto refused = importProfile(path.toStdString(), options);
        QVERIFY(!refused);
        QVERIFY2(refused.error().toString().find("1.0 MiB") != std::string::npos, refused.error().toString().c_str());
        QVERIFY2(refused.error().remedy.find("--limit") != std::string::npos, refused.error().toString().c_str());
        options.limitBytes = 64 << 20;
        const auto read = importProfile(path.toStdString(), options);
        VERIFY_VALUE(read);
    }

    /// The advice on what to record uses the options of the recording tool.
    void adviceIsForNsys() {
        QTemporaryDir folder;
        const QString path = captured(folder.filePath("kernels.sqlite"), "DELETE FROM NVTX_EVENTS");
        const auto refused = importProfile(path.toStdString());
        QVERIFY(!refused);
        QVERIFY2(refused.error().remedy.find("nsys profile") != std::string::npos, refused.error().toString().c_str());
        QVERIFY2(refused.error().remedy.find("torch.profiler") == std::string::npos, refused.error().toString().c_str());
    }

    void strangers() {
        QTemporaryDir folder;
        const auto make = [&](const char *name, const std::vector<std::string> &statements) {
            const QString path = folder.filePath(name);
            sqlite3 *database = nullptr;
            sqlite3_open(path.toUtf8().constData(), &database);
            for (const std::string &sql : statements)
                sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr);
            sqlite3_close(database);
            return path.toStdString();
        };
        const auto refused = [&](const std::string &path, const char *says) {
            const auto profile = importProfile(path);
            return !profile && profile.error().toString().find(says) != std::string::npos && !profile.error().remedy.empty();
        };
        QVERIFY(refused(make("other.sqlite", {"CREATE TABLE bookmarks (url TEXT)"}), "not of Nsight"));
        QVERIFY(refused(make("shop.sqlite", {"CREATE TABLE \"order\" (id INTEGER)", "CREATE TABLE \"group\" (id INTEGER)"}),
                        "not of Nsight"));
        QVERIFY(refused(make("columns.sqlite", {"CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER)"}),
                        "no column deviceId"));
        // A view in place of a table is not executed.
        QVERIFY(refused(make("view.sqlite",
                             {"CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 "
                              "FROM c) SELECT x AS start, x AS end, 0 AS deviceId, 0 AS streamId FROM c"}),
                        "not of Nsight"));
        QVERIFY(
            refused(make("text.sqlite",
                         {"CREATE TABLE NVTX_EVENTS (start TEXT, end TEXT, eventType INTEGER, globalTid TEXT)",
                          "INSERT INTO NVTX_EVENTS VALUES ('a', 'NaN', 59, 'x'), (9e99, -9e99, 59, NULL), (NULL, NULL, 59, 1)"}),
                    "no backward pass"));
        // A truncated capture, or one with damaged pages, is an error or is read in part; never a crash.
        const QString whole = folder.filePath("whole.sqlite");
        { Capture(whole).addStep(1, 0); }
        std::ifstream in(whole.toStdString(), std::ios::binary);
        const std::string bytes((std::istreambuf_iterator<char>(in)), {});
        for (std::size_t cut = 512; cut < bytes.size(); cut += 4096) {
            std::ofstream(folder.filePath("cut.sqlite").toStdString(), std::ios::binary) << bytes.substr(0, cut);
            QVERIFY(!importProfile(folder.filePath("cut.sqlite").toStdString()));
        }
        for (std::size_t at = 100; at < bytes.size(); at += 1031) {
            std::string damaged = bytes;
            damaged[at] = static_cast<char>(damaged[at] ^ 0x5a);
            std::ofstream(folder.filePath("damaged.sqlite").toStdString(), std::ios::binary) << damaged;
            const auto read = importProfile(folder.filePath("damaged.sqlite").toStdString());
            QVERIFY(read ? validateJob((*read)->job).has_value() : !read.error().what.empty());
        }
        std::stop_source stop;
        stop.request_stop();
        const auto stopped = readNsight(whole.toStdString(), stop.get_token());
        QVERIFY(!stopped && stopped.error().isCancelled());
    }
};

QTEST_GUILESS_MAIN(TestNsight)
#include "tst_nsight.moc"
