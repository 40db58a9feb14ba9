// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/elided_label.h"

namespace syncopate::ui {

inline constexpr int maxFigureLines = 4; ///< of a figure line; a low panel of runs allows one

/// A label that wraps to the available width, to at most maxFigureLines lines, after which its text is elided. The text can be
/// copied. `name`: for screen readers, which say it before the text.
[[nodiscard]] ElidedLabel *figureLine(const QString &name);

} // namespace syncopate::ui
