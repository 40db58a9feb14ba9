// SPDX-License-Identifier: GPL-3.0-or-later
// Seeds: tests/data/measured/plan/dags/*.json tests/data/measured/plan/plans/a2a-[befh]*.json
#include "engine/simulate/planned_run.h"

#include <cstdlib>

/// A DAG, a plan for it and a table of costs, separated by NULs: each is read or refused; those read survive writing and reading
/// back, and are played or refused.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    const std::size_t first = std::min(text.find('\0'), size), second = std::min(text.find('\0', first + 1), size);
    const auto dag = syncopate::readTrainingDagText(text.substr(0, first), "dag");
    if (!dag)
        return dag.error().what.empty() ? (std::abort(), 0) : 0;
    if (syncopate::readTrainingDagText(syncopate::writeTrainingDag(*dag)).value() != *dag)
        std::abort();
    const auto plan = syncopate::readExecutionPlanText(
        text.substr(std::min(first + 1, size), second - std::min(first + 1, second)), *dag, "plan");
    if (!plan)
        return plan.error().what.empty() ? (std::abort(), 0) : 0;
    if (syncopate::readExecutionPlanText(syncopate::writeExecutionPlan(*plan, *dag), *dag).value() != *plan)
        std::abort();
    const auto costs = syncopate::readMotifCostsText(text.substr(std::min(second + 1, size)), "costs");
    const auto run = syncopate::playPlan(*dag, *plan, costs ? *costs : syncopate::MotifCosts{});
    if (!run ? run.error().what.empty() : !(run->iterationSeconds >= 0))
        std::abort();
    return 0;
}
