// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace syncopate {

/// The text with nothing in it that a terminal acts upon: control characters become "\x1b", "\n" and the like, invisible
/// marks that turn the direction of writing "\u202e", and bytes that are not UTF-8 "\xff".
[[nodiscard]] std::string visibleText(std::string_view text);

/// The text, cut in the middle where it is longer than `maxBytes`: its beginning, an ellipsis, its end. Cuts no character.
[[nodiscard]] std::string cutInMiddle(std::string_view text, std::size_t maxBytes);

/// How much of one name is shown.
constexpr std::size_t maxShownNameBytes = 200;

/// Lines for a terminal: each visibleText(), and each word of more than maxShownNameBytes cut in its middle.
[[nodiscard]] std::string terminalText(std::string_view lines);

} // namespace syncopate
