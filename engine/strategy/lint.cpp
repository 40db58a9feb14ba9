// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/strategy/lint.h"

#include "engine/base/phrase.h"
#include "engine/base/units.h"
#include "engine/strategy/variable_parts.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace syncopate {

namespace {

constexpr double smallGroupBytes = 64 * 1024;    ///< half a millisecond at 1 Gbit/s, comparable to a collective's latency
constexpr double largeKernelBytes = 1024 * 1024; ///< worth splitting
constexpr std::int64_t manyParts = 10000;

std::string megabytes(double bytes) { return formatBytes(bytes); }

bool isPrime(std::int64_t number) {
    if (number < 2)
        return false;
    for (std::int64_t i = 2; i <= number / i; ++i)
        if (number % i == 0)
            return false;
    return true;
}

/// Whether it is the shape of a convolution kernel in TensorFlow's layout: height, width, channels in and out. PyTorch's kernels
/// begin with the channels, which are more than the places of a window.
bool isFilter(const std::vector<std::int64_t> &shape) {
    return shape.size() == 4 && static_cast<double>(shape[0]) * static_cast<double>(shape[1]) <=
                                    static_cast<double>(shape[2]) * static_cast<double>(shape[3]);
}

struct Configured {
    const NodeConfig *node;
    const Variable *variable;
    std::size_t index; ///< in the job
};

class Linter {
public:
    Linter(const Job &job, const Cluster &cluster, const Strategy &strategy)
        : m_job(job), m_cluster(cluster), m_strategy(strategy), m_servers(cluster.reductionDevices()) {
        const std::set<std::int32_t> serving(cluster.serverOnly.begin(), cluster.serverOnly.end());
        m_workingNodes = cluster.nodes.size() - serving.size();
    }

    std::vector<LintMark> run() {
        pairVariables();
        for (const Configured &c : m_configured)
            eachSynchronizer(c, [&](const Synchronizer &s, double bytes) { collect(c, s, bytes); });
        m_splitsAny =
            std::any_of(m_configured.begin(), m_configured.end(), [](const Configured &c) { return c.node->isPartitioned(); });
        checkReplicas();
        for (const Configured &c : m_configured)
            checkVariable(c);
        checkServers();
        checkGroups();
        checkConsistency();
        std::stable_sort(m_marks.begin(), m_marks.end(), [](const Mark &a, const Mark &b) {
            return std::make_tuple(-static_cast<int>(a.mark.severity), a.order) <
                   std::make_tuple(-static_cast<int>(b.mark.severity), b.order);
        });
        std::vector<LintMark> marks;
        for (Mark &mark : m_marks)
            marks.push_back(std::move(mark.mark));
        return marks;
    }

private:
    struct Mark {
        std::size_t order; ///< index of the variable in the job; 0 for the whole strategy
        LintMark mark;
    };
    struct Group {
        double bytes = 0;
        std::int64_t members = 0;
        std::size_t first = 0; ///< index of its first variable
        std::set<std::tuple<DataType, AllReduceSpec, Compressor>> kinds;
    };

    void mark(LintSeverity severity, const char *rule, const Configured *about, std::string text, std::string remedy) {
        m_marks.push_back(
            {about == nullptr ? 0 : about->index,
             {severity, rule, about == nullptr ? std::string{} : about->variable->name, std::move(text), std::move(remedy)}});
    }

    void pairVariables() {
        const auto plain = [](const std::string &name) { return name.ends_with(":0") ? name.substr(0, name.size() - 2) : name; };
        std::unordered_map<std::string, std::size_t> indexOf;
        for (std::size_t v = 0; v < m_job.variables.size(); ++v)
            indexOf.emplace(plain(m_job.variables[v].name), v);
        for (const NodeConfig &node : m_strategy.nodes) {
            const auto known = indexOf.find(plain(node.variableName));
            if (known != indexOf.end())
                m_configured.push_back({&node, &m_job.variables[known->second], known->second});
            else
                m_marks.push_back({0,
                                   {LintSeverity::Warning, "no-variable", node.variableName,
                                    fmt::format("the job has no variable '{}'", node.variableName),
                                    "build the strategy for this job; AutoDist drops such configurations"}});
        }
        std::stable_sort(m_configured.begin(), m_configured.end(),
                         [](const Configured &a, const Configured &b) { return a.index < b.index; });
    }

    /// Calls `function` with each synchronizer and its bytes: one for a whole variable, one for each part.
    template <typename Function> static void eachSynchronizer(const Configured &c, Function &&function) {
        const auto bytes = static_cast<double>(c.variable->sizeBytes());
        if (!c.node->isPartitioned())
            return function(c.node->synchronizer, bytes);
        const auto parts = static_cast<std::int64_t>(c.node->parts.size());
        const std::int64_t rows = splitRows(c);
        for (std::int64_t p = 0; p < parts; ++p) {
            // The first (rows mod parts) parts have one row more.
            const std::int64_t mine = rowsOfPart(rows, parts, p);
            function(c.node->parts[static_cast<std::size_t>(p)].synchronizer,
                     rows > 0 ? bytes * static_cast<double>(mine) / static_cast<double>(rows) : 0.0);
        }
    }

    /// Length of the split dimension; 0 if the partitioner does not fit the shape.
    static std::int64_t splitRows(const Configured &c) {
        const auto axis = static_cast<std::size_t>(c.node->partitionAxis());
        return c.node->partitionAxis() >= 0 && axis < c.variable->shape.size() ? c.variable->shape[axis] : 0;
    }

    void collect(const Configured &c, const Synchronizer &s, double bytes) {
        if (s.kind == SynchronizerKind::ParameterServer) {
            ++m_ps;
            m_loads[s.reductionDestination] += bytes;
            m_consistency.emplace(s.sync, s.staleness);
            return;
        }
        ++m_allReduced;
        Group &group = m_groups[s.group];
        if (group.members++ == 0)
            group.first = c.index;
        group.bytes += bytes;
        group.kinds.emplace(c.variable->dtype, s.spec, s.compressor);
    }

    [[nodiscard]] double meanLoad() const { return syncopate::meanLoad(m_loads, m_servers.size()); }
    [[nodiscard]] std::string aPartForEachServer() const { return fmt::format("split it into {} parts", m_servers.size()); }

    void checkReplicas() {
        const std::vector<std::string> replicas = m_cluster.replicaDevices();
        const std::set<std::string> mine(m_strategy.replicas.begin(), m_strategy.replicas.end());
        const std::set<std::string> there(replicas.begin(), replicas.end());
        if (mine != there)
            mark(LintSeverity::Warning, "other-replicas", nullptr,
                 fmt::format("the strategy has {} replicas and the cluster {}, and they are not the same devices", mine.size(),
                             there.size()),
                 "build the strategy for this cluster");
        else if (m_strategy.replicas != replicas)
            checkOrder(replicas);
    }

    /// Rings pass from each replica to the next in the strategy's list.
    void checkOrder(const std::vector<std::string> &ofCluster) {
        const auto crossings = [this](const std::vector<std::string> &devices) {
            std::size_t count = 0;
            for (std::size_t d = 0; d < devices.size(); ++d)
                count += m_cluster.nodeOf(devices[d]) != m_cluster.nodeOf(devices[(d + 1) % devices.size()]) ? 1 : 0;
            return count;
        };
        const std::size_t listed = crossings(m_strategy.replicas), fewest = crossings(ofCluster);
        if (listed > fewest)
            mark(LintSeverity::Warning, "scattered-replicas", nullptr,
                 fmt::format("a ring in the order of its replicas leaves nodes {} times, in the cluster's order {} times", listed,
                             fewest),
                 "list the replicas of each node one after the other");
    }

    void checkVariable(const Configured &c) {
        checkSplit(c);
        bool allReduced = false;
        bool proxy = false;
        bool compressed = false;
        eachSynchronizer(c, [&](const Synchronizer &s, double) {
            const bool reduced = s.kind == SynchronizerKind::AllReduce;
            allReduced = allReduced || reduced;
            proxy = proxy || (!reduced && s.localReplication);
            compressed = compressed || (reduced && isCompressed(*c.variable, s));
        });
        if (c.variable->sparse && allReduced && m_workingNodes > 1)
            mark(LintSeverity::Error, "sparse-all-reduce", &c,
                 fmt::format("its gradient is sparse and all-reduced over {} nodes, which AutoDist's runtime refuses",
                             m_workingNodes),
                 "put it on a parameter server, as Parallax does");
        if (c.variable->sparse && proxy)
            mark(LintSeverity::Warning, "sparse-proxy", &c,
                 "its gradient is sparse, and a proxy would copy the whole of it to every worker",
                 "set local_replication to false");
        if (compressed && c.variable->dtype != DataType::Float32)
            mark(LintSeverity::Note, "useless-compressor", &c,
                 fmt::format("it is {}, and the compressor turns float32 into float16", nameOf(c.variable->dtype)),
                 "use NoneCompressor");
    }

    void checkSplit(const Configured &c) {
        const Variable &variable = *c.variable;
        const auto bytes = static_cast<double>(variable.sizeBytes());
        if (!c.node->isPartitioned()) {
            if (m_splitsAny && variable.shape.size() > 1 && variable.shape.front() == 1 && bytes >= largeKernelBytes)
                mark(LintSeverity::Note, "unpartitionable", &c,
                     fmt::format("{} stay whole: the builders split along dimension 0, which is 1", megabytes(bytes)),
                     "split another dimension by hand, or try RandomAxisPartitionAR");
            return;
        }
        const auto parts = static_cast<std::int64_t>(c.node->parts.size());
        const std::int64_t rows = splitRows(c);
        const std::int32_t axis = c.node->partitionAxis();
        m_parts += parts;
        if (axis >= 0 && axis < 2 && isFilter(variable.shape)) {
            mark(LintSeverity::Note, "split-filter", &c,
                 fmt::format("the kernel is split into {} along {}, whatever the number of servers", parts,
                             axis == 0 ? "its height" : "its width"),
                 "split along channels, or leave it whole");
        } else if (parts == rows && parts > 2 && isPrime(rows)) {
            mark(parts > 64 ? LintSeverity::Warning : LintSeverity::Note, "prime-dimension", &c,
                 fmt::format("dimension {} is {}, a prime, so it is split into {} parts of one row", axis, rows, parts),
                 "pad the dimension to a multiple of the number of servers, or use UnevenPartitionedPS");
        }
        const bool onServers = std::all_of(c.node->parts.begin(), c.node->parts.end(), [](const PartConfig &part) {
            return part.synchronizer.kind == SynchronizerKind::ParameterServer;
        });
        if (onServers && static_cast<std::size_t>(parts) < m_servers.size() && bytes > unbalancedLoad * meanLoad())
            mark(LintSeverity::Note, "few-parts", &c,
                 fmt::format("{} in {} parts for {} servers, whose mean load is {}", megabytes(bytes), parts, m_servers.size(),
                             megabytes(meanLoad())),
                 aPartForEachServer());
    }

    void checkServers() {
        if (m_parts > manyParts)
            mark(LintSeverity::Warning, "many-parts", nullptr,
                 fmt::format("{} parts in all, each with messages of its own", m_parts), "split into fewer parts");
        if (m_ps == 0)
            return;
        for (const auto &[server, bytes] : m_loads)
            if (std::find(m_servers.begin(), m_servers.end(), server) == m_servers.end())
                mark(LintSeverity::Error, "unknown-server", nullptr,
                     fmt::format("{} are on {}, which the cluster does not have", megabytes(bytes), server),
                     "build the strategy for this cluster");
        if (m_workingNodes == 1 && m_cluster.serverOnly.empty() && m_cluster.replicaCount() > 1)
            mark(LintSeverity::Note, "one-node-ps", nullptr,
                 fmt::format("{} variables or parts go through the CPU of a single node", m_ps),
                 "on one node, all-reduce between its GPUs is faster by far (AutoDist, section 3.1)");
        if (auto unbalanced = lintBalance(m_loads, m_servers.size())) {
            if (const Configured *largest = largestOn(busiestServer(m_loads)->first)) {
                unbalanced->text += fmt::format("; most of it is '{}'", largest->variable->name);
                if (!largest->node->isPartitioned())
                    unbalanced->remedy = "split it, as PartitionedPS does";
                else if (largest->node->parts.size() < m_servers.size())
                    unbalanced->remedy = aPartForEachServer();
            }
            m_marks.push_back({0, std::move(*unbalanced)});
        }
        for (LintMark &slow : lintSpeeds(m_cluster, m_loads))
            m_marks.push_back({0, std::move(slow)});
    }

    /// The variable that makes up most of a server's load; null if none does.
    [[nodiscard]] const Configured *largestOn(const std::string &server) const {
        double largestBytes = 0;
        const Configured *largest = nullptr;
        for (const Configured &c : m_configured) {
            double here = 0;
            eachSynchronizer(c, [&](const Synchronizer &s, double bytes) {
                if (s.kind == SynchronizerKind::ParameterServer && s.reductionDestination == server)
                    here += bytes;
            });
            if (here > largestBytes) {
                largestBytes = here;
                largest = &c;
            }
        }
        return largestBytes < m_loads.at(server) / 2 ? nullptr : largest;
    }

    void checkGroups() {
        if (m_groups.size() == 1 && m_groups.begin()->second.members > 1 && m_job.layers.size() > 1)
            mark(LintSeverity::Warning, "one-group", nullptr,
                 fmt::format(
                     "all {} all-reduced variables or parts are in group {}: none is sent before the last gradient is ready",
                     m_groups.begin()->second.members, m_groups.begin()->first),
                 m_groups.begin()->first > 0
                     ? fmt::format("make several groups; in a file of before 2020-04-29 this number is the chunk "
                                   "size, so build it again with chunk_size={}",
                                   m_groups.begin()->first)
                     : "make several groups (a smaller chunk_size)");
        std::int64_t tiny = 0;
        for (const auto &[number, group] : m_groups) {
            tiny += group.bytes < smallGroupBytes ? 1 : 0;
            if (group.kinds.size() > 1)
                mark(LintSeverity::Warning, "mixed-group", nullptr,
                     fmt::format("group {} has variables of {} kinds (type, spec, compressor), which cannot be sent as one",
                                 number, group.kinds.size()),
                     "give each kind a group of its own");
        }
        // A chunked strategy may have one small group left over at the end.
        if (tiny > 1)
            mark(LintSeverity::Note, "tiny-collectives", nullptr,
                 fmt::format("{} of {} groups are smaller than {}: latency, not bandwidth, bounds them", tiny, m_groups.size(),
                             megabytes(smallGroupBytes)),
                 "put more variables into a group (a larger chunk_size)");
    }

    void checkConsistency() {
        const bool relaxed = std::any_of(m_consistency.begin(), m_consistency.end(),
                                         [](const auto &kind) { return !kind.first || kind.second > 0; });
        if (m_consistency.size() > 1)
            mark(LintSeverity::Warning, "mixed-consistency", nullptr,
                 fmt::format("variables on servers are kept in {} different ways (synchrony, staleness)", m_consistency.size()),
                 "give all of them the same sync and staleness");
        else if (relaxed && m_allReduced > 0)
            mark(LintSeverity::Warning, "mixed-consistency", nullptr,
                 "variables on servers may be stale, but all-reduce keeps the workers in step",
                 "use sync=True and staleness=0, or servers for all variables");
    }

    const Job &m_job;
    const Cluster &m_cluster;
    const Strategy &m_strategy;
    std::vector<std::string> m_servers;
    std::size_t m_workingNodes = 0;
    std::vector<Configured> m_configured;
    ServerBytes m_loads; ///< of the servers named by the strategy
    std::map<std::int32_t, Group> m_groups;
    std::set<std::pair<bool, std::int32_t>> m_consistency;
    std::int64_t m_ps = 0;
    std::int64_t m_allReduced = 0;
    std::int64_t m_parts = 0;
    bool m_splitsAny = false; ///< some variable is partitioned
    std::vector<Mark> m_marks;
};

} // namespace

const char *nameOf(LintSeverity severity) {
    switch (severity) {
    case LintSeverity::Note:
        return translatable("note");
    case LintSeverity::Warning:
        return translatable("warning");
    case LintSeverity::Error:
        break;
    }
    return translatable("error");
}

std::vector<LintMark> lint(const Job &job, const Cluster &cluster, const Strategy &strategy) {
    return Linter(job, cluster, strategy).run();
}

} // namespace syncopate
