// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/sweeper.h"

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

/// All cells of a grid, the coarse grids before the finer ones.
std::vector<std::pair<std::size_t, std::size_t>> coarseToFine(std::size_t columns, std::size_t rows) {
    const auto x = coarseToFine(columns), y = coarseToFine(rows);
    std::vector<std::pair<std::size_t, std::size_t>> ranks; // of columns and rows
    for (std::size_t i = 0; i < columns; ++i)
        for (std::size_t j = 0; j < rows; ++j)
            ranks.emplace_back(i, j);
    std::stable_sort(ranks.begin(), ranks.end(),
                     [](const auto &a, const auto &b) { return std::max(a.first, a.second) < std::max(b.first, b.second); });
    for (auto &[i, j] : ranks) {
        i = x[i];
        j = y[j];
    }
    return ranks;
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

SweepAxis mapAxis(std::size_t binding, int count) {
    const KnobInfo info = knobBindings()[binding].info;
    if (!info.integer || !info.logarithmic)
        return sweepAxis(binding, count);
    SweepAxis axis{binding, {}};
    axis.values.push_back(info.least);
    while (axis.values.back() * 2 <= info.most)
        axis.values.push_back(axis.values.back() * 2);
    return axis;
}

void Sweeper::start(const SessionState &state, const SweepAxis &x, const std::optional<SweepAxis> &y, Side first) {
    const std::uint64_t generation = ++m_generation;
    m_worker.post([this, generation, state, x, y, first](const std::stop_token &stop) {
        Sweep sweep{state, x, y, {}, 0};
        const std::size_t rows = y ? y->values.size() : 1;
        std::vector<Side> sides{first};
        if (state.compare)
            sides.push_back(first == Side::A ? Side::B : Side::A);
        for (const Side side : sides)
            sweep.points[indexOf(side)].resize(sweep.size());
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
        const auto simulateAt = [&](std::size_t i, std::size_t j, Side side) {
            SessionState at = state;
            knobs[x.binding].set(at, x.values[i]);
            if (y)
                knobs[y->binding].set(at, y->values[j]);
            sweep.points[indexOf(side)][i * rows + j] = simulatePoint(at, side, stop);
            ++sweep.done;
            if (std::chrono::steady_clock::now() - last > std::chrono::milliseconds(50))
                report();
        };
        const auto order = coarseToFine(x.values.size(), rows);
        // A curve grows on both sides at once; a map shows one side, so that one comes first.
        if (y) {
            for (const Side side : sides)
                for (const auto &[i, j] : order) {
                    simulateAt(i, j, side);
                    if (stop.stop_requested())
                        return;
                }
        } else {
            for (const auto &[i, j] : order)
                for (const Side side : sides) {
                    simulateAt(i, j, side);
                    if (stop.stop_requested())
                        return;
                }
        }
        report();
    });
}

void Sweeper::cancel() {
    ++m_generation;
    m_worker.cancel();
}

} // namespace syncopate::ui
