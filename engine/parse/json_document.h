// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <simdjson.h>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace syncopate {

/// Why a text is not JSON, and where.
struct JsonRefusal {
    simdjson::error_code status; ///< EMPTY: there is no text; DEPTH_ERROR: it is nested too deep
    std::string place;           ///< "byte N" of the first error of syntax, or where it is nested too deep
};

/// Parses a JSON text, which may begin with a byte order mark, whose lists and objects are nested at most `deepest` deep. Its
/// values live in `parser`, which must outlive them. simdjson's DOM parser keeps no position, so a text with an error is walked a
/// second time.
[[nodiscard]] tl::expected<simdjson::dom::element, JsonRefusal> parseJson(simdjson::dom::parser &parser, std::string_view json,
                                                                          std::size_t deepest);

} // namespace syncopate
