// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/why/analyst.h"

#include <utility>

namespace syncopate::ui {

void Analyst::ask(const WhyQuestion &question, const SessionState &state, std::shared_ptr<const ShownRun> run) {
    m_worker.start([question, state, run = std::move(run)](const std::stop_token &stop, const auto &post) {
        const auto recipe = recipeOf(state, question.side);
        if (!recipe)
            return; // what is shown has no scenario
        WhyAnswer answer;
        answer.question = question;
        answer.state = state;
        answer.run = run;
        // Its one error is a stop: then a newer question replaces this one.
        (void)explain(*run->simulation(), *recipe, question.wait, stop, [&](const Explanation &explanation) {
            static_cast<Explanation &>(answer) = explanation;
            post(std::make_shared<const WhyAnswer>(answer));
        });
    });
}

} // namespace syncopate::ui
