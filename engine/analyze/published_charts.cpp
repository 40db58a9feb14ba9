// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/published_charts.h"

#include "engine/base/csv.h"
#include "engine/base/input_file.h"
#include "engine/base/units.h"
#include "engine/parse/byte_source.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <string_view>
#include <system_error>
#include <utility>

namespace syncopate {

namespace {

constexpr std::string_view autoDistHeader = "model,builder,gpus,samples_per_s_per_gpu";
constexpr std::string_view byteSchedulerHeader = "model,system,gpus,samples_or_tokens_per_s";
constexpr std::size_t maxRows = 2000;
constexpr double maxGpus = 1024;

constexpr TestBed autoDistBed{"AutoDist", 4, 50, 10, 30e-6, 6e9};
constexpr TestBed byteSchedulerBed{"ByteScheduler", 8, 100, 100, 2e-6, 12e9};

std::string_view firstLine(std::string_view text) {
    std::string_view line = text.substr(0, text.find('\n'));
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    return line;
}

const TestBed *bedOf(std::string_view header) {
    return header == autoDistHeader ? &autoDistBed : header == byteSchedulerHeader ? &byteSchedulerBed : nullptr;
}

} // namespace

Result<std::vector<Chart>> readCharts(const std::string &folder, const NetworkEffects &effects) {
    std::vector<std::string> files;
    std::error_code status;
    for (const auto &entry : std::filesystem::directory_iterator(folder, status))
        if (entry.path().extension() == ".csv")
            files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    std::vector<Chart> charts;
    for (const std::string &file : files) {
        const auto text = TRY(readInputFile(file));
        const TestBed *bed = bedOf(firstLine(text));
        if (!bed)
            continue;
        auto rows = TRY(readPublishedChart(text, file));
        charts.push_back({file, *bed, std::move(rows)});
        charts.back().bed.effects = effects;
    }
    if (charts.empty())
        return fail("there is no published chart in it",
                    fmt::format("add a .csv with the header {} or {}", autoDistHeader, byteSchedulerHeader), folder);
    return charts;
}

Result<std::vector<PublishedRow>> readPublishedChart(std::string_view text, const std::string &path) {
    const TestBed *bed = bedOf(firstLine(text));
    if (!bed)
        return fail("it is not a published chart",
                    fmt::format("start with the header {} or {}", autoDistHeader, byteSchedulerHeader), path, "1");
    std::vector<PublishedRow> rows;
    std::string_view rest = text;
    for (std::size_t number = 1; !rest.empty(); ++number) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::vector<std::string> fields = splitCsvLine(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (number == 1 || (fields.size() == 1 && fields.front().empty()))
            continue;
        const std::string place = fmt::format("{}", number);
        if (fields.size() != 4)
            return fail(fmt::format("{} fields where the header has 4", fields.size()),
                        "give model, builder, GPUs and throughput", path, place);
        PublishedRow row{.model = fields[0], .system = fields[1]};
        const auto gpus = parseNumber(fields[2]);
        const auto rate = parseNumber(fields[3]);
        if (!gpus || !(*gpus >= 1 && *gpus <= maxGpus) || *gpus != std::floor(*gpus))
            return fail(fmt::format("'{}' is not a number of GPUs", fields[2]), fmt::format("give 1 to {:.0f}", maxGpus), path,
                        place);
        row.gpus = static_cast<std::int32_t>(*gpus);
        if (row.gpus > bed->gpusPerNode && row.gpus % bed->gpusPerNode != 0)
            return fail(fmt::format("{} GPUs are not whole nodes", row.gpus),
                        fmt::format("give up to {0} GPUs, or a multiple of {0}", bed->gpusPerNode), path, place);
        if (!rate || !(*rate > 0 && *rate < 1e15))
            return fail(fmt::format("'{}' is not a throughput", fields[3]), "give samples per second, above 0", path, place);
        row.published = *rate * (bed == &autoDistBed ? row.gpus : 1);
        rows.push_back(std::move(row));
        if (rows.size() > maxRows)
            return fail(fmt::format("more than {} rows", maxRows), "split the file into folders", path, place);
    }
    if (rows.empty())
        return fail("there is no row in it", "add one line per throughput", path);
    return rows;
}

bool isPublishedFolder(const std::string &folder) {
    constexpr std::size_t headBytes = 256; // longer than both headers
    std::error_code status;
    for (const auto &entry : std::filesystem::directory_iterator(folder, status)) {
        if (entry.path().extension() != ".csv")
            continue;
        const auto head = readTextHead(entry.path().string(), headBytes);
        if (head && bedOf(firstLine(*head)))
            return true;
    }
    return false;
}

} // namespace syncopate
