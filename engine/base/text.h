// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <fmt/format.h>
#include <functional>
#include <string>
#include <string_view>

namespace syncopate {

/// Makes a text safe for a terminal: control characters become "\x1b", "\n" and the like, invisible marks that change the
/// direction of writing "\u202e", and bytes that are not UTF-8 "\xff".
[[nodiscard]] std::string visibleText(std::string_view text);

/// A count with its noun, in English: "1 worker", "2 workers".
template <class Count> [[nodiscard]] std::string counted(Count count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// "a, b, c": the name of each row, for errors that say what there is. `nameOf`: a function of a row, or a pointer to its member.
template <class Rows, class NameOf> [[nodiscard]] std::string listOfNames(const Rows &rows, NameOf nameOf) {
    std::string list;
    for (const auto &row : rows)
        list += fmt::format("{}{}", list.empty() ? "" : ", ", std::invoke(nameOf, row));
    return list;
}

/// Shortens a text of more than `maxBytes` in the middle: its beginning, an ellipsis, its end. Never splits a character.
[[nodiscard]] std::string cutInMiddle(std::string_view text, std::size_t maxBytes);

/// Bytes of a name that are shown at most.
constexpr std::size_t maxShownNameBytes = 200;

/// Makes lines safe for a terminal (visibleText()), and cuts words of more than maxShownNameBytes in the middle.
[[nodiscard]] std::string terminalText(std::string_view lines);

} // namespace syncopate
