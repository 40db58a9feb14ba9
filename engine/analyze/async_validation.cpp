// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/async_validation.h"

#include "engine/analyze/platform_file.h"
#include "engine/analyze/table_texts.h"
#include "engine/base/csv.h"
#include "engine/base/input_file.h"
#include "engine/base/median.h"
#include "engine/base/units.h"
#include "engine/parse/csv_table.h"
#include "engine/predict/curve.h"
#include "engine/predict/overhead_pairs.h"
#include "engine/profile/tensorflow/tensorflow.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <utility>

namespace syncopate {

namespace {

constexpr double streamWindowBytes = 65535; ///< of the testbed with flow control: HTTP/2's initial window
constexpr double bottleneckGain = 0.1;
constexpr double maxBufferBytes = 1e12; ///< of a socket or a shaped link

/// The links as a platform states them.
struct AsyncPlatform {
    double linkEfficiency = 1;
    std::int32_t cores = 0;                        ///< of the machine that runs all nodes
    double warmUpSeconds = 0, measuredSeconds = 0; ///< of a run; 0 = not stated
    TcpOptions tcp;
};

/// The largest of "4096 2097152 2097152": min, default and max bytes of a buffer, between blanks or, as Linux prints them, tabs.
double lastNumber(std::string_view text) {
    const std::size_t blank = text.find_last_of(" \t");
    const auto number = parseNumber(text.substr(blank == std::string_view::npos ? 0 : blank + 1));
    return number ? *number : 0;
}

/// Bytes of "burst 128kb" in the text on how links are shaped; 0 if it has none. Sizes are tc's, in either case: its k is 1024,
/// and its "kbit" an eighth of its "kb".
Result<double> burstOf(std::string_view text, const std::string &path) {
    constexpr std::string_view word = "burst ";
    const std::size_t at = text.find(word);
    if (at == std::string_view::npos)
        return 0.0;
    const std::string_view from = text.substr(at + word.size());
    const std::size_t digits = std::min(from.find_first_not_of("0123456789."), from.size());
    const auto number = parseNumber(from.substr(0, digits));
    std::string unit;
    for (const char c : from.substr(digits)) {
        if (std::isalpha(static_cast<unsigned char>(c)) == 0)
            break;
        unit += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    constexpr double k = 1024;
    using Unit = std::pair<std::string_view, double>;
    static constexpr std::array<Unit, 11> units{{{"", 1},
                                                 {"b", 1},
                                                 {"k", k},
                                                 {"kb", k},
                                                 {"kbit", k / 8},
                                                 {"m", k * k},
                                                 {"mb", k * k},
                                                 {"mbit", k * k / 8},
                                                 {"g", k * k * k},
                                                 {"gb", k * k * k},
                                                 {"gbit", k * k * k / 8}}};
    const auto known = std::ranges::find(units, std::string_view(unit), &Unit::first);
    if (!number || known == units.end() || *number * known->second > maxBufferBytes)
        return fail(fmt::format("shaping has a burst of '{}'", from.substr(0, digits + unit.size())),
                    "write it as tc does: 128kb or 1mbit", path);
    return *number * known->second;
}

Result<AsyncPlatform> readAsyncPlatform(const std::string &path) {
    const auto file = TRY(PlatformFile::read(path, "{\"link_efficiency\": 0.955, \"tcp\": {...}, \"shaping\": \"...\"}"));
    constexpr double maxSeconds = 3600, maxCores = 1e6, minWindow = 1460; // bytes: one segment
    AsyncPlatform platform;
    platform.linkEfficiency = TRY(file.number("/link_efficiency", 1e-6, 1)).value_or(1);
    const double cores = TRY(file.number("/cores", 1, maxCores)).value_or(0);
    if (cores != std::floor(cores))
        return fail(fmt::format("{} cores", cores), "write how many the machine has, or nothing", path);
    platform.cores = static_cast<std::int32_t>(cores);
    platform.warmUpSeconds = TRY(file.number("/warmup_seconds", 0, maxSeconds)).value_or(0);
    platform.measuredSeconds = TRY(file.number("/measured_seconds", 0, maxSeconds)).value_or(0);
    if (const std::string buffers = TRY(file.text("/tcp/net.ipv4.tcp_rmem")); !buffers.empty())
        platform.tcp.windowBytes = lastNumber(buffers) / 2; // Linux keeps the other half for overhead (tcp_adv_win_scale 1)
    if (!(platform.tcp.windowBytes >= minWindow && platform.tcp.windowBytes <= maxBufferBytes))
        return fail("net.ipv4.tcp_rmem is out of range", "write bytes: 'least default most', as sysctl shows it", path);
    // The window that `ss -ti` showed takes precedence: Linux 6.6 and later learn the real overhead of buffers.
    platform.tcp.windowBytes =
        TRY(file.number("/tcp_observed/window_bytes", minWindow, maxBufferBytes)).value_or(platform.tcp.windowBytes);
    platform.tcp.sendBufferBytes =
        TRY(file.number("/tcp_observed/send_queue_bytes", 0, maxBufferBytes)).value_or(platform.tcp.sendBufferBytes);
    const std::string shaping = TRY(file.text("/shaping"));
    if (!shaping.empty())
        platform.tcp.burstBytes = TRY(burstOf(shaping, path));
    return platform;
}

/// A count of machines, 1 to 1000.
Result<double> machineCount(const CsvTable &table, std::size_t row, const char *column, const std::string &path) {
    const double count = TRY(table.number(row, column, 1, 1000));
    if (count != std::floor(count))
        return fail(fmt::format("{} is {}", column, count), "write a whole number", path, table.place(row));
    return count;
}

Result<AsyncConfiguration> configurationOf(const CsvTable &table, std::size_t row, const std::string &path) {
    const double gbits = TRY(table.number(row, "bandwidth_gbits", 1e-6, 1e6));
    const double servers = TRY(machineCount(table, row, "servers", path));
    if (gbits != std::round(gbits * 10) / 10) // as in the names of profiles' folders
        return fail(fmt::format("bandwidth_gbits is {}", gbits), "write steps of 0.1 Gbit/s", path, table.place(row));
    const std::string &flow = table.text(row, "flow_control");
    if (flow != "on" && flow != "off")
        return fail(fmt::format("flow_control is '{}'", flow), "write on or off", path, table.place(row));
    AsyncConfiguration configuration{table.text(row, "job"), gbits, flow == "on",
                                     table.has("order") ? table.text(row, "order") : std::string(),
                                     static_cast<std::int32_t>(servers)};
    for (const std::string *name : {&configuration.job, &configuration.order}) // they become the name of a folder
        if (name->find_first_of("/\\") != std::string::npos || (name == &configuration.job && name->empty()))
            return fail(fmt::format("'{}' is not the name of a job or order", *name), "correct the line", path, table.place(row));
    return configuration;
}

/// Measured steps per second, by configuration and number of workers, for each start.
using Measured = std::map<AsyncConfiguration, std::map<std::int32_t, std::vector<double>>>;

Result<Measured> readAsyncRuns(const std::string &path, const AsyncValidationOptions &options) {
    const auto text = TRY(readInputFile(path));
    const auto table =
        TRY(CsvTable::parse(text, path, {"job", "bandwidth_gbits", "flow_control", "workers", "servers", "steps_per_second"},
                            "job,bandwidth_gbits,flow_control,order,workers,servers,start,steps_per_second,..."));
    Measured rates;
    for (std::size_t row = 0; row < table.rowCount(); ++row) {
        const auto configuration = TRY(configurationOf(table, row, path));
        const double workers = TRY(machineCount(table, row, "workers", path));
        const double rate = TRY(table.number(row, "steps_per_second", 1e-9, 1e9));
        if ((options.job.empty() || options.job == configuration.job) &&
            (options.maxWorkers <= 0 || workers <= options.maxWorkers))
            rates[configuration][static_cast<std::int32_t>(workers)].push_back(rate);
    }
    if (rates.empty())
        return fail("there is no run in it", "add one line per run", path);
    return rates;
}

/// A request to predict from the recorded steps of one worker.
Result<PredictRequest> requestFor(const std::string &folder, const AsyncConfiguration &configuration,
                                  const AsyncPlatform &platform) {
    const std::string name =
        fmt::format("{}/profiles/{}_{:.1f}gbits_flow_control_{}{}{}", folder, configuration.job, configuration.bandwidthGbits,
                    configuration.flowControl ? "on" : "off", configuration.order.empty() ? "" : "_order_", configuration.order);
    const auto profile = TRY(importTensorFlow({name}));
    const auto recorded = TRY(recordedStepsOf(profile->opGraphs, name, 1));
    PredictRequest request;
    request.cluster = withDedicatedServers(uniformCluster(1, configuration.bandwidthGbits), configuration.servers);
    request.cluster.linkEfficiency = platform.linkEfficiency;
    GenerateOptions &generate = request.generate;
    generate.windowBytes = configuration.flowControl ? streamWindowBytes : std::numeric_limits<double>::infinity();
    generate.sharing = LinkSharing::Tcp;
    generate.tcp = platform.tcp;
    generate.sharedCores = platform.cores;
    generate.warmUpSeconds = platform.warmUpSeconds;
    generate.countedSeconds = platform.measuredSeconds;
    ReconstructOptions options;
    options.bytesPerSecond = request.cluster.nodes.front().bandwidthBytesPerSecond * platform.linkEfficiency;
    options.windowBytes = generate.windowBytes;
    options.replay.sharing = generate.sharing;
    options.replay.tcp = generate.tcp;
    std::error_code ignored;
    if (const std::string pairs = name + "/arrivals.csv.gz"; std::filesystem::exists(pairs, ignored)) {
        const auto read = TRY(readOverheadPairs(pairs));
        options.overhead = fitOverhead(read);
    }
    auto reconstruction = TRY(reconstruct(recorded, options));
    if (reconstruction.set.graph.servers != configuration.servers)
        return fail(
            fmt::format("the profile has {} servers, its rows {}", reconstruction.set.graph.servers, configuration.servers),
            "profile with as many servers", name);
    request.steps = std::make_shared<const StepSet>(std::move(reconstruction.set));
    request.gain = bottleneckGain;
    return request;
}

/// bottleneckPoint() of rows for consecutive numbers of workers; -1 for any others.
std::int32_t bottleneckOf(const std::vector<AsyncRow> &rows, double AsyncRow::*rate) {
    std::vector<Throughput> curve;
    for (const AsyncRow &row : rows) {
        if (!curve.empty() && row.workers != curve.back().workers + 1)
            return -1;
        Throughput point;
        point.workers = row.workers;
        point.samplesPerSecond = row.*rate;
        curve.push_back(std::move(point));
    }
    return bottleneckPoint(curve, bottleneckGain);
}

/// For each measured number of workers: steps/s with the min and max over starts, bit by bit as text.
Result<std::vector<std::string>> predictConfiguration(const std::string &folder, const Measured::value_type &measured,
                                                      const AsyncPlatform &platform, const AsyncValidationOptions &options,
                                                      const std::stop_token &stop) {
    const auto &[configuration, rates] = measured;
    auto request = TRY(requestFor(folder, configuration, platform));
    request.starts = options.starts;
    request.generate.steps = options.steps;
    request.generate.warmUp = options.warmUp;
    request.generate.seed = options.seed;
    for (const auto &[workers, starts] : rates)
        request.workers.push_back(workers);
    const auto prediction = TRY(predictCurve(request, stop));
    std::vector<double> predicted;
    for (const CurvePoint &point : prediction.points)
        predicted.insert(predicted.end(),
                         {point.throughput.samplesPerSecond, *std::min_element(point.starts.begin(), point.starts.end()),
                          *std::max_element(point.starts.begin(), point.starts.end())});
    return bitsOf(predicted);
}

} // namespace

bool isAsyncFolder(const std::string &folder) {
    std::error_code ignored;
    if (!std::filesystem::is_directory(folder + "/profiles", ignored))
        return false;
    const auto text = readInputFile(folder + "/runs.csv");
    if (!text)
        return false;
    const std::size_t begin = std::min(text->find_first_not_of("\xEF\xBB\xBF \t\r\n"), text->size()); // after a byte order mark
    const std::string header = text->substr(begin, text->find('\n', begin) - begin);
    return CsvTable::parse(header, folder + "/runs.csv", {"flow_control"}, "").has_value();
}

Result<AsyncValidation> validateAsync(const std::string &folder, const AsyncValidationOptions &options,
                                      const std::stop_token &stop, const Spread &spread) {
    const auto platform = TRY(readAsyncPlatform(folder + "/platform.json"));
    const auto measured = TRY(readAsyncRuns(folder + "/runs.csv", options));
    AsyncValidation validation;
    std::vector<double> errors;
    const std::vector<Measured::value_type> configurations(measured.begin(), measured.end());
    const auto make = [&](std::size_t c, const std::stop_token &partStop) {
        return packResult(predictConfiguration(folder, configurations[c], platform, options, partStop));
    };
    const auto parts = TRY(spreadOrMake(
        spread, [&] { return tableTexts(folder); }, configurations.size(), make, stop));
    for (std::size_t c = 0; c < parts.size(); ++c) {
        const auto &[configuration, rates] = configurations[c];
        const std::vector<double> predicted = numbersOf(TRY(unpackResult(parts[c])));
        std::vector<AsyncRow> rows;
        for (const auto &[workers, starts] : rates) {
            if (predicted.size() < 3 * (rows.size() + 1))
                return internalError("a configuration's predictions are cut off");
            const double *of = predicted.data() + 3 * rows.size();
            AsyncRow row;
            row.configuration = configuration;
            row.workers = workers;
            row.starts = static_cast<std::int32_t>(starts.size());
            row.measured = std::accumulate(starts.begin(), starts.end(), 0.0) / static_cast<double>(starts.size());
            row.measuredMin = *std::min_element(starts.begin(), starts.end());
            row.measuredMax = *std::max_element(starts.begin(), starts.end());
            row.predicted = of[0];
            row.predictedMin = of[1];
            row.predictedMax = of[2];
            errors.push_back(std::abs(row.error()));
            validation.within10 += errors.back() <= 0.1 ? 1 : 0;
            rows.push_back(row);
        }
        validation.curves.push_back(
            {configuration, bottleneckOf(rows, &AsyncRow::measured), bottleneckOf(rows, &AsyncRow::predicted)});
        validation.rows.insert(validation.rows.end(), rows.begin(), rows.end());
    }
    validation.medianError = median(errors);
    validation.maxError = *std::max_element(errors.begin(), errors.end());
    validation.notes = {
        "Every row is predicted from the profile of one worker in its own configuration and from platform.json; nothing is "
        "fitted to rows.",
        fmt::format(
            "Links reach {} of their rate. TCP: windows of {}, bursts of {}, queues that serve what comes first, small queues "
            "of senders.",
            platform.linkEfficiency, formatBytes(platform.tcp.windowBytes), formatBytes(platform.tcp.burstBytes)),
        "Parsing is fitted to the profile's arrivals.csv.gz if it exists, else to its downlinks where that is credible. "
        "Flow control on: 65535 bytes a stream's first "
        "turn, then gRPC's updates of streams and of the connection.",
        platform.measuredSeconds > 0 ? fmt::format("The mean of {} simulated starts of {} s after {} s, as measured; seed {}.",
                                                   options.starts, platform.measuredSeconds, platform.warmUpSeconds, options.seed)
                                     : fmt::format("The mean of {} simulated starts of {} steps per worker after {}; seed {}.",
                                                   options.starts, options.steps, options.warmUp, options.seed)};
    if (platform.cores > 0)
        validation.notes.push_back(
            fmt::format("All workers run on one machine: requesting a step keeps one of its {} cores busy.", platform.cores));
    return validation;
}

} // namespace syncopate
