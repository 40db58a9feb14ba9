// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// Texts in one text, of any bytes.
[[nodiscard]] std::string packTexts(const std::vector<std::string> &texts);
/// Errors: not what packTexts() writes.
[[nodiscard]] Result<std::vector<std::string>> unpackTexts(std::string_view packed);

/// Texts, or the error that kept them from being made, in one text that is never empty.
[[nodiscard]] std::string packResult(const Result<std::vector<std::string>> &result);
/// What packResult() was given. Errors: that one, or not what packResult() writes.
[[nodiscard]] Result<std::vector<std::string>> unpackResult(std::string_view packed);

/// A number bit by bit, as text.
[[nodiscard]] std::string bitsOf(double number);
[[nodiscard]] std::vector<std::string> bitsOf(const std::vector<double> &numbers);
/// Zero where the text is no number's.
[[nodiscard]] double numberOf(const std::string &bits);
[[nodiscard]] std::vector<double> numbersOf(const std::vector<std::string> &bits);

/// The whole number that the text is, in decimal digits.
[[nodiscard]] std::optional<std::uint64_t> wholeNumberIn(std::string_view text);

} // namespace syncopate
