// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/nsight/nsight.h"

#include "engine/parse/json_members.h"
#include "engine/parse/read_limits.h"
#include "engine/parse/sqlite_reader.h"
#include "engine/profile/torch/kineto_raw_event.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <optional>
#include <unordered_map>

namespace syncopate {

namespace {

constexpr std::int64_t threadMask = 0xFFFFFF; ///< globalTid = process << 24 | thread
constexpr std::int64_t rangeOfThread = 59;    ///< NVTX push/pop; ranges of a process (60) may overlap

constexpr std::uint64_t analysisBytes = 64; ///< per event: memory for its context, work and span

constexpr const char *exportAgain = "export it again: nsys export --type sqlite FILE.nsys-rep";
constexpr const char *kernelTable = "CUPTI_ACTIVITY_KIND_KERNEL";
constexpr const char *copyTable = "CUPTI_ACTIVITY_KIND_MEMCPY";
constexpr const char *setTable = "CUPTI_ACTIVITY_KIND_MEMSET";
constexpr const char *callTable = "CUPTI_ACTIVITY_KIND_RUNTIME";
constexpr const char *rangeTable = "NVTX_EVENTS";

/// The name of a range, and the part that PyTorch's emit_nvtx appends to an op's: "aten::mul, seq = 12, op_id = 7, sizes =
/// [[2]]".
struct Arguments {
    std::string_view name, sequence, sizes;
    bool opId = false;
};
Arguments argumentsIn(std::string_view text) {
    Arguments arguments{text, {}, {}};
    for (std::size_t at = text.find(" = "); at != std::string_view::npos; at = text.find(" = ", at + 1)) {
        const std::size_t comma = std::min(text.rfind(", ", at), at); // a user's range may contain other " = "
        const std::string_view key = text.substr(comma, at - comma), value = text.substr(at + 3);
        if (key == ", seq" && arguments.sequence.empty())
            arguments.sequence = value;
        else if (key == ", sizes" && arguments.sizes.empty())
            arguments.sizes = value;
        else if (key == ", op_id")
            arguments.opId = true;
        else if (key != ", input_op_ids")
            continue;
        arguments.name = text.substr(0, std::min(comma, arguments.name.size()));
    }
    return arguments;
}

/// Names of steps: "iteration 7" and "step_7" mark one like ProfilerStep#7 does.
std::string stepName(std::string_view text) {
    const char first = text.empty() ? '\0' : static_cast<char>(text.front() | 0x20);
    if (first != 'i' && first != 's' && first != 't')
        return {};
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
    NsightReader(SqliteReader &database, Progress *progress, const ReadLimits &limits)
        : m_database(database), m_progress(progress), m_limits(limits) {
        m_limits.ratio = 0; // the database is not compressed
    }

    Result<NsightCapture> read() {
        if (!m_database.hasTable(kernelTable) && !m_database.hasTable(rangeTable) && !m_database.hasTable(callTable))
            return fail("this is an SQLite database, but not of Nsight Systems: it has no table of kernels, calls or ranges",
                        "write one with: nsys export --type sqlite FILE.nsys-rep");
        TRY(readSchema());
        for (const char *table : {kernelTable, copyTable, setTable, callTable, rangeTable})
            m_expectedRows += std::min(m_database.rowCount(table), m_database.fileBytes()); // row ids may have gaps
        if (m_progress) {
            m_progress->done = 0;
            m_progress->total = m_expectedRows;
        }
        for (const char *table : {kernelTable, copyTable, setTable, callTable, rangeTable, "StringIds"}) {
            if (!m_database.hasTable(table))
                m_capture.missing.emplace_back(table);
        }
        if (m_database.isKey("StringIds", "id") && m_database.hasColumn("StringIds", "value")) {
            auto strings = TRY(m_database.lookup("StringIds", "id", "value"));
            m_strings = std::move(strings);
        }
        m_byProcess = m_database.hasColumn(kernelTable, "globalPid") || !m_database.hasTable(kernelTable);
        for (const auto &part :
             {&NsightReader::readKernels, &NsightReader::readCopies, &NsightReader::readCalls, &NsightReader::readRanges}) {
            TRY((this->*part)());
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
    using RowKey = std::tuple<bool, std::int64_t, std::int64_t>; ///< on a device?, process or device, thread or stream
    struct Building {
        NsightProcess process;
        std::map<RowKey, std::uint32_t> rows;
        RowKey lastKey;
        std::int64_t lastRow = -1;
    };

    Building &of(std::int64_t globalId) {
        const std::int64_t id = m_byProcess ? globalId & ~threadMask : 0;
        if (!m_last || m_lastId != id) {
            m_last = &m_processes[id];
            m_lastId = id;
        }
        return *m_last;
    }

    static std::uint32_t row(Building &building, bool device, std::int64_t process, std::int64_t thread) {
        const RowKey key(device, process, thread);
        if (building.lastRow >= 0 && building.lastKey == key)
            return static_cast<std::uint32_t>(building.lastRow);
        auto &rows = building.process.trace.rows;
        const auto [place, fresh] = building.rows.try_emplace(key, static_cast<std::uint32_t>(rows.size()));
        if (fresh)
            rows.push_back({device, std::to_string(process), std::to_string(thread)});
        building.lastKey = key;
        building.lastRow = place->second;
        return place->second;
    }

    static std::uint32_t hostRow(Building &building, std::int64_t globalTid) {
        return row(building, false, globalTid >> 24 & threadMask, globalTid & threadMask);
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

    /// Whether the table exists; it is an error if one of `columns`, which every such table must have, is missing.
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

    /// "t.COLUMN", or `otherwise` if the table lacks it.
    std::string column(const char *table, const char *name, const char *otherwise) const {
        return m_database.hasColumn(table, name) ? fmt::format("t.{}", name) : otherwise;
    }
    /// The StringIds text for the id in a column, cached; nullopt = none. If the capture lacks that table, the column holds the
    /// text itself.
    Result<std::optional<std::string_view>> stringOf(const SqliteReader::Row &row, int column) {
        if (row.isNull(column))
            return std::nullopt;
        if (!m_strings)
            return row.text(column);
        const bool number = row.isInteger(column);
        const std::int64_t id = number ? row.integer(column) : 0;
        if (number) {
            if (const auto known = m_known.find(id); known != m_known.end())
                return known->second;
        }
        auto text = TRY(m_strings->textOf(row, column));
        m_knownBytes += number ? sizeof(std::pair<std::int64_t, std::string>) + (text ? text->size() : 0) : 0;
        std::optional<std::string> &kept = number ? m_known[id] : m_other;
        kept = std::move(text);
        return kept;
    }

    /// Reads the event's times; returns false if it has none.
    static bool times(const SqliteReader::Row &row, TraceEvent &event, TraceEvents &trace) {
        const auto from = row.number(0), to = row.number(1);
        if (!from || !to)
            return false;
        constexpr Nanoseconds bound = std::numeric_limits<Nanoseconds>::max() / 4;
        event.start = std::clamp<Nanoseconds>(*from, -bound, bound);
        const Nanoseconds end = std::clamp<Nanoseconds>(*to, -bound, bound);
        trace.negativeDurations += end < event.start ? 1 : 0;
        event.duration = std::max<Nanoseconds>(0, end - event.start);
        return true;
    }

    /// Counts a row; fails if the kept data exceed the memory limit.
    Result<void> count(TraceEvents &trace) {
        ++trace.eventCount;
        if (m_progress)
            m_progress->done.fetch_add(1, std::memory_order_relaxed);
        constexpr std::uint64_t rowsBetweenLooks = 1024;
        if (++m_rows % rowsBetweenLooks != 0)
            return {};
        std::uint64_t kept = m_knownBytes;
        for (const auto &[id, building] : m_processes)
            kept += building.process.trace.memoryBytes() + building.process.trace.events.size() * analysisBytes;
        const std::uint64_t size = m_database.fileBytes();
        const double part = m_expectedRows > 0 ? static_cast<double>(m_rows) / static_cast<double>(m_expectedRows) : 1;
        return checkLimits(m_limits, kept, m_database.textBytes(),
                           {static_cast<std::uint64_t>(std::min(1.0, part) * static_cast<double>(size)), size});
    }

    /// "t.COLUMN", or NULL if the table lacks it.
    std::string optional(const char *table, const char *name) const { return column(table, name, "NULL"); }

    /// The name number of the first column that has a text; that of `otherwise` if none has, or if it is empty.
    Result<std::uint32_t> nameOf(const SqliteReader::Row &row, std::initializer_list<int> columns, const char *otherwise,
                                 TraceEvents &trace) {
        for (const int column : columns) {
            const auto text = TRY(stringOf(row, column));
            if (text)
                return trace.names.intern(text->empty() ? std::string_view(otherwise) : *text);
        }
        return trace.names.intern(otherwise);
    }

    Result<void> readDevice(const char *table, EventKind kind, const std::string &names, const std::string &copyKind) {
        if (!TRY(usable(table, {"start", "end", "deviceId", "streamId"})))
            return {};
        return m_database.rows(
            fmt::format("SELECT t.start, t.end, t.deviceId, t.streamId, {}, {}, {}, {} FROM {} t",
                        column(table, "correlationId", "-1"), column(table, "globalPid", "0"), copyKind, names, table),
            [&](const SqliteReader::Row &r) -> Result<void> {
                Building &building = of(r.integer(5));
                TraceEvents &trace = building.process.trace;
                TRY(count(trace));
                const auto name = TRY(kind == EventKind::Copy ? Result<std::uint32_t>(trace.names.intern(copyName(r.integer(6))))
                                                              : nameOf(r, {7, 8}, "kernel", trace));
                TraceEvent event;
                if (!times(r, event, trace))
                    return {};
                event.kind = kind;
                event.correlation = r.number(4).value_or(-1);
                event.name = name;
                const std::int64_t device = r.integer(2);
                event.row = row(building, true, device, r.integer(3));
                if (building.process.device < 0)
                    building.process.device = std::max<std::int64_t>(0, device);
                trace.events.push_back(event);
                return {};
            });
    }

    static const char *copyName(std::int64_t kind) {
        switch (kind) {
        case 1:
            return "Memcpy HtoD";
        case 2:
            return "Memcpy DtoH";
        case 8:
            return "Memcpy DtoD";
        case 10:
            return "Memcpy PtoP";
        default:
            return kind < 0 ? "Memset" : "Memcpy";
        }
    }

    Result<void> readKernels() {
        return readDevice(kernelTable, EventKind::Kernel,
                          optional(kernelTable, "shortName") + ", " + optional(kernelTable, "demangledName"), "0");
    }
    Result<void> readCopies() {
        TRY(readDevice(copyTable, EventKind::Copy, "NULL, NULL", column(copyTable, "copyKind", "0")));
        return readDevice(setTable, EventKind::Copy, "NULL, NULL", "-1");
    }

    Result<void> readCalls() {
        if (!TRY(usable(callTable, {"start", "end", "globalTid"})))
            return {};
        return m_database.rows(fmt::format("SELECT t.start, t.end, t.globalTid, {}, {} FROM {} t",
                                           column(callTable, "correlationId", "-1"), optional(callTable, "nameId"), callTable),
                               [&](const SqliteReader::Row &r) -> Result<void> {
                                   const std::int64_t globalTid = r.integer(2);
                                   Building &building = of(globalTid);
                                   TraceEvents &trace = building.process.trace;
                                   TRY(count(trace));
                                   const auto name = TRY(nameOf(r, {4}, "CUDA call", trace));
                                   TraceEvent event;
                                   if (!times(r, event, trace))
                                       return {};
                                   event.kind = EventKind::Runtime;
                                   event.correlation = r.number(3).value_or(-1);
                                   event.name = name;
                                   event.row = hostRow(building, globalTid);
                                   trace.events.push_back(event);
                                   return {};
                               });
    }

    Result<void> readRanges() {
        if (!TRY(usable(rangeTable, {"start", "end", "eventType", "globalTid"})))
            return {};
        const std::string text = optional(rangeTable, "text");
        const std::string id = fmt::format("CASE WHEN {} IS NULL THEN {} END", text, optional(rangeTable, "textId"));
        return m_database.rows(fmt::format("SELECT t.start, t.end, t.globalTid, {}, {} FROM {} t WHERE t.eventType = {}", text,
                                           id, rangeTable, rangeOfThread),
                               [&](const SqliteReader::Row &r) -> Result<void> {
                                   const std::int64_t globalTid = r.integer(2);
                                   Building &building = of(globalTid);
                                   TRY(count(building.process.trace));
                                   if (const std::string_view own = r.text(3); own.data() || !r.isNull(3)) {
                                       takeRange(r, globalTid, own, building);
                                       return {};
                                   }
                                   const auto text = TRY(stringOf(r, 4));
                                   takeRange(r, globalTid, text.value_or(std::string_view()), building);
                                   return {};
                               });
    }

    static void takeRange(const SqliteReader::Row &r, std::int64_t globalTid, std::string_view text, Building &building) {
        TraceEvents &trace = building.process.trace;
        TraceEvent event;
        if (!times(r, event, trace))
            return; // never popped
        const auto [name, sequence, sizes, opId] = argumentsIn(text);
        const std::string step = stepName(text);
        // Ranges that PyTorch numbers or names are ops; all others are the user's ranges.
        const bool op = !sequence.empty() || opId || name.starts_with("aten::") || name.starts_with("autograd::engine::") ||
                        name.starts_with("torch::autograd::");
        const bool optimizer = name.starts_with("Optimizer.");
        event.kind = op && !optimizer ? EventKind::Operator : EventKind::Annotation;
        event.name = trace.names.intern(!step.empty() ? std::string_view(step) : name.empty() ? std::string_view("range") : name);
        event.sequence = sequence.empty() ? -1 : integer(sequence.substr(0, sequence.find_first_not_of("0123456789")));
        event.row = hostRow(building, globalTid);
        const bool needsShapes =
            name.find("AccumulateGrad") != std::string_view::npos || name.starts_with("aten::conv") || name == "aten::linear";
        if (!sizes.empty() && needsShapes) {
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
    ReadLimits m_limits;
    std::uint64_t m_rows = 0, m_expectedRows = 0, m_knownBytes = 0;
    NsightCapture m_capture;
    bool m_byProcess = true;
    std::map<std::int64_t, Building> m_processes;
    Building *m_last = nullptr; ///< process of the previous row
    std::int64_t m_lastId = 0;
    std::optional<SqliteReader::Lookup> m_strings;                        ///< into StringIds, if the table exists
    std::unordered_map<std::int64_t, std::optional<std::string>> m_known; ///< texts by id
    std::optional<std::string> m_other;                                   ///< text of an id that is not a number
};

} // namespace

bool looksLikeSqlite(std::string_view head) { return head.starts_with("SQLite format 3"); }

Result<NsightCapture> readNsight(const std::string &path, std::stop_token stop, Progress *progress, const ReadLimits &limits) {
    return withinMemory(path, recordLess, [&]() -> Result<NsightCapture> {
        auto database = TRY(inFile(SqliteReader::open(path, std::move(stop), exportAgain), path));
        auto capture = TRY(inFile(NsightReader(*database, progress, limits).read(), path));
        if (progress)
            progress->done = progress->total.load();
        return capture;
    });
}

} // namespace syncopate
