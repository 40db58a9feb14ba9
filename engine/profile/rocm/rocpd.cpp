// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/rocm/rocpd.h"

#include "engine/parse/read_limits.h"
#include "engine/parse/sqlite_reader.h"
#include "engine/profile/nsight/nsight.h"
#include "engine/profile/recording/recording_builder.h"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

namespace syncopate {

namespace {

using Row = SqliteReader::Row;

constexpr const char *recordAgain = "record again: rocprofv3 --output-format rocpd, or leave the option out";
constexpr const char *whyNoJob =
    "This is a recording of ROCm's profilers (rocpd): kernels and calls without the framework's ops, so there is no training "
    "step that could be simulated. To simulate, record with torch.profiler, activities CPU and CUDA (ROCm counts as CUDA there).";
constexpr std::uint64_t rowsBetweenChecks = 4096;

/// Reads the tables of one process, whose names end in its unique id. Row ids are unique only within them.
class ProcessReader {
public:
    /// `prefix` is put before the names of its lanes; `progress`, if not null, counts rows.
    ProcessReader(SqliteReader &database, std::size_t process, std::string suffix, std::string prefix,
                  RecordingBuilder &recording, const ReadLimits &limits, std::int32_t &nextWorker, Progress *progress)
        : m_database(database), m_process(process), m_suffix(std::move(suffix)), m_prefix(std::move(prefix)),
          m_recording(recording), m_limits(limits), m_nextWorker(nextWorker), m_progress(progress) {}

    Result<void> read() {
        m_timed = has("timestamp", "value"); // schema 4
        TRY(readTexts("string", "string", m_strings));
        TRY(readTexts("info_kernel_symbol", has("info_kernel_symbol", "display_name") ? "display_name" : "kernel_name",
                      m_kernels));
        TRY(readTexts("info_thread", "name", m_threads, RecordingBuilder::maxNameBytes));
        TRY(readTexts("info_stream", "name", m_streams, RecordingBuilder::maxNameBytes));
        TRY(readAgents());
        TRY(readKernels());
        TRY(readCopies());
        return readRegions();
    }

private:
    using Texts = std::unordered_map<std::int64_t, std::string>;
    struct Agent {
        std::string name;
        bool isGpu = false;
        std::int32_t worker = -1; ///< assigned once it has work
    };

    [[nodiscard]] std::string table(const char *name) const { return fmt::format("rocpd_{}{}", name, m_suffix); }
    [[nodiscard]] bool has(const char *name, const char *column) const { return m_database.hasColumn(table(name), column); }
    /// The column, or NULL if the table lacks it.
    [[nodiscard]] std::string column(const char *alias, const char *name, const char *of) const {
        return has(name, of) ? fmt::format("{}.{}", alias, of) : std::string("NULL");
    }
    /// Counts a row that was read, with the bytes of its texts that are kept.
    Result<void> countRow(std::uint64_t more) {
        if (m_progress)
            m_progress->done.fetch_add(1, std::memory_order_relaxed);
        m_textBytes += more;
        if (m_rows++ % rowsBetweenChecks != 0)
            return {};
        return checkLimits(m_limits, m_recording.keptBytes() + m_textBytes, m_database.textBytes(), {});
    }

    Result<void> readTexts(const char *name, const char *of, Texts &into,
                           std::size_t maxBytes = RecordingBuilder::maxLabelBytes) {
        if (!has(name, "id") || !has(name, of))
            return {};
        return m_database.rows(fmt::format("SELECT id, {} FROM {}", of, table(name)), [&](const Row &row) -> Result<void> {
            const std::string_view text = row.text(1).substr(0, maxBytes);
            into.try_emplace(row.integer(0), text);
            return countRow(text.size() + 64);
        });
    }

    Result<void> readAgents() {
        if (!has("info_agent", "id") || !has("info_agent", "type"))
            return {};
        const std::string query =
            fmt::format("SELECT a.id, a.type, {} FROM {} a", column("a", "info_agent", "type_index"), table("info_agent"));
        return m_database.rows(query, [&](const Row &row) -> Result<void> {
            Agent &agent = m_agents[row.integer(0)];
            agent.isGpu = row.text(1) == "GPU";
            agent.name = fmt::format("{} {}", agent.isGpu ? "GPU" : "CPU", row.integer(2));
            return countRow(sizeof(Agent));
        });
    }

    /// Worker number and name of a device; devices become workers when they first have work.
    const Agent &device(std::int64_t id) {
        Agent &agent = m_agents[id];
        if (agent.name.empty())
            agent.name = fmt::format("agent {}", id);
        if (agent.worker < 0)
            agent.worker = m_nextWorker++;
        return agent;
    }

    std::string stream(const Row &row, int queue, int stream) const {
        const auto number = row.number(stream);
        if (number) {
            const auto name = m_streams.find(*number);
            return name != m_streams.end() && !name->second.empty() ? name->second : fmt::format("stream {}", *number);
        }
        const auto other = row.number(queue);
        return other ? fmt::format("queue {}", *other) : std::string("queue");
    }

    std::size_t deviceGroup(std::int64_t agent, const char *what, const std::string &stream, bool isCompute) {
        const auto key = std::tuple(agent, std::string(what), stream);
        if (const auto known = m_groups.find(key); known != m_groups.end())
            return known->second;
        const Agent &on = device(agent);
        return m_groups[key] =
                   m_recording.group(fmt::format("{}{} {} {}", m_prefix, on.name, what, stream), on.worker, isCompute);
    }

    /// "FROM rocpd_x x", joined with the timestamps where (schema 4) a row's times are not in the row itself.
    [[nodiscard]] std::string from(const char *name) const {
        std::string text = fmt::format("FROM {} x", table(name));
        if (m_timed)
            text += fmt::format(" JOIN {} s ON s.id = x.start_id JOIN {} e ON e.id = x.end_id", table("timestamp"),
                                table("timestamp"));
        if (m_timed && has(name, "track_id") && m_database.hasTable(table("track")))
            text += fmt::format(" LEFT JOIN {} t ON t.id = x.track_id", table("track"));
        return text;
    }
    [[nodiscard]] bool hasTimes(const char *name) const {
        return m_timed ? has(name, "start_id") && has(name, "end_id") : has(name, "start") && has(name, "end");
    }
    [[nodiscard]] const char *times() const { return m_timed ? "s.value, e.value" : "x.start, x.end"; }
    /// A column that schema 4 moved to the track.
    [[nodiscard]] std::string placed(const char *name, const char *of) const {
        if (has(name, of))
            return fmt::format("x.{}", of);
        return m_timed && has(name, "track_id") && has("track", of) ? fmt::format("t.{}", of) : std::string("NULL");
    }

    Result<void> readKernels() {
        constexpr const char *name = "kernel_dispatch";
        if (!hasTimes(name))
            return {};
        const std::string query =
            fmt::format("SELECT {}, {}, {}, {}, {} {}", times(), placed(name, "agent_id"), placed(name, "queue_id"),
                        placed(name, "stream_id"), column("x", name, "kernel_id"), from(name));
        return m_database.rows(query, [&](const Row &row) -> Result<void> {
            const auto symbol = m_kernels.find(row.integer(5));
            const std::string_view kernel = symbol != m_kernels.end() ? std::string_view(symbol->second) : "kernel";
            const Category category = categoryOfKernel(kernel);
            const bool computes = !isCommunication(category);
            m_recording.add(deviceGroup(row.integer(2), computes ? "kernels" : "communication", stream(row, 3, 4), computes),
                            row.integer(0), row.integer(1), category, m_recording.label(kernel));
            return countRow(0);
        });
    }

    Result<void> readCopies() {
        constexpr const char *name = "memory_copy";
        if (!hasTimes(name))
            return {};
        const std::string query =
            fmt::format("SELECT {}, {}, {}, {}, {}, {}, {} {}", times(), column("x", name, "src_agent_id"),
                        column("x", name, "dst_agent_id"), placed(name, "queue_id"), placed(name, "stream_id"),
                        column("x", name, "name_id"), column("x", name, "size"), from(name));
        return m_database.rows(query, [&](const Row &row) -> Result<void> {
            const auto source = row.integer(2), target = row.integer(3);
            const auto at = m_agents.find(target);
            const bool toDevice = at != m_agents.end() && at->second.isGpu;
            const auto text = m_strings.find(row.integer(6));
            m_recording.add(deviceGroup(toDevice ? target : source, "copies", stream(row, 4, 5), false), row.integer(0),
                            row.integer(1), Category::Copy,
                            m_recording.label(text != m_strings.end() ? std::string_view(text->second) : "copy"),
                            static_cast<double>(std::max<std::int64_t>(0, row.integer(7))));
            return countRow(0);
        });
    }

    /// Reads the texts of markers, once for each event: any number of regions may name it.
    Result<void> readMessages() {
        if (!has("region", "event_id") || !has("event", "extdata") || !m_database.isKey(table("event"), "id"))
            return {};
        const std::string query =
            fmt::format("SELECT v.id, CASE WHEN json_valid(v.extdata) THEN json_extract(v.extdata, '$.message') END FROM {} v",
                        table("event"));
        return m_database.rows(query, [&](const Row &row) -> Result<void> {
            const std::string_view text = row.text(1).substr(0, RecordingBuilder::maxLabelBytes);
            if (text.empty())
                return countRow(0);
            m_messages.try_emplace(row.integer(0), text);
            return countRow(text.size() + 64);
        });
    }

    /// Reads host calls, named as such, and markers (roctx), named by the text in their event.
    Result<void> readRegions() {
        constexpr const char *name = "region";
        if (!hasTimes(name))
            return {};
        TRY(readMessages());
        const std::string query = fmt::format("SELECT {}, {}, {}, {} {}", times(), placed(name, "tid"),
                                              column("x", name, "name_id"), column("x", name, "event_id"), from(name));
        return m_database.rows(query, [&](const Row &row) -> Result<void> {
            const auto known = m_strings.find(row.integer(3));
            const auto event = row.number(4);
            const auto message = event ? m_messages.find(*event) : m_messages.end();
            std::string_view text = known != m_strings.end() ? std::string_view(known->second) : "region";
            if (message != m_messages.end()) {
                text = message->second;
                if (text.starts_with("ProfilerStep#"))
                    m_recording.addStep(m_process, text, row.integer(0), row.integer(1));
            }
            m_recording.add(threadGroup(row.integer(2)), row.integer(0), row.integer(1), Category::Host, m_recording.label(text));
            return countRow(0);
        });
    }

    std::size_t threadGroup(std::int64_t thread) {
        if (const auto known = m_threadGroups.find(thread); known != m_threadGroups.end())
            return known->second;
        const auto name = m_threads.find(thread);
        std::string text = fmt::format("{}host thread {}", m_prefix, thread);
        if (name != m_threads.end() && !name->second.empty())
            text += " " + name->second;
        return m_threadGroups[thread] = m_recording.group(text, -1, false);
    }

    SqliteReader &m_database;
    std::size_t m_process; ///< its place in the file
    std::string m_suffix, m_prefix;
    RecordingBuilder &m_recording;
    ReadLimits m_limits;
    std::int32_t &m_nextWorker;
    Progress *m_progress;
    bool m_timed = false;
    Texts m_strings, m_kernels, m_threads, m_streams, m_messages;
    std::unordered_map<std::int64_t, Agent> m_agents;
    std::map<std::tuple<std::int64_t, std::string, std::string>, std::size_t> m_groups; ///< by agent, kind of lane and stream
    std::unordered_map<std::int64_t, std::size_t> m_threadGroups;
    std::uint64_t m_rows = 0, m_textBytes = 0;
};

/// Suffixes of the tables' names, "_" and an id or the id alone: one per process in the file.
std::vector<std::string> suffixesOf(const SqliteReader &database) {
    std::set<std::string> suffixes;
    for (const std::string &table : database.tableNames())
        for (const std::string_view known : {"rocpd_kernel_dispatch", "rocpd_region"})
            if (table.starts_with(known))
                suffixes.insert(table.substr(known.size()));
    return {suffixes.begin(), suffixes.end()};
}

/// Approximate number of rows that ProcessReader reads: row ids may have gaps.
std::uint64_t expectedRows(const SqliteReader &database, const std::vector<std::string> &suffixes) {
    std::uint64_t rows = 0;
    for (const std::string &suffix : suffixes)
        for (const char *name : {"string", "info_kernel_symbol", "info_thread", "info_stream", "info_agent", "kernel_dispatch",
                                 "memory_copy", "event", "region"})
            rows += std::min(database.rowCount(fmt::format("rocpd_{}{}", name, suffix)), database.fileBytes());
    return rows;
}

Result<std::shared_ptr<const ImportedProfile>> read(const std::string &path, const ImportOptions &options,
                                                    const std::stop_token &stop, Progress *progress) {
    const auto database = TRY(SqliteReader::open(path, stop, recordAgain));
    const std::vector<std::string> suffixes = suffixesOf(*database);
    const std::vector<std::string> tables = database->tableNames();
    if (suffixes.empty() &&
        std::any_of(tables.begin(), tables.end(), [](const auto &table) { return table.starts_with("compute_"); }))
        return fail("this is an analysis database of rocprof-compute, which has no timeline", recordAgain);
    if (suffixes.empty())
        return fail("this is an SQLite database, but it has no rocpd tables of kernels or regions",
                    database->hasTable("rocpd_api") ? "this is the older RocmProfileData: record with rocprofv3" : recordAgain);
    RecordingBuilder recording;
    ReadLimits limits = ReadLimits::of(options.limitBytes);
    limits.ratio = 0; // the database is not compressed
    std::int32_t nextWorker = 0;
    if (progress) {
        progress->done = 0;
        progress->total = expectedRows(*database, suffixes);
    }
    for (std::size_t s = 0; s < suffixes.size(); ++s) {
        const std::string prefix = suffixes.size() > 1 ? fmt::format("process {}: ", s) : std::string();
        TRY(ProcessReader(*database, s, suffixes[s], prefix, recording, limits, nextWorker, progress).read());
    }
    recording.addFact(suffixes.size() == 1
                          ? fmt::format("rocpd database of ROCm's profilers: 1 process, {} devices with work.", nextWorker)
                          : fmt::format("rocpd database of ROCm's profilers: {} processes, {} devices with work.",
                                        suffixes.size(), nextWorker));
    return recording.finish(path, whyNoJob, stop);
}

} // namespace

bool looksLikeRocpd(std::string_view head) { return looksLikeSqlite(head) && head.find("rocpd_") != std::string_view::npos; }

Result<std::shared_ptr<const ImportedProfile>> importRocpd(const std::string &path, const ImportOptions &options,
                                                           std::stop_token stop, Progress *progress) {
    return withinMemory(path, recordLess, [&] { return inFile(read(path, options, stop, progress), path); });
}

} // namespace syncopate
