// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analyze/explain.h"
#include "ui/why/analyst.h"

#include <QString>

namespace syncopate::ui {

/// The bounds of the explained time and the possible gain, as a sentence; and the meaning of each bound.
struct BoundsText {
    QString sentence, toolTip;
};
[[nodiscard]] BoundsText boundsText(const WhyAnswer &answer);

} // namespace syncopate::ui
