// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rewrite/sharded_order.h"

#include "engine/rewrite/sync_units.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

namespace syncopate {

namespace {

using What = ShardedStep::What;

/// The CPU thread that runs the hooks of all modules.
class HookThread {
public:
    HookThread(const std::vector<ShardedModule> &modules, std::int32_t layers, const Sharding &sharding)
        : m_modules(modules), m_layers(layers), m_sharding(sharding) {}

    std::vector<ShardedStep> run() {
        forward();
        backward();
        return std::move(m_steps);
    }

private:
    void forward() {
        std::size_t issued = 0;
        std::optional<std::int32_t> held; // the copy-out whose buffer is freed after the next one
        for (std::size_t m = 0; m < m_modules.size(); ++m) {
            for (; issued <= m; ++issued)
                gather(What::Gather, issued);
            if (m_sharding.keepsParameters) { // the hook that waits for a module issues the gathers of those after it
                m_free = m_modules[m].first();
            } else {
                m_free = held.value_or(m_free);
                held = m_modules[m].first();
            }
            for (; issued < m_modules.size() && issued <= m + count(m_sharding.forwardPrefetch); ++issued)
                gather(What::Gather, issued);
        }
        m_free = held.value_or(m_free);
    }

    /// Walks the layers from the last to the first. At each layer the modules whose backward begins there, with their last layer,
    /// issue their gathers; then those whose backward ends there, with their first layer, issue their scatters.
    void backward() {
        std::vector<std::size_t> begins(m_modules.size()), ends(m_modules.size());
        std::iota(begins.begin(), begins.end(), 0U);
        std::iota(ends.begin(), ends.end(), 0U);
        std::stable_sort(begins.begin(), begins.end(), [this](std::size_t a, std::size_t b) { return last(a) > last(b); });
        std::stable_sort(ends.begin(), ends.end(), [this](std::size_t a, std::size_t b) { return first(a) > first(b); });
        std::size_t begun = 0, ended = 0, issued = 0;
        for (std::int32_t l = m_layers; l-- > 0;) {
            for (; begun < begins.size() && last(begins[begun]) == l; ++begun)
                beforeBackward(begins, begun, issued);
            for (; ended < ends.size() && first(ends[ended]) == l; ++ended)
                scatter(ends[ended], opOf(l) + 1);
        }
    }

    /// `issued`: how many places of `order` are done: their modules are gathered again, or need not be.
    void beforeBackward(const std::vector<std::size_t> &order, std::size_t place, std::size_t &issued) {
        const auto issueThrough = [&](std::size_t through) {
            for (; issued < order.size() && issued <= through; ++issued)
                if (isGatheredAgain(order[issued]))
                    gather(What::GatherAgain, order[issued]);
        };
        issueThrough(place);
        if (isGatheredAgain(order[place]))
            m_free = opOf(last(order[place]));
        issueThrough(place + count(m_sharding.backwardPrefetch));
    }

    void gather(What what, std::size_t module) { m_steps.push_back({.what = what, .module = module, .after = m_free}); }

    /// `op`: the first one after the module's backward. It waits for the scatter of the module before.
    void scatter(std::size_t module, std::int32_t op) {
        if (m_sharding.keepsParameters) { // gradients have a buffer of their own
            m_steps.push_back({.what = What::Scatter, .module = module});
            return;
        }
        if (m_older)
            m_steps[*m_older].holdsTo = op;
        if (m_newer) {
            m_steps[*m_newer].holdsFrom = op;
            m_steps[*m_newer].holdsTo = 2 * m_layers;
        }
        m_older = m_newer;
        m_newer = m_steps.size();
        m_steps.push_back({.what = What::Scatter, .module = module});
    }

    [[nodiscard]] bool isGatheredAgain(std::size_t m) const {
        return m_sharding.reshardsAfterForward && !m_sharding.keepsParameters && !m_modules[m].isRoot;
    }
    [[nodiscard]] std::int32_t first(std::size_t m) const { return m_modules[m].first(); }
    [[nodiscard]] std::int32_t last(std::size_t m) const {
        return m_modules[m].isRoot ? m_layers - 1 : m_modules[m].layers.back();
    }
    [[nodiscard]] std::int32_t opOf(std::int32_t layer) const { return 2 * m_layers - 1 - layer; } ///< its backward
    [[nodiscard]] static std::size_t count(std::int32_t modules) { return static_cast<std::size_t>(std::max(modules, 0)); }

    const std::vector<ShardedModule> &m_modules;
    const std::int32_t m_layers;
    const Sharding &m_sharding;
    std::vector<ShardedStep> m_steps;
    std::int32_t m_free = 0;                       ///< gathers issued now wait for the ops below this number
    std::optional<std::size_t> m_older, m_newer{}; ///< the last two scatters
};

} // namespace

void shardUnits(const Job &job, std::int32_t replicas, std::vector<SyncUnit> &units) {
    const std::vector<std::int32_t> layerOf = owningLayers(job);
    auto left = std::count_if(units.begin(), units.end(), [&](const SyncUnit &u) { return isShardable(u) && !u.isRoot; });
    for (SyncUnit &unit : units) { // the last layers' first
        if (!isShardable(unit))
            continue;
        unit.shards = unit.updaters = std::max(replicas, 1);
        std::int32_t first = std::numeric_limits<std::int32_t>::max(), last = 0;
        for (const std::int32_t v : unit.variables) {
            first = std::min(first, layerOf[static_cast<std::size_t>(v)]);
            last = std::max(last, layerOf[static_cast<std::size_t>(v)]);
        }
        const auto name = [&](std::int32_t layer) -> const std::string & {
            return job.layers[static_cast<std::size_t>(layer)].name;
        };
        unit.name = (unit.isRoot ? std::string("root: ") : fmt::format("module {}: ", --left)) + name(first) +
                    (last > first ? " to " + name(last) : "");
    }
}

std::vector<ShardedModule> shardedModules(const std::vector<SyncUnit> &units,
                                          const std::vector<std::vector<std::int32_t>> &layersOfVariable) {
    std::vector<ShardedModule> modules;
    for (std::size_t u = 0; u < units.size(); ++u)
        if (units[u].shards > 1)
            modules.push_back({.unit = u, .layers = layersOf(units[u], layersOfVariable), .isRoot = units[u].isRoot});
    std::stable_sort(modules.begin(), modules.end(), [](const ShardedModule &a, const ShardedModule &b) {
        return std::tuple(!a.isRoot, a.first(), a.layers.back()) < std::tuple(!b.isRoot, b.first(), b.layers.back());
    });
    return modules;
}

std::vector<ShardedStep> shardedOrder(const std::vector<ShardedModule> &modules, std::int32_t layers, const Sharding &sharding) {
    return HookThread(modules, layers, sharding).run();
}

} // namespace syncopate
