// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"

#include "app/cli/options.h"
#include "app/cli/output.h"
#include "engine/analyze/trace_difference.h"
#include "engine/base/json_writer.h"
#include "engine/base/text.h"
#include "engine/base/units.h"
#include "engine/export/difference_table.h"
#include "engine/profile/recording/recording.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <span>
#include <utility>

namespace syncopate::cli {

namespace {

struct DiffArguments {
    std::vector<std::string> profiles;
    std::size_t rows = 20; ///< per table
    std::string output;    ///< CSV file, empty = none
};

struct NamedRows {
    const char *name;
    const std::vector<DifferenceRow> *rows;
};

std::array<NamedRows, 3> tablesOf(const TraceDifference &difference) {
    return {{{"op", &difference.ops}, {"layer", &difference.layers}, {"stream", &difference.streams}}};
}

/// A file, or a folder or archive of ranks; the whole trace if it has no training step.
Result<std::shared_ptr<const ImportedProfile>> load(const std::string &path) {
    const LoadedJob loaded = TRY(loadJobOrRecording(path));
    if (!loaded.profile)
        return fail("a job has no timeline to compare", "give a profile", path);
    return loaded.profile;
}

void writeTrace(JsonWriter &json, const char *side, const ComparedTrace &trace) {
    json.key(side).beginObject().member("file", trace.file).member("steps", trace.steps).member("ranks", trace.ranks);
    json.member("step_seconds", trace.stepSeconds).endObject();
}

void writeJson(JsonWriter &json, const TraceDifference &difference) {
    json.beginObject();
    writeTrace(json, "a", difference.of[0]);
    writeTrace(json, "b", difference.of[1]);
    for (const auto &[name, rows] : tablesOf(difference)) {
        json.key(fmt::format("{}s", name)).beginArray();
        for (const DifferenceRow &row : *rows) {
            json.newLine().beginObject().member("name", row.name);
            json.member("a_seconds", row.seconds[0]).member("b_seconds", row.seconds[1]);
            json.member("delta_seconds", row.change()).member("a_count", row.count[0]).member("b_count", row.count[1]);
            json.endObject();
        }
        json.endArray();
    }
    json.key("notes").beginArray();
    for (const std::string &note : difference.notes)
        json.value(note);
    json.endArray().endObject().newLine();
}

/// Shortened to the column's width. Names differ at their ends, so the middle is cut.
std::string shortened(const std::string &name) {
    constexpr std::size_t columnWidth = 56;
    return cutInMiddle(visibleText(name), columnWidth);
}

std::string cell(const DifferenceRow &row, std::size_t side) {
    return row.count[side] > 0 ? formatSeconds(row.seconds[side]) : "-";
}

std::string changeText(const DifferenceRow &row) {
    const double change = row.change();
    if (readTheSame(row.seconds[0], row.seconds[1]))
        return "0";
    const std::string share =
        row.isInBoth() && row.seconds[0] > 0 ? fmt::format(" ({:+.1f} %)", 100 * change / row.seconds[0]) : "";
    return fmt::format("{}{}{}", change > 0 ? "+" : "-", formatSeconds(std::abs(change)), share);
}

std::string report(const TraceDifference &difference, std::size_t maxRows) {
    std::string text;
    for (const auto &[side, trace] : {std::pair("A", difference.of[0]), std::pair("B", difference.of[1])})
        text += fmt::format("{}: {}, steps {}, ranks {}, {} a step\n", side, trace.file, trace.steps, trace.ranks,
                            formatSeconds(trace.stepSeconds));
    for (const auto &[name, rows] : tablesOf(difference)) {
        if (rows->empty())
            continue;
        text += fmt::format("\n{:56} {:>11} {:>11} {:>9} {:>9}  {}\n", name, "A", "B", "A spans", "B spans", "B - A");
        const std::size_t shown = std::min(maxRows, rows->size());
        for (const DifferenceRow &row : std::span(*rows).first(shown))
            text += fmt::format("{:56} {:>11} {:>11} {:>9.4g} {:>9.4g}  {}\n", shortened(row.name), cell(row, 0), cell(row, 1),
                                row.count[0], row.count[1], changeText(row));
        if (shown < rows->size())
            text += fmt::format("... {} more\n", rows->size() - shown);
    }
    text += "\nof one step of one rank (streams: of one step); - = not in that trace\n";
    for (const std::string &note : difference.notes)
        text += note + "\n";
    return text;
}

Result<TraceDifference> differenceOf(const std::vector<std::string> &profiles) {
    const auto a = TRY(load(profiles[0]));
    const auto b = TRY(load(profiles[1]));
    return compareTraces(*a, *b);
}

Outcome diff(const Common &common, const DiffArguments &arguments) {
    const auto difference = TRY(orBadInput(differenceOf(arguments.profiles)));
    if (!arguments.output.empty())
        TRY(save(common, arguments.output, writeTable(tableOf(difference), TableFormat::Csv)));
    JsonWriter json;
    if (common.json)
        writeJson(json, difference);
    printEither(common, json, report(difference, arguments.rows));
    return {};
}

Action declareDiff(CLI::App &command, Common &common) {
    auto arguments = std::make_shared<DiffArguments>();
    command
        .add_option("profile", arguments->profiles, "Two profiles, or folders or archives of ranks: A, and B to compare with it")
        ->required()
        ->expected(2);
    command.add_option("--rows", arguments->rows, "Rows of each table; --json and -o have all")
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
    addOutput(command, common, "-o,--output", arguments->output, "Table to write, as CSV");
    return [&common, arguments] { return diff(common, *arguments); };
}

} // namespace

const CommandEntry diffEntry{"diff", "Compare two profiles by op, layer and stream: what takes longer in a step", declareDiff};

} // namespace syncopate::cli
