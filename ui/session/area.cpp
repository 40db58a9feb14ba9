// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/area.h"

#include <algorithm>
#include <vector>

namespace syncopate::ui {

namespace {

VariableArea variableWithin(const ShownRun &run, std::int32_t variable, Nanoseconds from, Nanoseconds to, std::int32_t worker,
                            const std::stop_token &stop) {
    const TimelineData &data = run.timeline();
    const TaskGraph &graph = run.simulation()->graph;
    VariableArea area;
    std::int32_t lanesOf = worker < 0 ? 0 : worker;
    const std::int32_t lastWorker = worker < 0 ? static_cast<std::int32_t>(graph.workerNames.size()) - 1 : worker;
    const double share = 1.0 / std::max(1, lastWorker - lanesOf + 1);
    for (; lanesOf <= lastWorker; ++lanesOf) {
        std::vector<std::pair<Nanoseconds, Nanoseconds>> spans;
        for (std::size_t l = 0; l < data.laneCount(); ++l) {
            const Lane &lane = data.lane(l);
            if (stop.stop_requested())
                return area;
            if (lane.worker != lanesOf)
                continue;
            for (std::size_t i = data.index(l).firstEndingAfter(from); i < lane.size() && lane.start[i] < to; ++i) {
                const std::int32_t unit = run.unitOfTask(lane.task[i]);
                if (unit < 0 || !isCommunication(lane.category[i]))
                    continue;
                const auto &variables = graph.units[static_cast<std::size_t>(unit)].variables;
                if (std::find(variables.begin(), variables.end(), variable) == variables.end())
                    continue;
                spans.emplace_back(std::max(from, lane.start[i]), std::min(to, lane.end[i]));
                if (lane.end[i] <= to)
                    area.sizeBytes += lane.sizeBytes[i] * share;
            }
        }
        std::sort(spans.begin(), spans.end());
        Nanoseconds covered = from;
        for (const auto &[start, end] : spans) {
            const Nanoseconds begin = std::max(start, covered);
            if (begin < end) {
                area.trafficSeconds += static_cast<double>(end - begin) * 1e-9 * share;
                area.exposedSeconds += static_cast<double>(end - begin - data.computeBusy(lanesOf, begin, end)) * 1e-9 * share;
            }
            covered = std::max(covered, end);
        }
    }
    return area;
}

} // namespace

AreaAnswer countArea(const std::array<std::shared_ptr<const ShownRun>, 2> &runs, const AreaQuery &query,
                     const std::stop_token &stop) {
    AreaAnswer answer{query, {}, {}};
    for (std::size_t s = 0; s < runs.size(); ++s) {
        if (!runs[s])
            continue;
        const TimelineData &data = runs[s]->timeline();
        const double offset = s == 1 ? query.offsetB : 0;
        Nanoseconds from = data.origin(), to = data.origin() + data.iteration();
        if (query.stretch) {
            from = data.origin() + static_cast<Nanoseconds>(query.stretch->first + offset);
            to = data.origin() + static_cast<Nanoseconds>(query.stretch->second + offset);
        }
        const Run *simulation = runs[s]->simulation();
        // Where all workers behave alike there is one class of them, whichever was asked for.
        const std::int32_t worker =
            simulation && simulation->graph.workerNames.size() == 1 ? std::min(query.worker, 0) : query.worker;
        answer.areas[s] = areaStatistics(data.timeline(), from, to, worker, stop);
        const auto &variables = runs[s]->recording().job->variables;
        const auto found = std::find_if(variables.begin(), variables.end(),
                                        [&query](const Variable &variable) { return variable.name == query.variable; });
        if (simulation && !query.variable.empty() && found != variables.end())
            answer.variables[s] =
                variableWithin(*runs[s], static_cast<std::int32_t>(found - variables.begin()), from, to, worker, stop);
    }
    return answer;
}

} // namespace syncopate::ui
