// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/cost_curves.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace syncopate {

namespace {

constexpr int gridPoints = 96;     ///< in geometric progression from the smallest to the largest size
constexpr double sameTime = 1e-12; ///< relative: differences up to this are rounding
constexpr double fastestTolerance = 1e-9;

std::int32_t groupFor(std::int32_t processes, std::int32_t processesPerNode) {
    if (processesPerNode > 1 && processesPerNode < processes && processes % processesPerNode == 0)
        return processesPerNode;
    for (std::int32_t k = 2; k < processes; ++k)
        if (processes % k == 0)
            return k;
    return 1;
}

void sortEachOnce(std::vector<double> &sizes) {
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
}

/// Sizes in geometric progression, and those at which a measured curve bends: at most maxCurveBends of them, evenly thinned.
std::vector<double> sizesOf(const std::vector<MotifCurve> &curves, double minBytes, double maxBytes) {
    std::vector<double> sizes, bends;
    for (int i = 0; i < gridPoints; ++i)
        sizes.push_back(minBytes * std::pow(maxBytes / minBytes, i / static_cast<double>(gridPoints - 1)));
    sizes.front() = minBytes;
    sizes.back() = maxBytes;
    for (const MotifCurve &curve : curves)
        for (const CollectiveSample &sample : curve.samples)
            if (sample.sizeBytes > minBytes && sample.sizeBytes < maxBytes)
                bends.push_back(sample.sizeBytes);
    sortEachOnce(bends);
    const std::size_t step = (bends.size() + maxCurveBends - 1) / maxCurveBends;
    for (std::size_t b = 0; b < bends.size(); b += step)
        sizes.push_back(bends[b]);
    sortEachOnce(sizes);
    return sizes;
}

bool isSame(const CostCurve &a, const CostCurve &b) {
    for (std::size_t p = 0; p < a.points.size(); ++p)
        if (std::abs(a.points[p].seconds - b.points[p].seconds) > sameTime * a.points[p].seconds)
            return false;
    return true;
}

/// Makes the curves of one collective.
class CurveMaker {
public:
    CurveMaker(const DagOp &like, std::int32_t processes, const MotifCosts &costs, std::vector<double> sizes)
        : m_like(like), m_processes(processes), m_costs(costs), m_model(costs), m_sizes(std::move(sizes)) {
        m_model.curves.clear();
    }

    void add(std::vector<CostCurve> &curves, const MotifCut &cut, const Channel &channel, ChannelId number, bool isPriced) {
        const auto motifs = cutMotifs(*m_like.collective, cut, m_like.membersAmong(m_processes));
        CostCurve curve{.cut = cut, .channel = number, .isPriced = isPriced};
        curve.isMeasured = isPriced && std::any_of(motifs.begin(), motifs.end(), [&](const Motif &motif) {
                               return m_costs.isMeasured(motif, m_like, m_processes, channel);
                           });
        DagOp op = m_like;
        for (const double size : m_sizes) {
            op.sizeBytes = size;
            double seconds = 0;
            for (const Motif &motif : motifs)
                seconds += (isPriced ? m_costs : m_model).seconds(motif, op, m_processes, channel);
            curve.points.push_back({size, seconds});
        }
        for (std::size_t c = 0; c < curves.size() && curve.sameAs < 0; ++c)
            if (curves[c].sameAs < 0 && curves[c].channel == number && curves[c].isPriced == isPriced && isSame(curves[c], curve))
                curve.sameAs = static_cast<std::int32_t>(c);
        curves.push_back(std::move(curve));
    }

private:
    const DagOp &m_like;
    std::int32_t m_processes;
    const MotifCosts &m_costs;
    MotifCosts m_model; ///< ignores the measurements
    std::vector<double> m_sizes;
};

/// Where two curves sampled at the same sizes cross, as (size, seconds); `firstIsBelow`: the first is faster before it.
struct Crossing {
    double sizeBytes = 0, seconds = 0;
    bool firstIsBelow = false;
};

std::vector<Crossing> crossingsBetween(const CostCurve &a, const CostCurve &b) {
    std::vector<Crossing> crossings;
    double before = 0; // the last difference other than zero
    std::size_t at = 0;
    for (std::size_t p = 0; p < a.points.size(); ++p) {
        const double first = a.points[p].seconds, difference = first - b.points[p].seconds;
        if (std::abs(difference) <= sameTime * first)
            continue;
        if (before != 0 && (before < 0) != (difference < 0)) {
            const CollectiveSample &from = a.points[at], &to = a.points[p];
            const double share = p == at + 1 ? before / (before - difference) : 0;
            // The curves are equal in between: they cross where they begin to be.
            const CollectiveSample &equal = p == at + 1 ? from : a.points[at + 1];
            crossings.push_back({equal.sizeBytes + share * (to.sizeBytes - equal.sizeBytes),
                                 equal.seconds + share * (to.seconds - equal.seconds), before < 0});
        }
        before = difference;
        at = p;
    }
    return crossings;
}

} // namespace

double CostCurve::seconds(double sizeBytes) const {
    const auto above = std::lower_bound(points.begin(), points.end(), sizeBytes,
                                        [](const CollectiveSample &point, double size) { return point.sizeBytes < size; });
    if (above == points.begin() || above == points.end())
        return above == points.end() ? points.back().seconds : above->seconds;
    const CollectiveSample &below = *std::prev(above);
    return below.seconds +
           (above->seconds - below.seconds) * (sizeBytes - below.sizeBytes) / (above->sizeBytes - below.sizeBytes);
}

std::vector<MotifCut> comparedCuts(CollectiveKind kind, std::int32_t processes, std::int32_t processesPerNode) {
    std::vector<MotifCut> cuts{MotifCut{}};
    const std::int32_t group = groupFor(processes, processesPerNode);
    if (kind == CollectiveKind::AllReduce) {
        cuts.push_back({.ring = true});
        if (group > 1)
            cuts.push_back({.tree = group});
    }
    if (hasSplines(kind) && kind != CollectiveKind::Permute) // whose splines each take as long as the whole; it has no groups
        for (const std::int32_t splines : {2, 4})
            if (processes % splines == 0)
                cuts.push_back({.splines = splines});
    if (group > 1 && kind != CollectiveKind::Permute)
        cuts.push_back({.partition = group});
    return cuts;
}

std::vector<Crossover> crossoversOf(const std::vector<CostCurve> &curves) {
    std::vector<std::size_t> priced;
    for (std::size_t c = 0; c < curves.size(); ++c)
        if (curves[c].isPriced && curves[c].sameAs < 0)
            priced.push_back(c);
    std::vector<Crossover> found;
    for (std::size_t i = 0; i < priced.size(); ++i)
        for (std::size_t j = i + 1; j < priced.size(); ++j)
            for (const Crossing &crossing : crossingsBetween(curves[priced[i]], curves[priced[j]])) {
                Crossover crossover{priced[i], priced[j], crossing.sizeBytes, crossing.seconds};
                if (!crossing.firstIsBelow)
                    std::swap(crossover.below, crossover.above);
                crossover.isOfFastest = std::all_of(priced.begin(), priced.end(), [&](std::size_t c) {
                    return curves[c].seconds(crossing.sizeBytes) >= crossing.seconds * (1 - fastestTolerance);
                });
                found.push_back(crossover);
            }
    std::stable_sort(found.begin(), found.end(),
                     [](const Crossover &a, const Crossover &b) { return a.sizeBytes < b.sizeBytes; });
    return found;
}

CostCurves costCurves(const DagOp &like, std::int32_t processes, const std::vector<Channel> &channels, const MotifCosts &costs,
                      double minBytes, double maxBytes) {
    CostCurves made;
    const std::size_t shown = std::min(channels.size(), maxCurveChannels);
    made.channelsLeftOut = channels.size() - shown;
    CurveMaker maker(like, processes, costs, sizesOf(costs.curves, minBytes, maxBytes));
    auto cuts = comparedCuts(*like.collective, like.membersAmong(processes), costs.processesPerNode);
    if (like.isUneven()) // validatePlan() allows no others
        std::erase_if(cuts, [](const MotifCut &cut) { return cut.splines > 1 || cut.tree > 1 || cut.partition > 1; });
    for (std::size_t c = 0; c < shown; ++c)
        for (const MotifCut &cut : cuts)
            maker.add(made.curves, cut, channels[c], ChannelId(c), true);
    // Where the whole collective was measured, the model's curve is shown beside it.
    for (std::size_t c = 0, count = made.curves.size(); c < count; ++c)
        if (made.curves[c].isMeasured && made.curves[c].cut == MotifCut{}) {
            const ChannelId channel = made.curves[c].channel;
            maker.add(made.curves, {}, channels[channel.index()], channel, false);
        }
    made.crossovers = crossoversOf(made.curves);
    return made;
}

} // namespace syncopate
