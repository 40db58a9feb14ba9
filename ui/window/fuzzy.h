// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>
#include <vector>

namespace syncopate::ui {

/// How well a text matches, and by which letters.
struct FuzzyMatch {
    int score = 0;              ///< larger is better
    std::vector<int> positions; ///< of the matched letters in the text, ascending
};

/// Whether the letters of `pattern` (ignoring blanks) occur in `text` in this order, ignoring case; null if not. Contiguous
/// letters, letters at the start of a word and a short text score more. Returns the best of all possible matches: O(pattern *
/// text).
[[nodiscard]] std::optional<FuzzyMatch> fuzzyMatch(const QString &pattern, const QString &text);

} // namespace syncopate::ui
