// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/job/job.h"
#include "engine/plan/plan_ids.h"
#include "engine/plan/process_group.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// One vertex of a TrainingDag: a computation of every process (a compute-op), or a collective of all of them or of several
/// groups at once (a comm-op).
struct DagOp {
    std::string name;
    std::optional<CollectiveKind> collective{}; ///< empty = a compute-op
    double seconds = 0;                         ///< of a compute-op
    /// Of a comm-op, per process. All-to-all: all bytes it sends, including its own part. Others: the whole buffer.
    double sizeBytes = 0;
    bool backward = false;                  ///< of a compute-op; for pictures
    std::vector<DagOpId> parents{};         ///< ops of the same iteration
    std::vector<DagOpId> previousParents{}; ///< ops of the iteration before
    ProcessGroup group{};                   ///< of a comm-op; takes in every process
    /// Of a permute: member m of n sends its buffer to member (m + shift) mod n of its group, and gets that of (m - shift) mod n.
    std::int32_t shift = 1;
    /// Of a comm-op whose groups differ in size: how many neighbours are in each, in the order of the processes; empty = they are
    /// equal, as `group` says. Each group takes the time of its own size, and the op ends with its slowest group.
    std::vector<std::int32_t> groupSizes{};
    [[nodiscard]] bool isCompute() const { return !collective; }
    [[nodiscard]] bool isUneven() const { return !groupSizes.empty(); }
    /// Processes in its group; where groups differ, in the largest one.
    [[nodiscard]] std::int32_t membersAmong(std::int32_t processes) const {
        return isUneven() ? *std::max_element(groupSizes.begin(), groupSizes.end()) : group.sizeAmong(processes);
    }
    bool operator==(const DagOp &) const = default;
};

/// One iteration of training as its processes see it (SYNDICATE, section 3.1.1 and Fig. 13), with its edges into the next one:
/// equal processes, each with one compute stream. How comm-ops are carried out is up to an ExecutionPlan.
struct TrainingDag {
    std::string name;
    std::int32_t processes = 0;
    std::vector<DagOp> ops;
    std::vector<DagOpId> computeOrder;    ///< of the compute stream, the same in every iteration
    std::vector<DagOpId> submissionOrder; ///< of the comm-ops, by the application

    [[nodiscard]] double computeSeconds() const;
    /// Processes that run a comm-op together: DagOp::membersAmong() all of the DAG's.
    [[nodiscard]] std::int32_t groupSize(const DagOp &op) const { return op.membersAmong(processes); }
    bool operator==(const TrainingDag &) const = default;
};

inline constexpr std::int32_t maxDagProcesses = 65536;
inline constexpr double maxDagSeconds = 1e6, maxDagBytes = 1e15; ///< of an op
inline constexpr std::size_t maxDagOps = 100'000, maxDagEdges = 1'000'000;

/// A fault that checkDag() finds, and the part of the DAG it is about: for readers whose formats have places of their own.
struct DagFault {
    enum class About : std::uint8_t { Dag, Op, ComputeOrder, SubmissionOrder };
    std::string what;
    About about = About::Dag;
    DagOpId op{};      ///< of About::Op
    std::string field; ///< "ops[3]", "compute_order"
};

/// Checks what every user of a DAG relies on: 2 to maxDagProcesses processes, at most maxDagOps ops and maxDagEdges edges, unique
/// names, finite values that are not negative, groups that divide the processes or whose different sizes add up to them, permutes
/// that send to others, edges to ops that exist, orders that hold every op of their kind once, no cycle inside an iteration, also
/// by the compute stream's order.
[[nodiscard]] tl::expected<void, DagFault> checkDag(const TrainingDag &dag);
/// The same as an error that names the field; `file` names the source in it.
[[nodiscard]] Result<void> validateDag(const TrainingDag &dag, const std::string &file = {});

/// Replaces groupSizes that are equal, and add up to all processes, by the equivalent `group`.
void simplifyGroups(TrainingDag &dag);
/// The op of one of its groups of different sizes, as if all its groups had this size.
[[nodiscard]] DagOp ofGroupSize(const DagOp &op, std::int32_t size);
/// Refuses groups of different sizes that neither stay inside a node nor fill nodes: one node would have more of their processes
/// than another, and the rings and rates of such a group are not known.
[[nodiscard]] Result<void> checkGroupsOnNodes(const TrainingDag &dag, std::int32_t processesPerNode);

/// The DAG with the edges of finite buffers, without which ops would run ahead of others, or fall behind, without end. Comm-ops
/// without parents in their iteration wait for a compute-op of the iteration before: with an enforcer, which lets them run ahead,
/// for the first; without one for the last, since the application then submits them when it gets there. Comm-ops that no
/// compute-op waits for, directly or through other comm-ops: the last compute-op of the next iteration does.
[[nodiscard]] TrainingDag withSubmission(TrainingDag dag, bool enforced);

/// A DAG file (docs/plan.md): {"name", "hosts", "ops": [{"name", "kind": "compute"|"all_to_all"|.., "seconds"|
/// "bytes_per_process", "backward", "parents", "parents_previous_iteration", "group": {"size", "stride"} or {"sizes"}, "shift"}],
/// "compute_order", "submission_order"}; missing orders are those of the ops. Errors name file, field and remedy.
[[nodiscard]] Result<TrainingDag> readTrainingDagText(std::string_view json, const std::string &file = {});
[[nodiscard]] Result<TrainingDag> readTrainingDagFile(const std::string &path); ///< of JSON, or of text (dag_text.h)
/// The first 64 KiB of a file, enough for the comments that a DAG as text may begin with; empty for anything but a regular file.
[[nodiscard]] std::string headOfDagFile(const std::string &path);
/// Whether `path` is a DAG as text, or a file named .json with "ops" at the top of its JSON, which a job file does not have.
[[nodiscard]] bool isTrainingDagFile(const std::string &path);
/// Its compute-ops (or its comm-ops) in the order of `ops`: the order of a file that states none.
[[nodiscard]] std::vector<DagOpId> defaultOrder(const TrainingDag &dag, bool compute);
/// Whether the name of a compute-op is that of a backward op, for files that do not state it.
[[nodiscard]] bool isBackwardName(std::string_view name);
[[nodiscard]] std::string writeTrainingDag(const TrainingDag &dag);

} // namespace syncopate
