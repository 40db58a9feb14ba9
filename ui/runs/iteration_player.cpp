// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/iteration_player.h"

#include <utility>

namespace syncopate::ui {

IterationPlayer::IterationPlayer(QObject *parent) : QObject(parent) {
    m_timer.setInterval(33);
    connect(&m_timer, &QTimer::timeout, this, [this] { advance(static_cast<double>(m_clock.restart()) / 1000); });
}

void IterationPlayer::setRun(std::shared_ptr<const ConditionsRun> run) {
    pause();
    m_run = std::move(run);
    setIteration(0);
}

void IterationPlayer::setIteration(std::size_t iteration) {
    m_iteration = iteration;
    m_since = 0;
}

double IterationPlayer::secondsOf(std::size_t iteration) const {
    const RetuningArm &arm = m_run->arms[m_arm];
    const double end = iteration + 1 < arm.steps.size() ? arm.steps[iteration + 1].startSeconds : arm.totalSeconds;
    return end - arm.steps[iteration].startSeconds;
}

void IterationPlayer::play() {
    if (!m_run || !m_run->hasArms() || isPlaying())
        return;
    if (m_iteration + 1 >= m_run->iterations()) {
        setIteration(0);
        Q_EMIT moved(0);
    }
    m_clock.start();
    m_timer.start();
    Q_EMIT playingChanged(true);
}

void IterationPlayer::pause() {
    if (!isPlaying())
        return;
    m_timer.stop();
    Q_EMIT playingChanged(false);
}

void IterationPlayer::advance(double seconds) {
    if (!m_run || !m_run->hasArms())
        return;
    const std::size_t before = m_iteration, last = m_run->iterations() - 1;
    m_since += seconds / wholeSeconds * m_run->arms[m_arm].totalSeconds;
    for (; m_iteration < last && m_since >= secondsOf(m_iteration); ++m_iteration)
        m_since -= secondsOf(m_iteration);
    if (m_iteration != before)
        Q_EMIT moved(m_iteration);
    if (m_iteration == last)
        pause();
}

} // namespace syncopate::ui
