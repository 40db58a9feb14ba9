// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/picture_file.h"

#include <QPointer>

class QWidget;

namespace syncopate::ui {

class Theme;

/// What a widget shows, as a picture of its present size. Plots within it stay vectors where the target takes them. Another
/// theme than the present one is put on it for the moment of drawing, before anything reaches the screen. GUI thread only.
[[nodiscard]] Picture pictureOfWidget(QWidget &widget, Theme &theme, const QString &title);

} // namespace syncopate::ui
