// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/strategy/builders.h"

#include "engine/base/text.h"
#include "engine/strategy/expression.h"
#include "engine/strategy/part_counts.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <numeric>

namespace syncopate {

namespace {

/// Of all variables together. PartitionedPS and PartitionedAR split a prime dimension into single rows (138,493 of NCF's users),
/// as AutoDist does; with more partitions than this, a job file has an absurd shape.
constexpr std::int64_t maxPartitions = 5'000'000;

/// A divisor above maxPartitions is refused, whatever it is.
std::int64_t builderDivisor(std::int64_t rows) { return smallestDivisor(rows, maxPartitions); }

const std::vector<std::string> specNames{"AUTO", "NCCL", "RING"};
const std::vector<std::string> compressorNames{"NoneCompressor", "HorovodCompressor", "HorovodCompressorEF"};

struct PsOptions {
    bool localReplication = false;
    bool sync = true;
    std::int32_t staleness = 0;
};

Synchronizer parameterServer(std::string destination, const PsOptions &options) {
    Synchronizer synchronizer;
    synchronizer.kind = SynchronizerKind::ParameterServer;
    synchronizer.reductionDestination = std::move(destination);
    synchronizer.localReplication = options.localReplication;
    synchronizer.sync = options.sync;
    synchronizer.staleness = options.staleness;
    return synchronizer;
}

Synchronizer allReduce(AllReduceSpec spec, Compressor compressor, std::int64_t group) {
    Synchronizer synchronizer;
    synchronizer.kind = SynchronizerKind::AllReduce;
    synchronizer.spec = spec;
    synchronizer.compressor = compressor;
    synchronizer.group = static_cast<std::int32_t>(group);
    return synchronizer;
}

NodeConfig whole(const Variable &variable, Synchronizer synchronizer) { return {variable.name, {}, std::move(synchronizer), {}}; }

NodeConfig partitioned(const Variable &variable, std::size_t axis, std::int64_t count,
                       const std::function<Synchronizer(std::int64_t)> &synchronizerOf) {
    NodeConfig node;
    node.variableName = variable.name;
    node.partitions.assign(variable.shape.size(), 1);
    node.partitions[axis] = static_cast<std::int32_t>(count);
    node.parts.reserve(static_cast<std::size_t>(count));
    for (std::int64_t part = 0; part < count; ++part)
        node.parts.push_back({partName(variable.name, part), synchronizerOf(part)});
    return node;
}

std::int64_t firstDimension(const Variable &variable) { return variable.shape.empty() ? 1 : variable.shape.front(); }

/// Bytes on each server so far. Doubles, as AutoDist adds them up as Python floats.
class ServerLoads {
public:
    explicit ServerLoads(std::vector<std::string> devices) : m_devices(std::move(devices)), m_loads(m_devices.size(), 0.0) {}

    /// The first server with the smallest load, which then gets `bytes` more.
    const std::string &take(double bytes) {
        const auto least = static_cast<std::size_t>(std::min_element(m_loads.begin(), m_loads.end()) - m_loads.begin());
        m_loads[least] += bytes;
        return m_devices[least];
    }
    /// Servers by load; ties stay in order.
    [[nodiscard]] std::vector<std::size_t> byLoad() const {
        std::vector<std::size_t> order(m_loads.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) { return m_loads[a] < m_loads[b]; });
        return order;
    }
    const std::string &add(std::size_t server, double bytes) {
        m_loads[server] += bytes;
        return m_devices[server];
    }

private:
    std::vector<std::string> m_devices;
    std::vector<double> m_loads;
};

class Builder {
public:
    Builder(const Expression &expression, const Job &job, const Cluster &cluster)
        : m_expression(expression), m_job(job), m_servers(cluster.reductionDevices()) {
        m_strategy.replicas = cluster.replicaDevices();
        m_strategy.nodes.reserve(job.variables.size());
    }

    using Rule = void (Builder::*)();
    Result<Strategy> run(Rule rule) {
        (this->*rule)();
        if (m_error)
            return Unexpected(*m_error);
        return std::move(m_strategy);
    }

    void buildPs() {
        if (const auto options = psOptions({}))
            for (const Variable &variable : m_job.variables)
                add(whole(variable, parameterServer(m_servers.front(), *options)));
    }

    void buildPsLoadBalancing() {
        const auto options = psOptions({});
        if (!options)
            return;
        ServerLoads loads(m_servers);
        for (const Variable &variable : m_job.variables)
            add(whole(variable, parameterServer(loads.take(static_cast<double>(variable.sizeBytes())), *options)));
    }

    void buildPartitionedPs() { partitionOverServers(builderDivisor); }
    void buildUnevenPartitionedPs() { partitionOverServers(smallestNonDivisor); }

    void buildAllReduce() {
        ArgumentReader arguments(m_expression, {"chunk_size", "all_reduce_spec", "compressor"});
        const std::int64_t chunk = arguments.integer("chunk_size", 128, 1);
        const auto spec = static_cast<AllReduceSpec>(arguments.choice("all_reduce_spec", 1, specNames));
        const auto compressor = static_cast<Compressor>(arguments.choice("compressor", 0, compressorNames));
        if (!accept(arguments))
            return;
        for (std::size_t v = 0; v < m_job.variables.size(); ++v)
            add(whole(m_job.variables[v], allReduce(spec, compressor, static_cast<std::int64_t>(v) / chunk)));
    }

    void buildPartitionedAr() {
        ArgumentReader arguments(m_expression, {"chunk_size"});
        const std::int64_t chunk = arguments.integer("chunk_size", 128, 1);
        if (!accept(arguments))
            return;
        for (const Variable &variable : m_job.variables)
            if (!addReducedParts(variable, 0, builderDivisor(firstDimension(variable)), chunk))
                return;
    }

    void buildRandomAxisPartitionAr() {
        ArgumentReader arguments(m_expression, {"chunk_size", "seed"});
        const std::int64_t chunk = arguments.integer("chunk_size", 128, 1);
        const std::int32_t seed = arguments.integer("seed", 0, 0);
        if (!accept(arguments))
            return;
        const std::vector<std::int32_t> axes = randomAxes(m_job, seed);
        for (std::size_t v = 0; v < m_job.variables.size(); ++v) {
            const auto axis = static_cast<std::size_t>(std::max(axes[v], 0));
            const std::int64_t count = axes[v] < 0 ? 1 : builderDivisor(m_job.variables[v].shape[axis]);
            if (!addReducedParts(m_job.variables[v], axis, count, chunk))
                return;
        }
    }

    void buildParallax() {
        std::int64_t chunk = 0;
        const auto options = psOptions({"chunk_size"}, &chunk);
        if (!options)
            return;
        PsOptions sparseOptions = *options;
        sparseOptions.localReplication = false; // AutoDist switches it off: a proxy does not help sparse variables
        ServerLoads loads(m_servers);
        for (std::size_t v = 0; v < m_job.variables.size(); ++v) {
            const Variable &variable = m_job.variables[v];
            add(whole(variable, variable.sparse
                                    ? parameterServer(loads.take(static_cast<double>(variable.sizeBytes())), sparseOptions)
                                    : allReduce(AllReduceSpec::Nccl, Compressor::None, static_cast<std::int64_t>(v) / chunk)));
        }
    }

private:
    void add(NodeConfig node) { m_strategy.nodes.push_back(std::move(node)); }

    bool accept(const ArgumentReader &arguments) {
        m_error = arguments.error();
        return !m_error;
    }

    /// Reads the arguments of all builders that use servers, after those in `keys` (only Parallax has one).
    std::optional<PsOptions> psOptions(std::vector<std::string> keys, std::int64_t *chunk = nullptr) {
        keys.insert(keys.end(), {"local_proxy_variable", "sync", "staleness"});
        ArgumentReader arguments(m_expression, keys);
        PsOptions options;
        if (chunk != nullptr)
            *chunk = arguments.integer("chunk_size", 128, 1);
        options.localReplication = arguments.flag("local_proxy_variable", false);
        options.sync = arguments.flag("sync", true);
        options.staleness = arguments.integer("staleness", 0, 0);
        if (!accept(arguments))
            return std::nullopt;
        if (options.staleness > 0 && !options.sync)
            m_error = Error{
                fmt::format("staleness={} with sync=False", options.staleness), "bounded staleness needs sync=True", {}, {}};
        else if (m_servers.empty())
            m_error = Error{"the cluster has no device for a parameter server", "add a node", {}, {}};
        return m_error ? std::nullopt : std::optional(options);
    }

    bool fits(const Variable &variable, std::int64_t count) {
        m_parts += std::min(count, maxPartitions + 1);
        if (m_parts <= maxPartitions)
            return true;
        m_error = Error{
            fmt::format("splitting '{}' into {} parts makes more than {} parts in all", variable.name, count, maxPartitions),
            "check its shape, or use a builder that does not partition",
            {},
            {}};
        return false;
    }

    void partitionOverServers(std::int64_t (*partsOf)(std::int64_t)) {
        const auto options = psOptions({});
        if (!options)
            return;
        ServerLoads loads(m_servers);
        for (const Variable &variable : m_job.variables) {
            const std::int64_t count = variable.controlFlow ? 1 : partsOf(firstDimension(variable));
            if (!fits(variable, count))
                return;
            const std::vector<std::size_t> order = loads.byLoad();
            const double bytes = static_cast<double>(variable.sizeBytes()) / static_cast<double>(count);
            const auto place = [&](std::int64_t part) {
                return parameterServer(loads.add(order[static_cast<std::size_t>(part) % order.size()], bytes), *options);
            };
            if (count > 1)
                add(partitioned(variable, 0, count, place));
            else
                add(whole(variable, place(0)));
        }
    }

    /// Groups count parts; a variable that is not partitioned counts as one.
    bool addReducedParts(const Variable &variable, std::size_t axis, std::int64_t count, std::int64_t chunk) {
        if (!fits(variable, count))
            return false;
        const std::int64_t first = m_reducedParts;
        const auto reduce = [first, chunk](std::int64_t part) {
            return allReduce(AllReduceSpec::Auto, Compressor::None, (first + part) / chunk);
        };
        if (count > 1)
            add(partitioned(variable, axis, count, reduce));
        else
            add(whole(variable, reduce(0)));
        m_reducedParts += count;
        return true;
    }

    const Expression &m_expression;
    const Job &m_job;
    std::vector<std::string> m_servers;
    Strategy m_strategy;
    std::optional<Error> m_error;
    std::int64_t m_parts = 0;
    std::int64_t m_reducedParts = 0;
};

struct Row {
    BuilderInfo info;
    Builder::Rule rule;
};

const std::vector<Row> &rows() {
    static const std::string ps = "local_proxy_variable=False, sync=True, staleness=0";
    static const std::vector<Row> table{
        {{"PS", "PS(" + ps + ")", "every variable on the first node's CPU"}, &Builder::buildPs},
        {{"PSLoadBalancing", "PSLoadBalancing(" + ps + ")", "each variable on the server with the fewest bytes so far"},
         &Builder::buildPsLoadBalancing},
        {{"PartitionedPS", "PartitionedPS(" + ps + ")",
          "variables split along dimension 0 into its smallest divisor, parts over the servers by load"},
         &Builder::buildPartitionedPs},
        {{"UnevenPartitionedPS", "UnevenPartitionedPS(" + ps + ")",
          "the same with the smallest count that does not divide dimension 0"},
         &Builder::buildUnevenPartitionedPs},
        {{"AllReduce", "AllReduce(chunk_size=128, all_reduce_spec=NCCL, compressor=NoneCompressor)",
          "all-reduce, chunk_size variables in a group"},
         &Builder::buildAllReduce},
        {{"PartitionedAR", "PartitionedAR(chunk_size=128)",
          "all-reduce of variables split along dimension 0 into its smallest divisor"},
         &Builder::buildPartitionedAr},
        {{"RandomAxisPartitionAR", "RandomAxisPartitionAR(chunk_size=128, seed=0)",
          "all-reduce of variables split along a random dimension"},
         &Builder::buildRandomAxisPartitionAr},
        {{"Parallax", "Parallax(chunk_size=128, " + ps + ")", "dense variables by all-reduce, sparse ones on balanced servers"},
         &Builder::buildParallax},
    };
    return table;
}

} // namespace

const std::vector<BuilderInfo> &strategyBuilders() {
    static const std::vector<BuilderInfo> infos = [] {
        std::vector<BuilderInfo> all;
        for (const Row &row : rows())
            all.push_back(row.info);
        return all;
    }();
    return infos;
}

Result<Strategy> buildStrategy(std::string_view text, const Job &job, const Cluster &cluster) {
    const auto expression = TRY(parseExpression(text));
    for (const Row &row : rows())
        if (row.info.name == expression.name)
            return Builder(expression, job, cluster).run(row.rule);
    return failInExpression(fmt::format("there is no builder '{}'", expression.name),
                            fmt::format("use one of {}", listOfNames(rows(), [](const Row &row) { return row.info.name; })));
}

} // namespace syncopate
