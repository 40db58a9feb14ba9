// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace syncopate {

/// The mark that some editors, shells and spreadsheets put before UTF-8. It belongs to no format that is read here.
inline constexpr std::string_view byteOrderMark = "\xef\xbb\xbf";

/// A text without the mark before it, if there is one.
[[nodiscard]] constexpr std::string_view withoutByteOrderMark(std::string_view text) {
    return text.substr(text.starts_with(byteOrderMark) ? byteOrderMark.size() : 0);
}

} // namespace syncopate
