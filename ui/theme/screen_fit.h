// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>

class QWidget;

namespace syncopate::ui {

/// `wanted`, but no more than a screen with `available` pixels has room for beside a window's frame.
[[nodiscard]] QSize withinScreen(QSize wanted, QSize available);

/// Gives a window that is not shown yet the size `wanted`, or as much of it as its parent's screen has room for: at scale 2, a
/// screen of 1920x1080 has 960x540 of a widget's pixels.
void resizeWithinScreen(QWidget &window, QSize wanted);

} // namespace syncopate::ui
