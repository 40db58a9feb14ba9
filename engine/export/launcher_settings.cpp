// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/export/launcher_settings.h"

#include "engine/base/units.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace syncopate {

namespace {

constexpr double mebibyte = 1024.0 * 1024.0;
constexpr double bytePsCreditOff = 32.0 * 1024 * mebibyte; // what its queue holds where no credit is set
constexpr double bytePsMostParts = 65536;                  // key = (tensor << 16) + part
constexpr double ddpDefaultCap = 25 * mebibyte;

/// What the strategy does with all variables; each system has one way for all of them.
struct Way {
    SynchronizerKind kind = SynchronizerKind::AllReduce;
    bool sync = true;
    Compressor compressor = Compressor::None;
};

/// The one way of all variables, or why there is none that `system` could follow.
Result<Way> commonWay(const Scenario &scenario, const std::string &system) {
    std::optional<Way> way;
    for (const NodeConfig &node : scenario.strategy->nodes) {
        if (node.isPartitioned())
            return fail(fmt::format("the strategy splits variable '{}' into {} parts, which {} has no setting for",
                                    node.variableName, node.parts.size(), system),
                        "choose a builder that leaves variables whole, or export to AutoDist");
        const Synchronizer &s = node.synchronizer;
        const Way own{s.kind, s.kind == SynchronizerKind::AllReduce || s.sync, s.compressor};
        if (!way)
            way = own;
        if (s.kind != way->kind)
            return fail(fmt::format("some variables are all-reduced and others, such as '{}', are not: {} does the same with all",
                                    node.variableName, system),
                        "choose PS or AllReduce for all variables, or export to AutoDist");
        if (own.sync != way->sync || own.compressor != way->compressor)
            return fail(fmt::format("variable '{}' differs from others in synchrony or compressor: {} does the same with all",
                                    node.variableName, system),
                        "choose one way for all variables, or export to AutoDist");
        if (s.kind == SynchronizerKind::ParameterServer && s.staleness > 0)
            return fail(fmt::format("variable '{}' has a staleness of {}, which {} does not bound", node.variableName,
                                    s.staleness, system),
                        "choose staleness 0, or export to AutoDist");
    }
    if (!way)
        return fail("the strategy has no variables", "choose a strategy of this job");
    return *way;
}

Unexpected refusePolicy(const CommPolicy &policy, const std::string &system, const char *instead) {
    return fail(fmt::format("the policy {} is not what {} does", formatPolicy(policy), system),
                fmt::format("simulate {} instead, then export its settings", instead));
}

Result<void> needAllReduce(const Way &way, const std::string &system) {
    if (way.kind == SynchronizerKind::AllReduce)
        return {};
    return fail(fmt::format("the strategy uses parameter servers, and {} only all-reduces", system),
                "choose an AllReduce strategy, or export to BytePS, ByteScheduler or AutoDist");
}

/// Bytes as a whole number of at least 1, in units of `unit` bytes; fractions of a unit cannot be set.
Result<std::int64_t> wholeUnits(double bytes, double unit, const char *what, const char *unitName) {
    const double units = bytes / unit;
    if (!(units >= 1) || !(units < 9e15) || units != std::floor(units))
        return fail(fmt::format("the {} of {:.15g} bytes is not a whole number of {}", what, bytes, unitName),
                    fmt::format("choose a multiple of {:.15g} bytes", unit));
    return static_cast<std::int64_t>(units);
}

std::string commentOf(const char *mark, const std::string &text) {
    // Names come from files: what follows a line break must not become a setting.
    std::string line = std::string(mark) + ' ';
    for (const char c : text)
        line += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    return line + '\n';
}

std::string heading(const Scenario &scenario, const std::string &system, const std::string &use) {
    return commentOf("#", fmt::format("{} settings, written by Syncopate.", system)) +
           commentOf("#", fmt::format("Job {} on cluster {}, simulated with {}.", scenario.job->name, scenario.cluster->name,
                                      formatPolicy(scenario.policy))) +
           commentOf("#", use);
}

/// Parameter size that most of the job's bytes have: ByteScheduler counts parameters, whatever their type.
std::pair<std::int64_t, bool> elementBytes(const Job &job) {
    std::map<std::int64_t, std::int64_t> bytesBySize;
    for (const Variable &variable : job.variables)
        bytesBySize[sizeOf(variable.dtype)] += variable.sizeBytes();
    std::pair<std::int64_t, std::int64_t> most{4, -1};
    for (const auto &entry : bytesBySize)
        if (entry.second > most.second)
            most = entry;
    return {most.first, bytesBySize.size() > 1};
}

std::string compressorComment(Compressor compressor, const char *call) {
    if (compressor == Compressor::None)
        return {};
    return commentOf("#", fmt::format("The strategy sends gradients as float16, which no variable says: {}", call));
}

Result<void> refuseErrorFeedback(Compressor compressor, const std::string &system) {
    if (compressor != Compressor::HorovodEF)
        return {};
    return fail(fmt::format("{} has no float16 compressor with error feedback (HorovodCompressorEF)", system),
                "choose HorovodCompressor or none");
}

Result<std::string> byteScheduler(const Scenario &scenario) {
    const std::string system = "ByteScheduler";
    const CommPolicy &policy = scenario.policy;
    if (policy.kind != PolicyKind::Priority && policy.kind != PolicyKind::P3)
        return refusePolicy(policy, system, "bytescheduler(..)");
    if (policy.barrier)
        return fail("ByteScheduler always lets a layer start once its own parameters are there, and this policy has barrier=on",
                    "simulate barrier=off, then export its settings");
    const auto way = commonWay(scenario, system);
    if (!way)
        return Unexpected(way.error());
    if (!way->sync)
        return fail("ByteScheduler orders synchronous training only, and the strategy is asynchronous", "choose sync=True");
    TRY(refuseErrorFeedback(way->compressor, system));
    if (policy.algorithm != CollectiveAlgorithm::Ring && way->kind == SynchronizerKind::AllReduce)
        return fail("ByteScheduler has no setting for the all-reduce algorithm", "simulate algorithm=ring");
    const auto [element, mixed] = elementBytes(*scenario.job);
    const auto partition = TRY(wholeUnits(policy.partitionBytes, static_cast<double>(element), "partition", "parameters"));
    const auto credit = TRY(wholeUnits(policy.creditBytes, static_cast<double>(element), "credit", "parameters"));
    std::string text = heading(scenario, system, "Source it before the training script: set -a; . FILE; set +a");
    text += commentOf("#", fmt::format("Sizes count parameters; here one has {} bytes{}.", element,
                                       mixed ? " (most of the job's bytes; other types differ)" : ""));
    text += compressorComment(way->compressor, "pass Compression.fp16 to the wrapped optimizer.");
    text += "USE_BYTESCHEDULER=1\n";
    text += fmt::format("# {:.15g} bytes\nBYTESCHEDULER_PARTITION={}\n", policy.partitionBytes, partition);
    text += fmt::format("# {:.15g} bytes\nBYTESCHEDULER_CREDIT={}\n", policy.creditBytes, credit);
    text +=
        "# These settings are kept: no tuning while training.\nBYTESCHEDULER_CREDIT_TUNING=0\nBYTESCHEDULER_PARTITION_TUNING=0\n";
    return text;
}

/// The machines that train, and those that the strategy reduces on.
struct Machines {
    std::size_t workers = 0, servers = 0;
    std::int32_t mostReplicas = 0;
};

Machines machinesOf(const Scenario &scenario) {
    const Cluster &cluster = *scenario.cluster;
    Machines machines;
    for (std::size_t n = 0; n < cluster.nodes.size(); ++n)
        if (std::find(cluster.serverOnly.begin(), cluster.serverOnly.end(), static_cast<std::int32_t>(n)) ==
            cluster.serverOnly.end()) {
            ++machines.workers;
            machines.mostReplicas = std::max(machines.mostReplicas, cluster.nodes[n].replicaCount());
        }
    std::set<std::int32_t> servers;
    for (const NodeConfig &node : scenario.strategy->nodes)
        servers.insert(cluster.nodeOf(node.synchronizer.reductionDestination));
    machines.servers = servers.size();
    return machines;
}

Result<std::string> bytePs(const Scenario &scenario) {
    const std::string system = "BytePS";
    const CommPolicy &policy = scenario.policy;
    if (policy.kind != PolicyKind::BytePs)
        return refusePolicy(policy, system, "byteps(..)");
    const auto way = TRY(commonWay(scenario, system));
    if (way.kind != SynchronizerKind::ParameterServer)
        return fail("the strategy all-reduces, and BytePS works through servers",
                    "choose a PS strategy, or export to Horovod or DDP");
    TRY(refuseErrorFeedback(way.compressor, system));
    const auto partition = TRY(wholeUnits(policy.partitionBytes, 1, "partition", "bytes"));
    if (partition > 2147483647)
        return fail(fmt::format("a partition of {} bytes is more than BYTEPS_PARTITION_BYTES can hold", partition),
                    "choose less than 2 GiB");
    std::int64_t credit = 0;
    if (policy.creditBytes < bytePsCreditOff) {
        const auto partitions = TRY(wholeUnits(policy.creditBytes, policy.partitionBytes, "credit", "partitions"));
        credit = partitions;
    }
    for (const Variable &variable : scenario.job->variables)
        if (static_cast<double>(variable.sizeBytes()) / policy.partitionBytes > bytePsMostParts)
            return fail(fmt::format("variable '{}' would have more than {} partitions", variable.name, bytePsMostParts),
                        "choose a larger partition");
    const Machines machines = machinesOf(scenario);
    const std::int64_t pages = std::int64_t{4096} * std::max(machines.mostReplicas, 1);
    std::string text = heading(
        scenario, system, "Source it on every machine before bpslaunch: set -a; . FILE; set +a. Role, id and root are yours.");
    text += "# Bytes; BytePS rounds up to whole pages for each device of a machine";
    text += fmt::format(": {} here.\n", (partition + pages - 1) / pages * pages);
    text += fmt::format("BYTEPS_PARTITION_BYTES={}\n", partition);
    text += fmt::format("# Partitions in flight; 0 = no limit.\nBYTEPS_SCHEDULING_CREDIT={}\n", credit);
    text += fmt::format("DMLC_NUM_WORKER={}\nDMLC_NUM_SERVER={}\n", machines.workers, machines.servers);
    text += fmt::format("BYTEPS_ENABLE_ASYNC={}\n", way.sync ? 0 : 1);
    text += "# BytePS spreads partitions over the servers by a hash of their keys: the strategy's placement is not a setting.\n";
    if (!policy.barrier)
        text += "# barrier=off: in PyTorch, wrap the optimizer with byteps.torch.cross_barrier.CrossBarrier.\n";
    text += compressorComment(way.compressor, "pass compression=bps.Compression.fp16 to DistributedOptimizer.");
    return text;
}

Result<std::string> horovod(const Scenario &scenario, bool config) {
    const std::string system = "Horovod";
    const CommPolicy &policy = scenario.policy;
    if (policy.kind != PolicyKind::Horovod)
        return refusePolicy(policy, system, "horovod(..)");
    if (!policy.barrier)
        return fail("Horovod's optimizer waits for every gradient before it steps, and this policy has barrier=off",
                    "simulate barrier=on, or ByteScheduler, which crosses the barrier");
    const auto way = TRY(commonWay(scenario, system));
    TRY(needAllReduce(way, system));
    TRY(refuseErrorFeedback(way.compressor, system));
    const bool hierarchical = policy.algorithm == CollectiveAlgorithm::Hierarchical;
    if (policy.algorithm != CollectiveAlgorithm::Ring && !hierarchical)
        return fail("Horovod has settings for ring and hierarchical all-reduce only",
                    "simulate algorithm=ring or algorithm=hierarchical");
    if (!(policy.cycleSeconds >= 0) || !std::isfinite(policy.cycleSeconds))
        return fail("the cycle is no time", "choose 0 s or more");
    std::int64_t threshold = 0;
    if (policy.fusionBytes != 0) {
        const auto whole =
            config ? wholeUnits(policy.fusionBytes, mebibyte, "fusion threshold", "MiB, which the config file counts in")
                   : wholeUnits(policy.fusionBytes, 1, "fusion threshold", "bytes");
        if (!whole)
            return Unexpected(whole.error());
        threshold = *whole;
    }
    const double cycleMilliseconds = std::round(policy.cycleSeconds * 1e12) / 1e9; // 1e-3 s is 1 ms, not 1.0000000000000002
    const std::string compressor =
        compressorComment(way.compressor, "pass compression=hvd.Compression.fp16 to DistributedOptimizer.");
    if (config)
        return heading(scenario, system, "Use it with: horovodrun --config-file FILE ...") + compressor +
               fmt::format(
                   "params:\n  # MiB\n  fusion_threshold_mb: {}\n  # ms\n  cycle_time_ms: {}\n  hierarchical_allreduce: {}\n"
                   "autotune:\n  enabled: false\n",
                   threshold, cycleMilliseconds, hierarchical);
    return heading(scenario, system, "Source it before the training script: set -a; . FILE; set +a") + compressor +
           fmt::format("# Bytes\nHOROVOD_FUSION_THRESHOLD={}\n# ms\nHOROVOD_CYCLE_TIME={}\nHOROVOD_HIERARCHICAL_ALLREDUCE={}\n"
                       "HOROVOD_AUTOTUNE=0\n",
                       threshold, cycleMilliseconds, hierarchical ? 1 : 0);
}

Result<std::string> ddp(const Scenario &scenario) {
    const std::string system = "PyTorch DDP";
    const CommPolicy &policy = scenario.policy;
    if (policy.kind != PolicyKind::Ddp)
        return refusePolicy(policy, system, "ddp(..)");
    if (!policy.barrier)
        return fail("DDP's backward ends when every bucket is reduced, and this policy has barrier=off",
                    "simulate barrier=on, or ByteScheduler, which crosses the barrier");
    if (policy.concurrent != 1)
        return fail(
            fmt::format("a process group reduces one bucket at a time, and this policy has concurrent={}", policy.concurrent),
            "simulate concurrent=1");
    if (policy.algorithm != CollectiveAlgorithm::Ring)
        return fail("DDP leaves the all-reduce algorithm to its backend", "simulate algorithm=ring");
    const auto way = TRY(commonWay(scenario, system));
    TRY(needAllReduce(way, system));
    TRY(refuseErrorFeedback(way.compressor, system));
    const auto cap = TRY(wholeUnits(policy.bucketCapBytes, 1, "bucket cap", "bytes"));
    const auto first = TRY(wholeUnits(policy.firstBucketBytes, 1, "first bucket", "bytes"));
    // In newer versions a bucket_cap_mb that is passed is the first bucket's cap too; one that is left out is 25 MiB as before.
    const bool passed = policy.bucketCapBytes != ddpDefaultCap || first == cap;
    std::string text =
        heading(scenario, system, "Use it with: from FILE import wrap; model = wrap(model, device_ids=[local_rank])");
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

} // namespace

const std::vector<LauncherInfo> &launchers() {
    static const std::vector<LauncherInfo> list{
        {Launcher::ByteScheduler, "bytescheduler", "ByteScheduler", ".env"},
        {Launcher::BytePs, "byteps", "BytePS", ".env"},
        {Launcher::Horovod, "horovod", "Horovod, environment", ".env"},
        {Launcher::HorovodConfig, "horovod-yaml", "Horovod, config file", ".yml"},
        {Launcher::Ddp, "ddp", "PyTorch DDP", ".py"},
    };
    return list;
}

Result<std::string> writeLauncherSettings(Launcher launcher, const Scenario &scenario) {
    switch (launcher) {
    case Launcher::ByteScheduler:
        return byteScheduler(scenario);
    case Launcher::BytePs:
        return bytePs(scenario);
    case Launcher::Horovod:
        return horovod(scenario, false);
    case Launcher::HorovodConfig:
        return horovod(scenario, true);
    case Launcher::Ddp:
        return ddp(scenario);
    }
    return fail("there is no such system");
}

} // namespace syncopate
