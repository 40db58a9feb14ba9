// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace syncopate::kineto {

/// The rank in a file's name: "rank-7", "rank_7", "worker7", and if `loose` also "..._7.json"; -1 = none.
[[nodiscard]] std::int64_t rankInName(std::string_view path, bool loose);

} // namespace syncopate::kineto
