// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>
#include <vector>

namespace syncopate::ui {

struct FuzzyMatch {
    int score = 0;              ///< larger is better
    std::vector<int> positions; ///< of the matched letters in the text, ascending
};

/// Whether the letters of `pattern` (blanks left out) occur in `text` in this order, in either case; null if not. A run of
/// letters in one piece, a letter at the start of a word and a short text score more. The best of all ways to match is
/// taken: O(pattern * text).
[[nodiscard]] std::optional<FuzzyMatch> fuzzyMatch(const QString &pattern, const QString &text);

} // namespace syncopate::ui
