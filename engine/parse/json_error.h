// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>

namespace simdjson {
struct padded_string;
}

namespace syncopate {

/// The place, as "byte N", of the first syntax error of `json`, or where it is nested deeper than `deepest`; empty if it is
/// valid. simdjson's DOM parser keeps no position, so the text is walked a second time.
[[nodiscard]] std::string jsonErrorPlace(const simdjson::padded_string &json, std::size_t deepest);

} // namespace syncopate
