// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/simulated_run.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace syncopate::ui {

namespace {
Nanoseconds toNanoseconds(double seconds) { return static_cast<Nanoseconds>(std::llround(seconds * 1e9)); }
} // namespace

SimulatedRun::SimulatedRun(std::shared_ptr<const Run> run)
    : m_run(std::move(run)), m_timeline(std::shared_ptr<const Timeline>(m_run, &m_run->timeline),
                                        toNanoseconds(m_run->windowStartSeconds), toNanoseconds(m_run->iterationSeconds)),
      m_window(areaStatistics(m_run->timeline, m_timeline.origin(), m_timeline.origin() + m_timeline.iteration(), 0)),
      m_variables(syncopate::variableRows(*m_run)), m_variableExposed(exposedOfVariables()) {}

std::vector<double> SimulatedRun::exposedOfVariables() const {
    const TaskGraph &graph = m_run->graph;
    // The same traffic as variableRows(): worker 0's, of the last full iteration, wherever it ends.
    const std::int32_t iteration = graph.iterations - 2;
    std::vector<std::vector<std::pair<Nanoseconds, Nanoseconds>>> spans(m_variables.size());
    for (std::size_t t = 0; t < graph.size(); ++t) {
        if (graph.iteration[t] != iteration || graph.unit[t] < 0 || graph.path[t] < 0 || graph.worker[t] > 0)
            continue;
        const auto span = std::make_pair(toNanoseconds(m_run->startSeconds[t]), toNanoseconds(m_run->endSeconds[t]));
        if (span.first < span.second)
            for (const std::int32_t v : graph.units[static_cast<std::size_t>(graph.unit[t])].variables)
                spans[static_cast<std::size_t>(v)].push_back(span);
    }
    std::vector<double> exposed(m_variables.size(), 0.0);
    for (std::size_t v = 0; v < spans.size(); ++v) {
        std::sort(spans[v].begin(), spans[v].end());
        Nanoseconds covered = 0, sum = 0;
        for (const auto &[start, end] : spans[v]) {
            const Nanoseconds from = std::max(start, covered);
            if (from < end)
                sum += m_timeline.exposed().busy(from, end)[static_cast<std::size_t>(Category::OtherComm)];
            covered = std::max(covered, end);
        }
        exposed[v] = static_cast<double>(sum) * 1e-9;
    }
    return exposed;
}

std::vector<std::uint8_t> SimulatedRun::labelsOf(std::int32_t variable) const {
    std::vector<std::uint8_t> lit(m_run->timeline.labels.size(), 0);
    // Spans know their task, tasks their unit or layer: the label needs no convention of its own.
    const TaskGraph &graph = m_run->graph;
    if (m_run->isMeasured())
        return lit; // a profile's events do not say whose variables they move
    const Job &job = *m_run->scenario.job;
    std::vector<std::uint8_t> unitLit(graph.units.size(), 0), layerLit(job.layers.size(), 0);
    for (std::size_t u = 0; u < graph.units.size(); ++u)
        unitLit[u] = std::find(graph.units[u].variables.begin(), graph.units[u].variables.end(), variable) !=
                     graph.units[u].variables.end();
    for (std::size_t l = 0; l < job.layers.size(); ++l)
        layerLit[l] =
            std::find(job.layers[l].variables.begin(), job.layers[l].variables.end(), variable) != job.layers[l].variables.end();
    for (const Lane &lane : m_run->timeline.lanes)
        for (std::size_t i = 0; i < lane.size(); ++i) {
            const auto task = static_cast<std::size_t>(lane.task[i]);
            const std::int32_t unit = graph.unit[task], layer = graph.layer[task];
            if (unit >= 0 ? unitLit[static_cast<std::size_t>(unit)] : layer >= 0 && layerLit[static_cast<std::size_t>(layer)])
                lit[static_cast<std::size_t>(lane.label[i])] = 1;
        }
    return lit;
}

std::int32_t SimulatedRun::unitOfTask(std::int32_t task) const {
    return task >= 0 && static_cast<std::size_t>(task) < m_run->graph.size() ? m_run->graph.unit[static_cast<std::size_t>(task)]
                                                                             : -1;
}

} // namespace syncopate::ui
