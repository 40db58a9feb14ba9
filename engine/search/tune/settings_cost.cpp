// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/tune/settings_cost.h"

#include "engine/base/units.h"
#include "engine/search/tune/tuning.h"
#include "engine/strategy/policy.h"

#include <fmt/format.h>
#include <utility>

namespace syncopate {

namespace {

struct Grid {
    std::vector<TuneAxis> axes;
    std::vector<std::size_t> counts;
};

/// As today's releases run it: DeepSpeed gathers at once, whatever its bucket is (lint says so), hence as with its default.
CommPolicy asReleased(CommPolicy written, const CommPolicy &shipped) {
    if (written.has("allgather_bucket"))
        written.set("allgather_bucket", shipped.value("allgather_bucket"));
    return written;
}

/// With every overlap that the user's other switches allow: settings without overlap have most to gain from it, but a sharded
/// optimiser was set to save memory. The grid sets the sizes.
CommPolicy withOverlap(CommPolicy written) {
    if (const auto overlap = written.keyOfKnob("overlap"))
        written.set(*overlap, 1);
    if (written.has("overlap_param_gather"))
        written.set("overlap_param_gather", written.value("distributed_optimizer"));
    return written;
}

/// Whether the defaults shard the optimiser as the user does.
bool keepsOptimizer(const CommPolicy &written, const CommPolicy &shipped) {
    const std::string key = "distributed_optimizer";
    return !written.has(key) || written.value(key) == shipped.value(key);
}

/// A small grid over the knobs that the policy's users set.
Grid gridOf(const CommPolicy &policy) {
    const auto axis = [](const char *id, double min, double max) {
        return TuneAxis{*scenarioSpace().indexOf(id), min, max, Scale::Logarithmic, {}};
    };
    constexpr double kibibyte = 1024, mebibyte = 1048576;
    if (policy.has("bucket_cap"))
        return {{axis("bucket_cap", mebibyte, 512 * mebibyte)}, {10}};
    for (const char *elements : {"reduce_bucket", "bucket_size"})
        if (policy.has(elements))
            return {{axis(elements, 256 * kibibyte, 128 * mebibyte)}, {10}};
    if (policy.has("all_reduce_combine"))
        return {{axis("all_reduce_combine", mebibyte, 512 * mebibyte)}, {10}};
    if (policy.has("fusion"))
        return {{axis("fusion", mebibyte, 512 * mebibyte), axis("cycle", 1e-4, 2e-2)}, {6, 4}};
    Grid grid{TuneSpace::partitionAndCredit(), {6, 3}};
    grid.axes[0].min = 256 * kibibyte;
    grid.axes[0].max = 64 * mebibyte;
    return grid;
}

} // namespace

Result<SettingsCost> costOfSettings(const SettingsMeaning &meaning, const ScenarioRecipe &base, Judge &judge,
                                    std::stop_token stop) {
    ScenarioRecipe recipe = base;
    recipe.strategy = BuiltStrategy{meaning.servers ? "PSLoadBalancing" : "AllReduce(chunk_size=1)"};
    const CommPolicy shipped = TRY(parsePolicy(meaning.defaultPolicy));
    const CommPolicy meant = TRY(parsePolicy(meaning.policy)), written = asReleased(meant, shipped);
    const auto secondsOf = [&](const CommPolicy &policy) -> Result<double> {
        ScenarioRecipe set = recipe;
        set.policy = policy;
        return TRY(judge.judge(TRY(makeScenario(set)), stop)).iterationSeconds;
    };
    const double seconds = TRY(secondsOf(written)), defaultSeconds = TRY(secondsOf(shipped));
    SettingsCost cost{meaning, seconds, defaultSeconds, 0, meaning.policy, keepsOptimizer(written, shipped)};
    if (formatPolicy(written) != formatPolicy(meant)) // the times are those of the policy that is named beside them
        cost.meaning.policy = cost.bestPolicy = formatPolicy(written);
    cost.bestSeconds = cost.seconds;
    if (cost.defaultSeconds < cost.bestSeconds && cost.defaultsServe) {
        cost.bestSeconds = cost.defaultSeconds;
        cost.bestPolicy = meaning.defaultPolicy;
    }
    recipe.policy = withOverlap(written);
    const Grid grid = gridOf(recipe.policy);
    const TuneSpace space = TRY(TuneSpace::make(recipe, grid.axes));
    const auto map = TRY(landscapeOf(space, grid.counts, judge, 0, stop));
    if (const auto best = map.best(); best && map.points[*best].iterationSeconds < cost.bestSeconds) {
        cost.bestSeconds = map.points[*best].iterationSeconds;
        const Scenario scenario = TRY(space.scenarioOf(map.points[*best].values));
        cost.bestPolicy = formatPolicy(scenario.policy);
    }
    return cost;
}

namespace {

/// The remedy for settings that are slower than the defaults.
std::string remedyOf(const SettingsCost &cost) {
    const bool tunes = cost.bestPolicy != cost.meaning.policy && cost.bestPolicy != cost.meaning.defaultPolicy;
    if (!cost.defaultsServe)
        return tunes ? "tune them: " + cost.bestPolicy : "give them up only if the memory of a sharded optimiser is not needed";
    return "leave the settings out" + (tunes ? ", or tune them: " + cost.bestPolicy : std::string());
}

} // namespace

std::vector<SettingMark> marksOfCost(const SettingsCost &cost) {
    std::vector<SettingMark> marks;
    const std::string now = fmt::format("with {} an iteration takes {}",
                                        cost.meaning.servers ? "parameter servers" : "all-reduce", formatSeconds(cost.seconds));
    if (cost.seconds > cost.defaultSeconds * (1 + harmfulShare))
        marks.push_back({SettingFault::Harmful, cost.meaning.system, "",
                         fmt::format("{}, {:.0f} % longer than with {}'s defaults", now,
                                     100 * (cost.seconds / cost.defaultSeconds - 1), cost.meaning.system),
                         remedyOf(cost)});
    else if (cost.bestSeconds < cost.seconds * (1 - betterShare))
        marks.push_back({SettingFault::Note, cost.meaning.system, "",
                         fmt::format("{}; {} would take {}", now, cost.bestPolicy, formatSeconds(cost.bestSeconds)),
                         cost.bestPolicy == cost.meaning.defaultPolicy ? "leave the settings out" : "tune the settings"});
    return marks;
}

} // namespace syncopate
