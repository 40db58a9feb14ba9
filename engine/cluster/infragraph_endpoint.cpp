// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/infragraph_endpoint.h"

#include "engine/base/utf8.h"
#include "engine/base/yaml_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

namespace syncopate::infragraph {

namespace {

constexpr const char *sliceRemedy = "write an index or start:stop, such as xpu[0] or xpu[0:2], where stop is not part of it";

[[noreturn]] void refuseSlice(std::string_view slice, std::string_view name, const YAML::Node &at) {
    refuse(at.Mark(),
           fmt::format("{}[{}] is not a slice of indices", validUtf8(name.substr(0, 40)), validUtf8(slice.substr(0, 40))),
           sliceRemedy);
}

} // namespace

std::pair<std::string_view, std::string_view> nameAndSlice(std::string_view element, const YAML::Node &at) {
    const std::size_t open = element.find('[');
    if (open == std::string_view::npos)
        return {element, {}};
    if (element.back() != ']' || element.find(']') != element.size() - 1)
        refuse(at.Mark(), fmt::format("{} is not a slice of indices", validUtf8(element.substr(0, 80))), sliceRemedy);
    return {element.substr(0, open), element.substr(open + 1, element.size() - open - 2)};
}

SliceRange sliceOf(std::string_view slice, std::int64_t count, std::string_view name, const YAML::Node &at) {
    std::array<std::int64_t, 3> numbers{0, count, 1}; // start, stop, step
    std::size_t pieces = 0;
    for (std::size_t from = 0; from <= slice.size(); ++pieces) {
        const std::size_t end = std::min(slice.find(':', from), slice.size());
        const std::string_view piece = slice.substr(from, end - from);
        from = end + 1;
        if (pieces >= numbers.size())
            refuseSlice(slice, name, at);
        if (piece.empty())
            continue;
        const auto [rest, error] = std::from_chars(piece.data(), piece.data() + piece.size(), numbers[pieces]);
        if (error != std::errc() || rest != piece.data() + piece.size() || numbers[pieces] < 0)
            refuseSlice(slice, name, at);
    }
    if (pieces == 1 && !slice.empty())
        numbers[1] = numbers[0] < count ? numbers[0] + 1 : numbers[0];
    const auto [start, stop, step] = numbers;
    if (step < 1)
        refuseSlice(slice, name, at);
    if (start >= stop || stop > count)
        refuse(at.Mark(),
               fmt::format("{}[{}] is beyond the {} that there {}, or empty", validUtf8(name.substr(0, 40)), slice, count,
                           count == 1 ? "is" : "are"),
               fmt::format("indices go from 0 to {}", count - 1));
    return {start, (stop - start - 1) / step + 1, step};
}

void Endpoint::addLevel(const SliceRange &range, std::int64_t first, std::int64_t size) {
    m_levels.push_back({range, first, size});
    m_size *= range.count;
}

std::uint32_t Endpoint::at(std::int64_t index) const {
    std::int64_t component = 0;
    for (auto level = m_levels.rbegin(); level != m_levels.rend(); ++level) {
        const std::int64_t digit = index % level->range.count;
        component += level->first + (level->range.start + digit * level->range.step) * level->size;
        index /= level->range.count;
    }
    return static_cast<std::uint32_t>(component);
}

} // namespace syncopate::infragraph
