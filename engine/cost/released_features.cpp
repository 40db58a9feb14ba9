// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cost/released_features.h"

#include "engine/strategy/variable_parts.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <string>

namespace syncopate {

namespace {

constexpr double localBitsPerSecond = 1e9 * 10000; ///< "gpu_cpu_bw"
constexpr double indexBits = 64;

struct Terms {
    double transmission = 0, overhead = 0, latency = 0;
    Terms &operator+=(const Terms &other) {
        transmission += other.transmission;
        overhead += other.overhead;
        latency += other.latency;
        return *this;
    }
};

/// A part of a variable, or all of it, with its share of the variable's elements and rows.
struct Piece {
    const Variable &variable;
    double elements, rowShare;
};

class Simulator {
public:
    Simulator(const Cluster &cluster, const ReleasedBatch &batch) : m_cluster(cluster), m_batch(batch) {
        m_ringBitsPerSecond = localBitsPerSecond;
        for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
            const Node &node = cluster.nodes[n];
            m_cpus += static_cast<double>(node.cpus.size());
            m_gpus += static_cast<double>(node.gpus.size());
            m_maxGpus = std::max(m_maxGpus, static_cast<double>(node.gpus.size()));
            if (n > 0) // of each pair of machines, the released loop looks at the later one's card
                m_ringBitsPerSecond = std::min(m_ringBitsPerSecond, bitsPerSecond(node));
        }
    }

    [[nodiscard]] Result<void> add(const Piece &piece, const Synchronizer &synchronizer) {
        if (synchronizer.kind == SynchronizerKind::AllReduce) {
            m_groups[synchronizer.group] += {reducedBits(piece, synchronizer) / m_ringBitsPerSecond, 1, m_maxGpus};
            return {};
        }
        const std::int32_t host = m_cluster.nodeOf(synchronizer.reductionDestination);
        if (host < 0)
            return fail(fmt::format("the strategy's device '{}' is not in the cluster", synchronizer.reductionDestination),
                        "build the strategy for this cluster");
        const auto server = static_cast<std::size_t>(host);
        const bool sparse = piece.variable.sparse;
        const double bits = sparse ? sparseElements(piece) * (32 + 2 * indexBits) + 2 * indexBits : denseBits(piece);
        const bool proxy = synchronizer.localReplication && !sparse;
        const double secondsEach = bits / bitsPerSecond(m_cluster.nodes[server]);
        Terms &terms = m_servers[synchronizer.reductionDestination];
        terms += {secondsEach * others(server, sparse), m_cpus, m_maxGpus};                  // send
        terms += {secondsEach * others(server, !proxy), proxy ? m_cpus : m_gpus, m_maxGpus}; // receive
        return {};
    }

    [[nodiscard]] std::array<double, 12> features() const {
        std::array<double, 12> all{};
        reduce(m_servers, all.data());
        reduce(m_groups, all.data() + 6);
        return all;
    }

private:
    static double bitsPerSecond(const Node &node) { return node.bandwidthBytesPerSecond * 8; }
    /// Number of GPUs, or of CPUs, of the other machines.
    [[nodiscard]] double others(std::size_t server, bool gpus) const {
        double count = 0;
        for (std::size_t n = 0; n < m_cluster.nodes.size(); ++n)
            if (n != server)
                count += static_cast<double>(gpus ? m_cluster.nodes[n].gpus.size() : m_cluster.nodes[n].cpus.size());
        return count;
    }
    static double denseBits(const Piece &piece) { return piece.elements * static_cast<double>(sizeOf(piece.variable.dtype)) * 8; }
    /// Elements of the rows that a batch touches, regardless of how many rows there are.
    [[nodiscard]] double sparseElements(const Piece &piece) const {
        const Variable &variable = piece.variable;
        double width = 1;
        for (std::size_t axis = 1; axis < variable.shape.size(); ++axis)
            width *= static_cast<double>(variable.shape[axis]);
        return m_batch.batchPerDevice * m_batch.sequenceLength * width * piece.rowShare;
    }
    [[nodiscard]] double reducedBits(const Piece &piece, const Synchronizer &synchronizer) const {
        const double elements = piece.variable.sparse ? sparseElements(piece) : piece.elements;
        const double bits =
            synchronizer.compressor == Compressor::None ? static_cast<double>(sizeOf(piece.variable.dtype)) * 8 : 32;
        return elements * bits;
    }
    /// Writes the maximum and the sum of each term.
    template <class Key> static void reduce(const std::map<Key, Terms> &all, double *into) {
        for (const auto &[key, terms] : all) {
            const std::array<double, 3> values{terms.transmission, terms.overhead, terms.latency};
            for (std::size_t i = 0; i < 3; ++i) {
                into[i] = std::max(into[i], values[i]);
                into[3 + i] += values[i];
            }
        }
    }

    const Cluster &m_cluster;
    ReleasedBatch m_batch;
    double m_cpus = 0, m_gpus = 0, m_maxGpus = 0, m_ringBitsPerSecond = 0;
    std::map<std::string, Terms> m_servers;
    std::map<std::int32_t, Terms> m_groups;
};

} // namespace

Result<std::array<double, 12>> releasedFeatures(const Job &job, const Cluster &cluster, const Strategy &strategy,
                                                const ReleasedBatch &batch) {
    if (strategy.nodes.size() != job.variables.size())
        return fail(fmt::format("the strategy has {} variables, the job {}", strategy.nodes.size(), job.variables.size()),
                    "build the strategy for this job");
    Simulator simulator(cluster, batch);
    for (std::size_t v = 0; v < strategy.nodes.size(); ++v) {
        const NodeConfig &node = strategy.nodes[v];
        const Variable &variable = job.variables[v];
        const auto elements = static_cast<double>(variable.elementCount());
        if (!node.isPartitioned()) {
            TRY(simulator.add({variable, elements, 1}, node.synchronizer));
            continue;
        }
        const auto parts = static_cast<std::int64_t>(node.parts.size());
        const std::int64_t rows = TRY(rowsToCut(variable, node));
        for (std::int64_t p = 0; p < parts; ++p) {
            const double share = static_cast<double>(rowsOfPart(rows, parts, p)) / static_cast<double>(rows);
            TRY(simulator.add({variable, elements * share, share}, node.parts[static_cast<std::size_t>(p)].synchronizer));
        }
    }
    return simulator.features();
}

} // namespace syncopate
