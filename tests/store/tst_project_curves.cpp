// SPDX-License-Identifier: GPL-3.0-or-later
// Throughput curves in project files: unchanged after saving, in older files, in damaged ones.
#include "engine/store/database.h"
#include "engine/store/project_file.h"

#include <QtTest>

#include <QTemporaryDir>
#include <cmath>
#include <limits>

using namespace syncopate;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

SessionState stateOf(const std::string &jobName, const std::string &cluster) {
    SessionState state;
    const auto loaded = loadJob(jobName);
    state.source = jobName;
    state.job = loaded->job;
    state.clusterSource = cluster;
    state.cluster = std::make_shared<const Cluster>(*catalogueCluster(cluster));
    return state;
}

KeptCurve curveOf(const SessionState &state, const PredictSetting &setting) {
    auto forecast = prepareForecast(state, setting);
    if (!forecast)
        qFatal("%s", forecast.error().toString().c_str());
    forecast->prediction = *predictCurve(*forecast->request);
    forecast->steps = setting.steps;
    KeptCurve curve;
    curve.setting = setting;
    curve.forecast = std::make_shared<const Forecast>(*std::move(forecast));
    return curve;
}

/// Every knob differs from its default in one curve or the other.
Project someProject() {
    Project project;
    project.present = stateOf("alexnet", "A2");
    PredictSetting first;
    first.workers = {1, 2, 3, 5};
    first.servers = 2;
    first.bandwidthGbits = 1.0 / 3;
    first.windowBytes = 65535;
    first.order = TransferOrder::Tac;
    first.sharing = LinkSharing::Uneven;
    first.background = {{false, 0, true, 0.125, 2, 1.0 / 3}, {true, 1, false, 0, 1e-7, 0.5}};
    first.batchSize = 17;
    first.steps = 60;
    first.warmUp = 7;
    first.starts = 3;
    first.seed = 99;
    first.gain = 0.07;
    PredictSetting second;
    second.workers = workersUpTo(3);
    second.perLayer = true;
    second.sharing = LinkSharing::Tcp;
    second.tcpWindowBytes = 123456;
    second.steps = 50;
    second.recordedGbits = 2.5;
    SessionState other = stateOf("googlenet", "B7");
    other.bandwidthGbits = 3;
    other.side(Side::A).cluster = std::make_shared<const Cluster>(withBandwidth(*catalogueCluster("A2"), 7.7));
    other.side(Side::A).clusterSource = "own.yml";
    KeptCurve present;
    present.name = "present";
    present.setting.windowBytes.reset();
    present.setting.overhead = ParsingOverhead{2e-10, 5e-5};
    present.setting.overheadNote = "Parsing was fitted.";
    present.setting.staleness = 3;
    present.measured = {"ours, ünïcode", true, {{1, 2.5}, {2, 1.0 / 3}, {2, 4}}};
    KeptCurve kept = curveOf(project.present, first);
    kept.name = "before \"the\" change";
    kept.color = 3;
    kept.shown = false;
    kept.measured = {"", false, {{1, 100}}};
    project.curves = {present, kept, curveOf(other, second)};
    project.curves.back().name = "another job";
    return project;
}

bool same(const Prediction &a, const Prediction &b) {
    const auto samePoint = [&](const CurvePoint &x, const CurvePoint &y) {
        const Throughput &s = x.throughput, &t = y.throughput;
        return s.workers == t.workers && s.samplesPerSecond == t.samplesPerSecond && s.low == t.low && s.high == t.high &&
               s.saturated == t.saturated && s.events == t.events && s.ops == t.ops && x.starts == y.starts &&
               x.cynthia == y.cynthia && x.queueing == y.queueing && s.utilisation == t.utilisation;
    };
    const StepPhases &p = a.phases, &q = b.phases;
    return std::equal(a.points.begin(), a.points.end(), b.points.begin(), b.points.end(), samePoint) &&
           a.bottleneckWorkers == b.bottleneckWorkers && p.downlinkSeconds == q.downlinkSeconds &&
           p.computeSeconds == q.computeSeconds && p.uplinkSeconds == q.uplinkSeconds && p.updateSeconds == q.updateSeconds &&
           p.busyComputeSeconds == q.busyComputeSeconds && p.transferSeconds == q.transferSeconds && a.events == b.events &&
           a.ops == b.ops && a.wallSeconds == b.wallSeconds && a.assumptions == b.assumptions;
}

bool same(const KeptCurve &a, const KeptCurve &b) {
    const auto samePoint = [](const MeasuredPoint &x, const MeasuredPoint &y) {
        return x.workers == y.workers && x.perSecond == y.perSecond;
    };
    if (a.name != b.name || a.color != b.color || a.shown != b.shown || a.setting != b.setting || !a.forecast != !b.forecast ||
        a.measured.name != b.measured.name || a.measured.inSteps != b.measured.inSteps ||
        !std::equal(a.measured.points.begin(), a.measured.points.end(), b.measured.points.begin(), b.measured.points.end(),
                    samePoint))
        return false;
    return !a.forecast || (a.forecast->setting == b.forecast->setting && a.forecast->steps == b.forecast->steps &&
                           a.forecast->facts == b.forecast->facts && same(a.forecast->prediction, b.forecast->prediction));
}

bool same(const std::vector<KeptCurve> &a, const std::vector<KeptCurve> &b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const KeptCurve &x, const KeptCurve &y) { return same(x, y); });
}

} // namespace

class TestProjectCurves : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    Project m_project;
    [[nodiscard]] std::string path(const char *name) const { return m_folder.filePath(QString::fromLatin1(name)).toStdString(); }

private slots:
    void initTestCase() { m_project = someProject(); }

    void comeBackAsTheyWere() {
        const std::string file = path("curves.syncopate");
        const auto written = writeProject(m_project, file);
        QVERIFY2(written.has_value(), written ? "" : written.error().toString().c_str());
        const auto read = readProject(file);
        QVERIFY2(read.has_value(), read ? "" : read.error().toString().c_str());
        QVERIFY(same(read->curves, m_project.curves));
        QVERIFY(read->scenarios.empty()); // the states of curves are not scenarios of the user
        // The input of played steps is restored, and plays the same.
        for (std::size_t c = 1; c < read->curves.size(); ++c) {
            const Forecast &kept = *read->curves[c].forecast;
            QVERIFY(!kept.request);
            const auto whole = withRequest(kept);
            QVERIFY2(whole.has_value(), whole ? "" : whole.error().toString().c_str());
            const auto again = predictCurve(*(*whole)->request);
            QVERIFY(again.has_value());
            QCOMPARE(again->points.size(), kept.prediction.points.size());
            QVERIFY(!again->points.empty());
            for (std::size_t p = 0; p < again->points.size(); ++p)
                QCOMPARE(again->points[p].throughput.samplesPerSecond, kept.prediction.points[p].throughput.samplesPerSecond);
        }
        // Saved again it is unchanged; removed curves leave nothing behind.
        Project next = *read;
        QVERIFY(writeProject(next, file).has_value());
        QVERIFY(same(readProject(file)->curves, m_project.curves));
        next.revision = 0;
        next.curves.resize(2);
        QVERIFY(writeProject(next, file).has_value());
        QVERIFY(same(readProject(file)->curves, next.curves));
        auto database = Database::open(file, Database::Mode::Read);
        for (const char *sql :
             {"SELECT count(*) FROM curve_point WHERE curve > 1", "SELECT count(*) FROM scenario WHERE id < -3"})
            QCOMPARE(*database->number(sql), std::int64_t{0});
    }

    void figuresWithoutABound() {
        Project project = m_project;
        project.curves.resize(2);
        auto forecast = std::make_shared<Forecast>(*project.curves[1].forecast);
        forecast->prediction.points[0].throughput.high = infinite; // of an unknown mean
        forecast->facts.windowBytes = infinite;
        project.curves[1].forecast = forecast;
        const std::string file = path("infinite.syncopate");
        QVERIFY(writeProject(project, file).has_value());
        const auto read = readProject(file);
        QVERIFY2(read.has_value(), read ? "" : read.error().toString().c_str());
        QVERIFY(same(read->curves, project.curves));
    }

    /// Without its profile, a curve shows its points and says that there are no steps.
    void anotherProfileIsNoticed() {
        Forecast read = *m_project.curves[1].forecast;
        read.facts.recordedSteps = 12;
        const auto whole = withRequest(read);
        QVERIFY(!whole.has_value());
        QVERIFY(whole.error().toString().find("profile") != std::string::npos);
    }

    /// A file of the previous format has no curves, and gets them when it is saved.
    void olderFiles() {
        const std::string file = path("older.syncopate");
        Project project = m_project;
        project.curves.clear();
        QVERIFY(writeProject(project, file).has_value());
        QVERIFY(Database::open(file, Database::Mode::Write)
                    ->run("ALTER TABLE side DROP COLUMN plan; DROP TABLE curve; DROP TABLE curve_setting; DROP TABLE "
                          "curve_point; DROP TABLE curve_start; "
                          "DROP TABLE curve_busy; DROP TABLE curve_note; DROP TABLE measured_point; PRAGMA user_version = 2")
                    .has_value());
        auto read = readProject(file);
        QVERIFY2(read.has_value(), read ? "" : read.error().toString().c_str());
        QVERIFY(read->curves.empty());
        read->curves = m_project.curves;
        QVERIFY(writeProject(*read, file).has_value());
        QVERIFY(same(readProject(file)->curves, m_project.curves));
    }

    void damagedRows_data() {
        QTest::addColumn<QString>("sql");
        for (const char *sql : {"DELETE FROM curve WHERE id = 1",
                                "UPDATE curve SET id = -1 WHERE id = 2",
                                "DELETE FROM curve_setting",
                                "DELETE FROM curve_setting WHERE curve = 1 AND forecast = 1",
                                "DELETE FROM curve_point WHERE workers = 2",
                                "DELETE FROM curve_point WHERE curve = 1",
                                "UPDATE curve_point SET workers = -3 WHERE workers = 2",
                                "UPDATE curve_point SET samples_per_second = -1",
                                "UPDATE curve_point SET low = -1",
                                "UPDATE curve_point SET cynthia = 9e999",
                                "UPDATE curve_point SET ops = -1",
                                "UPDATE curve_busy SET resource = 'downlink of server' WHERE workers = 2",
                                "UPDATE curve_busy SET resource = 'workers'' cafeteria' WHERE workers = 2",
                                "UPDATE curve_setting SET workers = '1-9999999'",
                                "UPDATE curve_setting SET workers = ''",
                                "UPDATE curve_setting SET transfer_order = 9",
                                "UPDATE curve_setting SET sharing = -1",
                                "UPDATE curve_setting SET background = 'worker0.up:2@0-1s'",
                                "UPDATE curve_setting SET gain = 7",
                                "UPDATE curve_setting SET starts = 0",
                                "UPDATE curve_setting SET steps = 99999999999",
                                "UPDATE curve SET servers = 0",
                                "UPDATE curve SET window_bytes = -1",
                                "UPDATE curve SET wall_seconds = -1",
                                "UPDATE curve_busy SET workers = 77 WHERE workers = 5 AND place = 0",
                                "UPDATE curve_busy SET busy = -1",
                                "UPDATE curve_start SET workers = 4 WHERE workers = 5",
                                "UPDATE measured_point SET per_second = -1",
                                "UPDATE measured_point SET workers = 9 - place",
                                "UPDATE scenario SET job = NULL WHERE id = -3",
                                "DELETE FROM scenario WHERE id = -4"})
            QTest::newRow(sql) << QString::fromLatin1(sql);
    }
    void damagedRows() {
        QFETCH(QString, sql);
        const std::string file = path("damaged.syncopate");
        Project project = m_project;
        project.revision = 0;
        QVERIFY(writeProject(project, file).has_value());
        QVERIFY(Database::open(file, Database::Mode::Write)->run(sql.toUtf8().constData()).has_value());
        const auto read = readProject(file);
        QVERIFY(!read.has_value());
        QVERIFY2(read.error().file == file && read.error().place.starts_with("curve") && !read.error().remedy.empty(),
                 read.error().toString().c_str());
    }

    void textsOfSettings() {
        for (const char *text : {"1-10", "4", "1-2,4,8-16"}) {
            const auto workers = parseWorkers(text);
            QVERIFY(workers.has_value());
            QCOMPARE(formatWorkers(*workers), std::string(text));
        }
        for (const char *bad : {"", "0", "3-1", "1,", "1-5000", "1.5", "x"})
            QVERIFY2(!parseWorkers(bad).has_value(), bad);
        std::string list = "1-4096";
        for (int i = 0; i < 24; ++i)
            list += ",1-4096";
        const auto all = parseWorkers(list); // 102,400 numbers, and no entry behind them
        VERIFY_VALUE(all);
        QCOMPARE(all->size(), std::size_t{4096});
        const auto tooMany = parseWorkers(list + ",1");
        QVERIFY(!tooMany.has_value());
        QVERIFY2(tooMany.error().what.find("more than 100000") != std::string::npos, tooMany.error().what.c_str());
        // An error has the entry, shortened, and not the whole list.
        const auto wrong = parseWorkers("1,2," + std::string(5000, 'x') + ",4");
        QVERIFY(!wrong.has_value());
        QVERIFY2(wrong.error().what.starts_with("'xxx"), wrong.error().what.c_str());
        COMPARE_BELOW(wrong.error().what.size(), 100U);
        for (const char *text : {"auto", "off", "2e-10,5e-05s"}) {
            const auto overhead = parseOverhead(text);
            QVERIFY2(overhead.has_value(), text);
            QCOMPARE(formatOverhead(*overhead), std::string(text));
        }
        for (const char *bad : {"", "1", "1,", "-1,0s", "2,0s", "nan,1s"})
            QVERIFY2(!parseOverhead(bad).has_value(), bad);
    }
};

QTEST_APPLESS_MAIN(TestProjectCurves)
#include "tst_project_curves.moc"
