// SPDX-License-Identifier: GPL-3.0-or-later
// Checks environments of BytePS (docs/env.md, byteps/common/global.cc), ByteScheduler (bytescheduler/common) and ps-lite, on
// which both run with servers.
#include "engine/strategy/byteps_partition.h"
#include "engine/strategy/lint.h"
#include "engine/strategy/policy.h"
#include "engine/strategy/settings/settings_rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace syncopate {

namespace {

/// Bytes of BytePS's partitions, rounded as it does.
double lintBytePsPartition(SettingsRules &rules, SettingsMeaning &meaning) {
    const WrittenSettings &settings = rules.settings;
    const std::string partition = "BYTEPS_PARTITION_BYTES";
    const bool isCount = rules.countInUnit(partition, 4096, maxBytePsPartitionBytes, "bytes", "4096000, BytePS's default");
    if (isCount && settings.number(partition).value_or(0) > maxBytePsPartitionBytes)
        rules.add(SettingFault::Refused, partition, "BytePS keeps it in a signed 32-bit number", "write less than 2 GiB");
    const double given = std::min(rules.priced(partition, 4096000, meaning), maxBytePsPartitionBytes);
    double bytes = bytePsPartition(given, rules.perNode());
    if (bytes > maxBytePsPartitionBytes) {
        bytes = largestBytePsPartition(rules.perNode());
        if (settings.number(partition).value_or(0) <= maxBytePsPartitionBytes)
            rules.add(SettingFault::Refused, partition,
                      "BytePS rounds it up to whole pages for each GPU of a machine, past its signed 32-bit number",
                      fmt::format("write {:.0f} at most", bytes));
    } else if (isCount && given >= 4096 && bytes != given)
        rules.add(SettingFault::Note, partition,
                  fmt::format("BytePS rounds it up to {:.0f}: whole pages for each GPU of a machine", bytes),
                  fmt::format("write {:.0f}", bytes));
    if (rules.job != nullptr)
        for (const Variable &variable : rules.job->variables)
            if (static_cast<double>(variable.sizeBytes()) / bytes > maxBytePsParts) {
                rules.add(SettingFault::Refused, partition,
                          fmt::format("'{}' would have more than {} partitions", variable.name, maxBytePsParts),
                          "take larger partitions");
                break;
            }
    return bytes;
}

/// BytePS's credit as its policy has it: a number of partitions, or "off".
std::string lintBytePsCredit(SettingsRules &rules, double partitionBytes, SettingsMeaning &meaning) {
    const std::string credit = "BYTEPS_SCHEDULING_CREDIT";
    const double credits = rules.priced(credit, 0, meaning);
    if (rules.countInUnit(credit, 0, 4095, "partitions", "4 for four partitions in flight, 0 for no limit") && credits >= 4096)
        rules.add(SettingFault::WrongUnit, credit, fmt::format("{:g} counts partitions, not bytes", credits),
                  fmt::format("write {:.0f}", std::max(1.0, std::round(credits / partitionBytes))));
    const bool limits = credits > 0 && credits < 4096 && credits * partitionBytes < unlimitedBytePsCreditBytes;
    return limits ? fmt::format("{:.0f}", std::max(1.0, std::floor(credits))) : "off";
}

/// How BytePS chooses a partition's server, as its policy has it.
std::string lintBytePsHash(SettingsRules &rules, SettingsMeaning &meaning) {
    const WrittenSettings &settings = rules.settings;
    constexpr std::array<std::string_view, 5> known{"djb2", "naive", "built_in", "sdbm", "mixed"};
    const std::string key = "BYTEPS_KEY_HASH_FN";
    std::string hash = settings.has(key) ? settings.find(key)->value : "djb2";
    if (settings.flag("BYTEPS_ENABLE_MIXED_MODE"))
        hash = "mixed";
    rules.needs("BYTEPS_BUILT_IN_HASH_COEF", hash == "built_in", "BYTEPS_KEY_HASH_FN=built_in");
    rules.needs("BYTEPS_MIXED_MODE_BOUND", settings.flag("BYTEPS_ENABLE_MIXED_MODE"), "BYTEPS_ENABLE_MIXED_MODE=1");
    if (hash == "built_in" && settings.number("BYTEPS_BUILT_IN_HASH_COEF").value_or(1) != 1)
        meaning.leftOut.push_back({"BYTEPS_BUILT_IN_HASH_COEF", "keys are hashed with a coefficient of 1"});
    if (hash == "mixed" && settings.number("BYTEPS_MIXED_MODE_BOUND").value_or(101) != 101)
        meaning.leftOut.push_back({"BYTEPS_MIXED_MODE_BOUND", "the bound is taken as 101"});
    if (std::find(known.begin(), known.end(), hash) != known.end())
        return hash;
    if (hasUnknown(hash))
        meaning.leftOut.push_back({key, "its value is not known here, and djb2 is taken"});
    else
        rules.add(SettingFault::Refused, key, fmt::format("BytePS has no hash function '{}'", hash.substr(0, 60)),
                  "write djb2, naive, built_in, sdbm or mixed");
    return "djb2";
}

void lintBytePsSwitches(SettingsRules &rules, SettingsMeaning &meaning) {
    const WrittenSettings &settings = rules.settings;
    if (settings.has("BYTEPS_REDUCE_ROOTS") && settings.has("BYTEPS_PCIE_SWITCH_SIZE"))
        rules.add(SettingFault::Refused, "BYTEPS_REDUCE_ROOTS", "it excludes BYTEPS_PCIE_SWITCH_SIZE", "leave out one of them");
    const double devices = rules.perNode();
    if (const auto size = settings.number("BYTEPS_PCIE_SWITCH_SIZE");
        size && rules.cluster != nullptr && (*size < 1 || std::fmod(devices, *size) != 0))
        rules.add(SettingFault::Ignored, "BYTEPS_PCIE_SWITCH_SIZE",
                  fmt::format("{:g} does not divide {:g} GPUs of a machine, which it falls back to", *size, devices),
                  "take a divisor");
    for (const char *traced : {"BYTEPS_TRACE_START_STEP", "BYTEPS_TRACE_END_STEP", "BYTEPS_TRACE_DIR"})
        rules.needs(traced, settings.flag("BYTEPS_TRACE_ON"), "BYTEPS_TRACE_ON=1");
    if (settings.flag("BYTEPS_ENABLE_ASYNC")) {
        rules.add(SettingFault::Note, "BYTEPS_ENABLE_ASYNC", "workers and servers must both have it", "set it on every machine");
        meaning.leftOut.push_back({"BYTEPS_ENABLE_ASYNC", "workers wait for each other in every iteration"});
    }
}

} // namespace

void lintBytePs(SettingsRules &rules) {
    SettingsMeaning meaning{"BytePS", {}, "byteps", true, {}};
    const double bytes = lintBytePsPartition(rules, meaning);
    meaning.policy = fmt::format("byteps(partition={:.0f}B,credit={}", bytes, lintBytePsCredit(rules, bytes, meaning));
    const double threads = std::clamp(std::floor(rules.priced("BYTEPS_SERVER_ENGINE_THREAD", 4, meaning)), 1.0, 1e6);
    if (threads != 4)
        meaning.policy += fmt::format(",engine_threads={:.0f}", threads);
    if (const std::string hash = lintBytePsHash(rules, meaning); hash != "djb2")
        meaning.policy += ",hash=" + hash;
    meaning.policy += ')';
    lintBytePsSwitches(rules, meaning);
    if (const auto policy = parsePolicy(meaning.policy); policy && rules.cluster != nullptr)
        for (const LintMark &mark : lintCredit({}, *policy, {.maxReplicas = rules.perNode()}))
            rules.add(SettingFault::Ignored, "BYTEPS_SCHEDULING_CREDIT", mark.text, mark.remedy);
    rules.findings.meanings.push_back(std::move(meaning));
}

namespace {

/// Whether servers are set: ps-lite's variables, or MXNet's arguments for them.
bool hasServers(const WrittenSettings &settings) {
    if (const auto servers = settings.number("DMLC_NUM_SERVER"))
        return *servers > 0;
    if (settings.hasAny("DMLC_") || settings.number("--num-servers").value_or(0) > 0)
        return true;
    const WrittenSetting *store = settings.find("--kv-store");
    return store != nullptr && store->value.starts_with("dist");
}

} // namespace

void lintByteScheduler(SettingsRules &rules) {
    const WrittenSettings &settings = rules.settings;
    const std::string partition = "BYTESCHEDULER_PARTITION", credit = "BYTESCHEDULER_CREDIT";
    const bool servers = hasServers(settings);
    SettingsMeaning meaning{"ByteScheduler", {}, servers ? "bytescheduler(hash=mxnet)" : "bytescheduler", servers, {}};
    rules.countInUnit(partition, 1000, 1e12, "parameters, neither bytes nor MB", "1000000, ByteScheduler's default");
    rules.countInUnit(credit, 1000, 1e12, "parameters, not partitions", "4000000, ByteScheduler's default");
    const double parts = rules.priced(partition, 1e6, meaning), credits = rules.priced(credit, 4e6, meaning);
    if (settings.has(partition) && parts >= 1000 && credits > 0 && credits < parts)
        rules.add(SettingFault::Harmful, settings.has(credit) ? credit : partition,
                  "the credit is less than a partition: one is in flight at a time, and the network waits between two",
                  "give a credit of two partitions or more");
    if (settings.flag("BYTESCHEDULER_PARTITION_TUNING"))
        rules.add(SettingFault::Ignored, "BYTESCHEDULER_PARTITION_TUNING",
                  "the release writes the tuned partition where nothing reads it", "set BYTESCHEDULER_PARTITION");
    if (settings.has(credit) && settings.flag("BYTESCHEDULER_CREDIT_TUNING", true)) {
        rules.add(SettingFault::Note, credit,
                  "BYTESCHEDULER_CREDIT_TUNING is 1 unless it is set: the credit changes while training",
                  "set BYTESCHEDULER_CREDIT_TUNING=0 to keep it");
        meaning.leftOut.push_back({"BYTESCHEDULER_CREDIT_TUNING", "the credit stays as it is set"});
    }
    if (settings.has("USE_BYTESCHEDULER") && !settings.flag("USE_BYTESCHEDULER")) {
        rules.add(SettingFault::Ignored, "USE_BYTESCHEDULER", "it turns ByteScheduler off: its other settings change nothing",
                  "set USE_BYTESCHEDULER=1 to use them, or leave them out");
        return; // switched off: there is no policy to simulate
    }
    const auto bytes = [&](double elements) { return std::clamp(elements * rules.elementBytes(), 1.0, 1e15); };
    meaning.policy = fmt::format("bytescheduler(partition={:.0f}B,credit={:.0f}B{})", bytes(parts), bytes(credits),
                                 servers ? ",hash=mxnet" : "");
    rules.findings.meanings.push_back(std::move(meaning));
}

void lintServers(SettingsRules &rules) {
    if (rules.cluster == nullptr)
        return;
    struct Count {
        const char *setting;
        std::size_t machines;
        const char *which;
    };
    const Cluster &cluster = *rules.cluster;
    const std::size_t servers = cluster.serverNodes().size();
    for (const Count &count : {Count{"DMLC_NUM_WORKER", cluster.trainingNodes().size(), "machines that train"},
                               {"DMLC_NUM_SERVER", servers > 0 ? servers : cluster.nodes.size(), "that serve"}})
        if (const auto given = rules.settings.number(count.setting);
            given && *given != static_cast<double>(count.machines) && *given > 0)
            rules.add(SettingFault::Note, count.setting,
                      fmt::format("{:g} are started, and the cluster has {} {}", *given, count.machines, count.which),
                      "give the cluster that they run on, or set --workers and --servers");
}

} // namespace syncopate
