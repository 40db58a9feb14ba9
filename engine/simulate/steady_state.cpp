// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/steady_state.h"

#include "engine/base/numbers.h"
#include "engine/base/units.h"
#include "engine/graph/task_hops.h"
#include "engine/simulate/bursts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <tuple>

namespace syncopate {

namespace {

/// Relative to an iteration: the same durations summed in another order differ by far less, different schedules by more.
constexpr double repeatTolerance = 1e-9;
constexpr std::size_t batchCount = 8;
/// Iterations of equal length that stand for a period; two or three are often only the way to one.
constexpr std::size_t evidence = 4;
constexpr double studentT7 = 2.365; ///< 97.5 % quantile of Student's t with batchCount - 1 degrees of freedom

/// Tasks of each iteration in the order in which kernels made them, so that counterparts have the same index.
std::vector<std::vector<TaskId>> tasksOfIterations(const TaskGraph &graph) {
    std::vector<std::vector<TaskId>> tasks(static_cast<std::size_t>(graph.iterations));
    for (std::size_t t = 0; t < graph.size(); ++t) {
        const std::int32_t iteration = graph.iteration[t];
        if (iteration >= 0 && iteration < graph.iterations)
            tasks[static_cast<std::size_t>(iteration)].emplace_back(t);
    }
    return tasks;
}

/// Compares one stretch of a schedule with the stretch `shift` seconds later, up to just before `until`: what comes later may
/// depend on iterations that were not unrolled, or has not been played yet.
struct Repetition {
    const Schedule &schedule;
    double shift, until, tolerance;

    [[nodiscard]] bool holds(TaskId task, TaskId counterpart) const {
        const auto same = [&](const std::vector<double> &seconds) {
            const double later = seconds[counterpart.index()];
            const double expected = seconds[task.index()] + shift;
            return std::min(later, expected) > until - tolerance || std::abs(later - expected) <= tolerance;
        };
        return same(schedule.startSeconds) && same(schedule.endSeconds);
    }
};

bool repeats(const std::vector<std::vector<TaskId>> &tasks, const Schedule &schedule, const std::vector<double> &starts,
             std::size_t period) {
    const std::size_t last = starts.size() - 1; // its start ends the last period
    const double shift = starts[last] - starts[last - period];
    const double tolerance = repeatTolerance * shift;
    // A longer period has to repeat twice, since once may be chance. A period of one iteration has not: the first iteration
    // differs from all others, so four would never be enough.
    const std::size_t first = last - (period > 1 ? 2 * period : period);
    for (std::size_t i = first; i < last; ++i)
        if (std::abs(starts[i] - starts[i - period] - shift) > tolerance)
            return false;
    const Repetition repetition{schedule, shift, starts[last], tolerance};
    for (std::size_t i = period; i < last; ++i) {
        const auto &now = tasks[i], &before = tasks[i - period];
        if (now.size() != before.size())
            return false;
        // Tasks of an earlier iteration count while they are under way: traffic that nothing waits for may pile up.
        const bool isEarlier = i < first;
        for (std::size_t t = 0; t < now.size(); ++t)
            if (!(isEarlier && schedule.endSeconds[now[t].index()] < starts[first]) && !repetition.holds(before[t], now[t]))
                return false;
    }
    return true;
}

/// Half-width of the 95 % confidence interval of the mean of batch means, relative to it. Batches outlast the correlation of
/// neighbouring iterations only if many were unrolled, so figures without a period say so.
double confidenceOf(const std::array<double, batchCount> &means) {
    double mean = 0, squares = 0;
    for (const double m : means)
        mean += m / batchCount;
    for (const double m : means)
        squares += (m - mean) * (m - mean);
    const double deviation = std::sqrt(squares / (batchCount - 1) / batchCount);
    return mean > 0 ? studentT7 * deviation / mean : infinity;
}

/// Spread of the lengths of the iterations from `first` on, relative to the longest; infinite, and not meaningful, above
/// steadyConfidence. Flows that take turns at a crowded server rarely repeat to the last bit, but iterations of equal length are
/// as good as a period.
double spreadOf(const std::vector<double> &starts, std::size_t first) {
    double shortest = infinity, longest = 0;
    for (std::size_t i = first; i + 1 < starts.size(); ++i) {
        shortest = std::min(shortest, starts[i + 1] - starts[i]);
        longest = std::max(longest, starts[i + 1] - starts[i]);
    }
    const double spread = longest > 0 ? (longest - shortest) / longest : 0;
    return starts.size() - 1 - first >= evidence && spread <= steadyConfidence ? spread : infinity;
}

SteadyState ofWorkersInStep(const TaskGraph &graph, const Schedule &schedule, const std::vector<double> &starts) {
    SteadyState state;
    const std::size_t last = starts.size() - 1;
    state.windowStartSeconds = starts[last - 1];
    state.toSeconds = starts[last];
    if (!graph.capacityChanges.empty()) {
        state.isChanging = true;
        state.confidence = infinity;
        state.fromSeconds = starts[last - 1];
        state.secondsPerStep = state.toSeconds - state.fromSeconds;
        return state;
    }
    const auto tasks = tasksOfIterations(graph);
    for (std::size_t period = 1; 3 * period <= last; ++period)
        if (repeats(tasks, schedule, starts, period)) {
            state.period = static_cast<std::int32_t>(period);
            state.iterations = state.period;
            state.fromSeconds = starts[last - period];
            state.secondsPerStep = (state.toSeconds - state.fromSeconds) / static_cast<double>(period);
            return state;
        }
    // The first half may be transient.
    const std::size_t first = last / 2;
    state.fromSeconds = starts[first];
    state.secondsPerStep = (state.toSeconds - state.fromSeconds) / static_cast<double>(last - first);
    state.confidence = spreadOf(starts, first);
    state.isEven = state.confidence <= steadyConfidence;
    if (!state.isEven)
        state.iterations = static_cast<std::int32_t>(last - first);
    if (state.isEven || last - first < batchCount)
        return state;
    std::array<double, batchCount> means{};
    for (std::size_t b = 0; b < batchCount; ++b) {
        const std::size_t from = first + (last - first) * b / batchCount, to = first + (last - first) * (b + 1) / batchCount;
        means[b] = (starts[to] - starts[from]) / static_cast<double>(to - from);
    }
    state.confidence = confidenceOf(means);
    return state;
}

/// Number of iterations done at `seconds`, including the fraction of the current one.
double iterationsAt(const std::vector<double> &starts, double seconds) {
    const auto next = std::upper_bound(starts.begin(), starts.end(), seconds);
    if (next == starts.begin())
        return 0;
    const auto done = static_cast<double>(next - starts.begin() - 1);
    const double begun = *(next - 1);
    return next == starts.end() || *next <= begun ? done : done + (seconds - begun) / (*next - begun);
}

SteadyState ofDriftingWorkers(const TaskGraph &graph, const std::vector<std::vector<double>> &starts) {
    SteadyState state;
    const std::vector<double> &first = starts.front();
    state.windowStartSeconds = first[first.size() - 2];
    state.confidence = infinity;
    state.isChanging = !graph.capacityChanges.empty();
    double from = 0, to = infinity, replicas = 0;
    for (std::size_t w = 0; w < starts.size(); ++w) {
        to = std::min(to, starts[w].back());
        from = std::max(from, starts[w][static_cast<std::size_t>(graph.workerWarmUp[w])]);
        replicas += graph.workerReplicas[w];
    }
    // The later half at most, and from there on if the pace was badly estimated, so that one worker warms up until another is
    // done: twice as many iterations then give a stretch that has nothing in common with this one.
    from = from >= to ? to / 2 : std::max(from, to / 2);
    if (!(to > from))
        return state;
    state.fromSeconds = from;
    state.toSeconds = to;
    const auto stepsIn = [&](double begin, double end) {
        double steps = 0;
        for (std::size_t w = 0; w < starts.size(); ++w)
            steps += graph.workerReplicas[w] * (iterationsAt(starts[w], end) - iterationsAt(starts[w], begin));
        return steps;
    };
    std::array<double, batchCount> rates{};
    for (std::size_t b = 0; b < batchCount; ++b) {
        const double length = (to - from) / batchCount, begin = from + length * static_cast<double>(b);
        rates[b] = stepsIn(begin, begin + length) / length;
    }
    state.confidence = state.isChanging ? infinity : confidenceOf(rates);
    const double steps = stepsIn(from, to);
    state.secondsPerStep = steps > 0 ? replicas * (to - from) / steps : 0;
    return state;
}

/// The tokens that the bucket of a link gains or loses between `from` and `to`, as a share of the bytes that the link can carry
/// in that time: the max over links. No bucket gains or loses for ever, so the pace will change by about this share, even if
/// iterations are equal to the last bit until a bucket is empty, or until it holds enough for a message.
double bucketDrift(const TaskGraph &graph, const Schedule &schedule, double from, double to) {
    Bursts bursts(graph);
    if (!bursts.any())
        return 0;
    enum class Change : std::uint8_t { End, Begin, EndAtOnce }; // in the order in which they happen at one moment
    std::vector<std::tuple<double, Change, TaskId>> changes;
    for (std::size_t t = 0; t < graph.size(); ++t) {
        if (!usesTokens(graph.kind[t]) || !graph.path[t].exists() || graph.sizeBytes[t] <= 0)
            continue;
        const TaskId task(t);
        const double begin = schedule.startSeconds[t] + secondsBeforeFlow(graph, task), end = schedule.endSeconds[t];
        if (begin < to)
            changes.emplace_back(begin, Change::Begin, task);
        if (end < to)
            changes.emplace_back(end, end > begin ? Change::End : Change::EndAtOnce, task);
    }
    std::sort(changes.begin(), changes.end());
    const auto allTokens = [&](double now) {
        std::vector<double> tokens;
        for (std::size_t l = 0; l < graph.links.size(); ++l)
            tokens.push_back(bursts.tokens(LinkId(l), now));
        return tokens;
    };
    std::vector<double> before;
    for (const auto &[now, change, task] : changes) {
        if (before.empty() && now >= from)
            before = allTokens(from);
        if (change == Change::Begin)
            (void)bursts.begin(graph.path[task.index()], graph.sizeBytes[task.index()], now);
        else
            bursts.end(graph.path[task.index()], now);
    }
    if (before.empty()) // no message in that time
        return 0;
    const std::vector<double> after = allTokens(to);
    double drift = 0;
    for (std::size_t l = 0; l < after.size(); ++l) {
        const FluidLink &link = graph.links[l];
        const double change = std::abs(before[l] - after[l]);
        if (change > 1e-6 * link.burstBytes) // rounding
            drift = std::max(drift, change / (link.bytesPerSecond * (to - from)));
    }
    return drift;
}

} // namespace

std::vector<std::vector<double>> iterationStarts(const TaskGraph &graph, const Schedule &schedule) {
    std::vector<std::vector<double>> starts;
    for (const std::int32_t iterations : graph.workerIterations)
        starts.emplace_back(static_cast<std::size_t>(iterations), infinity);
    for (std::size_t t = 0; t < graph.size(); ++t)
        if (graph.kind[t] == TaskKind::Forward) {
            double &start = starts[graph.worker[t].index()][static_cast<std::size_t>(graph.iteration[t])];
            start = std::min(start, schedule.startSeconds[t]);
        }
    return starts;
}

SteadyState steadyState(const TaskGraph &graph, const Schedule &schedule) {
    const auto starts = iterationStarts(graph, schedule);
    SteadyState state = graph.workersInStep ? ofWorkersInStep(graph, schedule, starts.front()) : ofDriftingWorkers(graph, starts);
    if (state.isChanging)
        return state;
    if (!graph.reachesSteady) { // a repetition now will not last
        state.period = 0;
        state.isEven = false;
        state.confidence = infinity;
        return state;
    }
    const double drift = bucketDrift(graph, schedule, state.fromSeconds, state.toSeconds);
    if (drift > 0) {
        // A mean over iterations that do not repeat says nothing of iterations in which buckets hold more, or less.
        state.bucketsChange = !state.isExact() || drift > steadyConfidence;
        state.bucketsDrift = !state.bucketsChange;
        state.isEven = false;
        state.period = 0;
        state.confidence = state.bucketsChange ? infinity : drift;
    }
    return state;
}

std::string describeSteadyState(const SteadyState &state, const TaskGraph &graph) {
    if (!graph.reachesSteady)
        return {}; // an assumption says so
    if (state.isChanging) {
        const std::string stretch = fmt::format("{} to {}", formatSeconds(state.fromSeconds), formatSeconds(state.toSeconds));
        return fmt::format("Links change their rates: the figures are those of {}, not of a steady state.",
                           graph.workersInStep
                               ? fmt::format("iteration {} of {} ({})", graph.iterations - 1, graph.iterations, stretch)
                               : "the time from " + stretch);
    }
    if (state.bucketsChange)
        return fmt::format(
            "The links' token buckets (burst_bytes) still empty or fill after {} iterations: the iteration time is "
            "the mean until then.",
            graph.iterations);
    if (state.bucketsDrift)
        return fmt::format("Iterations repeat, but the links' token buckets (burst_bytes) slowly empty or fill: in the long run "
                           "the iteration time may differ by about {:.2g} %.",
                           100 * state.confidence);
    if (state.period == 1)
        return "The iteration time is the distance of the last two iteration starts: every iteration repeats the one before.";
    if (state.period > 1)
        return fmt::format("The schedule repeats every {} iterations: the iteration time is the mean over them.", state.period);
    if (std::isinf(state.confidence))
        return fmt::format(
            "The schedule does not repeat within {} iterations, too few for a confidence: the iteration time is the "
            "mean of the later half.",
            graph.iterations);
    if (state.isEven)
        return fmt::format("The schedule does not repeat within {} iterations, but those of the later half differ by {:.2g} % in "
                           "length at most: the iteration time is their mean.",
                           graph.iterations, 100 * state.confidence);
    return fmt::format("The schedule does not repeat within {} iterations: the iteration time is a mean, ±{:.2g} % at 95 % "
                       "confidence.",
                       graph.iterations, 100 * state.confidence);
}

} // namespace syncopate
