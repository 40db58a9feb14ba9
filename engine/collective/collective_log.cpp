// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/collective/collective_log.h"

#include "engine/collective/inspector_log.h"
#include "engine/collective/log_parts.h"
#include "engine/collective/nccl_json.h"
#include "engine/parse/byte_source.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <utility>

namespace syncopate {

namespace {

constexpr std::size_t maxLogBytes = std::size_t{64} << 20;
constexpr std::size_t maxFiles = 100'000;

std::vector<std::string_view> tokensOf(std::string_view line, std::string_view separators) {
    std::vector<std::string_view> tokens;
    for (std::size_t at = 0; at < line.size();) {
        const std::size_t begin = line.find_first_not_of(separators, at);
        if (begin == std::string_view::npos)
            break;
        const std::size_t end = std::min(line.find_first_of(separators, begin), line.size());
        tokens.push_back(line.substr(begin, end - begin));
        at = end;
    }
    return tokens;
}

std::optional<double> number(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

class Reader {
public:
    Reader(std::string_view text, const std::string &file) : m_rest(text) {
        m_log.source = file;
        m_kind = collectiveOfPath(file);
    }

    Result<CollectiveLog> read() {
        if (m_rest.find('\0') != std::string_view::npos)
            return refuse("this is not a text", fmt::format("give {}", readCollectiveLogKinds));
        while (!m_rest.empty()) {
            const std::size_t end = std::min(m_rest.find('\n'), m_rest.size());
            std::string_view line = m_rest.substr(0, end);
            m_rest.remove_prefix(std::min(end + 1, m_rest.size()));
            ++m_line;
            if (!line.empty() && line.front() == '[') // mpirun: "[1,0]<stdout>:"
                if (const std::size_t prefix = line.find(">:"); prefix != std::string_view::npos && prefix < 40)
                    line.remove_prefix(prefix + 2);
            TRY(readLine(line));
            if (m_log.samples.size() > maxCollectiveSamples)
                return refuse("it has more than a million rows", "give one collective's table");
        }
        return finish();
    }

private:
    enum class Table : std::uint8_t { None, Nccl, Osu, VTrain };

    [[nodiscard]] tl::unexpected<Error> refuse(std::string what, std::string remedy) const {
        return fail(std::move(what), std::move(remedy), m_log.source, m_line > 0 ? fmt::format("{}", m_line) : "");
    }

    Result<void> readLine(std::string_view line) {
        if (line.find("# OSU") != std::string_view::npos) {
            m_table = Table::Osu;
            m_log.tool = "OSU";
            if (const auto named = collectiveNamed(line.substr(line.find("# OSU") + 5)))
                m_kind = named;
            return {};
        }
        if (line.substr(0, 8) == "size(B),") {
            m_table = Table::VTrain;
            m_log.tool = "vTrain";
            return {};
        }
        if (line.find('#') != std::string_view::npos && line.find_first_not_of(" \t") == line.find('#')) {
            readComment(line);
            return {};
        }
        switch (m_table) {
        case Table::Nccl:
            return readNccl(tokensOf(line, " \t\r"));
        case Table::Osu: {
            const auto tokens = tokensOf(line, " \t\r");
            return tokens.size() < 2 || !number(tokens[0]) ? Result<void>() : add(tokens[0], tokens[1], 1e-6);
        }
        case Table::VTrain: {
            const auto tokens = tokensOf(line, ",\r");
            if (tokens.empty())
                return {};
            if (tokens.size() < 4)
                return refuse(fmt::format("{} fields where the title has 7", tokens.size()), "complete the line");
            return add(tokens[0], tokens[3], 1e-9);
        }
        case Table::None:
            break;
        }
        return {};
    }

    void readComment(std::string_view line) {
        const auto tokens = tokensOf(line, "# \t\r");
        if (tokens.empty())
            return;
        if (tokens[0] == "Rank" && tokens.size() > 1 && number(tokens[1]))
            addRank(*number(tokens[1]));
        const auto time = std::find(tokens.begin(), tokens.end(), "time");
        if (tokens[0] == "size" && time != tokens.end()) {
            m_table = Table::Nccl;
            m_log.tool = "nccl-tests";
            // Columns before the time may be empty, so rows are read from the right.
            m_columnsFromTime = static_cast<std::size_t>(tokens.end() - time);
        }
    }

    /// Each run of a log lists its ranks from 0 on.
    void addRank(double rank) {
        if (rank == 0 && m_log.ranks > 0)
            m_ranksOfRuns.insert(std::exchange(m_log.ranks, 0));
        ++m_log.ranks;
    }

    Result<void> readNccl(const std::vector<std::string_view> &tokens) {
        if (tokens.size() < m_columnsFromTime + 3 || !number(tokens[0]) || !number(tokens[1]))
            return {}; // another program's line in between
        const std::size_t time = tokens.size() - m_columnsFromTime;
        if (m_columnsFromTime >= 3) { // busbw / algbw = 2(n-1)/n gives the ranks of an all-reduce
            const auto algorithm = number(tokens[time + 1]), bus = number(tokens[time + 2]);
            if (algorithm && bus)
                m_bus.add(*algorithm, *bus);
        }
        return add(tokens[0], tokens[time], 1e-6);
    }

    Result<void> add(std::string_view size, std::string_view time, double unit) {
        const auto bytes = number(size), value = number(time);
        if (!bytes || !value || !isCollectiveSample(*bytes, *value * unit))
            return refuse(fmt::format("'{}' bytes in '{}' are not a size and a time", size.substr(0, 40), time.substr(0, 40)),
                          "correct the line");
        if (*bytes > 0 && *value > 0)
            m_log.samples.push_back({*bytes, *value * unit});
        return {};
    }

    Result<CollectiveLog> finish() {
        m_line = 0;
        if (m_table == Table::None)
            return refuse(m_log.source.ends_with(".json")
                              ? "these are bandwidths without message sizes: no curve follows from them"
                              : "no table of a collective is in it",
                          fmt::format("give {}", readCollectiveLogKinds));
        if (m_log.ranks > 0)
            m_ranksOfRuns.insert(m_log.ranks);
        if (m_ranksOfRuns.size() > 1)
            return refuse(fmt::format("it has runs of {} and of {} ranks", *m_ranksOfRuns.begin(), *m_ranksOfRuns.rbegin()),
                          "give a file for each");
        if (m_table == Table::VTrain)
            ranksFromName();
        return finishCollectiveLog(std::move(m_log), m_kind, m_bus);
    }

    /// vTrain's tables state their ranks in the file's name alone, as "AR_GPU8_1M_1024M_LUT.csv".
    void ranksFromName() {
        const std::string_view name = std::string_view(m_log.source).substr(m_log.source.rfind('/') + 1);
        int ranks = 0;
        for (std::size_t at = name.find("GPU"); at != std::string_view::npos && m_log.ranks == 0; at = name.find("GPU", at + 1))
            if (std::from_chars(name.data() + at + 3, name.data() + name.size(), ranks).ec == std::errc() && ranks > 0 &&
                ranks < 1'000'000)
                m_log.ranks = ranks;
    }

    std::string_view m_rest;
    std::size_t m_line = 0;
    Table m_table = Table::None;
    std::size_t m_columnsFromTime = 0;
    BusRatio m_bus{0.005};                ///< nccl-tests prints two decimals
    std::set<std::int32_t> m_ranksOfRuns; ///< of the runs that have ended
    std::optional<CollectiveKind> m_kind;
    CollectiveLog m_log;
};

} // namespace

namespace {

/// Reads a file's text, decompressing gzip.
Result<std::string> readLog(const std::string &path) {
    auto text = TRY(readTextHead(path, maxLogBytes + 1));
    if (text.size() > maxLogBytes)
        return fail("it is larger than 64 MiB", "give the log of one collective", path);
    return text;
}

} // namespace

bool hasWholeSizes(const CollectiveLog &log) {
    return log.tool != "OSU" || (log.kind != CollectiveKind::AllGather && log.kind != CollectiveKind::AllToAll);
}

Result<CollectiveLog> readCollectiveLogText(std::string_view text, const std::string &file) {
    return isNcclTestsJson(text) ? readNcclTestsJson(text, file) : Reader(text, file).read();
}

Result<CollectiveLog> readCollectiveLogFile(const std::string &path) {
    const auto text = TRY(readLog(path));
    return readCollectiveLogText(text, path);
}

CollectiveLogs readCollectiveLogFiles(const std::vector<std::string> &files) {
    CollectiveLogs read;
    InspectorLogs inspector;
    const auto keep = [&](Result<CollectiveLog> log) {
        if (log)
            read.logs.push_back(std::move(*log));
        else
            read.notRead.push_back(log.error());
    };
    for (const std::string &file : files) {
        const auto text = readLog(file);
        if (!text) {
            read.notRead.push_back(text.error());
        } else if (isInspectorLog(*text)) {
            if (const auto added = inspector.add(*text, file); !added)
                read.notRead.push_back(added.error());
        } else {
            keep(readCollectiveLogText(*text, file));
        }
    }
    for (Result<CollectiveLog> &log : inspector.finish())
        keep(std::move(log));
    return read;
}

Result<std::vector<std::string>> filesBelow(const std::string &path) {
    namespace fs = std::filesystem;
    std::error_code error;
    if (!fs::is_directory(path, error))
        return std::vector{path};
    std::vector<std::string> files;
    for (fs::recursive_directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
        if (it->is_regular_file(error))
            files.push_back(it->path().string());
        if (files.size() > maxFiles)
            return fail("there are more than 100000 files in it", "give a folder of logs", path);
    }
    if (error)
        return fail("the folder cannot be read: " + error.message(), "check its permissions", path);
    std::sort(files.begin(), files.end());
    return files;
}

} // namespace syncopate
