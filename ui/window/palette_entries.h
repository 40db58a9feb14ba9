// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/session.h"
#include "ui/window/command_palette.h"

#include <vector>

class QMenuBar;

namespace syncopate::ui {

class Panels;
class Panes;

/// All entries of a window's palette: the actions of its menus, the catalogue's jobs and clusters, the knobs, the strategies and
/// policies that each side can have, kept scenarios, the job's variables, the lanes of both panes.
[[nodiscard]] std::vector<PaletteEntry> paletteEntries(const QMenuBar &menus, Session &session, Panels &panels, Panes &panes);

} // namespace syncopate::ui
