// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace syncopate::kineto {

/// The rank in a file's name: "rank-7", "rank_7", "worker7", else that of "..._7.json", else one behind another word's end
/// ("jobrank7"); -1 = none.
[[nodiscard]] std::int64_t rankInName(std::string_view path);

} // namespace syncopate::kineto
