// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/explain_plan.h"

#include "engine/base/units.h"
#include "engine/search/plan_search.h"
#include "engine/session/dag_job.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace syncopate {

namespace {

constexpr std::size_t maxReplanned = 4; ///< channels for whose changes a plan is searched

/// Whether both are equal up to rounding, such as of a rate halved in other units.
bool isClose(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)); }

bool isSame(const std::vector<Channel> &a, const std::vector<Channel> &b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Channel &one, const Channel &other) {
        return one.name == other.name && one.links == other.links && one.incast == other.incast &&
               isClose(one.bandwidthBytesPerSecond, other.bandwidthBytesPerSecond) &&
               isClose(one.latencySeconds, other.latencySeconds);
    });
}

/// A plan that can be played. Candidates that differ only in plan or costs share a DAG, which may be large.
struct PlanCandidate {
    std::shared_ptr<const TrainingDag> dag; ///< without withSubmission()
    ExecutionPlan plan;
    MotifCosts costs;

    [[nodiscard]] TrainingDag playedDag() const { return withSubmission(*dag, plan.enforced); }
};

/// `known`: a DAG that it probably equals; may be null.
PlanCandidate candidateOf(PresentPlan present, const std::shared_ptr<const TrainingDag> &known) {
    auto dag = known && *known == present.dag ? known : std::make_shared<const TrainingDag>(std::move(present.dag));
    return {std::move(dag), std::move(present.plan), std::move(present.costs)};
}

/// Whether both play alike.
bool isSame(const PlanCandidate &a, const PlanCandidate &b) {
    return a.plan.motifs == b.plan.motifs && a.plan.orders == b.plan.orders && isSame(a.plan.channels, b.plan.channels) &&
           a.costs == b.costs && ((a.dag == b.dag && a.plan.enforced == b.plan.enforced) || a.playedDag() == b.playedDag());
}

Result<PlannedRun> play(const PlanCandidate &candidate, const std::stop_token &stop) {
    return playPlan(candidate.playedDag(), candidate.plan, candidate.costs, stop);
}

/// Whether the times of all collectives on a channel are from measurements.
bool isMeasured(const PlanCandidate &candidate, std::size_t c) {
    const ExecutionPlan &plan = candidate.plan;
    return std::ranges::all_of(plan.orders[c], [&](const OrderEntry &entry) {
        const PlannedMotif &planned = plan.motifs[entry.motif.index()];
        return candidate.costs.isMeasured(planned.motif, candidate.dag->ops[planned.op.index()], candidate.dag->processes,
                                          plan.channels[c]);
    });
}

/// Twice the rate of a channel. Measured times are those of its first link, and are halved.
PlanCandidate twiceAsFast(PlanCandidate candidate, std::size_t c) {
    Channel &channel = candidate.plan.channels[c];
    channel.bandwidthBytesPerSecond *= 2;
    for (MotifCurve &curve : candidate.costs.curves)
        if (curve.link == channel.links.front())
            for (CollectiveSample &sample : curve.samples)
                sample.seconds /= 2;
    return candidate;
}

/// Another channel like `c`, over links of its own that equal those of `c`.
PlanCandidate withSecond(PlanCandidate candidate, std::size_t c) {
    auto &channels = candidate.plan.channels;
    const auto isTaken = [&](const std::string &name) {
        return std::ranges::any_of(channels, [&](const Channel &channel) {
            return channel.name == name || std::ranges::find(channel.links, name) != channel.links.end();
        });
    };
    Channel second = channels[c];
    for (std::int32_t number = 2; number == 2 || isTaken(second.name); ++number)
        second.name = fmt::format("{} {}", channels[c].name, number);
    const std::string like = second.links.front();
    second.links = {second.name};
    // Appends copies of the first link's costs.
    const auto copyOf = [&](auto &known) {
        for (std::size_t k = 0, count = known.size(); k < count; ++k)
            if (known[k].link == like) {
                auto copy = known[k];
                copy.link = second.name;
                known.push_back(std::move(copy));
            }
    };
    copyOf(candidate.costs.curves);
    copyOf(candidate.costs.slowdowns);
    channels.push_back(std::move(second));
    candidate.plan.orders.emplace_back();
    return candidate;
}

/// Explains a plan step by step; `progress` gets the answer so far after each step.
class PlanExplainer {
public:
    PlanExplainer(const PlannedRecording &run, const PlannedWork &work, const ScenarioRecipe &recipe, PlanCandidate present,
                  const PlanWhyOptions &options, const std::stop_token &stop,
                  const std::function<void(const Explanation &)> &progress)
        : m_run(run), m_work(work), m_recipe(recipe), m_options(options), m_stop(stop), m_progress(progress),
          m_present(std::move(present)), m_tried{m_present} {}

    Result<Explanation> explain() {
        findCauses();
        report();
        if (hasTraffic(m_answer.chain)) {
            for (const PlanMethod method : {PlanMethod::Fifo, PlanMethod::BsPlus, PlanMethod::HandMade, PlanMethod::Sched})
                TRY(planBy(method));
            TRY(turnKnobs());
            TRY(changeChannels());
            for (const PlanMethod method : {PlanMethod::Exec, PlanMethod::Syndicate})
                TRY(planBy(method));
            TRY(planForOtherChannels());
        }
        m_answer.complete = true;
        report();
        return std::move(m_answer);
    }

private:
    void findCauses();
    [[nodiscard]] Result<void> planBy(PlanMethod method);
    [[nodiscard]] Result<void> turnKnobs();
    [[nodiscard]] Result<void> turnKnob(std::size_t dimension);
    [[nodiscard]] Result<void> changeChannels();
    [[nodiscard]] Result<void> speedUp(std::size_t channel);
    [[nodiscard]] Result<void> cutLatency(std::size_t channel);
    [[nodiscard]] Result<void> planForOtherChannels();
    /// The plan of a method for the DAG, channels and costs of `with`. Errors: findPlan()'s, or that no plan fits into memory.
    [[nodiscard]] Result<PlanCandidate> planned(const PlanCandidate &with, PlanMethod method) const;
    /// Tries out SYNDICATE's plan over the channels of `with`.
    [[nodiscard]] Result<void> planAgain(Phrase text, std::string title, const PlanCandidate &with);
    /// Whether the candidate differs from all that were tried; remembers it.
    [[nodiscard]] bool isNew(const PlanCandidate &candidate);
    /// Plays a candidate that is new and adds it. `method`: of RemedyKind::Planner. Errors: only a requested stop.
    [[nodiscard]] Result<void> tryOut(RemedyKind kind, Phrase text, std::string title, PlanCandidate candidate,
                                      std::string_view method = {});
    void add(Remedy remedy, Result<double> iterationSeconds);
    void report() {
        if (m_progress)
            m_progress(m_answer);
    }

    const PlannedRecording &m_run;
    const PlannedWork &m_work;
    const ScenarioRecipe &m_recipe;
    const PlanWhyOptions &m_options;
    const std::stop_token &m_stop;
    const std::function<void(const Explanation &)> &m_progress;
    const PlanCandidate m_present;
    std::vector<PlanCandidate> m_tried;
    Explanation m_answer;
};

void PlanExplainer::findCauses() {
    const TrainingDag dag = m_present.playedDag();
    const PlayedPlanView played{m_run, m_run.settledIteration, dag, m_present.plan, m_present.costs};
    const CauseFinder finder(m_run, m_run.settledIteration);
    const CauseChain iteration = planChain(finder.ofIteration(), played);
    m_answer.shares = planShares(iteration, finder, played);
    m_answer.chain =
        m_options.wait ? planChain(finder.ofWait(m_options.wait->worker, m_options.wait->seconds), played) : iteration;
    m_answer.causes =
        causeRows(m_answer.chain, m_run.graph, [&](const Cause &cause) { return planCauseWords(cause, finder, played); });
    m_answer.bounds = finder.bounds();
    m_answer.bounds.dependencySeconds = 0;
    m_answer.bounds.planSeconds = m_run.boundSeconds;
    if (m_answer.bounds.busiestLink.exists())
        m_answer.busiestLink = m_run.graph.links[m_answer.bounds.busiestLink.index()].name;
    if (m_answer.bounds.busiestQueue.exists())
        m_answer.busiestQueue = m_run.graph.queues[m_answer.bounds.busiestQueue.index()].name;
}

bool PlanExplainer::isNew(const PlanCandidate &candidate) {
    if (std::ranges::any_of(m_tried, [&](const PlanCandidate &other) { return isSame(other, candidate); }))
        return false;
    m_tried.push_back(candidate);
    return true;
}

void PlanExplainer::add(Remedy remedy, Result<double> iterationSeconds) {
    RemedyRow row{.remedy = std::move(remedy), .iterationSeconds = std::move(iterationSeconds)};
    if (row.iterationSeconds)
        row.gain = 1 - *row.iterationSeconds / m_run.iterationSeconds;
    m_answer.tried += row.iterationSeconds ? 1 : 0;
    insertRanked(m_answer.remedies, std::move(row));
    report();
}

Result<void> PlanExplainer::tryOut(RemedyKind kind, Phrase text, std::string title, PlanCandidate candidate,
                                   std::string_view method) {
    if (!isNew(candidate))
        return {};
    const auto run = play(candidate, m_stop);
    if (m_stop.stop_requested())
        return cancelled();
    auto change = std::make_shared<const PlanChange>(PlanChange{.title = std::move(title),
                                                                .method = std::string(method),
                                                                .dag = std::move(candidate.dag),
                                                                .plan = std::move(candidate.plan),
                                                                .costs = std::move(candidate.costs),
                                                                .ownChannels = kind != RemedyKind::Planner});
    add({kind, std::move(text), std::move(change)}, run.map([](const PlannedRun &played) { return played.iterationSeconds; }));
    return {};
}

Result<PlanCandidate> PlanExplainer::planned(const PlanCandidate &with, PlanMethod method) const {
    PlanRequest request;
    request.dag = with.dag;
    request.channels = with.plan.channels;
    request.costs = with.costs;
    request.seed = m_options.seed;
    request.evaluations = m_options.evaluations;
    request.minEvaluations = std::min(request.minEvaluations, request.evaluations);
    request.maxBytes = m_options.maxBytes;
    FoundPlan found = TRY(findPlan(request, method, m_stop));
    if (!found.fits(request))
        return fail(fmt::format("no plan was found that holds {} or less", formatBytes(m_options.maxBytes)), "allow more memory");
    return PlanCandidate{with.dag, std::move(found.plan), with.costs};
}

Result<void> PlanExplainer::planBy(PlanMethod method) {
    auto candidate = planned(m_present, method);
    if (m_stop.stop_requested())
        return cancelled();
    Phrase text = phrase("Plan with %1", titleOf(method));
    if (!candidate) {
        add({RemedyKind::Planner, std::move(text), NoPlan{}}, Unexpected(std::move(candidate).error()));
        return {};
    }
    return tryOut(RemedyKind::Planner, std::move(text), fmt::format("{} plan of {}", titleOf(method), m_present.dag->name),
                  *std::move(candidate), nameOf(method));
}

Result<void> PlanExplainer::planAgain(Phrase text, std::string title, const PlanCandidate &with) {
    auto candidate = planned(with, PlanMethod::Syndicate);
    if (m_stop.stop_requested())
        return cancelled();
    if (!candidate) {
        add({RemedyKind::PlannedChannel, std::move(text), NoPlan{}}, Unexpected(std::move(candidate).error()));
        return {};
    }
    return tryOut(RemedyKind::PlannedChannel, std::move(text), std::move(title), *std::move(candidate));
}

Result<void> PlanExplainer::turnKnobs() {
    for (std::size_t d = 0; d < scenarioSpace().size(); ++d) {
        const Dimension &knob = scenarioSpace()[d];
        // Of channels with figures of their own, a knob of the links would only drop the cluster's measured times.
        const bool ownFigures = !m_work.onCluster || !m_recipe.cluster->namedChannels.empty();
        if (!(ownFigures && reachesPlans(knob, false)) && reachesPlans(knob, m_work.ofJob) && knob.appliesTo(m_recipe))
            TRY(turnKnob(d));
    }
    return {};
}

Result<void> PlanExplainer::turnKnob(std::size_t d) {
    const auto turned = [this](const ScenarioRecipe &recipe) -> Result<PlanCandidate> {
        return candidateOf(TRY(presentPlan(m_work, *recipe.job, withKnobs(*recipe.cluster, recipe.knobs))), m_present.dag);
    };
    bool reaches = false; // knobs do not turn the channels that a file names
    const Sensitivity row = sensitivity(m_recipe, d, [&](const ScenarioRecipe &recipe) -> std::optional<RecipeIteration> {
        const auto candidate = turned(recipe);
        if (!candidate || m_stop.stop_requested() || isSame(*candidate, m_present))
            return candidate ? std::optional(RecipeIteration{m_run.iterationSeconds}) : std::nullopt;
        reaches = true;
        const auto run = play(*candidate, m_stop);
        return run ? std::optional(RecipeIteration{run->iterationSeconds}) : std::nullopt;
    });
    if (m_stop.stop_requested())
        return cancelled();
    if (!reaches)
        return {};
    insertByReach(m_answer.sensitivities, row, m_run.iterationSeconds);
    const Dimension &dimension = scenarioSpace()[d];
    for (const auto &[value, seconds] : {std::pair(row.lowValue, row.lowSeconds), std::pair(row.highValue, row.highSeconds)}) {
        const auto recipe = dimension.with(m_recipe, value);
        if (!seconds || !recipe)
            continue;
        const auto candidate = turned(*recipe);
        // Another number of processes trains on other batches: the knob's row shows it, but it is not a remedy.
        if (candidate && candidate->dag->processes == m_present.dag->processes && isNew(*candidate))
            add({RemedyKind::Knob, knobText(dimension, m_recipe, value), TurnedKnob{d, value}}, *seconds);
    }
    report();
    return {};
}

Result<void> PlanExplainer::changeChannels() {
    const ExecutionPlan &plan = m_present.plan;
    for (std::size_t c = 0; c < plan.channels.size(); ++c) {
        if (plan.orders[c].empty())
            continue; // the plan does not use it
        TRY(speedUp(c));
        TRY(cutLatency(c));
    }
    return {};
}

Result<void> PlanExplainer::speedUp(std::size_t c) {
    const Channel &channel = m_present.plan.channels[c];
    const Phrase rate = isMeasured(m_present, c) ? phrase("half its measured times")
                                                 : named(formatBandwidth(2 * channel.bandwidthBytesPerSecond));
    return tryOut(RemedyKind::Channel, phrase("Channel %1 twice as fast: %2", channel.name, rate),
                  fmt::format("{}, {} twice as fast", m_work.title, channel.name), twiceAsFast(m_present, c));
}

/// Plans again for changed channels; the present order was made for the old ones.
Result<void> PlanExplainer::planForOtherChannels() {
    std::size_t replanned = 0;
    for (std::size_t c = 0; c < m_present.plan.channels.size() && replanned < maxReplanned; ++c) {
        if (m_present.plan.orders[c].empty())
            continue;
        ++replanned;
        const std::string &name = m_present.plan.channels[c].name;
        TRY(planAgain(phrase("Plan for %1 twice as fast, with SYNDICATE", name),
                      fmt::format("SYNDICATE plan of {}, {} twice as fast", m_present.dag->name, name),
                      twiceAsFast(m_present, c)));
        if (!m_present.costs.localRates.empty())
            continue; // a second channel's rate inside a node is unknown
        TRY(planAgain(phrase("Plan for a second %1, with SYNDICATE", name),
                      fmt::format("SYNDICATE plan of {}, a second channel like {}", m_present.dag->name, name),
                      withSecond(m_present, c)));
    }
    return {};
}

Result<void> PlanExplainer::cutLatency(std::size_t c) {
    PlanCandidate sooner = m_present;
    Channel &channel = sooner.plan.channels[c];
    if (isMeasured(sooner, c)) {
        add({RemedyKind::Channel, phrase("Half the latency of channel %1", channel.name), NoPlan{}},
            fail("measured times do not tell latency from transfer", "plan with the figures of the cluster's channels"));
        return {};
    }
    if (channel.latencySeconds <= 0)
        return {};
    channel.latencySeconds /= 2;
    Phrase text = phrase("Half the latency of channel %1: %2", channel.name, formatSeconds(channel.latencySeconds));
    std::string title = fmt::format("{}, {} at half the latency", m_work.title, channel.name);
    return tryOut(RemedyKind::Channel, std::move(text), std::move(title), std::move(sooner));
}

} // namespace

ScenarioRecipe plannedRecipe(const SessionState &state, Side side) {
    ScenarioRecipe recipe;
    recipe.job = state.job;
    recipe.cluster = state.side(side).cluster ? state.side(side).cluster : state.cluster;
    recipe.knobs = state;
    return recipe;
}

Result<Explanation> explainPlan(const PlannedRecording &run, const PlannedWork &work, const ScenarioRecipe &recipe,
                                const PlanWhyOptions &options, const std::stop_token &stop,
                                const std::function<void(const Explanation &)> &progress) {
    PlanCandidate present = candidateOf(TRY(presentPlan(work, *recipe.job, withKnobs(*recipe.cluster, recipe.knobs))), nullptr);
    return PlanExplainer(run, work, recipe, std::move(present), options, stop, progress).explain();
}

} // namespace syncopate
