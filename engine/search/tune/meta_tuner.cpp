// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/tune/meta_tuner.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <span>
#include <utility>

namespace syncopate {

namespace {

constexpr std::size_t partitions = 24, credits = 16; ///< values per axis from which pairs are formed
constexpr std::size_t maxSeen = 16;                  ///< newest samples that the network is adapted to

SchedulerSetting settingOf(const std::vector<double> &values) { return {values[0], values[1]}; }

/// Coordinate of a credit: at whole multiples of the partition if the axis asks for it, else in even steps.
double creditCoordinate(const TuneAxis &axis, std::size_t step) {
    const double share = static_cast<double>(step) / (credits - 1);
    return axis.multipleOf ? axis.coordinateOf(axis.min + share * (axis.max - axis.min)) : share;
}

} // namespace

double MetaTuner::partitionCount(const Job &job, double partitionBytes) {
    double count = 0;
    for (const Variable &variable : job.variables)
        count += std::ceil(std::max(1.0, variable.gradientBytes() / partitionBytes));
    return count;
}

bool MetaTuner::tunes(const TuneSpace &space) {
    const auto &axes = space.axes();
    return axes.size() == 2 && axes[0].of().id == "partition" && axes[1].of().id == "credit" &&
           space.recipe().policy.kind().name == "bytescheduler";
}

Result<MetaTuner> MetaTuner::make(const TuneSpace &space, std::shared_ptr<const MetaNetwork> network) {
    if (!tunes(space))
        return fail("the meta-network knows bytescheduler's partition and credit alone, in this order",
                    "tune them, or choose another method");
    MetaTuner tuner(network ? *network : TRY(shippedMetaNetwork()));
    tuner.m_points = candidatePoints(space);
    for (const TunePoint &point : tuner.m_points) {
        tuner.m_values.push_back(space.valuesAt(point));
        tuner.m_settings.push_back(settingOf(tuner.m_values.back()));
    }
    if (tuner.m_points.empty())
        return fail(fmt::format("every partition of the range cuts the job into more than {:.0f} pieces", maxPartitions),
                    "allow larger partitions, or choose another method");
    return tuner;
}

std::vector<TunePoint> MetaTuner::candidatePoints(const TuneSpace &space) {
    std::vector<TunePoint> points;
    std::vector<std::vector<double>> known;
    for (std::size_t p = 0; p < partitions; ++p)
        for (std::size_t c = 0; c < credits; ++c) {
            TunePoint point{static_cast<double>(p) / (partitions - 1), creditCoordinate(space.axes()[1], c)};
            std::vector<double> values = space.valuesAt(point);
            if (partitionCount(*space.recipe().job, values[0]) > maxPartitions ||
                std::find(known.begin(), known.end(), values) != known.end())
                continue;
            known.push_back(std::move(values));
            points.push_back(std::move(point));
        }
    return points;
}

void MetaTuner::observe(const RuntimeMetrics &metrics, const std::vector<double> &values, double samplesPerSecond) {
    if (!(samplesPerSecond > 0) || !std::isfinite(samplesPerSecond))
        return;
    const SchedulerSetting setting = settingOf(values);
    const double predicted = m_network.samplesPerSecond(metrics, {&setting, 1}).front();
    if (m_seen.size() == maxSeen)
        m_seen.erase(m_seen.begin());
    m_seen.push_back({metrics, {setting}, {samplesPerSecond}});
    if (std::abs(predicted / samplesPerSecond - 1) <= adaptFrom)
        return;
    m_network.adapt(m_seen);
    ++m_adaptations;
}

MetaTuner::Proposal MetaTuner::propose(const RuntimeMetrics &metrics, const std::vector<double> &present) const {
    std::vector<SchedulerSetting> settings = m_settings;
    settings.push_back(settingOf(present));
    const std::vector<double> speeds = m_network.samplesPerSecond(metrics, settings);
    const std::size_t chosen = choosePair(m_settings, std::span(speeds).first(m_settings.size())).value_or(0);
    return {m_points[chosen], m_values[chosen], speeds[chosen], speeds[chosen] / speeds.back() - 1};
}

std::optional<TunePoint> MetaTuner::proposeUnlike(const RuntimeMetrics &metrics,
                                                  const std::vector<std::vector<double>> &tried) const {
    const std::vector<double> speeds = m_network.samplesPerSecond(metrics, m_settings);
    std::vector<SchedulerSetting> others;
    std::transform(tried.begin(), tried.end(), std::back_inserter(others), settingOf);
    const auto chosen = choosePair(m_settings, speeds, others);
    return chosen ? std::optional(m_points[*chosen]) : std::nullopt;
}

MetaSearch::MetaSearch(const TuneSpace &space, std::string text, MetaTuner tuner, RuntimeMetrics metrics, std::size_t tries)
    : PointSearch(space, std::move(text),
                  fmt::format("the middle of the fastest of {} pairs by AutoByte's meta-network, adapted where it is off",
                              tuner.candidates())),
      m_tuner(std::move(tuner)), m_metrics(std::move(metrics)), m_tries(tries) {}

const ExpressionInfo &MetaSearch::info() {
    static const ExpressionInfo info{
        "meta",
        "AutoByte's meta-network predicts every pair of partition and credit, and the fastest are tried",
        {{"tries",
          ArgumentKind::Integer,
          std::to_string(defaultTries),
          1,
          16,
          {},
          "pairs",
          "Pairs that are tried, each unlike the earlier ones"}}};
    return info;
}

Result<std::unique_ptr<PointSearch>> MetaSearch::make(const Expression &expression, const TuneSpace &space,
                                                      std::shared_ptr<const MetaNetwork> network) {
    const ArgumentValues values = TRY(ArgumentValues::read(expression, info()));
    auto tuner = TRY(MetaTuner::make(space, std::move(network)));
    const Scenario scenario = TRY(space.scenarioOf(space.presentValues()));
    return std::unique_ptr<PointSearch>(new MetaSearch(space, values.text(), std::move(tuner), TRY(runtimeMetricsOf(scenario)),
                                                       static_cast<std::size_t>(values.number("tries"))));
}

Result<std::vector<Genes>> MetaSearch::ask(std::uint64_t /*first*/, std::stop_token /*stop*/) {
    if (!m_hasBegun) { // with the present setting
        m_hasBegun = true;
        return std::vector<Genes>{{{}, space().pointOf(space().presentValues())}};
    }
    while (m_asked.size() < m_tries) {
        const auto point = m_tuner.proposeUnlike(m_metrics, m_asked);
        if (!point)
            break;
        m_asked.push_back(space().valuesAt(*point));
        if (m_asked.back() != space().presentValues()) // which is known
            return std::vector<Genes>{{{}, *point}};
    }
    return std::vector<Genes>();
}

void MetaSearch::tell(const std::vector<SearchTrial> &batch) {
    for (const SearchTrial &trial : batch)
        m_tuner.observe(m_metrics, valuesOf(trial.genes), trial.metrics.samplesPerSecond);
}

} // namespace syncopate
