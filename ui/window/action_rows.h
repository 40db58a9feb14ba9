// SPDX-License-Identifier: GPL-3.0-or-later
// The table of actions of the explorer's window, by menu: names, keys, tooltips, effects and when they are disabled.
#pragma once

#include "ui/window/action_table.h"

#include <functional>
#include <vector>

namespace syncopate::ui {

class Exports;
class Files;
class MainWindow;
class Panels;
class Panes;
class Session;
class Theme;
class Tutorial;

/// The objects that actions operate on. Rows keep references to it, so it must outlive their actions.
struct WindowParts {
    MainWindow &window;
    Theme &theme;
    Session &session;
    Panes &panes;
    Panels &panels;
    Files &files;
    Exports &exports;
    Tutorial &tutorial;
    std::function<void()> find; ///< opens the search in the timelines
};

/// Why actions that need a job are unavailable; "" = they are available.
[[nodiscard]] QString whyNoJob(const Session &session);
/// Why actions that simulate are unavailable for a recording; "" = none is open.
[[nodiscard]] QString whyNotForRecordings(const Session &session);

[[nodiscard]] std::vector<ActionRow> openRows(const WindowParts &parts);
[[nodiscard]] std::vector<ActionRow> projectRows(const WindowParts &parts);
[[nodiscard]] std::vector<ActionRow> catalogueRows(const WindowParts &parts);
[[nodiscard]] std::vector<ActionRow> exportRows(const WindowParts &parts);
[[nodiscard]] std::vector<ActionRow> editRows(const WindowParts &parts);
[[nodiscard]] std::vector<ActionRow> viewRows(const WindowParts &parts);
[[nodiscard]] std::vector<ActionRow> perspectiveRows(const WindowParts &parts);
[[nodiscard]] std::vector<ActionRow> themeRows(const WindowParts &parts);
[[nodiscard]] std::vector<ActionRow> scaleRows(const WindowParts &parts);
[[nodiscard]] std::vector<ActionRow> laneRows(const WindowParts &parts);
[[nodiscard]] std::vector<ActionRow> compareRows(const WindowParts &parts);
[[nodiscard]] std::vector<ActionRow> alignRows(const WindowParts &parts);
[[nodiscard]] std::vector<ActionRow> searchRows(const WindowParts &parts);
[[nodiscard]] std::vector<ActionRow> helpRows(const WindowParts &parts);

} // namespace syncopate::ui
