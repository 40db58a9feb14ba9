// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/plain_text.h"

#include <QString>

namespace syncopate::ui {

/// A QSpinBox or QDoubleSpinBox with its name for screen readers and its tooltip. `unset` is shown for the smallest value. A
/// number takes effect when editing ends, not with every digit.
template <class Box, class Number> [[nodiscard]] Box *numberBox(Number min, Number max, Number value, const QString &name,
                                                                const QString &toolTip, const QString &unset = {}) {
    auto *box = new Box;
    box->setRange(min, max);
    box->setValue(value);
    box->setSpecialValueText(unset);
    box->setKeyboardTracking(false);
    box->setAccessibleName(name);
    box->setToolTip(plainTip(toolTip));
    box->setMinimumWidth(64);
    return box;
}

} // namespace syncopate::ui
