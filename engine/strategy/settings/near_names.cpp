// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/strategy/settings/near_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <vector>

namespace syncopate {

namespace {

constexpr std::size_t maxNameLength = 100; ///< longer names than any system has
constexpr std::size_t maxSlipEdits = 3;
constexpr std::string_view separators = "_-.";

std::string withoutSeparators(std::string_view name) {
    std::string letters(name);
    std::erase_if(letters, [](char c) { return separators.find(c) != std::string_view::npos; });
    return letters;
}

std::vector<std::string_view> wordsOf(std::string_view name) {
    std::vector<std::string_view> words;
    for (std::size_t from = 0; from < name.size();) {
        const std::size_t end = std::min(name.find_first_of(separators, from), name.size());
        if (end > from)
            words.push_back(name.substr(from, end - from));
        from = end + 1;
    }
    return words;
}

bool isUnit(std::string word) {
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    constexpr std::array<std::string_view, 12> units{"bytes", "byte", "size", "kb", "mb", "gb",
                                                     "kib",   "mib",  "gib",  "ms", "us", "s"};
    return std::find(units.begin(), units.end(), word) != units.end();
}

std::vector<std::string_view> withoutUnits(std::vector<std::string_view> words) {
    while (words.size() > 2 && isUnit(std::string(words.back())))
        words.pop_back();
    return words;
}

/// Whether both begin with the same word, and `words` lacks one of `known`'s or they differ only in units at the end.
bool differsByAWord(const std::vector<std::string_view> &words, const std::vector<std::string_view> &known) {
    if (words.size() < 2 || known.size() < 2 || words.front() != known.front())
        return false;
    if (withoutUnits(words) == withoutUnits(known))
        return true;
    if (words.size() + 1 != known.size())
        return false;
    const auto differs = std::mismatch(words.begin(), words.end(), known.begin());
    return std::equal(differs.first, words.end(), differs.second + 1);
}

/// Whether the two switch the same thing, one on and the other off: "disable" is three edits from "enable", and no slip.
bool areOpposites(const std::vector<std::string_view> &words, const std::vector<std::string_view> &known) {
    const auto isSwitch = [](std::string_view word) { return word == "enable" || word == "disable"; };
    if (words.size() != known.size())
        return false;
    const auto differs = std::mismatch(words.begin(), words.end(), known.begin());
    return differs.first != words.end() && isSwitch(*differs.first) && isSwitch(*differs.second);
}

} // namespace

std::size_t editDistance(std::string_view a, std::string_view b, std::size_t maxEdits) {
    if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > maxEdits)
        return maxEdits + 1;
    // row[j] is the distance of the first i characters of `a` from the first j of `b`; `above` and `before` are those of i - 1
    // and of i - 2.
    std::vector<std::size_t> row(b.size() + 1), above(b.size() + 1), before(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::swap(before, above);
        std::swap(above, row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        if (*std::min_element(row.begin(), row.end()) > maxEdits)
            return maxEdits + 1;
    }
    return std::min(row[b.size()], maxEdits + 1);
}

std::optional<std::string_view> nearestName(std::string_view written, std::span<const std::string_view> known, NameSlips slips) {
    if (written.size() > maxNameLength || std::find(known.begin(), known.end(), written) != known.end())
        return std::nullopt;
    const std::string letters = withoutSeparators(written);
    const auto words = wordsOf(written);
    std::optional<std::string_view> nearest, byWord;
    std::size_t fewestEdits = maxSlipEdits + 1;
    for (const std::string_view name : known) {
        const std::string right = withoutSeparators(name);
        const std::size_t maxEdits = std::min(maxSlipEdits, right.size() / 10);
        const auto knownWords = wordsOf(name);
        if (areOpposites(words, knownWords))
            continue;
        if (const std::size_t edits = editDistance(letters, right, maxEdits); edits <= maxEdits && edits < fewestEdits) {
            fewestEdits = edits;
            nearest = name;
        }
        if (slips == NameSlips::Words && !byWord && differsByAWord(words, knownWords))
            byWord = name;
    }
    return nearest ? nearest : byWord;
}

} // namespace syncopate
