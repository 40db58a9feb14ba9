// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/nsight.h"

#include "engine/profile/kineto_raw_event.h"
#include "engine/profile/sqlite_reader.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <new>

namespace syncopate {

namespace {

constexpr std::int64_t threadMask = 0xFFFFFF; ///< globalTid = process << 24 | thread
constexpr std::int64_t rangeOfThread = 59;    ///< NVTX push and pop; ranges of a process (60) may overlap and nest in nothing

constexpr const char *kernelTable = "CUPTI_ACTIVITY_KIND_KERNEL";
constexpr const char *copyTable = "CUPTI_ACTIVITY_KIND_MEMCPY";
constexpr const char *setTable = "CUPTI_ACTIVITY_KIND_MEMSET";
constexpr const char *callTable = "CUPTI_ACTIVITY_KIND_RUNTIME";
constexpr const char *rangeTable = "NVTX_EVENTS";

/// The value behind ", key = " in what PyTorch's emit_nvtx makes of an op: "aten::mul, seq = 12, op_id = 7, sizes = [[2, 3]]".
std::string_view argument(std::string_view text, std::string_view key) {
    const std::size_t at = text.find(key);
    return at == std::string_view::npos ? std::string_view() : text.substr(at + key.size());
}

/// "iteration 7" and "step_7" mark steps, as ProfilerStep#7 does.
std::string stepName(std::string_view text) {
    std::string lower(text.substr(0, 40));
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const std::string_view word : {"iteration", "iter", "step", "train_step", "training_step"}) {
        if (!lower.starts_with(word))
            continue;
        const std::size_t from = lower.find_first_not_of(" _#:", word.size());
        if (from != std::string::npos && lower.find_first_not_of("0123456789", from) == std::string::npos)
            return "ProfilerStep#" + lower.substr(from);
    }
    return {};
}

class NsightReader {
public:
    NsightReader(SqliteReader &database, Progress *progress) : m_database(database), m_progress(progress) {}

    Result<NsightCapture> read() {
        if (!m_database.hasTable(kernelTable) && !m_database.hasTable(rangeTable) && !m_database.hasTable(callTable))
            return fail("this is an SQLite database, but not of Nsight Systems: it has no table of kernels, calls or ranges",
                        "write one with: nsys export --type sqlite FILE.nsys-rep");
        if (const auto schema = readSchema(); !schema)
            return tl::unexpected(schema.error());
        for (const char *table : {kernelTable, copyTable, setTable, callTable, rangeTable, "StringIds"}) {
            if (!m_database.hasTable(table))
                m_capture.missing.emplace_back(table);
        }
        m_byProcess = m_database.hasColumn(kernelTable, "globalPid") || !m_database.hasTable(kernelTable);
        for (const auto &part :
             {&NsightReader::readKernels, &NsightReader::readCopies, &NsightReader::readCalls, &NsightReader::readRanges}) {
            if (const auto done = (this->*part)(); !done)
                return tl::unexpected(done.error());
        }
        const bool anyDevice =
            std::any_of(m_processes.begin(), m_processes.end(), [](const auto &p) { return p.second.process.device >= 0; });
        for (auto &[id, building] : m_processes) {
            if (building.process.trace.events.empty() || (anyDevice && building.process.device < 0))
                continue;
            building.process.globalPid = id;
            m_capture.processes.push_back(std::move(building.process));
        }
        if (m_capture.processes.empty())
            return fail("the capture holds no event", "trace CUDA and NVTX: nsys profile -t cuda,nvtx ...");
        return std::move(m_capture);
    }

private:
    struct Building {
        NsightProcess process;
        std::map<std::tuple<bool, std::int64_t, std::int64_t>, std::uint32_t> rows;
    };

    Building &of(std::int64_t globalId) { return m_processes[m_byProcess ? globalId & ~threadMask : 0]; }

    static std::uint32_t row(Building &building, bool device, std::int64_t process, std::int64_t thread) {
        auto &rows = building.process.trace.rows;
        const auto [place, fresh] = building.rows.try_emplace({device, process, thread}, static_cast<std::uint32_t>(rows.size()));
        if (fresh)
            rows.push_back({device, std::to_string(process), std::to_string(thread)});
        return place->second;
    }

    Result<void> readSchema() {
        const std::string table =
            m_database.hasTable("META_DATA_EXPORT") ? "META_DATA_EXPORT" : "EXPORT_META_DATA"; // before 2023
        if (!m_database.hasColumn(table, "name") || !m_database.hasColumn(table, "value"))
            return {};
        return m_database.rows("SELECT value FROM " + table + " WHERE name = 'EXPORT_SCHEMA_VERSION' LIMIT 1",
                               [&](const SqliteReader::Row &r) -> Result<void> {
                                   m_capture.schema = std::string(r.text(0)).substr(0, 64);
                                   return {};
                               });
    }

    /// The columns that every event table must have; an error says which one lacks.
    Result<bool> usable(const char *table, std::initializer_list<const char *> columns) const {
        if (!m_database.hasTable(table))
            return false;
        for (const char *column : columns) {
            if (!m_database.hasColumn(table, column))
                return fail(fmt::format("table {} has no column {}", table, column),
                            "export the capture again with this nsys version", {}, table);
        }
        return true;
    }

    /// "t.COLUMN", or `otherwise` where the table has none.
    std::string column(const char *table, const char *name, const char *otherwise) const {
        return m_database.hasColumn(table, name) ? fmt::format("t.{}", name) : otherwise;
    }
    std::string stringOf(const char *table, const char *name) const {
        if (!m_database.hasColumn(table, name))
            return "NULL";
        if (!m_database.isKey("StringIds", "id") || !m_database.hasColumn("StringIds", "value"))
            return fmt::format("t.{}", name);
        return fmt::format("(SELECT value FROM StringIds WHERE id = t.{})", name);
    }

    /// The event's times; false for one without.
    static bool times(const SqliteReader::Row &row, TraceEvent &event, TraceEvents &trace) {
        if (row.isNull(0) || row.isNull(1))
            return false;
        constexpr Nanoseconds bound = std::numeric_limits<Nanoseconds>::max() / 4;
        event.start = std::clamp<Nanoseconds>(row.integer(0), -bound, bound);
        const Nanoseconds end = std::clamp<Nanoseconds>(row.integer(1), -bound, bound);
        trace.negativeDurations += end < event.start ? 1 : 0;
        event.duration = std::max<Nanoseconds>(0, end - event.start);
        return true;
    }

    void count(TraceEvents &trace) {
        ++trace.eventCount;
        if (m_progress)
            m_progress->done.fetch_add(1, std::memory_order_relaxed);
    }

    Result<void> readDevice(const char *table, EventKind kind, const std::string &name, const std::string &copyKind) {
        const auto can = usable(table, {"start", "end", "deviceId", "streamId"});
        if (!can || !*can)
            return can ? Result<void>() : tl::unexpected(can.error());
        return m_database.rows(fmt::format("SELECT t.start, t.end, t.deviceId, t.streamId, {}, {}, {}, {} FROM {} t",
                                           column(table, "correlationId", "-1"), column(table, "globalPid", "0"), name, copyKind,
                                           table),
                               [&](const SqliteReader::Row &r) -> Result<void> {
                                   Building &building = of(r.integer(5));
                                   TraceEvents &trace = building.process.trace;
                                   count(trace);
                                   TraceEvent event;
                                   if (!times(r, event, trace))
                                       return {};
                                   event.kind = kind;
                                   event.correlation = r.isNull(4) ? -1 : r.integer(4);
                                   std::string_view text = r.text(6);
                                   if (kind == EventKind::Copy)
                                       text = r.integer(7) == 1    ? "Memcpy HtoD"
                                              : r.integer(7) == 2  ? "Memcpy DtoH"
                                              : r.integer(7) == 8  ? "Memcpy DtoD"
                                              : r.integer(7) == 10 ? "Memcpy PtoP"
                                              : r.integer(7) < 0   ? "Memset"
                                                                   : "Memcpy";
                                   event.name = trace.names.intern(text.empty() ? "kernel" : text);
                                   event.row = row(building, true, r.integer(2), r.integer(3));
                                   if (building.process.device < 0)
                                       building.process.device = std::max<std::int64_t>(0, r.integer(2));
                                   trace.events.push_back(event);
                                   return {};
                               });
    }

    Result<void> readKernels() {
        const std::string name =
            fmt::format("coalesce({}, {})", stringOf(kernelTable, "shortName"), stringOf(kernelTable, "demangledName"));
        return readDevice(kernelTable, EventKind::Kernel, name, "0");
    }
    Result<void> readCopies() {
        if (const auto copies = readDevice(copyTable, EventKind::Copy, "NULL", column(copyTable, "copyKind", "0")); !copies)
            return copies;
        return readDevice(setTable, EventKind::Copy, "NULL", "-1");
    }

    Result<void> readCalls() {
        const auto can = usable(callTable, {"start", "end", "globalTid"});
        if (!can || !*can)
            return can ? Result<void>() : tl::unexpected(can.error());
        return m_database.rows(fmt::format("SELECT t.start, t.end, t.globalTid, {}, {} FROM {} t",
                                           column(callTable, "correlationId", "-1"), stringOf(callTable, "nameId"), callTable),
                               [&](const SqliteReader::Row &r) -> Result<void> {
                                   Building &building = of(r.integer(2));
                                   TraceEvents &trace = building.process.trace;
                                   count(trace);
                                   TraceEvent event;
                                   if (!times(r, event, trace))
                                       return {};
                                   event.kind = EventKind::Runtime;
                                   event.correlation = r.isNull(3) ? -1 : r.integer(3);
                                   event.name = trace.names.intern(r.text(4).empty() ? "CUDA call" : r.text(4));
                                   event.row = row(building, false, r.integer(2) >> 24 & threadMask, r.integer(2) & threadMask);
                                   trace.events.push_back(event);
                                   return {};
                               });
    }

    Result<void> readRanges() {
        const auto can = usable(rangeTable, {"start", "end", "eventType", "globalTid"});
        if (!can || !*can)
            return can ? Result<void>() : tl::unexpected(can.error());
        const std::string text =
            fmt::format("coalesce({}, {})", column(rangeTable, "text", "NULL"), stringOf(rangeTable, "textId"));
        return m_database.rows(fmt::format("SELECT t.start, t.end, t.globalTid, {} FROM {} t WHERE t.eventType = {}", text,
                                           rangeTable, rangeOfThread),
                               [&](const SqliteReader::Row &r) -> Result<void> {
                                   Building &building = of(r.integer(2));
                                   count(building.process.trace);
                                   takeRange(r, building);
                                   return {};
                               });
    }

    static void takeRange(const SqliteReader::Row &r, Building &building) {
        TraceEvents &trace = building.process.trace;
        TraceEvent event;
        if (!times(r, event, trace))
            return; // never popped
        const std::string_view text = r.text(3);
        const std::string_view sequence = argument(text, "seq = "), sizes = argument(text, "sizes = ");
        const std::string step = stepName(text);
        const std::string_view name = text.substr(0, text.find(", "));
        // Whatever PyTorch numbers or names as its own is an op; the rest are the user's ranges.
        const bool op = !sequence.empty() || text.find(", op_id = ") != std::string_view::npos || name.starts_with("aten::") ||
                        name.starts_with("autograd::engine::") || name.starts_with("torch::autograd::");
        const bool optimizer = name.starts_with("Optimizer.");
        event.kind = op && !optimizer ? EventKind::Operator : EventKind::Annotation;
        event.name = trace.names.intern(!step.empty() ? std::string_view(step) : name.empty() ? std::string_view("range") : name);
        event.sequence = sequence.empty() ? -1 : kineto::integer(sequence.substr(0, sequence.find_first_not_of("0123456789")));
        event.row = row(building, false, r.integer(2) >> 24 & threadMask, r.integer(2) & threadMask);
        const bool wants =
            name.find("AccumulateGrad") != std::string_view::npos || name.starts_with("aten::conv") || name == "aten::linear";
        if (wants && !sizes.empty()) {
            EventDetail detail;
            detail.dims = kineto::firstDims(sizes);
            detail.hasDims = true;
            detail.type = "float";
            event.detail = static_cast<std::int32_t>(trace.details.size());
            trace.details.push_back(std::move(detail));
        }
        trace.events.push_back(event);
    }

    SqliteReader &m_database;
    Progress *m_progress;
    NsightCapture m_capture;
    bool m_byProcess = true;
    std::map<std::int64_t, Building> m_processes;
};

} // namespace

bool looksLikeSqlite(std::string_view head) { return head.starts_with("SQLite format 3"); }

Result<NsightCapture> readNsight(const std::string &path, std::stop_token stop, Progress *progress) {
    try {
        auto database = SqliteReader::open(path, std::move(stop));
        if (!database)
            return tl::unexpected(inFile(database.error(), path));
        if (progress) {
            std::uint64_t total = 0;
            for (const char *table : {kernelTable, copyTable, setTable, callTable, rangeTable})
                total += (*database)->rowCount(table);
            progress->done = 0;
            progress->total = total;
        }
        auto capture = NsightReader(**database, progress).read();
        if (!capture)
            return tl::unexpected(inFile(capture.error(), path));
        if (progress)
            progress->done = progress->total.load();
        return capture;
    } catch (const std::bad_alloc &) {
        return fail("not enough memory for this capture", "record fewer steps, or close other programs", path);
    }
}

} // namespace syncopate
