// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/tune/conditions.h"

#include "engine/base/input_file.h"
#include "engine/base/text.h"
#include "engine/base/units.h"
#include "engine/cluster/conditions.h"
#include "engine/parse/csv_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <utility>

namespace syncopate {

namespace {

constexpr double maxTime = 1e9;
constexpr const char *example = "iteration,bandwidth_gbits,network_jobs,compute,straggler";
constexpr std::array<const char *, 6> knownColumns{"iteration",    "seconds", "bandwidth_gbits",
                                                   "network_jobs", "compute", "straggler"};

Result<Condition> readCondition(const CsvTable &table, std::size_t row, const char *clock) {
    Condition condition;
    condition.from = TRY(table.number(row, clock, 0, maxTime));
    const auto read = [&](const char *column, double min, double max, auto &value) -> Result<void> {
        if (table.has(column) && !table.text(row, column).empty())
            value = TRY(table.number(row, column, min, max));
        return {};
    };
    TRY(read("bandwidth_gbits", 1e-6, 1e6, condition.bandwidthGbits));
    TRY(read("network_jobs", 0, 1000, condition.networkJobs));
    TRY(read("compute", 1e-3, 1e3, condition.compute));
    TRY(read("straggler", 1e-3, 1e3, condition.straggler));
    return condition;
}

} // namespace

bool Condition::sameAs(const Condition &other) const {
    return bandwidthGbits == other.bandwidthGbits && networkJobs == other.networkJobs && compute == other.compute &&
           straggler == other.straggler;
}

std::string Condition::describe() const {
    std::string text;
    const auto add = [&](const std::string &part) { text += (text.empty() ? "" : ", ") + part; };
    if (bandwidthGbits)
        add(formatBandwidth(bytesPerSecondFromGbits(*bandwidthGbits)));
    if (networkJobs > 0)
        add(counted(networkJobs, "more job") + " on the network");
    if (compute != 1)
        add(fmt::format("compute x {}", compute));
    if (straggler != 1)
        add(fmt::format("the first worker's {}x {}", compute != 1 ? "" : "compute ", straggler));
    return text.empty() ? "as the cluster is" : text;
}

std::size_t ConditionSchedule::at(double when) const {
    const auto after = std::upper_bound(conditions.begin(), conditions.end(), when,
                                        [](double moment, const Condition &condition) { return moment < condition.from; });
    return after == conditions.begin() ? 0 : static_cast<std::size_t>(after - conditions.begin()) - 1;
}

Result<ConditionSchedule> parseConditions(std::string_view text, const std::string &file) {
    const auto table = TRY(CsvTable::parse(text, file, {}, example));
    if (table.has("iteration") == table.has("seconds"))
        return fail("a schedule has a column iteration or a column seconds", fmt::format("begin with {}", example), file);
    if (const auto column = table.columnBeside(knownColumns))
        return fail(fmt::format("the schedule has no column '{}'", *column), fmt::format("begin with {}", example), file, "1");
    if (!table.has("bandwidth_gbits") && !table.has("network_jobs") && !table.has("compute") && !table.has("straggler"))
        return fail("nothing changes in the schedule", fmt::format("begin with {}", example), file);
    if (table.rowCount() == 0 || table.rowCount() > maxConditions)
        return fail(fmt::format("the schedule has {} lines", table.rowCount()), fmt::format("write 1 to {}", maxConditions),
                    file);
    ConditionSchedule schedule{table.has("seconds"), {}};
    for (std::size_t row = 0; row < table.rowCount(); ++row) {
        const Condition condition = TRY(readCondition(table, row, schedule.inSeconds ? "seconds" : "iteration"));
        if (schedule.conditions.empty() ? condition.from != 0 : condition.from <= schedule.conditions.back().from)
            return fail(fmt::format("the line begins at {}", condition.from), "begin at 0, and let each line begin later", file,
                        table.place(row));
        schedule.conditions.push_back(condition);
    }
    return schedule;
}

Result<ConditionSchedule> readConditions(const std::string &path) {
    const auto text = TRY(readInputFile(path));
    return parseConditions(text, path);
}

std::vector<LintMark> lintConditions(const ConditionSchedule &schedule, const Scenario &scenario) {
    const bool changesLinks = std::any_of(schedule.conditions.begin(), schedule.conditions.end(), [](const Condition &condition) {
        return condition.bandwidthGbits || condition.networkJobs > 0;
    });
    const auto synchronisesBy = [&](SynchronizerKind kind) {
        const auto is = [kind](const Synchronizer &synchronizer) { return synchronizer.kind == kind; };
        return std::any_of(scenario.strategy->nodes.begin(), scenario.strategy->nodes.end(),
                           [&](const NodeConfig &node) { return anySynchronizer(node, is); });
    };
    if (!changesLinks || !synchronisesBy(SynchronizerKind::AllReduce) || scenario.cluster->namedChannels.empty() ||
        scenario.policy.form == CollectiveForm::Flows)
        return {};
    if (synchronisesBy(SynchronizerKind::ParameterServer))
        return {{LintSeverity::Warning,
                 "links-ignored",
                 {},
                 "bandwidth_gbits and network_jobs change the nodes' cards, which carry the traffic of parameter servers only: "
                 "collectives are on the cluster's named channels",
                 "choose form=flows or a cluster without named channels, unless collectives are to stay as they are"}};
    return {{LintSeverity::Warning,
             "links-ignored",
             {},
             "bandwidth_gbits and network_jobs change the nodes' cards, and collectives are on the cluster's named channels",
             "leave these columns out, or choose form=flows or a cluster without named channels"}};
}

ScenarioRecipe underCondition(ScenarioRecipe recipe, const Condition &condition) {
    Cluster cluster = withKnobs(*recipe.cluster, recipe.knobs);
    recipe.knobs = {};
    const Cluster before = cluster;
    if (condition.bandwidthGbits)
        cluster = withBandwidth(cluster, *condition.bandwidthGbits);
    for (Node &node : cluster.nodes) {
        node.bandwidthBytesPerSecond /= 1 + condition.networkJobs;
        node.computeScale /= condition.compute;
    }
    const auto nodes = cluster.replicaNodes();
    if (!nodes.empty())
        cluster.nodes[static_cast<std::size_t>(nodes.front())].computeScale /= condition.straggler;
    bool changesLinks = false;
    for (std::size_t n = 0; n < before.nodes.size(); ++n)
        changesLinks = changesLinks || cluster.nodes[n].bandwidthBytesPerSecond != before.nodes[n].bandwidthBytesPerSecond;
    if (changesLinks && collectivesUseNics(before)) {
        cluster.staleCurvesLeftOut = cluster.staleCurvesLeftOut || recipe.collectiveCurves;
        recipe.collectiveCurves = nullptr;
        cluster = withoutStaleCurves(std::move(cluster), before);
    }
    recipe.cluster = std::make_shared<const Cluster>(std::move(cluster));
    return recipe;
}

} // namespace syncopate
