// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/trial/judge.h"

#include <functional>
#include <string>
#include <utility>

namespace syncopate::ui {

/// Wraps a judge and calls `judged` after each scenario, on the thread that judged it.
class CountingJudge final : public Judge {
public:
    CountingJudge(Judge &judge, std::function<void()> judged) : m_judge(judge), m_judged(std::move(judged)) {}
    [[nodiscard]] std::string text() const override { return m_judge.text(); }
    [[nodiscard]] unsigned maxConcurrent() const override { return m_judge.maxConcurrent(); }
    [[nodiscard]] bool isDeterministic() const override { return m_judge.isDeterministic(); }
    [[nodiscard]] Result<Verdict> judge(const Scenario &scenario, std::stop_token stop) override {
        auto verdict = m_judge.judge(scenario, std::move(stop));
        m_judged();
        return verdict;
    }

private:
    Judge &m_judge;
    const std::function<void()> m_judged;
};

} // namespace syncopate::ui
