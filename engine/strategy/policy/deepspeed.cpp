// SPDX-License-Identifier: GPL-3.0-or-later
// DeepSpeed's ZeRO stages 1 and 2: gradients are all-reduced in buckets of elements, each replica updates its share of the
// parameters, and these are gathered before the next forward pass.
#include "engine/base/json_writer.h"
#include "engine/base/phrase.h"
#include "engine/strategy/buckets.h"
#include "engine/strategy/launcher.h"
#include "engine/strategy/policy.h"

#include <fmt/format.h>

namespace syncopate::policy {

namespace {

constexpr double usualBucket = 5e8; ///< elements; zero/config.py, reduce_bucket_size and allgather_bucket_size

double stageOf(const CommPolicy &policy) { return policy.value("stage"); }

/// deepspeed/runtime/zero/stage_1_and_2.py: the hook of a gradient that would overflow the bucket of its type has that bucket
/// reduced first (reduce_independent_p_g_buckets_and_remove_grads), and the end of the backward pass the remaining ones. By
/// default a bucket is all-reduced, whatever ranks it belongs to (use_multi_rank_bucket_allreduce). Without overlap_comm stage 1
/// has no hooks: it does the same after the backward pass, in the order of registration (reduce_gradients). Stage 0 always does
/// so, in buckets of its own size (engine.py, buffered_allreduce_fallback).
Result<std::vector<Fusion>> fuseReduceBuckets(const CommPolicy &policy, const Traffic &traffic) {
    const bool overlaps = stageOf(policy) > 0 && policy.value("overlap") == 1;
    return fillBuckets(traffic, {.closing = BucketClosing::BeforeOverflow,
                                 .countsElements = true,
                                 .limit = stageOf(policy) > 0 ? policy.value("reduce_bucket") : usualBucket,
                                 .registered = !overlaps,
                                 .launchedByNext = overlaps,
                                 .afterBackward = !overlaps});
}

/// stage_1_and_2.py, step(): all_gather_dp_groups when the optimiser is through. It cuts each group of parameters into as many
/// pieces as whole buckets fit into it, at least one (deepspeed/runtime/utils.py).
Discipline gatheringQueues(const CommPolicy &policy, const TrainingNodes &) {
    Discipline discipline{.channels = 1}; // one reduction stream
    if (stageOf(policy) > 0)
        discipline.gather =
            ParameterGather{.elements = policy.value("allgather_bucket"), .shardsGradients = stageOf(policy) == 2};
    return discipline;
}

Result<std::string> writeJson(const LauncherRequest &request) {
    const std::string system = "DeepSpeed";
    const CommPolicy &policy = request.policy;
    if (!policy.barrier)
        return fail("DeepSpeed's optimizer steps when every gradient is reduced, and this policy has barrier=off",
                    "simulate barrier=on");
    if (policy.algorithm != CollectiveAlgorithm::Ring)
        return fail("DeepSpeed leaves the all-reduce algorithm to its backend", "simulate algorithm=ring");
    const auto way = TRY(commonWay(request.strategy, system));
    TRY(needAllReduce(way, system));
    TRY(refuseErrorFeedback(way.compressor, system));
    JsonWriter json;
    json.beginObject().newLine();
    // JSON has no comments; DeepSpeed reads past keys that it does not know here.
    json.member("syncopate", fmt::format("DeepSpeed settings of job {} on cluster {}, simulated with {}. Sizes count elements. "
                                         "Merge them into the file given to --deepspeed_config.",
                                         request.job.name, request.cluster.name, formatPolicy(policy)));
    if (way.compressor == Compressor::Horovod)
        json.newLine().member("communication_data_type", "fp16");
    json.newLine().key("zero_optimization").beginObject().member("stage", static_cast<std::int64_t>(stageOf(policy)));
    if (stageOf(policy) > 0) { // stage 0 reads none of these
        json.member("overlap_comm", policy.value("overlap") == 1);
        json.member("reduce_bucket_size", static_cast<std::int64_t>(policy.value("reduce_bucket")));
        if (policy.value("allgather_bucket") != usualBucket)
            json.member("allgather_bucket_size", static_cast<std::int64_t>(policy.value("allgather_bucket")));
    }
    json.endObject().newLine().endObject().newLine();
    return json.take();
}

constexpr Launcher launcher{"deepspeed", "DeepSpeed", ".json", "DeepSpeed", "deepspeed", writeJson};

} // namespace

const Policy &deepspeed() {
    static const Policy policy{
        .name = "deepspeed",
        .about = translatable("DeepSpeed's ZeRO: buckets of elements, then gathers of the updated parameters"),
        .opens = ncclConnections,
        .parameters = {{.key = "reduce_bucket",
                        .unit = ParameterUnit::Elements,
                        .usual = usualBucket,
                        .min = 0,
                        .knob = PolicyKnob{.id = "reduce_bucket",
                                           .label = "Reduce bucket",
                                           .about = "a bucket is all-reduced before it has more than this many elements",
                                           .min = 1e5,
                                           .max = 1e9,
                                           .remedyFactors = {0.5}}},
                       {.key = "allgather_bucket",
                        .unit = ParameterUnit::Elements,
                        .usual = usualBucket,
                        .min = 1,
                        .knob = PolicyKnob{.id = "allgather_bucket",
                                           .label = "All-gather bucket",
                                           .about = "after the update, parameters are gathered in pieces of at least this many "
                                                    "elements",
                                           .min = 1e5,
                                           .max = 1e9}},
                       {.key = "overlap", // overlap_comm: off below stage 3
                        .unit = ParameterUnit::Choice,
                        .words = {"off", "on"},
                        .knob = overlapKnob()},
                       {.key = "stage", .unit = ParameterUnit::Choice, .usual = 1, .words = {"0", "1", "2"}}},
        .fuse = fuseReduceBuckets,
        .fusedName = "bucket",
        .queues = gatheringQueues,
        .assumption = "In stages 1 and 2 a replica updates its share of the parameters, which are gathered in the job's types "
                      "before the next forward pass; PyTorch 1.13 and later gathers them at once, whatever the all-gather "
                      "bucket is. The wait for the buffer of the bucket before the last is not simulated.",
        .launchers = {&launcher},
    };
    return policy;
}

} // namespace syncopate::policy
