// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QCPAxis;
class QCustomPlot;

namespace syncopate::ui {

class Theme;

/// Gives a plot the theme's colours, the explorer's font sizes and thin grid lines. Call again when the theme changes.
void stylePlot(QCustomPlot &plot, const Theme &theme);

/// Whether the numbers along a horizontal axis are separated by at least a digit's width.
[[nodiscard]] bool standApart(const QCPAxis &axis);
/// Limits the ticks of a horizontal axis to as many numbers as stand apart.
void fitNumbersBeside(QCPAxis &axis);

/// Replots soon or, while the plot is hidden or behind another tab, when it next becomes visible.
void replotWhenSeen(QCustomPlot &plot);

} // namespace syncopate::ui
