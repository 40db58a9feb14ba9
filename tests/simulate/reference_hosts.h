// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A second, plain simulation of synchronous workers around one dedicated parameter server, with limited connections and hosts
// that take turns. Written from docs/cluster-file.md: no task graph, no folding, no fluid solver, no queues of the engine. It
// steps from each end of an op or transfer to the next, and fills links by raising all rates together. Tests compare the engine
// with it.

#include "tests/scenarios.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

namespace syncopate::testing {

class ReferenceHosts {
public:
    /// The last node of the cluster serves every variable; the others train, one device each.
    ReferenceHosts(std::vector<LayerSpec> layers, Cluster cluster, int connections, bool ownConnections, bool barrier,
                   std::int32_t iterations)
        : m_layers(std::move(layers)), m_cluster(std::move(cluster)), m_barrier(barrier), m_iterations(iterations),
          m_workers(m_cluster.nodes.size() - 1) {
        const int width = ownConnections ? std::numeric_limits<int>::max() : connections;
        for (std::size_t w = 0; w < m_workers; ++w)
            m_sides.push_back({Turns{m_cluster.host.threads},
                               Turns{width},
                               Turns{width},
                               0,
                               0,
                               -1,
                               std::vector<std::int32_t>(m_layers.size(), 0),
                               {}});
        m_server.free = m_cluster.host.threads;
    }

    /// [worker][iteration]: when its first forward starts.
    std::vector<std::vector<double>> starts() {
        for (std::size_t w = 0; w < m_workers; ++w)
            compute(w);
        while (!m_timed.empty() || !m_flows.empty())
            step();
        std::vector<std::vector<double>> all;
        for (const Side &side : m_sides)
            all.push_back(side.starts);
        return all;
    }

private:
    using Done = std::function<void()>;
    /// A serial resource of several threads or connections: first come, first served.
    struct Turns {
        int free = 1;
        std::deque<Done> waiting{};
    };
    struct Side {
        Turns host, push, pull;
        std::int32_t iteration = 0;
        std::size_t position = 0;         ///< of its pass: forward layers up, then backward layers down
        std::ptrdiff_t busy = -1;         ///< the position that it computes
        std::vector<std::int32_t> values; ///< per layer: iterations whose value has arrived
        std::vector<double> starts;
    };
    struct Timed {
        double end;
        std::int64_t number;
        Done done;
    };
    struct Flow {
        std::size_t worker;
        bool up;
        double bytes, rate;
        Done done;
    };

    void after(double seconds, Done done) { m_timed.push_back({m_now + seconds, m_number++, std::move(done)}); }
    static void take(Turns &turns, Done begin) {
        if (turns.free > 0) {
            --turns.free;
            begin();
        } else {
            turns.waiting.push_back(std::move(begin));
        }
    }
    static void giveBack(Turns &turns) {
        if (turns.waiting.empty()) {
            ++turns.free;
            return;
        }
        const Done next = std::move(turns.waiting.front());
        turns.waiting.pop_front();
        next();
    }
    void work(Turns &turns, double seconds, Done done) {
        if (!(seconds > 0)) {
            done();
            return;
        }
        take(turns, [this, &turns, seconds, done = std::move(done)] {
            after(seconds, [&turns, done] {
                giveBack(turns);
                done();
            });
        });
    }
    /// A message on a connection, which is free again when the last byte has left.
    void send(std::size_t worker, bool up, double bytes, Done done) {
        Turns &turns = up ? m_sides[worker].push : m_sides[worker].pull;
        take(turns, [this, &turns, worker, up, bytes, done = std::move(done)] {
            after(m_cluster.messageSeconds, [this, &turns, worker, up, bytes, done] {
                m_flows.push_back({worker, up, bytes, 0, [this, &turns, done] {
                                       giveBack(turns);
                                       after(m_cluster.latencySeconds, done);
                                   }});
            });
        });
    }

    double bytesOf(std::size_t layer) const { return 4.0 * static_cast<double>(m_layers[layer].elements); }

    void compute(std::size_t w) {
        Side &side = m_sides[w];
        const std::size_t count = m_layers.size();
        if (side.busy >= 0 || side.iteration >= m_iterations)
            return;
        const bool forward = side.position < count;
        const std::size_t layer = forward ? side.position : 2 * count - 1 - side.position;
        for (std::size_t l = 0; l < count && forward; ++l)
            if ((m_barrier || l == layer) && m_layers[l].elements > 0 && side.values[l] < side.iteration)
                return;
        if (side.position == 0)
            side.starts.push_back(m_now);
        side.busy = static_cast<std::ptrdiff_t>(side.position);
        const double seconds = forward ? m_layers[layer].forwardSeconds : m_layers[layer].backwardSeconds;
        after(seconds / m_cluster.nodes[w].computeScale, [this, w, layer, forward, count] {
            Side &own = m_sides[w];
            own.busy = -1;
            const std::int32_t iteration = own.iteration;
            if (++own.position == 2 * count) {
                own.position = 0;
                ++own.iteration;
            }
            if (!forward && m_layers[layer].elements > 0)
                pushGradient(w, layer, iteration);
            compute(w);
        });
    }

    void pushGradient(std::size_t w, std::size_t layer, std::int32_t iteration) {
        const HostCosts &host = m_cluster.host;
        const double bytes = bytesOf(layer);
        work(m_sides[w].host, host.sendSeconds + host.sendSecondsPerByte * bytes, [this, w, layer, iteration, bytes] {
            send(w, true, bytes, [this, layer, iteration, bytes] {
                const HostCosts &costs = m_cluster.host;
                work(m_server, costs.receiveSeconds + (costs.receiveSecondsPerByte + costs.aggregateSecondsPerByte) * bytes,
                     [this, layer, iteration] { arrive(layer, iteration); });
            });
        });
    }

    void arrive(std::size_t layer, std::int32_t iteration) {
        m_arrived.resize(static_cast<std::size_t>(m_iterations) * m_layers.size(), 0);
        if (++m_arrived[static_cast<std::size_t>(iteration) * m_layers.size() + layer] < m_workers)
            return;
        const HostCosts &host = m_cluster.host;
        work(m_server, host.variableSeconds + host.updateSecondsPerByte * bytesOf(layer), [this, layer] {
            for (std::size_t w = 0; w < m_workers; ++w)
                answer(w, layer);
        });
    }

    void answer(std::size_t w, std::size_t layer) {
        const HostCosts &host = m_cluster.host;
        const double bytes = bytesOf(layer);
        work(m_server, host.sendSeconds + host.sendSecondsPerByte * bytes, [this, w, layer, bytes] {
            send(w, false, bytes, [this, w, layer, bytes] {
                const HostCosts &costs = m_cluster.host;
                work(m_sides[w].host, costs.receiveSeconds + costs.receiveSecondsPerByte * bytes, [this, w, layer] {
                    ++m_sides[w].values[layer];
                    compute(w);
                });
            });
        });
    }

    /// Raises the rates of all flows together; a flow stops rising at its connection's limit or when a link of its own is full.
    void fillLinks() {
        const auto efficiency = m_cluster.linkEfficiency;
        const double limit = m_cluster.connectionBytesPerSecond * efficiency;
        std::vector<bool> rises(m_flows.size(), true);
        for (Flow &flow : m_flows)
            flow.rate = 0;
        const auto nic = [&](std::size_t node) { return m_cluster.nodes[node].bandwidthBytesPerSecond * efficiency; };
        for (;;) {
            double more = std::numeric_limits<double>::infinity();
            // Links: of each worker and of the server, up and down.
            for (std::size_t node = 0; node <= m_workers; ++node)
                for (const bool up : {true, false}) {
                    double used = 0, rising = 0;
                    for (std::size_t f = 0; f < m_flows.size(); ++f)
                        if (m_flows[f].up == up && (node == m_workers || m_flows[f].worker == node)) {
                            used += m_flows[f].rate;
                            rising += rises[f] ? 1 : 0;
                        }
                    if (rising > 0)
                        more = std::min(more, (nic(node) - used) / rising);
                }
            for (std::size_t f = 0; f < m_flows.size(); ++f)
                if (rises[f])
                    more = std::min(more, limit - m_flows[f].rate);
            if (!(more < std::numeric_limits<double>::infinity()))
                return;
            for (std::size_t f = 0; f < m_flows.size(); ++f)
                if (rises[f])
                    m_flows[f].rate += more;
            const double rounding = 1e-9 * nic(m_workers);
            for (std::size_t node = 0; node <= m_workers; ++node)
                for (const bool up : {true, false}) {
                    double used = 0;
                    for (const Flow &flow : m_flows)
                        used += flow.up == up && (node == m_workers || flow.worker == node) ? flow.rate : 0;
                    for (std::size_t f = 0; f < m_flows.size(); ++f)
                        if (m_flows[f].up == up && (node == m_workers || m_flows[f].worker == node) &&
                            used >= nic(node) - rounding)
                            rises[f] = false;
                }
            for (std::size_t f = 0; f < m_flows.size(); ++f)
                if (m_flows[f].rate >= limit - rounding)
                    rises[f] = false;
        }
    }

    void step() {
        fillLinks();
        double next = std::numeric_limits<double>::infinity();
        for (const Timed &timed : m_timed)
            next = std::min(next, timed.end);
        for (const Flow &flow : m_flows)
            next = std::min(next, m_now + flow.bytes / flow.rate);
        std::vector<Done> ended;
        for (Flow &flow : m_flows)
            flow.bytes -= flow.rate * (next - m_now);
        m_now = next;
        std::sort(m_timed.begin(), m_timed.end(), [](const Timed &a, const Timed &b) { return a.number < b.number; });
        for (auto timed = m_timed.begin(); timed != m_timed.end();) {
            const bool over = timed->end <= m_now + 1e-13;
            if (over)
                ended.push_back(std::move(timed->done));
            timed = over ? m_timed.erase(timed) : timed + 1;
        }
        for (auto flow = m_flows.begin(); flow != m_flows.end();) {
            const bool over = flow->bytes <= 1e-4;
            if (over)
                ended.push_back(std::move(flow->done));
            flow = over ? m_flows.erase(flow) : flow + 1;
        }
        for (const Done &done : ended)
            done();
    }

    std::vector<LayerSpec> m_layers;
    Cluster m_cluster;
    bool m_barrier;
    std::int32_t m_iterations;
    std::size_t m_workers;
    std::vector<Side> m_sides;
    Turns m_server;
    std::vector<std::size_t> m_arrived;
    std::deque<Timed> m_timed;
    std::vector<Flow> m_flows;
    std::int64_t m_number = 0;
    double m_now = 0;
};

} // namespace syncopate::testing
