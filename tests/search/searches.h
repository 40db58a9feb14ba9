// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/random_search.h"
#include "engine/search/search_methods.h"
#include "tests/scenarios.h"

#include <cstring>
#include <limits>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

/// Small searches for tests.
namespace syncopate::testing {

/// Variables of all kinds: small, large, a matrix, a sparse table, a scalar, one for control flow.
inline Job mixedJob() {
    Job job =
        chainJob({{1e-3, 2e-3, 1000}, {1e-3, 2e-3, 500'000}, {2e-3, 4e-3, 1'000'000}, {1e-3, 1e-3, 7}, {1e-3, 2e-3, 300'000}});
    job.variables[1].shape = {500, 1000};
    job.variables[2].shape = {1000, 1, 1000};
    job.variables[2].sparse = true;
    job.variables[3].shape = {};
    job.variables[4].controlFlow = true;
    return job;
}

inline SearchRequest request(Job job, Cluster cluster, std::uint64_t trials = 100) {
    SearchRequest request;
    request.base.job = std::make_shared<const Job>(std::move(job));
    request.base.cluster = std::make_shared<const Cluster>(std::move(cluster));
    request.trials = trials;
    request.seed = 7;
    return request;
}

inline std::unique_ptr<SearchMethod> randomSearch(const SearchRequest &request, const SamplerSettings &settings = {}) {
    return *makeSearchMethod(formatRandomSearch(settings), request);
}

/// runSearch() with the simulator as the judge.
inline Result<SearchHistory> search(const SearchRequest &request, SearchMethod &method, SearchObserver &observer,
                                    SearchHistory history = {}, std::stop_token stop = {}, Progress *progress = nullptr) {
    return runSearch(request, method, **makeJudge("simulated()"), observer, std::move(history), std::move(stop), progress);
}

/// Records the calls, and requests a stop after some trials.
struct Listener final : SearchObserver {
    std::vector<std::string> baselines;
    std::vector<SearchTrial> trials;
    std::uint64_t stopAfter = std::numeric_limits<std::uint64_t>::max();
    std::stop_source stop;
    void baselineDone(const SearchBaseline &baseline) override { baselines.push_back(baseline.builder); }
    void trialDone(const SearchTrial &trial) override {
        trials.push_back(trial);
        if (trials.size() == stopAfter)
            stop.request_stop();
    }
};

inline bool sameMetrics(const CandidateMetrics &a, const CandidateMetrics &b) {
    return std::memcmp(&a, &b, sizeof a) == 0 || a == b;
}

/// Whether all trials are equal, bit for bit.
inline bool same(const SearchHistory &a, const SearchHistory &b) {
    if (a.trials.size() != b.trials.size() || a.baselines.size() != b.baselines.size())
        return false;
    for (std::size_t i = 0; i < a.trials.size(); ++i) {
        const SearchTrial &x = a.trials[i], &y = b.trials[i];
        if (x.trial != y.trial || !sameMetrics(x.metrics, y.metrics) || x.error != y.error || x.genes != y.genes)
            return false;
    }
    for (std::size_t i = 0; i < a.baselines.size(); ++i)
        if (a.baselines[i].builder != b.baselines[i].builder || !sameMetrics(a.baselines[i].metrics, b.baselines[i].metrics))
            return false;
    return true;
}

} // namespace syncopate::testing
