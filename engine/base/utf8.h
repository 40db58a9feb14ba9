// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace syncopate {

/// Length of the UTF-8 sequence at `at` (RFC 3629), 0 where there is none.
[[nodiscard]] std::size_t utf8Length(std::string_view text, std::size_t at);

[[nodiscard]] bool isValidUtf8(std::string_view text);

/// U+FFFD, by which writers show that there was something else.
constexpr std::string_view unknownCharacter = "\xef\xbf\xbd";

/// The text with `unknown` for each byte that is no UTF-8. Names from files pass through this on reading, by '?', so that all
/// that is written from them later (HTML, SVG, JSON, CSV, SQLite) is valid; writers of such files see to it for the rest.
[[nodiscard]] std::string validUtf8(std::string_view text, std::string_view unknown = "?");

} // namespace syncopate
