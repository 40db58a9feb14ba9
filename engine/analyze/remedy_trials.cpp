// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/remedy_trials.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace syncopate {

namespace {

/// Whether both simulate alike. They belong to one run, so the rest is equal.
bool isSameScenario(const Scenario &a, const Scenario &b) {
    return a.policy == b.policy && (a.cluster == b.cluster || *a.cluster == *b.cluster) &&
           (a.strategy == b.strategy || (a.strategy->nodes == b.strategy->nodes && a.strategy->replicas == b.strategy->replicas));
}

} // namespace

bool ranksBefore(const RemedyRow &a, const RemedyRow &b) {
    if (a.helps() != b.helps())
        return a.helps();
    if (std::isnan(a.gain) || std::isnan(b.gain))
        return !std::isnan(a.gain) && std::isnan(b.gain);
    if (a.gain != b.gain)
        return a.gain > b.gain;
    return a.iterationSeconds.value_or(0) < b.iterationSeconds.value_or(0);
}

void insertRanked(std::vector<RemedyRow> &rows, RemedyRow row) {
    const auto place = std::upper_bound(rows.begin(), rows.end(), row, ranksBefore);
    rows.insert(place, std::move(row));
}

RemedyTrials::RemedyTrials(const Run &run, std::size_t budget)
    : m_run(run), m_present(fingerprintOf(*run.scenario.strategy)), m_left(budget) {}

RemedyTrials::Seen RemedyTrials::seenOf(const Scenario &scenario) const {
    return {scenario.strategy == m_run.scenario.strategy ? m_present : fingerprintOf(*scenario.strategy), scenario.cluster,
            scenario.policy};
}

bool RemedyTrials::isSame(const Seen &a, const Seen &b) {
    return a.strategy == b.strategy && a.policy == b.policy && (a.cluster == b.cluster || *a.cluster == *b.cluster);
}

double RemedyTrials::doubtOf(double confidence) const {
    const double both = m_run.confidence + confidence;
    return std::isfinite(both) ? both : 0;
}

bool RemedyTrials::admits(const Scenario &scenario) {
    Seen seen = seenOf(scenario);
    const auto same = [&](const Seen &other) { return isSame(seen, other); };
    if (same(seenOf(m_run.scenario)) || std::any_of(m_seen.begin(), m_seen.end(), same))
        return false;
    m_seen.push_back(std::move(seen));
    if (m_left == 0) {
        m_leftOut.push_back(m_seen.back());
        return false;
    }
    --m_left;
    return true;
}

void RemedyTrials::insert(RemedyRow row) {
    ++m_tried;
    if (row.remedy.kind == RemedyKind::TunedBuilder) {
        const auto isFamily = [&](const RemedyRow &other) { return other.family == row.family; };
        if (std::ranges::any_of(m_rows, [&](const RemedyRow &other) { return isFamily(other) && !ranksBefore(row, other); }))
            return;
        std::erase_if(m_rows,
                      [&](const RemedyRow &other) { return isFamily(other) && other.remedy.kind == RemedyKind::TunedBuilder; });
    }
    insertRanked(m_rows, std::move(row));
}

void RemedyTrials::setFigures(RemedyRow &row, const Result<SimulatedIteration> &iteration) const {
    if (iteration) {
        const bool sameWorkers = row.remedy.scenario().cluster->replicaCount() == m_run.workers;
        row.iterationSeconds = iteration->iterationSeconds;
        row.gain = 1 - (sameWorkers ? iteration->iterationSeconds / m_run.iterationSeconds
                                    : m_run.samplesPerSecond / iteration->samplesPerSecond);
        row.doubt = doubtOf(iteration->confidence);
    } else {
        row.iterationSeconds = Unexpected(iteration.error());
    }
}

void RemedyTrials::add(Remedy remedy, double iterationSeconds, double confidence) {
    const auto isListed = [&](const RemedyRow &row) { return isSameScenario(row.remedy.scenario(), remedy.scenario()); };
    if (isSameScenario(m_run.scenario, remedy.scenario()) || std::ranges::any_of(m_rows, isListed))
        return; // not m_seen: a remedy over budget was seen but has no figure
    Seen seen = seenOf(remedy.scenario());
    std::erase_if(m_leftOut, [&](const Seen &other) { return isSame(other, seen); });
    m_seen.push_back(std::move(seen));
    RemedyRow row{std::move(remedy), iterationSeconds, 1 - iterationSeconds / m_run.iterationSeconds};
    row.doubt = doubtOf(confidence);
    insert(std::move(row));
}

} // namespace syncopate
