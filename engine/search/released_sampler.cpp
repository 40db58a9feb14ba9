// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/released_sampler.h"

#include "engine/search/candidate.h"
#include "engine/strategy/legacy_random.h"
#include "engine/strategy/variable_parts.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <random>
#include <set>
#include <utility>

namespace syncopate {

namespace {

/// NumPy's legacy generator after np.random.seed(seed).
class LegacyRandom {
public:
    explicit LegacyRandom(std::uint32_t seed) : m_words(seed) {}
    /// random_sample(): 53 random bits from two words.
    double uniform() {
        const auto a = static_cast<double>(m_words() >> 5), b = static_cast<double>(m_words() >> 6);
        return (a * 67108864 + b) / 9007199254740992.0;
    }
    /// randint(0, size).
    std::int64_t integer(std::int64_t size) {
        return static_cast<std::int64_t>(legacyIndex(m_words, static_cast<std::size_t>(size)));
    }
    /// uniform_sample_by_choices(): takes one draw even if there is a single choice.
    std::int64_t choice(std::int64_t count) {
        const double p = uniform();
        std::int64_t i = 0;
        while (i + 1 < count && !(p < static_cast<double>(i + 1) / static_cast<double>(count)))
            ++i;
        return i;
    }
    /// choice(n, p=softmax(logits)).
    std::size_t softmax(const std::vector<double> &logits) {
        const double largest = *std::max_element(logits.begin(), logits.end());
        std::vector<double> cumulated(logits.size());
        double sum = 0, running = 0;
        for (const double logit : logits)
            sum += std::exp(logit - largest);
        for (std::size_t i = 0; i < logits.size(); ++i)
            cumulated[i] = running += std::exp(logits[i] - largest) / sum;
        for (double &c : cumulated)
            c /= running;
        const auto found = std::upper_bound(cumulated.begin(), cumulated.end(), uniform());
        return std::min(static_cast<std::size_t>(found - cumulated.begin()), logits.size() - 1);
    }

private:
    std::mt19937 m_words;
};

struct ReleasedShard {
    Synchronizer *synchronizer;
    double bytes;
};

std::vector<std::size_t> largestFirst(const std::vector<ReleasedShard> &shards) {
    std::vector<std::size_t> order(shards.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return shards[a].bytes > shards[b].bytes; });
    return order;
}

class ReleasedSampler {
public:
    ReleasedSampler(const ReleasedVariant &variant, const Job &job, const Cluster &cluster, std::uint32_t seed)
        : m_variant(variant), m_job(job), m_cluster(cluster), m_random(seed), m_servers(cluster.reductionDevices()) {
        std::size_t gpus = 0;
        for (const Node &node : cluster.nodes)
            gpus += node.gpus.size();
        m_mayProxy = gpus > m_servers.size();
    }

    Strategy run() {
        Strategy strategy;
        strategy.replicas = m_cluster.replicaDevices();
        for (const Variable &variable : m_job.variables)
            strategy.nodes.push_back(drawNode(variable));
        std::vector<ReleasedShard> served, reduced;
        for (std::size_t v = 0; v < strategy.nodes.size(); ++v)
            forEachShard(strategy.nodes[v], m_job.variables[v], [&](Synchronizer &s, double bytes) {
                (s.kind == SynchronizerKind::ParameterServer ? served : reduced).push_back({&s, bytes});
            });
        place(served);
        if (!reduced.empty())
            merge(reduced);
        return strategy;
    }

private:
    NodeConfig drawNode(const Variable &variable) {
        NodeConfig node;
        node.variableName = variable.name;
        const std::vector<std::size_t> axes = axesToCut(variable);
        std::int64_t parts = 0;
        if (!axes.empty() && m_random.choice(2) == 0) { // of {True, False}
            const std::size_t axis = axes[static_cast<std::size_t>(m_random.choice(static_cast<std::int64_t>(axes.size())))];
            parts = 2 + m_random.choice(std::min(variable.shape[axis], m_variant.maxParts) - 1);
            node.partitions.assign(variable.shape.size(), 1);
            node.partitions[axis] = static_cast<std::int32_t>(parts);
        }
        // The kinds of all parts are drawn first, then everything else.
        std::vector<SynchronizerKind> kinds;
        for (std::int64_t p = 0; p < std::max<std::int64_t>(1, parts); ++p)
            kinds.push_back(variable.sparse || m_random.choice(2) == 0 ? SynchronizerKind::ParameterServer
                                                                       : SynchronizerKind::AllReduce);
        for (std::size_t p = 0; p < kinds.size(); ++p) {
            const Synchronizer synchronizer = drawSynchronizer(kinds[p]);
            if (parts > 0)
                node.parts.push_back({partName(variable.name, static_cast<std::int64_t>(p)), synchronizer});
            else
                node.synchronizer = synchronizer;
        }
        return node;
    }

    Synchronizer drawSynchronizer(SynchronizerKind kind) {
        Synchronizer synchronizer;
        synchronizer.kind = kind;
        if (kind == SynchronizerKind::AllReduce)
            synchronizer.compressor = m_variant.compressors[static_cast<std::size_t>(
                m_random.choice(static_cast<std::int64_t>(m_variant.compressors.size())))];
        else if (m_mayProxy)
            synchronizer.localReplication =
                m_variant.proxies[static_cast<std::size_t>(m_random.choice(static_cast<std::int64_t>(m_variant.proxies.size())))];
        return synchronizer;
    }

    void place(const std::vector<ReleasedShard> &shards) {
        using Balance = ReleasedVariant::Balance;
        std::vector<std::string> servers = m_servers;
        const bool christy = m_variant.balance == Balance::Christy || m_variant.balance == Balance::SortedChristy;
        if (christy)
            std::sort(servers.begin(), servers.end());
        std::vector<double> load(servers.size(), 0), target(servers.size()), space(servers.size());
        double all = 0, allBandwidth = 0;
        for (const ReleasedShard &shard : shards)
            all += shard.bytes;
        const auto gbits = [&](const std::string &server) {
            return m_cluster.nodes[static_cast<std::size_t>(m_cluster.nodeOf(server))].bandwidthBytesPerSecond * 8 / 1e9;
        };
        for (const std::string &server : servers)
            allBandwidth += gbits(server);
        for (std::size_t j = 0; j < servers.size(); ++j)
            target[j] = all * gbits(servers[j]) / allBandwidth;
        std::vector<std::size_t> order(shards.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        if (m_variant.balance == Balance::SortedGreedy || m_variant.balance == Balance::SortedChristy)
            order = largestFirst(shards);
        for (const std::size_t s : order) {
            std::size_t server = 0;
            if (m_variant.balance == Balance::Uniform) {
                server = static_cast<std::size_t>(m_random.choice(static_cast<std::int64_t>(servers.size())));
            } else if (!christy) {
                server = static_cast<std::size_t>(std::min_element(load.begin(), load.end()) - load.begin());
            } else {
                for (std::size_t j = 0; j < servers.size(); ++j)
                    space[j] = target[j] - load[j];
                server = m_random.softmax(space);
            }
            load[server] += shards[s].bytes;
            shards[s].synchronizer->reductionDestination = servers[server];
        }
    }

    void merge(const std::vector<ReleasedShard> &shards) {
        using Merge = ReleasedVariant::Merge;
        const auto count = static_cast<std::int64_t>(shards.size());
        if (m_variant.merge == Merge::ByChunk) {
            const std::int64_t chunk = 1 + m_random.choice(count);
            for (std::int64_t s = 0; s < count; ++s)
                shards[static_cast<std::size_t>(s)].synchronizer->group = static_cast<std::int32_t>(s / chunk);
            return;
        }
        const std::int64_t groups = 1 + m_random.choice(std::min(count, m_variant.maxGroups));
        double all = 0;
        for (const ReleasedShard &shard : shards)
            all += shard.bytes;
        const double average = all / static_cast<double>(groups);
        if (m_variant.merge == Merge::OrderedBalanced) {
            std::int32_t group = 0;
            double load = 0;
            for (const ReleasedShard &shard : shards) {
                if (load >= average) {
                    ++group;
                    load = 0;
                }
                shard.synchronizer->group = group;
                load += shard.bytes;
            }
        } else if (m_variant.merge == Merge::Christy) {
            std::vector<double> space(static_cast<std::size_t>(groups), average);
            for (const std::size_t s : largestFirst(shards)) {
                const std::size_t group = m_random.softmax(space);
                shards[s].synchronizer->group = static_cast<std::int32_t>(group);
                space[group] -= shards[s].bytes;
            }
        } else {
            drawGroups(shards, static_cast<std::size_t>(groups));
        }
    }

    /// Draws the groups of all shards, again and again until each group has a member. With about as many groups as shards the
    /// release never ends. So after a number of draws, shards drawn at random become the first members of the groups.
    void drawGroups(const std::vector<ReleasedShard> &shards, std::size_t groups) {
        constexpr std::size_t maxDraws = 1'000'000;
        std::set<std::int32_t> used;
        for (std::size_t drawn = 0; used.size() < groups && drawn < maxDraws; drawn += shards.size()) {
            used.clear();
            for (const ReleasedShard &shard : shards)
                used.insert(shard.synchronizer->group =
                                static_cast<std::int32_t>(1 + m_random.integer(static_cast<std::int64_t>(groups))));
        }
        if (used.size() == groups)
            return;
        std::vector<std::size_t> order(shards.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        for (std::size_t g = 0; g < groups; ++g) {
            std::swap(order[g],
                      order[g + static_cast<std::size_t>(m_random.integer(static_cast<std::int64_t>(order.size() - g)))]);
            shards[order[g]].synchronizer->group = static_cast<std::int32_t>(g + 1);
        }
    }

    const ReleasedVariant &m_variant;
    const Job &m_job;
    const Cluster &m_cluster;
    LegacyRandom m_random;
    std::vector<std::string> m_servers;
    bool m_mayProxy = false;
};

/// A trial's gene is its seed.
class ReleasedSearch final : public SearchMethod {
public:
    ReleasedSearch(Scenario base, std::size_t variant, std::uint64_t seed)
        : m_base(std::move(base)), m_variant(variant), m_seed(seed) {}
    [[nodiscard]] std::string text() const override {
        ArgumentValues values(releasedSearchInfo());
        values.setChoice("variant", m_variant);
        return values.text();
    }
    [[nodiscard]] std::string description() const override {
        return "draws of AutoSync's released sampler, " + releasedVariants()[m_variant].name;
    }
    [[nodiscard]] Result<std::vector<Genes>> ask(std::uint64_t first, std::stop_token /*stop*/) override {
        std::vector<Genes> batch;
        for (std::uint64_t trial = first; trial < first + batchSize(); ++trial)
            batch.push_back({{(m_seed + trial) & 0xffffffffU}, {}}); // like a loop over seeds
        return batch;
    }
    [[nodiscard]] Result<Scenario> decode(const Genes &genes) const override {
        if (genes.whole.size() != 1 || !genes.real.empty() || genes.whole.front() > 0xffffffffU)
            return fail(fmt::format("the genes '{}' are not a seed", formatGenes(genes)), "use the search method that made them");
        Scenario scenario = m_base;
        scenario.strategy = std::make_shared<const Strategy>(sampleAsReleased(
            releasedVariants()[m_variant], *m_base.job, *m_base.cluster, static_cast<std::uint32_t>(genes.whole.front())));
        return scenario;
    }

private:
    Scenario m_base;
    std::size_t m_variant;
    std::uint64_t m_seed;
};

} // namespace

const std::vector<ReleasedVariant> &releasedVariants() {
    using Balance = ReleasedVariant::Balance;
    using Merge = ReleasedVariant::Merge;
    static const std::vector<Compressor> two{Compressor::Horovod, Compressor::None};
    static const std::vector<ReleasedVariant> variants{
        {"autostrategy_fixed", two, {true, false}, Balance::SortedChristy, Merge::OrderedBalanced, 20, 40},
        {"greedy_chunk", two, {true, false}, Balance::SortedGreedy, Merge::ByChunk, 20, 40},
        {"christy_christy", two, {true, false}, Balance::Christy, Merge::Christy, 20, 40},
        {"default", {Compressor::Horovod, Compressor::None, Compressor::HorovodEF}, {false}}};
    return variants;
}

Strategy sampleAsReleased(const ReleasedVariant &variant, const Job &job, const Cluster &cluster, std::uint32_t seed) {
    return ReleasedSampler(variant, job, cluster, seed).run();
}

const ExpressionInfo &releasedSearchInfo() {
    static const ExpressionInfo info = [] {
        std::vector<std::string> names;
        for (const ReleasedVariant &variant : releasedVariants())
            names.push_back(variant.name);
        return ExpressionInfo{"released",
                              "AutoSync's released sampler, seed by seed; it draws compressors, too, which change convergence",
                              {{"variant", ArgumentKind::Choice, names.front(), 0, 0, names, "", "Space and heuristics"}}};
    }();
    return info;
}

Result<std::unique_ptr<SearchMethod>> makeReleasedSearch(const Expression &expression, const SearchRequest &request) {
    const ArgumentValues values = TRY(ArgumentValues::read(expression, releasedSearchInfo()));
    return std::make_unique<ReleasedSearch>(request.base, values.choice("variant"), request.seed);
}

} // namespace syncopate
