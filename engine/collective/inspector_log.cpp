// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/collective/inspector_log.h"

#include "engine/collective/log_parts.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <simdjson.h>
#include <utility>

namespace syncopate {

namespace {

/// A count from 1 to maxCollectiveRanks.
std::optional<std::int32_t> countOf(const simdjson::dom::element &header, const char *name) {
    std::int64_t count = 0;
    if (header[name].get(count) || count < 1 || count > maxCollectiveRanks)
        return std::nullopt;
    return static_cast<std::int32_t>(count);
}

} // namespace

/// Reads the lines of one file.
class InspectorLogs::Lines {
public:
    Lines(InspectorLogs &logs, const std::string &file) : m_logs(logs), m_file(file) {}

    Result<void> read(std::string_view rest) {
        while (!rest.empty()) {
            const std::size_t end = rest.find('\n');
            const bool last = end == std::string_view::npos;
            const std::string_view line = rest.substr(0, end);
            rest.remove_prefix(last ? rest.size() : end + 1);
            ++m_line;
            if (line.find_first_not_of(" \t\r") == std::string_view::npos)
                continue;
            simdjson::dom::element record;
            if (const auto status = m_parser.parse(line.data(), line.size()).get(record)) {
                if (!last || m_line == 1)
                    return refuse(simdjson::error_message(status));
                m_logs.m_notes.push_back(fmt::format("The last line of {} is cut off and left out.", m_file));
                return {};
            }
            TRY(readRecord(record));
        }
        return {};
    }

private:
    [[nodiscard]] tl::unexpected<Error> refuse(std::string what) const {
        return fail(std::move(what), "correct or remove the line", m_file, fmt::format("{}", m_line));
    }

    Result<void> readRecord(const simdjson::dom::element &record) {
        if (simdjson::dom::element header; !record["header"].get(header)) {
            std::string_view id;
            const auto ranks = countOf(header, "n_ranks"), nodes = countOf(header, "nnodes");
            if (header["id"].get(id) || !ranks)
                return refuse("the header has no id and n_ranks");
            m_header = Header{std::string(id), *ranks, nodes.value_or(0)};
        }
        simdjson::dom::element collective;
        if (record["coll_perf"].get(collective))
            return {};
        if (!m_header)
            return refuse("a collective comes before any header");
        std::string_view name;
        std::int64_t number = 0;
        double bytes = 0, microseconds = 0;
        if (collective["coll"].get(name) || collective["coll_sn"].get(number) || collective["coll_msg_size_bytes"].get(bytes) ||
            collective["coll_exec_time_us"].get(microseconds))
            return refuse("coll_perf lacks coll, coll_sn, coll_msg_size_bytes or coll_exec_time_us");
        const auto kind = collectiveNamed(name);
        // NCCL counts what one rank gives to an all-gather and keeps of a reduce-scatter, nccl-tests what all ranks do.
        if (kind == CollectiveKind::AllGather || kind == CollectiveKind::ReduceScatter)
            bytes *= m_header->ranks;
        if (!isCollectiveSample(bytes, microseconds * 1e-6))
            return refuse(fmt::format("{:g} bytes in {:g} us are not a size and a time", bytes, microseconds));
        if (!kind || bytes <= 0 || microseconds <= 0 || m_header->ranks < 2)
            return {};
        if (++m_logs.m_count > maxCollectiveSamples)
            return refuse("there are more than a million collectives");
        const Group group{*kind, m_header->ranks, m_header->nodes};
        m_logs.m_source.emplace(group, m_file);
        double &seconds = m_logs.m_seconds[group]
                              .try_emplace({m_header->communicator, number, bytes}, std::numeric_limits<double>::infinity())
                              .first->second;
        seconds = std::min(seconds, microseconds * 1e-6);
        return {};
    }

    InspectorLogs &m_logs;
    const std::string &m_file;
    std::size_t m_line = 0;
    simdjson::dom::parser m_parser;
    std::optional<Header> m_header;
};

bool isInspectorLog(std::string_view text) {
    const std::string_view head = text.substr(0, std::size_t{1} << 16);
    const std::size_t begin = head.find_first_not_of(" \t\r\n");
    return begin != std::string_view::npos && head[begin] == '{' &&
           head.find("\"inspector_output_format_version\"") != std::string_view::npos;
}

Result<void> InspectorLogs::add(std::string_view text, const std::string &file) { return Lines(*this, file).read(text); }

std::vector<Result<CollectiveLog>> InspectorLogs::finish() const {
    std::vector<Result<CollectiveLog>> logs;
    for (const auto &[group, collectives] : m_seconds) {
        CollectiveLog log;
        log.source = m_source.at(group);
        log.tool = "NCCL Inspector";
        log.ranks = group.ranks;
        log.nodes = group.nodes;
        log.notes = m_notes;
        for (const auto &[collective, seconds] : collectives)
            log.samples.push_back({collective.bytes, seconds});
        log.notes.emplace_back("A collective's duration is the shortest over the ranks whose files were given.");
        logs.push_back(finishCollectiveLog(std::move(log), group.kind, {}));
    }
    return logs;
}

} // namespace syncopate
