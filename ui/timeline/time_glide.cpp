// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/time_glide.h"

#include "ui/theme/motion.h"

#include <cmath>

namespace syncopate::ui {

TimeGlide::TimeGlide(std::function<void(Range)> show) : m_show(std::move(show)) {
    m_animation.setStartValue(0.0);
    m_animation.setEndValue(1.0);
    m_animation.setEasingCurve(QEasingCurve::OutCubic);
    QObject::connect(&m_animation, &QVariantAnimation::valueChanged, &m_animation, [this](const QVariant &share) {
        if (isRunning()) // setting the animation's time to its start emits this, too
            m_show(between(m_from, m_target, share.toDouble()));
    });
}

void TimeGlide::start(Range from, Range target) {
    m_animation.stop();
    m_from = from;
    m_target = target;
    const int milliseconds = motionMilliseconds();
    if (milliseconds == 0 || from == target) {
        m_show(target);
        return;
    }
    m_animation.setDuration(milliseconds);
    m_animation.start();
}

void TimeGlide::stop() { m_animation.stop(); }

void TimeGlide::finish() {
    if (!isRunning())
        return;
    m_animation.stop();
    m_show(m_target);
}

TimeGlide::Range TimeGlide::between(Range from, Range to, double share) {
    if (share >= 1)
        return to;
    const double wide = from.second - from.first, target = to.second - to.first;
    const bool zooms = wide > 0 && target > 0 && std::abs(target - wide) > 1e-6 * wide;
    // Both ends move along straight lines, so one time stays in place; their speed makes widths change geometrically.
    const double along = zooms ? wide * (std::pow(target / wide, share) - 1) / (target - wide) : share;
    return {from.first + (to.first - from.first) * along, from.second + (to.second - from.second) * along};
}

} // namespace syncopate::ui
