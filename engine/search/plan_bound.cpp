// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/plan_search.h"

#include "engine/base/numbers.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace syncopate {

namespace {

/// The share by which a bound is lowered: a bound and its iteration may add up the same times in different orders, and rounding
/// must not lift the bound above the iteration.
constexpr double rounding = 1e-10;
constexpr std::size_t maxKinds = 64; ///< of differentProcesses(); fewer than there are make the bound lower

/// Steps in which data of one process can reach all of `members`, where each may send over `channels` at once: in a step every
/// process that has it sends it to one more on each.
double spreadingSteps(std::int32_t members, std::size_t channels) {
    double steps = 0;
    for (double reached = 1; reached < members; reached *= 1 + static_cast<double>(channels))
        ++steps;
    return steps;
}

/// The min number of steps of a whole comm-op, whose splines may be on all channels at once.
double minSteps(CollectiveKind kind, std::int32_t members, std::size_t channels) {
    return kind == CollectiveKind::Permute ? 1 : spreadingSteps(members, channels);
}

/// How long comm-ops would occupy the links.
struct LinkLoads {
    std::vector<std::vector<std::size_t>> linksOf; ///< per channel, as indices from 0
    std::size_t links = 0;
    std::vector<std::vector<double>> seconds; ///< per comm-op and channel, at least
    std::vector<double> fastest;              ///< per op: its latency or, if longer, the whole of it on all channels at once
};

LinkLoads linkLoads(const PlanRequest &request, const TrainingDag &dag, MotifCosts::Cut around, const std::stop_token &stop) {
    LinkLoads loads;
    std::map<std::string, std::size_t> links;
    for (const Channel &channel : request.channels) {
        loads.linksOf.emplace_back();
        for (const std::string &link : channel.links)
            loads.linksOf.back().push_back(links.try_emplace(link, links.size()).first->second);
    }
    loads.links = links.size();
    loads.fastest.assign(dag.ops.size(), 0);
    for (std::size_t o = 0; o < dag.ops.size() && !stop.stop_requested(); ++o) {
        if (dag.ops[o].isCompute())
            continue;
        loads.seconds.emplace_back();
        double together = 0; // rate of all channels at once
        double latency = infinity;
        for (const Channel &channel : request.channels) {
            loads.seconds.back().push_back(request.costs.boundSeconds(dag.ops[o], dag.processes, channel, around));
            together += 1 / loads.seconds.back().back(); // infinite where one takes no time
            latency = std::min(latency, channel.latencySeconds);
        }
        if (request.costs.curves.empty()) // measured times include latencies
            loads.fastest[o] = latency * minSteps(*dag.ops[o].collective, dag.groupSize(dag.ops[o]), request.channels.size());
        loads.fastest[o] = std::max(loads.fastest[o], 1 / together);
    }
    return loads;
}

/// Assigns each comm-op to the channel that is cheapest when a second of each link costs `prices`. Returns the total cost and
/// fills in the seconds that each link then carries.
double cheapestAssignment(const LinkLoads &loads, const std::vector<double> &prices, std::vector<double> &carried) {
    std::fill(carried.begin(), carried.end(), 0);
    double paid = 0;
    for (const auto &op : loads.seconds) {
        std::size_t best = 0;
        double bestCost = infinity;
        for (std::size_t c = 0; c < op.size(); ++c) {
            double price = 0;
            for (const std::size_t link : loads.linksOf[c])
                price += prices[link];
            if (op[c] * price < bestCost) {
                bestCost = op[c] * price;
                best = c;
            }
        }
        paid += bestCost;
        for (const std::size_t link : loads.linksOf[best])
            carried[link] += op[best];
    }
    return paid;
}

/// Minimum seconds of the busiest link, however comm-ops are spread over channels: at prices that sum to 1, the total cost is no
/// more than it carries. By multiplicative weights, links that the cheapest assignment overloads get dearer.
double heaviestLinkSeconds(const LinkLoads &loads, const std::stop_token &stop) {
    double bound = 0;
    std::vector<double> prices(loads.links, 1.0 / static_cast<double>(loads.links)), carried(loads.links);
    for (int round = 0; round < 500 && !stop.stop_requested(); ++round) {
        bound = std::max(bound, cheapestAssignment(loads, prices, carried));
        const double heaviest = *std::max_element(carried.begin(), carried.end());
        double sum = 0;
        for (std::size_t l = 0; l < prices.size(); ++l)
            sum += prices[l] *= std::exp(heaviest > 0 ? carried[l] / heaviest / (4 + 0.1 * round) : 0);
        for (double &price : prices)
            price /= sum;
    }
    return bound;
}

/// The bound with bytes counted around processes or around nodes.
double boundSeconds(const PlanRequest &request, MotifCosts::Cut around, const std::stop_token &stop) {
    const TrainingDag dag = withSubmission(*request.dag, true);
    const LinkLoads loads = linkLoads(request, dag, around, stop);
    return std::max({dag.computeSeconds(), ListScheduler(dag, request.channels).pathBoundSeconds(loads.fastest, stop),
                     heaviestLinkSeconds(loads, stop)});
}

double largerBoundSeconds(const PlanRequest &request, const std::stop_token &stop) {
    return std::max(boundSeconds(request, MotifCosts::Cut::Process, stop), boundSeconds(request, MotifCosts::Cut::Node, stop));
}

/// One process of each kind, where processes in groups of the same sizes are of one kind; at most maxKinds.
std::vector<std::int32_t> differentProcesses(const TrainingDag &dag) {
    std::set<std::vector<std::int32_t>> divisions;
    for (const DagOp &op : dag.ops)
        if (op.isUneven())
            divisions.insert(op.groupSizes);
    std::vector<std::int32_t> kinds(asIndex(dag.processes), 0);
    for (const std::vector<std::int32_t> &division : divisions) {
        std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> numbers; // by kind so far, size of the group
        auto kind = kinds.begin();
        for (const std::int32_t size : division)
            for (const auto end = kind + size; kind != end; ++kind)
                *kind = numbers.try_emplace({*kind, size}, static_cast<std::int32_t>(numbers.size())).first->second;
    }
    std::vector<std::int32_t> processes;
    std::set<std::int32_t> seen;
    for (std::int32_t p = 0; p < dag.processes && processes.size() < maxKinds; ++p)
        if (seen.insert(kinds[asIndex(p)]).second)
            processes.push_back(p);
    return processes;
}

/// The size of the group that a process is in.
std::int32_t ownGroupSize(const std::vector<std::int32_t> &sizes, std::int32_t process) {
    auto size = sizes.begin();
    for (; process >= *size; ++size)
        process -= *size;
    return *size;
}

/// The DAG as one process sees it: all groups have the sizes of its own.
TrainingDag dagOfProcess(TrainingDag dag, std::int32_t process) {
    for (DagOp &op : dag.ops)
        if (op.isUneven())
            op = ofGroupSize(op, ownGroupSize(op.groupSizes, process));
    return dag;
}

} // namespace

double planBoundSeconds(const PlanRequest &request, const std::stop_token &stop) {
    if (std::ranges::none_of(request.dag->ops, [](const DagOp &op) { return op.isUneven(); }))
        return largerBoundSeconds(request, stop) * (1 - rounding);
    double bound = 0;
    PlanRequest own = request;
    for (const std::int32_t process : differentProcesses(*request.dag)) {
        if (stop.stop_requested())
            break;
        own.dag = std::make_shared<const TrainingDag>(dagOfProcess(*request.dag, process));
        bound = std::max(bound, largerBoundSeconds(own, stop));
    }
    return bound * (1 - rounding);
}

std::string describeAboveBound(double iterationSeconds, double boundSeconds) {
    if (!(boundSeconds > 0) && iterationSeconds > 0)
        return "above";
    const double above = boundSeconds > 0 ? iterationSeconds / boundSeconds - 1 : 0;
    if (above < -1e-6)
        return "below it, as the bound leaves out trees and partitions of collectives that were measured only whole";
    return fmt::format("{:.1f} % above", 100 * std::max(above, 0.0));
}

} // namespace syncopate
