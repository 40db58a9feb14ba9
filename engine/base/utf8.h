// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace syncopate {

/// Length of the UTF-8 sequence at `at` (RFC 3629), 0 where there is none.
[[nodiscard]] std::size_t utf8Length(std::string_view text, std::size_t at);

[[nodiscard]] bool isValidUtf8(std::string_view text);

/// U+FFFD, which writers put in place of bytes that are not UTF-8.
constexpr std::string_view unknownCharacter = "\xef\xbf\xbd";

/// Replaces each byte that is not UTF-8 by `unknown`. Readers pass names from files through this, with '?', so that everything
/// written from them later (HTML, SVG, JSON, CSV, SQLite) is valid; writers do so for all other text.
[[nodiscard]] std::string validUtf8(std::string_view text, std::string_view unknown = "?");

} // namespace syncopate
