// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace syncopate {

inline constexpr std::size_t maxExpressionBytes = 1000; ///< of an expression of a shell; longer ones are not evaluated

/// The value of a shell's integer expression, what stands between $(( and )): numbers, names of variables with or without $,
/// + - * / % ** << >> and parentheses. None of anything else, of an unknown name (`valueOf` tells), beyond 64 bits, of a division
/// by 0. O(length).
[[nodiscard]] std::optional<std::int64_t>
shellArithmetic(std::string_view expression, const std::function<std::optional<std::int64_t>(std::string_view name)> &valueOf);

} // namespace syncopate
