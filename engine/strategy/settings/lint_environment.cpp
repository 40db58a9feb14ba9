// SPDX-License-Identifier: GPL-3.0-or-later
// Checks environments of Horovod (horovod/common), BytePS (docs/env.md, byteps/common/global.cc) and ByteScheduler
// (bytescheduler/common).
#include "engine/strategy/settings/settings_rules.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace syncopate {

namespace {

constexpr double mebibyte = 1048576;
constexpr double maxPartitionBytes = 2147483647;
constexpr double unlimitedBytes = 32 * 1024 * mebibyte; ///< capacity of BytePS's queue without a credit

/// The largest number of replicas on a node; 1 without a cluster.
double perNode(const SettingsRules &rules) {
    double maxReplicas = 1;
    if (rules.cluster != nullptr)
        for (const Node &node : rules.cluster->nodes)
            maxReplicas = std::max(maxReplicas, static_cast<double>(node.replicaCount()));
    return maxReplicas;
}

} // namespace

void lintHorovod(SettingsRules &rules) {
    const WrittenSettings &settings = rules.settings;
    const std::string fusion = "HOROVOD_FUSION_THRESHOLD", cycle = "HOROVOD_CYCLE_TIME";
    if (rules.countInUnit(fusion, 65536, 1e12, "bytes; --fusion-threshold-mb counts MiB",
                          "134217728 for 128 MiB, Horovod's default") &&
        settings.number(fusion) == 0)
        rules.add(SettingFault::Harmful, fusion, "0 sends every tensor alone", "leave it out: 128 MiB");
    if (rules.inUnit(cycle, 0.05, "milliseconds", "1, Horovod's default") && *settings.number(cycle) > 50)
        rules.add(SettingFault::Harmful, cycle, fmt::format("gradients wait {:g} ms for the next cycle", *settings.number(cycle)),
                  "leave it out: 1 ms");
    const bool tunes = settings.flag("HOROVOD_AUTOTUNE");
    for (const auto &[name, written] : settings.all())
        if (name.starts_with("HOROVOD_AUTOTUNE_"))
            rules.needs(name, tunes, "HOROVOD_AUTOTUNE=1");
    for (const std::string &fixed : {fusion, cycle})
        if (tunes && settings.has(fixed))
            rules.add(SettingFault::Note, fixed, "what is set is not tuned", "leave it out for HOROVOD_AUTOTUNE to choose it");
    rules.needs("HOROVOD_TIMELINE_MARK_CYCLES", settings.has("HOROVOD_TIMELINE"), "HOROVOD_TIMELINE");
    const double fused = std::max(0.0, settings.number(fusion).value_or(128 * mebibyte));
    const double milliseconds = std::max(0.0, settings.number(cycle).value_or(1));
    const std::string buffer = fused < 1 ? "off" : fmt::format("{:.0f}B", std::min(fused, 1e15));
    rules.findings.meanings.push_back(
        {"Horovod", fmt::format("horovod(fusion={},cycle={}ms)", buffer, std::min(milliseconds, 1e6)), "horovod", false});
}

void lintBytePs(SettingsRules &rules) {
    const WrittenSettings &settings = rules.settings;
    const std::string partition = "BYTEPS_PARTITION_BYTES", credit = "BYTEPS_SCHEDULING_CREDIT";
    const double pages = 4096 * perNode(rules);
    const bool isCount = rules.countInUnit(partition, 4096, maxPartitionBytes, "bytes", "4096000, BytePS's default");
    if (isCount && settings.number(partition).value_or(0) > maxPartitionBytes)
        rules.add(SettingFault::Refused, partition, "BytePS keeps it in a signed 32-bit number", "write less than 2 GiB");
    const double given = std::min(settings.number(partition).value_or(4096000), maxPartitionBytes);
    double bytes = std::max(pages, std::ceil(given / pages) * pages);
    if (bytes > maxPartitionBytes) {
        bytes = std::floor(maxPartitionBytes / pages) * pages;
        if (settings.number(partition).value_or(0) <= maxPartitionBytes)
            rules.add(SettingFault::Refused, partition,
                      "BytePS rounds it up to whole pages for each GPU of a machine, past its signed 32-bit number",
                      fmt::format("write {:.0f} at most", bytes));
    } else if (isCount && given >= 4096 && bytes != given)
        rules.add(SettingFault::Note, partition,
                  fmt::format("BytePS rounds it up to {:.0f}: whole pages for each GPU of a machine", bytes),
                  fmt::format("write {:.0f}", bytes));
    if (rules.job != nullptr)
        for (const Variable &variable : rules.job->variables)
            if (static_cast<double>(variable.sizeBytes()) / bytes > 65536) {
                rules.add(SettingFault::Refused, partition,
                          fmt::format("'{}' would have more than 65536 partitions", variable.name), "take larger partitions");
                break;
            }
    const double credits = settings.number(credit).value_or(0);
    const bool creditIsNumber =
        rules.countInUnit(credit, 0, 4095, "partitions", "4 for four partitions in flight, 0 for no limit");
    if (creditIsNumber && credits >= 4096)
        rules.add(SettingFault::WrongUnit, credit, fmt::format("{:g} counts partitions, not bytes", credits),
                  fmt::format("write {:.0f}", std::max(1.0, std::round(credits / bytes))));
    if (settings.has("BYTEPS_REDUCE_ROOTS") && settings.has("BYTEPS_PCIE_SWITCH_SIZE"))
        rules.add(SettingFault::Refused, "BYTEPS_REDUCE_ROOTS", "it excludes BYTEPS_PCIE_SWITCH_SIZE", "leave out one of them");
    if (const auto size = settings.number("BYTEPS_PCIE_SWITCH_SIZE");
        size && rules.cluster != nullptr && (*size < 1 || std::fmod(perNode(rules), *size) != 0))
        rules.add(SettingFault::Ignored, "BYTEPS_PCIE_SWITCH_SIZE",
                  fmt::format("{:g} does not divide {:g} GPUs of a machine, which it falls back to", *size, perNode(rules)),
                  "take a divisor");
    const WrittenSetting *hash = settings.find("BYTEPS_KEY_HASH_FN");
    rules.needs("BYTEPS_BUILT_IN_HASH_COEF", hash != nullptr && hash->value == "built_in", "BYTEPS_KEY_HASH_FN=built_in");
    rules.needs("BYTEPS_MIXED_MODE_BOUND", settings.flag("BYTEPS_ENABLE_MIXED_MODE"), "BYTEPS_ENABLE_MIXED_MODE=1");
    for (const char *traced : {"BYTEPS_TRACE_START_STEP", "BYTEPS_TRACE_END_STEP", "BYTEPS_TRACE_DIR"})
        rules.needs(traced, settings.flag("BYTEPS_TRACE_ON"), "BYTEPS_TRACE_ON=1");
    if (settings.flag("BYTEPS_ENABLE_ASYNC"))
        rules.add(SettingFault::Note, "BYTEPS_ENABLE_ASYNC", "workers and servers must both have it", "set it on every machine");
    const bool limits = credits > 0 && credits < 4096 && credits * bytes < unlimitedBytes;
    const std::string inFlight = limits ? fmt::format("{:.0f}", std::max(1.0, std::floor(credits))) : "off";
    rules.findings.meanings.push_back(
        {"BytePS", fmt::format("byteps(partition={:.0f}B,credit={})", bytes, inFlight), "byteps", true});
}

void lintByteScheduler(SettingsRules &rules) {
    const WrittenSettings &settings = rules.settings;
    const std::string partition = "BYTESCHEDULER_PARTITION", credit = "BYTESCHEDULER_CREDIT";
    rules.countInUnit(partition, 1000, 1e12, "parameters, neither bytes nor MB", "1000000, ByteScheduler's default");
    rules.countInUnit(credit, 1000, 1e12, "parameters, not partitions", "4000000, ByteScheduler's default");
    const double parts = settings.number(partition).value_or(1e6), credits = settings.number(credit).value_or(4e6);
    if (settings.has(partition) && parts >= 1000 && credits > 0 && credits < parts)
        rules.add(SettingFault::Harmful, settings.has(credit) ? credit : partition,
                  "the credit is less than a partition: one is in flight at a time, and the network waits between two",
                  "give a credit of two partitions or more");
    if (settings.flag("BYTESCHEDULER_PARTITION_TUNING"))
        rules.add(SettingFault::Ignored, "BYTESCHEDULER_PARTITION_TUNING",
                  "the release writes the tuned partition where nothing reads it", "set BYTESCHEDULER_PARTITION");
    if (settings.has(credit) && settings.flag("BYTESCHEDULER_CREDIT_TUNING", true))
        rules.add(SettingFault::Note, credit,
                  "BYTESCHEDULER_CREDIT_TUNING is 1 unless it is set: the credit changes while training",
                  "set BYTESCHEDULER_CREDIT_TUNING=0 to keep it");
    if (settings.has("USE_BYTESCHEDULER") && !settings.flag("USE_BYTESCHEDULER")) {
        rules.add(SettingFault::Ignored, "USE_BYTESCHEDULER", "it turns ByteScheduler off: its other settings change nothing",
                  "set USE_BYTESCHEDULER=1 to use them, or leave them out");
        return; // nothing of it has a time
    }
    const auto bytes = [&](double elements) { return std::clamp(elements * rules.elementBytes(), 1.0, 1e15); };
    const bool servers = settings.hasAny("DMLC_");
    const std::string hash = servers ? ",hash=mxnet" : "";
    rules.findings.meanings.push_back(
        {"ByteScheduler", fmt::format("bytescheduler(partition={:.0f}B,credit={:.0f}B{})", bytes(parts), bytes(credits), hash),
         servers ? "bytescheduler(hash=mxnet)" : "bytescheduler", servers});
}

} // namespace syncopate
