// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/layered_layout.h"
#include "engine/session/planned_work.h"
#include "engine/timeline/span_ref.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace syncopate {

/// An op of a training DAG in its picture. Members that a plan fills are empty where the DAG alone is shown.
struct DagNode {
    /// The motifs of a comm-op that one channel runs.
    struct Share {
        ChannelId channel{0}; ///< of DagPicture::channels
        std::int32_t motifs = 0;
        double seconds = 0; ///< their time in the shown iteration
        bool operator==(const Share &) const = default;
    };
    DagOpId op{0};
    std::vector<Share> channels{};           ///< that it uses, by number
    std::optional<SpanRef> span{};           ///< its first in the shown iteration; none where it takes no time
    double startSeconds = 0, endSeconds = 0; ///< of all its spans, after that iteration's start; below 0 where it runs ahead
    bool isCritical = false;                 ///< on the critical path of the iteration
    bool operator==(const DagNode &) const = default;
};

/// An arrow from one op to another that waits for it.
struct DagEdge {
    enum class Kind : std::uint8_t {
        Parent,        ///< of the same iteration
        ComputeOrder,  ///< one compute-op after the other, where the DAG has no such edge
        NextIteration, ///< the second waits for the first of the iteration before
        ChannelOrder,  ///< of a plan: the second's channel was busy with the first. Only where that is critical
    };
    std::int32_t from = 0, to = 0; ///< into DagPicture::nodes
    Kind kind = Kind::Parent;
    bool isCritical = false; ///< a step of the critical path
    bool operator==(const DagEdge &) const = default;
};

/// A training DAG as a layered graph, to be drawn: one iteration, its edges from left to right, those into the next iteration
/// beside. With a plan: the channels that its motifs run on and the critical path of a settled iteration.
struct DagPicture {
    std::shared_ptr<const TrainingDag> dag;
    bool isPlanned = false;
    std::vector<std::string> channels; ///< names of the plan's
    std::vector<DagNode> nodes;
    /// Edges within the iteration come first: layout.routes are theirs.
    std::vector<DagEdge> edges;
    LayeredLayout layout;               ///< of nodes
    std::vector<std::int32_t> nodeOfOp; ///< -1 = it is left out
    std::vector<std::string> notes;     ///< what is left out, a line each

    std::vector<DagOpId> opOfMotif; ///< by the plan's motifs

    /// The op of a span, by the span's label in the timeline of the plan; may be none.
    [[nodiscard]] DagOpId opOfLabel(std::int32_t label) const;
};

/// Max ops in a picture; of a larger DAG it shows this many in a row.
inline constexpr std::size_t maxDagNodes = 800;

/// The DAG alone. With more than `most` ops, only those around `around` (none: the first ones) in a topological order; a note
/// says so. O(ops + edges), and layOutLayers(). Errors: `stop` was requested.
[[nodiscard]] Result<DagPicture> dagPicture(std::shared_ptr<const TrainingDag> dag, DagOpId around = {},
                                            const std::stop_token &stop = {}, std::size_t most = maxDagNodes);

/// The DAG of a plan that was played for `run`, with the plan's channels and critical path. Costs and errors as above, and
/// O(tasks); those of dagOfJob() where the DAG is the job's.
[[nodiscard]] Result<DagPicture> planPicture(const PlannedWork &work, const PlannedRecording &run, DagOpId around = {},
                                             const std::stop_token &stop = {}, std::size_t most = maxDagNodes);

} // namespace syncopate
