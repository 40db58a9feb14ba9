// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/why/analyst.h"

#include <utility>

namespace syncopate::ui {

void Analyst::post(std::uint64_t generation, const WhyAnswer &answer) {
    auto shared = std::make_shared<const WhyAnswer>(answer);
    QMetaObject::invokeMethod(
        this,
        [this, generation, shared = std::move(shared)] {
            if (generation == m_generation)
                Q_EMIT answered(shared);
        },
        Qt::QueuedConnection);
}

void Analyst::ask(const WhyQuestion &question, const SessionState &state, std::shared_ptr<const ShownRun> run) {
    const std::uint64_t generation = ++m_generation;
    m_worker.post([this, generation, question, state, run = std::move(run)](const std::stop_token &stop) {
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
            post(generation, answer);
        });
    });
}

void Analyst::cancel() {
    ++m_generation;
    m_worker.cancel();
}

} // namespace syncopate::ui
