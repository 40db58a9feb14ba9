// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>

namespace syncopate::ui {

/// The icon of resources/syncopate.svg, drawn: two lanes off the beat. No image plugin needed.
[[nodiscard]] QIcon appIcon();

} // namespace syncopate::ui
