// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/training_memory.h"

#include "engine/analyze/metrics.h"
#include "engine/base/numbers.h"
#include "engine/strategy/policy.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace syncopate {

namespace {

constexpr double momentShare = 1e-9; ///< share of an iteration: buffers freed and allocated this close do not overlap

/// An interval that grows to cover all that is added; empty at first.
struct Stretch {
    double from = infinity, to = -infinity;

    void take(double start, double end) {
        from = std::min(from, start);
        to = std::max(to, end);
    }
    void take(const Stretch &other) { take(other.from, other.to); }
};

/// The buffers of one process, and the most bytes held at once within a window.
class HeldBytes {
public:
    void hold(double bytes, const Stretch &when, const Stretch &window) {
        const double to = when.to - momentShare * (window.to - window.from);
        if (!(bytes > 0) || !(to > when.from) || to <= window.from || when.from >= window.to)
            return;
        m_changes.emplace_back(std::max(when.from, window.from), bytes);
        m_changes.emplace_back(to, -bytes);
    }
    [[nodiscard]] double peak() {
        std::sort(m_changes.begin(), m_changes.end()); // at equal times, frees come first
        double held = 0, peak = 0;
        for (const auto &[when, bytes] : m_changes)
            peak = std::max(peak, held += bytes);
        return peak;
    }

private:
    std::vector<std::pair<double, double>> m_changes; ///< time, bytes allocated or (negative) freed
};

/// Bytes of a unit's values: if sparse, of all rows, not just those that a gradient has.
double valueBytes(const SyncUnit &unit) { return unit.sparse ? unit.sizeBytes / unit.touchedShare : unit.sizeBytes; }

/// Whether replicas keep all parameters and a buffer for all gradients, sharded or not.
bool keepsParameters(const Run &run) {
    const auto sharding = disciplineOf(run.scenario.policy, {}).sharding;
    return sharding && sharding->keepsParameters;
}

bool isServed(const SyncUnit &unit) { return unit.kind == SynchronizerKind::ParameterServer; }

/// Finds when buffers are held, from the tasks of iterations that reach into the window.
class MemoryReader {
public:
    MemoryReader(const Run &run, const Stretch &window)
        : m_run(run), m_graph(run.graph), m_window(window), m_workers(run.graph.workerNames.size()),
          m_layers(run.scenario.job->layers.size()), m_keepsParameters(keepsParameters(run)) {
        findIterations();
        m_backward.resize(m_count * m_workers * m_layers, infinity);
        m_passed.resize(m_count * m_workers * m_layers * 2, -infinity);
        m_updated.resize(m_count * m_workers * (m_layers + 1), -infinity);
        m_underWay.resize(m_count * m_graph.units.size() * (m_workers + 1));
        if (std::any_of(m_graph.units.begin(), m_graph.units.end(), [](const SyncUnit &unit) { return isServed(unit); }))
            m_pushes.resize(m_count * m_graph.units.size() * m_workers);
        for (std::size_t t = 0; t < m_graph.size(); ++t)
            if (const std::int32_t k = m_number[asIndex(m_graph.iteration[t])]; k >= 0)
                take(t, asIndex(k));
    }

    [[nodiscard]] double deviceBytes() {
        const std::vector<std::int32_t> layerOf = layersOfVariables();
        double most = 0;
        for (std::size_t w = 0; w < m_workers; ++w) {
            HeldBytes held;
            for (std::size_t k = 0; k < m_count; ++k)
                for (std::size_t u = 0; u < m_graph.units.size(); ++u) {
                    holdGradients(held, layerOf, {k, u, w});
                    if (!m_keepsParameters)
                        holdGathered(held, layerOf, {k, u, w});
                }
            most = std::max(most, held.peak());
        }
        return most;
    }

    /// For pushes, their sums, and served values with optimiser state: of the server that needs most.
    [[nodiscard]] double serverBytes(double optimizerValues) {
        std::map<std::string, std::pair<double, HeldBytes>> servers;
        for (std::size_t u = 0; u < m_graph.units.size(); ++u) {
            const SyncUnit &unit = m_graph.units[u];
            if (!isServed(unit))
                continue;
            servers[unit.destination].first += (1 + optimizerValues) * valueBytes(unit);
            HeldBytes &station = servers[unit.transferDestination.empty() ? unit.destination : unit.transferDestination].second;
            for (std::size_t k = 0; k < m_count; ++k)
                holdPushes(station, k, u);
        }
        double most = 0;
        for (auto &[name, server] : servers)
            most = std::max(most, server.first + server.second.peak());
        return most;
    }

private:
    struct Push {
        Stretch when{};             ///< until its bytes have been sent
        double reduced = -infinity; ///< with several devices: when the host has their sum
        double arrival = -infinity;
        double bytes = 0;                                                                     ///< for all nodes of the class
        [[nodiscard]] double left() const { return reduced > -infinity ? reduced : when.to; } ///< its device
    };
    /// A unit in one iteration, on one worker.
    struct Place {
        std::size_t iteration, unit, worker;
    };

    /// Numbers the iterations with tasks that reach into the window.
    void findIterations() {
        std::vector<Stretch> iterations;
        for (std::size_t t = 0; t < m_graph.size(); ++t) {
            const std::size_t i = asIndex(m_graph.iteration[t]);
            if (i >= iterations.size())
                iterations.resize(i + 1);
            iterations[i].take(m_run.startSeconds[t], m_run.arrivalSeconds(TaskId(t)));
        }
        for (const Stretch &own : iterations)
            m_number.push_back(own.from < m_window.to && own.to > m_window.from ? static_cast<std::int32_t>(m_count++) : -1);
    }

    [[nodiscard]] std::size_t ofWorker(std::size_t k, std::size_t w) const { return k * m_workers + w; }
    /// Worker number m_workers stands for tasks that all workers share.
    [[nodiscard]] Stretch &underWay(const Place &at) {
        return m_underWay[(at.iteration * m_graph.units.size() + at.unit) * (m_workers + 1) + at.worker];
    }
    [[nodiscard]] Push &push(const Place &at) {
        return m_pushes[(at.iteration * m_graph.units.size() + at.unit) * m_workers + at.worker];
    }

    void take(std::size_t t, std::size_t k) {
        const TaskKind kind = m_graph.kind[t];
        const WorkerClassId worker = m_graph.worker[t];
        const UnitId unit = m_graph.unit[t];
        const LayerId layer = m_graph.layer[t];
        const double start = m_run.startSeconds[t], end = m_run.endSeconds[t];
        if (kind == TaskKind::Forward || kind == TaskKind::Backward) {
            const std::size_t place = ofWorker(k, worker.index()) * m_layers + layer.index();
            m_passed[2 * place + (kind == TaskKind::Backward ? 1 : 0)] = end;
            if (kind == TaskKind::Backward)
                m_backward[place] = start;
        } else if (unit.exists() && m_graph.units[unit.index()].shards > 1 && (layer.exists() || kind == TaskKind::Host)) {
            if (kind != TaskKind::Join && kind != TaskKind::Host) // the buffer is there when the gather begins
                m_gathers[{k, unit.index()}][m_graph.orderKey[t]].take(start, end);
        } else if (kind == TaskKind::Update || (kind == TaskKind::Join && worker.exists() && !unit.exists() && layer.exists())) {
            // A layer's update without a duration is a join.
            const std::size_t place = layer.exists() ? layer.index() : m_layers;
            double &updated = m_updated[ofWorker(k, worker.index()) * (m_layers + 1) + place];
            updated = std::max(updated, end);
        } else if (unit.exists() && kind != TaskKind::Join) {
            takeTraffic(t, {k, unit.index(), worker.exists() ? worker.index() : m_workers}, start, end);
        }
    }

    void takeTraffic(std::size_t t, const Place &at, double start, double end) {
        const TaskKind kind = m_graph.kind[t];
        if (!isServed(m_graph.units[at.unit])) {
            underWay(at).take(start, end + m_graph.flightSeconds[t]);
            return;
        }
        if (kind == TaskKind::Encode)
            underWay(at).take(start, end);
        if (at.worker == m_workers || (kind != TaskKind::Push && kind != TaskKind::LocalReduce))
            return;
        Push &own = push(at);
        if (kind == TaskKind::LocalReduce) {
            own.reduced = std::max(own.reduced, end);
            return;
        }
        own.when.take(start, end);
        own.arrival = std::max(own.arrival, end + m_graph.flightSeconds[t]);
        own.bytes += m_graph.sizeBytes[t] * m_graph.workerMultiplicity[at.worker];
    }

    [[nodiscard]] std::vector<std::int32_t> layersOfVariables() const {
        const Job &job = *m_run.scenario.job;
        std::vector<std::int32_t> layerOf(job.variables.size(), 0);
        for (std::size_t l = 0; l < m_layers; ++l)
            for (const std::int32_t v : job.layers[l].variables)
                layerOf[asIndex(v)] = static_cast<std::int32_t>(l);
        return layerOf;
    }

    /// When the layer's variables have got their new values.
    [[nodiscard]] double updateOf(const Place &at, std::size_t layer) const {
        const double *const updated = &m_updated[ofWorker(at.iteration, at.worker) * (m_layers + 1)];
        return std::max(updated[layer], updated[m_layers]);
    }

    /// The parameters that a sharded unit has gathered: from the start of a gather until its last op of that pass, or of the
    /// backward pass where it is not gathered again.
    void holdGathered(HeldBytes &held, const std::vector<std::int32_t> &layerOf, const Place &at) {
        const SyncUnit &unit = m_graph.units[at.unit];
        const auto gathers = m_gathers.find({at.iteration, at.unit});
        if (gathers == m_gathers.end())
            return;
        Stretch forward, backward; // ends of ops
        const auto pass = [&](std::size_t layer) {
            const double *const ends = &m_passed[2 * (ofWorker(at.iteration, at.worker) * m_layers + layer)];
            forward.take(ends[0], ends[0]);
            backward.take(ends[1], ends[1]);
        };
        for (const std::int32_t v : unit.variables)
            pass(asIndex(layerOf[asIndex(v)]));
        for (std::size_t l = 0; unit.isRoot && l < m_layers; ++l)
            pass(l);
        std::size_t left = gathers->second.size(); // in the order of issue
        for (const auto &[key, when] : gathers->second)
            held.hold(unit.sizeBytes, {when.from, left-- > 1 ? forward.to : backward.to}, m_window);
    }

    void holdGradients(HeldBytes &held, const std::vector<std::int32_t> &layerOf, const Place &at) {
        const SyncUnit &unit = m_graph.units[at.unit];
        const Job &job = *m_run.scenario.job;
        const bool scatters = m_gather ? m_gather->shardsGradients && unit.updaters > 1 : unit.shards > 1 && !m_keepsParameters;
        double whole = 0, updated = -infinity;
        for (const std::int32_t v : unit.variables)
            whole += job.variables[asIndex(v)].gradientBytes();
        Stretch sent = underWay(at);
        sent.take(isServed(unit) ? push(at).when : underWay({at.iteration, at.unit, m_workers}));
        const double bytes = unit.sparse ? std::max(unit.sizeBytes, unit.wireBytes) : unit.sizeBytes;
        for (const std::int32_t v : unit.variables) {
            const std::size_t layer = asIndex(layerOf[asIndex(v)]);
            const double ready = m_backward[ofWorker(at.iteration, at.worker) * m_layers + layer];
            updated = std::max(updated, updateOf(at, layer));
            const double own = whole > 0 ? bytes * job.variables[asIndex(v)].gradientBytes() / whole : 0;
            if (scatters) { // a shard is left of it
                held.hold(own, {ready, sent.to}, m_window);
                held.hold(own / unit.updaters, {sent.to, updateOf(at, layer)}, m_window);
                continue;
            }
            held.hold(own, {ready, isServed(unit) ? push(at).left() : updateOf(at, layer)}, m_window);
        }
        if (unit.sparse && !isServed(unit))
            held.hold(unit.wireBytes * m_run.workers, {sent.from, updated}, m_window);
        else if (unit.variables.size() > 1 || unit.encodeSeconds > 0 || unit.wireBytes < unit.sizeBytes)
            held.hold(unit.wireBytes, sent, m_window);
    }

    void holdPushes(HeldBytes &server, std::size_t k, std::size_t u) {
        const SyncUnit &unit = m_graph.units[u];
        Stretch sum;
        for (std::size_t w = 0; w < m_workers; ++w) {
            const Push &own = push({k, u, w});
            server.hold(own.bytes, {own.when.from, own.arrival}, m_window);
            if (own.arrival > -infinity)
                sum.take(own.arrival, own.arrival);
        }
        if (unit.staleness == 0)
            server.hold(unit.sizeBytes, sum, m_window);
    }

    const Run &m_run;
    const TaskGraph &m_graph;
    const Stretch m_window;
    const std::size_t m_workers, m_layers;
    const bool m_keepsParameters;
    const std::optional<ParameterGather> m_gather = disciplineOf(m_run.scenario.policy, {}).gather;
    std::size_t m_count = 0;            ///< number of iterations that reach into the window
    std::vector<std::int32_t> m_number; ///< per iteration: its index among those; -1 = not one of them
    std::vector<double> m_backward;     ///< start, by iteration, worker and layer
    std::vector<double> m_updated;      ///< end, by iteration, worker and layer; one more for all layers together
    std::vector<Stretch> m_underWay;    ///< while encoded or sent, by iteration, unit and worker
    std::vector<double> m_passed;       ///< ends of forward and backward, by iteration, worker and layer
    /// When a sharded unit is gathered, by iteration and unit, then by the place in the order of issue.
    std::map<std::pair<std::size_t, std::size_t>, std::map<std::int64_t, Stretch>> m_gathers;
    std::vector<Push> m_pushes; ///< by iteration, unit and worker; empty if no unit is served
};

} // namespace

TrainingMemory trainingMemory(const Run &run, double optimizerValues) {
    TrainingMemory memory;
    memory.parameterBytes = static_cast<double>(run.scenario.job->parameterBytes());
    const bool areWhole = keepsParameters(run);
    for (const SyncUnit &unit : run.graph.units)
        if (!isServed(unit)) {
            memory.optimizerBytes += optimizerValues * valueBytes(unit) / unit.updaters;
            if (unit.shards > 1 && !areWhole)
                memory.parameterBytes -= unit.sizeBytes * (1 - 1.0 / unit.shards);
        }
    const auto [from, to] = iterationWindow(run);
    MemoryReader reader(run, {static_cast<double>(from) * 1e-9, static_cast<double>(to) * 1e-9});
    memory.bufferBytes = reader.deviceBytes();
    memory.serverBytes = reader.serverBytes(optimizerValues);
    return memory;
}

std::string trainingMemoryAssumption() {
    return "Peak memory is that of the device that needs most: parameters, two values of optimiser state (Adam) for each that it "
           "updates itself, gradients until they are applied or sent to their server, and buckets, compressed and gathered "
           "gradients while they are under way; sharded tensors count as one shard, and whole while they are gathered; where the "
           "policy keeps parameters whole, only the optimiser state is sharded (in DeepSpeed's stage 2 reduced gradients, too); "
           "without activations and the working memory of ops and libraries.";
}

} // namespace syncopate
