// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/space/recipe.h"
#include "engine/strategy/lint.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// The conditions of a job from one moment until the next change.
struct Condition {
    double from = 0;                      ///< iterations, or seconds
    std::optional<double> bandwidthGbits; ///< of every node's card; unset: the cluster's own
    double networkJobs = 0;               ///< other jobs that send as much as this one; all share every node's card equally
    double compute = 1;                   ///< factor on the time of every layer
    double straggler = 1;                 ///< further factor on the first worker's node
    /// Whether both describe the same conditions, whenever they begin.
    [[nodiscard]] bool sameAs(const Condition &other) const;
    [[nodiscard]] std::string describe() const; ///< "3 Gbit/s, 1 more job on the network"
};

/// Conditions over time.
struct ConditionSchedule {
    bool inSeconds = false;            ///< else `from` counts iterations
    std::vector<Condition> conditions; ///< ascending by `from`, the first from 0
    /// Index into `conditions` of the one that holds at that iteration, or second.
    [[nodiscard]] std::size_t at(double when) const;
};

inline constexpr std::size_t maxConditions = 10000;

/// Reads a table with `iteration` or `seconds`, the start of a line's condition, and any of `bandwidth_gbits`, `network_jobs`,
/// `compute` and `straggler`; an empty field leaves the cluster's own value. Errors name file and line: neither or both of the
/// first two, none of the others, another column, times that do not ascend from 0, numbers out of range, no lines or more than
/// maxConditions.
[[nodiscard]] Result<ConditionSchedule> parseConditions(std::string_view text, const std::string &file = {});
[[nodiscard]] Result<ConditionSchedule> readConditions(const std::string &path);

/// links-ignored: conditions of the nodes' cards beside collectives on the cluster's named channels, which do not use them.
[[nodiscard]] std::vector<LintMark> lintConditions(const ConditionSchedule &schedule, const Scenario &scenario);

/// The recipe while a condition lasts. Its knobs are applied to the cluster, whose links and nodes the condition then changes,
/// and are reset. Measured times of collectives that use the cards belong to the cards as they are: a condition that changes them
/// leaves these times out, those of the recipe, too.
[[nodiscard]] ScenarioRecipe underCondition(ScenarioRecipe recipe, const Condition &condition);

} // namespace syncopate
