// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>

namespace syncopate {

/// key == "literal" and key.starts_with("literal"), which the compiler makes one or two comparisons of machine words as the
/// literal's length is known to it; those of std::string_view call memcmp(), and a trace has a dozen keys in each event.
template <std::size_t N> [[nodiscard]] inline bool isKey(std::string_view key, const char (&literal)[N]) {
    return key.size() == N - 1 && std::memcmp(key.data(), literal, N - 1) == 0;
}
template <std::size_t N> [[nodiscard]] inline bool hasPrefix(std::string_view key, const char (&literal)[N]) {
    return key.size() >= N - 1 && std::memcmp(key.data(), literal, N - 1) == 0;
}

} // namespace syncopate
