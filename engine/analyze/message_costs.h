// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// The cost of messages over TCP, from jobs that only send.
struct MessageCosts {
    double messageSeconds = 0;           ///< CPU of one host for one message, sent or received
    double latencySeconds = 0;           ///< one way
    double collectiveSeconds = 0;        ///< CPU of every worker for launching a collective, one after the other
    double stepSeconds = 0;              ///< of a message of a collective's step; other collectives go on meanwhile
    double collectiveSecondsPerByte = 0; ///< of a collective's bytes on the wire, beyond the link's time
    double collectiveBurstBytes = 0;     ///< of a token bucket that a collective finds full after a pause; 0 = none
    /// Rate of a collective's bytes / rate of a plain stream, on links that carry `bytesPerSecond` of the latter.
    [[nodiscard]] double collectiveEfficiency(double bytesPerSecond) const {
        return 1 / (1 + collectiveSecondsPerByte * bytesPerSecond);
    }
};

/// What the messages of a row are.
enum class MessageKind : std::uint8_t {
    Push,          ///< to one server (bsps)
    AllReduce,     ///< (bsar)
    HalfAllReduce, ///< an all-gather or a reduce-scatter (fsdp2): goes around the ring once, and no two are in flight
};

/// A row of a table of message costs: messages, or collectives, of one size, one at a time or back to back.
struct MessageRow {
    MessageKind kind = MessageKind::Push;
    bool oneAtATime = false; ///< the next starts when the one before is answered, else as soon as it can
    bool answered = false;   ///< of a push: the server sends as many bytes back (`whole`), else a header only (`empty`)
    double workers = 0;      ///< whole
    double bandwidthBytesPerSecond = 0; ///< of every link, each direction, as stated
    double bytes = 0;
    double messages = 0; ///< whole, in an iteration; 0 = not stated
    double seconds = 0;  ///< per message of a worker, measured
    [[nodiscard]] bool isCollective() const { return kind != MessageKind::Push; }
};

/// Reads a table with the columns architecture, workers, bandwidth_gbits, mode, answer, message_bytes, seconds_per_message and,
/// where it is there, messages. Errors name file and line: words other than bsps, bsar, fsdp2, back_to_back, one_at_a_time, whole
/// and empty, numbers out of range, workers and messages that are not whole.
[[nodiscard]] Result<std::vector<MessageRow>> readMessageRowsText(std::string_view text, const std::string &file);
[[nodiscard]] Result<std::vector<MessageRow>> readMessageRows(const std::string &path);

/// Whether the text begins with the header of such a table.
[[nodiscard]] bool isMessageTable(std::string_view text);

/// The rows whose time depends on the links alone: pushes of the largest size, 250 kB or more, back to back; without an answer,
/// where the table has such rows. O(rows).
[[nodiscard]] std::vector<MessageRow> bulkRows(const std::vector<MessageRow> &rows);
/// The share of the stated rate that a plain stream carries: the median over the bulk rows. With an answer, an iteration of m
/// messages ends one message after its last push, so m + 1 of them fill it. Null without bulk rows.
[[nodiscard]] std::optional<double> linkEfficiencyOf(const std::vector<MessageRow> &rows);

/// Fits costs to the rows, for predictedSeconds(). Costs without rows stay 0. `linkEfficiency` is a plain stream's share of the
/// stated rate, `burstBytes` the size of the links' token buckets; collectives one at a time find them full where that fits
/// better.
///
/// Pushes (bsps), from the smallest that are answered whole: a server that answers `workers` workers handles two messages of
/// each, back to back; one at a time, a message and its answer take two ways and four handlings. Medians over the rows; rows back
/// to back whose time is the wire's do not count.
///
/// All-reduces (bsar): a launch, 2 (n-1) steps of a message and 2 (n-1)/n of the bytes on the wire at the link's rate and a cost
/// per byte; with two in flight the launches take turns, the messages overlap and the wire is shared, and the longer of both
/// counts. Halves of an all-reduce (fsdp2) have half of its steps and bytes, one after the other. Minimises the sum of relative
/// errors by coordinate search.
[[nodiscard]] MessageCosts fitMessageCosts(const std::vector<MessageRow> &rows, double linkEfficiency, double burstBytes = 0);

/// The model's prediction for a row, in seconds per message: collectives as above; pushes the longer of handling and wire; one at
/// a time the sum of both, with each way's first `burstBytes` free (a token bucket that has filled up during the pause).
[[nodiscard]] double predictedSeconds(const MessageRow &row, const MessageCosts &costs, double linkEfficiency, double burstBytes);

} // namespace syncopate
