// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/space/recipe.h"
#include "engine/strategy/policy.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace syncopate {

/// The unit of a dimension's values.
enum class Unit : std::uint8_t { GbitsPerSecond, Seconds, Bytes, Count };
[[nodiscard]] const char *nameOf(Unit unit); ///< "Gbit/s", "s", "bytes", "" for counts

/// The scale of a dimension's knob and grids.
enum class Scale : std::uint8_t { Linear, Logarithmic };

/// One setting of a scenario as a number: its meaning and range, and how it is written, read and changed. Values are in `unit`.
struct Dimension {
    /// The setting of the cluster; none for a setting of a policy.
    using ClusterSetting =
        std::variant<std::monostate, std::optional<double> ClusterKnobs::*, std::optional<std::int32_t> ClusterKnobs::*>;

    std::string id;          ///< "bandwidth"; of a policy's setting the name that it has in the policy's expression
    std::string name;        ///< "Bandwidth"
    std::string description; ///< definition, with the unit where it is not obvious
    Unit unit = Unit::Count;
    double min = 0, max = 1;        ///< ends of its knob, and of a sweep that states none
    double lowest = 0, highest = 1; ///< ends of the values that a scenario accepts; never inside [min, max]
    Scale scale = Scale::Logarithmic;
    bool integer = false;
    ClusterSetting clusterSetting{};
    std::vector<const Policy *> policies{}; ///< that have a parameter with this knob; none: it is the cluster's
    std::vector<std::string> unlimited{};   ///< the words for infinity, the first of which is written; none: it is not accepted

    [[nodiscard]] bool isOfCluster() const { return policies.empty(); }
    /// Refuses a size or time that is written without a unit and is outside the knob's range in bytes or seconds: "bucket_cap=1"
    /// hardly means a byte. `value`: parse() of the text.
    [[nodiscard]] Result<void> checkUnit(const std::string &text, double value) const;
    /// Why the setting does not apply to the recipe: "the policy is fifo, and bucket_cap is a setting of ddp". Empty where it
    /// applies.
    [[nodiscard]] std::string whyNot(const ScenarioRecipe &recipe) const;
    [[nodiscard]] bool appliesTo(const ScenarioRecipe &recipe) const { return whyNot(recipe).empty(); }

    /// The present value. Where the setting does not apply, the default of its first policy, or 0 without a cluster.
    [[nodiscard]] double get(const ScenarioRecipe &recipe) const;
    /// Returns `recipe` with the value set; bytes are rounded to whole ones. Errors: whyNot(), or check().
    [[nodiscard]] Result<ScenarioRecipe> with(ScenarioRecipe recipe, double value) const;
    /// Whether the value differs from that after reset(); for a setting of the cluster, whether it was set at all.
    [[nodiscard]] bool isTurned(const ScenarioRecipe &recipe) const;
    /// Returns `recipe` with the cluster's own value, or the policy's default. Does nothing where the setting does not apply.
    [[nodiscard]] ScenarioRecipe reset(ScenarioRecipe recipe) const;

    /// Whether a scenario accepts the value. Errors: not a number, outside of [lowest, highest], a fraction of a count.
    [[nodiscard]] Result<void> check(double value) const;
    /// "25 Gbit/s", "10 µs", "4 MiB", "16"; three significant digits, the word for infinity.
    [[nodiscard]] std::string format(double value) const;
    /// Reads "25", "25 Gbit/s", "800Mbit/s"; "50us", "1 ms"; "4MiB", "160KB", a word for infinity where it is accepted; "16". A
    /// number without a unit is in `unit`. Errors: not a value; a negative size or time; a fraction of a count. The range is not
    /// checked.
    [[nodiscard]] Result<double> parse(std::string_view text) const;
    /// Name of the column in tables: "bandwidth_gbits", "latency_seconds", "partition_bytes", "workers".
    [[nodiscard]] std::string column() const;
    /// Moves `value` into [min, max], and to an integer where the setting is a count.
    [[nodiscard]] double clamp(double value) const;
};

} // namespace syncopate
