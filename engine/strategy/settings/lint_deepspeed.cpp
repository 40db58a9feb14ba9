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
                  "whatever it is; older versions, and predictions, gather pieces of at least so many elements",
                  "leave it out");
    for (const char *key : {"stage3_prefetch_bucket_size", "prefetch_bucket_size", "stage3_param_persistence_threshold",
                            "stage3_max_live_parameters", "stage3_max_reuse_distance", "stage3_module_granularity_threshold"})
        rules.needs(std::string("zero_optimization.") + key, stage == 3, "stage 3");
}

void lintSwitches(SettingsRules &rules, double stage) {
    const WrittenSettings &settings = rules.settings;
    const auto zero = [](const char *key) { return std::string("zero_optimization.") + key; };
    const auto offCosts = [&](const char *key, const char *why) {
        if (settings.has(zero(key)) && !settings.flag(zero(key)))
            rules.add(SettingFault::Harmful, zero(key), why, "leave it at true");
    };
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
    if (const auto *type = settings.find("communication_data_type");
        type != nullptr && type->value == "fp32" && (settings.flag("bf16.enabled") || settings.flag("fp16.enabled")))
        rules.add(SettingFault::Harmful, "communication_data_type", "fp32 doubles the traffic of 16-bit gradients",
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
    const bool overlaps = settings.flag("zero_optimization.overlap_comm", stage == 3);
    if (!overlaps && stage >= 1)
        rules.add(SettingFault::Harmful, "zero_optimization.overlap_comm",
                  settings.has("zero_optimization.overlap_comm")
                      ? "nothing is reduced during the backward pass"
                      : "below stage 3 it is off unless it is set: nothing is reduced during "
                        "the backward pass",
                  "write \"overlap_comm\": true, for more memory");
    const auto elements = [&](const char *key, double min) {
        return std::clamp(std::floor(settings.number(key).value_or(usualBucketElements)), min, maxElements);
    };
    const double simulated = stage == 0 || stage == 1 ? stage : 2; // of stage 3 the gathers of each pass are not
    const std::string ofStage = fmt::format("stage={:.0f}", simulated);
    std::string meaning = fmt::format("deepspeed({})", ofStage); // stage 0 reads no bucket
    if (stage != 0)
        meaning = fmt::format("deepspeed(reduce_bucket={:.0f},allgather_bucket={:.0f},overlap={},{})",
                              elements("zero_optimization.reduce_bucket_size", 0),
                              stage == 3 ? usualBucketElements : elements("zero_optimization.allgather_bucket_size", 1),
                              overlaps ? "on" : "off", ofStage);
    rules.findings.meanings.push_back(
        {"DeepSpeed", std::move(meaning), fmt::format("deepspeed({}{})", stage == 3 ? "overlap=on," : "", ofStage), false});
}

} // namespace syncopate
