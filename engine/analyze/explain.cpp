// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/explain.h"

#include "engine/base/parallel_in_order.h"
#include "engine/base/units.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <utility>

namespace syncopate {

namespace {

/// Whether the piece is a compute task's, at work or waiting for the host.
bool isOfCompute(CauseKind kind) {
    return kind == CauseKind::Forward || kind == CauseKind::Backward || kind == CauseKind::Update || kind == CauseKind::HostWait;
}

/// Whether `cause` continues the row that `last` ended: the same message, or a worker's next task of the same kind.
bool continues(const Cause &last, const Cause &cause, const TaskGraph &graph) {
    if (last.task == cause.task)
        return true;
    const auto isSame = [&](const auto &column) { return column[last.task.index()] == column[cause.task.index()]; };
    return !last.throughQueue.exists() && isOfCompute(last.kind) && isOfCompute(cause.kind) && isSame(graph.kind) &&
           isSame(graph.worker);
}

/// "forward of 12 layers, from conv0, worker 0"; copies and compressors are of variables, parts or groups.
Phrase tasksText(TaskKind kind, std::size_t tasks, const Phrase &first) {
    const std::string count = std::to_string(tasks);
    switch (kind) {
    case TaskKind::Forward:
        return phrase("forward of %1 layers, from %2", count, first);
    case TaskKind::Backward:
        return phrase("backward of %1 layers, from %2", count, first);
    case TaskKind::HostCopy:
        return phrase("%1 host copies, from %2", count, first);
    case TaskKind::Encode:
        return phrase("%1 compressions, from %2", count, first);
    case TaskKind::Decode:
        return phrase("%1 decompressions, from %2", count, first);
    default:
        return phrase("update of %1 layers, from %2", count, first);
    }
}

/// The row for pieces [first, next) of the chain.
CauseRow rowOf(const CauseChain &chain, std::size_t first, std::size_t next, const TaskGraph &graph,
               const std::function<CauseWords(const Cause &)> &wordsOf) {
    const Cause &begin = chain.causes[first], &end = chain.causes[next - 1];
    std::array<double, causeKindCount> seconds{};
    std::size_t tasks = 1;
    for (std::size_t c = first; c < next; ++c) {
        seconds[static_cast<std::size_t>(chain.causes[c].kind)] += chain.causes[c].seconds();
        tasks += c > first && chain.causes[c].task != chain.causes[c - 1].task ? 1 : 0;
    }
    const auto longest = static_cast<CauseKind>(std::max_element(seconds.begin(), seconds.end()) - seconds.begin());
    const CauseWords words = wordsOf(begin);
    CauseRow row{words.text, {}, begin.task, longest, begin.startSeconds, end.endSeconds};
    if (tasks > 1)
        row.what = tasksText(graph.kind[begin.task.index()], tasks, words.object);
    std::vector<Phrase> how;
    if (!isOfCompute(begin.kind) || seconds[static_cast<std::size_t>(CauseKind::HostWait)] > 0)
        for (std::size_t k = 0; k < causeKindCount; ++k)
            if (seconds[k] > 0)
                how.push_back(joined({{nameOf(static_cast<CauseKind>(k))}, named(formatSeconds(seconds[k]))}, " "));
    // The previous piece held the slot that this one waited for.
    if (first > 0 && chain.causes[first - 1].throughQueue.exists())
        how.push_back(phrase("waited for its turn (%1)", graph.queues[chain.causes[first - 1].throughQueue.index()].name));
    row.how = joined(std::move(how), "; ");
    return row;
}

/// Explains a run step by step; `progress` gets the answer so far after each step. Within a step threads simulate, and their
/// results are taken in the order of trials, so the number of threads does not change the answer.
class Explainer {
public:
    Explainer(const Run &run, const ScenarioRecipe &recipe, const WhyOptions &options, const std::stop_token &stop,
              const std::function<void(const Explanation &)> &progress)
        : m_run(run), m_recipe(recipe), m_options(options), m_stop(stop), m_progress(progress), m_finder(run),
          m_threads(threadsFor(options.threads)), m_trials(run, options.maxSimulations) {}

    Result<Explanation> explain() {
        findCauses();
        report();
        TRY(tryRemedies());
        TRY(turnKnobs());
        if (m_options.alternatives && hasTraffic(m_answer.chain))
            TRY(tryAlternatives());
        TRY(simulateSavings(m_run, m_answer.links, m_threads, m_stop, [this] { report(); }));
        m_answer.complete = true;
        report();
        return std::move(m_answer);
    }

private:
    void findCauses();
    [[nodiscard]] Result<void> tryRemedies();
    [[nodiscard]] Result<void> turnKnobs();
    /// Adds a knob's value, whose iteration time is known, to the remedies.
    void addKnob(std::size_t dimension, double value, double seconds, double confidence);
    [[nodiscard]] Result<void> tryAlternatives();
    /// Simulates the rows that `next` offers, as std::optional<RemedyRow>, until it has none; one with an error is only listed.
    /// Errors: only a requested stop.
    template <class Next> [[nodiscard]] Result<void> tryAll(Next &&next);
    void report();

    const Run &m_run;
    const ScenarioRecipe &m_recipe;
    const WhyOptions &m_options;
    const std::stop_token &m_stop;
    const std::function<void(const Explanation &)> &m_progress;
    const CauseFinder m_finder;
    const unsigned m_threads;
    SimulationMemories m_memories;
    std::mutex m_trialsMutex;
    RemedyTrials m_trials; ///< offers are admitted on any thread
    Explanation m_answer;
};

void Explainer::findCauses() {
    m_answer.chain = m_options.wait ? m_finder.ofWait(m_options.wait->worker, m_options.wait->seconds) : m_finder.ofIteration();
    m_answer.causes = causeRows(m_answer.chain, m_run.graph, [this](const Cause &cause) { return m_finder.words(cause); });
    m_answer.links = linkSlopes(m_run, m_finder, m_options.wait ? m_answer.chain : m_finder.ofPeriod());
    m_answer.bounds = m_finder.bounds();
    if (m_answer.bounds.busiestLink.exists())
        m_answer.busiestLink = m_run.graph.links[m_answer.bounds.busiestLink.index()].name;
    if (m_answer.bounds.busiestQueue.exists())
        m_answer.busiestQueue = m_run.graph.queues[m_answer.bounds.busiestQueue.index()].name;
}

template <class Next> Result<void> Explainer::tryAll(Next &&next) {
    const auto nextNew = [&]() -> std::optional<RemedyRow> {
        while (std::optional<RemedyRow> row = m_stop.stop_requested() ? std::nullopt : next()) {
            const std::scoped_lock lock(m_trialsMutex);
            if (!row->iterationSeconds || m_trials.admits(row->remedy.scenario()))
                return row;
        }
        return std::nullopt;
    };
    const auto simulate = [&](RemedyRow row) {
        if (row.iterationSeconds)
            m_trials.setFigures(row, m_memories.simulateIteration(row.remedy.scenario(), m_stop));
        return row;
    };
    const auto take = [&](RemedyRow row) {
        if (m_stop.stop_requested())
            return false;
        {
            const std::scoped_lock lock(m_trialsMutex);
            m_trials.insert(std::move(row));
        }
        report();
        return true;
    };
    parallelInOrder<RemedyRow, RemedyRow>(m_threads, m_threads, nextNew, simulate, take);
    return m_stop.stop_requested() ? Result<void>(cancelled()) : Result<void>();
}

Result<void> Explainer::tryRemedies() {
    const std::vector<Remedy> remedies = proposeRemedies(m_run, m_finder, m_answer.chain);
    auto remedy = remedies.begin();
    return tryAll([&]() -> std::optional<RemedyRow> {
        if (remedy == remedies.end())
            return std::nullopt;
        return RemedyRow{.remedy = *remedy++, .iterationSeconds = 0.0};
    });
}

Result<void> Explainer::turnKnobs() {
    std::size_t dimension = 0;
    const auto next = [&]() -> std::optional<std::size_t> {
        while (dimension < scenarioSpace().size() && !scenarioSpace()[dimension].appliesTo(m_recipe))
            ++dimension;
        return dimension < scenarioSpace().size() && !m_stop.stop_requested() ? std::optional(dimension++) : std::nullopt;
    };
    const auto take = [&](const Sensitivity &row) {
        if (m_stop.stop_requested())
            return false;
        insertByReach(m_answer.sensitivities, row, m_run.iterationSeconds);
        if (row.lowSeconds)
            addKnob(row.dimension, row.lowValue, *row.lowSeconds, row.lowConfidence);
        if (row.highSeconds)
            addKnob(row.dimension, row.highValue, *row.highSeconds, row.highConfidence);
        report();
        return true;
    };
    parallelInOrder<std::size_t, Sensitivity>(
        m_threads, m_threads, next, [&](std::size_t d) { return sensitivity(m_recipe, d, m_memories, m_stop); }, take);
    return m_stop.stop_requested() ? Result<void>(cancelled()) : Result<void>();
}

void Explainer::addKnob(std::size_t d, double value, double seconds, double confidence) {
    const Dimension &dimension = scenarioSpace()[d];
    const auto turned = dimension.with(m_recipe, value);
    auto scenario = turned ? makeScenario(*turned) : Result<Scenario>(Unexpected(turned.error()));
    // Another number of workers trains on other batches and machines: the knob's row shows it, but it is not a remedy.
    if (!scenario || scenario->cluster->replicaCount() != m_run.scenario.cluster->replicaCount())
        return;
    ScenarioChange change{m_run.scenario};
    if (dimension.isOfCluster())
        change = {*std::move(scenario), TurnedKnob{d, value}};
    else
        change.scenario.policy = scenario->policy;
    m_trials.add({RemedyKind::Knob, knobText(dimension, m_recipe, value), std::move(change)}, seconds, confidence);
}

Result<void> Explainer::tryAlternatives() {
    const std::vector<Alternative> alternatives = m_options.alternatives();
    auto alternative = alternatives.begin();
    return tryAll([&]() -> std::optional<RemedyRow> {
        if (alternative == alternatives.end())
            return std::nullopt;
        const Alternative &of = *alternative++;
        auto scenario = of.build();
        // A change that cannot be built is listed with the present scenario, unchanged.
        ScenarioChange change{scenario ? *scenario : m_run.scenario, of.origin};
        auto seconds = scenario ? Result<double>(0.0) : Unexpected(std::move(scenario).error());
        return RemedyRow{
            .remedy = {of.kind, of.text, std::move(change)}, .iterationSeconds = std::move(seconds), .family = of.family};
    });
}

void Explainer::report() {
    {
        const std::scoped_lock lock(m_trialsMutex);
        m_answer.remedies = m_trials.rows();
        m_answer.tried = m_trials.tried();
        m_answer.leftOut = m_trials.leftOut();
    }
    if (m_progress)
        m_progress(m_answer);
}

} // namespace

std::vector<CauseRow> causeRows(const CauseChain &chain, const TaskGraph &graph,
                                const std::function<CauseWords(const Cause &)> &wordsOf) {
    std::vector<CauseRow> rows;
    for (std::size_t first = 0, next = 0; first < chain.causes.size(); first = next) {
        next = first + 1;
        while (next < chain.causes.size() && continues(chain.causes[next - 1], chain.causes[next], graph))
            ++next;
        rows.push_back(rowOf(chain, first, next, graph, wordsOf));
    }
    return rows;
}

Result<Explanation> explain(const Run &run, const ScenarioRecipe &recipe, const WhyOptions &options, const std::stop_token &stop,
                            const std::function<void(const Explanation &)> &progress) {
    return Explainer(run, recipe, options, stop, progress).explain();
}

} // namespace syncopate
