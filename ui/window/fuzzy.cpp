// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/fuzzy.h"

#include <algorithm>
#include <limits>

namespace syncopate::ui {

namespace {

constexpr int inWord = 1;    ///< a letter anywhere
constexpr int wordStart = 9; ///< a letter at the start of a word
constexpr int inPiece = 6;   ///< a letter right after the previous one
constexpr int textStart = 4; ///< bonus for the first letter of the text
constexpr int longest = 200; ///< letters of text and pattern that are considered
constexpr int none = std::numeric_limits<int>::min() / 2;

bool startsWord(const QString &text, qsizetype i) {
    if (i == 0)
        return true;
    const QChar before = text[i - 1], here = text[i];
    return (!before.isLetterOrNumber() && here.isLetterOrNumber()) || (before.isLower() && here.isUpper()) ||
           (before.isLetter() && here.isDigit());
}

/// The best ways to match the first letters of a pattern, by the position of their last letter in the text.
struct Row {
    std::vector<int> best; ///< score, `none` if the letter differs
    std::vector<int> from; ///< position of the previous letter
};

/// `before`: the row of the previous letter, null for the first letter.
Row rowOf(QChar letter, const QString &text, std::size_t size, const Row *before) {
    Row row{std::vector<int>(size, none), std::vector<int>(size, -1)};
    int carried = none, carriedAt = -1; // best of the previous row, left of j
    for (std::size_t j = 0; j < size; ++j) {
        const int adjacent = before && j > 0 ? before->best[j - 1] : none;
        if (adjacent > carried) {
            carried = adjacent;
            carriedAt = static_cast<int>(j) - 1;
        }
        const auto at = static_cast<qsizetype>(j);
        if (text[at].toLower() != letter || (before && carriedAt < 0))
            continue;
        const int own = (startsWord(text, at) ? wordStart : inWord) + (j == 0 ? textStart : 0);
        row.best[j] = before ? carried + own : own;
        row.from[j] = carriedAt;
        if (adjacent > none / 2 && adjacent + own + inPiece > row.best[j]) {
            row.best[j] = adjacent + own + inPiece;
            row.from[j] = static_cast<int>(j) - 1;
        }
    }
    return row;
}

} // namespace

std::optional<FuzzyMatch> fuzzyMatch(const QString &pattern, const QString &text) {
    QString wanted;
    for (const QChar c : pattern)
        if (!c.isSpace() && wanted.size() < longest)
            wanted.append(c.toLower());
    const auto p = static_cast<std::size_t>(wanted.size());
    const auto t = static_cast<std::size_t>(std::min<qsizetype>(text.size(), longest));
    if (p == 0)
        return FuzzyMatch{0, {}};
    if (p > t)
        return {};
    std::vector<Row> rows;
    rows.reserve(p);
    for (const QChar letter : wanted)
        rows.push_back(rowOf(letter, text, t, rows.empty() ? nullptr : &rows.back()));
    const std::vector<int> &ends = rows.back().best;
    const auto last = std::max_element(ends.begin(), ends.end());
    if (*last < none / 2)
        return {};
    FuzzyMatch match{*last * 8 - static_cast<int>(t), std::vector<int>(p)};
    int j = static_cast<int>(last - ends.begin());
    for (std::size_t i = p; i-- > 0;) {
        match.positions[i] = j;
        j = rows[i].from[static_cast<std::size_t>(j)];
    }
    return match;
}

} // namespace syncopate::ui
