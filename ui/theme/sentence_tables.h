// SPDX-License-Identifier: GPL-3.0-or-later
// The tables that sentencePatterns(), fragmentPatterns() and rulePatterns() (sentences.h) consist of.
#pragma once

#include "ui/theme/sentences.h"

#include <vector>

namespace syncopate::ui {

/// Assumptions of simulations, predictions, comparisons and plans.
[[nodiscard]] std::vector<SentencePattern> sentencesOfSimulations();
[[nodiscard]] std::vector<SentencePattern> fragmentsOfSimulations();

/// Facts of profiles and of the machines that they were recorded on.
[[nodiscard]] std::vector<SentencePattern> sentencesOfProfiles();
[[nodiscard]] std::vector<SentencePattern> fragmentsOfProfiles();

/// Pitfalls of strategies, and their remedies.
[[nodiscard]] std::vector<SentencePattern> sentencesOfPitfalls();
[[nodiscard]] std::vector<SentencePattern> fragmentsOfPitfalls();

[[nodiscard]] std::vector<SentencePattern> piecesOfRules();

/// Descriptions of search methods, planners, tuners and judges, and of their arguments; what a search's best have in common.
[[nodiscard]] std::vector<SentencePattern> sentencesOfMethods();
/// What the best strategies of a search have in common.
[[nodiscard]] std::vector<SentencePattern> fragmentsOfMethods();

} // namespace syncopate::ui
