// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/plan/process_group.h"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <simdjson.h>
#include <string>
#include <vector>

namespace syncopate::planjson {

using simdjson::dom::element;

/// The place of a value in its file, for errors: "ops[3].parents".
struct Place {
    std::string file, path;
    [[nodiscard]] Place operator/(std::string_view key) const {
        return {file, path.empty() ? std::string(key) : path + "." + std::string(key)};
    }
    [[nodiscard]] Place operator[](std::size_t index) const { return {file, path + "[" + std::to_string(index) + "]"}; }
    [[nodiscard]] Unexpected refuse(std::string what) const;
};

/// Parses a file of at most 64 MiB; a syntax error names its byte.
[[nodiscard]] Result<element> parse(simdjson::dom::parser &parser, std::string_view json, const std::string &file);
[[nodiscard]] bool has(element object, std::string_view key);
/// Refuses duplicate keys, and keys that are not among `known`, which may be misspelt.
[[nodiscard]] Result<void> onlyKeys(element object, std::initializer_list<std::string_view> known, const Place &place);
[[nodiscard]] Result<element> member(element object, std::string_view key, const Place &place);
[[nodiscard]] Result<bool> flag(element object, std::string_view key, const Place &place);
[[nodiscard]] Result<std::string> text(element object, std::string_view key, const Place &place);
/// Whether a text may be a name: 1 to 4096 bytes of UTF-8 without control characters. Names appear in tables and as keys of other
/// files, where a line break would forge lines and an escape sequence is unsafe.
[[nodiscard]] bool isName(std::string_view text);
/// A finite number from `min` to `max`.
[[nodiscard]] Result<double> number(element object, std::string_view key, double min, double max, const Place &place);
[[nodiscard]] Result<std::int32_t> integer(element object, std::string_view key, std::int32_t min, std::int32_t max,
                                           const Place &place);
/// Calls `visit` with every item of a list and its place. At most a million.
[[nodiscard]] Result<void> forEach(element list, const Place &place,
                                   const std::function<Result<void>(element, const Place &)> &visit);
[[nodiscard]] Result<void> forEach(element object, std::string_view key, const Place &place,
                                   const std::function<Result<void>(element, const Place &)> &visit);
[[nodiscard]] Result<std::vector<std::string>> texts(element object, std::string_view key, const Place &place);

/// The groups under "group", which has "size" and "stride"; all processes where the object has none.
[[nodiscard]] Result<ProcessGroup> group(element object, const Place &place);
/// The sizes of groups that differ in it: "sizes" under "group"; empty where there are none.
[[nodiscard]] Result<std::vector<std::int32_t>> groupSizes(element object, const Place &place);

} // namespace syncopate::planjson
