// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/plan_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace syncopate {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Min seconds of link that the whole of a comm-op takes on a channel: what has to cross a cut; of measured collectives per cut
/// the share that the cheapest of its motifs has.
double cheapestSeconds(const PlanRequest &request, const DagOp &op, const Channel &channel, MotifCosts::Cut around) {
    const std::int32_t processes = request.dag->processes;
    if (!request.costs.isMeasured(*op.collective))
        return request.costs.cutBoundSeconds(op, processes, channel, around);
    const std::int32_t members = request.dag->groupSize(op);
    const double whole = sentBytes({*op.collective}, op.sizeBytes, members);
    double cheapest = infinity;
    for (std::int32_t segments = 1; segments <= request.maxSegments; segments *= 2)
        for (const std::int32_t splines : {1, 2, 4, 8})
            for (const bool ring : {false, true}) {
                const bool allToAll = op.collective == CollectiveKind::AllToAll;
                if ((splines > 1 && (!allToAll || members % splines != 0)) ||
                    (ring && op.collective != CollectiveKind::AllReduce))
                    continue;
                for (const Motif &motif : cutMotifs(*op.collective, {segments, splines, ring}))
                    if (const double bytes = sentBytes(motif, op.sizeBytes, members); bytes > 0)
                        cheapest = std::min(cheapest, request.costs.seconds(motif, op, processes, channel) * whole / bytes);
            }
    return std::isfinite(cheapest) ? cheapest : 0;
}

/// The bound where bytes are counted around processes or around nodes.
double boundSeconds(const PlanRequest &request, MotifCosts::Cut around) {
    const TrainingDag dag = withSubmission(*request.dag, true);
    std::map<std::string, std::size_t> links;
    std::vector<std::vector<std::size_t>> linksOf;
    for (const Channel &channel : request.channels) {
        linksOf.emplace_back();
        for (const std::string &link : channel.links)
            linksOf.back().push_back(links.try_emplace(link, links.size()).first->second);
    }
    std::vector<std::vector<double>> seconds; // comm-ops x channels
    std::vector<double> fastest(dag.ops.size(), 0);
    for (std::size_t o = 0; o < dag.ops.size(); ++o) {
        if (dag.ops[o].isCompute())
            continue;
        seconds.emplace_back();
        double together = 0; // all channels at once
        double latency = infinity;
        for (const Channel &channel : request.channels) {
            seconds.back().push_back(cheapestSeconds(request, dag.ops[o], channel, around));
            together += 1 / std::max(seconds.back().back(), 1e-300);
            latency = std::min(latency, channel.latencySeconds);
        }
        // Whatever its motifs are, news of one process reach all others in no fewer steps than by doubling.
        if (!request.costs.isMeasured(*dag.ops[o].collective))
            fastest[o] = latency * std::ceil(std::log2(dag.groupSize(dag.ops[o])));
        fastest[o] = std::max(fastest[o], 1 / together);
    }
    double bound = std::max(dag.computeSeconds(), ListScheduler(dag, request.channels).pathBoundSeconds(fastest));
    std::vector<double> prices(links.size(), 1.0 / static_cast<double>(links.size()));
    for (int round = 0; round < 500; ++round) {
        std::vector<double> load(links.size(), 0);
        double cost = 0;
        for (const auto &op : seconds) {
            std::size_t best = 0;
            double bestCost = infinity;
            for (std::size_t c = 0; c < op.size(); ++c) {
                double price = 0;
                for (const std::size_t link : linksOf[c])
                    price += prices[link];
                if (op[c] * price < bestCost) {
                    bestCost = op[c] * price;
                    best = c;
                }
            }
            cost += bestCost;
            for (const std::size_t link : linksOf[best])
                load[link] += op[best];
        }
        bound = std::max(bound, cost);
        // Multiplicative weights: links that the cheapest assignment overloads become dearer.
        const double heaviest = *std::max_element(load.begin(), load.end());
        double sum = 0;
        for (std::size_t l = 0; l < prices.size(); ++l)
            sum += prices[l] *= std::exp(heaviest > 0 ? load[l] / heaviest / (4 + 0.1 * round) : 0);
        for (double &price : prices)
            price /= sum;
    }
    return bound;
}

} // namespace

double planBoundSeconds(const PlanRequest &request) {
    return std::max(boundSeconds(request, MotifCosts::Cut::Process), boundSeconds(request, MotifCosts::Cut::Node));
}

} // namespace syncopate
