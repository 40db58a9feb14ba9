// SPDX-License-Identifier: GPL-3.0-or-later
// The engine's texts about a scenario, such as causes and remedies, are English on the command line and in the explorer's
// language in the explorer, but the engine knows no translations. A Phrase keeps the English pattern and its values apart:
// translators translate the pattern, and the code that shows the phrase supplies the language. translations/update.py finds the
// patterns in the sources, as the literals in phrase() and translatable().
#pragma once

#include <concepts>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace syncopate {

/// A text with values, or a name that is the same in every language. Default: empty.
struct Phrase {
    std::string pattern;          ///< English, with %1, %2, ... for the values: "Move %1 to %2"
    std::vector<Phrase> values{}; ///< phrases themselves
    bool isName = false;          ///< not translated: a name, an expression, a figure with its unit

    [[nodiscard]] bool isEmpty() const { return pattern.empty(); }
    [[nodiscard]] std::string english() const;
    /// `translate` returns a pattern in a language, with the same values in any order.
    [[nodiscard]] std::string in(const std::function<std::string(const std::string &)> &translate) const;
    bool operator==(const Phrase &) const = default;
};

/// A name: no language changes it.
[[nodiscard]] inline Phrase named(std::string name) { return {std::move(name), {}, true}; }

/// A literal in a table, that a Phrase is made of later.
[[nodiscard]] constexpr const char *translatable(const char *text) { return text; }

/// phrase("Move %1 to %2", unit, device): values that are texts are names.
template <class... Values> [[nodiscard]] Phrase phrase(const char *pattern, Values &&...values) {
    [[maybe_unused]] const auto asPhrase = []<class Value>(Value &&value) -> Phrase {
        if constexpr (std::same_as<std::remove_cvref_t<Value>, Phrase>)
            return std::forward<Value>(value);
        else
            return named(std::string(std::forward<Value>(value)));
    };
    return {pattern, {asPhrase(std::forward<Values>(values))...}};
}

/// The phrases one after another, `separator` between them; at most 99, as patterns number them in two digits.
[[nodiscard]] Phrase joined(std::vector<Phrase> phrases, std::string_view separator);

} // namespace syncopate
