// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/explain.h"

#include "engine/base/units.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace syncopate {

namespace {

bool isCompute(CauseKind kind) { return kind == CauseKind::Forward || kind == CauseKind::Backward || kind == CauseKind::Update; }

/// Whether `cause` goes into the row that `last` ended: the same message, or the next layer of the same pass.
bool continues(const Cause &last, const Cause &cause, const TaskGraph &graph) {
    if (last.task == cause.task)
        return true;
    const auto worker = [&](const Cause &c) { return graph.worker[static_cast<std::size_t>(c.task)]; };
    return last.throughQueue < 0 && isCompute(cause.kind) && last.kind == cause.kind && worker(last) == worker(cause);
}

void append(std::string &list, const std::string &piece) { list += (list.empty() ? "" : "; ") + piece; }

/// The row of the pieces [first, next) of the chain.
CauseRow rowOf(const CauseChain &chain, std::size_t first, std::size_t next, const CauseFinder &finder, const TaskGraph &graph) {
    const Cause &begin = chain.causes[first], &end = chain.causes[next - 1];
    std::array<double, causeKindCount> seconds{};
    for (std::size_t c = first; c < next; ++c)
        seconds[static_cast<std::size_t>(chain.causes[c].kind)] += chain.causes[c].seconds();
    const auto longest = static_cast<CauseKind>(std::max_element(seconds.begin(), seconds.end()) - seconds.begin());
    CauseRow row{finder.describe(begin), {}, begin.task, longest, begin.startSeconds, end.endSeconds};
    if (begin.task != end.task) {
        const std::size_t of = row.what.find(" of ");
        const std::string name = of == std::string::npos ? std::string() : row.what.substr(of + 4);
        row.what = fmt::format("{} of {} layers, from {}", nameOf(begin.kind), next - first, name);
    }
    if (!isCompute(begin.kind))
        for (std::size_t k = 0; k < causeKindCount; ++k)
            if (seconds[k] > 0)
                append(row.how, fmt::format("{} {}", nameOf(static_cast<CauseKind>(k)), formatSeconds(seconds[k])));
    // The piece before it held the slot that this one waited for.
    if (first > 0 && chain.causes[first - 1].throughQueue >= 0)
        append(row.how, fmt::format("waited for its turn ({})",
                                    graph.queues[static_cast<std::size_t>(chain.causes[first - 1].throughQueue)].name));
    return row;
}

std::vector<CauseRow> rowsOf(const CauseChain &chain, const CauseFinder &finder, const TaskGraph &graph) {
    std::vector<CauseRow> rows;
    for (std::size_t first = 0, next = 0; first < chain.causes.size(); first = next) {
        next = first + 1;
        while (next < chain.causes.size() && continues(chain.causes[next - 1], chain.causes[next], graph))
            ++next;
        rows.push_back(rowOf(chain, first, next, finder, graph));
    }
    return rows;
}

Result<double> iterationOf(const Scenario &scenario, const std::stop_token &stop) {
    const auto run = TRY(simulateFigures(scenario, stop));
    return run->iterationSeconds;
}

} // namespace

Result<Explanation> explain(const Run &run, const ScenarioRecipe &recipe, const std::optional<ComputeWait> &wait,
                            const std::stop_token &stop, const std::function<void(const Explanation &)> &progress) {
    Explanation answer;
    const auto report = [&] {
        if (progress)
            progress(answer);
    };
    const CauseFinder finder(run);
    answer.chain = wait ? finder.ofWait(wait->worker, wait->seconds) : finder.ofIteration();
    answer.causes = rowsOf(answer.chain, finder, run.graph);
    answer.links = linkSlopes(run, finder, answer.chain);
    answer.bounds = finder.bounds();
    if (answer.bounds.busiestLink >= 0)
        answer.busiestLink = run.graph.links[static_cast<std::size_t>(answer.bounds.busiestLink)].name;
    if (answer.bounds.busiestQueue >= 0)
        answer.busiestQueue = run.graph.queues[static_cast<std::size_t>(answer.bounds.busiestQueue)].name;
    report();
    const auto seconds = [](const RemedyRow &row) {
        return row.iterationSeconds ? *row.iterationSeconds : std::numeric_limits<double>::infinity();
    };
    for (Remedy &remedy : proposeRemedies(run, finder, answer.chain)) {
        auto iteration = iterationOf(remedy.scenario, stop);
        if (stop.stop_requested())
            return cancelled();
        answer.remedies.push_back({std::move(remedy), std::move(iteration)});
        std::stable_sort(answer.remedies.begin(), answer.remedies.end(),
                         [&](const RemedyRow &a, const RemedyRow &b) { return seconds(a) < seconds(b); });
        report();
    }
    for (std::size_t d = 0; d < scenarioSpace().size(); ++d) {
        if (!scenarioSpace()[d].appliesTo(recipe))
            continue;
        const Sensitivity row = sensitivity(recipe, d, stop);
        if (stop.stop_requested())
            return cancelled();
        answer.sensitivities.push_back(row);
        std::stable_sort(answer.sensitivities.begin(), answer.sensitivities.end(),
                         [&](const Sensitivity &a, const Sensitivity &b) {
                             return a.reach(run.iterationSeconds) > b.reach(run.iterationSeconds);
                         });
        report();
    }
    answer.complete = true;
    report();
    return answer;
}

} // namespace syncopate
