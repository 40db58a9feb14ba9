// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/elided_label.h"

namespace syncopate::ui {

inline constexpr int figureLines = 4; ///< at most, of a figure line; in a low panel one

/// A label that wraps to the available width and whose text can be copied. `name`: for screen readers.
[[nodiscard]] ElidedLabel *figureLine(const QString &name);

} // namespace syncopate::ui
