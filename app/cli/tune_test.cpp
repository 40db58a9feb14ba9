// SPDX-License-Identifier: GPL-3.0-or-later
// tune --test: a meta-network's errors on simulated conditions that it did not learn from, and the loss of its choice by each
// rule.
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "app/cli/tune.h"
#include "engine/search/tune/meta_training.h"
#include "engine/search/tune/meta_tuner.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>

namespace syncopate::cli {

namespace {

/// The errors by each rule on conditions of one kind.
struct Tested {
    const char *name;  ///< in JSON
    const char *title; ///< in the report
    std::array<MetaErrors, std::size(pairChoices)> once, tried;
};

Tested testOn(const MetaNetwork &network, const char *name, const char *title, const std::vector<MetaExample> &examples) {
    Tested tested{name, title, {}, {}};
    for (std::size_t i = 0; i < std::size(pairChoices); ++i) {
        tested.once[i] = errorsOf(network, examples, 1, pairChoices[i]);
        tested.tried[i] = errorsOf(network, examples, MetaSearch::defaultTries, pairChoices[i]);
    }
    return tested;
}

std::vector<Tested> testAll(const MetaNetwork &network, const MetaSet &set) {
    std::vector<MetaExample> all, served, reduced;
    for (const auto *part : {&set.heldOut, &set.leftOut})
        for (const MetaExample &example : *part) {
            all.push_back(example);
            (example.metrics.servedShare > 0 ? served : reduced).push_back(example);
        }
    std::vector<Tested> tested{testOn(network, "held_out", "other conditions", set.heldOut),
                               testOn(network, "left_out", "models left out", set.leftOut),
                               testOn(network, "all", "both together", all)};
    if (!served.empty()) // few conditions may all be of one kind
        tested.push_back(testOn(network, "served", "of both, servers", served));
    if (!reduced.empty())
        tested.push_back(testOn(network, "reduced", "of both, all-reduce", reduced));
    return tested;
}

void writeRegrets(JsonWriter &json, const MetaErrors &errors) {
    json.member("median_regret", errors.medianRegret).member("mean_regret", errors.meanRegret);
    json.member("p90_regret", errors.p90Regret).member("max_regret", errors.maxRegret);
    json.member("within_2_percent", errors.within2).member("within_5_percent", errors.within5);
}

void writeTested(JsonWriter &json, const Tested &tested) {
    const MetaErrors &any = tested.once.front(); // for the figures that no rule changes
    json.newLine().key(tested.name).beginObject().member("conditions", static_cast<std::uint64_t>(any.conditions));
    json.member("median_error", any.medianError).member("p90_error", any.p90Error);
    json.member("random_within_2_percent", any.randomWithin2).member("random_within_5_percent", any.randomWithin5);
    json.key("rules").beginArray();
    for (std::size_t i = 0; i < std::size(pairChoices); ++i) {
        json.newLine().beginObject().member("rule", nameOf(pairChoices[i]));
        writeRegrets(json, tested.once[i]);
        json.key("tried").beginObject();
        writeRegrets(json, tested.tried[i]);
        json.endObject().endObject();
    }
    json.endArray().endObject();
}

std::string report(const MetaOrigin &origin, const std::vector<Tested> &all) {
    std::string text = fmt::format("{}\n\n{:20} {:>10} {:>7} {:>7}  {:18} {:>8} {:>7} {:>7} {:>7} {:>7} {:>7} {:>13} {:>13}\n",
                                   origin.describe(), "", "conditions", "error", "90 %", "rule", "median", "mean", "90 %", "max",
                                   "<= 2 %", "<= 5 %", fmt::format("{} tries, mean", MetaSearch::defaultTries),
                                   fmt::format("{} tries, 2 %", MetaSearch::defaultTries));
    for (const Tested &tested : all) {
        const MetaErrors &any = tested.once.front();
        text += fmt::format("{:20} {:>10} {:>6.1f}% {:>6.1f}%  {:18} {:>8} {:>7} {:>7} {:>7} {:>6.0f}% {:>6.0f}%\n", tested.title,
                            any.conditions, 100 * any.medianError, 100 * any.p90Error, "random", "", "", "", "",
                            100 * any.randomWithin2, 100 * any.randomWithin5);
        for (std::size_t i = 0; i < std::size(pairChoices); ++i) {
            const MetaErrors &once = tested.once[i], &tried = tested.tried[i];
            text += fmt::format(
                "{:46}  {:18} {:>7.2f}% {:>6.2f}% {:>6.1f}% {:>6.1f}% {:>6.0f}% {:>6.0f}% {:>12.2f}% {:>12.0f}%\n", "",
                nameOf(pairChoices[i]), 100 * once.medianRegret, 100 * once.meanRegret, 100 * once.p90Regret,
                100 * once.maxRegret, 100 * once.within2, 100 * once.within5, 100 * tried.meanRegret, 100 * tried.within2);
        }
    }
    return text;
}

} // namespace

Outcome tuneTest(const Common &common, const TuneArguments &arguments) {
    auto network = TRY(orBadInput(tuneNetworkOf(arguments)));
    if (!network) {
        auto shipped = shippedMetaNetwork();
        if (!shipped)
            return failedRunning(shipped.error());
        network = std::make_shared<const MetaNetwork>(*std::move(shipped));
    }
    MetaSetOptions options;
    options.conditions = 0;
    options.heldOutConditions = arguments.test;
    options.heldOutCandidates = true;
    options.seed = static_cast<std::uint64_t>(common.seed);
    options.newestLookAlone = arguments.newestLook;
    options.threads = arguments.threads;
    Progress progress;
    const auto set = [&] {
        const ProgressLine line(common, "simulating", "conditions", progress);
        return makeMetaSet(options, {}, &progress);
    }();
    if (!set)
        return failedRunning(set.error());
    const std::vector<Tested> all = testAll(*network, *set);
    JsonWriter json;
    json.beginObject().member("seed", common.seed).member("points", static_cast<std::uint64_t>(set->points()));
    json.member("set_seconds", set->wallSeconds);
    writeNetwork(json, network->origin());
    for (const Tested &tested : all)
        writeTested(json, tested);
    json.endObject().newLine();
    printEither(common, json, report(network->origin(), all));
    return {};
}

} // namespace syncopate::cli
