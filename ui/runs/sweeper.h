// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analyze/sweep.h"
#include "engine/session/session_state.h"
#include "ui/tasks/background.h"

#include <QObject>
#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace syncopate::ui {

/// One knob, or a pair, swept with everything else as in `state`. Points are x-major: x * values of y + y.
struct Sweep {
    SessionState state;
    SweepAxis x;
    std::optional<SweepAxis> y;
    std::array<std::vector<SweepPoint>, 2> points; ///< per side; B's empty unless A and B are compared
    std::size_t done = 0;                          ///< of total(): simulations
    [[nodiscard]] std::size_t size() const { return x.values.size() * (y ? y->values.size() : 1); }
    [[nodiscard]] std::size_t total() const { return size() * (state.compare ? 2 : 1); }
    [[nodiscard]] bool isComplete() const { return done == total(); }
};

/// Simulates sweeps on a worker thread, coarse to fine, so that the shape is visible at once. A newer sweep replaces the one in
/// progress.
class Sweeper final : public QObject {
    Q_OBJECT
public:
    explicit Sweeper(QObject *parent = nullptr) : QObject(parent) {}

    /// Sweeps `first` before the other side (both, if the state compares).
    void start(const SessionState &state, const SweepAxis &x, const std::optional<SweepAxis> &y, Side first = Side::A);
    void cancel() { m_worker.cancel(); }

Q_SIGNALS:
    /// About 20 times a second, and at the end.
    void progressed(const std::shared_ptr<const syncopate::ui::Sweep> &sweep);

private:
    /// Last: ends before the members that it reports to are destroyed.
    Background<std::shared_ptr<const Sweep>> m_worker{
        this, [this](const std::shared_ptr<const Sweep> &sweep) { Q_EMIT progressed(sweep); }};
};

} // namespace syncopate::ui
