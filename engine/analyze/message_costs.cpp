// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/message_costs.h"

#include "engine/base/input_file.h"
#include "engine/base/median.h"
#include "engine/base/text.h"
#include "engine/base/units.h"
#include "engine/parse/csv_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <initializer_list>
#include <limits>
#include <vector>

namespace syncopate {

namespace {

constexpr double minBulkBytes = 250e3; ///< larger messages hardly depend on handling

/// Reads a field that is one of some words; returns its index.
Result<std::size_t> wordOf(const CsvTable &table, std::size_t row, const std::string &path, const std::string &column,
                           std::initializer_list<std::string_view> words) {
    const std::string &text = table.text(row, column);
    const auto *const found = std::find(words.begin(), words.end(), text);
    if (found == words.end())
        return fail(fmt::format("{} is '{}'", column, cutInMiddle(text, 40)), fmt::format("write {}", fmt::join(words, " or ")),
                    path, table.place(row));
    return static_cast<std::size_t>(found - words.begin());
}

/// Reads a whole number from 1 to `highest`.
Result<double> wholeOf(const CsvTable &table, std::size_t row, const std::string &path, const std::string &column,
                       double highest) {
    const double number = TRY(table.number(row, column, 1, highest));
    if (number != std::floor(number))
        return fail(fmt::format("{} is {}", column, number), "write a whole number", path, table.place(row));
    return number;
}

double rateOf(const MessageRow &row, double linkEfficiency) { return linkEfficiency * row.bandwidthBytesPerSecond; }

/// Properties of the links.
struct Wire {
    double linkEfficiency, burstBytes; ///< share of the stated rate; bytes that pass at once after a pause
};

/// Of pushes back to back, the time of all bytes; one at a time, of every way, each with its first `burstBytes` free.
double pushWireSeconds(const MessageRow &row, const Wire &links) {
    const double bytes = row.workers * row.bytes, rate = rateOf(row, links.linkEfficiency);
    if (row.oneAtATime)
        return (row.answered ? 2 : 1) * std::max(0.0, bytes - links.burstBytes) / rate;
    return (row.answered && row.messages > 0 ? (row.messages + 1) / row.messages : 1) * bytes / rate;
}

/// Fits the rows with the smallest messages, whose bytes hardly matter. Back to back they show what handling takes, one at a time
/// latency and handling. If the wire bounds all of the former, handling takes the maximum that the rows allow; without any, what
/// the wire does not explain is latency.
void fitMessages(const std::vector<MessageRow> &rows, const Wire &links, MessageCosts &costs) {
    constexpr double beyondWire = 1.2; // of the wire's time; shorter rows are bound by it
    // Of each way by itself: a table may send smaller messages one way than the other.
    constexpr double infinite = std::numeric_limits<double>::infinity();
    double smallestAlone = infinite, smallestBusy = infinite;
    const auto smallest = [&](const MessageRow &row) -> double & { return row.oneAtATime ? smallestAlone : smallestBusy; };
    for (const MessageRow &row : rows)
        if (!row.isCollective() && row.answered)
            smallest(row) = std::min(smallest(row), row.bytes);
    std::vector<double> handling, trips;
    double maxHandling = infinite;
    for (const MessageRow &row : rows) {
        if (row.isCollective() || !row.answered || row.bytes != smallest(row))
            continue;
        const double wire = pushWireSeconds(row, links);
        if (row.oneAtATime) {
            trips.push_back(std::max(0.0, row.seconds - wire));
            maxHandling = std::min(maxHandling, trips.back() / 4);
            continue;
        }
        maxHandling = std::min(maxHandling, row.seconds / (2 * row.workers));
        if (row.seconds > beyondWire * wire)
            handling.push_back(row.seconds / (2 * row.workers));
    }
    if (std::isfinite(smallestBusy))
        costs.messageSeconds = handling.empty() ? maxHandling : median(std::move(handling));
    if (!trips.empty())
        costs.latencySeconds = std::max(0.0, median(std::move(trips)) / 2 - 2 * costs.messageSeconds);
}

/// Seconds: a launch, a message of a step, and a byte beyond its time on the wire.
using CollectiveCosts = std::array<double, 3>;

double collectiveSeconds(const MessageRow &row, const CollectiveCosts &costs, const Wire &links) {
    const auto &[launch, step, perByte] = costs;
    const double rounds = row.kind == MessageKind::HalfAllReduce ? 1 : 2, inFlight = rounds;
    const double steps = rounds * (row.workers - 1), bytes = steps / row.workers * row.bytes;
    const double paced = row.oneAtATime ? std::max(0.0, bytes - links.burstBytes) : bytes;
    const double wire = paced / rateOf(row, links.linkEfficiency) + bytes * perByte;
    return row.oneAtATime ? launch + steps * step + wire : std::max(launch, steps * step / inFlight + wire);
}

double collectiveError(const std::vector<MessageRow> &rows, const CollectiveCosts &costs, const Wire &links) {
    double error = 0;
    for (const MessageRow &row : rows)
        if (row.isCollective())
            error += std::abs(collectiveSeconds(row, costs, links) / row.seconds - 1);
    return error;
}

/// Moves each cost up or down by its step while that lowers the error, then halves the steps. Costs that are far off are
/// approached by larger steps; a cost that the rows do not determine becomes the smallest that fits them. Returns the error.
double search(const std::vector<MessageRow> &rows, const Wire &links, CollectiveCosts &best) {
    CollectiveCosts steps = best;
    double minError = collectiveError(rows, best, links);
    constexpr int farOff = 64, maxRounds = 10'000; // measured tables take up to 66, at most 25 gains in a row
    for (int halvings = 0, gains = 0, round = 0; halvings < 12 && round < maxRounds; ++round) {
        bool better = false;
        for (std::size_t i = 0; i < best.size(); ++i)
            for (const double direction : {1.0, -1.0}) {
                CollectiveCosts tried = best;
                tried[i] = std::max(0.0, best[i] + direction * steps[i]);
                const double error = collectiveError(rows, tried, links);
                if (error < minError || (error == minError && tried[i] < best[i])) {
                    minError = error;
                    best = tried;
                    better = true;
                }
            }
        gains = better ? gains + 1 : 0;
        if (better && gains % farOff != 0)
            continue;
        halvings += better ? -1 : 1;
        for (double &step : steps)
            step *= better ? 2 : 0.5;
    }
    return minError;
}

/// The better fit decides whether collectives sent one at a time find a token bucket full. If so, small ones take hardly any time
/// on the wire, and only then does the launch stand out.
void fitCollectives(const std::vector<MessageRow> &rows, const Wire &links, MessageCosts &costs) {
    if (std::none_of(rows.begin(), rows.end(), [](const MessageRow &row) { return row.isCollective(); }))
        return;
    constexpr CollectiveCosts begin{1e-3, 1e-4, 1e-10};
    CollectiveCosts best = begin, burst = begin;
    const double error = search(rows, {links.linkEfficiency, 0}, best);
    if (links.burstBytes > 0 && search(rows, links, burst) < error) {
        best = burst;
        costs.collectiveBurstBytes = links.burstBytes;
    }
    costs.collectiveSeconds = best[0];
    costs.stepSeconds = best[1];
    costs.collectiveSecondsPerByte = best[2];
}

Result<MessageRow> rowOf(const CsvTable &table, std::size_t r, const std::string &path) {
    MessageRow row;
    const std::size_t architecture = TRY(wordOf(table, r, path, "architecture", {"bsps", "bsar", "fsdp2"}));
    row.kind = std::array{MessageKind::Push, MessageKind::AllReduce, MessageKind::HalfAllReduce}[architecture];
    row.oneAtATime = TRY(wordOf(table, r, path, "mode", {"back_to_back", "one_at_a_time"})) == 1;
    row.answered = TRY(wordOf(table, r, path, "answer", {"empty", "whole"})) == 1;
    row.workers = TRY(wholeOf(table, r, path, "workers", 1e5));
    row.bandwidthBytesPerSecond = bytesPerSecondFromGbits(TRY(table.number(r, "bandwidth_gbits", 1e-6, 1e6)));
    row.bytes = TRY(table.number(r, "message_bytes", 1, 1e12));
    if (table.has("messages"))
        row.messages = TRY(wholeOf(table, r, path, "messages", 1e9));
    row.seconds = TRY(table.number(r, "seconds_per_message", 1e-12, 1e6));
    return row;
}

} // namespace

Result<std::vector<MessageRow>> readMessageRowsText(std::string_view text, const std::string &path) {
    const std::string header = "architecture,workers,bandwidth_gbits,mode,answer,message_bytes,messages,seconds_per_message";
    const auto table = TRY(CsvTable::parse(
        text, path, {"architecture", "workers", "bandwidth_gbits", "mode", "answer", "message_bytes", "seconds_per_message"},
        header));
    std::vector<MessageRow> rows;
    for (std::size_t r = 0; r < table.rowCount(); ++r)
        rows.push_back(TRY(rowOf(table, r, path)));
    return rows;
}

Result<std::vector<MessageRow>> readMessageRows(const std::string &path) {
    const auto text = TRY(readInputFile(path));
    return readMessageRowsText(text, path);
}

bool isMessageTable(std::string_view text) {
    const std::vector<std::string> fields = CsvTable::headerOf(text);
    return std::find(fields.begin(), fields.end(), "seconds_per_message") != fields.end();
}

std::vector<MessageRow> bulkRows(const std::vector<MessageRow> &rows) {
    std::vector<MessageRow> bulk;
    for (const bool answered : {false, true}) {
        const auto fits = [&](const MessageRow &row) {
            return !row.isCollective() && !row.oneAtATime && row.answered == answered && row.bytes >= minBulkBytes;
        };
        double largest = 0;
        for (const MessageRow &row : rows)
            largest = fits(row) ? std::max(largest, row.bytes) : largest;
        std::copy_if(rows.begin(), rows.end(), std::back_inserter(bulk),
                     [&](const MessageRow &row) { return fits(row) && row.bytes == largest; });
        if (!bulk.empty())
            break;
    }
    return bulk;
}

std::optional<double> linkEfficiencyOf(const std::vector<MessageRow> &rows) {
    std::vector<double> shares;
    for (const MessageRow &row : bulkRows(rows)) {
        const double sent = row.answered && row.messages > 0 ? (row.messages + 1) / row.messages : 1;
        shares.push_back(sent * row.workers * row.bytes / row.seconds / row.bandwidthBytesPerSecond);
    }
    if (shares.empty())
        return std::nullopt;
    return median(std::move(shares));
}

MessageCosts fitMessageCosts(const std::vector<MessageRow> &rows, double linkEfficiency, double burstBytes) {
    MessageCosts costs;
    fitMessages(rows, {linkEfficiency, burstBytes}, costs);
    fitCollectives(rows, {linkEfficiency, burstBytes}, costs);
    return costs;
}

double predictedSeconds(const MessageRow &row, const MessageCosts &costs, double linkEfficiency, double burstBytes) {
    if (row.isCollective())
        return collectiveSeconds(row, {costs.collectiveSeconds, costs.stepSeconds, costs.collectiveSecondsPerByte},
                                 {linkEfficiency, costs.collectiveBurstBytes});
    const double wire = pushWireSeconds(row, {linkEfficiency, burstBytes});
    return row.oneAtATime ? 2 * costs.latencySeconds + 4 * costs.messageSeconds + wire
                          : std::max(2 * row.workers * costs.messageSeconds, wire);
}

} // namespace syncopate
