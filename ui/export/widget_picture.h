// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/picture_file.h"

#include <QPointer>

class QWidget;

namespace syncopate::ui {

class Theme;

/// A widget as a picture of its present size. Plots in it stay vectors where the target supports them. If another theme is asked
/// for, the widget has it only while it is drawn, and no repaint reaches the screen. GUI thread only.
[[nodiscard]] Picture pictureOfWidget(QWidget &widget, Theme &theme, const QString &title);

} // namespace syncopate::ui
