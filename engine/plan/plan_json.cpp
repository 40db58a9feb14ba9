// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/plan_json.h"

#include "engine/base/text.h"
#include "engine/parse/json_document.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace syncopate::planjson {

namespace {
constexpr std::size_t maxBytes = std::size_t{64} << 20;
constexpr std::size_t maxItems = 1'000'000;
constexpr std::size_t maxDepth = 32;
constexpr std::size_t maxNameBytes = 4096;
constexpr const char *remedy = "see docs/plan.md";
constexpr const char *oneLine = "a text of one line, without control characters, is expected";

} // namespace

Unexpected Place::refuse(std::string what) const { return fail(std::move(what), remedy, file, path.empty() ? "byte 0" : path); }

Result<element> parse(simdjson::dom::parser &parser, std::string_view json, const std::string &file) {
    if (json.size() > maxBytes)
        return fail(fmt::format("{} bytes are more than a plan has", json.size()), remedy, file);
    const auto root = parseJson(parser, json, maxDepth);
    if (!root)
        return fail(simdjson::error_message(root.error().status), remedy, file, root.error().place);
    return *root;
}

bool has(element object, std::string_view key) { return object.is_object() && object[key].error() == simdjson::SUCCESS; }

Result<void> onlyKeys(element object, std::initializer_list<std::string_view> known, const Place &place) {
    simdjson::dom::object fields;
    if (object.get(fields))
        return place.refuse("this is not an object");
    std::set<std::string_view> seen;
    for (const auto &field : fields) {
        if (std::ranges::find(known, field.key) == known.end())
            return fail(fmt::format("there is no field \"{}\" here", visibleText(field.key)),
                        fmt::format("write one of {}", fmt::join(known, ", ")), place.file, place.path);
        if (!seen.insert(field.key).second)
            return (place / field.key).refuse("this field is there twice");
    }
    return {};
}

Result<element> member(element object, std::string_view key, const Place &place) {
    element value;
    if (!object.is_object())
        return place.refuse("this is not an object");
    if (object[key].get(value))
        return place.refuse(fmt::format("the field '{}' is missing", key));
    return value;
}

Result<bool> flag(element object, std::string_view key, const Place &place) {
    bool on = false;
    if (TRY(member(object, key, place)).get(on))
        return (place / key).refuse("true or false is expected");
    return on;
}

Result<std::string> text(element object, std::string_view key, const Place &place) {
    std::string_view value;
    if (TRY(member(object, key, place)).get(value))
        return (place / key).refuse("this is not a text");
    if (value.empty() || value.size() > maxNameBytes)
        return (place / key).refuse(fmt::format("a text of 1 to {} bytes is expected", maxNameBytes));
    if (!isName(value))
        return (place / key).refuse(oneLine);
    return std::string(value);
}

bool isName(std::string_view text) { return !text.empty() && text.size() <= maxNameBytes && visibleText(text) == text; }

Result<double> number(element object, std::string_view key, double min, double max, const Place &place) {
    double value = 0;
    if (TRY(member(object, key, place)).get(value) || !std::isfinite(value) || value < min || value > max)
        return (place / key).refuse(fmt::format("a number from {} to {} is expected", min, max));
    return value;
}

Result<std::int32_t> integer(element object, std::string_view key, std::int32_t min, std::int32_t max, const Place &place) {
    std::int64_t value = 0;
    if (TRY(member(object, key, place)).get(value) || value < min || value > max)
        return (place / key).refuse(fmt::format("a whole number from {} to {} is expected", min, max));
    return static_cast<std::int32_t>(value);
}

Result<void> forEach(element list, const Place &place, const std::function<Result<void>(element, const Place &)> &visit) {
    simdjson::dom::array items;
    if (list.get(items))
        return place.refuse("this is not a list");
    if (items.size() > maxItems)
        return place.refuse(fmt::format("more than {} items", maxItems));
    std::size_t i = 0;
    for (element item : items)
        TRY(visit(item, place[i++]));
    return {};
}

Result<void> forEach(element object, std::string_view key, const Place &place,
                     const std::function<Result<void>(element, const Place &)> &visit) {
    return forEach(TRY(member(object, key, place)), place / key, visit);
}

Result<std::vector<std::string>> texts(element object, std::string_view key, const Place &place) {
    std::vector<std::string> found;
    TRY(forEach(object, key, place, [&](element item, const Place &at) -> Result<void> {
        std::string_view value;
        if (item.get(value))
            return at.refuse("this is not a text");
        if (visibleText(value) != value)
            return at.refuse(oneLine);
        found.emplace_back(value);
        return {};
    }));
    return found;
}

Result<std::vector<std::int32_t>> groupSizes(element object, const Place &place) {
    std::vector<std::int32_t> sizes;
    if (!has(object, "group"))
        return sizes;
    const element group = TRY(member(object, "group", place));
    TRY(onlyKeys(group, {"size", "stride", "sizes"}, place / "group"));
    if (!has(group, "sizes"))
        return sizes;
    if (has(group, "size") || has(group, "stride"))
        return (place / "group").refuse("a group has a size and a stride, or sizes, not both");
    TRY(forEach(group, "sizes", place / "group", [&](element item, const Place &at) -> Result<void> {
        std::int64_t size = 0;
        if (item.get(size) || size < 2 || size > 65536)
            return at.refuse("a size of 2 to 65536 is expected");
        sizes.push_back(static_cast<std::int32_t>(size));
        return {};
    }));
    if (sizes.empty())
        return (place / "group" / "sizes").refuse("there is no group");
    return sizes;
}

Result<ProcessGroup> group(element object, const Place &place) {
    ProcessGroup found;
    if (!has(object, "group"))
        return found;
    const element group = TRY(member(object, "group", place));
    found.size = TRY(integer(group, "size", 2, 65536, place / "group"));
    found.stride = TRY(integer(group, "stride", 1, 65536, place / "group"));
    return found;
}

} // namespace syncopate::planjson
