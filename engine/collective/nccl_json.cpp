// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/collective/nccl_json.h"

#include "engine/collective/log_parts.h"
#include "engine/parse/json_stream.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <simdjson.h>
#include <string>
#include <utility>

namespace syncopate {

namespace {

constexpr std::size_t scannerPadding = 65; ///< needed by JsonScanner: a NUL, and bytes that it may read after it
constexpr std::int64_t maxEach = 4096;     ///< threads, GPUs and devices

/// Reads the document from its beginning as far as it goes. Each row is parsed separately, so that a truncated row does not lose
/// the rows before it.
class NcclTestsReader {
public:
    NcclTestsReader(std::string_view text, const std::string &file) : m_text(text), m_size(text.size()) {
        m_text.append(scannerPadding, '\0');
        m_log.source = file;
        m_log.tool = "nccl-tests";
        m_scanner.at = m_text.data();
        m_scanner.end = m_text.data() + m_size;
        m_scanner.remedy = "run nccl-tests with -J again";
    }

    Result<CollectiveLog> read() {
        if (m_text.find('\0') != m_size)
            return fail("this is not a text", "give the file that nccl-tests wrote with -J", m_log.source);
        if (const Scan outcome = TRY(document()); outcome == Scan::Bad)
            return fail(m_scanner.complaint, m_scanner.remedy, m_log.source,
                        fmt::format("byte {}", m_scanner.at - m_text.data()));
        else if (outcome == Scan::NeedMore)
            m_log.notes.emplace_back("The document ends in the middle: its complete rows are taken.");
        if (m_withoutTime > 0)
            m_log.notes.push_back(fmt::format("{} rows without a time are left out.", m_withoutTime));
        if (!m_kind)
            m_kind = collectiveOfPath(m_log.source);
        return finishCollectiveLog(std::move(m_log), m_kind, m_bus);
    }

private:
    Result<Scan> document() {
        if (const Scan s = m_scanner.expect('{'); s != Scan::Ok)
            return s;
        for (bool more = true; more;) {
            std::string_view key;
            if (const Scan s = m_scanner.key(key); s != Scan::Ok)
                return s;
            if (const Scan s = TRY(key == "results" ? results() : fact(key)); s != Scan::Ok)
                return s;
            if (const Scan s = m_scanner.another('}', more); s != Scan::Ok)
                return s;
        }
        return Scan::Ok;
    }

    /// Reads a member other than the list of results.
    Result<Scan> fact(std::string_view key) {
        JsonScanner::Value value;
        if (const Scan s = m_scanner.value(value); s != Scan::Ok)
            return s;
        if (key == "config" && value.kind == '{')
            TRY(config(value.text));
        else if (key == "args" && value.kind == '[' && !m_kind)
            m_kind = collectiveNamed(value.text.substr(0, std::min(value.text.find(','), value.text.size())));
        return Scan::Ok;
    }

    Result<Scan> results() {
        if (const Scan s = m_scanner.expect('['); s != Scan::Ok)
            return s;
        char next = 0;
        if (const Scan s = m_scanner.peek(next); s != Scan::Ok)
            return s;
        if (next == ']') {
            ++m_scanner.at;
            return Scan::Ok;
        }
        for (bool more = true; more; ++m_row) {
            JsonScanner::Value row;
            if (const Scan s = m_scanner.value(row); s != Scan::Ok)
                return s;
            TRY(result(row.text));
            if (const Scan s = m_scanner.another(']', more); s != Scan::Ok)
                return s;
        }
        return Scan::Ok;
    }

    [[nodiscard]] tl::unexpected<Error> refuse(const char *field, std::string what) const {
        return fail(std::move(what), "correct the file, or run nccl-tests with -J again", m_log.source,
                    fmt::format("results[{}]{}", m_row, field));
    }

    /// A time in microseconds; nullopt if the row has none.
    static std::optional<double> timeOf(const simdjson::dom::element &row, const char *place) {
        for (const char *name : {"time", "cpu_time"}) {
            double microseconds = 0;
            if (!row[place][name].get(microseconds))
                return microseconds;
        }
        return std::nullopt;
    }

    Result<void> result(std::string_view text) {
        simdjson::dom::element row;
        if (const auto status = m_parser.parse(text.data(), text.size()).get(row))
            return refuse("", simdjson::error_message(status));
        double bytes = 0;
        if (row["size"].get(bytes))
            return refuse(".size", "a row has no size in bytes");
        auto time = timeOf(row, "out_of_place");
        if (!time)
            time = timeOf(row, "in_place");
        if (std::string_view name; !row["experiment_name"].get(name))
            m_kind = collectiveNamed(name).has_value() ? collectiveNamed(name) : m_kind;
        if (!time) {
            ++m_withoutTime;
            return {};
        }
        if (!isCollectiveSample(bytes, *time * 1e-6))
            return refuse("", fmt::format("{:g} bytes in {:g} us are not a size and a time", bytes, *time));
        if (double algorithm = 0, bus = 0;
            !row["out_of_place"]["alg_bw"].get(algorithm) && !row["out_of_place"]["bus_bw"].get(bus))
            m_bus.add(algorithm, bus);
        if (m_log.samples.size() >= maxCollectiveSamples)
            return refuse("", "it has more than a million rows");
        if (bytes > 0 && *time > 0)
            m_log.samples.push_back({bytes, *time * 1e-6});
        return {};
    }

    Result<void> config(std::string_view text) {
        simdjson::dom::element config;
        if (const auto status = m_parser.parse(text.data(), text.size()).get(config))
            return fail(simdjson::error_message(status), "run nccl-tests with -J again", m_log.source, "config");
        simdjson::dom::array devices;
        if (config["devices"].get(devices))
            return {};
        std::set<std::string> hosts, processes;
        std::int64_t listed = 0, threads = 1, gpus = 1;
        for (const simdjson::dom::element device : devices) {
            std::string_view host;
            std::int64_t process = 0;
            if (!device["hostname"].get(host))
                hosts.emplace(host);
            if (!device["pid"].get(process))
                processes.insert(fmt::format("{} {}", process, host));
            ++listed;
        }
        for (const auto &[name, count] : {std::pair{"nthreads", &threads}, std::pair{"ngpus", &gpus}})
            if (!config[name].get(*count) && (*count < 1 || *count > maxEach))
                return fail(fmt::format("{} is {}", name, *count), "correct the file", m_log.source, "config");
        const std::int64_t each = static_cast<std::int64_t>(processes.size()) == listed ? threads * gpus : 1;
        if (listed > 0 && listed * each <= maxEach * maxEach) {
            m_log.ranks = static_cast<std::int32_t>(listed * each);
            m_log.nodes = static_cast<std::int32_t>(hosts.size());
        }
        return {};
    }

    std::string m_text; ///< followed by the NULs at which the scanner ends
    std::size_t m_size; ///< without these
    JsonScanner m_scanner;
    simdjson::dom::parser m_parser;
    std::size_t m_row = 0, m_withoutTime = 0;
    BusRatio m_bus{5e-7}; ///< nccl-tests writes six decimals
    std::optional<CollectiveKind> m_kind;
    CollectiveLog m_log;
};

} // namespace

bool isNcclTestsJson(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    return begin != std::string_view::npos && text[begin] == '{' && text.find("\"nccl_version\"") != std::string_view::npos &&
           text.find("\"config\"") != std::string_view::npos;
}

Result<CollectiveLog> readNcclTestsJson(std::string_view text, const std::string &file) {
    return NcclTestsReader(text, file).read();
}

} // namespace syncopate
