// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/plan_search.h"

#include "engine/base/rng.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <set>

namespace syncopate {

namespace {

constexpr std::array<std::string_view, planMethodCount> methodNames{"fifo", "bs+", "ho", "exec", "sched", "syndicate"};
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t playedCandidates = 8; ///< the best of a search that are played to choose among

/// How one comm-op is carried out: its cut, and the channel of every motif.
struct OpPlan {
    MotifCut cut{};
    std::vector<std::int32_t> channels;
    bool operator<(const OpPlan &other) const {
        const auto key = [](const OpPlan &plan) { return std::tuple(plan.cut.segments, plan.cut.splines, plan.cut.ring); };
        return std::pair(key(*this), channels) < std::pair(key(other), other.channels);
    }
};
/// Of every op; those of compute-ops are empty.
using Choice = std::vector<OpPlan>;

class PlanSearch {
public:
    PlanSearch(const PlanRequest &request, bool enforced, const std::stop_token &stop)
        : m_request(request), m_dag(withSubmission(*request.dag, enforced)), m_scheduler(m_dag, request.channels), m_stop(stop) {}

    Result<FoundPlan> run(PlanMethod method) {
        FoundPlan found;
        found.method = method;
        switch (method) {
        case PlanMethod::Fifo:
            TRY(keepBest(found, {uniform({}, commonChannel())}, MotifOrder::Submission));
            break;
        case PlanMethod::BsPlus:
            TRY(keepBest(found, segmentations(), MotifOrder::LastSubmitted));
            break;
        case PlanMethod::HandMade:
            TRY(keepBest(found, segmentations(), MotifOrder::AllToAllFirst));
            break;
        case PlanMethod::Sched:
            TRY(keepBest(found, segmentations(), MotifOrder::CriticalPath));
            break;
        case PlanMethod::Exec:
            TRY(search(found, MotifOrder::Submission));
            break;
        case PlanMethod::Syndicate:
            TRY(search(found, MotifOrder::CriticalPath));
            TRY(search(found, MotifOrder::Submission)); // greedy critical paths are not always the better order
            break;
        }
        found.evaluations = m_evaluations;
        return found;
    }

private:
    struct Judged {
        double seconds = infinity;
        Choice choice;
    };

    [[nodiscard]] double motifSeconds(const Motif &motif, std::int32_t op, std::int32_t channel) const {
        return m_request.costs.seconds(motif, m_dag.ops[static_cast<std::size_t>(op)].sizeBytes, m_dag.processes,
                                       m_request.channels[static_cast<std::size_t>(channel)]);
    }
    [[nodiscard]] std::int32_t channelCount() const { return static_cast<std::int32_t>(m_request.channels.size()); }
    [[nodiscard]] CollectiveKind kindOf(std::size_t op) const { return *m_dag.ops[op].collective; }

    /// The channel on which all collectives, whole, take the shortest time together: traditional stacks have one communicator.
    [[nodiscard]] std::int32_t commonChannel() const {
        std::int32_t best = 0;
        double bestSeconds = infinity;
        for (std::int32_t c = 0; c < channelCount(); ++c) {
            double seconds = 0;
            for (const std::int32_t op : m_dag.submissionOrder)
                seconds += motifSeconds({kindOf(static_cast<std::size_t>(op))}, op, c);
            if (seconds < bestSeconds) {
                bestSeconds = seconds;
                best = c;
            }
        }
        return best;
    }

    /// The cut that a kind can have of the one that is wished for.
    [[nodiscard]] MotifCut possible(MotifCut cut, CollectiveKind kind) const {
        if (kind != CollectiveKind::AllToAll || m_dag.processes % cut.splines != 0)
            cut.splines = 1;
        cut.ring = cut.ring && kind == CollectiveKind::AllReduce;
        return cut;
    }
    [[nodiscard]] static std::size_t countOf(const MotifCut &cut) {
        return static_cast<std::size_t>(cut.segments * cut.splines * (cut.ring ? 2 : 1));
    }

    [[nodiscard]] Choice uniform(const MotifCut &cut, std::int32_t channel) const {
        Choice choice(m_dag.ops.size());
        for (const std::int32_t op : m_dag.submissionOrder) {
            OpPlan &plan = choice[static_cast<std::size_t>(op)];
            plan.cut = possible(cut, kindOf(static_cast<std::size_t>(op)));
            plan.channels.assign(countOf(plan.cut), channel);
        }
        return choice;
    }
    /// "The benefit of the segment oracle": every number of segments, whole and in two splines, on the one channel.
    [[nodiscard]] std::vector<Choice> segmentations() const {
        const std::int32_t channel = commonChannel();
        const bool splines = m_dag.processes % 2 == 0 && std::any_of(m_dag.ops.begin(), m_dag.ops.end(), [](const DagOp &op) {
                                 return op.collective == CollectiveKind::AllToAll;
                             });
        std::vector<Choice> choices;
        for (std::int32_t segments = 1; segments <= m_request.maxSegments; segments *= 2)
            for (std::int32_t cuts = 1; cuts <= (splines ? 2 : 1); ++cuts)
                choices.push_back(uniform({segments, cuts, false}, channel));
        return choices;
    }

    struct Lowered {
        std::vector<PlannedMotif> motifs;
        std::vector<double> seconds;
    };
    [[nodiscard]] Lowered lower(const Choice &choice) const {
        Lowered lowered;
        for (std::size_t o = 0; o < m_dag.ops.size(); ++o) {
            if (m_dag.ops[o].isCompute())
                continue;
            std::size_t m = 0;
            for (Motif &motif : cutMotifs(kindOf(o), choice[o].cut)) {
                const std::int32_t channel = choice[o].channels[m++];
                lowered.seconds.push_back(motifSeconds(motif, static_cast<std::int32_t>(o), channel));
                lowered.motifs.push_back({static_cast<std::int32_t>(o), std::move(motif), channel});
            }
        }
        return lowered;
    }

    double judge(const Choice &choice, MotifOrder order) {
        ++m_evaluations;
        const Lowered lowered = lower(choice);
        return m_scheduler.schedule(lowered.motifs, lowered.seconds, order).iterationSeconds;
    }

    /// Plays each choice in the orders of its list schedule, and keeps the best.
    Result<void> keepBest(FoundPlan &found, const std::vector<Choice> &choices, MotifOrder order) {
        double best = found.plan.channels.empty() ? infinity : found.run.iterationSeconds;
        for (const Choice &choice : choices) {
            if (m_stop.stop_requested())
                return cancelled();
            ++m_evaluations;
            Lowered lowered = lower(choice);
            ListSchedule schedule = m_scheduler.schedule(lowered.motifs, lowered.seconds, order);
            ExecutionPlan plan{std::string(nameOf(found.method)), m_dag.name, m_request.channels, std::move(lowered.motifs), {}};
            for (auto *orders : {&schedule.orders, &schedule.plainOrders}) {
                plan.orders = std::move(*orders);
                TRY(validatePlan(plan, m_dag));
                auto run = playPlan(m_dag, plan, m_request.costs, m_stop);
                if (!run && run.error().isCancelled())
                    return cancelled();
                if (!run || !(run->iterationSeconds < best)) // the first may contradict the DAG
                    continue;
                best = run->iterationSeconds;
                found.plan = plan;
                found.run = *std::move(run);
            }
        }
        if (found.plan.channels.empty())
            return internalError("no plan could be played");
        return {};
    }

    /// Every collective whole, on the channel that is fastest for it alone: where Metropolis-Hastings begins.
    [[nodiscard]] Choice greedy() const {
        Choice choice = uniform({}, commonChannel());
        for (const std::int32_t op : m_dag.submissionOrder) {
            double best = infinity;
            for (std::int32_t c = 0; c < channelCount(); ++c)
                if (const double seconds = motifSeconds({kindOf(static_cast<std::size_t>(op))}, op, c); seconds < best) {
                    best = seconds;
                    choice[static_cast<std::size_t>(op)].channels = {c};
                }
        }
        return choice;
    }

    /// Another execution plan for a comm-op: a random cut, all on one channel or spread so that all channels end at once; or one
    /// of its motifs on another channel.
    void transform(Choice &choice, Rng &rng) const {
        const auto draw = [&rng](std::size_t count) { return static_cast<std::size_t>(rng.next() % count); };
        const auto op = static_cast<std::size_t>(m_dag.submissionOrder[draw(m_dag.submissionOrder.size())]);
        OpPlan &plan = choice[op];
        if (plan.channels.size() > 1 && channelCount() > 1 && draw(3) == 0) {
            plan.channels[draw(plan.channels.size())] = static_cast<std::int32_t>(draw(m_request.channels.size()));
            return;
        }
        constexpr std::array<std::int32_t, 6> splines{1, 1, 2, 2, 4, 8};
        std::int32_t segments = 1;
        while (2 * segments <= m_request.maxSegments && draw(2) == 0)
            segments *= 2;
        plan.cut = possible({segments, splines[draw(splines.size())], draw(4) == 0}, kindOf(op));
        if (draw(2) == 0)
            plan.channels.assign(countOf(plan.cut), static_cast<std::int32_t>(draw(m_request.channels.size())));
        else
            spread(plan, op);
    }

    void spread(OpPlan &plan, std::size_t op) const {
        plan.channels.clear();
        std::vector<double> busy(m_request.channels.size(), 0);
        for (const Motif &motif : cutMotifs(kindOf(op), plan.cut)) {
            std::size_t best = 0;
            double bestEnd = infinity;
            for (std::size_t c = 0; c < busy.size(); ++c)
                if (const double end = busy[c] + motifSeconds(motif, static_cast<std::int32_t>(op), static_cast<std::int32_t>(c));
                    end < bestEnd) {
                    bestEnd = end;
                    best = c;
                }
            busy[best] = bestEnd;
            plan.channels.push_back(static_cast<std::int32_t>(best));
        }
    }

    /// Chains have equal shares of the budget.
    [[nodiscard]] bool isOverBudget(std::int32_t chain) const {
        return m_request.budgetSeconds > 0 &&
               std::chrono::steady_clock::now() - m_begin >
                   std::chrono::duration<double>(m_request.budgetSeconds * (chain + 1) / m_request.chains);
    }

    /// What did best in list schedules of one order.
    class Candidates {
    public:
        void keep(double seconds, const Choice &choice) {
            if (m_best.size() < playedCandidates || seconds < m_best.rbegin()->first)
                m_best.emplace(seconds, choice);
            if (m_best.size() > playedCandidates)
                m_best.erase(std::prev(m_best.end()));
        }
        [[nodiscard]] std::vector<Choice> choices() const {
            std::vector<Choice> all;
            for (const auto &[seconds, choice] : m_best)
                all.push_back(choice);
            return all;
        }

    private:
        std::set<std::pair<double, Choice>> m_best;
    };

    /// Chains from the greedy plan and from the best segmentation, in turn; what did best is played.
    Result<void> search(FoundPlan &found, MotifOrder order) {
        Candidates candidates;
        Judged oracle;
        for (Choice &choice : segmentations()) {
            if (m_stop.stop_requested())
                return cancelled();
            if (const double seconds = judge(choice, order); seconds < oracle.seconds)
                oracle = {seconds, std::move(choice)};
        }
        candidates.keep(oracle.seconds, oracle.choice);
        for (std::int32_t chain = 0; chain < m_request.chains; ++chain) {
            Judged begin = oracle;
            if (chain % 2 == 0) {
                begin.choice = greedy();
                begin.seconds = judge(begin.choice, order);
                candidates.keep(begin.seconds, begin.choice);
            }
            TRY(walk(found, std::move(begin), order, chain, candidates));
        }
        return keepBest(found, candidates.choices(), order);
    }

    /// Metropolis-Hastings (pseudocode 1).
    Result<void> walk(FoundPlan &found, Judged now, MotifOrder order, std::int32_t chain, Candidates &candidates) {
        Rng rng(m_request.seed + 0x9e3779b97f4a7c15ULL * static_cast<std::uint64_t>(chain));
        const double scale = m_request.greed / now.seconds;
        double best = now.seconds;
        std::int32_t bestAt = 0;
        for (std::int32_t step = 1; step <= m_request.evaluations && !isOverBudget(chain); ++step) {
            if (m_stop.stop_requested())
                return cancelled();
            if (step > m_request.minEvaluations && step - bestAt > step / 2)
                break;
            Choice proposed = now.choice;
            transform(proposed, rng);
            const double seconds = judge(proposed, order);
            const bool accepted = std::log(rng.uniform(1e-300, 1)) < scale * (now.seconds - seconds);
            if (chain == 0) {
                found.costs.push_back(seconds);
                found.accepted.push_back(accepted);
            }
            if (!accepted)
                continue;
            candidates.keep(seconds, proposed);
            if (seconds < best) {
                best = seconds;
                bestAt = step;
            }
            now = {seconds, std::move(proposed)};
        }
        return {};
    }

    const PlanRequest &m_request;
    const TrainingDag m_dag;
    ListScheduler m_scheduler;
    const std::stop_token &m_stop;
    std::int64_t m_evaluations = 0;
    std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
};

/// Seconds of link that the whole of a comm-op takes on a channel at least, per cut the share that the cheapest of its motifs
/// has.
double cheapestSeconds(const PlanRequest &request, const DagOp &op, const Channel &channel) {
    const std::int32_t processes = request.dag->processes;
    const double whole = sentBytes({*op.collective}, op.sizeBytes, processes);
    double cheapest = infinity;
    for (std::int32_t segments = 1; segments <= request.maxSegments; segments *= 2)
        for (const std::int32_t splines : {1, 2, 4, 8})
            for (const bool ring : {false, true}) {
                const bool allToAll = op.collective == CollectiveKind::AllToAll;
                if ((splines > 1 && (!allToAll || processes % splines != 0)) ||
                    (ring && op.collective != CollectiveKind::AllReduce))
                    continue;
                for (const Motif &motif : cutMotifs(*op.collective, {segments, splines, ring}))
                    if (const double bytes = sentBytes(motif, op.sizeBytes, processes); bytes > 0)
                        cheapest =
                            std::min(cheapest, request.costs.seconds(motif, op.sizeBytes, processes, channel) * whole / bytes);
            }
    return std::isfinite(cheapest) ? cheapest : 0;
}

} // namespace

std::string_view nameOf(PlanMethod method) { return methodNames[static_cast<std::size_t>(method)]; }

Result<PlanMethod> planMethodFromName(std::string_view name) {
    const auto *const found = std::find(methodNames.begin(), methodNames.end(), name);
    if (found == methodNames.end())
        return fail(fmt::format("there is no planning method \"{}\"", name), "use fifo, bs+, ho, exec, sched or syndicate");
    return static_cast<PlanMethod>(found - methodNames.begin());
}

Result<FoundPlan> findPlan(const PlanRequest &request, PlanMethod method, const std::stop_token &stop) {
    TRY(validateDag(*request.dag));
    if (request.dag->submissionOrder.empty())
        return fail("the DAG has no collective to plan", "add one (docs/plan.md)");
    TRY(validateChannels(request.channels));
    if (request.maxSegments < 1 || request.chains < 1)
        return fail("a plan needs a segment and a chain", "ask for one or more");
    const bool enforced = method == PlanMethod::Sched || method == PlanMethod::Syndicate;
    return PlanSearch(request, enforced, stop).run(method);
}

double planBoundSeconds(const PlanRequest &request) {
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
        for (const Channel &channel : request.channels) {
            seconds.back().push_back(cheapestSeconds(request, dag.ops[o], channel));
            together += 1 / std::max(seconds.back().back(), 1e-300);
        }
        fastest[o] = 1 / together;
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

} // namespace syncopate
