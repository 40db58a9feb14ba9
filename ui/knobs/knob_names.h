// SPDX-License-Identifier: GPL-3.0-or-later
// The engine names dimensions in English, which command line and files show. Names in the explorer's language come from a table
// of these names for translators; a dimension that is not in it is shown in English, and tests/ui/tst_translation.cpp fails.
#pragma once

#include <QString>

namespace syncopate {
struct Dimension;
}

namespace syncopate::ui {

/// "Bandwidth".
[[nodiscard]] QString knobName(const Dimension &dimension);
/// Definition, with the unit where it is not obvious, and the policies that have it.
[[nodiscard]] QString knobDescription(const Dimension &dimension);

} // namespace syncopate::ui
