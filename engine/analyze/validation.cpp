// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/validation.h"

#include "engine/analyze/message_costs.h"
#include "engine/analyze/platform_file.h"
#include "engine/analyze/rank_correlation.h"
#include "engine/base/input_file.h"
#include "engine/base/median.h"
#include "engine/base/units.h"
#include "engine/cluster/cluster.h"
#include "engine/job/job_file.h"
#include "engine/parse/csv_table.h"
#include "engine/predict/throughput.h"
#include "engine/simulate/run.h"
#include "engine/strategy/builders.h"
#include "engine/strategy/policy.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <initializer_list>
#include <map>
#include <memory>
#include <string_view>
#include <tuple>
#include <utility>

namespace syncopate {

namespace {

struct Platform {
    double linkEfficiency = 1;
    double messageSeconds = tcpMessageSeconds;
    MessageCosts costs{}; ///< of rows that have them
    NetworkEffects effects = effectsOfRuns;
};

constexpr std::array<std::string_view, 6> architectures{"ps", "ddp", "async_ps", "bsps", "bsar", "fsdp2"};
constexpr double unlimitedCreditBytes = 1e15;

/// Whether a row is one of ByteScheduler's runs.
bool isScheduled(const ValidationRow &row) { return row.architecture == "bsps" || row.architecture == "bsar"; }
bool isSharded(const ValidationRow &row) { return row.architecture == "fsdp2"; }
/// Whether message_cost.csv has the costs of the row's messages.
bool hasMessageCosts(const ValidationRow &row) { return isScheduled(row) || isSharded(row); }

Result<Platform> readPlatform(const std::string &path) {
    const auto file = TRY(PlatformFile::read(path, "{\"link_efficiency\": 0.957, \"message_seconds\": null}"));
    Platform platform;
    platform.linkEfficiency = TRY(file.number("/link_efficiency", 1e-6, 1)).value_or(platform.linkEfficiency);
    platform.messageSeconds = TRY(file.number("/message_seconds", 0, 60)).value_or(platform.messageSeconds);
    return platform;
}

/// Iterations per second of all workers together, for workers that do different numbers of iterations; the prediction is then
/// compared with the mean iteration of a worker.
constexpr const char *ratesColumn = "iterations_per_second_all_workers";
constexpr double elementBytes = 4; ///< runs.csv counts float32 (tests/data/measured/sched/README.md)

/// The policy fsdp2 with the settings that the table has columns for; defaults are left out.
Result<std::string> shardingOf(const CsvTable &table, std::size_t r, const std::string &path) {
    const CommPolicy usual = TRY(parsePolicy("fsdp2"));
    std::string settings;
    for (const PolicyParameter &parameter : usual.kind().parameters) {
        if (!table.has(parameter.key))
            continue;
        const std::string setting = parameter.key + "=" + table.text(r, parameter.key);
        const auto policy = parsePolicy("fsdp2(" + setting + ")");
        if (!policy)
            return fail(policy.error().what, policy.error().remedy, path, table.place(r));
        if (*policy != usual)
            settings += (settings.empty() ? "" : ",") + setting;
    }
    return settings.empty() ? "fsdp2" : "fsdp2(" + settings + ")";
}

/// `measured`: the column with the measurement, used as it is.
Result<ValidationRow> rowOf(const CsvTable &table, std::size_t r, const std::string &path, const char *measured) {
    ValidationRow row;
    row.job = table.text(r, "job");
    row.architecture = table.text(r, "architecture");
    if (std::find(architectures.begin(), architectures.end(), row.architecture) == architectures.end())
        return fail(fmt::format("architecture '{}' cannot be predicted", row.architecture),
                    "use ps, ddp, async_ps, bsps, bsar or fsdp2", path, table.place(r));
    const double workers = TRY(table.number(r, "workers", 1, 100000));
    if (workers != std::floor(workers))
        return fail(fmt::format("workers is {}", workers), "write a whole number", path, table.place(r));
    row.workers = static_cast<std::int32_t>(workers);
    row.bandwidthGbits = TRY(table.number(r, "bandwidth_gbits", 1e-6, 1e6));
    row.measuredSeconds = TRY(table.number(r, measured, 1e-9, 1e9));
    if (table.has("partition_elements"))
        row.partitionBytes = elementBytes * TRY(table.number(r, "partition_elements", 0, 1e12));
    if (table.has("credit_elements"))
        row.creditBytes = elementBytes * TRY(table.number(r, "credit_elements", 0, 1e12));
    if (table.has("scheduler"))
        row.scheduler = table.text(r, "scheduler");
    if (isSharded(row))
        row.policy = TRY(shardingOf(table, r, path));
    return row;
}

/// Rows of runs.csv, by the column names in its header.
Result<std::vector<ValidationRow>> readRuns(const std::string &path) {
    const auto text = TRY(readInputFile(path));
    const auto tableWith = [&](const std::vector<std::string> &columns) {
        return CsvTable::parse(text, path, columns, "job,architecture,workers,bandwidth_gbits,iteration_seconds_median,...");
    };
    const auto table = TRY(tableWith({"job", "architecture", "workers", "bandwidth_gbits"}));
    const bool hasRates = table.has(ratesColumn);
    const char *measured = hasRates ? ratesColumn : "iteration_seconds_median";
    if (const auto checked = tableWith({measured}); !checked)
        return Unexpected(checked.error());
    std::vector<ValidationRow> rows;
    for (std::size_t r = 0; r < table.rowCount(); ++r) {
        ValidationRow row = TRY(rowOf(table, r, path, measured));
        if (hasRates)
            row.measuredSeconds = row.workers / row.measuredSeconds;
        rows.push_back(std::move(row));
    }
    if (rows.empty())
        return fail("there is no run in it", "add one line per run", path);
    return rows;
}

/// Runs with one worker have no traffic: their time beyond the stated waits is the process's own cost of producing and copying
/// gradients. DDP makes three passes over every gradient byte: it is allocated and written, copied into its bucket, and copied
/// back when all buckets are done; the first two come before it is sent.
void profileHostCost(Job &job, const std::vector<ValidationRow> &rows) {
    std::vector<double> beyond;
    for (const ValidationRow &row : rows)
        if (row.job == job.name && row.architecture == "ddp" && row.workers == 1)
            beyond.push_back(row.measuredSeconds - job.forwardSeconds() - job.backwardSeconds() - job.updateSeconds);
    if (beyond.empty() || job.parameterBytes() == 0)
        return;
    const double perByte = std::max(0.0, median(beyond)) / static_cast<double>(job.parameterBytes());
    job.hostSecondsPerByteBeforeSend = perByte * 2 / 3;
    job.hostSecondsPerByteAfterReceive = perByte / 3;
}

/// For workers that do not wait for each other: plays steps from a template, with links shared unevenly (docs/validation.md).
Result<double> predictAsynchronous(const ValidationRow &row, const Job &job, const Platform &platform) {
    Cluster cluster = withDedicatedServers(uniformCluster(row.workers, row.bandwidthGbits), 1);
    cluster.linkEfficiency = platform.linkEfficiency;
    cluster.messageSeconds = platform.messageSeconds;
    const auto steps = TRY(stepSetFromJob(job, {}, {.perLayer = true}));
    const auto machines = TRY(machinesOf(cluster, 1));
    GenerateOptions options;
    options.sharing = LinkSharing::Uneven;
    const auto trace = TRY(generateTrace(steps, machines, options));
    const auto throughput = TRY(throughputOf(trace, 1, row.workers));
    return row.workers / throughput.samplesPerSecond;
}

/// With one dedicated server, or a ring of all workers, on links as described by `platform`.
Result<double> predictSteps(const std::shared_ptr<const Job> &job, Cluster cluster, bool servers, const std::string &policy) {
    if (servers)
        cluster = withDedicatedServers(cluster, 1);
    auto strategy = TRY(buildStrategy(servers ? "PS" : "AllReduce(chunk_size=1)", *job, cluster));
    Scenario scenario;
    scenario.policy = TRY(parsePolicy(policy));
    scenario.job = job;
    scenario.cluster = std::make_shared<const Cluster>(std::move(cluster));
    scenario.strategy = std::make_shared<const Strategy>(std::move(strategy));
    scenario.iterations = 6; // per-layer overlap needs a few iterations to reach its steady state
    return TRY(simulateFigures(scenario))->iterationSeconds;
}

Cluster clusterOf(const ValidationRow &row, const Platform &platform) {
    Cluster cluster = uniformCluster(row.workers, row.bandwidthGbits);
    cluster.linkEfficiency = platform.linkEfficiency;
    return cluster;
}

/// Whole layers in the order of readiness, or parts by priority within a credit.
std::string schedulingPolicy(const ValidationRow &row) {
    if (row.partitionBytes == 0)
        return "fifo(barrier=off)";
    return fmt::format("bytescheduler(partition={}B,credit={}B,barrier=off)", row.partitionBytes,
                       row.creditBytes > 0 ? row.creditBytes : unlimitedCreditBytes);
}

/// Burst of the shaped links (tests/data/measured/sched/README.md): tc's tbf, 64 KB from 2 Gbit/s on, 32 KB below.
double bucketBytes(double gbits) { return gbits >= 2 ? 65536 : 32768; }

/// Launches, steps and bytes of collectives, from message_cost.csv.
void setCollectiveCosts(Cluster &cluster, const ValidationRow &row, const Platform &platform) {
    if (!platform.effects.hosts)
        return;
    cluster.host.collectiveSeconds = platform.costs.collectiveSeconds;
    cluster.host.collectiveMessageSeconds = platform.costs.stepSeconds;
    cluster.collectiveEfficiency =
        platform.costs.collectiveEfficiency(platform.linkEfficiency * bytesPerSecondFromGbits(row.bandwidthGbits));
}

/// ByteScheduler's tasks as pushes and pulls (bsps) or as gloo's all-reduces, two at a time (bsar).
Result<double> predictScheduled(const ValidationRow &row, const std::shared_ptr<const Job> &job, const Platform &platform) {
    Cluster cluster = clusterOf(row, platform);
    const bool servers = row.architecture == "bsps";
    const NetworkEffects &effects = platform.effects;
    if (effects.buckets)
        cluster.burstBytes = bucketBytes(row.bandwidthGbits);
    if (servers) {
        if (effects.hosts)
            cluster.host.sendSeconds = cluster.host.receiveSeconds = platform.costs.messageSeconds;
        (effects.latencyPipelines ? cluster.latencySeconds : cluster.messageSeconds) = platform.costs.latencySeconds;
    } else {
        setCollectiveCosts(cluster, row, platform);
        cluster.channels = effects.channels ? 2 : 1;
    }
    if (effects.interference)
        for (Node &node : cluster.nodes)
            node.communicationSlowdown = triedSlowdown;
    return predictSteps(job, std::move(cluster), servers, schedulingPolicy(row));
}

Result<double> predict(const ValidationRow &row, const std::shared_ptr<const Job> &job, const Platform &platform) {
    if (row.architecture == "async_ps")
        return predictAsynchronous(row, *job, platform);
    if (isScheduled(row))
        return predictScheduled(row, job, platform);
    Cluster cluster = clusterOf(row, platform);
    if (isSharded(row)) {
        setCollectiveCosts(cluster, row, platform);
        return predictSteps(job, std::move(cluster), false, row.policy);
    }
    cluster.messageSeconds = platform.messageSeconds;
    cluster.collectiveEfficiency = tcpCollectiveEfficiency;
    const bool servers = row.architecture == "ps";
    return predictSteps(job, std::move(cluster), servers, servers ? "fifo(barrier=off)" : "ddp(concurrent=2)");
}

using Jobs = std::map<std::string, std::shared_ptr<const Job>>;

/// The jobs of all rows.
Result<Jobs> jobsOf(const std::vector<ValidationRow> &rows, const std::string &folder) {
    Jobs jobs;
    for (const ValidationRow &row : rows) {
        auto &job = jobs[row.job];
        if (job)
            continue;
        auto read = TRY(readJobFile(folder + "/jobs/" + row.job + ".job.json"));
        read.name = row.job;
        profileHostCost(read, rows);
        job = std::make_shared<const Job>(std::move(read));
    }
    return jobs;
}

/// Everything that a row's prediction depends on, besides its job's file and the platform.
std::string settingOf(const ValidationRow &row) {
    return fmt::format("{} {} {} {} {} {} {}", row.job, row.architecture, row.workers, row.bandwidthGbits, row.partitionBytes,
                       row.creditBytes, row.policy);
}

/// The inputs of the rows' predictions.
std::vector<std::string> dependsOn(const std::vector<ValidationRow> &rows, const Jobs &jobs, const Platform &platform) {
    const MessageCosts &costs = platform.costs;
    std::vector<std::string> texts =
        bitsOf({platform.linkEfficiency, platform.messageSeconds, costs.messageSeconds, costs.latencySeconds,
                costs.collectiveSeconds, costs.stepSeconds, costs.collectiveSecondsPerByte});
    for (const auto &[name, job] : jobs)
        texts.push_back(writeJobText(*job));
    for (const ValidationRow &row : rows)
        texts.push_back(settingOf(row));
    return texts;
}

/// The rows to predict, one per setting, and for every row the index of its own: a repeated run is predicted once.
struct Settings {
    std::vector<std::size_t> rows, ofRow;
};
Settings settingsOf(const std::vector<ValidationRow> &rows) {
    Settings settings;
    std::map<std::string, std::size_t> known;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const auto [place, isNew] = known.try_emplace(settingOf(rows[r]), settings.rows.size());
        if (isNew)
            settings.rows.push_back(r);
        settings.ofRow.push_back(place->second);
    }
    return settings;
}

/// How well predictions choose among settings, of each of which `ofGrid` has the rows.
ValidationGrid gridOf(const std::vector<ValidationRow> &rows, const std::map<std::string, std::vector<std::size_t>> &ofGrid) {
    std::map<std::size_t, ValidationRow> inOrder; // by the first row of each
    for (const auto &[setting, own] : ofGrid) {
        std::vector<double> seconds;
        for (const std::size_t r : own)
            seconds.push_back(rows[r].measuredSeconds);
        ValidationRow &row = inOrder[own.front()] = rows[own.front()];
        row.measuredSeconds = median(std::move(seconds));
    }
    ValidationGrid grid;
    std::vector<double> measured, predicted, chosen;
    for (const auto &[first, row] : inOrder) {
        measured.push_back(row.measuredSeconds);
        predicted.push_back(row.predictedSeconds);
        grid.settings.push_back(row);
    }
    grid.first = grid.settings.front();
    const double bestPredicted = *std::ranges::min_element(predicted);
    for (std::size_t i = 0; i < predicted.size(); ++i)
        if (predicted[i] == bestPredicted)
            chosen.push_back(measured[i]);
    grid.bestSeconds = *std::ranges::min_element(measured);
    grid.chosenSeconds = median(std::move(chosen));
    grid.spearman = spearman(measured, predicted);
    return grid;
}

/// Groups settings by job, architecture, number of workers, bandwidth and scheduler: the choices of a tuner. In the order in
/// which grids begin.
std::vector<ValidationGrid> gridsOf(const std::vector<ValidationRow> &rows) {
    constexpr std::size_t minSettings = 3;
    std::vector<std::map<std::string, std::vector<std::size_t>>> groups; // the rows of each setting
    std::map<std::tuple<std::string, std::string, std::int32_t, double, std::string>, std::size_t> known;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const ValidationRow &row = rows[r];
        if (!hasMessageCosts(row))
            continue;
        const auto [place, isNew] =
            known.try_emplace({row.job, row.architecture, row.workers, row.bandwidthGbits, row.scheduler}, groups.size());
        if (isNew)
            groups.emplace_back();
        groups[place->second][settingOf(row)].push_back(r);
    }
    std::vector<ValidationGrid> grids;
    for (const auto &group : groups)
        if (group.size() >= minSettings)
            grids.push_back(gridOf(rows, group));
    return grids;
}

/// How predictions were made, of each kind of row that there is.
std::vector<std::string> notesOn(const std::vector<ValidationRow> &rows, const Platform &platform) {
    const MessageCosts &costs = platform.costs;
    std::vector<std::string> notes;
    const auto add = [&](std::initializer_list<std::string> more) { notes.insert(notes.end(), more); };
    if (std::any_of(rows.begin(), rows.end(), isSharded))
        add({fmt::format("From message_cost.csv alone: launching a collective costs {}, a message of its steps {} and each of "
                         "its bytes {:.3g} ns beyond the wire. Links reach {}.",
                         formatSeconds(costs.collectiveSeconds), formatSeconds(costs.stepSeconds),
                         1e9 * costs.collectiveSecondsPerByte, platform.linkEfficiency),
             "fsdp2: all-gathers and reduce-scatters as rings, one at a time in the order of FSDP2's hooks."});
    if (std::any_of(rows.begin(), rows.end(), isScheduled))
        add({fmt::format("From message_cost.csv alone: a message costs its sender and its receiver {} of CPU and flies {}; "
                         "launching an all-reduce costs {}, a message of its steps {} and each of its bytes {:.3g} ns beyond the "
                         "wire. Links reach {} and let {} (below 2 Gbit/s {}) pass at once after a pause (tc's token bucket).",
                         formatSeconds(costs.messageSeconds), formatSeconds(costs.latencySeconds),
                         formatSeconds(costs.collectiveSeconds), formatSeconds(costs.stepSeconds),
                         1e9 * costs.collectiveSecondsPerByte, platform.linkEfficiency, formatBytes(bucketBytes(2)),
                         formatBytes(bucketBytes(1))),
             "bsps: one dedicated server, its CPU one thread; bsar: a ring, two all-reduces at a time, launched one by one."});
    if (!std::all_of(rows.begin(), rows.end(), hasMessageCosts))
        add({fmt::format("Links reach {} of their rate, messages cost {}, all-reduce over TCP reaches {} of a plain stream.",
                         platform.linkEfficiency, formatSeconds(platform.messageSeconds), tcpCollectiveEfficiency),
             "ddp: 25 MiB buckets (first 1 MiB), two collectives in flight, barrier; the cost of allocating and copying "
             "gradients is profiled from the rows with one worker.",
             "ps: one dedicated server, one message at a time per worker and direction, no barrier.",
             "async_ps: as ps, every gradient is answered at once; 1000 steps after 50, every transfer with an exponential "
             "weight on the links. The iteration is the mean of a worker's."});
    return notes;
}

} // namespace

Result<Validation> validateFolder(const std::string &folder, const NetworkEffects &effects, const Spread &spread) {
    auto platform = TRY(readPlatform(folder + "/platform.json"));
    platform.effects = effects;
    auto rows = TRY(readRuns(folder + "/runs.csv"));
    const bool scheduled = std::any_of(rows.begin(), rows.end(), hasMessageCosts);
    if (scheduled)
        platform.costs = fitMessageCosts(TRY(readMessageRows(folder + "/message_cost.csv")), platform.linkEfficiency);
    const Jobs jobs = TRY(jobsOf(rows, folder));
    const Settings settings = settingsOf(rows);
    const auto make = [&](std::size_t s, const std::stop_token &) {
        const ValidationRow &row = rows[settings.rows[s]];
        const auto predicted = inFile(predict(row, jobs.at(row.job), platform), folder + "/runs.csv");
        return packResult(predicted.map([](double seconds) { return std::vector<std::string>{bitsOf(seconds)}; }));
    };
    const auto depends = [&] { return dependsOn(rows, jobs, platform); };
    const auto parts = TRY(spreadOrMake(spread, depends, settings.rows.size(), make));
    Validation validation;
    std::vector<double> errors;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        rows[r].predictedSeconds = numberOf(TRY(unpackResult(parts[settings.ofRow[r]])).at(0));
        errors.push_back(std::abs(rows[r].error()));
        validation.rows.push_back(rows[r]);
    }
    validation.medianError = median(errors);
    validation.maxError = *std::max_element(errors.begin(), errors.end());
    validation.grids = gridsOf(validation.rows);
    validation.notes = notesOn(validation.rows, platform);
    return validation;
}

} // namespace syncopate
