// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/plain_text.h"

#include <QLocale>
#include <QSpinBox>
#include <QString>
#include <algorithm>

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

/// Makes a box wide enough for this value with its prefix and suffix; all of its range would often be far too wide.
inline void fitNumber(QSpinBox &box, int value) {
    const QFontMetrics metrics = box.fontMetrics();
    QLocale digits = box.locale();
    if (!box.isGroupSeparatorShown())
        digits.setNumberOptions(digits.numberOptions() | QLocale::OmitGroupSeparator);
    const auto width = [&](int number) {
        return metrics.horizontalAdvance(box.prefix() + digits.toString(number) + box.suffix());
    };
    const int special = metrics.horizontalAdvance(box.specialValueText());
    const int longest = std::max({width(box.minimum()), width(box.maximum()), special});
    // Unlike the minimum, the hint counts the suffix.
    box.setMinimumWidth(box.sizeHint().width() - longest + std::max(special, width(value)));
}

} // namespace syncopate::ui
