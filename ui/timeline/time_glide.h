// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVariantAnimation>
#include <functional>
#include <utility>

namespace syncopate::ui {

/// Animates a time window to another, if animations are enabled (motionMilliseconds()), else jumps. Steps follow the clock: slow
/// frames reduce their number, but do not prolong the animation.
class TimeGlide final {
public:
    using Range = std::pair<double, double>;
    /// `show` receives the windows to show, the last of them being the target itself.
    explicit TimeGlide(std::function<void(Range)> show);

    void start(Range from, Range target);
    void stop();   ///< at the present window
    void finish(); ///< at its target
    [[nodiscard]] bool isRunning() const { return m_animation.state() != QAbstractAnimation::Stopped; }
    [[nodiscard]] Range target() const { return m_target; }
    /// Its animation, for tests.
    [[nodiscard]] QVariantAnimation &animation() { return m_animation; }

    /// A window between two, at `share` of the way. Widths change geometrically, so that zooming has constant speed, and a time
    /// that has the same position in both windows keeps it throughout.
    [[nodiscard]] static Range between(Range from, Range to, double share);

private:
    std::function<void(Range)> m_show;
    Range m_from, m_target;
    QVariantAnimation m_animation;
};

} // namespace syncopate::ui
