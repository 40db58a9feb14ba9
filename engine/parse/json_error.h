// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>

namespace simdjson {
struct padded_string;
}

namespace syncopate {

/// "byte N": where the first syntax error of `json` is, or where it is nested deeper than `deepest`. simdjson's DOM parser
/// keeps no position, so the text is walked a second time. Empty where nothing is wrong.
[[nodiscard]] std::string jsonErrorPlace(const simdjson::padded_string &json, std::size_t deepest);

} // namespace syncopate
