// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/trial/judge.h"

#include <string>
#include <vector>

namespace syncopate {

/// Judges a strategy by a user's program, which runs it and prints how long an iteration takes: seconds, one number or one for
/// each repetition, and nothing else on its standard output. The program is started without a shell, with its own words (quoted
/// by ' or ") and then three files: the strategy as JSON, the job, and the cluster as a resource_spec.yml; beside the strategy
/// lie strategy.pb in AutoDist's format, and the policy as an expression in policy.txt. It is a process group of its own, which
/// is killed as a whole when the program ends, takes too long, or the search is stopped.
class CommandJudge final : public Judge {
public:
    struct Settings {
        std::string program; ///< with its own arguments
        std::int32_t timeoutSeconds = 600;
        std::int32_t jobs = 1; ///< at once
    };
    [[nodiscard]] static const ExpressionInfo &info();
    /// Errors: no program, or a quote in it that does not end.
    [[nodiscard]] static Result<std::unique_ptr<Judge>> make(const Expression &expression);

    [[nodiscard]] std::string text() const override;
    [[nodiscard]] unsigned maxConcurrent() const override { return static_cast<unsigned>(m_settings.jobs); }
    [[nodiscard]] bool isDeterministic() const override { return false; }
    /// Errors: the program cannot be started, fails, takes too long, or prints anything but times; with the last line
    /// that it wrote to its standard error, or the last that begins with "error: ".
    [[nodiscard]] Result<Verdict> judge(const Scenario &scenario, std::stop_token stop) override;

private:
    CommandJudge(Settings settings, std::vector<std::string> words)
        : m_settings(std::move(settings)), m_words(std::move(words)) {}
    Settings m_settings;
    std::vector<std::string> m_words;
};

} // namespace syncopate
