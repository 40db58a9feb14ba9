// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json_writer.h"
#include "engine/cluster/cluster.h"
#include "engine/plan/motif.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// A motif of a comm-op, and the channel that carries it.
struct PlannedMotif {
    DagOpId op{0};
    Motif motif{}; ///< its `after` counts among the motifs of this op
    ChannelId channel{0};
    bool operator==(const PlannedMotif &) const = default;
};

/// The next motif that a channel runs in every iteration b = ..., -1, 0, 1, ...: that of iteration b + iterationOffset, where
/// such an iteration exists.
struct OrderEntry {
    MotifId motif{0};
    std::int32_t iterationOffset = 0;
    bool operator==(const OrderEntry &) const = default;
};

/// How the comm-ops of a TrainingDag are carried out and in what order (an "optimizer plan" of SYNDICATE, section 4.3). The
/// enforcer of a channel takes the next motif of its order, waits until the parents of its op are done, runs it to its end, and
/// takes the next. A comm-op is done when all its motifs are.
struct ExecutionPlan {
    std::string name;
    std::string dag; ///< name of the DAG it is for
    std::vector<Channel> channels;
    std::vector<PlannedMotif> motifs;            ///< by op, and by their number in it
    std::vector<std::vector<OrderEntry>> orders; ///< per channel: each of its motifs once
    /// Whether an enforcer may run comm-ops ahead of their iteration; the plan is played over withSubmission() of its DAG.
    bool enforced = true;

    /// The motifs of an op, which follow each other.
    struct Range {
        MotifId first{0};
        std::int32_t count = 0;

        /// Motif `number` of the op, from 0 to count - 1.
        [[nodiscard]] MotifId at(std::int32_t number) const { return MotifId(first.number() + number); }
        [[nodiscard]] std::int32_t numberOf(MotifId motif) const { return motif.number() - first.number(); }
    };
    /// The range of each of `opCount` ops. `motifs` follow each other by op and name ops below `opCount` (validatePlan()).
    [[nodiscard]] std::vector<Range> rangesByOp(std::size_t opCount) const;
    bool operator==(const ExecutionPlan &) const = default;
};

/// Checks 1 to 1024 channels of different names: each names at least one link, each once; its bandwidth is above 0 and below 1e15
/// bytes/s, its latency 0 to below 60 s, its incast 0 to maxIncast.
[[nodiscard]] Result<void> validateChannels(const std::vector<Channel> &channels, const std::string &file = {});

/// Checks the plan against its DAG: motifs in the order of their ops, none of a compute-op, of each comm-op ones that pass
/// checkMotifs(), without splines and groups of their own where the op's groups differ in size; channels that pass
/// validateChannels(); each motif in the order of its channel once, with an iteration offset of -16 to 16. `file` names the
/// source in the error.
[[nodiscard]] Result<void> validatePlan(const ExecutionPlan &plan, const TrainingDag &dag, const std::string &file = {});

/// A plan file (docs/plan.md). Errors name file, field and remedy; a plan for another DAG is an error.
[[nodiscard]] Result<ExecutionPlan> readExecutionPlanText(std::string_view json, const TrainingDag &dag,
                                                          const std::string &file = {});
[[nodiscard]] Result<ExecutionPlan> readExecutionPlanFile(const std::string &path, const TrainingDag &dag);
/// {channel: [{"op", "motif", "iteration_offset"}]}.
void writeOrders(JsonWriter &json, const ExecutionPlan &plan, const TrainingDag &dag);
[[nodiscard]] std::string writeExecutionPlan(const ExecutionPlan &plan, const TrainingDag &dag);

} // namespace syncopate
