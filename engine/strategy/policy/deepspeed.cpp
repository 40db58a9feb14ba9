// SPDX-License-Identifier: GPL-3.0-or-later
// DeepSpeed's ZeRO: gradients are all-reduced in buckets of elements.
#include "engine/base/json_writer.h"
#include "engine/base/phrase.h"
#include "engine/strategy/buckets.h"
#include "engine/strategy/launcher.h"
#include "engine/strategy/policy.h"

#include <fmt/format.h>

namespace syncopate::policy {

namespace {

constexpr double usualReduceBucket = 5e8; ///< zero/config.py, reduce_bucket_size

/// deepspeed/runtime/zero/stage_1_and_2.py: the hook of a gradient that would overflow the bucket of its type has that bucket
/// reduced first (reduce_independent_p_g_buckets_and_remove_grads), and the end of the backward pass what is left. By default a
/// bucket is all-reduced, whatever ranks it belongs to (use_multi_rank_bucket_allreduce). Without overlap_comm stage 1 has no
/// hooks: it does the same after the backward pass, in the order of registration (reduce_gradients).
Result<std::vector<Fusion>> fuseReduceBuckets(const CommPolicy &policy, const Traffic &traffic) {
    const bool overlaps = policy.value("overlap") == 1;
    return fillBuckets(traffic, {.closing = BucketClosing::BeforeOverflow,
                                 .countsElements = true,
                                 .limit = policy.value("reduce_bucket"),
                                 .registered = !overlaps,
                                 .launchedByNext = overlaps,
                                 .afterBackward = !overlaps});
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
    json.newLine().key("zero_optimization").beginObject().member("stage", 1);
    json.member("overlap_comm", policy.value("overlap") == 1);
    json.member("reduce_bucket_size", static_cast<std::int64_t>(policy.value("reduce_bucket")));
    json.endObject().newLine().endObject().newLine();
    return json.take();
}

constexpr Launcher launcher{"deepspeed", "DeepSpeed", ".json", "DeepSpeed", "deepspeed", writeJson};

} // namespace

const Policy &deepspeed() {
    static const Policy policy{
        .name = "deepspeed",
        .about = translatable("DeepSpeed's buckets of elements, sent when the next gradient overflows them"),
        .opens = ncclConnections,
        .parameters = {{.key = "reduce_bucket",
                        .unit = ParameterUnit::Elements,
                        .usual = usualReduceBucket,
                        .min = 0,
                        .knob = PolicyKnob{.id = "reduce_bucket",
                                           .label = "Reduce bucket",
                                           .about = "a bucket is all-reduced before it has more than this many elements",
                                           .min = 1e5,
                                           .max = 1e9,
                                           .remedyFactors = {0.5}}},
                       {.key = "overlap", // overlap_comm: off below stage 3
                        .unit = ParameterUnit::Choice,
                        .words = {"off", "on"},
                        .knob = overlapKnob()}},
        .fuse = fuseReduceBuckets,
        .fusedName = "bucket",
        .queues = [](const CommPolicy &, const TrainingNodes &) { return Discipline{.channels = 1}; }, // one reduction stream
        .assumption = "Only the reduction of gradients is simulated, as ZeRO 1 and 2 do it: the gathers of parameters after the "
                      "step are not, nor the wait for the buffer of the bucket before the last.",
        .launchers = {&launcher},
    };
    return policy;
}

} // namespace syncopate::policy
