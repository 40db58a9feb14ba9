// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/format.h"

#include "engine/base/units.h"

#include <cmath>

namespace syncopate::ui {

QString secondsText(double seconds) {
    return seconds == 0 ? QStringLiteral("0") : QString::fromStdString(formatSeconds(seconds));
}
QString bytesText(double bytes) { return QString::fromStdString(formatBytes(bytes)); }

QString figureText(double value) {
    return std::abs(value) < 9999.5 ? QString::number(value, 'g', 4) : QString::number(value, 'f', 0);
}

QString savingText(double seconds) {
    if (std::abs(seconds) < 1e-9)
        return QStringLiteral("0");
    return seconds > 0 ? secondsText(seconds) : signedText(seconds, secondsText(-seconds));
}

QString signedText(double value, const QString &digits) {
    return (value < 0 ? QString(QChar(0x2212)) : QStringLiteral("+")) + digits;
}

bool sameSeconds(double from, double to) { return std::isnan(to - from) || readTheSame(from, to); }

QString secondsDeltaText(double from, double to) {
    const double delta = to - from;
    if (sameSeconds(from, to))
        return QStringLiteral("0");
    QString text = (delta < 0 ? QStringLiteral("▼ ") : QStringLiteral("▲ ")) + signedText(delta, secondsText(std::abs(delta)));
    if (from > 0) {
        const double percent = std::abs(100 * delta / from);
        text += percent < 0.05 ? QStringLiteral(" (less than 0.1 %)")
                               : QStringLiteral(" (%1 %)").arg(signedText(delta, QString::number(percent, 'f', 1)));
    }
    return text;
}

} // namespace syncopate::ui
