// SPDX-License-Identifier: GPL-3.0-or-later
// Layouts of panels: QMainWindow stores them as bytes, and trusts the bytes that it restores.
#pragma once

#include <QByteArray>
#include <QMainWindow>

namespace syncopate::ui {

/// Whether `bytes` are a layout as written by QMainWindow::saveState(), with panels and tool bars of distinct names.
/// QMainWindow::restoreState() crashes on some bytes that are not, such as those of a damaged project file.
[[nodiscard]] bool isPanelLayout(const QByteArray &bytes);

/// For layouts of versions with separate panels for searches, their candidates and sweeps: the name of the one ("search",
/// "candidates", "sweeps") whose place the panel of runs takes, preferably the one in front. Empty: `layout` has none of them, or
/// has the panel of runs.
[[nodiscard]] QString formerRunsPanel(const QByteArray &layout);

/// Arranges the panels of `window`; ends the drag of a panel first. Returns false and changes nothing if `bytes` are not a
/// layout.
bool restorePanels(QMainWindow &window, const QByteArray &bytes);

} // namespace syncopate::ui
