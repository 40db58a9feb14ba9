// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// Packs texts of any bytes into one.
[[nodiscard]] std::string packTexts(const std::vector<std::string> &texts);
/// Reverses packTexts(). Errors: the text is not packed.
[[nodiscard]] Result<std::vector<std::string>> unpackTexts(std::string_view packed);

/// Packs texts, or the error that kept them from being made, into one text that is never empty.
[[nodiscard]] std::string packResult(const Result<std::vector<std::string>> &result);
/// Reverses packResult(). Errors: the packed one, or the text is not packed.
[[nodiscard]] Result<std::vector<std::string>> unpackResult(std::string_view packed);

/// The exact bits of a number, as text.
[[nodiscard]] std::string bitsOf(double number);
[[nodiscard]] std::vector<std::string> bitsOf(const std::vector<double> &numbers);
/// Reverses bitsOf(); 0 where the text is not a number's.
[[nodiscard]] double numberOf(const std::string &bits);
[[nodiscard]] std::vector<double> numbersOf(const std::vector<std::string> &bits);

/// Parses an unsigned integer in decimal digits; null where the text is anything else.
[[nodiscard]] std::optional<std::uint64_t> wholeNumberIn(std::string_view text);

} // namespace syncopate
