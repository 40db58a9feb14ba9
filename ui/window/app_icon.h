// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>

namespace syncopate::ui {

/// The icon of resources/syncopate.svg, three lanes off the beat, drawn without an image plugin.
[[nodiscard]] QIcon appIcon();

} // namespace syncopate::ui
