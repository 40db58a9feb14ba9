// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>

namespace syncopate::ui {

/// Lanes, rulers, plots and boxes are laid out in pixels, so their texts are sized in pixels, too.
[[nodiscard]] inline QFont fontOfPixels(const QFont &base, int pixels, bool bold = false) {
    QFont font = base;
    font.setPixelSize(pixels);
    font.setBold(bold);
    return font;
}

} // namespace syncopate::ui
