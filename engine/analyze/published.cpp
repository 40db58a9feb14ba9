// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/published.h"

#include "engine/analyze/published_charts.h"
#include "engine/analyze/rank_correlation.h"
#include "engine/analyze/table_texts.h"
#include "engine/base/median.h"
#include "engine/base/units.h"
#include "engine/cluster/cluster.h"
#include "engine/job/catalogue.h"
#include "engine/simulate/run.h"
#include "engine/strategy/builders.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

namespace syncopate {

namespace {

// Tried where no source states a value (network_effects.h).
constexpr double triedMessageSeconds = 0.1e-3;
constexpr std::int32_t triedChannels = 2;

const std::vector<std::string> publishedFacts{
    "AutoDist's chart (docs/usage/figure1.png): g4dn.12xlarge nodes of 4 T4 with 50 Gbit/s; 1 to 4 GPUs are one node.",
    "AWS limits a single flow to 10 Gbit/s (AutoSync, supplement, section 9.1).",
    "ByteScheduler's chart (README): MXNet with parameter servers over RDMA; nodes of 8 V100 on PCIe with 100 Gbit/s; 32 images "
    "a GPU.",
    "Both charts: throughput with 1 GPU, or linear scaling of it.",
};
const std::vector<std::string> assumptions{
    "Batches are the catalogue's: 32 images a GPU, 8 sequences for BERT-large, 5000 tokens for transformer.",
    "Each GPU of a node has a lane of its own each way: 6 GB/s for the T4 (PCIe 3 x8), 12 GB/s for the V100 (x16); 30 us of "
    "latency between g4dn nodes, 2 us over RDMA.",
    "Every two nodes that talk with each other have one connection each way, limited to 10 Gbit/s on AWS.",
    "AutoDist: one step after the other, whose values are read when the step before is over; a variable is reduced as the "
    "builder says, with its default arguments.",
    "Horovod: all-reduce with its default policy (fusion 128 MiB, 1 ms cycle).",
    "ByteScheduler's chart: every node is a server too, variables split and balanced (PartitionedPS), one push and pull a node; "
    "Baseline in order of readiness, ByteScheduler with its default partition and credit; no barrier.",
    "An optimizer's own time, on servers or devices, is part of the calibrated compute.",
};

std::string catalogueName(const std::string &model) {
    static const std::map<std::string, std::string> known{{"InceptionV3", "inception_v3"},
                                                          {"ResNet101", "resnet101"},
                                                          {"DenseNet121", "densenet121"},
                                                          {"VGG16", "vgg16"},
                                                          {"BERT-large", "bert_large"}};
    const auto found = known.find(model);
    return found == known.end() ? model : found->second;
}

/// How a chart's system is simulated.
struct Play {
    std::string builder, policy;
};

Play playOf(const PublishedRow &row, const TestBed &bed) {
    if (bed.isByteSchedulers()) {
        const char *hash = bed.effects.serversPerPart ? "mxnet" : "strategy";
        return {"PartitionedPS(local_proxy_variable=True)",
                row.system == "ByteScheduler" ? fmt::format("bytescheduler(hash={},barrier=off)", hash) : "fifo(barrier=off)"};
    }
    if (row.system == "Horovod")
        return {"AllReduce(chunk_size=1)", "horovod"};
    return {row.system, "autodist"};
}

/// Why a row is not predicted; empty if it is.
std::string whyNot(const PublishedRow &row, const TestBed &bed) {
    if (row.system == "TF-Distribute")
        return "TF-Distribute: the chart does not say which of TensorFlow's strategies it is, and it has no row beyond one node";
    if (bed.isByteSchedulers() && row.system != "Baseline" && row.system != "ByteScheduler" && row.system != "Linear")
        return row.system + ": not a system of this chart";
    return {};
}

Cluster clusterOf(const TestBed &bed, std::int32_t gpus) {
    const std::int32_t nodes = std::max(1, gpus / bed.gpusPerNode);
    Cluster cluster = uniformCluster(nodes, bed.nicGbits);
    for (Node &node : cluster.nodes) {
        node.gpus.clear();
        for (std::int32_t g = 0; g < std::min(gpus, bed.gpusPerNode); ++g)
            node.gpus.push_back(g);
    }
    const NetworkEffects &effects = bed.effects;
    (effects.latencyPipelines ? cluster.latencySeconds : cluster.messageSeconds) = bed.latencySeconds;
    if (effects.flowLimit)
        cluster.connectionBytesPerSecond = bytesPerSecondFromGbits(bed.flowGbits);
    if (effects.hosts)
        cluster.host.sendSeconds = cluster.host.receiveSeconds = triedMessageSeconds;
    if (effects.channels)
        cluster.channels = triedChannels;
    if (effects.interference)
        for (Node &node : cluster.nodes)
            node.communicationSlowdown = triedSlowdown;
    cluster.intraNodeBandwidthBytesPerSecond = bed.laneBytesPerSecond;
    return cluster;
}

/// Samples per second with devices at `speed` times the catalogue's.
Result<double> throughput(const PublishedRow &row, const TestBed &bed, const std::shared_ptr<const Job> &job, std::int32_t gpus,
                          double speed) {
    const Play play = playOf(row, bed);
    Cluster cluster = clusterOf(bed, gpus);
    for (Node &node : cluster.nodes)
        node.computeScale = speed;
    auto strategy = TRY(buildStrategy(play.builder, *job, cluster));
    auto policy = TRY(parsePolicy(play.policy));
    Scenario scenario;
    scenario.job = job;
    scenario.cluster = std::make_shared<const Cluster>(std::move(cluster));
    scenario.strategy = std::make_shared<const Strategy>(std::move(strategy));
    scenario.policy = policy;
    scenario.iterations = 4;
    auto run = TRY(simulateFigures(scenario));
    return run->samplesPerSecond;
}

/// The speed at which one GPU reaches `target` samples/s. A sample's time is convex and rising in 1 / speed: a step
/// that takes the whole error for compute converges quickly; one that leaves the bracket is replaced by bisection.
Result<double> calibrate(const PublishedRow &row, const TestBed &bed, const std::shared_ptr<const Job> &job, double target) {
    const double compute = job->forwardSeconds() + job->backwardSeconds() + job->updateSeconds;
    if (!(compute > 0))
        return fail(fmt::format("job '{}' computes nothing", job->name), "take a job that does");
    double low = 0, high = 0; // bounds of 1 / speed
    double slowness = std::max(1e-8, job->batchSize / target / compute);
    const double minSlowness = std::max(2e-9, 1e-6 * slowness); // speeds beyond it cannot be simulated
    for (int step = 0; step < 60; ++step) {
        const auto reached = TRY(throughput(row, bed, job, 1, 1 / slowness));
        if (std::abs(reached / target - 1) < 1e-9)
            break;
        (reached < target ? high : low) = slowness;
        if (slowness < minSlowness)
            return fail("moving the variables alone takes longer than the chart says a step takes", "correct the chart's row");
        if (high == 0)
            slowness *= 2;
        else if (high - low < 1e-9 * high)
            break;
        else {
            const double guess = slowness + (1 / target - 1 / reached) * job->batchSize / compute;
            slowness = guess > low && guess < high ? guess : (low + high) / 2;
        }
    }
    return 1 / slowness;
}

void rank(PublishedValidation &validation) {
    std::vector<double> rhos, taus;
    std::vector<std::tuple<std::string, std::string, std::int32_t>> done;
    for (const PublishedRow &first : validation.rows) {
        const std::tuple key{first.chart, first.model, first.gpus};
        if (std::find(done.begin(), done.end(), key) != done.end())
            continue;
        done.push_back(key);
        std::vector<double> published, predicted;
        const PublishedRow *best = &first, *bestPredicted = &first;
        bool calibrated = false;
        for (const PublishedRow &row : validation.rows) {
            if (row.chart != first.chart || row.model != first.model || row.gpus != first.gpus)
                continue;
            calibrated = calibrated || row.calibrated;
            published.push_back(row.published);
            predicted.push_back(row.predicted);
            best = row.published > best->published ? &row : best;
            bestPredicted = row.predicted > bestPredicted->predicted ? &row : bestPredicted;
        }
        if (calibrated || published.size() < 3)
            continue;
        PublishedRanking ranking{first.model,
                                 first.gpus,
                                 static_cast<std::int32_t>(published.size()),
                                 spearman(published, predicted),
                                 kendall(published, predicted),
                                 best->system,
                                 bestPredicted->system,
                                 first.chart};
        if (!std::isnan(ranking.spearman)) {
            rhos.push_back(ranking.spearman);
            taus.push_back(ranking.kendall);
        }
        validation.rankings.push_back(std::move(ranking));
    }
    validation.medianSpearman = medianOrNaN(std::move(rhos));
    validation.medianKendall = medianOrNaN(std::move(taus));
}

/// Samples/s of one GPU according to a chart: the system's own row with 1 GPU, or linear scaling.
std::optional<double> publishedAlone(const std::vector<PublishedRow> &rows, const PublishedRow &about) {
    const PublishedRow *alone = nullptr, *linear = nullptr;
    for (const PublishedRow &row : rows) {
        if (row.model != about.model)
            continue;
        if (row.system == about.system && row.gpus == 1)
            alone = &row;
        if (row.system == "Linear" && (!linear || row.gpus < linear->gpus))
            linear = &row;
    }
    if (alone)
        return alone->published;
    return linear ? std::optional(linear->published / linear->gpus) : std::nullopt;
}

/// The speed of the devices for a row's model and system.
Result<double> speedOf(const PublishedRow &row, const Chart &chart, const std::shared_ptr<const Job> &job) {
    const std::optional<double> target = publishedAlone(chart.rows, row);
    if (!target)
        return fail("there is no row with 1 GPU to calibrate it on", "add one");
    return calibrate(row, chart.bed, job, *target);
}

/// A system's rows for one model in a chart, which share the speed of their devices.
struct SystemRows {
    const Chart *chart;
    std::vector<std::size_t> rows; ///< indices into the chart's rows
};

/// All rows to predict, in the order of their first rows; `notPredicted` gets the reasons for the others.
std::vector<SystemRows> systemRowsOf(const std::vector<Chart> &charts, std::vector<std::string> &notPredicted) {
    std::vector<SystemRows> all;
    for (const Chart &chart : charts) {
        std::map<std::pair<std::string, std::string>, std::size_t> known; // by model and system
        for (std::size_t r = 0; r < chart.rows.size(); ++r) {
            const PublishedRow &row = chart.rows[r];
            if (const std::string reason = whyNot(row, chart.bed); !reason.empty()) {
                if (std::find(notPredicted.begin(), notPredicted.end(), reason) == notPredicted.end())
                    notPredicted.push_back(reason);
                continue;
            }
            if (row.system == "Linear") // not a system but the yardstick
                continue;
            const auto [own, isNew] = known.try_emplace({row.model, row.system}, all.size());
            if (isNew)
                all.push_back({&chart, {}});
            all[own->second].rows.push_back(r);
        }
    }
    return all;
}

/// An empty text, then the samples/s of each row bit by bit; or one text alone, why they cannot be predicted.
Result<std::vector<std::string>> predictSystem(const SystemRows &system) {
    const Chart &chart = *system.chart;
    const PublishedRow &first = chart.rows[system.rows.front()];
    const auto job = std::make_shared<const Job>(TRY(inFile(catalogueJob(catalogueName(first.model)), chart.file)));
    const auto speed = speedOf(first, chart, job);
    if (!speed)
        return std::vector<std::string>{fmt::format("{}, {}: {}", first.model, first.system, speed.error().what)};
    std::vector<std::string> predicted{std::string()};
    for (const std::size_t r : system.rows)
        predicted.push_back(
            bitsOf(TRY(inFile(throughput(chart.rows[r], chart.bed, job, chart.rows[r].gpus, *speed), chart.file))));
    return predicted;
}

/// Predicts the charts' rows, in their order.
Result<void> predictCharts(const std::vector<Chart> &charts, const Spread &spread, const WorkTexts &dependsOn,
                           PublishedValidation &validation) {
    const std::vector<SystemRows> systems = systemRowsOf(charts, validation.notPredicted);
    const auto make = [&](std::size_t system, const std::stop_token &) { return packResult(predictSystem(systems[system])); };
    const auto parts = TRY(spreadOrMake(spread, dependsOn, systems.size(), make));
    std::map<std::pair<const Chart *, std::size_t>, double> predicted; // by row
    for (std::size_t s = 0; s < parts.size(); ++s) {
        const auto texts = TRY(unpackResult(parts[s]));
        if (texts.size() != systems[s].rows.size() + 1)
            validation.notPredicted.push_back(texts.at(0));
        else
            for (std::size_t r = 0; r < systems[s].rows.size(); ++r)
                predicted[{systems[s].chart, systems[s].rows[r]}] = numberOf(texts[r + 1]);
    }
    for (const auto &[row, samplesPerSecond] : predicted) {
        PublishedRow predictedRow = row.first->rows[row.second];
        predictedRow.predicted = samplesPerSecond;
        predictedRow.calibrated = predictedRow.gpus == 1;
        predictedRow.chart = row.first->bed.chart;
        validation.rows.push_back(std::move(predictedRow));
    }
    return {};
}

} // namespace

Result<PublishedValidation> validatePublished(const std::string &folder, const NetworkEffects &effects, const Spread &spread) {
    const auto charts = TRY(readCharts(folder, effects));
    PublishedValidation validation;
    TRY(predictCharts(
        charts, spread, [&] { return tableTexts(folder); }, validation));
    std::vector<double> errors;
    for (const PublishedRow &row : validation.rows)
        if (!row.calibrated)
            errors.push_back(std::abs(row.error()));
    if (errors.empty())
        return fail("no row of it can be predicted",
                    validation.notPredicted.empty() ? "add rows with more than 1 GPU" : validation.notPredicted.front(), folder);
    validation.maxError = *std::max_element(errors.begin(), errors.end());
    validation.medianError = medianOrNaN(std::move(errors));
    rank(validation);
    validation.published = publishedFacts;
    validation.assumed = assumptions;
    return validation;
}

} // namespace syncopate
