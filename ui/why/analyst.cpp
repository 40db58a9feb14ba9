// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/why/analyst.h"

#include "engine/search/alternatives.h"
#include "ui/tasks/throttle.h"

#include <utility>

namespace syncopate::ui {

void Analyst::ask(const WhyQuestion &question, const SessionState &state, std::shared_ptr<const ShownRun> run,
                  std::vector<BestTrial> searched) {
    m_worker.start(
        [question, state, run = std::move(run), searched = std::move(searched)](const std::stop_token &stop, const auto &post) {
            const auto recipe = recipeOf(state, question.side);
            if (!recipe)
                return; // the run shown has no scenario
            WhyAnswer answer;
            answer.question = question;
            answer.state = state;
            answer.run = run;
            const WhyOptions options{.wait = question.wait, .alternatives = [&] {
                                         return alternativesTo(*run->simulation(), winnersFor(*state.job, searched, stop));
                                     }};
            Throttle throttle;
            // The only possible error is a stop: a newer question then replaces this one.
            (void)explain(*run->simulation(), *recipe, options, stop, [&](const Explanation &explanation) {
                if (!throttle.isDue(explanation.complete))
                    return;
                static_cast<Explanation &>(answer) = explanation;
                post(std::make_shared<const WhyAnswer>(answer));
            });
        });
}

} // namespace syncopate::ui
