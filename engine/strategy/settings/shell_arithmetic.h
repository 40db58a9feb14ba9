// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace syncopate {

inline constexpr std::size_t maxExpressionBytes = 1000; ///< of a shell's expression; longer ones are not evaluated

/// The number that a shell's arithmetic reads: 10, 0x10 = 16, 010 = 8. nullopt for any other text, a sign and 08 included, and
/// beyond 64 bits.
[[nodiscard]] std::optional<std::int64_t> shellNumber(std::string_view text);

/// Evaluates a shell's integer expression, the text between $(( and )): numbers (shellNumber()), NAME, $NAME and ${NAME},
/// + - * / % ** << >> and parentheses. nullopt for any other syntax, a name for which `valueOf` gives none, a negative exponent,
/// a shift of a negative number or by more than 62, overflow, a division by 0, or more than maxExpressionBytes. O(length).
[[nodiscard]] std::optional<std::int64_t>
shellArithmetic(std::string_view expression, const std::function<std::optional<std::int64_t>(std::string_view name)> &valueOf);

} // namespace syncopate
