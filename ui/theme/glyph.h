// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QString>

namespace syncopate::ui {

class Theme;

/// The drawing resources/icons/NAME.svg as an icon in the theme's text colour, dimmed if disabled, at any size and scale. It
/// follows the theme, which must outlive everything painted with it. Null if there is no such drawing.
[[nodiscard]] QIcon glyph(const Theme &theme, const QString &name);

} // namespace syncopate::ui
