// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace YAML {
class Node;
}

namespace syncopate::infragraph {

/// The indices start, start + step, ...: `count` of them, at least one.
struct SliceRange {
    std::int64_t start = 0, count = 0, step = 1;
};

/// Splits "xpu[0:2]" into name and slice; the slice of a name alone is "". Throws YamlRefusal with the line of `at` where the
/// brackets do not end the element.
[[nodiscard]] std::pair<std::string_view, std::string_view> nameAndSlice(std::string_view element, const YAML::Node &at);
/// Reads a slice of the indices 0 to `count` - 1 as Python does, without negative numbers: "", "0", "0:2", ":2", "1:", "::2".
/// Throws YamlRefusal with the line of `at` for other texts, and for a slice that is empty or goes beyond them; its message calls
/// the component `name`.
[[nodiscard]] SliceRange sliceOf(std::string_view slice, std::int64_t count, std::string_view name, const YAML::Node &at);

/// The components that an endpoint names, "cx5[0:2].port": one range for each level, of which the last runs fastest. They are
/// computed one by one, as one line may name millions.
class Endpoint {
public:
    /// The devices or components `range` of those that begin at `first`, each of `size` components.
    void addLevel(const SliceRange &range, std::int64_t first, std::int64_t size);
    [[nodiscard]] std::int64_t size() const { return m_size; }
    /// Number of the `index`th component in the device that the first level is in.
    [[nodiscard]] std::uint32_t at(std::int64_t index) const;

private:
    struct Level {
        SliceRange range;
        std::int64_t first = 0, size = 1;
    };
    std::vector<Level> m_levels;
    std::int64_t m_size = 1;
};

} // namespace syncopate::infragraph
