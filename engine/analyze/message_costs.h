// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// The cost of messages over TCP, from jobs that do nothing but send.
struct MessageCosts {
    double messageSeconds = 0;           ///< CPU of one host for one message, sent or received
    double latencySeconds = 0;           ///< one way
    double collectiveSeconds = 0;        ///< CPU of every worker for launching a collective, one after the other
    double stepSeconds = 0;              ///< of a message of a collective's step; other collectives go on meanwhile
    double collectiveSecondsPerByte = 0; ///< of a collective's bytes on the wire, beyond what the link takes
    double collectiveBurstBytes = 0;     ///< of a token bucket that a collective finds filled after a pause, 0 = none does
    /// Rate of a collective's bytes / rate of a plain stream, on links that carry `bytesPerSecond` of the latter.
    [[nodiscard]] double collectiveEfficiency(double bytesPerSecond) const {
        return 1 / (1 + collectiveSecondsPerByte * bytesPerSecond);
    }
};

/// A row of a table of message costs: messages, or collectives, of one size, one at a time or back to back.
struct MessageRow {
    bool collective = false; ///< an all-reduce (bsar) or half of one (fsdp2), else a push to one server (bsps)
    bool oneAtATime = false; ///< the next starts when the one before is answered, else as soon as it can
    bool answered = false;   ///< the server sends as many bytes back (`whole`), else a header only (`empty`)
    double workers = 0;
    double bandwidthBytesPerSecond = 0; ///< of every link, each direction, as stated
    double bytes = 0;
    double messages = 0; ///< in an iteration; 0 = the table does not say
    double seconds = 0;  ///< per message of a worker, measured
    /// Of a collective: an all-gather or a reduce-scatter, which goes around the ring once, and no two are in flight.
    bool half = false;
};

/// Reads a table with the columns architecture, workers, bandwidth_gbits, mode, answer, message_bytes, seconds_per_message and,
/// where it is there, messages. Errors name file and line: words other than bsps, bsar, fsdp2, back_to_back, one_at_a_time, whole
/// and empty, numbers out of range.
[[nodiscard]] Result<std::vector<MessageRow>> readMessageRowsText(std::string_view text, const std::string &file);
[[nodiscard]] Result<std::vector<MessageRow>> readMessageRows(const std::string &path);

/// Whether the text begins with the header of such a table.
[[nodiscard]] bool isMessageTable(std::string_view text);

/// The rows whose time is the links' alone: pushes of the largest size, 250 kB or more, back to back; without an answer, where
/// the table has such rows. O(rows).
[[nodiscard]] std::vector<MessageRow> bulkRows(const std::vector<MessageRow> &rows);
/// The share of the stated rate that a plain stream carries: the median over the bulk rows. With an answer, an iteration of m
/// messages ends one message after its last push, so m + 1 of them fill it. Null without bulk rows.
[[nodiscard]] std::optional<double> linkEfficiencyOf(const std::vector<MessageRow> &rows);

/// Fits costs to the rows. Parameter servers (bsps): one that answers `workers` workers handles two messages of each, back
/// to back; one at a time, a message and its answer take two ways and four handlings. Rows of all-reduces (bsar): a launch, 2
/// (n-1) steps of a message and 2 (n-1)/n of the bytes on the wire at the link's rate and a cost per byte; of two in flight the
/// launches are in turn, the messages overlap and the wire is shared, and the longer of both counts. Halves of an all-reduce
/// (fsdp2) have half of its steps and bytes, one after the other. Least sum of relative
/// errors, by pattern search (Hooke and Jeeves 1961). `linkEfficiency` is a plain stream's share of the stated rate. Rows that
/// are missing leave their costs at 0.
/// `burstBytes`: of the links' token buckets; collectives one at a time find them filled where that fits better.
[[nodiscard]] MessageCosts fitMessageCosts(const std::vector<MessageRow> &rows, double linkEfficiency, double burstBytes = 0);

/// The model's prediction for a row, in seconds per message: collectives as above; pushes the longer of handling and wire; one at
/// a time the sum of both, with each way's first `burstBytes` free (a token bucket that has filled up in the pause).
[[nodiscard]] double predictedSeconds(const MessageRow &row, const MessageCosts &costs, double linkEfficiency, double burstBytes);

} // namespace syncopate
