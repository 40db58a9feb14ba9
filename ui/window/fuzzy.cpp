// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/fuzzy.h"

#include <algorithm>
#include <limits>

namespace syncopate::ui {

namespace {

constexpr int inWord = 1;    ///< a letter somewhere
constexpr int wordStart = 9; ///< a letter that begins a word
constexpr int inPiece = 6;   ///< a letter right after the one before
constexpr int textStart = 4; ///< the first letter of all, besides
constexpr int longest = 200; ///< letters of text and pattern that are looked at
constexpr int none = std::numeric_limits<int>::min() / 2;

bool startsWord(const QString &text, qsizetype i) {
    if (i == 0)
        return true;
    const QChar before = text[i - 1], here = text[i];
    return (!before.isLetterOrNumber() && here.isLetterOrNumber()) || (before.isLower() && here.isUpper()) ||
           (before.isLetter() && here.isDigit());
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
    // best[i][j]: score of matching the first i + 1 letters with the last of them at j; from[i][j]: where the one before is.
    std::vector<int> best(p * t, none);
    std::vector<int> from(p * t, -1);
    for (std::size_t i = 0; i < p; ++i) {
        int carried = none, carriedAt = -1; // best of the row above left of j
        for (std::size_t j = 0; j < t; ++j) {
            if (i > 0 && j > 0 && best[(i - 1) * t + j - 1] > carried) {
                carried = best[(i - 1) * t + j - 1];
                carriedAt = static_cast<int>(j) - 1;
            }
            const auto at = static_cast<qsizetype>(j);
            if (text[at].toLower() != wanted[static_cast<qsizetype>(i)])
                continue;
            const int own = (startsWord(text, at) ? wordStart : inWord) + (j == 0 ? textStart : 0);
            if (i == 0) {
                best[j] = own;
                continue;
            }
            if (carriedAt < 0)
                continue;
            best[i * t + j] = carried + own;
            from[i * t + j] = carriedAt;
            if (j > 0 && best[(i - 1) * t + j - 1] > none / 2 && best[(i - 1) * t + j - 1] + own + inPiece > best[i * t + j]) {
                best[i * t + j] = best[(i - 1) * t + j - 1] + own + inPiece;
                from[i * t + j] = static_cast<int>(j) - 1;
            }
        }
    }
    const auto last = std::max_element(best.end() - static_cast<std::ptrdiff_t>(t), best.end());
    if (*last < none / 2)
        return {};
    FuzzyMatch match{*last * 8 - static_cast<int>(t), std::vector<int>(p)};
    int j = static_cast<int>(last - (best.end() - static_cast<std::ptrdiff_t>(t)));
    for (std::size_t i = p; i-- > 0;) {
        match.positions[i] = j;
        j = from[i * t + static_cast<std::size_t>(j)];
    }
    return match;
}

} // namespace syncopate::ui
