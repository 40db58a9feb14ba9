// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/screen_fit.h"

#include <QScreen>
#include <QWidget>

namespace syncopate::ui {

QSize withinScreen(QSize wanted, QSize available) {
    constexpr QSize frame(2, 40); // not known before the window is shown
    return wanted.boundedTo(available - frame);
}

void resizeWithinScreen(QWidget &window, QSize wanted) {
    const QWidget &shown = window.parentWidget() ? *window.parentWidget() : window;
    window.resize(withinScreen(wanted, shown.screen()->availableSize()));
}

} // namespace syncopate::ui
