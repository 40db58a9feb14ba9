// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/message_costs.h"

#include "engine/base/input_file.h"
#include "engine/base/units.h"
#include "engine/parse/csv_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace syncopate {

namespace {

struct CostRow {
    bool collective = false, oneAtATime = false, answered = false;
    double workers = 0, bytesPerSecond = 0, bytes = 0, seconds = 0;
};

Result<std::vector<CostRow>> readRows(const std::string &path, double linkEfficiency) {
    const auto text = TRY(readInputFile(path));
    const std::string header = "architecture,workers,bandwidth_gbits,mode,answer,message_bytes,messages,seconds_per_message";
    const auto table = TRY(CsvTable::parse(
        text, path, {"architecture", "workers", "bandwidth_gbits", "mode", "answer", "message_bytes", "seconds_per_message"},
        header));
    std::vector<CostRow> rows;
    for (std::size_t r = 0; r < table.rowCount(); ++r) {
        CostRow row;
        row.collective = table.text(r, "architecture") == "bsar";
        row.oneAtATime = table.text(r, "mode") == "one_at_a_time";
        row.answered = table.text(r, "answer") == "whole";
        row.workers = TRY(table.number(r, "workers", 1, 1e5));
        row.bytesPerSecond = linkEfficiency * bytesPerSecondFromGbits(TRY(table.number(r, "bandwidth_gbits", 1e-6, 1e6)));
        row.bytes = TRY(table.number(r, "message_bytes", 1, 1e12));
        row.seconds = TRY(table.number(r, "seconds_per_message", 1e-12, 1e6));
        rows.push_back(row);
    }
    return rows;
}

/// Of the rows with the smallest messages, whose bytes hardly count.
void fitMessages(const std::vector<CostRow> &rows, MessageCosts &costs) {
    double smallest = std::numeric_limits<double>::infinity();
    for (const CostRow &row : rows)
        if (!row.collective && row.answered)
            smallest = std::min(smallest, row.bytes);
    double sum = 0, trip = 0, count = 0, trips = 0;
    for (const CostRow &row : rows) {
        if (row.collective || !row.answered || row.bytes != smallest)
            continue;
        const double alone = std::max(0.0, row.seconds - row.bytes * row.workers / row.bytesPerSecond);
        (row.oneAtATime ? trip : sum) += row.oneAtATime ? alone : row.seconds / (2 * row.workers);
        (row.oneAtATime ? trips : count) += 1;
    }
    costs.messageSeconds = count > 0 ? sum / count : 0;
    if (trips > 0)
        costs.latencySeconds = std::max(0.0, trip / trips / 2 - 2 * costs.messageSeconds);
}

/// Launch, message of a step, and a wire byte beyond the wire's own time, all in seconds.
using CollectiveCosts = std::array<double, 3>;

double collectiveError(const std::vector<CostRow> &rows, const CollectiveCosts &costs) {
    const auto &[launch, step, perByte] = costs;
    double error = 0;
    for (const CostRow &row : rows) {
        if (!row.collective)
            continue;
        const double steps = 2 * (row.workers - 1), bytes = steps / row.workers * row.bytes;
        const double wire = bytes * (1 / row.bytesPerSecond + perByte);
        const double seconds = row.oneAtATime ? launch + steps * step + wire : std::max(launch, steps * step / 2 + wire);
        error += std::abs(seconds / row.seconds - 1);
    }
    return error;
}

/// Steps each cost up or down where that lowers the error, else halves the steps.
void fitCollectives(const std::vector<CostRow> &rows, MessageCosts &costs) {
    if (std::none_of(rows.begin(), rows.end(), [](const CostRow &row) { return row.collective; }))
        return;
    CollectiveCosts best{1e-3, 1e-4, 1e-10}, steps = best;
    double least = collectiveError(rows, best);
    for (int halvings = 0; halvings < 12;) {
        bool better = false;
        for (std::size_t i = 0; i < best.size(); ++i)
            for (const double direction : {1.0, -1.0}) {
                CollectiveCosts tried = best;
                tried[i] = std::max(0.0, best[i] + direction * steps[i]);
                if (const double error = collectiveError(rows, tried); error < least) {
                    least = error;
                    best = tried;
                    better = true;
                }
            }
        if (better)
            continue;
        ++halvings;
        for (double &step : steps)
            step /= 2;
    }
    costs.collectiveSeconds = best[0];
    costs.stepSeconds = best[1];
    costs.collectiveSecondsPerByte = best[2];
}

} // namespace

Result<MessageCosts> readMessageCosts(const std::string &path, double linkEfficiency) {
    const auto rows = TRY(readRows(path, linkEfficiency));
    MessageCosts costs;
    fitMessages(rows, costs);
    fitCollectives(rows, costs);
    return costs;
}

} // namespace syncopate
