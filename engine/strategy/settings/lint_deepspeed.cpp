// SPDX-License-Identifier: GPL-3.0-or-later
// Checks DeepSpeed's JSON: deepspeed/runtime/zero/config.py and runtime/config.py.
#include "engine/strategy/settings/settings_rules.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <utility>

namespace syncopate {

namespace {

constexpr double usualBucketElements = 5e8;

void lintBuckets(SettingsRules &rules, double stage) {
    struct Bucket {
        const char *key, *usual, *atZero, *remedy;
    };
    constexpr const char *reduced = "5e8 for 500 million elements, DeepSpeed's default";
    constexpr const char *prefetched = "5e7 for 50 million elements, DeepSpeed's default";
    for (const Bucket &bucket :
         {Bucket{"reduce_bucket_size", reduced, "0 reduces one tensor at a time", "write 5e8, or hidden size squared"},
          {"allgather_bucket_size", reduced, nullptr, nullptr},
          {"stage3_prefetch_bucket_size", prefetched, "0 gathers nothing ahead", "write 5e7"},
          {"prefetch_bucket_size", prefetched, "0 gathers nothing ahead", "write 5e7"}}) {
        const std::string key = std::string("zero_optimization.") + bucket.key;
        if (rules.inUnit(key, minBucketElements, "elements, neither bytes nor MB", bucket.usual) && bucket.atZero != nullptr &&
            rules.settings.number(key) == 0)
            rules.add(SettingFault::Harmful, key, bucket.atZero, bucket.remedy);
    }
    rules.needs("zero_optimization.reduce_bucket_size", stage >= 1, "stage 1 or above");
    const std::string gathered = "zero_optimization.allgather_bucket_size";
    rules.needs(gathered, stage == 1 || stage == 2, "stage 1 or 2");
    if (rules.settings.has(gathered) && (stage == 1 || stage == 2)) // runtime/utils.py, all_gather_dp_groups
        rules.add(SettingFault::Note, gathered,
                  "where PyTorch has all_gather_into_tensor (1.13 and later) parameters are gathered at once after the step, "
                  "whatever its value; older versions, and predictions, gather pieces of at least so many elements",
                  "leave it out");
    for (const char *key : {"stage3_prefetch_bucket_size", "prefetch_bucket_size", "stage3_param_persistence_threshold",
                            "stage3_max_live_parameters", "stage3_max_reuse_distance", "stage3_module_granularity_threshold"})
        rules.needs(std::string("zero_optimization.") + key, stage == 3, "stage 3");
}

GradientType sentType(const WrittenSettings &settings) {
    if (settings.flag("fp32_allreduce"))
        return {"fp32_allreduce", 4};
    if (const WrittenSetting *type = settings.find("communication_data_type"); type != nullptr && type->value != "null")
        return {"communication_data_type", type->value == "fp32" ? 4.0 : 2.0}; // fp16, bf16, bfp16
    for (const char *enabled : {"bf16.enabled", "fp16.enabled"})
        if (settings.flag(enabled))
            return {enabled, 2};
    return {};
}

/// runtime/config.py, _set_batch_related_parameters and _batch_assertion: any of the three that is not written follows from the
/// others.
void lintBatch(SettingsRules &rules) {
    const WrittenSettings &settings = rules.settings;
    const auto whole = settings.number("train_batch_size"), micro = settings.number("train_micro_batch_size_per_gpu"),
               steps = settings.number("gradient_accumulation_steps");
    if (!whole)
        return;
    if (*whole != std::floor(*whole)) {
        rules.add(SettingFault::Refused, "train_batch_size", fmt::format("{:.15g} is no whole number", *whole), "write one");
        return;
    }
    const bool hasCluster = rules.cluster != nullptr;
    const double devices = hasCluster ? rules.cluster->replicaCount() : 1;
    const double product = micro.value_or(1) * steps.value_or(1) * devices;
    if (hasCluster && micro && steps ? *whole == product : std::fmod(*whole, product) == 0)
        return;
    std::string factors = micro ? fmt::format("{:g} samples a GPU", *micro) : "";
    if (steps)
        factors += fmt::format("{}{:g} accumulation steps", factors.empty() ? "" : " x ", *steps);
    if (hasCluster)
        factors += fmt::format("{}{:g} GPUs", factors.empty() ? "" : " x ", devices);
    rules.add(SettingFault::Refused, "train_batch_size",
              fmt::format("{:.15g} is {} {}, and DeepSpeed stops", *whole,
                          hasCluster && micro && steps ? "not" : "no multiple of", factors),
              "leave one of the three out, which then follows from the others; where the model is split, count its replicas");
}

/// groups.py, _create_zero_param_parallel_group: the secondary copy of ZeRO++ is kept by groups of that many ranks.
void lintSecondaryCopy(SettingsRules &rules, double stage) {
    const std::string key = "zero_optimization.zero_hpz_partition_size";
    const double ranks = rules.settings.number(key).value_or(1);
    if (ranks <= 1)
        return;
    rules.needs(key, stage == 3, "stage 3");
    if (stage != 3 || rules.cluster == nullptr)
        return;
    const double replicas = rules.cluster->replicaCount();
    if (std::fmod(replicas, std::min(ranks, replicas)) != 0)
        rules.add(SettingFault::Refused, key, fmt::format("{:g} does not divide {:g} GPUs", ranks, replicas), "take a divisor");
    else if (ranks > rules.perNode())
        rules.add(SettingFault::Harmful, key,
                  fmt::format("a group of {:g} is on several machines of {:g} GPUs: parameters are still gathered between them",
                              ranks, rules.perNode()),
                  fmt::format("write {:g}", rules.perNode()));
}

/// Settings that a prediction does not follow.
void leaveOut(const SettingsRules &rules, double stage, SettingsMeaning &meaning) {
    const WrittenSettings &settings = rules.settings;
    if (stage == 3)
        meaning.leftOut.push_back(
            {"zero_optimization.stage", "stage 2 is simulated, which gathers parameters once, after the update"});
    rules.leaveOutType(sentType(settings), meaning);
    if (settings.number("gradient_accumulation_steps").value_or(1) > 1)
        meaning.leftOut.push_back({"gradient_accumulation_steps", "one micro step and one reduction are simulated"});
    for (const char *key : {"zero_quantized_weights", "zero_quantized_gradients"})
        if (const std::string quantized = std::string("zero_optimization.") + key; stage == 3 && settings.flag(quantized))
            meaning.leftOut.push_back({quantized, "nothing is quantised"});
    if (const std::string hpz = "zero_optimization.zero_hpz_partition_size"; stage == 3 && settings.number(hpz).value_or(1) > 1)
        meaning.leftOut.push_back({hpz, "there is no secondary copy"});
    for (const char *part : {"offload_optimizer", "offload_param"}) {
        const std::string device = fmt::format("zero_optimization.{}.device", part);
        if (const WrittenSetting *where = settings.find(device);
            where != nullptr && (where->value == "cpu" || where->value == "nvme"))
            meaning.leftOut.push_back({device, "nothing is copied to or from it"});
    }
}

void lintSwitches(SettingsRules &rules, double stage) {
    const WrittenSettings &settings = rules.settings;
    const auto zero = [](const char *key) { return std::string("zero_optimization.") + key; };
    const auto offCosts = [&](const char *key, const char *why) {
        rules.needs(zero(key), stage >= 1, "stage 1 or above");
        if (stage >= 1 && settings.has(zero(key)) && !settings.flag(zero(key)))
            rules.add(SettingFault::Harmful, zero(key), why, "leave it at true");
    };
    rules.needs(zero("overlap_comm"), stage >= 1, "stage 1 or above");
    offCosts("reduce_scatter", "gradients are all-reduced: every rank gets all of them");
    offCosts("allgather_partitions", "parameters come back by many broadcasts");
    offCosts("contiguous_gradients", "gradients are sent in fragments");
    if (settings.flag(zero("zero_quantized_gradients")) &&
        (stage != 3 || settings.number(zero("zero_hpz_partition_size")).value_or(1) <= 1))
        rules.add(SettingFault::Refused, zero("zero_quantized_gradients"), "it needs stage 3 and zero_hpz_partition_size",
                  "set both, or leave it out");
    for (const char *key : {"cpu_offload", "cpu_offload_params"})
        if (settings.has(zero(key)))
            rules.add(SettingFault::Note, zero(key), "it is deprecated", "write offload_optimizer or offload_param");
    if (settings.has("zero_optimization"))
        rules.add(SettingFault::Note, "zero_optimization", "a bare true is an old form of stage 1", "write {\"stage\": 1}");
    rules.needs("gradient_predivide_factor", settings.flag("prescale_gradients"), "prescale_gradients");
    if (const GradientType type = sentType(settings);
        type.bytes == 4 && !type.setting.empty() && (settings.flag("bf16.enabled") || settings.flag("fp16.enabled")))
        rules.add(SettingFault::Harmful, type.setting, "fp32 doubles the traffic of 16-bit gradients",
                  "leave it out: gradients go in the type of training");
    if (settings.number("gradient_accumulation_steps").value_or(1) > 1 && stage >= 2)
        rules.add(SettingFault::Harmful, "gradient_accumulation_steps",
                  fmt::format("stage {:.0f} reduces gradients on every micro step", stage),
                  "take stage 1 where memory allows, or larger micro batches");
}

} // namespace

void lintDeepSpeed(SettingsRules &rules) {
    const WrittenSettings &settings = rules.settings;
    const double stage = settings.number("zero_optimization.stage").value_or(settings.flag("zero_optimization") ? 1 : 0);
    if (stage != 0 && stage != 1 && stage != 2 && stage != 3)
        rules.add(SettingFault::Refused, "zero_optimization.stage", fmt::format("there is no stage {:g}", stage), "write 0 to 3");
    lintBuckets(rules, stage);
    lintSwitches(rules, stage);
    lintBatch(rules);
    lintSecondaryCopy(rules, stage);
    const bool overlaps = settings.flag("zero_optimization.overlap_comm", stage == 3);
    if (!overlaps && stage >= 1)
        rules.add(SettingFault::Harmful, "zero_optimization.overlap_comm",
                  settings.has("zero_optimization.overlap_comm")
                      ? "nothing is reduced during the backward pass"
                      : "below stage 3 it is off unless it is set: nothing is reduced during "
                        "the backward pass",
                  "write \"overlap_comm\": true, for more memory");
    const double simulated = stage == 0 || stage == 1 ? stage : 2; // of stage 3 the gathers of each pass are not
    const std::string ofStage = fmt::format("stage={:.0f}", simulated);
    SettingsMeaning meaning{"DeepSpeed",
                            fmt::format("deepspeed({})", ofStage), // stage 0 reads no bucket
                            fmt::format("deepspeed({}{})", stage == 3 ? "overlap=on," : "", ofStage),
                            false,
                            {}};
    const auto elements = [&](const char *key, double min) {
        return std::clamp(std::floor(rules.priced(key, usualBucketElements, meaning)), min, maxElements);
    };
    if (stage != 0)
        meaning.policy = fmt::format("deepspeed(reduce_bucket={:.0f},allgather_bucket={:.0f},overlap={},{})",
                                     elements("zero_optimization.reduce_bucket_size", 0),
                                     stage == 3 ? usualBucketElements : elements("zero_optimization.allgather_bucket_size", 1),
                                     overlaps ? "on" : "off", ofStage);
    leaveOut(rules, stage, meaning);
    rules.findings.meanings.push_back(std::move(meaning));
}

} // namespace syncopate
