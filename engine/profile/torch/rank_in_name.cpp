// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/torch/rank_in_name.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>

namespace syncopate::kineto {

namespace {

/// The number at `at`; -1 = none.
std::int64_t numberAt(std::string_view name, std::size_t at) {
    std::int64_t number = -1;
    const auto [stop, error] = std::from_chars(name.data() + std::min(at, name.size()), name.data() + name.size(), number);
    return error == std::errc() && number >= 0 ? number : -1;
}

/// The number behind "rank" or "worker" in a name, of which `lower` is the lower case: where the word begins, as in "rank_3" and
/// "traceRank3", or within other letters, as in "lowrank3".
std::int64_t numberBehindWord(std::string_view name, std::string_view lower, bool beginsWord) {
    const auto isLetter = [&](std::size_t at) { return lower[at] >= 'a' && lower[at] <= 'z'; };
    const auto isCapital = [&](std::size_t at) { return name[at] != lower[at]; };
    for (const std::string_view word : {"rank", "worker"}) {
        for (std::size_t at = lower.find(word); at != std::string_view::npos; at = lower.find(word, at + 1)) {
            const bool begins = at == 0 || !isLetter(at - 1) || (isCapital(at) && !isCapital(at - 1));
            std::size_t digits = at + word.size();
            if (digits < lower.size() && (lower[digits] == '-' || lower[digits] == '_'))
                ++digits;
            if (const std::int64_t number = numberAt(lower, digits); number >= 0 && begins == beginsWord)
                return number;
        }
    }
    return -1;
}

/// The number in "..._7.json"; -1 = none.
std::int64_t numberBeforeEnding(std::string_view name) {
    const std::size_t json = name.find(".json");
    const std::size_t before = json == std::string_view::npos || json == 0 ? json : name.find_last_not_of("0123456789", json - 1);
    if (before == std::string_view::npos || before + 1 == json ||
        (name[before] != '_' && name[before] != '-' && name[before] != '.'))
        return -1;
    return numberAt(name, before + 1);
}

} // namespace

std::int64_t rankInName(std::string_view path) {
    const std::string_view name = path.substr(path.find_last_of("/\\:") + 1);
    std::string lower(name);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (const std::int64_t rank = numberBehindWord(name, lower, true); rank >= 0)
        return rank;
    if (const std::int64_t rank = numberBeforeEnding(lower); rank >= 0)
        return rank;
    return numberBehindWord(name, lower, false);
}

} // namespace syncopate::kineto
