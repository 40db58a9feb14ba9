// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/validation.h"

#include "engine/base/csv.h"
#include "engine/base/input_file.h"
#include "engine/base/units.h"
#include "engine/cluster/cluster.h"
#include "engine/job/job_file.h"
#include "engine/predict/throughput.h"
#include "engine/simulate/run.h"
#include "engine/strategy/builders.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <simdjson.h>
#include <string_view>

namespace syncopate {

namespace {

struct Platform {
    double linkEfficiency = 1;
    double messageSeconds = tcpMessageSeconds;
};

Result<Platform> readPlatform(const std::string &path) {
    auto text = TRY(readInputFile(path));
    simdjson::dom::parser parser;
    simdjson::dom::element root;
    if (const auto status = parser.parse(text).get(root))
        return fail(simdjson::error_message(status), "write {\"link_efficiency\": 0.957, \"message_seconds\": null}", path);
    Platform platform;
    double number = 0;
    if (!root["link_efficiency"].get(number))
        platform.linkEfficiency = number;
    if (!root["message_seconds"].get(number))
        platform.messageSeconds = number;
    if (!(platform.linkEfficiency > 0 && platform.linkEfficiency <= 1) ||
        !(platform.messageSeconds >= 0 && platform.messageSeconds < 60))
        return fail("a platform constant is out of range", "link_efficiency is in (0, 1], message_seconds in [0, 60)", path);
    return platform;
}

/// Iterations per second of all workers together, where they do not do the same number; the mean iteration of a worker is then
/// what is held against the prediction.
constexpr const char *ratesColumn = "iterations_per_second_all_workers";

/// Rows of runs.csv by the names in its header.
Result<std::vector<ValidationRow>> readRuns(const std::string &path) {
    auto text = TRY(readInputFile(path));
    std::map<std::string, std::size_t> column;
    const char *measured = "iteration_seconds_median";
    std::vector<ValidationRow> rows;
    std::string_view rest = text;
    for (std::size_t number = 1; !rest.empty(); ++number) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::vector<std::string> fields = splitCsvLine(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const std::string place = fmt::format("{}", number);
        if (number == 1) {
            for (std::size_t i = 0; i < fields.size(); ++i)
                column[fields[i]] = i;
            if (column.contains(ratesColumn))
                measured = ratesColumn;
            for (const char *needed : {"job", "architecture", "workers", "bandwidth_gbits", measured})
                if (!column.contains(needed))
                    return fail(fmt::format("there is no column '{}'", needed),
                                "start with the header job,architecture,workers,bandwidth_gbits,iteration_seconds_median,...",
                                path, place);
            continue;
        }
        if (fields.size() == 1 && fields.front().empty())
            continue;
        if (fields.size() < column.size())
            return fail(fmt::format("{} fields where the header has {}", fields.size(), column.size()), "complete the line", path,
                        place);
        ValidationRow row;
        row.job = fields[column["job"]];
        row.architecture = fields[column["architecture"]];
        const auto workers = parseNumber(fields[column["workers"]]);
        const auto gbits = parseNumber(fields[column["bandwidth_gbits"]]);
        auto seconds = parseNumber(fields[column[measured]]);
        if (!workers || !gbits || !seconds || !(*workers >= 1 && *workers <= 100000) || !(*gbits > 0) || !(*seconds > 0))
            return fail("workers, bandwidth or iteration time is not a positive number", "correct the line", path, place);
        if (measured == ratesColumn)
            seconds = *workers / *seconds;
        row.workers = static_cast<std::int32_t>(*workers);
        row.bandwidthGbits = *gbits;
        row.measuredSeconds = *seconds;
        rows.push_back(row);
    }
    if (rows.empty())
        return fail("there is no run in it", "add one line per run", path);
    return rows;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

/// Runs with one worker have no traffic: what they take beyond the stated waits is the process's own cost of producing and
/// copying gradients. DDP makes three passes over every gradient byte: it is allocated and written, copied into its bucket,
/// and copied back when all buckets are done; the first two come before it is sent.
void profileHostCost(Job &job, const std::vector<ValidationRow> &rows) {
    std::vector<double> beyond;
    for (const ValidationRow &row : rows)
        if (row.job == job.name && row.architecture == "ddp" && row.workers == 1)
            beyond.push_back(row.measuredSeconds - job.forwardSeconds() - job.backwardSeconds() - job.updateSeconds);
    if (beyond.empty())
        return;
    const double perByte = std::max(0.0, median(beyond)) / static_cast<double>(job.parameterBytes());
    job.hostSecondsPerByteBeforeSend = perByte * 2 / 3;
    job.hostSecondsPerByteAfterReceive = perByte / 3;
}

/// Workers that do not wait for each other: steps played from a template, links shared unevenly (docs/validation.md).
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

Result<double> predict(const ValidationRow &row, const std::shared_ptr<const Job> &job, const Platform &platform) {
    if (row.architecture == "async_ps")
        return predictAsynchronous(row, *job, platform);
    Cluster cluster = uniformCluster(row.workers, row.bandwidthGbits);
    cluster.linkEfficiency = platform.linkEfficiency;
    cluster.messageSeconds = platform.messageSeconds;
    cluster.collectiveEfficiency = tcpCollectiveEfficiency;
    const bool ps = row.architecture == "ps";
    if (ps)
        cluster = withDedicatedServers(cluster, 1);
    auto policy = parsePolicy(ps ? "fifo(barrier=off)" : "ddp(concurrent=2)");
    auto strategy = TRY(buildStrategy(ps ? "PS" : "AllReduce", *job, cluster));
    Scenario scenario;
    scenario.job = job;
    scenario.cluster = std::make_shared<const Cluster>(std::move(cluster));
    scenario.strategy = std::make_shared<const Strategy>(std::move(strategy));
    scenario.policy = *policy;
    scenario.iterations = 6; // per-layer overlap needs a few iterations to reach its steady state
    auto run = TRY(simulate(scenario));
    return run->iterationSeconds;
}

} // namespace

Result<Validation> validateFolder(const std::string &folder) {
    const auto platform = TRY(readPlatform(folder + "/platform.json"));
    auto rows = TRY(readRuns(folder + "/runs.csv"));
    std::map<std::string, std::shared_ptr<const Job>> jobs;
    Validation validation;
    std::vector<double> errors;
    for (ValidationRow &row : rows) {
        if (row.architecture != "ps" && row.architecture != "ddp" && row.architecture != "async_ps")
            return fail(fmt::format("architecture '{}' cannot be predicted", row.architecture), "use ps, ddp or async_ps",
                        folder + "/runs.csv");
        auto &job = jobs[row.job];
        if (!job) {
            auto read = TRY(readJobFile(folder + "/jobs/" + row.job + ".job.json"));
            read.name = row.job;
            profileHostCost(read, rows);
            job = std::make_shared<const Job>(std::move(read));
        }
        const auto predicted = TRY(inFile(predict(row, job, platform), folder + "/runs.csv"));
        row.predictedSeconds = predicted;
        errors.push_back(std::abs(row.error()));
        validation.rows.push_back(row);
    }
    validation.medianError = median(errors);
    validation.maxError = *std::max_element(errors.begin(), errors.end());
    validation.notes = {
        fmt::format("Links reach {} of their rate, messages cost {}, all-reduce over TCP reaches {} of a plain stream.",
                    platform.linkEfficiency, formatSeconds(platform.messageSeconds), tcpCollectiveEfficiency),
        "ddp: 25 MiB buckets (first 1 MiB), two collectives in flight, barrier; the cost of allocating and copying gradients is "
        "profiled from the rows with one worker.",
        "ps: one dedicated server, one message at a time per worker and direction, no barrier.",
        "async_ps: as ps, every gradient is answered at once; 1000 steps after 50, every transfer with an exponential weight on "
        "the "
        "links. The iteration is the mean of a worker's."};
    return validation;
}

} // namespace syncopate
