// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace syncopate {

inline constexpr std::size_t maxExpressionBytes = 1000; ///< of a shell's expression; longer ones are not evaluated

/// Evaluates a shell's integer expression, the text between $(( and )): decimal and 0x numbers, NAME, $NAME and ${NAME},
/// + - * / % ** << >> and parentheses. nullopt for any other syntax, octal numbers, a name for which `valueOf` gives none, a
/// negative exponent, a shift of a negative number or by more than 62, overflow, a division by 0, or more than
/// maxExpressionBytes. O(length).
[[nodiscard]] std::optional<std::int64_t>
shellArithmetic(std::string_view expression, const std::function<std::optional<std::int64_t>(std::string_view name)> &valueOf);

} // namespace syncopate
