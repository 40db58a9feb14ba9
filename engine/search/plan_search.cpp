// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/plan_search.h"

#include "engine/base/numbers.h"
#include "engine/search/plan_exhaustive.h"
#include "engine/search/plan_maker.h"
#include "engine/search/plan_orders.h"
#include "engine/simulate/plan_memory.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <unordered_map>

namespace syncopate {

namespace {

constexpr std::size_t playedCandidates = 8;       ///< best choices of a search, which are then played
constexpr std::size_t rememberedOps = 10'000'000; ///< limit over all choices remembered for an order; a choice lists all ops
constexpr double tooLarge = 1e9;                  ///< seconds added to the cost of a plan that takes twice the memory allowed
constexpr std::int64_t improvingPlays = 2000;     ///< plays that improving orders may use
constexpr double exhaustiveTasks = 3e7;           ///< limit on the plans of Exhaustive times a plan's ops: about a minute
constexpr double startingTasks = 1e5;             ///< the same as a start of Syndicate's search
constexpr std::int64_t improvingTasks = 100'000;  ///< limit on these plays times the plan's ops and motifs

class PlanSearch {
public:
    PlanSearch(const PlanRequest &request, bool enforced, const std::stop_token &stop, const PlanObserver &observer)
        : m_request(request), m_dag(withSubmission(*request.dag, enforced)),
          m_scheduler(m_dag, request.channels, request.costs.slowdowns), m_stop(stop), m_observer(observer),
          m_maker(request, m_dag) {}

    Result<FoundPlan> run(PlanMethod method) {
        FoundPlan found;
        found.method = method;
        m_allChains = m_request.chains * (method == PlanMethod::Exec ? 1 : 2);
        switch (method) {
        case PlanMethod::Fifo:
            TRY(keepBest(found, {m_maker.uniform({}, m_maker.commonChannel())}, MotifOrder::Submission));
            break;
        case PlanMethod::BsPlus:
            TRY(keepBest(found, m_maker.segmentations(), MotifOrder::LastSubmitted));
            break;
        case PlanMethod::HandMade:
            TRY(keepBest(found, m_maker.segmentations(), MotifOrder::AllToAllFirst));
            break;
        case PlanMethod::Sched:
            TRY(keepBest(found, m_maker.segmentations(), MotifOrder::CriticalPath));
            break;
        case PlanMethod::Exec:
            TRY(search(found, MotifOrder::Submission));
            break;
        case PlanMethod::Syndicate:
            TRY(keepBest(found, {m_maker.greedy()}, MotifOrder::CriticalPath));
            m_whole = {costOf(found.run).seconds, found.plan};
            if (exhaustiveTasksOf(m_request) <= startingTasks)
                TRY(playAll(found));
            TRY(search(found, MotifOrder::CriticalPath));
            TRY(search(found, MotifOrder::Submission)); // greedy critical paths are not always the better order
            TRY(improveOrders(found));
            break;
        case PlanMethod::Random:
            TRY(drawAll(found, MotifOrder::CriticalPath));
            TRY(drawAll(found, MotifOrder::Submission));
            break;
        case PlanMethod::Exhaustive:
            TRY(playAll(found));
            break;
        }
        found.plan.enforced = isEnforced(method);
        found.evaluations = m_evaluations;
        found.peakBytes = peakMemoryBytes(*m_request.dag, found.run);
        return found;
    }

private:
    using Judged = Ranked<Choice>;
    using Candidates = BestKept<Choice>; ///< choices whose list schedules in one order were best

    /// The cost of a choice: the iteration time of its list schedule or, with a limit of memory, of its plan as played. A plan
    /// that exceeds the limit costs more than any that fits.
    struct Cost {
        double seconds = infinity;
        bool fits = true;
    };

    /// The cost of a choice, remembered for the next time that it is judged.
    Cost judge(const Choice &choice, MotifOrder order) {
        ++m_evaluations;
        auto &judged = m_judged[static_cast<std::size_t>(order)];
        if (judged.size() >= std::min(maxRemembered, std::max<std::size_t>(1, rememberedOps / choice.size())))
            judged.clear();
        const auto [known, isNew] = judged.try_emplace(choice);
        if (isNew)
            known->second = m_request.maxBytes > 0 ? playedCost(choice, order) : Cost{listSeconds(choice, order), true};
        return known->second;
    }

    double listSeconds(const Choice &choice, MotifOrder order) {
        m_listed.assign(choice.size(), nullptr);
        for (std::size_t o = 0; o < choice.size(); ++o)
            if (choice[o])
                m_listed[o] = &choice[o]->listed;
        return m_scheduler.iterationSeconds(m_listed, order, m_workspace);
    }

    /// The cost of a played plan: its iteration time or, if it exceeds the memory limit, more than any plan that does not.
    [[nodiscard]] Cost costOf(const PlannedRun &run) const {
        const double excess = m_request.maxBytes > 0 ? m_request.excess(peakMemoryBytes(*m_request.dag, run)) : 0;
        return excess > 0 ? Cost{run.iterationSeconds + tooLarge * excess, false} : Cost{run.iterationSeconds, true};
    }

    /// The cost of a choice, played in the better of its list schedule's orders: a list schedule alone does not show how much
    /// memory is held.
    Cost playedCost(const Choice &choice, MotifOrder order) {
        Cost best; // infinite where neither order can be played
        PlanMaker::Lowered lowered = m_maker.lower(choice);
        ListSchedule schedule = m_scheduler.schedule(lowered.motifs, lowered.seconds, order);
        ExecutionPlan plan{"judged", m_dag.name, m_request.channels, std::move(lowered.motifs), {}};
        for (auto *orders : {&schedule.orders, &schedule.plainOrders}) {
            plan.orders = std::move(*orders);
            if (const auto run = playPlan(m_dag, plan, m_request.costs, m_stop))
                if (const Cost cost = costOf(*run); cost.seconds < best.seconds)
                    best = cost;
        }
        return best;
    }

    /// Plays each choice in the orders of its list schedule and keeps the best.
    Result<void> keepBest(FoundPlan &found, const std::vector<Choice> &choices, MotifOrder order) {
        double best = found.plan.channels.empty() ? infinity : costOf(found.run).seconds;
        for (const Choice &choice : choices) {
            if (m_stop.stop_requested())
                return cancelled();
            ++m_evaluations;
            PlanMaker::Lowered lowered = m_maker.lower(choice);
            ListSchedule schedule = m_scheduler.schedule(lowered.motifs, lowered.seconds, order);
            ExecutionPlan plan{std::string(nameOf(found.method)), m_dag.name, m_request.channels, std::move(lowered.motifs), {}};
            for (auto *orders : {&schedule.orders, &schedule.plainOrders}) {
                plan.orders = std::move(*orders);
                TRY(validatePlan(plan, m_dag));
                auto run = playPlan(m_dag, plan, m_request.costs, m_stop);
                if (!run && run.error().isCancelled())
                    return cancelled();
                if (!run) // the order contradicts the DAG
                    continue;
                const double cost = costOf(*run).seconds;
                m_played.keep(cost, plan);
                if (!(cost < best))
                    continue;
                best = cost;
                found.plan = plan;
                found.run = *std::move(run);
            }
        }
        if (found.plan.channels.empty())
            return internalError("no plan could be played");
        return {};
    }

    Result<void> keepBest(FoundPlan &found, Candidates candidates, MotifOrder order) {
        std::vector<Choice> choices;
        for (Judged &judged : candidates.ranked())
            choices.push_back(std::move(judged.item));
        return keepBest(found, choices, order);
    }

    /// Whether the first `chains` chains have used their shares of the budget, which are equal for all chains of all orders.
    [[nodiscard]] bool isOverBudget(std::int32_t chains) const {
        return m_request.budgetSeconds > 0 && std::chrono::steady_clock::now() - m_begin >
                                                  std::chrono::duration<double>(m_request.budgetSeconds * chains / m_allChains);
    }

    /// Runs chains that start alternately from the greedy plan and from the best segmentation, then plays the best choices.
    Result<void> search(FoundPlan &found, MotifOrder order) {
        Candidates candidates(playedCandidates);
        Judged oracle;
        for (Choice &choice : m_maker.segmentations()) {
            if (m_stop.stop_requested())
                return cancelled();
            if (const double seconds = judge(choice, order).seconds; seconds < oracle.seconds)
                oracle = {seconds, std::move(choice)};
        }
        candidates.keep(oracle.seconds, oracle.item);
        for (std::int32_t chain = 0; chain < m_request.chains; ++chain) {
            Judged begin = oracle;
            if (chain % 2 == 0) {
                begin.item = m_maker.greedy();
                begin.seconds = judge(begin.item, order).seconds;
                candidates.keep(begin.seconds, begin.item);
            }
            TRY(walk(found, std::move(begin), order, chain, candidates));
            ++m_chains;
        }
        return keepBest(found, std::move(candidates), order);
    }

    /// One chain of Metropolis-Hastings (pseudocode 1).
    Result<void> walk(FoundPlan &found, Judged now, MotifOrder order, std::int32_t chain, Candidates &candidates) {
        Rng rng(m_request.seed + 0x9e3779b97f4a7c15ULL * static_cast<std::uint64_t>(chain));
        const double scale = m_request.greed / listSeconds(now.item, order);
        double best = now.seconds;
        std::int32_t bestAt = 0;
        for (std::int32_t step = 1; step <= m_request.evaluations && !isOverBudget(m_chains + 1); ++step) {
            if (m_stop.stop_requested())
                return cancelled();
            if (step > m_request.minEvaluations && step - bestAt > step / 2)
                break;
            Choice proposed = now.item;
            const PlanProposal proposal = m_maker.transform(proposed, rng);
            const auto [seconds, fits] = judge(proposed, order);
            const bool accepted = std::log(rng.uniform(1e-300, 1)) < scale * (now.seconds - seconds);
            note(found, {chain, seconds, accepted, proposal, fits});
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

    /// Judges independently drawn plans, at least one per chain, then plays the best ones.
    Result<void> drawAll(FoundPlan &found, MotifOrder order) {
        Candidates candidates(playedCandidates);
        for (std::int32_t chain = 0; chain < m_request.chains; ++chain) {
            Rng rng(m_request.seed + 0x9e3779b97f4a7c15ULL * static_cast<std::uint64_t>(m_chains));
            double best = infinity;
            for (std::int32_t step = 0; step < m_request.evaluations && (step == 0 || !isOverBudget(m_chains + 1)); ++step) {
                if (m_stop.stop_requested())
                    return cancelled();
                const Choice drawn = m_maker.random(rng);
                const auto [seconds, fits] = judge(drawn, order);
                note(found, {chain, seconds, seconds < best, PlanProposal::Draw, fits});
                best = std::min(best, seconds);
                candidates.keep(seconds, drawn);
            }
            ++m_chains;
        }
        return keepBest(found, std::move(candidates), order);
    }

    /// Plays every plan with whole collectives and keeps the first of the best, if it is better than the plan found.
    Result<void> playAll(FoundPlan &found) {
        if (const double tasks = exhaustiveTasksOf(m_request); !(tasks <= exhaustiveTasks))
            return fail(fmt::format("{} collectives on {} channels have {:.3g} plans or more of {} ops: too many",
                                    m_dag.submissionOrder.size(), m_request.channels.size(),
                                    tasks / static_cast<double>(m_dag.ops.size()), m_dag.ops.size()),
                        "plan by syndicate, or a smaller DAG");
        double best = found.plan.channels.empty() ? infinity : costOf(found.run).seconds;
        std::optional<Error> contradiction;
        TRY(visitWholePlans(m_dag, m_request.channels, [&](const ExecutionPlan &plan) -> Result<void> {
            ++m_evaluations;
            auto run = playPlan(m_dag, plan, m_request.costs, m_stop);
            if (!run) {
                if (run.error().kind != ErrorKind::Input)
                    return Unexpected(std::move(run.error()));
                contradiction = std::move(run.error()); // of the order with the DAG
            } else if (const double cost = costOf(*run).seconds; cost < best) {
                best = cost;
                found.plan = plan;
                found.plan.name = nameOf(found.method);
                found.run = *std::move(run);
                m_played.keep(cost, found.plan);
            }
            return {};
        }));
        if (!(best < infinity) && contradiction)
            return Unexpected(*std::move(contradiction));
        return {};
    }

    /// Reports a step of a search to the observer and, in the first chain, records it in `found`.
    void note(FoundPlan &found, PlanStep step) const {
        if (step.chain == 0) {
            found.costs.push_back(step.seconds);
            found.accepted.push_back(step.accepted);
        }
        step.chain = m_chains;
        if (m_observer)
            m_observer(step);
    }

    /// Improves the orders of the best plans played, then searches on from the best of the results.
    Result<void> improveOrders(FoundPlan &found) {
        std::size_t most = 0;
        for (const RankedPlan &played : m_played.ranked())
            most = std::max(most, m_dag.ops.size() + played.item.motifs.size());
        const std::int64_t plays = std::min(improvingPlays, improvingTasks / static_cast<std::int64_t>(most));
        OrderImprover improver(
            m_dag, m_request.costs, planBoundSeconds(m_request, m_stop), plays,
            [this](const PlannedRun &run) { return costOf(run).seconds; }, [this] { return isOverBudget(m_allChains); }, m_stop);
        BestKept<ExecutionPlan> improved(playedCandidates);
        for (RankedPlan &played : m_played.ranked()) {
            TRY(improver.improve(played, false, plays / 2 / static_cast<std::int64_t>(playedCandidates)));
            improved.keep(played.seconds, played.item);
        }
        RankedPlan best = improved.ranked().front();
        std::vector<RankedPlan> starts = improved.ranked();
        starts.insert(starts.begin() + 1, m_whole); // cuts that help in one order may bar the way to a better one
        std::vector<std::vector<Motif>> walked;
        for (RankedPlan &from : starts) {
            std::vector<Motif> motifs;
            for (const PlannedMotif &planned : from.item.motifs)
                motifs.push_back(planned.motif);
            if (std::find(walked.begin(), walked.end(), motifs) != walked.end())
                continue; // the same motifs: moves lead from one plan to the other
            walked.push_back(std::move(motifs));
            TRY(improver.improve(from, true, plays / 4));
            if (from.seconds < best.seconds)
                best = from;
        }
        m_evaluations += plays - improver.playsLeft();
        if (best.seconds < costOf(found.run).seconds) {
            found.run = TRY(playPlan(m_dag, best.item, m_request.costs, m_stop));
            found.plan = std::move(best.item);
        }
        return {};
    }

    const PlanRequest &m_request;
    const TrainingDag m_dag;
    ListScheduler m_scheduler;
    const std::stop_token &m_stop;
    const PlanObserver &m_observer;
    PlanMaker m_maker;
    std::array<std::unordered_map<Choice, Cost, ChoiceHash>, 4> m_judged; ///< per MotifOrder
    BestKept<ExecutionPlan> m_played{playedCandidates};
    RankedPlan m_whole;                     ///< every collective in one piece
    std::vector<const ListedOp *> m_listed; ///< per op of the choice being judged
    ListWorkspace m_workspace;
    std::int64_t m_evaluations = 0;
    std::int32_t m_chains = 0;    ///< number of chains that have ended
    std::int32_t m_allChains = 1; ///< of all orders of a search
    std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
};

/// Syndicate's plan, which holds too much memory, or a plan without an enforcer, if that holds less: where collectives run ahead,
/// no order holds as little as submitting each when the application gets there. Uses the rest of the budget since `begin`.
Result<FoundPlan> withinMemory(FoundPlan found, const PlanRequest &request, std::chrono::steady_clock::time_point begin,
                               const std::stop_token &stop, const PlanObserver &observer) {
    PlanRequest rest = request;
    if (request.budgetSeconds > 0) {
        const std::chrono::duration<double> used = std::chrono::steady_clock::now() - begin;
        rest.budgetSeconds = std::max(request.budgetSeconds - used.count(), 1e-6); // 0 would be none
    }
    PlanObserver onward;
    if (observer)
        onward = [&](PlanStep step) {
            step.chain += 2 * request.chains; // those of Syndicate's two orders
            observer(step);
        };
    FoundPlan submitted = TRY(PlanSearch(rest, false, stop, onward).run(PlanMethod::Exec));
    const std::int64_t evaluations = found.evaluations + submitted.evaluations;
    if (submitted.peakBytes < found.peakBytes) {
        submitted.method = found.method;
        submitted.plan.name = nameOf(found.method);
        found = std::move(submitted);
    }
    found.evaluations = evaluations;
    return found;
}

} // namespace

Result<FoundPlan> findPlan(const PlanRequest &request, PlanMethod method, const std::stop_token &stop,
                           const PlanObserver &observer) {
    TRY(validateDag(*request.dag));
    if (request.dag->submissionOrder.empty())
        return fail("the DAG has no collective to plan", "add one (docs/plan.md)");
    TRY(validateChannels(request.channels));
    if (request.maxSegments < 1 || request.chains < 1)
        return fail("a plan needs a segment and a chain", "ask for one or more");
    const auto begin = std::chrono::steady_clock::now();
    FoundPlan found = TRY(PlanSearch(request, isEnforced(method), stop, observer).run(method));
    if (method != PlanMethod::Syndicate || found.fits(request))
        return found;
    return withinMemory(std::move(found), request, begin, stop, observer);
}

} // namespace syncopate
