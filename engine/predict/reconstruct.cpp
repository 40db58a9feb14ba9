// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/predict/reconstruct.h"

#include "engine/base/median.h"
#include "engine/base/numbers.h"
#include "engine/base/units.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <fmt/format.h>
#include <numeric>
#include <string>

namespace syncopate {

namespace {

constexpr std::size_t maxPairs = 1000;
constexpr std::size_t maxStreams = 200'000;
constexpr double smallestWindow = 1024;
constexpr std::size_t maxReplayedOps = 20'000, minReplayed = 10, maxReplayed = 60; ///< ops, and steps of one worker

/// Downlink streams of some recorded steps, per step and server: each server has a connection of its own.
class Downlinks {
public:
    Downlinks(const RecordedSteps &recorded, const ReconstructOptions &options)
        : m_recorded(recorded), m_rate(options.bytesPerSecond) {
        const auto &ops = recorded.set.graph.ops;
        // Every window is tried on all streams, so large graphs use fewer steps.
        const std::size_t steps =
            std::min({recorded.steps.size(), options.maxSteps, std::max<std::size_t>(1, maxStreams / ops.size())});
        for (std::size_t s = 0; s < steps; ++s)
            for (std::int32_t server = 0; server < recorded.set.graph.servers; ++server) {
                Connection connection;
                connection.step = s;
                for (std::size_t i = 0; i < ops.size(); ++i)
                    if (ops[i].resource == StepResource::Downlink && ops[i].server == server) {
                        connection.ops.push_back(static_cast<std::int32_t>(i));
                        connection.streams.push_back({recorded.steps[s].start[i], ops[i].sizeBytes});
                    }
                if (!connection.ops.empty())
                    m_connections.push_back(std::move(connection));
            }
    }

    /// Modelled ends of the bytes under a window; predictedSeconds is left at 0.
    [[nodiscard]] std::vector<EndTimeResidual> sent(double window) const {
        std::vector<EndTimeResidual> residuals;
        for (const Connection &connection : m_connections) {
            const std::vector<double> ends = streamEnds(connection.streams, m_rate, window);
            for (std::size_t i = 0; i < ends.size(); ++i) {
                const auto op = static_cast<std::size_t>(connection.ops[i]);
                residuals.push_back({static_cast<std::int32_t>(connection.step), connection.ops[i],
                                     m_recorded.steps[connection.step].end[op], 0, ends[i]});
            }
        }
        return residuals;
    }

    [[nodiscard]] std::vector<OverheadPair> pairs(const std::vector<EndTimeResidual> &sent) const {
        std::vector<OverheadPair> overheadPairs;
        overheadPairs.reserve(sent.size());
        for (const EndTimeResidual &r : sent)
            overheadPairs.push_back(
                {m_recorded.set.graph.ops[static_cast<std::size_t>(r.op)].sizeBytes, r.recordedSeconds - r.sentSeconds});
        return overheadPairs;
    }

    /// Fills in predictedSeconds; returns the mean absolute error in seconds.
    double predict(std::vector<EndTimeResidual> &sent, const ParsingOverhead &overhead) const {
        double sum = 0;
        for (EndTimeResidual &r : sent) {
            r.predictedSeconds = r.sentSeconds + overhead.of(m_recorded.set.graph.ops[static_cast<std::size_t>(r.op)].sizeBytes);
            sum += std::abs(r.predictedSeconds - r.recordedSeconds);
        }
        return sent.empty() ? 0 : sum / static_cast<double>(sent.size());
    }

    [[nodiscard]] double largest() const {
        double bytes = 0;
        for (const Connection &connection : m_connections)
            for (const Stream &stream : connection.streams)
                bytes = std::max(bytes, stream.sizeBytes);
        return bytes;
    }

private:
    struct Connection {
        std::size_t step = 0;
        std::vector<std::int32_t> ops;
        std::vector<Stream> streams;
    };
    const RecordedSteps &m_recorded;
    double m_rate;
    std::vector<Connection> m_connections;
};

EndTimeErrors errorsOf(const std::vector<EndTimeResidual> &residuals) {
    EndTimeErrors endTimeErrors;
    std::vector<double> errors;
    for (const EndTimeResidual &r : residuals)
        if (r.recordedSeconds > 0)
            errors.push_back(std::abs(r.predictedSeconds - r.recordedSeconds) / r.recordedSeconds);
    if (errors.empty())
        return endTimeErrors;
    std::sort(errors.begin(), errors.end());
    const std::size_t n = errors.size();
    endTimeErrors.streams = n;
    endTimeErrors.average = std::accumulate(errors.begin(), errors.end(), 0.0) / static_cast<double>(n);
    endTimeErrors.median = median(errors);
    endTimeErrors.percentile95 =
        errors[std::min(n - 1, static_cast<std::size_t>(std::ceil(0.95 * static_cast<double>(n))) - 1)]; // nearest rank
    endTimeErrors.maximum = errors.back();
    return endTimeErrors;
}

struct Candidate {
    double window = infinity;
    ParsingOverhead overhead, fitted;
    std::vector<EndTimeResidual> residuals;
    EndTimeErrors errors, fittedErrors; ///< with `overhead`; with `fitted`
    double error = infinity;            ///< mean absolute error, seconds
};

bool isSlowerThanParsing(const ParsingOverhead &overhead) {
    return overhead.secondsPerByte > slowestParsing.secondsPerByte || overhead.seconds > slowestParsing.seconds;
}

/// Accepts a fitted overhead only if it could be parsing and lowers the average error of end times.
Candidate tryWindow(const Downlinks &downlinks, double window, const std::optional<ParsingOverhead> &given) {
    Candidate candidate;
    candidate.window = window;
    candidate.residuals = downlinks.sent(window);
    candidate.overhead = given.value_or(ParsingOverhead());
    candidate.error = downlinks.predict(candidate.residuals, candidate.overhead);
    candidate.errors = errorsOf(candidate.residuals);
    if (given)
        return candidate;
    candidate.fitted = fitOverhead(downlinks.pairs(candidate.residuals));
    if (candidate.fitted == ParsingOverhead())
        return candidate;
    std::vector<EndTimeResidual> residuals = candidate.residuals;
    const double error = downlinks.predict(residuals, candidate.fitted);
    candidate.fittedErrors = errorsOf(residuals);
    if (isSlowerThanParsing(candidate.fitted) || !(candidate.fittedErrors.average < candidate.errors.average))
        return candidate;
    candidate.overhead = candidate.fitted;
    candidate.residuals = std::move(residuals);
    candidate.errors = candidate.fittedErrors;
    candidate.error = error;
    return candidate;
}

/// Tries windows from 1 KiB to the largest stream, eight per doubling, then none. Of equal errors the largest window wins, which
/// explains as much with fewer interruptions.
Candidate leastError(const Downlinks &downlinks, const std::optional<ParsingOverhead> &given) {
    Candidate best = tryWindow(downlinks, infinity, given);
    const double largest = downlinks.largest();
    std::vector<double> windows;
    for (double window = smallestWindow; window < largest; window *= std::exp2(0.125))
        windows.push_back(window);
    for (std::size_t i = windows.size(); i-- > 0;)
        if (Candidate candidate = tryWindow(downlinks, windows[i], given); candidate.error < best.error * (1 - 1e-9))
            best = std::move(candidate);
    return best;
}

/// A copy of the set with a parsing op after every transfer.
StepSet withParsing(const StepSet &recorded, const ParsingOverhead &overhead) {
    StepSet extended = recorded;
    if (!(overhead.secondsPerByte > 0) && !(overhead.seconds > 0))
        return extended;
    const std::size_t n = recorded.graph.ops.size();
    std::vector<std::int32_t> parsing(n, -1);
    for (std::size_t i = 0; i < n; ++i) {
        const StepOp &transfer = recorded.graph.ops[i];
        if (!isTransfer(transfer.resource))
            continue;
        StepOp op = transfer;
        op.name += "/parse";
        op.resource = transfer.resource == StepResource::Downlink ? StepResource::Worker : StepResource::Server;
        op.sizeBytes = 0;
        parsing[i] = static_cast<std::int32_t>(extended.graph.ops.size());
        extended.graph.ops.push_back(std::move(op));
        for (auto &seconds : extended.seconds)
            seconds.push_back(overhead.of(transfer.sizeBytes));
    }
    for (auto *edges : {&extended.graph.edges, &extended.graph.nextEdges})
        for (auto &edge : *edges)
            if (const std::int32_t parse = parsing[static_cast<std::size_t>(edge.first)]; parse >= 0)
                edge.first = parse;
    for (std::size_t i = 0; i < n; ++i)
        if (parsing[i] >= 0)
            extended.graph.edges.emplace_back(static_cast<std::int32_t>(i), parsing[i]);
    return extended;
}

/// Mean duration of the same steps of one worker, as played and as recorded.
struct Replay {
    double playedSeconds = 0, recordedSeconds = 0;
    [[nodiscard]] bool agrees() const { return std::abs(playedSeconds - recordedSeconds) <= replayTolerance * recordedSeconds; }
};

/// Plays one worker and its servers on links with the recording's bandwidth.
Result<Replay> replayAlone(const StepSet &set, const RecordedSteps &recorded, double windowBytes,
                           const ReconstructOptions &options) {
    PredictMachines machines;
    machines.nodeBytesPerSecond.assign(1 + static_cast<std::size_t>(set.graph.servers), options.bytesPerSecond);
    machines.workerNode = {0};
    machines.workerScale = {1};
    for (std::int32_t server = 0; server < set.graph.servers; ++server)
        machines.serverNode.push_back(1 + server);
    GenerateOptions generate = options.replay;
    generate.windowBytes = windowBytes;
    generate.steps = generate.traceSteps =
        static_cast<std::int32_t>(std::clamp(maxReplayedOps / set.graph.ops.size(), minReplayed, maxReplayed));
    generate.warmUp = 0;
    const auto played = TRY(generateTrace(set, machines, generate));
    double seconds = set.betweenSeconds * (generate.steps - 1);
    for (const std::int32_t step : played.sampledFrom) {
        const std::vector<double> &ends = recorded.steps[static_cast<std::size_t>(step)].end;
        seconds += *std::max_element(ends.begin(), ends.end());
    }
    return Replay{played.completionSeconds.back() / generate.steps, seconds / generate.steps};
}

std::string describe(const ParsingOverhead &overhead) {
    return fmt::format("{:.3g} ns per byte and {}", overhead.secondsPerByte * 1e9, formatSeconds(overhead.seconds));
}

/// Says why a fit is not charged; `replay` is given for a fit that could be parsing and lowers the error of end times.
std::string whyNotCharged(const Candidate &candidate, const std::optional<Replay> &replay = {}) {
    if (candidate.fitted == ParsingOverhead())
        return "No parsing overhead is charged: the profile's downlinks show none.";
    const std::string why =
        replay ? fmt::format("makes one worker's step take {} where {} were recorded", formatSeconds(replay->playedSeconds),
                             formatSeconds(replay->recordedSeconds))
        : isSlowerThanParsing(candidate.fitted)
            ? fmt::format("is more than parsing takes (at most {})", describe(slowestParsing))
            : fmt::format("does not lower the average error of their ends ({:.2f} % with it, {:.2f} % without)",
                          100 * candidate.fittedErrors.average, 100 * candidate.errors.average);
    return fmt::format("No parsing overhead is charged: {}, fitted to the profile's downlinks, {}. Their delay behind the model "
                       "has another cause, such as another HTTP/2 window.",
                       describe(candidate.fitted), why);
}

} // namespace

ParsingOverhead fitOverhead(const std::vector<OverheadPair> &all) {
    std::vector<OverheadPair> pairs;
    const std::size_t count = std::min(all.size(), maxPairs);
    for (std::size_t i = 0; i < count; ++i)
        pairs.push_back(all[i * all.size() / count]);
    std::vector<double> slopes;
    for (std::size_t i = 0; i < pairs.size(); ++i)
        for (std::size_t j = i + 1; j < pairs.size(); ++j)
            if (pairs[i].sizeBytes != pairs[j].sizeBytes)
                slopes.push_back((pairs[j].overheadSeconds - pairs[i].overheadSeconds) /
                                 (pairs[j].sizeBytes - pairs[i].sizeBytes));
    ParsingOverhead overhead;
    overhead.secondsPerByte = slopes.empty() ? 0 : std::max(0.0, median(slopes));
    std::vector<double> rest;
    rest.reserve(pairs.size());
    for (const OverheadPair &pair : pairs)
        rest.push_back(pair.overheadSeconds - overhead.secondsPerByte * pair.sizeBytes);
    overhead.seconds = rest.empty() ? 0 : std::max(0.0, median(rest));
    return overhead;
}

std::vector<double> streamEnds(const std::vector<Stream> &streams, double bytesPerSecond, double windowBytes) {
    std::vector<std::size_t> order(streams.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return streams[a].startSeconds < streams[b].startSeconds; });
    std::vector<double> ends(streams.size(), 0);
    struct Turn {
        std::size_t stream;
        double bytes;
        bool second;
    };
    std::deque<Turn> waiting;
    double now = 0;
    for (std::size_t next = 0; next < order.size() || !waiting.empty();) {
        if (waiting.empty())
            now = std::max(now, streams[order[next]].startSeconds);
        for (; next < order.size() && streams[order[next]].startSeconds <= now; ++next)
            waiting.push_back({order[next], streams[order[next]].sizeBytes, false});
        const Turn turn = waiting.front();
        waiting.pop_front();
        const double bytes = turn.second ? turn.bytes : std::min(turn.bytes, windowBytes);
        now += bytes / bytesPerSecond;
        for (; next < order.size() && streams[order[next]].startSeconds <= now; ++next) // arrivals go ahead of this stream's rest
            waiting.push_back({order[next], streams[order[next]].sizeBytes, false});
        if (bytes < turn.bytes)
            waiting.push_back({turn.stream, turn.bytes - bytes, true});
        else
            ends[turn.stream] = now;
    }
    return ends;
}

Result<Reconstruction> reconstruct(const RecordedSteps &recorded, const ReconstructOptions &options) {
    if (!(options.bytesPerSecond > 0) || !std::isfinite(options.bytesPerSecond))
        return fail(fmt::format("a link of {} bytes/s", options.bytesPerSecond),
                    "give the bandwidth that the profile was recorded at");
    if (options.windowBytes && !(*options.windowBytes > 0))
        return fail(fmt::format("a window of {} bytes", *options.windowBytes), "give a positive size, off or auto");
    TRY(validateStepSet(recorded.set));
    const Downlinks downlinks(recorded, options);
    const auto choose = [&](const std::optional<ParsingOverhead> &given) {
        return options.windowBytes ? tryWindow(downlinks, *options.windowBytes, given) : leastError(downlinks, given);
    };
    Reconstruction reconstruction;
    Candidate chosen = choose(options.overhead);
    reconstruction.set = withParsing(recorded.set, chosen.overhead);
    if (options.overhead) {
        reconstruction.overheadNote = fmt::format("Parsing a received tensor takes {} (given).", describe(chosen.overhead));
    } else if (chosen.overhead == ParsingOverhead()) {
        reconstruction.overheadNote = whyNotCharged(chosen);
    } else {
        const Replay replay = TRY(replayAlone(reconstruction.set, recorded, chosen.window, options));
        reconstruction.overheadNote =
            fmt::format("Parsing a received tensor takes {} (fitted to the profile's downlinks; one worker's step then takes {}, "
                        "recorded were {}).",
                        describe(chosen.overhead), formatSeconds(replay.playedSeconds), formatSeconds(replay.recordedSeconds));
        if (!replay.agrees()) {
            reconstruction.overheadNote = whyNotCharged(chosen, replay);
            const ParsingOverhead fitted = chosen.fitted;
            chosen = choose(ParsingOverhead());
            chosen.fitted = fitted;
            reconstruction.set = recorded.set;
        }
    }
    reconstruction.windowBytes = chosen.window;
    reconstruction.overhead = chosen.overhead;
    reconstruction.fitted = chosen.fitted;
    if (!options.overhead)
        reconstruction.pairs = downlinks.pairs(chosen.residuals);
    reconstruction.errors = chosen.errors;
    reconstruction.residuals = std::move(chosen.residuals);
    reconstruction.set.notes.push_back(reconstruction.overheadNote);
    reconstruction.set.notes.push_back(
        fmt::format("Modelled ends of {} downlink streams miss the recorded ones by {:.2f} % on average, {:.2f} % at the median, "
                    "{:.2f} % at the 95th percentile and {:.2f} % at most.",
                    reconstruction.errors.streams, 100 * reconstruction.errors.average, 100 * reconstruction.errors.median,
                    100 * reconstruction.errors.percentile95, 100 * reconstruction.errors.maximum));
    TRY(validateStepSet(reconstruction.set));
    return reconstruction;
}

} // namespace syncopate
