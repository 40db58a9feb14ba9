// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QLabel;

namespace syncopate::ui {

/// A label that wraps to the available width and whose text can be copied. `name`: for screen readers.
[[nodiscard]] QLabel *figureLine(const QString &name);

} // namespace syncopate::ui
