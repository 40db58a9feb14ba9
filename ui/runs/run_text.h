// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cost/meta_origin.h"
#include "engine/space/dimension.h"
#include "ui/tables/filter_expression.h"

#include <QString>

namespace syncopate::ui {

[[nodiscard]] QString samplesText(double samplesPerSecond); ///< "570", "34.6", "0.0412"
[[nodiscard]] QString percentText(double share);            ///< "3.1 %", "219 %"
[[nodiscard]] QString changeText(double share);             ///< "−3.1 %", "+219 %", "0"
inline constexpr double shownChange = 0.0005;               ///< the smallest share that is not shown as 0: rounds to 0.1 %

/// A meta-network's origin and its errors on conditions and models that it had not seen, in lines.
[[nodiscard]] QString networkText(const MetaOrigin &origin);

/// How filters parse values of this unit.
[[nodiscard]] FilterField::Kind filterKindOf(Unit unit);

} // namespace syncopate::ui
