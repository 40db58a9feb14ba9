// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QCustomPlot;

namespace syncopate::ui {

class Theme;

/// Gives a plot the theme's colours, the explorer's font sizes and thin grid lines. To be called again when the theme changes.
void stylePlot(QCustomPlot &plot, const Theme &theme);

/// Draws a plot again soon or, while it is hidden or behind another tab, when it is seen the next time.
void replotWhenSeen(QCustomPlot &plot);

} // namespace syncopate::ui
