// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/project_curves.h"

#include "engine/base/text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <utility>

namespace syncopate {

// Curve 0 is the panel's present one, whose forecast is made anew; the others are the kept ones, in order.
const char *const curveSchema = R"(
    CREATE TABLE curve(id INTEGER PRIMARY KEY, name TEXT NOT NULL, color INTEGER NOT NULL, shown INTEGER NOT NULL,
        simulated_steps INTEGER NOT NULL, batch_size REAL NOT NULL, window_bytes REAL NOT NULL, bytes_per_second REAL NOT NULL,
        servers INTEGER NOT NULL, recorded_steps INTEGER NOT NULL, bottleneck_workers INTEGER NOT NULL,
        downlink_seconds REAL NOT NULL, compute_seconds REAL NOT NULL, uplink_seconds REAL NOT NULL,
        update_seconds REAL NOT NULL, busy_seconds REAL NOT NULL, transfer_seconds REAL NOT NULL,
        events INTEGER NOT NULL, ops INTEGER NOT NULL, wall_seconds REAL NOT NULL,
        measured_name TEXT NOT NULL, measured_in_steps INTEGER NOT NULL);
    CREATE TABLE curve_setting(curve INTEGER NOT NULL, forecast INTEGER NOT NULL, workers TEXT NOT NULL, servers INTEGER NOT NULL,
        bandwidth_gbits REAL NOT NULL, recorded_gbits REAL NOT NULL, window_bytes REAL, alpha REAL, beta REAL,
        overhead_note TEXT NOT NULL, transfer_order INTEGER NOT NULL, sharing INTEGER NOT NULL, tcp_window_bytes REAL NOT NULL,
        background TEXT NOT NULL, staleness INTEGER NOT NULL, per_layer INTEGER NOT NULL, batch_size REAL NOT NULL,
        steps INTEGER NOT NULL, warm_up INTEGER NOT NULL, starts INTEGER NOT NULL, seed INTEGER NOT NULL, gain REAL NOT NULL,
        PRIMARY KEY(curve, forecast));
    CREATE TABLE curve_point(curve INTEGER NOT NULL, workers INTEGER NOT NULL, samples_per_second REAL NOT NULL,
        low REAL NOT NULL, high REAL NOT NULL, saturated TEXT NOT NULL, cynthia REAL NOT NULL, queueing REAL NOT NULL,
        events INTEGER NOT NULL, ops INTEGER NOT NULL, PRIMARY KEY(curve, workers));
    CREATE TABLE curve_start(curve INTEGER NOT NULL, workers INTEGER NOT NULL, place INTEGER NOT NULL,
        samples_per_second REAL NOT NULL, PRIMARY KEY(curve, workers, place));
    CREATE TABLE curve_busy(curve INTEGER NOT NULL, workers INTEGER NOT NULL, place INTEGER NOT NULL, resource TEXT NOT NULL,
        busy REAL NOT NULL, PRIMARY KEY(curve, workers, place));
    CREATE TABLE curve_note(curve INTEGER NOT NULL, place INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY(curve, place));
    CREATE TABLE measured_point(curve INTEGER NOT NULL, place INTEGER NOT NULL, workers INTEGER NOT NULL,
        per_second REAL NOT NULL, PRIMARY KEY(curve, place));
    PRAGMA user_version = 3;
)";

namespace {

constexpr std::size_t maxCurves = 1000, maxRows = 1'000'000;
constexpr std::int64_t maxWorkers = 4096, maxCount = 10'000'000;
constexpr double maxNumber = 1e18;
constexpr std::int64_t sharingByProfile = static_cast<std::int64_t>(LinkSharing::Tcp) + 1;

// Values are written and read in the same order: keep the two in step.

Result<void> writeSetting(Database &file, std::int64_t curve, bool ofForecast, const PredictSetting &setting) {
    Statement row(file, "INSERT INTO curve_setting VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
    row.bind(curve).bind(ofForecast).bind(std::string_view(formatWorkers(setting.workers))).bind(setting.servers);
    row.bind(setting.bandwidthGbits).bind(setting.recordedGbits).bind(setting.windowBytes);
    row.bind(setting.overhead ? std::optional(setting.overhead->secondsPerByte) : std::nullopt);
    row.bind(setting.overhead ? std::optional(setting.overhead->seconds) : std::nullopt);
    row.bind(std::string_view(setting.overheadNote)).bind(static_cast<std::int64_t>(setting.order));
    row.bind(setting.sharing ? static_cast<std::int64_t>(*setting.sharing) : sharingByProfile).bind(setting.tcpWindowBytes);
    row.bind(std::string_view(formatBackground(setting.background))).bind(setting.staleness).bind(setting.perLayer);
    row.bind(setting.batchSize).bind(setting.steps).bind(setting.warmUp).bind(setting.starts);
    return row.bind(static_cast<std::int64_t>(setting.seed)).bind(setting.gain).run();
}

Result<void> writePoints(Database &file, std::int64_t curve, const Prediction &prediction) {
    Statement points(file, "INSERT INTO curve_point VALUES(?,?,?,?,?,?,?,?,?,?)");
    Statement starts(file, "INSERT INTO curve_start VALUES(?,?,?,?)");
    Statement busy(file, "INSERT INTO curve_busy VALUES(?,?,?,?,?)");
    Statement notes(file, "INSERT INTO curve_note VALUES(?,?,?)");
    for (const CurvePoint &point : prediction.points) {
        const Throughput &t = point.throughput;
        points.bind(curve).bind(t.workers).bind(t.samplesPerSecond).bind(t.low).bind(t.high).bind(std::string_view(t.saturated));
        points.bind(point.cynthia).bind(point.queueing).bind(static_cast<std::int64_t>(t.events));
        TRY(points.bind(static_cast<std::int64_t>(t.ops)).run());
        for (std::int64_t place = 0; const double rate : point.starts)
            TRY(starts.bind(curve).bind(t.workers).bind(place++).bind(rate).run());
        for (std::int64_t place = 0; const Utilisation &one : t.utilisation) {
            const std::string name = one.name();
            TRY(busy.bind(curve).bind(t.workers).bind(place++).bind(std::string_view(name)).bind(one.busy).run());
        }
    }
    for (std::int64_t place = 0; const std::string &note : prediction.assumptions)
        TRY(notes.bind(curve).bind(place++).bind(std::string_view(note)).run());
    return {};
}

Result<void> writeCurve(Database &file, std::int64_t id, const KeptCurve &curve) {
    const Forecast none;
    const Forecast &forecast = curve.forecast ? *curve.forecast : none;
    const Prediction &prediction = forecast.prediction;
    const ForecastFacts &facts = forecast.facts;
    const StepPhases &phases = prediction.phases;
    Statement row(file, "INSERT INTO curve VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
    row.bind(id).bind(std::string_view(curve.name)).bind(curve.color).bind(curve.shown).bind(forecast.steps);
    row.bind(facts.batchSize).bind(facts.windowBytes).bind(facts.bytesPerSecond).bind(facts.servers).bind(facts.recordedSteps);
    row.bind(prediction.bottleneckWorkers).bind(phases.downlinkSeconds).bind(phases.computeSeconds).bind(phases.uplinkSeconds);
    row.bind(phases.updateSeconds).bind(phases.busyComputeSeconds).bind(phases.transferSeconds);
    row.bind(static_cast<std::int64_t>(prediction.events)).bind(static_cast<std::int64_t>(prediction.ops));
    row.bind(prediction.wallSeconds).bind(std::string_view(curve.measured.name)).bind(curve.measured.inSteps);
    TRY(row.run());
    TRY(writeSetting(file, id, false, curve.setting));
    if (curve.forecast) {
        TRY(writeSetting(file, id, true, forecast.setting));
        TRY(writePoints(file, id, prediction));
    }
    Statement measured(file, "INSERT INTO measured_point VALUES(?,?,?,?)");
    for (std::int64_t place = 0; const MeasuredPoint &point : curve.measured.points)
        TRY(measured.bind(id).bind(place++).bind(point.workers).bind(point.perSecond).run());
    return {};
}

/// Rows of one curve; columns are checked as they are read.
class CurveRows {
public:
    CurveRows(Database &file, const char *sql) : m_file(file), m_rows(file, sql) {}

    /// Calls `take` for each row until one is refused.
    Result<void> each(std::int64_t curve, const std::function<void()> &take) {
        m_curve = curve;
        m_rows.bind(curve);
        for (std::size_t count = 0;; ++count) {
            const auto row = TRY(m_rows.step());
            if (!row)
                return {};
            if (count >= maxRows)
                refuse("has too many rows");
            else
                take();
            if (!m_result)
                return m_result;
        }
    }

    void refuse(const std::string &what) {
        if (m_result)
            m_result = fail(fmt::format("the throughput curve {} of the project {}", m_curve, what),
                            "the file is damaged: open an older copy", m_file.path(), fmt::format("curve {}", m_curve));
    }
    std::int64_t integer(const char *column, std::int64_t min, std::int64_t max) {
        const std::int64_t value = m_rows.integer();
        if (value < min || value > max)
            refuse(fmt::format("has {} as {}", value, column));
        return std::clamp(value, min, max);
    }
    std::int32_t count(const char *column, std::int64_t min = 0, std::int64_t max = maxCount) {
        return static_cast<std::int32_t>(integer(column, min, max));
    }
    std::uint64_t large(const char *column) {
        return static_cast<std::uint64_t>(integer(column, 0, std::numeric_limits<std::int64_t>::max()));
    }
    bool flag() { return m_rows.integer() != 0; }
    std::string text() { return m_rows.text(); }
    /// A number from 0 to `max`, which is infinite only where that means something.
    std::optional<double> optional(const char *column, double max = maxNumber) {
        const std::optional<double> value = m_rows.optionalNumber();
        if (value && !(*value >= 0 && *value <= max))
            refuse(fmt::format("has {} as {}", *value, column));
        return value;
    }
    double number(const char *column, double max = maxNumber) {
        const std::optional<double> value = optional(column, max);
        if (!value)
            refuse(fmt::format("has no {}", column));
        return value.value_or(0);
    }

private:
    Database &m_file;
    Statement m_rows;
    std::int64_t m_curve = 0;
    Result<void> m_result;
};

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Returns false if there is no such row.
Result<bool> readSetting(Database &file, std::int64_t curve, bool ofForecast, PredictSetting &setting) {
    CurveRows rows(file, ofForecast ? "SELECT * FROM curve_setting WHERE curve = ? AND forecast = 1"
                                    : "SELECT * FROM curve_setting WHERE curve = ? AND forecast = 0");
    bool there = false;
    TRY(rows.each(curve, [&] {
        there = true;
        static_cast<void>(rows.flag()); // the curve's id
        static_cast<void>(rows.flag()); // which setting of the curve
        if (auto workers = parseWorkers(rows.text()))
            setting.workers = *std::move(workers);
        else
            rows.refuse(workers.error().what);
        setting.servers = rows.count("servers", 0, 1000);
        setting.bandwidthGbits = rows.number("bandwidth");
        setting.recordedGbits = rows.number("bandwidth of the recording");
        setting.windowBytes = rows.optional("window", infinite);
        const auto alpha = rows.optional("overhead per byte"), beta = rows.optional("overhead");
        setting.overhead = alpha && beta ? std::optional(ParsingOverhead{*alpha, *beta}) : std::nullopt;
        setting.overheadNote = rows.text();
        setting.order = static_cast<TransferOrder>(rows.count("order", 0, static_cast<std::int64_t>(TransferOrder::Tac)));
        if (const auto sharing = rows.count("sharing", 0, sharingByProfile); sharing != sharingByProfile)
            setting.sharing = static_cast<LinkSharing>(sharing);
        setting.tcpWindowBytes = rows.number("TCP window");
        if (const std::string text = rows.text(); !text.empty()) {
            if (auto background = parseBackground(text))
                setting.background = *std::move(background);
            else
                rows.refuse("has background traffic of which " + background.error().what);
        }
        setting.staleness = rows.count("staleness", -1);
        setting.perLayer = rows.flag();
        setting.batchSize = rows.number("batch size");
        setting.steps = rows.count("steps");
        setting.warmUp = rows.count("warm-up");
        setting.starts = rows.count("starts", 1, 1000);
        setting.seed = rows.large("seed");
        setting.gain = rows.number("gain", 1);
    }));
    return there;
}

/// Reads a table whose rows belong to points: calls `take` with the point for the row's number of workers.
Result<void> readOfPoints(Database &file, const char *sql, std::int64_t curve, std::vector<CurvePoint> &points,
                          const std::function<void(CurveRows &, CurvePoint &)> &take) {
    CurveRows rows(file, sql);
    std::size_t at = 0;
    return rows.each(curve, [&] {
        const std::int64_t workers = rows.integer("workers", 1, maxWorkers);
        while (at < points.size() && points[at].throughput.workers < workers)
            ++at;
        if (at == points.size() || points[at].throughput.workers != workers)
            rows.refuse(fmt::format("has figures of {} workers, and no point of them", workers));
        else
            take(rows, points[at]);
    });
}

Result<void> readPrediction(Database &file, std::int64_t curve, Prediction &prediction) {
    CurveRows rows(file, "SELECT workers, samples_per_second, low, high, saturated, cynthia, queueing, events, ops "
                         "FROM curve_point WHERE curve = ? ORDER BY workers");
    TRY(rows.each(curve, [&] {
        CurvePoint point;
        Throughput &t = point.throughput;
        t.workers = rows.count("workers", 1, maxWorkers);
        t.samplesPerSecond = rows.number("samples per second");
        t.low = rows.number("lower end of an interval");
        t.high = rows.number("upper end of an interval", infinite);
        t.saturated = rows.text();
        point.cynthia = rows.number("Cynthia's rate");
        point.queueing = rows.number("queueing model's rate");
        t.events = rows.large("events");
        t.ops = rows.large("ops");
        prediction.points.push_back(std::move(point));
    }));
    TRY(readOfPoints(file, "SELECT workers, samples_per_second FROM curve_start WHERE curve = ? ORDER BY workers, place", curve,
                     prediction.points, [](CurveRows &row, CurvePoint &point) {
                         point.starts.push_back(row.number("samples per second of a start"));
                     }));
    TRY(readOfPoints(file, "SELECT workers, resource, busy FROM curve_busy WHERE curve = ? ORDER BY workers, place", curve,
                     prediction.points, [](CurveRows &row, CurvePoint &point) {
                         const std::string resource = row.text();
                         const auto used = utilisationNamed(resource, row.number("busy share"));
                         if (used)
                             point.throughput.utilisation.push_back(*used);
                         else
                             row.refuse(fmt::format("names an unknown resource, '{}'", cutInMiddle(resource, 60)));
                     }));
    CurveRows notes(file, "SELECT text FROM curve_note WHERE curve = ? ORDER BY place");
    return notes.each(curve, [&] { prediction.assumptions.push_back(notes.text()); });
}

Result<KeptCurve> readCurve(Database &file, std::int64_t id) {
    KeptCurve curve;
    Forecast forecast;
    Prediction &prediction = forecast.prediction;
    CurveRows rows(file, "SELECT * FROM curve WHERE id = ?");
    TRY(rows.each(id, [&] {
        static_cast<void>(rows.flag()); // the id
        curve.name = rows.text();
        curve.color = rows.count("colour", 0, 1000);
        curve.shown = rows.flag();
        forecast.steps = rows.count("simulated steps");
        ForecastFacts &facts = forecast.facts;
        facts.batchSize = rows.number("batch size");
        facts.windowBytes = rows.number("window", infinite);
        facts.bytesPerSecond = rows.number("bandwidth");
        facts.servers = rows.count("servers", 1, 1000);
        facts.recordedSteps = rows.count("recorded steps", 1);
        prediction.bottleneckWorkers = rows.count("bottleneck", -1, maxWorkers);
        StepPhases &phases = prediction.phases;
        for (double *seconds : {&phases.downlinkSeconds, &phases.computeSeconds, &phases.uplinkSeconds, &phases.updateSeconds,
                                &phases.busyComputeSeconds, &phases.transferSeconds})
            *seconds = rows.number("time of a phase");
        prediction.events = rows.large("events");
        prediction.ops = rows.large("ops");
        prediction.wallSeconds = rows.number("wall time");
        curve.measured.name = rows.text();
        curve.measured.inSteps = rows.flag();
    }));
    const auto asked = TRY(readSetting(file, id, false, curve.setting));
    const auto predicted = TRY(readSetting(file, id, true, forecast.setting));
    TRY(readPrediction(file, id, prediction));
    CurveRows measured(file, "SELECT workers, per_second FROM measured_point WHERE curve = ? ORDER BY place");
    TRY(measured.each(id, [&] {
        MeasuredPoint point;
        point.workers = measured.count("workers of a measured point", 1);
        point.perSecond = measured.number("measured rate");
        if (!curve.measured.points.empty() && curve.measured.points.back().workers > point.workers)
            measured.refuse("has measured points out of order");
        curve.measured.points.push_back(point);
    }));
    std::vector<std::int32_t> workers;
    for (const CurvePoint &point : prediction.points)
        workers.push_back(point.throughput.workers);
    if (!asked || (predicted ? workers != forecast.setting.workers : !workers.empty()))
        return fail(fmt::format("the throughput curve {} of the project lacks its setting or points", id),
                    "the file is damaged: open an older copy", file.path(), fmt::format("curve {}", id));
    if (predicted)
        curve.forecast = std::make_shared<const Forecast>(std::move(forecast));
    return curve;
}

} // namespace

Result<void> writeCurves(Database &file, const std::vector<KeptCurve> &curves) {
    for (std::size_t c = 0; c < curves.size(); ++c)
        TRY(writeCurve(file, static_cast<std::int64_t>(c), curves[c]));
    return {};
}

Result<std::vector<KeptCurve>> readCurves(Database &file) {
    const auto count = TRY(file.number("SELECT count(*) FROM curve"));
    const auto inRow = TRY(file.number("SELECT count(*) FROM curve WHERE id >= 0 AND id < (SELECT count(*) FROM curve)"));
    if (count != inRow || count > static_cast<std::int64_t>(maxCurves))
        return fail("the project lacks throughput curves or has too many", "the file is damaged: open an older copy", file.path(),
                    "curve");
    std::vector<KeptCurve> curves;
    for (std::int64_t id = 0; id < count; ++id) {
        auto curve = TRY(readCurve(file, id));
        curves.push_back(std::move(curve));
    }
    return curves;
}

} // namespace syncopate
