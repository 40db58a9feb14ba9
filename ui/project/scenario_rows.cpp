// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/project/scenario_rows.h"

#include "engine/analyze/metrics.h"
#include "engine/analyze/training_memory.h"
#include "engine/job/batch.h"
#include "engine/session/dag_job.h"
#include "engine/session/planned_work.h"
#include "engine/simulate/measured_run.h"
#include "engine/simulate/run.h"
#include "ui/knobs/knob_names.h"
#include "ui/runs/candidates_model.h"
#include "ui/session/loaded_state.h"
#include "ui/theme/sentences.h"

#include <QFileInfo>
#include <array>
#include <cmath>

namespace syncopate::ui {

namespace {

QString jobText(const SessionState &state) { return QFileInfo(QString::fromStdString(state.source)).fileName(); }

ScenarioFigures measuredFigures(const SessionState &state, const std::stop_token &stop) {
    if (!state.profile)
        return {};
    const auto recording = measuredRecording(state.profile, state.job, stop);
    const RecordedPlatform &platform = state.profile->platform;
    ScenarioFigures figures{recording->iterationSeconds, recording->samplesPerSecond,
                            iterationStatistics(*recording, stop).exposedSeconds};
    if (platform.ranks > 0 && platform.devicesOfNode > 0)
        figures.nodes = std::ceil(static_cast<double>(platform.ranks) / static_cast<double>(platform.devicesOfNode));
    return figures;
}

/// Samples are known only for a plan of the job's own DAG; DAG files state none.
ScenarioFigures plannedFigures(const PlannedWork &work, const SessionState &state, Side side, const std::stop_token &stop) {
    const Cluster cluster = effectiveCluster(state, side);
    const auto run = plannedRun(work, state.job, cluster, stop);
    if (!run)
        return {.error = run.error().toString()};
    ScenarioFigures figures{.iterationSeconds = (*run)->iterationSeconds,
                            .exposedSeconds = iterationStatistics(**run, stop).exposedSeconds,
                            .nodes = static_cast<double>(cluster.nodes.size())};
    if (work.ofJob)
        figures.samplesPerSecond = (*run)->samplesPerSecond;
    return figures;
}

/// The best item by the objective among the items with a figure; -1 = none.
template <class Items> std::int64_t bestOf(const Searcher &searcher, const Items &items, CandidateId::Kind kind) {
    std::int64_t best = -1;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < items.size(); ++i)
        if (const double value = searcher.valueOf(searcher.metricsOf({kind, i})); value < least) {
            least = value;
            best = static_cast<std::int64_t>(i);
        }
    return best;
}

} // namespace

QString sideText(const SideState &side) {
    const QString strategy = QString::fromStdString(strategyTitle(side));
    return side.hasScenario() ? QStringLiteral("%1 · %2").arg(strategy, QString::fromStdString(side.policy)) : strategy;
}

SessionState stateAt(const Sweep &sweep, std::size_t point) {
    const std::size_t rows = sweep.y ? sweep.y->values.size() : 1;
    const Space &space = scenarioSpace();
    SessionState state = withValue(sweep.state, space[sweep.x.dimension], sweep.x.values[point / rows]);
    return sweep.y ? withValue(std::move(state), space[sweep.y->dimension], sweep.y->values[point % rows]) : state;
}

ScenarioFigures figuresOf(const SessionState &state, Side side, const std::stop_token &stop) {
    if (std::holds_alternative<Measured>(state.side(side).source))
        return measuredFigures(state, stop);
    if (const auto *planned = std::get_if<Planned>(&state.side(side).source))
        return plannedFigures(*planned->work, state, side, stop);
    if (!state.side(side).hasScenario())
        return {};
    const auto scenario = makeScenario(state, side);
    if (!scenario)
        return {.error = scenario.error().toString()};
    const auto run = simulateFigures(*scenario, stop);
    if (!run)
        return {.error = run.error().toString()};
    return {(*run)->iterationSeconds, (*run)->samplesPerSecond, iterationStatistics(**run).exposedSeconds,
            static_cast<double>(scenario->cluster->nodes.size()), trainingMemory(**run).deviceBytes()};
}

void addKept(std::vector<ScenarioRow> &rows, const std::vector<KeptScenario> &kept) {
    for (std::size_t k = 0; k < kept.size(); ++k)
        for (const Side side : {Side::A, Side::B}) {
            const KeptScenario &scenario = kept[k];
            if (side == Side::B && !scenario.state.compare)
                continue;
            ScenarioRow row{.source = RowSource::Kept, .number = static_cast<std::int64_t>(k), .side = side};
            row.name = QString::fromStdString(scenario.name);
            row.what = sideText(scenario.state.side(side));
            row.job = jobText(scenario.state);
            row.statesBatch = !scenario.state.job || statesBatch(*scenario.state.job);
            row.cluster = clusterText(scenario.state, side);
            row.note = QString::fromStdString(scenario.note);
            row.keptAt = scenario.keptAt;
            if (const auto &seconds = scenario.iterationSeconds[indexOf(side)])
                row.figures.iterationSeconds = *seconds;
            rows.push_back(std::move(row));
        }
}

void addSearch(std::vector<ScenarioRow> &rows, const Searcher &searcher, const std::set<std::int64_t> &pins) {
    if (!searcher.plan())
        return;
    const SessionState &state = searcher.plan()->state;
    std::set<std::int64_t> wanted;
    using Kind = CandidateId::Kind;
    const SearchHistory &history = searcher.history();
    if (const std::int64_t best = bestOf(searcher, history.baselines, Kind::Baseline); best >= 0)
        wanted.insert(CandidateId{Kind::Baseline, static_cast<std::size_t>(best)}.row());
    if (const std::int64_t best = bestOf(searcher, history.trials, Kind::Trial); best >= 0)
        wanted.insert(best);
    if (const auto tuned = searcher.bestTuned())
        wanted.insert(tuned->row());
    for (const std::int64_t pin : pins) {
        const CandidateId id = CandidateId::ofRow(pin);
        if (id.index < (id.kind == Kind::Trial ? history.trials.size() : history.baselines.size()))
            wanted.insert(pin);
    }
    if (wanted.empty())
        return;
    const double nodes = static_cast<double>(effectiveCluster(state, Side::A).nodes.size());
    for (const std::int64_t number : wanted) {
        const CandidateId id = CandidateId::ofRow(number);
        const CandidateMetrics &metrics = searcher.metricsOf(id);
        ScenarioRow row{.source = RowSource::Search, .number = number};
        row.name = candidateName(searcher, id);
        row.what = QStringLiteral("%1 · %2").arg(row.name, QString::fromStdString(state.side(Side::A).policy));
        row.job = jobText(state);
        row.statesBatch = statesBatch(*state.job);
        row.cluster = clusterText(state, Side::A);
        row.note = saidRule(searcher.explanation(id));
        row.figures = {.iterationSeconds = metrics.iterationSeconds,
                       .samplesPerSecond = metrics.samplesPerSecond,
                       .exposedSeconds = metrics.exposedSeconds,
                       .nodes = nodes,
                       .error = searcher.errorOf(id)};
        rows.push_back(std::move(row));
    }
}

void addSweep(std::vector<ScenarioRow> &rows, const Sweep &sweep) {
    if (showsDag(sweep.state))
        return; // each point has a plan of its own, which is made when the point is chosen
    const Dimension &x = scenarioSpace()[sweep.x.dimension];
    const std::size_t columns = sweep.y ? sweep.y->values.size() : 1;
    const std::array what{sideText(sweep.state.side(Side::A)), sideText(sweep.state.side(Side::B))};
    const std::array cluster{clusterText(sweep.state, Side::A), clusterText(sweep.state, Side::B)};
    for (std::size_t p = 0; p < sweep.size(); ++p)
        for (const Side side : {Side::A, Side::B}) {
            if (side == Side::B && !sweep.state.compare)
                continue;
            const SweepPoint &point = sweep.points[indexOf(side)][p];
            if (std::isnan(point.iterationSeconds) && point.error.empty())
                continue; // not simulated yet
            ScenarioRow row{.source = RowSource::Sweep, .number = static_cast<std::int64_t>(p), .side = side};
            row.name = QStringLiteral("%1 %2").arg(knobName(x), QString::fromStdString(x.format(sweep.x.values[p / columns])));
            if (sweep.y) {
                const Dimension &y = scenarioSpace()[sweep.y->dimension];
                row.name +=
                    QStringLiteral(", %1 %2").arg(knobName(y), QString::fromStdString(y.format(sweep.y->values[p % columns])));
            }
            row.what = what[indexOf(side)];
            row.job = jobText(sweep.state);
            row.statesBatch = statesBatch(*sweep.state.job);
            row.cluster = cluster[indexOf(side)];
            row.figures = {.iterationSeconds = point.iterationSeconds,
                           .samplesPerSecond = point.samplesPerSecond,
                           .exposedSeconds = point.exposedSeconds,
                           .nodes = point.nodes,
                           .peakMemoryBytes = point.peakMemoryBytes,
                           .error = point.error};
            rows.push_back(std::move(row));
        }
}

} // namespace syncopate::ui
