// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/predict/measured_points.h"

#include "engine/base/input_file.h"
#include "engine/base/median.h"
#include "engine/base/text.h"
#include "engine/base/units.h"
#include "engine/parse/byte_order_mark.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <optional>

namespace syncopate {

namespace {

constexpr std::uint64_t maxPointsFileBytes = std::uint64_t{16} << 20;
constexpr std::size_t mostRows = 100'000, maxColumns = 1000;
constexpr double maxPointWorkers = 100'000, maxPerSecond = 1e15;

constexpr std::array workerNames{"workers", "num_workers", "n_workers", "number_of_workers", "worker_count"};
constexpr std::array sampleNames{"samples_per_second", "examples_per_second", "images_per_second", "throughput"};
constexpr std::array stepNames{"steps_per_second", "iterations_per_second", "iterations_per_second_all_workers",
                               "global_steps_per_second"};
constexpr std::array groupNames{"job",          "model",  "architecture", "servers",   "bandwidth_gbits",
                                "flow_control", "window", "order",        "batch_size"};

std::string_view trimmed(std::string_view text) {
    const auto space = [](char c) { return c == ' ' || c == '\r' || c == '\v' || c == '\f'; };
    while (!text.empty() && space(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && space(text.back()))
        text.remove_suffix(1);
    return text;
}

/// Splits a line into fields; a quoted field may contain separators, and "" for a quote.
std::vector<std::string> fieldsOf(std::string_view line, char separator) {
    std::vector<std::string> fields;
    std::string field;
    bool quoted = false;
    for (std::size_t i = 0; i <= line.size(); ++i) {
        if (i == line.size() || (line[i] == separator && !quoted)) {
            fields.emplace_back(trimmed(field));
            field.clear();
            if (fields.size() > maxColumns)
                break;
        } else if (line[i] != '"') {
            field += line[i];
        } else if (quoted && i + 1 < line.size() && line[i + 1] == '"') {
            field += line[++i];
        } else {
            quoted = !quoted;
        }
    }
    return fields;
}

/// "Examples/s" becomes "examples_per_second".
std::string canonical(std::string name) {
    for (char &c : name)
        c = c == ' ' || c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    for (const std::string_view ending : {"/s", "/sec", "/second", "_per_s", "_per_sec"})
        if (name.ends_with(ending))
            return name.substr(0, name.size() - ending.size()) + "_per_second";
    return name;
}

template <std::size_t N>
std::optional<std::size_t> columnNamed(const std::vector<std::string> &header, const std::array<const char *, N> &names) {
    for (const char *name : names)
        if (const auto found = std::find(header.begin(), header.end(), name); found != header.end())
            return static_cast<std::size_t>(found - header.begin());
    return std::nullopt;
}

struct Columns {
    std::size_t workers = 0, perSecond = 0;
    bool inSteps = false;
    std::vector<std::size_t> groups;
    std::vector<std::string> names;
    char separator = ',';
    [[nodiscard]] std::size_t most() const {
        std::size_t last = std::max(workers, perSecond);
        for (const std::size_t column : groups)
            last = std::max(last, column);
        return last;
    }
};

Result<Columns> columnsOf(std::string_view line, const std::string &file, const std::string &place) {
    Columns columns;
    for (const char separator : {';', '\t'})
        if (line.find(',') == std::string_view::npos && line.find(separator) != std::string_view::npos)
            columns.separator = separator;
    for (const std::string &name : fieldsOf(line, columns.separator))
        columns.names.push_back(canonical(name));
    const auto workers = columnNamed(columns.names, workerNames);
    const auto samples = columnNamed(columns.names, sampleNames), steps = columnNamed(columns.names, stepNames);
    if (columns.names.size() > maxColumns || !workers || (!samples && !steps))
        return fail(columns.names.size() > maxColumns
                        ? fmt::format("more than {} columns", maxColumns)
                        : fmt::format("there is no column of {}", workers ? "throughput" : "workers"),
                    "start with a header such as workers,examples_per_second or workers,steps_per_second", file, place);
    columns.workers = *workers;
    columns.perSecond = steps ? *steps : *samples; // steps compare without a batch size
    columns.inSteps = steps.has_value();
    for (const char *name : groupNames)
        if (const auto found = std::find(columns.names.begin(), columns.names.end(), name); found != columns.names.end())
            columns.groups.push_back(static_cast<std::size_t>(found - columns.names.begin()));
    return columns;
}

/// Name of a row's series: the job or model by value alone, other columns with their names.
std::string seriesName(const Columns &columns, const std::vector<std::string> &fields) {
    std::string name;
    for (const std::size_t column : columns.groups) {
        if (fields[column].empty())
            continue;
        name += name.empty() ? "" : ", ";
        if (columns.names[column] != "job" && columns.names[column] != "model")
            name += columns.names[column] + " ";
        name += fields[column];
    }
    return name;
}

Result<MeasuredPoint> pointOf(const Columns &columns, const std::vector<std::string> &fields, const std::string &file,
                              const std::string &place) {
    const auto workers = parseNumber(fields[columns.workers]), rate = parseNumber(fields[columns.perSecond]);
    if (!workers || !(*workers >= 1 && *workers <= maxPointWorkers) || *workers != std::floor(*workers))
        return fail(fmt::format("'{}' is not a number of workers", cutInMiddle(fields[columns.workers], 40)),
                    "write a whole number from 1 to 100000", file, place);
    if (!rate || !(*rate > 0 && *rate <= maxPerSecond))
        return fail(fmt::format("'{}' is not a throughput", cutInMiddle(fields[columns.perSecond], 40)),
                    "write a positive number, or leave the line out", file, place);
    return MeasuredPoint{static_cast<std::int32_t>(*workers), *rate};
}

} // namespace

Result<std::vector<MeasuredSeries>> readMeasuredPoints(std::string_view text, const std::string &file) {
    text = withoutByteOrderMark(text);
    std::optional<Columns> columns;
    std::vector<MeasuredSeries> series;
    std::map<std::string, std::size_t> known;
    std::size_t rows = 0;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty() || line.front() == '#')
            continue;
        const std::string place = fmt::format("{}", number);
        if (!columns) {
            columns = TRY(columnsOf(line, file, place));
            continue;
        }
        if (++rows > mostRows)
            return fail(fmt::format("more than {} rows", mostRows), "split the file", file, place);
        const std::vector<std::string> fields = fieldsOf(line, columns->separator);
        if (fields.size() <= columns->most())
            return fail(fmt::format("{} fields where the header has {}", fields.size(), columns->names.size()),
                        "complete the line", file, place);
        const MeasuredPoint point = TRY(pointOf(*columns, fields, file, place));
        const std::string name = seriesName(*columns, fields);
        const auto [found, isNew] = known.try_emplace(name, series.size());
        if (isNew)
            series.push_back({name, columns->inSteps, {}});
        series[found->second].points.push_back(point);
    }
    if (series.empty())
        return fail("there is no measured point in it", "write a header and one line per run", file);
    for (MeasuredSeries &one : series)
        std::stable_sort(one.points.begin(), one.points.end(),
                         [](const MeasuredPoint &a, const MeasuredPoint &b) { return a.workers < b.workers; });
    return series;
}

Result<std::vector<MeasuredSeries>> readMeasuredPointsFile(const std::string &path) {
    const auto text = readInputFile(path, maxPointsFileBytes);
    return text ? readMeasuredPoints(*text, path) : Unexpected(text.error());
}

PointErrors pointErrors(const MeasuredSeries &series, const std::vector<Throughput> &curve, double batchSize) {
    PointErrors summary;
    std::map<std::int32_t, double> predicted;
    for (const Throughput &point : curve)
        predicted[point.workers] = point.samplesPerSecond;
    std::vector<double> errors;
    for (const MeasuredPoint &point : series.points) {
        const auto found = predicted.find(point.workers);
        if (found == predicted.end()) {
            ++summary.withoutPrediction;
            continue;
        }
        summary.points.push_back({point.workers, series.samplesPerSecond(point, batchSize), found->second});
        errors.push_back(std::abs(summary.points.back().relative()));
        if (errors.back() >= summary.worst) {
            summary.worst = errors.back();
            summary.worstWorkers = point.workers;
        }
    }
    if (errors.empty())
        return summary;
    summary.median = median(std::move(errors));
    return summary;
}

} // namespace syncopate
