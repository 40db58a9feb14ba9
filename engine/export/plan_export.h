// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/execution_plan.h"
#include "engine/plan/motif_costs.h"
#include "engine/search/plan_search.h"
#include "engine/simulate/planned_run.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// A plan as another system's file, and the parts that its format cannot express.
struct ExportedPlan {
    std::string text;
    /// Parts left out, each with its reason in a sentence: of an op, or of all ops of a kind.
    std::vector<std::string> refused{};
};

/// A format that plans are written in.
struct PlanFormat {
    std::string_view name; ///< "json", "dag", "nccl-tuner", "nccl-env", "mscclpp", "mscclpp-program", "msccl-xml", "chakra", ...
    const char *title;     ///< as choices show it: "CSV for NCCL's tuner plugin"
    std::string_view suffix; ///< of a file, such as ".plan.json"
    bool isText = true;
    bool isOfOneOp = false; ///< of the comm-op PlanToExport::op
    bool hasTimes = false;  ///< of the played plan, PlanToExport::run
};
[[nodiscard]] const std::vector<PlanFormat> &planFormats();
/// The format of that name; null if there is none.
[[nodiscard]] const PlanFormat *findPlanFormat(std::string_view name);

/// Joins ExportedPlan::refused in one line: the first five sentences, and the number of others. "there is none" if empty.
[[nodiscard]] std::string describeRefused(const std::vector<std::string> &refused);

/// What is exported; references are valid as long as the call.
struct PlanToExport {
    const ExecutionPlan &plan;
    const TrainingDag &dag;
    const MotifCosts &costs;
    std::string op{};                ///< of formats that are of one op
    const PlannedRun *run = nullptr; ///< the plan as it is played, for formats with times
    std::stop_token stop{};          ///< cancels formats that have a file of each process
};
/// Writes the plan in one of planFormats(), by the functions below. Errors: theirs; an unknown format, no run where one is
/// needed.
[[nodiscard]] Result<ExportedPlan> exportPlan(std::string_view format, const PlanToExport &of);

/// Rows for NCCL's example tuner plugin (plugins/tuner/example, NCCL 2.30: collective, min_bytes, max_bytes, algorithm, protocol,
/// channels, nNodes, nRanks): ring or tree for every size of each collective that the plan has, between two sizes by the nearer
/// one. Channels are written, since the plugin sets one where they are not: a ring per process of a node. The protocol is
/// "simple", as plans do not state one. Refuses all-to-alls and permutes, which NCCL does not tune; groups that differ in size;
/// hierarchies; splines, which send directly; motifs on another channel than the first, since a call cannot choose its network;
/// segments that differ in size; equal sizes among equal numbers of ranks and nodes that are done in two ways, since it chooses
/// by these; trees with a call for either half; groups that lie on different numbers of nodes, or on nodes that differ in size,
/// whose number `costs` do not state: a row is of one number of nodes. Errors: nothing is left. O(ops + processes * different
/// groups).
[[nodiscard]] Result<ExportedPlan> writeNcclTuner(const ExecutionPlan &plan, const TrainingDag &dag, const MotifCosts &costs);

/// NCCL_ALGO and NCCL_PROTO as lines of a shell. Refuses what writeNcclTuner() refuses, except for groups' numbers of nodes
/// and for choices by size, which the variables do not have; and a kind of collective with rings for some calls and trees for
/// others. Errors: nothing is left.
[[nodiscard]] Result<ExportedPlan> writeNcclEnvironment(const ExecutionPlan &plan, const TrainingDag &dag);

/// An execution plan of MSCCL++ (src/core/executor/execution_plan.cc) for one comm-op: each process of a node talks to all
/// others of its group over memory channels, a thread block per motif; all motifs of it at once. All-to-all, all-gather,
/// reduce-scatter and all-reduce in segments, all-to-alls and all-gathers in splines too (those of a reduce-scatter would add to
/// the same chunk in thread blocks that run at once). Errors: another kind, groups inside the op's own, groups that differ in
/// size or lie on several nodes (memory channels end there), more of anything than MSCCL++ takes, an unknown op.
[[nodiscard]] Result<std::string> writeMscclpp(const ExecutionPlan &plan, const TrainingDag &dag, std::int32_t processesPerNode,
                                               const std::string &op);

/// The same plan as a program of MSCCL++'s Python DSL (mscclpp.language), which prints it. Errors: those of writeMscclpp().
[[nodiscard]] Result<std::string> writeMscclppProgram(const ExecutionPlan &plan, const TrainingDag &dag,
                                                      std::int32_t processesPerNode, const std::string &op);

/// An algorithm for MSCCL (msccl-tools' XML, which MSCCL's and RCCL's interpreters run), whose successor is MSCCL++, for one
/// comm-op among any number of nodes: a channel per motif, all of them at once. Rings for all-reduce (whole, or a reduce-scatter
/// and its all-gather), reduce-scatter and all-gather, in segments, all in place; all-to-alls in segments and splines, out of
/// place. Errors: another kind, trees and groups, groups that differ in size, rings that wait for each other, more of anything
/// than MSCCL takes, an unknown op.
[[nodiscard]] Result<std::string> writeMscclXml(const ExecutionPlan &plan, const TrainingDag &dag, const std::string &op);

/// A Chakra execution trace (et_def.proto, 0.0.4) of one process: a node per compute-op and per motif that it takes part in, for
/// one iteration, with data dependencies as the DAG and the motifs have them, and control dependencies along the compute stream
/// and each channel. Edges from the iteration before are left out: a trace is one iteration. duration_micros of a motif is its
/// time alone, comm_size its part of the buffer; pg_name tells smaller groups apart ("8x1": 8 members, 1 between neighbours). A
/// permute's motif is a send and a receive, with the peers that the process has. Process 0 takes part in all motifs. Errors:
/// splines and groups that differ in size, which Chakra's collectives do not have.
[[nodiscard]] Result<std::string> writeChakra(const ExecutionPlan &plan, const TrainingDag &dag, const MotifCosts &costs,
                                              ProcessId process = ProcessId(0));

/// The traces of all processes as a tar archive of DAG.0.et, DAG.1.et, ..., as tools take them. Errors: those of writeChakra(),
/// more than a GiB; cancelled, as soon as `stop` is requested between two traces.
[[nodiscard]] Result<std::string> writeChakraArchive(const ExecutionPlan &plan, const TrainingDag &dag, const MotifCosts &costs,
                                                     const std::stop_token &stop = {});

/// The times of a played plan's collectives, as a trace for PyTorch Inductor's profile-guided estimates
/// (torch/_inductor/fx_passes/profile_guided_estimation.py): Chrome JSON of rank 0 with a kernel for each motif, which Inductor
/// finds by name, ranks of the group, type and elements. Elements are float32, as a DAG knows bytes only. Refuses compute-ops,
/// which Inductor looks up by shapes; kinds that it does not estimate; splines; and motifs on another channel than the first,
/// since ranks and size do not tell channels apart. Errors: nothing is left.
[[nodiscard]] Result<ExportedPlan> writeInductorEstimates(const ExecutionPlan &plan, const TrainingDag &dag,
                                                          const PlannedRun &run);

/// The times of a played plan's ops, as costs for XLA's profile-guided latency estimator
/// (ProfiledInstructionsProto as text, a .pbtxt for --xla_gpu_pgle_profile_file_or_directory_path): a line an op, a collective
/// from the start of its first motif to the end of its last. XLA looks instructions up by their exact names, so ops have to be
/// called like those of the compiled module. Refuses other names, and collectives that are cut. Errors: nothing is left.
[[nodiscard]] Result<ExportedPlan> writeXlaCosts(const ExecutionPlan &plan, const TrainingDag &dag, const PlannedRun &run);

/// The steps of a search as CSV: iteration (from 1 in its chain), chain, proposal (nameOf()), cost_seconds, accepted (1 or 0),
/// best_seconds (the lowest cost of its chain so far).
[[nodiscard]] std::string writePlanHistory(const std::vector<PlanStep> &steps);

} // namespace syncopate
