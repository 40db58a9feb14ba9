// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/common_traits.h"

#include "engine/base/units.h"
#include "engine/strategy/fingerprint.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <unordered_set>
#include <utility>

namespace syncopate {

namespace {

constexpr std::size_t maxBest = 10, maxTraits = 6, maxDecoded = 1000, minStrategies = 12;
constexpr double nearlyAll = 0.9; ///< share of a class's bytes
constexpr double maxWinners = 0.7, apart = 0.2;

/// Variables that a trait describes together.
struct VariableClass {
    std::string name; ///< "sparse variables"
    std::vector<std::size_t> variables;
    double bytes = 0;
};

void add(VariableClass &to, const Job &job, std::size_t variable) {
    to.variables.push_back(variable);
    to.bytes += static_cast<double>(job.variables[variable].sizeBytes());
}

std::vector<VariableClass> classesOf(const Job &job) {
    VariableClass sparse, large, small;
    std::vector<std::size_t> dense;
    double denseBytes = 0;
    for (std::size_t v = 0; v < job.variables.size(); ++v)
        if (job.variables[v].sparse) {
            add(sparse, job, v);
        } else {
            dense.push_back(v);
            denseBytes += static_cast<double>(job.variables[v].sizeBytes());
        }
    std::stable_sort(dense.begin(), dense.end(), [&job](std::size_t a, std::size_t b) {
        return job.variables[a].sizeBytes() > job.variables[b].sizeBytes();
    });
    for (const std::size_t v : dense) {
        // Variables exactly as large as the border count as large too, so that the class is well defined.
        const bool alike =
            !large.variables.empty() && job.variables[v].sizeBytes() == job.variables[large.variables.back()].sizeBytes();
        add(large.bytes < denseBytes / 2 || alike ? large : small, job, v);
    }
    const bool isMixed = !sparse.variables.empty();
    sparse.name = "sparse variables";
    if (!large.variables.empty()) {
        const std::string border = formatBytes(static_cast<double>(job.variables[large.variables.back()].sizeBytes()));
        if (small.variables.empty())
            large.name = isMixed ? "all dense variables" : "all variables";
        else
            large.name =
                isMixed ? fmt::format("dense variables of {} and more", border) : fmt::format("variables of {} and more", border);
        small.name = isMixed ? fmt::format("dense variables below {}", border) : fmt::format("variables below {}", border);
    }
    std::vector<VariableClass> classes;
    for (VariableClass *one : {&sparse, &large, &small})
        if (one->bytes > 0)
            classes.push_back(std::move(*one));
    return classes;
}

/// The text that holds for nearly all bytes of a class; empty if none does.
std::string sharedBy(const VariableClass &of, const Job &job, const std::function<std::string(std::size_t)> &textOf) {
    std::map<std::string, double> bytes;
    for (const std::size_t v : of.variables)
        bytes[textOf(v)] += static_cast<double>(job.variables[v].sizeBytes());
    for (const auto &[text, held] : bytes)
        if (held >= nearlyAll * of.bytes)
            return text;
    return {};
}

double nearestPowerOfTwo(double number) { return std::exp2(std::round(std::log2(number))); }

/// The traits of a strategy, as texts that other strategies may share.
std::set<std::string> traitsOf(const Strategy &strategy, const Job &job, const std::vector<VariableClass> &classes) {
    const auto isServed = [&](std::size_t v) {
        return synchronizerOf(strategy.nodes[v]).kind == SynchronizerKind::ParameterServer;
    };
    std::set<std::string> traits;
    for (const VariableClass &one : classes) {
        traits.insert(sharedBy(one, job, [&](std::size_t v) {
            return isServed(v) ? fmt::format("serve {}", one.name) : fmt::format("all-reduce {}", one.name);
        }));
        traits.insert(sharedBy(one, job, [&](std::size_t v) {
            return isServed(v) && synchronizerOf(strategy.nodes[v]).localReplication
                       ? fmt::format("keep a copy of {} on each node", one.name)
                       : std::string();
        }));
        std::string parts = sharedBy(one, job, [&](std::size_t v) {
            const std::size_t count = strategy.nodes[v].parts.size();
            return count > 1 ? fmt::format("split {} in {} parts", one.name, count) : fmt::format("leave {} whole", one.name);
        });
        if (parts.empty()) // not the same number, but perhaps parts of the same size
            parts = sharedBy(one, job, [&](std::size_t v) {
                const auto count = static_cast<double>(strategy.nodes[v].parts.size());
                const auto bytes = static_cast<double>(job.variables[v].sizeBytes());
                return count > 1
                           ? fmt::format("split {} in parts of about {}", one.name, formatBytes(nearestPowerOfTwo(bytes / count)))
                           : std::string();
            });
        traits.insert(std::move(parts));
    }
    const CandidateMetrics metrics = describeStrategy(job, strategy);
    if (metrics.servers > 0)
        traits.insert(metrics.servers == 1 ? std::string("use 1 server") : fmt::format("use {} servers", metrics.servers));
    if (metrics.groups > 0)
        traits.insert(metrics.groups == 1 ? std::string("all-reduce in one group")
                                          : fmt::format("all-reduce in about {} groups", nearestPowerOfTwo(metrics.groups)));
    traits.erase(std::string());
    return traits;
}

struct WeighedTrial {
    const SearchTrial *trial;
    double weight; ///< number of trials that it stands for
};

/// Trials with times, best first, each known strategy once. If more than maxDecoded remain, the best of them (half of maxDecoded)
/// and as many samples of the others, which stand for all of these.
std::vector<WeighedTrial> rankedTrials(const SearchHistory &history, SearchObjective objective) {
    std::vector<WeighedTrial> ranked;
    for (const SearchTrial &trial : history.trials)
        if (std::isfinite(objectiveOf(trial.metrics, objective)))
            ranked.push_back({&trial, 1});
    std::stable_sort(ranked.begin(), ranked.end(), [objective](const WeighedTrial &a, const WeighedTrial &b) {
        return objectiveOf(a.trial->metrics, objective) < objectiveOf(b.trial->metrics, objective);
    });
    // Before sampling: samples would otherwise miss repetitions, and those that remain would count for them.
    std::unordered_set<StrategyFingerprint> known;
    std::erase_if(ranked, [&known](const WeighedTrial &each) {
        return each.trial->strategy != StrategyFingerprint() && !known.insert(each.trial->strategy).second;
    });
    if (ranked.size() <= maxDecoded)
        return ranked;
    constexpr std::size_t kept = maxDecoded / 2;
    const std::size_t rest = ranked.size() - kept;
    std::vector<WeighedTrial> some(ranked.begin(), ranked.begin() + kept);
    for (std::size_t i = 0; i < kept; ++i)
        some.push_back({ranked[kept + i * rest / kept].trial, static_cast<double>(rest) / static_cast<double>(kept)});
    return some;
}

} // namespace

std::string describe(const CommonTrait &trait) {
    if (std::isnan(trait.others))
        return fmt::format("{} of the best {} {}", trait.winners, trait.of, trait.what);
    return fmt::format("{} of the best {} {} ({:.0f} % of the others)", trait.winners, trait.of, trait.what, 100 * trait.others);
}

Result<std::vector<CommonTrait>> commonTraits(const SearchRequest &request, const SearchHistory &history,
                                              const SearchMethod &method, const std::stop_token &stop) {
    const Job &job = *request.base.job;
    const std::vector<VariableClass> classes = classesOf(job);
    std::vector<std::set<std::string>> traits; // per strategy, best first
    std::vector<double> weights;               // per strategy
    std::unordered_set<StrategyFingerprint> known;
    for (const auto &[trial, weight] : rankedTrials(history, request.objective)) {
        if (stop.stop_requested())
            return cancelled();
        const auto strategy = TRY(method.decode(trial->genes)).strategy;
        if (!known.insert(fingerprintOf(*strategy)).second)
            continue;
        traits.push_back(traitsOf(*strategy, job, classes));
        weights.push_back(weight);
    }
    if (traits.size() < minStrategies)
        return std::vector<CommonTrait>();
    const std::size_t best = std::min(maxBest, traits.size() / 4);
    const double others = std::accumulate(weights.begin() + static_cast<std::ptrdiff_t>(best), weights.end(), 0.0);
    std::map<std::string, CommonTrait> counted;
    for (std::size_t s = 0; s < traits.size(); ++s)
        for (const std::string &what : traits[s]) {
            CommonTrait &trait = counted.try_emplace(what, CommonTrait{what, 0, best, 0}).first->second;
            if (s < best)
                ++trait.winners;
            else
                trait.others += weights[s] / others;
        }
    const auto share = [](const CommonTrait &trait) {
        return static_cast<double>(trait.winners) / static_cast<double>(trait.of);
    };
    std::vector<CommonTrait> common;
    constexpr double rounding = 1e-9;
    for (auto &[what, trait] : counted)
        if (share(trait) >= maxWinners - rounding && share(trait) - trait.others >= apart - rounding)
            common.push_back(std::move(trait));
    std::stable_sort(common.begin(), common.end(),
                     [&](const CommonTrait &a, const CommonTrait &b) { return share(a) - a.others > share(b) - b.others; });
    common.resize(std::min(common.size(), maxTraits));
    return common;
}

} // namespace syncopate
