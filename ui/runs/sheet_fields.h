// SPDX-License-Identifier: GPL-3.0-or-later
// Fields that the sheets of presets have in common.
#pragma once

#include <QString>

class QLabel;
class QSpinBox;

namespace syncopate::ui {

/// A box for a whole number, narrow enough for two in a row.
[[nodiscard]] QSpinBox *numberBox(int min, int max, int value, const QString &name, const QString &toolTip);

/// A text that takes the width there is, in several lines if need be.
[[nodiscard]] QLabel *figureLine(const QString &name);

} // namespace syncopate::ui
