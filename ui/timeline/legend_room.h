// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFontMetrics>
#include <QString>
#include <QStringList>

namespace syncopate::ui {

/// How many of a legend's names have room, each `around` pixels wider than its text, and the text that counts the others.
struct LegendRoom {
    qsizetype names = 0;
    QString rest; ///< "+2"; empty: all have room
    int width = 0;
};
[[nodiscard]] LegendRoom fitLegend(const QFontMetrics &metrics, const QStringList &names, int around, int width);

} // namespace syncopate::ui
