// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/cluster.h"
#include "engine/job/job.h"
#include "engine/strategy/arguments.h"
#include "engine/strategy/strategy.h"

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// The domain for which strategies are ranked: a (G, D) pair, and how a system uses D's links.
struct RankerDomain {
    std::shared_ptr<const Job> job;         ///< with at least one variable
    std::shared_ptr<const Cluster> cluster; ///< with at least one replica
    std::int32_t connections = 1;           ///< CommPolicy::connections: over how many a collective's stream is spread
    bool pullsOncePerNode = false;          ///< Discipline::pullsOncePerNode: as if every variable had a proxy
};

/// A strategy whose time is known.
struct RankedTrial {
    std::shared_ptr<const Strategy> strategy;
    double seconds = 0; ///< of an iteration, finite
};

/// Orders strategies of one domain without simulating them (the simulator of AutoDist's Algorithm 1): lower = predicted faster.
/// Scores of one ranker compare with each other only, and only until it learns again; only those of predefined() are seconds.
class Ranker {
public:
    Ranker() = default;
    Ranker(const Ranker &) = delete;
    Ranker &operator=(const Ranker &) = delete;
    virtual ~Ranker() = default;

    /// The expression that makeRanker() reads back as an equal, untrained ranker: "predefined()", "rnn(hidden=32)".
    [[nodiscard]] virtual std::string text() const = 0;
    /// Whether learn() changes anything. predefined() does not learn.
    [[nodiscard]] virtual bool learns() const { return true; }
    /// A score per strategy. Thread-safe beside itself and embed(), not beside learn() or load(). Errors: a strategy is not for
    /// this job or cluster; `stop` was requested.
    [[nodiscard]] virtual Result<std::vector<double>> score(std::span<const std::shared_ptr<const Strategy>> strategies,
                                                            const std::stop_token &stop) const = 0;
    /// A vector of length 1 per strategy whose inner products say how alike two strategies are to this ranker (supplement,
    /// section 7, second approach); empty where it has none. Errors and threads as score().
    [[nodiscard]] virtual Result<std::vector<std::vector<float>>> embed(std::span<const std::shared_ptr<const Strategy>>,
                                                                        const std::stop_token &) const {
        return std::vector<std::vector<float>>{};
    }
    /// Trains on all trials so far, starting over from the seed's weights, or from the loaded ones: a pure function of these and
    /// of the trials in their order. Fewer than two different times leave it unchanged. On an error,
    /// cancellation included, the ranker is unchanged.
    [[nodiscard]] virtual Result<void> learn(std::span<const RankedTrial> trials, const std::stop_token &stop) = 0;
    /// The trained weights as JSON, for load() of a ranker of the same expression, for this or any other domain.
    [[nodiscard]] virtual std::string save() const = 0;
    /// Errors: not JSON, of another expression, of other shapes; the ranker is then unchanged.
    [[nodiscard]] virtual Result<void> load(std::string_view text) = 0;
};

/// The rankers that expressions may name, with their arguments:
///
///   predefined()                                  T = max(T_comp, T_sync) of Eq. 2 and 3, seconds (cost_model.h)
///   rnn(hidden=32, layers=1, epochs=200)          RankRnn, Eq. 4 to 7 (network_ranker.h)
///   gat(hidden=32, heads=2, layers=2, epochs=200) RankGat, Eq. 8 to 10 (network_ranker.h)
///   xgboost(rounds=100, depth=4)                  trees over global features (tree_ranker.h)
[[nodiscard]] const std::vector<ExpressionInfo> &rankers();

/// Errors: an unknown ranker (lists all), an argument that it does not take (place = byte offset), a domain without job, cluster,
/// replicas or variables. `seed` decides the first weights and the order of training.
[[nodiscard]] Result<std::unique_ptr<Ranker>> makeRanker(std::string_view expression, const RankerDomain &domain,
                                                         std::uint64_t seed);

} // namespace syncopate
