// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/space/dimension.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace syncopate {

/// The product of several dimensions, over which knobs, sweeps, sensitivities, grids and tuners range.
class Space {
public:
    explicit Space(std::vector<Dimension> dimensions) : m_dimensions(std::move(dimensions)) {}

    [[nodiscard]] std::size_t size() const { return m_dimensions.size(); }
    [[nodiscard]] const Dimension &operator[](std::size_t index) const { return m_dimensions[index]; }
    [[nodiscard]] auto begin() const { return m_dimensions.begin(); }
    [[nodiscard]] auto end() const { return m_dimensions.end(); }
    /// The index of the dimension with that id. The error lists the existing ids.
    [[nodiscard]] Result<std::size_t> indexOf(std::string_view id) const;

private:
    std::vector<Dimension> m_dimensions;
};

/// Every dimension of a scenario: of its cluster bandwidth, latency, workers and servers; of its policy each parameter that has a
/// knob (PolicyParameter::knob).
[[nodiscard]] const Space &scenarioSpace();

} // namespace syncopate
