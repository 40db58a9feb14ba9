// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/plan_search.h"

#include "engine/base/rng.h"
#include "engine/search/plan_orders.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <tuple>
#include <unordered_map>

namespace syncopate {

namespace {

constexpr std::array<std::string_view, planMethodCount> methodNames{"fifo", "bs+", "ho", "exec", "sched", "syndicate"};
constexpr std::array<std::string_view, planMethodCount> methodTitles{"FIFO", "BS+", "HO", "S-Exec", "S-Sched", "SYNDICATE"};
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int maxTreeLevels = 8;                 ///< that movesAllChunks() proves
constexpr std::size_t playedCandidates = 8;      ///< the best of a search that are played to choose among
constexpr std::int64_t improvingPlays = 2000;    ///< to improve orders
constexpr std::int64_t improvingTasks = 100'000; ///< their ops and motifs of an iteration

/// How one comm-op is carried out: its cut, and the channel of every motif.
struct OpPlan {
    MotifCut cut{};
    std::vector<std::int32_t> channels;
    bool operator<(const OpPlan &other) const {
        const auto key = [](const OpPlan &plan) {
            const MotifCut &cut = plan.cut;
            return std::tuple(cut.segments, cut.splines, cut.ring, cut.tree, cut.partition);
        };
        return std::pair(key(*this), channels) < std::pair(key(other), other.channels);
    }
};
/// An OpPlan that was tried, and what it comes to.
struct Variant {
    OpPlan plan;
    std::vector<Motif> motifs;
    std::vector<double> seconds; ///< per motif
    ListedOp listed;
};
using VariantPtr = std::shared_ptr<const Variant>;
/// Of every op; those of compute-ops are null. Equal ones are mostly the same object.
using Choice = std::vector<VariantPtr>;
struct ChoiceHash {
    std::size_t operator()(const Choice &choice) const {
        std::size_t hash = 0;
        for (const VariantPtr &variant : choice)
            hash = (hash ^ std::hash<VariantPtr>{}(variant)) * 0x100000001b3ULL;
        return hash;
    }
};
constexpr std::size_t maxRemembered = 50'000; ///< variants, and judged choices: hundreds of megabytes where motifs are many

class PlanSearch {
public:
    PlanSearch(const PlanRequest &request, bool enforced, const std::stop_token &stop, const PlanObserver &observer)
        : m_request(request), m_dag(withSubmission(*request.dag, enforced)), m_scheduler(m_dag, request.channels), m_stop(stop),
          m_observer(observer), m_groupSizes(groupSizesFor(request)), m_variants(m_dag.ops.size()) {}

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
            TRY(keepBest(found, {greedy()}, MotifOrder::CriticalPath));
            m_whole = {found.run.iterationSeconds, found.plan};
            TRY(search(found, MotifOrder::CriticalPath));
            TRY(search(found, MotifOrder::Submission)); // greedy critical paths are not always the better order
            TRY(improveOrders(found));
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
        return m_request.costs.seconds(motif, m_dag.ops[static_cast<std::size_t>(op)], m_dag.processes,
                                       m_request.channels[static_cast<std::size_t>(channel)]);
    }
    [[nodiscard]] std::int32_t groupSize(std::size_t op) const { return m_dag.groupSize(m_dag.ops[op]); }
    [[nodiscard]] std::vector<Motif> cut(std::size_t op, const MotifCut &by) const {
        return cutMotifs(kindOf(op), by, groupSize(op));
    }

    /// An op carried out in one way; its motifs are priced where it is new.
    VariantPtr variantOf(std::size_t op, OpPlan plan) {
        if (m_variantCount == maxRemembered)
            forget();
        const auto [known, isNew] = m_variants[op].try_emplace(std::move(plan));
        if (isNew) {
            ++m_variantCount;
            const OpPlan &of = known->first;
            Variant variant{of, cut(op, of.cut), {}, {}};
            for (std::size_t m = 0; m < variant.motifs.size(); ++m)
                variant.seconds.push_back(motifSeconds(variant.motifs[m], static_cast<std::int32_t>(op), of.channels[m]));
            variant.listed = ListedOp::of(variant.motifs, of.channels, variant.seconds);
            known->second = std::make_shared<const Variant>(std::move(variant));
        }
        return known->second;
    }
    void forget() {
        for (auto &variants : m_variants)
            variants.clear();
        for (auto &judged : m_judged)
            judged.clear();
        m_variantCount = 0;
    }
    /// The cut with which the op takes the shortest time: a ring or a tree, which stacks choose from, or also `partitions`.
    VariantPtr fastest(std::size_t op, MotifCut wished, std::int32_t channel, bool partitions) {
        VariantPtr best;
        double bestSeconds = infinity;
        for (const std::int32_t size : m_groupSizes)
            for (const bool tree : {false, true}) {
                wished.tree = tree ? size : 1;
                wished.partition = tree || !partitions ? 1 : size;
                const MotifCut by = possible(wished, op);
                VariantPtr made = variantOf(op, {by, std::vector<std::int32_t>(cut(op, by).size(), channel)});
                const double seconds = std::accumulate(made->seconds.begin(), made->seconds.end(), 0.0);
                if (seconds < bestSeconds) {
                    bestSeconds = seconds;
                    best = std::move(made);
                }
            }
        return best;
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

    /// The cut that an op can have of the one that is wished for.
    [[nodiscard]] MotifCut possible(MotifCut cut, std::size_t op) const {
        const CollectiveKind kind = kindOf(op);
        const std::int32_t members = groupSize(op);
        const auto divides = [members](std::int32_t size) { return size > 1 && size < members && members % size == 0; };
        if (kind != CollectiveKind::AllToAll || members % cut.splines != 0)
            cut.splines = 1;
        cut.ring = cut.ring && kind == CollectiveKind::AllReduce;
        if (kind != CollectiveKind::AllReduce || !divides(cut.tree) || m_request.costs.isMeasured(kind) ||
            members > std::pow(cut.tree, maxTreeLevels))
            cut.tree = 1;
        if (cut.tree > 1 || cut.splines > 1 || !divides(cut.partition) || m_request.costs.isMeasured(kind))
            cut.partition = 1;
        cut.ring = cut.ring && cut.tree == 1 && cut.partition == 1;
        return cut;
    }

    [[nodiscard]] Choice uniform(const MotifCut &wished, std::int32_t channel) {
        Choice choice(m_dag.ops.size());
        for (const std::int32_t op : m_dag.submissionOrder)
            choice[static_cast<std::size_t>(op)] = fastest(static_cast<std::size_t>(op), wished, channel, false);
        return choice;
    }
    /// "The benefit of the segment oracle": every number of segments, whole and in two splines, on the one channel.
    [[nodiscard]] std::vector<Choice> segmentations() {
        const std::int32_t channel = commonChannel();
        const bool splines = m_dag.processes % 2 == 0 && std::any_of(m_dag.ops.begin(), m_dag.ops.end(), [](const DagOp &op) {
                                 return op.collective == CollectiveKind::AllToAll;
                             });
        std::vector<Choice> choices;
        for (std::int32_t segments = 1; segments <= m_request.maxSegments; segments *= 2)
            for (std::int32_t cuts = 1; cuts <= (splines ? 2 : 1); ++cuts)
                choices.push_back(uniform({segments, cuts}, channel));
        return choices;
    }

    struct Lowered {
        std::vector<PlannedMotif> motifs;
        std::vector<double> seconds;
    };
    [[nodiscard]] Lowered lower(const Choice &choice) const {
        Lowered lowered;
        for (std::size_t o = 0; o < m_dag.ops.size(); ++o) {
            if (!choice[o])
                continue;
            const Variant &of = *choice[o];
            lowered.seconds.insert(lowered.seconds.end(), of.seconds.begin(), of.seconds.end());
            for (std::size_t m = 0; m < of.motifs.size(); ++m)
                lowered.motifs.push_back({static_cast<std::int32_t>(o), of.motifs[m], of.plan.channels[m]});
        }
        return lowered;
    }

    /// The iteration that list scheduling makes of a choice; looked up where it was judged before.
    double judge(const Choice &choice, MotifOrder order) {
        ++m_evaluations;
        if (m_judged[static_cast<std::size_t>(order)].size() == maxRemembered)
            m_judged[static_cast<std::size_t>(order)].clear();
        const auto [known, isNew] = m_judged[static_cast<std::size_t>(order)].try_emplace(choice, 0);
        if (isNew) {
            m_listed.assign(choice.size(), nullptr);
            for (std::size_t o = 0; o < choice.size(); ++o)
                if (choice[o])
                    m_listed[o] = &choice[o]->listed;
            known->second = m_scheduler.iterationSeconds(m_listed, order, m_workspace);
        }
        return known->second;
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
                if (!run) // the first may contradict the DAG
                    continue;
                m_played.keep(plan, run->iterationSeconds);
                if (!(run->iterationSeconds < best))
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

    /// Every collective in the way and on the channel that is fastest for it alone: where Metropolis-Hastings begins.
    [[nodiscard]] Choice greedy() {
        Choice choice(m_dag.ops.size());
        for (const std::int32_t comm : m_dag.submissionOrder) {
            const auto op = static_cast<std::size_t>(comm);
            double best = infinity;
            for (std::int32_t c = 0; c < channelCount(); ++c) {
                VariantPtr made = fastest(op, {}, c, true);
                const double seconds = std::accumulate(made->seconds.begin(), made->seconds.end(), 0.0);
                if (seconds < best) {
                    best = seconds;
                    choice[op] = std::move(made);
                }
            }
        }
        return choice;
    }

    /// Another execution plan for a comm-op: a random cut, all on one channel or spread so that all channels end at once; or one
    /// of its motifs on another channel.
    void transform(Choice &choice, Rng &rng) {
        const auto draw = [&rng](std::size_t count) { return static_cast<std::size_t>(rng.next() % count); };
        const auto op = static_cast<std::size_t>(m_dag.submissionOrder[draw(m_dag.submissionOrder.size())]);
        OpPlan plan = choice[op]->plan;
        if (plan.channels.size() > 1 && channelCount() > 1 && draw(3) == 0) {
            plan.channels[draw(plan.channels.size())] = static_cast<std::int32_t>(draw(m_request.channels.size()));
            choice[op] = variantOf(op, std::move(plan));
            return;
        }
        constexpr std::array<std::int32_t, 6> splines{1, 1, 2, 2, 4, 8};
        MotifCut by;
        while (2 * by.segments <= m_request.maxSegments && draw(2) == 0)
            by.segments *= 2;
        by.splines = splines[draw(splines.size())];
        by.ring = draw(4) == 0;
        if (m_groupSizes.size() > 1 && !m_request.costs.isMeasured(kindOf(op)))
            (draw(2) == 0 ? by.tree : by.partition) = m_groupSizes[draw(m_groupSizes.size())];
        plan.cut = possible(by, op);
        if (draw(2) == 0)
            plan.channels.assign(cut(op, plan.cut).size(), static_cast<std::int32_t>(draw(m_request.channels.size())));
        else
            spread(plan, op);
        choice[op] = variantOf(op, std::move(plan));
    }

    void spread(OpPlan &plan, std::size_t op) const {
        plan.channels.clear();
        std::vector<double> busy(m_request.channels.size(), 0);
        for (const Motif &motif : cut(op, plan.cut)) {
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

    /// Sizes of groups that trees and partitions are tried with: a node's processes, and the smallest divisors. 1 = no groups.
    [[nodiscard]] static std::vector<std::int32_t> groupSizesFor(const PlanRequest &request) {
        std::vector<std::int32_t> sizes{1};
        for (const std::int32_t size : {request.costs.processesPerNode, 2, 4, 8})
            if (size > 1 && size < request.dag->processes && request.dag->processes % size == 0 &&
                std::find(sizes.begin(), sizes.end(), size) == sizes.end())
                sizes.push_back(size);
        return sizes;
    }

    /// Chains have equal shares of the budget.
    [[nodiscard]] bool isOverBudget(std::int32_t chain) const {
        return m_request.budgetSeconds > 0 &&
               std::chrono::steady_clock::now() - m_begin >
                   std::chrono::duration<double>(m_request.budgetSeconds * (chain + 1) / m_request.chains);
    }

    /// What did best in list schedules of one order, best first; of equals, what came first.
    class Candidates {
    public:
        void keep(double seconds, const Choice &choice) {
            const auto at = std::upper_bound(m_best.begin(), m_best.end(), seconds,
                                             [](double value, const Judged &judged) { return value < judged.seconds; });
            if (static_cast<std::size_t>(at - m_best.begin()) == playedCandidates ||
                std::any_of(m_best.begin(), at, [&](const Judged &judged) { return judged.choice == choice; }))
                return;
            m_best.insert(at, {seconds, choice});
            if (m_best.size() > playedCandidates)
                m_best.pop_back();
        }
        [[nodiscard]] std::vector<Choice> choices() const {
            std::vector<Choice> all;
            for (const Judged &judged : m_best)
                all.push_back(judged.choice);
            return all;
        }

    private:
        std::vector<Judged> m_best;
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
            ++m_chains;
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
            if (m_observer)
                m_observer({m_chains, seconds, accepted});
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

    /// Improves the orders of the best plans that were played, and walks on from the best of these.
    Result<void> improveOrders(FoundPlan &found) {
        std::size_t most = 0;
        for (const PlayedPlan &played : m_played.plans())
            most = std::max(most, m_dag.ops.size() + played.plan.motifs.size());
        const std::int64_t plays = std::min(improvingPlays, improvingTasks / static_cast<std::int64_t>(most));
        OrderImprover improver(
            m_dag, m_request.costs, planBoundSeconds(m_request), plays, [this] { return isOverBudget(m_request.chains - 1); },
            m_stop);
        BestPlans improved(playedCandidates);
        for (PlayedPlan &played : m_played.plans()) {
            TRY(improver.improve(played, false, plays / 2 / static_cast<std::int64_t>(playedCandidates)));
            improved.keep(played.plan, played.seconds);
        }
        PlayedPlan best = improved.plans().front();
        std::vector<PlayedPlan> starts = improved.plans();
        starts.insert(starts.begin() + 1, m_whole); // cuts that help one order bar the way to another
        std::vector<std::vector<Motif>> walked;
        for (PlayedPlan &from : starts) {
            std::vector<Motif> motifs;
            for (const PlannedMotif &planned : from.plan.motifs)
                motifs.push_back(planned.motif);
            if (std::find(walked.begin(), walked.end(), motifs) != walked.end())
                continue; // moves lead from the one to the other
            walked.push_back(std::move(motifs));
            TRY(improver.improve(from, true, plays / 4));
            if (from.seconds < best.seconds)
                best = from;
        }
        m_evaluations += plays - improver.playsLeft();
        if (best.seconds < found.run.iterationSeconds) {
            found.run = TRY(playPlan(m_dag, best.plan, m_request.costs, m_stop));
            found.plan = std::move(best.plan);
        }
        return {};
    }

    const PlanRequest &m_request;
    const TrainingDag m_dag;
    ListScheduler m_scheduler;
    const std::stop_token &m_stop;
    const PlanObserver &m_observer;
    const std::vector<std::int32_t> m_groupSizes;
    std::vector<std::map<OpPlan, VariantPtr>> m_variants; ///< per op
    std::size_t m_variantCount = 0;
    std::array<std::unordered_map<Choice, double, ChoiceHash>, 4> m_judged; ///< per MotifOrder
    BestPlans m_played{playedCandidates};
    PlayedPlan m_whole;                     ///< every collective in one piece
    std::vector<const ListedOp *> m_listed; ///< per op, of the choice that is being judged
    ListWorkspace m_workspace;
    std::int64_t m_evaluations = 0;
    std::int32_t m_chains = 0; ///< that have ended
    std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
};

} // namespace

std::string_view nameOf(PlanMethod method) { return methodNames[static_cast<std::size_t>(method)]; }

std::string_view titleOf(PlanMethod method) { return methodTitles[static_cast<std::size_t>(method)]; }

bool isEnforced(PlanMethod method) { return method == PlanMethod::Sched || method == PlanMethod::Syndicate; }

bool isSearch(PlanMethod method) { return method == PlanMethod::Exec || method == PlanMethod::Syndicate; }

Result<PlanMethod> planMethodFromName(std::string_view name) {
    const auto *const found = std::find(methodNames.begin(), methodNames.end(), name);
    if (found == methodNames.end())
        return fail(fmt::format("there is no planning method \"{}\"", name), "use fifo, bs+, ho, exec, sched or syndicate");
    return static_cast<PlanMethod>(found - methodNames.begin());
}

Result<FoundPlan> findPlan(const PlanRequest &request, PlanMethod method, const std::stop_token &stop,
                           const PlanObserver &observer) {
    TRY(validateDag(*request.dag));
    if (request.dag->submissionOrder.empty())
        return fail("the DAG has no collective to plan", "add one (docs/plan.md)");
    TRY(validateChannels(request.channels));
    if (request.maxSegments < 1 || request.chains < 1)
        return fail("a plan needs a segment and a chain", "ask for one or more");
    return PlanSearch(request, isEnforced(method), stop, observer).run(method);
}

} // namespace syncopate
