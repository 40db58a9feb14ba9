// SPDX-License-Identifier: GPL-3.0-or-later
// Checks arguments of Megatron-LM (megatron/core/distributed/distributed_data_parallel_config.py, arguments.py) and torchrun, and
// XLA_FLAGS (xla/debug_options_flags.cc).
#include "engine/strategy/settings/settings_rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace syncopate {

namespace {

constexpr double usualCombineBytes = 31457287; ///< 30 MiB + 7

/// Number of data-parallel replicas: the cluster's, divided by tensor, pipeline and context parallelism.
double dataParallel(const SettingsRules &rules) {
    double replicas = rules.cluster != nullptr ? rules.cluster->replicaCount() : 1;
    for (const char *key : {"--tensor-model-parallel-size", "--pipeline-model-parallel-size", "--context-parallel-size"})
        replicas /= std::max(1.0, rules.settings.number(key).value_or(1));
    return std::max(1.0, replicas);
}

/// What is set, as the policy megatron.
std::string megatronPolicy(const SettingsRules &rules, bool overlap, bool sharded) {
    const double replicas = dataParallel(rules);
    const bool splitsModel = rules.cluster != nullptr && replicas < rules.cluster->replicaCount();
    std::string size = splitsModel ? fmt::format("{:.0f}", std::max(40e6, 1e6 * std::floor(replicas))) : "auto";
    if (const auto given = rules.settings.number("--ddp-bucket-size"))
        size = fmt::format("{:.0f}", std::clamp(std::floor(*given), 1.0, maxElements));
    const auto word = [](bool on) { return on ? "on" : "off"; };
    return fmt::format("megatron(bucket_size={},overlap_grad_reduce={},distributed_optimizer={},overlap_param_gather={})", size,
                       word(overlap), word(sharded), word(overlap && sharded && rules.settings.flag("--overlap-param-gather")));
}

void lintMegatron(SettingsRules &rules) {
    const WrittenSettings &settings = rules.settings;
    const bool overlap = settings.flag("--overlap-grad-reduce"), sharded = settings.flag("--use-distributed-optimizer");
    rules.countInUnit("--ddp-bucket-size", minBucketElements, 1e12, "parameters, neither bytes nor MB",
                      "40000000 for 40 million parameters");
    rules.needs("--ddp-bucket-size", overlap, "--overlap-grad-reduce");
    if (!overlap)
        rules.add(SettingFault::Harmful, "--overlap-grad-reduce", "without it all gradients are reduced after the backward pass",
                  "add --overlap-grad-reduce");
    if (settings.has("--overlap-param-gather") && !(overlap && sharded))
        rules.add(SettingFault::Refused, "--overlap-param-gather",
                  "it needs --use-distributed-optimizer and --overlap-grad-reduce", "add both, or leave it out");
    if (settings.flag("--bf16") || settings.flag("--accumulate-allreduce-grads-in-fp32"))
        rules.add(SettingFault::Note, settings.flag("--bf16") ? "--bf16" : "--accumulate-allreduce-grads-in-fp32",
                  "gradients are reduced in fp32: twice the traffic of bf16", "count 4 bytes a parameter");
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
    rules.findings.meanings.push_back({"Megatron-LM", megatronPolicy(rules, overlap, sharded), "megatron", false});
}

void lintTorchrun(SettingsRules &rules) {
    const auto nodes = rules.settings.number("--nnodes"), each = rules.settings.number("--nproc-per-node");
    if (rules.cluster == nullptr || !each || (rules.settings.has("--nnodes") && !nodes)) // "1:4" starts as many as there are
        return;
    const double ranks = nodes.value_or(1) * *each;
    if (ranks != rules.cluster->replicaCount())
        rules.add(SettingFault::Note, "--nproc-per-node",
                  fmt::format("{:g} ranks are started, and the cluster has {} replicas", ranks, rules.cluster->replicaCount()),
                  "name the cluster that they run on, or --workers");
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
                             "--num-distributed-optimizer-instances"};
    return std::any_of(own.begin(), own.end(), [&](const char *argument) { return settings.has(argument); });
}

void lintArguments(SettingsRules &rules) {
    if (hasMegatron(rules.settings))
        lintMegatron(rules);
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
    if (rules.job != nullptr && *rules.settings.number(flag) >= static_cast<double>(rules.job->parameterBytes()))
        rules.add(SettingFault::Harmful, flag, "the whole model is combined into one collective: nothing is left to overlap with",
                  "take less than a few layers have");
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
    if (const WrittenSetting *disabled = settings.find("--xla_gpu_disable_async_collectives");
        disabled != nullptr && !disabled->value.empty())
        rules.add(SettingFault::Harmful, "--xla_gpu_disable_async_collectives",
                  fmt::format("{} block computing", disabled->value.substr(0, 60)), "leave it out");
    const double bytes = settings.number("--xla_gpu_all_reduce_combine_threshold_bytes").value_or(usualCombineBytes);
    rules.findings.meanings.push_back({"XLA",
                                       fmt::format("xla(all_reduce_combine={:.0f}B,latency_hiding_scheduler={})",
                                                   std::clamp(bytes, 1.0, 1e15), scheduled ? "on" : "off"),
                                       "xla", false});
}

} // namespace syncopate
