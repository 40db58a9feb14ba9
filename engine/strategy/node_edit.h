// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/job/job.h"
#include "engine/strategy/strategy.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace syncopate {

/// A change of node configs: set fields replace those of each variable, the others stay.
struct NodeEdit {
    std::optional<SynchronizerKind> kind;
    /// Parts along `axis`, or along the first dimension with enough rows; 1 = whole. A part keeps its variable's settings.
    std::optional<std::int32_t> parts;
    std::optional<std::int32_t> axis;
    // ParameterServer; with several destinations variables (and parts) go to them in turn
    std::vector<std::string> destinations;
    std::optional<bool> localReplication;
    std::optional<bool> sync;
    std::optional<std::int32_t> staleness;
    // AllReduce
    std::optional<std::int32_t> group;
    std::optional<Compressor> compressor;

    [[nodiscard]] bool isEmpty() const;
};

/// `strategy` with `edit` made to the node configs of `variables` (indices into the job's). Settings of one kind of
/// synchroniser do not touch variables of the other. A variable that becomes a parameter server's needs a destination: the
/// edit's, else `usualDestination`. Errors name the variable that cannot be cut in this way.
[[nodiscard]] Result<Strategy> editNodes(Strategy strategy, const Job &job, const std::vector<std::int32_t> &variables,
                                         const NodeEdit &edit, const std::string &usualDestination);

} // namespace syncopate
