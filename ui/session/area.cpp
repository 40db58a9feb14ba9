// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/area.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace syncopate::ui {

namespace {

using Stretch = std::pair<Nanoseconds, Nanoseconds>;

/// How one variable's traffic is counted, and in which recording.
struct Counted {
    const ShownRun &run;
    std::int32_t variable;
    Stretch stretch;

    /// Whether the span is communication of the variable, alone or in a bucket.
    [[nodiscard]] bool isOfVariable(const Lane &lane, std::size_t span) const {
        const UnitId unit = run.unitOfTask(TaskId(lane.task[span]));
        if (!unit.exists() || !isCommunication(lane.category[span]))
            return false;
        const auto &variables = run.simulation()->graph.units[unit.index()].variables;
        return std::find(variables.begin(), variables.end(), variable) != variables.end();
    }
};

/// The variable's spans on a worker's lanes, clipped to the stretch and sorted; adds the bytes of the spans that end in it.
std::vector<Stretch> spansOf(const Counted &counted, std::int32_t worker, double &sizeBytes, const std::stop_token &stop) {
    const TimelineData &data = counted.run.timeline();
    const auto &[from, to] = counted.stretch;
    std::vector<Stretch> spans;
    for (std::size_t l = 0; l < data.laneCount() && !stop.stop_requested(); ++l) {
        const Lane &lane = data.lane(l);
        if (lane.worker != worker)
            continue;
        for (std::size_t i = data.index(l).firstEndingAfter(from); i < lane.size() && lane.start[i] < to; ++i) {
            if (!counted.isOfVariable(lane, i))
                continue;
            spans.emplace_back(std::max(from, lane.start[i]), std::min(to, lane.end[i]));
            if (lane.end[i] <= to)
                sizeBytes += lane.sizeBytes[i];
        }
    }
    std::sort(spans.begin(), spans.end());
    return spans;
}

/// For one worker, or with -1 the mean of all.
VariableArea variableWithin(const Counted &counted, std::int32_t worker, const std::stop_token &stop) {
    const std::vector<std::int32_t> &multiplicity = counted.run.simulation()->graph.workerMultiplicity;
    const double workers = std::accumulate(multiplicity.begin(), multiplicity.end(), 0.0);
    const std::int32_t first = worker < 0 ? 0 : worker;
    const std::int32_t last = worker < 0 ? static_cast<std::int32_t>(multiplicity.size()) - 1 : worker;
    VariableArea area;
    for (std::int32_t one = first; one <= last && !stop.stop_requested(); ++one) {
        const double share = worker < 0 ? multiplicity[static_cast<std::size_t>(one)] / workers : 1;
        double sizeBytes = 0;
        Nanoseconds covered = counted.stretch.first;
        for (const auto &[start, end] : spansOf(counted, one, sizeBytes, stop)) {
            const Nanoseconds begin = std::max(start, covered);
            if (begin < end) {
                const Nanoseconds busy = counted.run.timeline().computeBusy(one, begin, end);
                area.trafficSeconds += static_cast<double>(end - begin) * 1e-9 * share;
                area.exposedSeconds += static_cast<double>(end - begin - busy) * 1e-9 * share;
            }
            covered = std::max(covered, end);
        }
        area.sizeBytes += sizeBytes * share;
    }
    return area;
}

/// As that of AreaStatistics.
VariableArea perIteration(VariableArea all, std::int32_t iterations) {
    return {all.trafficSeconds / iterations, all.exposedSeconds / iterations, all.sizeBytes / iterations};
}

/// The worker (class) of the run that the query is about, -1 for the mean of all; null: the run has none of that name.
std::optional<std::int32_t> workerIn(const ShownRun &run, const AreaQuery &query) {
    const std::vector<ShownWorker> &workers = run.workers();
    if (query.whose == AreaQuery::Whose::LongestExposed || workers.size() < 2)
        return run.window().worker;
    if (query.whose == AreaQuery::Whose::MeanOfAll)
        return -1;
    const auto found = std::ranges::find(workers, query.worker, &ShownWorker::name);
    return found != workers.end() ? std::optional(found->id) : std::nullopt;
}

} // namespace

AreaAnswer countArea(const std::array<std::shared_ptr<const ShownRun>, 2> &runs, const AreaQuery &query,
                     const std::stop_token &stop) {
    AreaAnswer answer{query, {}, {}};
    for (std::size_t s = 0; s < runs.size(); ++s) {
        const auto worker = runs[s] ? workerIn(*runs[s], query) : std::nullopt;
        if (!worker)
            continue;
        const TimelineData &data = runs[s]->timeline();
        const double offset = s == 1 ? query.offsetB : 0;
        const std::int32_t iterations = query.stretch ? 1 : runs[s]->recording().windowIterations;
        auto [from, to] = iterationWindow(runs[s]->recording());
        if (query.stretch) {
            from = data.origin() + static_cast<Nanoseconds>(query.stretch->first + offset);
            to = data.origin() + static_cast<Nanoseconds>(query.stretch->second + offset);
        }
        const Run *simulation = runs[s]->simulation();
        answer.areas[s] =
            perIteration(areaStatistics(data.timeline(), from, to, *worker, stop,
                                        simulation ? simulation->graph.workerMultiplicity : std::vector<std::int32_t>()),
                         iterations);
        const auto &variables = runs[s]->recording().job->variables;
        const auto found = std::find_if(variables.begin(), variables.end(),
                                        [&query](const Variable &variable) { return variable.name == query.variable; });
        if (simulation && !query.variable.empty() && found != variables.end())
            answer.variables[s] = perIteration(
                variableWithin({*runs[s], static_cast<std::int32_t>(found - variables.begin()), {from, to}}, *worker, stop),
                iterations);
    }
    return answer;
}

} // namespace syncopate::ui
