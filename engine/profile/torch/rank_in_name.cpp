// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/torch/rank_in_name.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>

namespace syncopate::kineto {

std::int64_t rankInName(std::string_view path, bool loose) {
    std::string name(path.substr(path.find_last_of("/\\:") + 1));
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const auto numberAt = [&](std::size_t at) -> std::int64_t {
        std::int64_t number = -1;
        const auto [stop, error] = std::from_chars(name.data() + std::min(at, name.size()), name.data() + name.size(), number);
        return error == std::errc() && number >= 0 ? number : -1;
    };
    for (const std::string_view word : {"rank", "worker"}) {
        for (std::size_t at = name.find(word); at != std::string::npos; at = name.find(word, at + 1)) {
            std::size_t digits = at + word.size();
            if (digits < name.size() && (name[digits] == '-' || name[digits] == '_'))
                ++digits;
            if (const std::int64_t number = numberAt(digits); number >= 0)
                return number;
        }
    }
    if (!loose)
        return -1;
    const std::size_t json = name.find(".json");
    const std::size_t before = json == std::string::npos || json == 0 ? json : name.find_last_not_of("0123456789", json - 1);
    if (before == std::string::npos || before + 1 == json || (name[before] != '_' && name[before] != '-' && name[before] != '.'))
        return -1;
    return numberAt(before + 1);
}

} // namespace syncopate::kineto
