// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/why/analyst.h"

#include "engine/base/parallel_in_order.h"
#include "engine/search/alternatives.h"
#include "engine/session/explain_plan.h"
#include "ui/tasks/throttle.h"

#include <algorithm>
#include <utility>

namespace syncopate::ui {

void Analyst::ask(const WhyQuestion &question, const SessionState &state, std::shared_ptr<const ShownRun> run,
                  std::vector<BestTrial> searched) {
    m_worker.start(
        [question, state, run = std::move(run), searched = std::move(searched)](const std::stop_token &stop, const auto &post) {
            WhyAnswer answer;
            answer.question = question;
            answer.state = state;
            answer.run = run;
            Throttle throttle;
            const auto report = [&](const Explanation &explanation) {
                if (!throttle.isDue(explanation.complete))
                    return;
                static_cast<Explanation &>(answer) = explanation;
                post(std::make_shared<const WhyAnswer>(answer));
            };
            // The state is one that was run, so the only error of either is a stop: a newer question replaces this one.
            if (const auto *planned = std::get_if<Planned>(&state.side(question.side).source); planned && run->plan()) {
                (void)explainPlan(*run->plan(), *planned->work, plannedRecipe(state, question.side), {.wait = question.wait},
                                  stop, report);
                return;
            }
            const auto recipe = recipeOf(state, question.side);
            if (!recipe || !run->simulation())
                return; // the run shown has no scenario
            // Unrequested work: a core stays free for the user's actions.
            const WhyOptions options{
                .wait = question.wait,
                .alternatives = [&] { return alternativesTo(*run->simulation(), winnersFor(*state.job, searched, stop)); },
                .threads = std::max(1U, threadsFor() - 1)};
            (void)explain(*run->simulation(), *recipe, options, stop, report);
        });
}

} // namespace syncopate::ui
