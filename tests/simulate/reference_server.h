// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A second, plain simulation of workers around one parameter server, in the manner of Algorithm 3.1 of the async-SGD paper: one
// transfer at a time per worker and direction, the server's link shared equally among the workers that use it. No task graph, no
// queues, no fluid solver; slow and small. Tests compare the engine with it.

#include "tests/scenarios.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <vector>

namespace syncopate::testing {

struct ReferenceServer {
    std::vector<LayerSpec> layers;
    std::vector<double> scales; ///< one worker each
    double bytesPerSecond = 1;  ///< of the server's link and of every worker's
    std::int64_t staleness = 0; ///< huge = asynchronous
    bool barrier = false;
    std::vector<std::int32_t> iterations; ///< per worker

    /// [worker][iteration]: when its first forward starts.
    std::vector<std::vector<double>> starts() {
        const auto count = static_cast<std::int64_t>(layers.size());
        std::vector<Worker> workers(scales.size());
        for (Worker &w : workers)
            w.values.assign(layers.size(), 0);
        const std::int32_t most = *std::max_element(iterations.begin(), iterations.end());
        std::vector<std::vector<std::size_t>> arrived(static_cast<std::size_t>(most), std::vector<std::size_t>(layers.size(), 0));
        std::vector<std::vector<double>> begun(scales.size());
        double now = 0;
        for (;;) {
            for (std::size_t i = 0; i < workers.size(); ++i) {
                Worker &w = workers[i];
                if (w.busy >= 0 || w.iteration >= iterations[i])
                    continue;
                const auto layer = w.position < count ? w.position : 2 * count - 1 - w.position;
                const bool forward = w.position < count;
                bool ready = true;
                for (std::int64_t l = 0; l < count && forward; ++l)
                    if ((barrier || l == layer) && layers[static_cast<std::size_t>(l)].elements > 0)
                        ready = ready && w.values[static_cast<std::size_t>(l)] >= w.iteration;
                if (!ready)
                    continue;
                if (w.position == 0)
                    begun[i].push_back(now);
                const LayerSpec &spec = layers[static_cast<std::size_t>(layer)];
                w.busy = (forward ? spec.forwardSeconds : spec.backwardSeconds) / scales[i];
            }
            double up = 0, down = 0, step = std::numeric_limits<double>::infinity();
            for (const Worker &w : workers) {
                up += w.uplink.empty() ? 0 : 1;
                down += w.downlink.empty() ? 0 : 1;
            }
            for (const Worker &w : workers) {
                if (w.busy >= 0)
                    step = std::min(step, w.busy);
                if (!w.uplink.empty())
                    step = std::min(step, w.uplink.front().bytes * up / bytesPerSecond);
                if (!w.downlink.empty())
                    step = std::min(step, w.downlink.front().bytes * down / bytesPerSecond);
            }
            if (step == std::numeric_limits<double>::infinity())
                return begun;
            now += step;
            for (std::size_t i = 0; i < workers.size(); ++i) {
                Worker &w = workers[i];
                if (w.busy >= 0 && (w.busy -= step) < 1e-12) {
                    w.busy = -1;
                    const auto layer = w.position < count ? w.position : 2 * count - 1 - w.position;
                    if (w.position >= count && layers[static_cast<std::size_t>(layer)].elements > 0)
                        w.fresh.push_back({layer, w.iteration, bytesOf(layer)});
                    if (++w.position == 2 * count) {
                        w.position = 0;
                        ++w.iteration;
                    }
                }
                if (!w.uplink.empty() && (w.uplink.front().bytes -= step * bytesPerSecond / up) < 1e-6) {
                    const Message m = w.uplink.front();
                    w.uplink.pop_front();
                    ++arrived[static_cast<std::size_t>(m.iteration)][static_cast<std::size_t>(m.layer)];
                    w.waiting.push_back({m.layer, m.iteration, bytesOf(m.layer)});
                }
                if (!w.downlink.empty() && (w.downlink.front().bytes -= step * bytesPerSecond / down) < 1e-6) {
                    w.values[static_cast<std::size_t>(w.downlink.front().layer)] = w.downlink.front().iteration + 1;
                    w.downlink.pop_front();
                }
            }
            for (Worker &w : workers) {
                w.uplink.insert(w.uplink.end(), w.fresh.begin(), w.fresh.end());
                w.fresh.clear();
                for (auto m = w.waiting.begin(); m != w.waiting.end();) {
                    const std::int64_t needed = m->iteration - staleness;
                    const bool answered =
                        needed < 0 ||
                        arrived[static_cast<std::size_t>(needed)][static_cast<std::size_t>(m->layer)] == workers.size();
                    if (answered)
                        w.downlink.push_back(*m);
                    m = answered ? w.waiting.erase(m) : m + 1;
                }
            }
        }
    }

private:
    struct Message {
        std::int64_t layer, iteration;
        double bytes;
    };
    struct Worker {
        std::int64_t iteration = 0, position = 0;
        double busy = -1;                 ///< seconds left of the running op
        std::vector<std::int64_t> values; ///< per layer: the iteration that its value is for
        std::deque<Message> uplink, downlink, waiting, fresh;
    };
    double bytesOf(std::int64_t layer) const {
        return 4.0 * static_cast<double>(layers[static_cast<std::size_t>(layer)].elements);
    }
};

} // namespace syncopate::testing
