// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>

namespace syncopate {

/// key == "literal" and key.starts_with("literal") as one or two comparisons of machine words: std::string_view's own call
/// memcmp, and a trace has a dozen keys in each event.
template <std::size_t N> [[nodiscard]] inline bool isKey(std::string_view key, const char (&literal)[N]) {
    return key.size() == N - 1 && std::memcmp(key.data(), literal, N - 1) == 0;
}
template <std::size_t N> [[nodiscard]] inline bool hasPrefix(std::string_view key, const char (&literal)[N]) {
    return key.size() >= N - 1 && std::memcmp(key.data(), literal, N - 1) == 0;
}

} // namespace syncopate
