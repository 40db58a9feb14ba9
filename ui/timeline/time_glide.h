// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVariantAnimation>
#include <functional>
#include <utility>

namespace syncopate::ui {

/// Takes a window of time to another one through those between, where movements are wanted (motionMilliseconds()), else at once.
/// Steps are made by the clock: a slow picture makes them fewer, and none takes longer.
class TimeGlide final {
public:
    using Range = std::pair<double, double>;
    /// `show` is given the windows to show, the last of them the target itself.
    explicit TimeGlide(std::function<void(Range)> show);

    void start(Range from, Range target);
    void stop();   ///< where it is
    void finish(); ///< at its target
    [[nodiscard]] bool isRunning() const { return m_animation.state() != QAbstractAnimation::Stopped; }
    [[nodiscard]] Range target() const { return m_target; }
    /// Its clock, for tests.
    [[nodiscard]] QVariantAnimation &animation() { return m_animation; }

    /// A window between two, at `share` of the way. Widths change by equal factors, so that a zoom is equally fast all along, and
    /// the moment that keeps its place in both keeps it on the way.
    [[nodiscard]] static Range between(Range from, Range to, double share);

private:
    std::function<void(Range)> m_show;
    Range m_from, m_target;
    QVariantAnimation m_animation;
};

} // namespace syncopate::ui
