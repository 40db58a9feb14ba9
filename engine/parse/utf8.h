// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace syncopate {

/// Length of the UTF-8 sequence at `at` (RFC 3629), 0 where there is none.
[[nodiscard]] std::size_t utf8Length(std::string_view text, std::size_t at);

[[nodiscard]] bool isValidUtf8(std::string_view text);

/// The text with '?' for each byte that is no UTF-8. Names from files pass through this on reading, so that all that is written
/// from them later (HTML, SVG, JSON, CSV, SQLite) is valid.
[[nodiscard]] std::string validUtf8(std::string_view text);

} // namespace syncopate
