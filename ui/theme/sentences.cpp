// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/sentences.h"

#include "ui/theme/sentence_tables.h"
#include "ui/theme/translation.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace syncopate::ui {

namespace {

/// The pieces of a pattern between its values; one more than it has values.
std::vector<std::string_view> piecesOf(std::string_view pattern) {
    std::vector<std::string_view> pieces;
    std::size_t from = 0;
    for (std::size_t c = 0; c + 1 < pattern.size(); ++c)
        if (pattern[c] == '%' && pattern[c + 1] >= '1' && pattern[c + 1] <= '9') {
            pieces.push_back(pattern.substr(from, c - from));
            from = c + 2;
        }
    pieces.push_back(pattern.substr(from));
    return pieces;
}

/// Longer texts are no sentences of the engine, and would be cut into too many parts: each takes room on the stack.
constexpr std::size_t maxTextBytes = 8192;

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Length of the number that a text begins with, or 0. A dot after it ends a sentence.
std::size_t numberLength(std::string_view text) {
    std::size_t length = 0;
    for (std::size_t c = 0; c < text.size() && (isDigit(text[c]) || (text[c] == '.' && c > 0)); ++c)
        if (isDigit(text[c]))
            length = c + 1;
    return length;
}

/// A number, perhaps with a sign, and at most one more word: "12", "−3.5 ms", "8 ranks".
bool isFigure(std::string_view text) {
    for (const std::string_view sign : {std::string_view("-"), std::string_view("\u2212")})
        if (text.starts_with(sign)) {
            text.remove_prefix(sign.size());
            break;
        }
    return numberLength(text) > 0 && std::ranges::count(text, ' ') <= 1;
}

/// A pattern, ready to be compared.
struct Known {
    explicit Known(const SentencePattern &of) : pattern(of.text), pieces(piecesOf(of.text)) {
        if (of.figures)
            figures = of.figures;
        else if (pieces.size() > 1 && pieces.front().empty())
            figures = "1";
        for (const std::string_view piece : pieces)
            fixedBytes += piece.size();
    }
    /// Whether the value of this index, from 0 on, has to be a figure.
    [[nodiscard]] bool hasFigure(std::size_t value) const { return figures.find(static_cast<char>('1' + value)) != figures.npos; }

    const char *pattern;
    std::vector<std::string_view> pieces;
    std::string_view figures;
    std::size_t fixedBytes = 0; ///< of its pieces
};

/// Patterns with the most fixed text first: "Rank %1 of %2." before "Rank %1.", which makes the same texts.
std::vector<Known> knownOf(std::initializer_list<const std::vector<SentencePattern> *> tables) {
    std::vector<Known> made;
    for (const auto *patterns : tables)
        for (const SentencePattern &pattern : *patterns)
            made.emplace_back(pattern);
    std::ranges::stable_sort(made, std::ranges::greater(), &Known::fixedBytes);
    return made;
}

/// The values of a text that a pattern makes; null: it makes other texts. A value ends where the next piece begins for the first
/// time. Of two values in a row the first is a number, or empty.
std::optional<std::vector<std::string_view>> valuesIn(std::string_view text, const Known &known) {
    const auto &pieces = known.pieces;
    if (!text.starts_with(pieces.front()) || !text.ends_with(pieces.back()))
        return {};
    if (pieces.size() == 1)
        return text == pieces.front() ? std::optional(std::vector<std::string_view>()) : std::nullopt;
    std::vector<std::string_view> values;
    std::size_t at = pieces.front().size();
    for (std::size_t p = 1; p < pieces.size(); ++p) {
        const bool isLast = p + 1 == pieces.size();
        const std::size_t end = isLast              ? text.size() - pieces[p].size()
                                : pieces[p].empty() ? at + numberLength(text.substr(at))
                                                    : text.find(pieces[p], at);
        if (end == std::string_view::npos || end < at)
            return {};
        values.push_back(text.substr(at, end - at));
        if (known.hasFigure(p - 1) && !isFigure(values.back()))
            return {};
        at = end + pieces[p].size();
    }
    return values;
}

/// Where a text stands: sentences only; fragments as well; or the pieces of a rule.
enum class Where : std::uint8_t { Alone, InSentence, InRule };

const std::vector<Known> &patternsFor(Where where) {
    static const std::vector<Known> alone = knownOf({&sentencePatterns()}),
                                    within = knownOf({&sentencePatterns(), &fragmentPatterns()}),
                                    ofRules = knownOf({&rulePatterns()});
    return where == Where::Alone ? alone : where == Where::InSentence ? within : ofRules;
}

/// The separators between two texts that have a pattern each.
std::span<const std::string_view> separatorsFor(Where where) {
    static constexpr std::array<std::string_view, 3> all{". ", "; ", ", "};
    const std::span<const std::string_view> every(all);
    return where == Where::InRule ? every.last(1) : where == Where::Alone ? every.first(2) : every;
}

/// A text that one pattern makes, and the separator before the next.
struct Part {
    const char *pattern;
    std::vector<std::string_view> values;
    std::string_view gap;
};

std::optional<Part> partOf(std::string_view text, Where where) {
    for (const Known &one : patternsFor(where))
        if (auto values = valuesIn(text, one))
            return Part{one.pattern, *std::move(values), {}};
    return {};
}

/// Cuts a text into parts. False: it cannot be cut so that each fits a pattern. `dead` has the lengths of the ends for which that
/// is known: each is tried once, so that an unknown text of many sentences takes no longer than their number squared.
bool cut(std::string_view text, Where where, std::vector<Part> &parts, std::set<std::size_t> &dead) {
    if (text.empty() || dead.contains(text.size()))
        return false;
    if (auto whole = partOf(text, where)) {
        parts.push_back(*std::move(whole));
        return true;
    }
    for (const std::string_view separator : separatorsFor(where))
        for (std::size_t at = text.find(separator); at != std::string_view::npos; at = text.find(separator, at + 1)) {
            const bool isDot = separator == ". ";
            auto first = partOf(text.substr(0, at + (isDot ? 1 : 0)), where);
            if (!first)
                continue;
            first->gap = isDot ? " " : separator;
            parts.push_back(*std::move(first));
            if (cut(text.substr(at + separator.size()), where, parts, dead))
                return true;
            parts.pop_back();
        }
    dead.insert(text.size());
    return false;
}

std::optional<Phrase> phraseOfText(std::string_view text, Where where);

/// A value is a name or a figure, unless it has a pattern itself.
Phrase phraseOfPart(const Part &part) {
    Phrase phrase{part.pattern};
    for (const std::string_view value : part.values)
        phrase.values.push_back(phraseOfText(value, Where::InSentence).value_or(named(std::string(value))));
    return phrase;
}

std::optional<Phrase> phraseOfText(std::string_view text, Where where) {
    std::vector<Part> parts;
    std::set<std::size_t> dead;
    if (text.size() > maxTextBytes || !cut(text, where, parts, dead))
        return {};
    Phrase all = phraseOfPart(parts.back());
    for (std::size_t p = parts.size() - 1; p-- > 0;)
        all = joined({phraseOfPart(parts[p]), std::move(all)}, parts[p].gap);
    return all;
}

/// Which variables, and how they are synchronised: "larger: served, each alone". A variable's name may stand before the colon.
Phrase phraseOfRuleItem(std::string_view item) {
    const std::size_t colon = item.rfind(": ");
    if (colon == std::string_view::npos)
        return phraseOfText(item, Where::InRule).value_or(named(std::string(item)));
    const std::string_view which = item.substr(0, colon);
    auto what = phraseOfText(item.substr(colon + 2), Where::InRule);
    if (!what)
        return named(std::string(item));
    return joined({phraseOfText(which, Where::InRule).value_or(named(std::string(which))), *std::move(what)}, ": ");
}

std::vector<SentencePattern> together(const std::vector<std::vector<SentencePattern>> &tables) {
    std::vector<SentencePattern> all;
    for (const auto &table : tables)
        all.insert(all.end(), table.begin(), table.end());
    return all;
}

} // namespace

const std::vector<SentencePattern> &sentencePatterns() {
    static const auto all =
        together({sentencesOfSimulations(), sentencesOfProfiles(), sentencesOfPitfalls(), sentencesOfMethods()});
    return all;
}

const std::vector<SentencePattern> &fragmentPatterns() {
    static const auto all =
        together({fragmentsOfSimulations(), fragmentsOfProfiles(), fragmentsOfPitfalls(), fragmentsOfMethods()});
    return all;
}

const std::vector<SentencePattern> &rulePatterns() {
    static const auto all = piecesOfRules();
    return all;
}

std::optional<Phrase> phraseOf(const std::string &sentence) { return phraseOfText(sentence, Where::Alone); }

QString said(const std::string &sentence) {
    const auto phrase = phraseOf(sentence);
    return phrase ? worded(*phrase) : QString::fromStdString(sentence);
}

QString saidRule(const std::string &rule) {
    QString text;
    for (std::string_view rest = rule; !rest.empty();) {
        const std::size_t end = std::min(rest.find("; "), rest.size());
        text += (text.isEmpty() ? QString() : QStringLiteral("; ")) + worded(phraseOfRuleItem(rest.substr(0, end)));
        rest.remove_prefix(std::min(end + 2, rest.size()));
    }
    return text;
}

} // namespace syncopate::ui
