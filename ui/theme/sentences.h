// SPDX-License-Identifier: GPL-3.0-or-later
// Assumptions, facts of profiles and pitfalls are sentences with their figures filled in: projects keep them, reports and the
// command line print them. To say them in another language, the explorer knows the patterns that the engine makes them of
// (sentence_tables.h), finds the one that fits, and takes the figures out. A sentence that fits none, such as a user's own note,
// stays as it is.
// tests/ui/tst_sentences.cpp compares the patterns with the engine's sources and with what simulations say.
#pragma once

#include "engine/base/phrase.h"

#include <QString>
#include <optional>
#include <string>
#include <vector>

namespace syncopate::ui {

/// English, with %1, %2, ... for the filled-in values, in this order.
struct SentencePattern {
    const char *text;
    /// The numbers of the values that are figures, such as "13" for %1 and %3: a user's own text then fits fewer patterns. By
    /// default "1" for a pattern that begins with its first value, else none.
    const char *figures = nullptr;
};

[[nodiscard]] const std::vector<SentencePattern> &sentencePatterns();

/// Texts that occur only within sentences, as one of their values: alone they may be a user's own words ("5 % above").
[[nodiscard]] const std::vector<SentencePattern> &fragmentPatterns();

/// The pieces of the rules of searches (engine/search/rule.h): "served", "layers up to %1 %".
[[nodiscard]] const std::vector<SentencePattern> &rulePatterns();

/// The pattern of a sentence with its values, several in a row included; english() is the sentence. Null: none fits, or the text
/// is longer than 8 KiB.
[[nodiscard]] std::optional<Phrase> phraseOf(const std::string &sentence);

/// A sentence of the engine in the explorer's language, or unchanged.
[[nodiscard]] QString said(const std::string &sentence);

/// A search's rule in the explorer's language; other text, such as a variable's name, is returned unchanged,
/// unless it is a word of rules, such as "all".
[[nodiscard]] QString saidRule(const std::string &rule);

} // namespace syncopate::ui
