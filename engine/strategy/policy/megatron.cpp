// SPDX-License-Identifier: GPL-3.0-or-later
// Megatron-LM's DistributedDataParallel and distributed optimizer: buckets of elements, in reverse order.
#include "engine/base/phrase.h"
#include "engine/strategy/buckets.h"
#include "engine/strategy/launcher.h"
#include "engine/strategy/policy.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace syncopate::policy {

namespace {

constexpr double autoBucket = 0; ///< the value of bucket_size=auto

bool hasSwitch(const CommPolicy &policy, std::string_view setting) { return policy.value(setting) == 1; }

/// distributed_data_parallel.py: 40 million elements, or one million per replica if that is more.
double bucketElements(const CommPolicy &policy, double replicas) {
    const double given = policy.value("bucket_size");
    return given == autoBucket ? std::max(40e6, 1e6 * replicas) : given;
}

/// Errors: overlapped gathers without the settings that they need (megatron/training/arguments.py refuses them, too).
Result<void> checkGathers(const CommPolicy &policy) {
    if (hasSwitch(policy, "overlap_param_gather") &&
        !(hasSwitch(policy, "overlap_grad_reduce") && hasSwitch(policy, "distributed_optimizer")))
        return fail("overlap_param_gather needs distributed_optimizer and overlap_grad_reduce, as in Megatron-LM",
                    "set both to on, or overlap_param_gather to off");
    return {};
}

/// param_and_grad_buffer.py: parameters of one type, the last registered first, are collected until a bucket has its size, and
/// it is reduced when its last gradient is ready. Without overlap_grad_reduce a type has one bucket, reduced after the backward
/// pass (finalize_model_grads).
Result<std::vector<Fusion>> fuseParameterBuckets(const CommPolicy &policy, const Traffic &traffic) {
    const bool overlaps = hasSwitch(policy, "overlap_grad_reduce");
    TRY(checkGathers(policy));
    const double limit = overlaps ? bucketElements(policy, traffic.nodes.replicas) : std::numeric_limits<double>::infinity();
    return fillBuckets(traffic, {.countsElements = true, .limit = limit, .afterBackward = !overlaps});
}

/// With the distributed optimizer gradients are reduce-scattered and parameters gathered: all before the forward pass, or the
/// next bucket's once the forward pass needs this one's (finish_param_sync).
Discipline bucketQueues(const CommPolicy &policy, const TrainingNodes &) {
    Discipline discipline{.channels = 1};
    if (hasSwitch(policy, "distributed_optimizer")) {
        const bool overlaps = hasSwitch(policy, "overlap_param_gather");
        discipline.sharding = Sharding{.forwardPrefetch = overlaps ? 1 : std::numeric_limits<std::int32_t>::max(),
                                       .reshardsAfterForward = false,
                                       .keepsParameters = true,
                                       .gathersFirst = !overlaps};
    }
    return discipline;
}

Result<std::string> writeArguments(const LauncherRequest &request) {
    const std::string system = "Megatron-LM";
    const CommPolicy &policy = request.policy;
    if (!policy.barrier)
        return fail("Megatron-LM's optimizer steps when every gradient is reduced, and this policy has barrier=off",
                    "simulate barrier=on");
    TRY(checkGathers(policy));
    if (policy.algorithm != CollectiveAlgorithm::Ring)
        return fail("Megatron-LM leaves the algorithms of its collectives to their backend", "simulate algorithm=ring");
    const auto way = TRY(commonWay(request.strategy, system));
    TRY(needAllReduce(way, system));
    if (way.compressor != Compressor::None)
        return fail("Megatron-LM has no compressor of gradients", "choose none");
    std::string text =
        settingsHeading(request, policy, system, "Use it with: torchrun ... pretrain_gpt.py $(grep '^--' FILE) ...");
    text += settingsComment("The bucket size counts parameters.");
    if (policy.value("bucket_size") != autoBucket)
        text += fmt::format("--ddp-bucket-size {:.0f}\n", policy.value("bucket_size"));
    for (const auto &[setting, argument] : {std::pair{"overlap_grad_reduce", "--overlap-grad-reduce"},
                                            {"distributed_optimizer", "--use-distributed-optimizer"},
                                            {"overlap_param_gather", "--overlap-param-gather"}})
        if (hasSwitch(policy, setting))
            text += std::string(argument) + "\n";
    return text + "# The default, so that a file of defaults has an argument.\n--num-distributed-optimizer-instances 1\n";
}

constexpr Launcher argumentsLauncher{"megatron", "Megatron-LM", ".args", "Megatron-LM", "megatron", writeArguments};

} // namespace

const Policy &megatron() {
    static const Policy policy{
        .name = "megatron",
        .about = translatable("Megatron-LM's buckets of parameters, in reverse order, and its sharded optimiser"),
        .opens = ncclConnections,
        .parameters =
            {{.key = "bucket_size", // --ddp-bucket-size
              .unit = ParameterUnit::Elements,
              .usual = autoBucket,
              .words = {"auto"},
              .meaning = autoBucket,
              .min = 1,
              .knob = PolicyKnob{.id = "bucket_size",
                                 .label = "Bucket size",
                                 .about = "gradients are reduced in buckets of about this many elements while the backward pass "
                                          "goes on; 0: 40 million, or one million per replica if that is more",
                                 .min = 1e5,
                                 .max = 1e9,
                                 .remedyFactors = {0.5, 2}}},
             {.key = "overlap_grad_reduce", .unit = ParameterUnit::Choice, .words = {"off", "on"}, .knob = overlapKnob()},
             {.key = "distributed_optimizer", .unit = ParameterUnit::Choice, .words = {"off", "on"}},
             {.key = "overlap_param_gather", .unit = ParameterUnit::Choice, .words = {"off", "on"}}},
        .fuse = fuseParameterBuckets,
        .fusedName = "bucket",
        .queues = bucketQueues,
        .assumption =
            "Gradients have the bytes of the job's variables: with bf16 Megatron-LM reduces them in fp32. Buckets are not "
            "padded.",
        .launchers = {&argumentsLauncher},
    };
    return policy;
}

} // namespace syncopate::policy
