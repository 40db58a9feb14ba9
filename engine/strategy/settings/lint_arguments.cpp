// SPDX-License-Identifier: GPL-3.0-or-later
// Checks arguments of Megatron-LM (megatron/core/distributed/distributed_data_parallel_config.py, arguments.py) and torchrun, and
// XLA_FLAGS (xla/debug_options_flags.cc).
#include "engine/strategy/settings/settings_rules.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <utility>

namespace syncopate {

namespace {

constexpr double usualCombineBytes = 31457287; ///< 30 MiB + 7
constexpr const char *bucketSize = "--ddp-bucket-size";
constexpr std::array modelParallel{"--tensor-model-parallel-size", "--pipeline-model-parallel-size", "--context-parallel-size"};

/// Number of data-parallel replicas: the cluster's, divided by tensor, pipeline and context parallelism.
double dataParallel(const SettingsRules &rules) {
    double replicas = rules.cluster != nullptr ? rules.cluster->replicaCount() : 1;
    for (const char *key : modelParallel)
        replicas /= std::max(1.0, rules.settings.number(key).value_or(1));
    return std::max(1.0, replicas);
}

/// With --bf16 gradients are accumulated and reduced in fp32 unless they are asked to be reduced in bf16, or kept in it
/// (megatron/training/arguments.py).
GradientType reducedType(const WrittenSettings &settings) {
    const std::string inFull = "--accumulate-allreduce-grads-in-fp32", inHalf = "--grad-reduce-in-bf16";
    if (settings.flag(inFull))
        return {inFull, 4};
    if (settings.flag("--fp16"))
        return {"--fp16", 2};
    if (!settings.flag("--bf16"))
        return {};
    if (settings.flag(inHalf))
        return {inHalf, 2};
    const WrittenSetting *kept = settings.find("--main-grads-dtype");
    return kept != nullptr && kept->value == "bf16" ? GradientType{"--main-grads-dtype", 2} : GradientType{"--bf16", 4};
}

/// The settings, as the policy megatron.
std::string megatronPolicy(const SettingsRules &rules, bool overlap, bool sharded, SettingsMeaning &meaning) {
    const double replicas = dataParallel(rules);
    const bool splitsModel = rules.cluster != nullptr && replicas < rules.cluster->replicaCount();
    std::string size = splitsModel ? fmt::format("{:.0f}", std::max(40e6, 1e6 * std::floor(replicas))) : "auto";
    if (const auto given = rules.settings.number(bucketSize))
        size = fmt::format("{:.0f}", std::clamp(std::floor(*given), 1.0, maxElements));
    else if (rules.settings.has(bucketSize))
        meaning.leftOut.push_back({bucketSize, "its value is not known here, and the default is taken"});
    const auto word = [](bool on) { return on ? "on" : "off"; };
    return fmt::format("megatron(bucket_size={},overlap_grad_reduce={},distributed_optimizer={},overlap_param_gather={})", size,
                       word(overlap), word(sharded), word(overlap && sharded && rules.settings.flag("--overlap-param-gather")));
}

void lintMegatron(SettingsRules &rules) {
    const WrittenSettings &settings = rules.settings;
    const bool overlap = settings.flag("--overlap-grad-reduce"), sharded = settings.flag("--use-distributed-optimizer");
    rules.countInUnit(bucketSize, minBucketElements, 1e12, "parameters, neither bytes nor MB",
                      "40000000 for 40 million parameters");
    rules.needs(bucketSize, overlap, "--overlap-grad-reduce");
    if (!overlap)
        rules.add(SettingFault::Harmful, "--overlap-grad-reduce", "without it all gradients are reduced after the backward pass",
                  "add --overlap-grad-reduce");
    if (settings.has("--overlap-param-gather") && !(overlap && sharded))
        rules.add(SettingFault::Refused, "--overlap-param-gather",
                  "it needs --use-distributed-optimizer and --overlap-grad-reduce", "add both, or leave it out");
    const GradientType type = reducedType(settings);
    if (type.bytes == 4 && !type.setting.empty())
        rules.add(SettingFault::Note, type.setting, "gradients are reduced in fp32: twice the traffic of bf16",
                  type.setting == "--bf16" ? "count 4 bytes a parameter, or add --grad-reduce-in-bf16"
                                           : "count 4 bytes a parameter");
    const double replicas = dataParallel(rules);
    if (const auto instances = settings.number("--num-distributed-optimizer-instances");
        instances && rules.cluster != nullptr && (*instances < 1 || std::fmod(replicas, *instances) != 0))
        rules.add(SettingFault::Refused, "--num-distributed-optimizer-instances",
                  fmt::format("{:g} does not divide {:g} data-parallel replicas", *instances, replicas), "take a divisor");
    if (const WrittenSetting *allocator = settings.find("PYTORCH_CUDA_ALLOC_CONF");
        allocator != nullptr && settings.has("--nccl-ub") &&
        allocator->value.find("expandable_segments:True") != std::string::npos)
        rules.add(SettingFault::Refused, "--nccl-ub", "registered buffers and expandable_segments:True exclude each other",
                  "leave out one of them");
    if (settings.number("--tensor-model-parallel-size").value_or(1) > 1 &&
        settings.number("CUDA_DEVICE_MAX_CONNECTIONS").value_or(8) != 1)
        rules.add(SettingFault::Harmful, "CUDA_DEVICE_MAX_CONNECTIONS",
                  "tensor parallelism overlaps on GPUs before Blackwell only with one connection",
                  "set CUDA_DEVICE_MAX_CONNECTIONS=1");
    SettingsMeaning meaning{"Megatron-LM", {}, "megatron", false, {}};
    meaning.policy = megatronPolicy(rules, overlap, sharded, meaning);
    for (const char *key : modelParallel)
        if (settings.has(key) && settings.number(key) != 1)
            meaning.leftOut.push_back({key, "every device is taken for a replica of the whole model"});
    rules.leaveOutType(type, meaning);
    rules.findings.meanings.push_back(std::move(meaning));
}

bool hasTorchrun(const WrittenSettings &settings) {
    constexpr std::array programs{"torchrun", "torch.distributed.run", "torch.distributed.launch"};
    return settings.has("--nproc-per-node") || (settings.has("--nnodes") && settings.has("--standalone")) ||
           std::any_of(programs.begin(), programs.end(), [&](const char *program) { return settings.mentions(program); });
}

void lintTorchrun(SettingsRules &rules) {
    const WrittenSettings &settings = rules.settings;
    const std::string eachNode = "--nproc-per-node";
    const auto nodes = settings.number("--nnodes"), each = settings.number(eachNode);
    if (settings.flag("--standalone") && nodes.value_or(1) > 1)
        rules.add(SettingFault::Refused, "--standalone",
                  "every node opens a rendezvous of its own and waits for the others until it times out",
                  "leave it out and give --rdzv-backend c10d --rdzv-endpoint HOST:PORT");
    // "1:4" starts as many nodes as there are, and "gpu" as many ranks as devices; PET_ variables stand in for arguments.
    if (rules.cluster == nullptr || settings.hasAny("PET_") || (settings.has("--nnodes") && !nodes) ||
        (settings.has(eachNode) && !each))
        return;
    const double ranks = nodes.value_or(1) * each.value_or(1);
    if (ranks != rules.cluster->replicaCount())
        rules.add(SettingFault::Note, eachNode,
                  fmt::format("{:g} ranks are started{}, and the cluster has {} replicas", ranks,
                              each ? "" : ", one on each node as it is not set", rules.cluster->replicaCount()),
                  each ? "name the cluster that they run on, or --workers"
                       : "set it to the devices of a node, or name the cluster that they run on");
}

constexpr std::array removedFlags{"--xla_gpu_enable_async_all_gather",
                                  "--xla_gpu_enable_async_reduce_scatter",
                                  "--xla_gpu_enable_async_all_reduce",
                                  "--xla_gpu_enable_async_collectives",
                                  "--xla_gpu_graph_level",
                                  "--xla_gpu_simplify_all_fp_conversions",
                                  "--xla_gpu_enable_triton_softmax_fusion"};

} // namespace

bool hasMegatron(const WrittenSettings &settings) {
    constexpr std::array own{"--ddp-bucket-size",
                             "--overlap-grad-reduce",
                             "--use-distributed-optimizer",
                             "--overlap-param-gather",
                             "--tensor-model-parallel-size",
                             "--accumulate-allreduce-grads-in-fp32",
                             "--grad-reduce-in-bf16",
                             "--num-distributed-optimizer-instances"};
    return std::any_of(own.begin(), own.end(), [&](const char *argument) { return settings.has(argument); });
}

void lintArguments(SettingsRules &rules) {
    if (hasMegatron(rules.settings))
        lintMegatron(rules);
    if (hasTorchrun(rules.settings))
        lintTorchrun(rules);
}

namespace {

/// `which`: "all_gather", the collectives that the threshold is for.
void lintCombiner(SettingsRules &rules, std::string_view which) {
    const std::string flag = fmt::format("--xla_gpu_{}_combine_threshold_bytes", which);
    if (!rules.countInUnit(flag, 65536, 1e12, "bytes", "31457287, XLA's default, about 30 MiB"))
        return;
    if (which == "all_gather" || which == "reduce_scatter")
        rules.add(SettingFault::Note, flag,
                  fmt::format("it combines the {}s of sharded parameters (FSDP); iterations are predicted with replicated ones, "
                              "which have none",
                              which == "all_gather" ? "all-gather" : "reduce-scatter"),
                  "measure it where parameters are sharded, else leave it out");
    if (which == "collective_permute") // of a pipeline's activations, however large the model
        return;
    if (rules.job != nullptr && *rules.settings.number(flag) >= static_cast<double>(rules.job->parameterBytes()))
        rules.add(SettingFault::Harmful, flag, "the whole model is combined into one collective: nothing is left to overlap with",
                  "take less than a few layers have");
}

constexpr const char *synchronousFlag = "--xla_gpu_disable_async_collectives";

/// Whether all-reduces are among the collectives that block computing: "allreduce,allgather", in any case of letters.
bool blocksAllReduce(const WrittenSettings &settings) {
    const WrittenSetting *disabled = settings.find(synchronousFlag);
    std::string names = "," + (disabled != nullptr ? disabled->value : "") + ",";
    std::transform(names.begin(), names.end(), names.begin(), [](unsigned char c) { return std::tolower(c); });
    return names.find(",allreduce,") != std::string::npos || names.find(",allcollectives,") != std::string::npos;
}

} // namespace

void lintXla(SettingsRules &rules) {
    const WrittenSettings &settings = rules.settings;
    for (const char *removed : removedFlags)
        if (settings.has(removed))
            rules.add(SettingFault::Refused, removed, "the flag is gone: XLA stops with 'Unknown flags in XLA_FLAGS'",
                      "leave it out");
    const bool scheduled = settings.flag("--xla_gpu_enable_latency_hiding_scheduler");
    if (!scheduled)
        rules.add(SettingFault::Harmful, "--xla_gpu_enable_latency_hiding_scheduler",
                  "without it nothing overlaps, and profiles are not looked at", "add it, =true");
    for (const char *which : {"all_reduce", "all_gather", "reduce_scatter", "collective_permute"})
        lintCombiner(rules, which);
    if (settings.number("--xla_gpu_collective_inflation_factor").value_or(1) > 1)
        rules.add(SettingFault::Refused, "--xla_gpu_collective_inflation_factor", "above 1 results are wrong", "leave it at 1");
    if (const WrittenSetting *disabled = settings.find(synchronousFlag); disabled != nullptr && !disabled->value.empty())
        rules.add(SettingFault::Harmful, synchronousFlag, fmt::format("{} block computing", disabled->value.substr(0, 60)),
                  "leave it out");
    SettingsMeaning meaning{"XLA", {}, "xla", false, {}};
    const double bytes = rules.priced("--xla_gpu_all_reduce_combine_threshold_bytes", usualCombineBytes, meaning);
    if (const char *limit = "--xla_gpu_experimental_parallel_collective_overlap_limit"; settings.number(limit).value_or(1) != 1)
        meaning.leftOut.push_back({limit, "one collective is in flight at a time"});
    // An all-reduce that blocks computing takes as long as one whose start and end stand side by side.
    meaning.policy = fmt::format("xla(all_reduce_combine={:.0f}B,latency_hiding_scheduler={})", std::clamp(bytes, 1.0, 1e15),
                                 scheduled && !blocksAllReduce(settings) ? "on" : "off");
    rules.findings.meanings.push_back(std::move(meaning));
}

} // namespace syncopate
