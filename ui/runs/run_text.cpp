// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_text.h"

#include "ui/theme/format.h"

#include <cmath>

namespace syncopate::ui {

QString samplesText(double samplesPerSecond) { return QString::number(samplesPerSecond, 'f', samplesPerSecond < 100 ? 1 : 0); }

QString percentText(double share) {
    const double percent = 100 * share;
    return QStringLiteral("%1 %").arg(percent, 0, 'f', percent < 99.95 ? 1 : 0);
}

QString changeText(double share) {
    constexpr double shown = 0.0005; // rounds to 0.1 %
    return std::abs(share) < shown ? QStringLiteral("0") : signedText(share, percentText(std::abs(share)));
}

FilterField::Kind filterKindOf(Unit unit) {
    return unit == Unit::Seconds ? FilterField::Kind::Seconds
           : unit == Unit::Bytes ? FilterField::Kind::Bytes
                                 : FilterField::Kind::Number;
}

} // namespace syncopate::ui
