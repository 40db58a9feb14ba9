// SPDX-License-Identifier: GPL-3.0-or-later
// Assumptions and notes are sentences with their figures filled in: projects keep them, reports and the command line print them.
// To say them in another language, the explorer knows the patterns that the engine makes them of (sentences.cpp), finds the one
// that fits, and takes the figures out. A sentence that fits none, such as a user's own note, stays as it is.
// tests/ui/tst_sentences.cpp compares the patterns with the engine's sources and with what simulations say.
#pragma once

#include "engine/base/phrase.h"

#include <QString>
#include <optional>
#include <string>
#include <vector>

namespace syncopate::ui {

/// English, with %1, %2, ... for what is filled in, in this order.
[[nodiscard]] const std::vector<const char *> &sentencePatterns();

/// What stands only within sentences, as one of their values: alone it may be a user's own words ("5 % above").
[[nodiscard]] const std::vector<const char *> &fragmentPatterns();

/// The pattern of a sentence with its values, several in a row included; english() is the sentence. Null: none fits.
[[nodiscard]] std::optional<Phrase> phraseOf(const std::string &sentence);

/// A sentence of the engine in the explorer's language, or unchanged.
[[nodiscard]] QString said(const std::string &sentence);

} // namespace syncopate::ui
