// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweeps/sweeper.h"

#include "engine/simulate/run.h"
#include "ui/knobs/knob_bindings.h"

#include <algorithm>
#include <cmath>

namespace syncopate::ui {

namespace {

/// 0, n/2, n/4, 3n/4, ...: every prefix covers the range evenly.
std::vector<std::size_t> coarseToFine(std::size_t count) {
    std::vector<std::size_t> order;
    std::vector<bool> taken(count, false);
    std::size_t step = 1;
    while (step < count)
        step *= 2;
    for (; step >= 1; step /= 2)
        for (std::size_t i = 0; i < count; i += step)
            if (!taken[i]) {
                taken[i] = true;
                order.push_back(i);
            }
    return order;
}

SweepPoint simulatePoint(const SessionState &state, Side side, const std::stop_token &stop) {
    const auto scenario = makeScenario(state, side);
    if (!scenario)
        return {};
    const auto run = simulate(*scenario, stop);
    return run ? SweepPoint{(*run)->iterationSeconds, (*run)->samplesPerSecond} : SweepPoint{};
}

} // namespace

SweepAxis sweepAxis(std::size_t binding, int count) {
    const KnobInfo info = knobBindings()[binding].info;
    SweepAxis axis{binding, {}};
    for (int i = 0; i < count; ++i) {
        const double share = count > 1 ? static_cast<double>(i) / (count - 1) : 0;
        double value = info.logarithmic && info.least > 0 ? info.least * std::pow(info.most / info.least, share)
                                                          : info.least + (info.most - info.least) * share;
        if (info.integer)
            value = std::round(value);
        if (axis.values.empty() || value > axis.values.back())
            axis.values.push_back(value);
    }
    return axis;
}

void Sweeper::start(const SessionState &state, const SweepAxis &x, const std::optional<SweepAxis> &y) {
    const std::uint64_t generation = ++m_generation;
    m_worker.post([this, generation, state, x, y](const std::stop_token &stop) {
        Sweep sweep{state, x, y, {}, 0};
        const std::size_t rows = y ? y->values.size() : 1;
        const std::size_t sides = state.compare ? 2 : 1;
        for (std::size_t s = 0; s < sides; ++s)
            sweep.points[s].resize(sweep.size());
        const std::vector<KnobBinding> knobs = knobBindings();
        auto last = std::chrono::steady_clock::now();
        const auto report = [&] {
            auto shared = std::make_shared<const Sweep>(sweep);
            QMetaObject::invokeMethod(
                this,
                [this, generation, shared = std::move(shared)] {
                    if (generation == m_generation)
                        Q_EMIT progressed(shared);
                },
                Qt::QueuedConnection);
            last = std::chrono::steady_clock::now();
        };
        for (const std::size_t i : coarseToFine(x.values.size()))
            for (const std::size_t j : coarseToFine(rows)) {
                SessionState at = state;
                knobs[x.binding].set(at, x.values[i]);
                if (y)
                    knobs[y->binding].set(at, y->values[j]);
                for (std::size_t s = 0; s < sides; ++s)
                    sweep.points[s][i * rows + j] = simulatePoint(at, static_cast<Side>(s), stop);
                if (stop.stop_requested())
                    return;
                ++sweep.done;
                if (std::chrono::steady_clock::now() - last > std::chrono::milliseconds(50))
                    report();
            }
        report();
    });
}

void Sweeper::cancel() {
    ++m_generation;
    m_worker.cancel();
}

} // namespace syncopate::ui
