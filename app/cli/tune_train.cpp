// SPDX-License-Identifier: GPL-3.0-or-later
// tune --train: makes a training set by simulation, trains the meta-network on it, and reports its errors on unseen examples.
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "app/cli/tune.h"
#include "engine/search/tune/meta_training.h"
#include "engine/search/tune/meta_tuner.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace syncopate::cli {

namespace {

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// The trained network, its training set, and its errors.
struct Trained {
    MetaSet set;
    double trainSeconds = 0, inferenceSeconds = 0;
    std::size_t weights = 0, bytes = 0;
    std::size_t pairs = 0; ///< per inference
    MetaErrors training, heldOut, leftOut;
    MetaErrors heldOutTried, leftOutTried; ///< with MetaSearch::defaultTries
};

/// Wall seconds to predict all pairs of one job: the minimum of several runs.
double inferenceSeconds(const MetaNetwork &network, const MetaExample &example, std::size_t pairs) {
    std::vector<SchedulerSetting> settings;
    for (std::size_t i = 0; i < pairs; ++i)
        settings.push_back(example.settings[i % example.settings.size()]);
    double fastest = std::numeric_limits<double>::infinity();
    for (int run = 0; run < 10; ++run) {
        const auto start = Clock::now();
        static_cast<void>(network.samplesPerSecond(example.metrics, settings));
        fastest = std::min(fastest, since(start));
    }
    return fastest;
}

void writeErrors(JsonWriter &json, const char *name, const MetaErrors &errors) {
    json.newLine().key(name).beginObject().member("conditions", static_cast<std::uint64_t>(errors.conditions));
    json.member("median_error", errors.medianError).member("p90_error", errors.p90Error);
    json.member("median_regret", errors.medianRegret).member("max_regret", errors.maxRegret);
    json.member("within_2_percent", errors.within2).member("within_5_percent", errors.within5);
    json.member("median_middle_regret", errors.medianMiddleRegret).member("middle_within_5_percent", errors.middleWithin5);
    json.member("random_within_2_percent", errors.randomWithin2).member("random_within_5_percent", errors.randomWithin5);
    json.endObject();
}

/// The origin stated in the network's file.
MetaOrigin originOf(const Common &common, const TuneArguments &arguments, const Trained &trained) {
    MetaOrigin origin;
    origin.command =
        fmt::format("tune --train FILE --seed {} --conditions {} --epochs {} --members {}{}", common.seed, arguments.conditions,
                    arguments.epochs, arguments.members, arguments.newestLook ? " --newest-look" : "");
    origin.seed = static_cast<std::uint64_t>(common.seed);
    const auto state = [](const MetaErrors &errors, double within, MetaOrigin::Errors &stated) {
        stated.conditions = errors.conditions;
        stated.medianError = errors.medianError;
        stated.p90Error = errors.p90Error;
        stated.withinGoal = within;
    };
    state(trained.heldOut, trained.heldOut.within2, origin.heldOut); // the goals of MetaOrigin
    state(trained.leftOut, trained.leftOut.within5, origin.leftOut);
    return origin;
}

void writeModels(JsonWriter &json, const char *name, const std::vector<std::string> &models) {
    json.key(name).beginArray();
    for (const std::string &model : models)
        json.value(std::string_view(model));
    json.endArray();
}

void writeTrained(JsonWriter &json, const Common &common, const TuneArguments &arguments, const Trained &trained) {
    json.beginObject().member("network", std::string_view(arguments.train)).member("seed", common.seed);
    json.member("conditions", static_cast<std::uint64_t>(trained.set.training.size()));
    json.member("points", static_cast<std::uint64_t>(trained.set.points())).member("set_seconds", trained.set.wallSeconds);
    json.member("epochs", arguments.epochs).member("train_seconds", trained.trainSeconds);
    json.member("weights", static_cast<std::uint64_t>(trained.weights))
        .member("bytes", static_cast<std::uint64_t>(trained.bytes));
    json.member("pairs", static_cast<std::uint64_t>(trained.pairs)).member("inference_seconds", trained.inferenceSeconds);
    writeModels(json, "models", metaTrainingModels());
    writeModels(json, "left_out_models", metaLeftOutModels());
    writeErrors(json, "training", trained.training);
    writeErrors(json, "held_out", trained.heldOut);
    writeErrors(json, "left_out", trained.leftOut);
    writeErrors(json, "held_out_tried", trained.heldOutTried);
    writeErrors(json, "left_out_tried", trained.leftOutTried);
    json.endObject().newLine();
}

std::string report(const Trained &trained) {
    std::string text = fmt::format(
        "{} conditions, {} points simulated in {:.1f} s, trained in {:.1f} s; {} weights, {} bytes; {} pairs are "
        "predicted in {:.2f} ms\n\n{:25} {:>10} {:>13} {:>11} {:>14} {:>11} {:>11} {:>11} {:>18} {:>18}\n",
        trained.set.training.size(), trained.set.points(), trained.set.wallSeconds, trained.trainSeconds, trained.weights,
        trained.bytes, trained.pairs, trained.inferenceSeconds * 1e3, "", "conditions", "median error", "90 % error",
        "median regret", "max regret", "within 2 %", "within 5 %", "middle within 5 %", "random within 5 %");
    const auto line = [&](const std::string &name, const MetaErrors &errors) {
        text += fmt::format(
            "{:25} {:>10} {:>12.2f}% {:>10.1f}% {:>13.2f}% {:>10.1f}% {:>10.0f}% {:>10.0f}% {:>17.0f}% {:>17.0f}%\n", name,
            errors.conditions, 100 * errors.medianError, 100 * errors.p90Error, 100 * errors.medianRegret, 100 * errors.maxRegret,
            100 * errors.within2, 100 * errors.within5, 100 * errors.middleWithin5, 100 * errors.randomWithin5);
    };
    line("the set itself", trained.training);
    line("other conditions", trained.heldOut);
    line("models left out", trained.leftOut);
    line(fmt::format("other conditions, {} tries", MetaSearch::defaultTries), trained.heldOutTried);
    line(fmt::format("models left out, {} tries", MetaSearch::defaultTries), trained.leftOutTried);
    return text;
}

/// Simulates a member's training set; the first one's includes the conditions that test all members.
Result<MetaSet> setOfMember(const Common &common, const TuneArguments &arguments, std::size_t member) {
    MetaSetOptions options;
    options.conditions = arguments.conditions;
    options.heldOutConditions = member == 0 ? std::min<std::size_t>(options.heldOutConditions, arguments.conditions) : 0;
    options.seed = static_cast<std::uint64_t>(common.seed) + member;
    options.newestLookAlone = arguments.newestLook;
    options.threads = arguments.threads;
    Progress progress;
    const ProgressLine line(common, "simulating the training set", "conditions", progress);
    return makeMetaSet(options, {}, &progress);
}

/// Trains the members, each on a set of its own, and joins them. `trained.set` becomes their sets together.
Result<MetaNetwork> trainMembers(const Common &common, const TuneArguments &arguments, Trained &trained) {
    std::optional<MetaNetwork> all;
    for (std::size_t member = 0; member < arguments.members; ++member) {
        MetaSet set = TRY(setOfMember(common, arguments, member));
        const auto start = Clock::now();
        Progress progress;
        const ProgressLine line(common, "training", "epochs", progress);
        const std::uint64_t seed = static_cast<std::uint64_t>(common.seed) + member;
        MetaNetwork network(seed);
        TRY(network.train(set.training, {.epochs = arguments.epochs}, seed, {}, &progress));
        trained.trainSeconds += since(start);
        if (all) {
            TRY(all->join(std::move(network)));
            trained.set.wallSeconds += set.wallSeconds;
            std::move(set.training.begin(), set.training.end(), std::back_inserter(trained.set.training));
        } else {
            all = std::move(network);
            trained.set = std::move(set);
        }
    }
    return *std::move(all);
}

} // namespace

Outcome tuneTrain(const Common &common, const TuneArguments &arguments) {
    Trained trained;
    auto joined = trainMembers(common, arguments, trained);
    if (!joined)
        return failedRunning(joined.error());
    MetaNetwork network = *std::move(joined);
    trained.weights = network.weightCount();
    trained.pairs = 384;
    trained.training = errorsOf(network, trained.set.training);
    trained.heldOut = errorsOf(network, trained.set.heldOut);
    trained.leftOut = errorsOf(network, trained.set.leftOut);
    trained.heldOutTried = errorsOf(network, trained.set.heldOut, MetaSearch::defaultTries);
    trained.leftOutTried = errorsOf(network, trained.set.leftOut, MetaSearch::defaultTries);
    network.setOrigin(originOf(common, arguments, trained));
    const std::string text = network.save();
    trained.bytes = text.size();
    trained.inferenceSeconds = inferenceSeconds(network, trained.set.training.front(), trained.pairs);
    TRY(save(common, arguments.train, text));
    JsonWriter json;
    writeTrained(json, common, arguments, trained);
    printEither(common, json, common.quiet ? std::string() : report(trained));
    return {};
}

} // namespace syncopate::cli
