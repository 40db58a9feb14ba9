// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/conditions_run.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <cstddef>
#include <memory>

namespace syncopate::ui {

/// Plays the iterations of one arm of a ConditionsRun as they were trained, only faster: all of them take wholeSeconds, each in
/// proportion to its time, including the change of setting before it.
class IterationPlayer final : public QObject {
    Q_OBJECT
public:
    static constexpr double wholeSeconds = 15;

    explicit IterationPlayer(QObject *parent = nullptr);

    /// Pauses at the first iteration; null: nothing to play.
    void setRun(std::shared_ptr<const ConditionsRun> run);
    /// From now on plays at the pace of that arm.
    void setArm(std::size_t arm) { m_arm = arm; }
    /// Continues from the start of that iteration.
    void setIteration(std::size_t iteration);
    [[nodiscard]] std::size_t iteration() const { return m_iteration; }

    /// Starts over from the first iteration if the end was reached.
    void play();
    void pause();
    [[nodiscard]] bool isPlaying() const { return m_timer.isActive(); }
    /// Advances by this much viewing time, and pauses at the end.
    void advance(double seconds);

Q_SIGNALS:
    void moved(std::size_t iteration);
    void playingChanged(bool playing);

private:
    /// Training time until the next iteration starts.
    [[nodiscard]] double secondsOf(std::size_t iteration) const;

    std::shared_ptr<const ConditionsRun> m_run;
    std::size_t m_arm = retunedArm, m_iteration = 0;
    double m_since = 0; ///< seconds of training since the iteration started
    QElapsedTimer m_clock;
    QTimer m_timer;
};

} // namespace syncopate::ui
