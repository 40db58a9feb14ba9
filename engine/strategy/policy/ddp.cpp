// SPDX-License-Identifier: GPL-3.0-or-later
// PyTorch's DistributedDataParallel: fuses gradients into buckets, in reverse order.
#include "engine/base/phrase.h"
#include "engine/strategy/buckets.h"
#include "engine/strategy/launcher.h"
#include "engine/strategy/policy.h"

#include <fmt/format.h>

namespace syncopate::policy {

namespace {

constexpr double mebibyte = 1024.0 * 1024.0;
constexpr double ddpDefaultCap = 25 * mebibyte;

/// reducer.cpp, compute_bucket_assignment_by_size: collectives in gradient-ready order are collected per type until their bytes
/// reach the limit (first `first_bucket`, then `bucket_cap`), so a bucket may exceed it; a sparse gradient goes alone.
Result<std::vector<Fusion>> fuseBuckets(const CommPolicy &policy, const Traffic &traffic) {
    return fillBuckets(traffic, {.limit = policy.value("bucket_cap"), .firstLimit = policy.value("first_bucket")});
}

Discipline queues(const CommPolicy &policy, const TrainingNodes &) {
    return {.channels = static_cast<std::int32_t>(policy.value("concurrent"))};
}

/// torch.nn.parallel.DistributedDataParallel: caps in MiB, the first bucket in bytes.
Result<std::string> writeModule(const LauncherRequest &request) {
    const std::string system = "PyTorch DDP";
    CommPolicy policy = request.policy;
    if (!policy.barrier)
        return fail("DDP's backward ends when every bucket is reduced, and this policy has barrier=off",
                    "simulate barrier=on, or ByteScheduler, which crosses the barrier");
    if (policy.value("concurrent") != 1)
        return fail(fmt::format("a process group reduces one bucket at a time, and this policy has concurrent={:.0f}",
                                policy.value("concurrent")),
                    "simulate concurrent=1");
    if (policy.algorithm != CollectiveAlgorithm::Ring)
        return fail("DDP leaves the all-reduce algorithm to its backend", "simulate algorithm=ring");
    const auto way = TRY(commonWay(request.strategy, system));
    TRY(needAllReduce(way, system));
    TRY(refuseErrorFeedback(way.compressor, system));
    const std::int64_t cap = TRY(roundToUnits(policy, "bucket_cap", 1, "bytes"));
    const std::int64_t first = TRY(roundToUnits(policy, "first_bucket", 1, "bytes"));
    // With newer versions a bucket_cap_mb that is passed also caps the first bucket; one left out is 25 MiB as before.
    const bool passed = policy.value("bucket_cap") != ddpDefaultCap || first == cap;
    std::string text = settingsHeading(request, policy, system,
                                       "Use it with: from FILE import wrap; model = wrap(model, device_ids=[local_rank])");
    text +=
        way.compressor == Compressor::Horovod ? "from torch.distributed.algorithms.ddp_comm_hooks import default_hooks\n" : "";
    if (passed && first != cap)
        text += "import inspect\n\n";
    text += "import torch.distributed as dist\nfrom torch.nn.parallel import DistributedDataParallel\n\n\n";
    text += "def wrap(model, **arguments):\n";
    text += fmt::format("    # Bytes; read while DistributedDataParallel is made.\n    dist._DEFAULT_FIRST_BUCKET_BYTES = {}\n",
                        first);
    if (passed && first != cap)
        text += "    # A version whose default is None caps the first bucket by bucket_cap_mb, too.\n"
                "    if inspect.signature(DistributedDataParallel).parameters['bucket_cap_mb'].default is None:\n"
                "        raise RuntimeError('this PyTorch cannot have a first bucket of its own size; '\n"
                "                           'simulate first_bucket equal to bucket_cap and export again')\n";
    text +=
        passed
            ? fmt::format("    # MiB\n    model = DistributedDataParallel(model, bucket_cap_mb={}, **arguments)\n",
                          static_cast<double>(cap) / mebibyte)
            : "    # bucket_cap_mb is left at its default of 25 MiB.\n    model = DistributedDataParallel(model, **arguments)\n";
    if (way.compressor == Compressor::Horovod)
        text += "    model.register_comm_hook(None, default_hooks.fp16_compress_hook)\n";
    text += "    return model\n";
    return text;
}

constexpr Launcher launcher{"ddp", "PyTorch DDP", ".py", "PyTorch DDP", "ddp", writeModule};

} // namespace

const Policy &ddp() {
    static const Policy policy{
        .name = "ddp",
        .about = translatable("PyTorch's buckets of gradients, in reverse order"),
        .opens = ncclConnections,
        .parameters = {{.key = "bucket_cap",
                        .usual = ddpDefaultCap,
                        .knob =
                            PolicyKnob{.id = "bucket_cap",
                                       .label = "Bucket cap",
                                       .about =
                                           "gradients are collected into one all-reduce until it has at least this many bytes",
                                       .min = 64.0 * 1024,
                                       .max = 1024 * mebibyte,
                                       .remedyFactors = {0.5, 2}}},
                       {.key = "first_bucket",
                        .usual = mebibyte,
                        .knob = PolicyKnob{.id = "first_bucket",
                                           .label = "First bucket",
                                           .about = "the same for the first bucket, so that communication starts early",
                                           .min = 64.0 * 1024,
                                           .max = 1024 * mebibyte}},
                       {.key = "concurrent",
                        .unit = ParameterUnit::Integer,
                        .usual = 1,
                        .min = 1,
                        .knob = PolicyKnob{.id = "concurrent",
                                           .label = "Concurrent",
                                           .about = "all-reduces that may be under way at the same time",
                                           .min = 1,
                                           .max = 16}}},
        .fuse = fuseBuckets,
        .fusedName = "bucket",
        .queues = queues,
        .launchers = {&launcher},
    };
    return policy;
}

} // namespace syncopate::policy
