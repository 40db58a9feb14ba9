// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/rewrite/scenario.h"
#include "engine/space/space.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace syncopate {

/// The values of one dimension that a tuner ranges over.
struct TuneAxis {
    std::size_t dimension = 0; ///< index into scenarioSpace()
    double min = 0, max = 1;   ///< in the dimension's unit, or in values of `multipleOf`
    Scale scale = Scale::Logarithmic;
    /// The axis is an integer multiple of the value of this earlier axis: a credit of 1 to 16 partitions.
    std::optional<std::size_t> multipleOf{};

    /// The value (or multiple) at a coordinate in [0, 1]; multiples, counts and bytes are whole numbers.
    [[nodiscard]] double at(double coordinate) const;
    /// The coordinate of a value, moved into [0, 1].
    [[nodiscard]] double coordinateOf(double value) const;
    /// The coordinates of a grid's values, ascending, no two with the same value. Of `count` evenly spaced values, those that
    /// rounding would repeat move to the next free whole number; a range with fewer whole numbers has all of them.
    [[nodiscard]] std::vector<double> gridCoordinates(std::size_t count) const;
    [[nodiscard]] const Dimension &of() const { return scenarioSpace()[dimension]; }
};

/// The axis over the whole range of its knob. `dimension`: index into scenarioSpace().
[[nodiscard]] TuneAxis usualAxis(std::size_t dimension);

/// The number of values per axis in a grid asked for `counts` of them, by TuneAxis::gridCoordinates().
[[nodiscard]] std::vector<std::size_t> gridCounts(const std::vector<TuneAxis> &axes, const std::vector<std::size_t> &counts);

/// A point of the unit cube, one coordinate an axis.
using TunePoint = std::vector<double>;

/// Values of axes, in the dimensions' units: "partition=4 MiB, credit=16 MiB".
[[nodiscard]] std::string describe(const std::vector<TuneAxis> &axes, const std::vector<double> &values);

/// A recipe and the axes along which a tuner changes it.
class TuneSpace {
public:
    /// Errors: no axis, a dimension twice or one that the recipe lacks, ends that are not in order or that the dimension refuses,
    /// equal factors from 0; where no axis is the cluster's, those of makeScenario().
    [[nodiscard]] static Result<TuneSpace> make(ScenarioRecipe recipe, std::vector<TuneAxis> axes);
    /// The axes that ByteScheduler tunes: partitions of 4 KiB to 1 GiB and a credit of 1 to 16 partitions, on logarithmic scales
    /// (AutoByte, section III-B).
    [[nodiscard]] static std::vector<TuneAxis> partitionAndCredit();

    [[nodiscard]] const std::vector<TuneAxis> &axes() const { return m_axes; }
    [[nodiscard]] const ScenarioRecipe &recipe() const { return m_recipe; }
    /// The values at a point, in the dimensions' units.
    [[nodiscard]] std::vector<double> valuesAt(const TunePoint &point) const;
    /// The point of values, each coordinate moved into [0, 1].
    [[nodiscard]] TunePoint pointOf(const std::vector<double> &values) const;
    /// The present values of the recipe.
    [[nodiscard]] std::vector<double> presentValues() const;
    /// Makes the scenario of the recipe with these values. Strategy and cluster are made once where no axis is the cluster's.
    /// Errors: a value that its dimension refuses, those of makeScenario().
    [[nodiscard]] Result<Scenario> scenarioOf(const std::vector<double> &values) const;
    /// Makes the scenario with the policy's defaults on every axis; axes of the cluster have their present value,
    /// of nodes with different rates the first node's for all.
    [[nodiscard]] Result<Scenario> defaultScenario() const;
    [[nodiscard]] std::vector<double> defaultValues() const;
    [[nodiscard]] std::string describe(const std::vector<double> &values) const { return syncopate::describe(m_axes, values); }

private:
    TuneSpace(ScenarioRecipe recipe, std::vector<TuneAxis> axes) : m_recipe(std::move(recipe)), m_axes(std::move(axes)) {}

    ScenarioRecipe m_recipe;
    std::vector<TuneAxis> m_axes;
};

} // namespace syncopate
