// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <string>

namespace syncopate {

/// What messages over TCP cost, told from jobs that send and do nothing else.
struct MessageCosts {
    double messageSeconds = 0;           ///< CPU of one host for one message, sent or received
    double latencySeconds = 0;           ///< one way
    double collectiveSeconds = 0;        ///< CPU of every worker for launching an all-reduce, one after the other
    double stepSeconds = 0;              ///< of a message of an all-reduce's step; other all-reduces go on meanwhile
    double collectiveSecondsPerByte = 0; ///< of an all-reduce's bytes on the wire, beyond what the link takes
    /// Rate of an all-reduce's bytes / rate of a plain stream, on links that carry `bytesPerSecond` of the latter.
    [[nodiscard]] double collectiveEfficiency(double bytesPerSecond) const {
        return 1 / (1 + collectiveSecondsPerByte * bytesPerSecond);
    }
};

/// Fits them to a table with the columns architecture, workers, bandwidth_gbits, mode, answer, message_bytes, messages and
/// seconds_per_message. Rows of parameter servers (bsps): one that answers `workers` workers handles two messages of each, back
/// to back; one at a time, a message and its answer take two ways and four handlings. Rows of all-reduces (bsar): a launch, 2
/// (n-1) steps of a message and 2 (n-1)/n of the bytes on the wire at the link's rate and a cost per byte; of two in flight the
/// launches are in turn, the messages overlap and the wire is shared, and the longer of both counts. Least sum of relative
/// errors, by pattern search (Hooke and Jeeves 1961). `linkEfficiency` is a plain stream's share of the stated rate. Rows that
/// are missing leave their costs at 0. Errors name file and line.
[[nodiscard]] Result<MessageCosts> readMessageCosts(const std::string &path, double linkEfficiency);

} // namespace syncopate
