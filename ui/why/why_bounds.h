// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analyze/explain.h"
#include "ui/why/analyst.h"

#include <QString>

namespace syncopate::ui {

/// The bounds below what is explained, and what could be gained, as a sentence; and what each bound means.
struct BoundsText {
    QString sentence, toolTip;
};
[[nodiscard]] BoundsText boundsText(const WhyAnswer &answer);

} // namespace syncopate::ui
