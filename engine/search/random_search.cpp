// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/random_search.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <tuple>
#include <utility>

namespace syncopate {

namespace {

/// Sparse gradients rule out all-reduce alone: the sampler would put them on parameter servers regardless.
Result<void> checkSynchronisers(const SamplerSettings &settings, const Job &job) {
    const auto isSparse = [](const Variable &variable) { return variable.sparse; };
    const auto first = std::find_if(job.variables.begin(), job.variables.end(), isSparse);
    if (settings.parameterServers || first == job.variables.end())
        return {};
    return fail(
        fmt::format("all-reduce alone is not possible: {} of {} variables have sparse gradients ({}), which AutoDist does "
                    "not all-reduce on several nodes",
                    std::count_if(first, job.variables.end(), isSparse), job.variables.size(), first->name),
        "search with synchronisers both, or write \"sparse\": false in the job file where gradients are made dense");
}

} // namespace

RandomSearch::RandomSearch(Scenario base, const SamplerSettings &settings, std::uint64_t seed)
    : m_base(std::move(base)), m_settings(settings), m_seed(seed) {}

std::string RandomSearch::text() const { return formatRandomSearch(m_settings); }

Genes RandomSearch::genesOf(std::uint64_t seed, std::uint64_t trial) {
    // Two steps of SplitMix64 keep the streams of neighbouring seeds and trials apart.
    return {{Rng(Rng(seed).next() ^ trial).next()}, {}};
}

Result<std::vector<Genes>> RandomSearch::ask(std::uint64_t first, std::stop_token /*stop*/) {
    // Checked here rather than in the factory, so that trials of an older version can still be decoded.
    TRY(checkSynchronisers(m_settings, *m_base.job));
    std::vector<Genes> batch;
    for (std::uint64_t trial = first; trial < first + batchSize(); ++trial)
        batch.push_back(genesOf(m_seed, trial));
    return batch;
}

Result<Scenario> RandomSearch::decode(const Genes &genes) const {
    if (genes.whole.size() != 1 || !genes.real.empty())
        return fail(fmt::format("the genes '{}' are not a seed", formatGenes(genes)), "use the search method that made them");
    Rng rng(genes.whole.front());
    Scenario scenario = m_base;
    scenario.strategy = std::make_shared<const Strategy>(sampleStrategy(*m_base.job, *m_base.cluster, m_settings, rng));
    return scenario;
}

const ExpressionInfo &randomSearchInfo() {
    constexpr double maxBytes = 9007199254740992.0; // 2^53: every whole number of bytes up to here is exact
    constexpr double maxParts = SamplerSettings::limitOfParts;
    static const ExpressionInfo info{
        "random",
        "Random+G of AutoDist: random strategies, guided by the constraints c_lb and c_am",
        {{"whole", ArgumentKind::Bytes, "100KB", 0, maxBytes, {}, "bytes", "Variables up to this size stay whole"},
         {"split",
          ArgumentKind::Bytes,
          "2147483647",
          0,
          maxBytes,
          {},
          "bytes",
          "Variables from this size on are always partitioned; off: the released sampler's 2147483647 bytes",
          "off"},
         {"parts", ArgumentKind::Range, "2..40", 2, maxParts, {}, "parts", "Parts of a partitioned variable"},
         {"balance",
          ArgumentKind::Flag,
          "on",
          0,
          0,
          {},
          "",
          "c_lb: the server with most room for its bandwidth; off: any server"},
         {"slack", ArgumentKind::Bytes, "1", 1e-9, maxBytes, {}, "bytes", "c_lb: how much fuller a likely server may be"},
         {"merge",
          ArgumentKind::Flag,
          "on",
          0,
          0,
          {},
          "",
          "c_am: neighbouring layers are reduced together; off: drawn one by one"},
         {"groups", ArgumentKind::Range, "1..20", 1, 1e9, {}, "groups", "All-reduce groups"},
         {"synchronisers", ArgumentKind::Choice, "both", 0, 0, {"both", "ps", "allreduce"}, "", "Synchronisers to choose from"},
         {"shares",
          ArgumentKind::Flag,
          "on",
          0,
          0,
          {},
          "",
          "Each sample draws its shares of split and served variables; off: half"}}};
    return info;
}

std::string formatRandomSearch(const SamplerSettings &settings) {
    ArgumentValues values(randomSearchInfo());
    values.setNumber("whole", settings.wholeUpToBytes);
    values.setNumber("split", settings.splitFromBytes);
    values.setRange("parts", {settings.minParts, settings.maxParts});
    values.setFlag("balance", settings.balanceLoads);
    values.setNumber("slack", settings.loadTemperatureBytes);
    values.setFlag("merge", settings.mergeAdjacent);
    values.setRange("groups", {settings.minGroups, settings.maxGroups});
    values.setChoice("synchronisers", !settings.allReduce ? 1 : !settings.parameterServers ? 2 : 0);
    values.setFlag("shares", settings.drawShares);
    return values.text();
}

Result<SamplerSettings> readRandomSearch(const Expression &expression) {
    const ArgumentValues values = TRY(ArgumentValues::read(expression, randomSearchInfo()));
    SamplerSettings settings;
    settings.wholeUpToBytes = values.number("whole");
    settings.splitFromBytes = values.number("split");
    std::tie(settings.minParts, settings.maxParts) = values.range("parts");
    settings.balanceLoads = values.flag("balance");
    settings.loadTemperatureBytes = values.number("slack");
    settings.mergeAdjacent = values.flag("merge");
    std::tie(settings.minGroups, settings.maxGroups) = values.range("groups");
    settings.parameterServers = values.choice("synchronisers") != 2;
    settings.allReduce = values.choice("synchronisers") != 1;
    settings.drawShares = values.flag("shares");
    TRY(validateSampler(settings));
    return settings;
}

} // namespace syncopate
