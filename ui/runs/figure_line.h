// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QLabel;

namespace syncopate::ui {

/// A text that takes the width there is, in several lines if need be, and can be copied. `name`: for screen readers.
[[nodiscard]] QLabel *figureLine(const QString &name);

} // namespace syncopate::ui
