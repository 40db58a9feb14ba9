// SPDX-License-Identifier: GPL-3.0-or-later
// Layouts of panels: QMainWindow keeps them as bytes, and trusts bytes that it is given.
#pragma once

#include <QByteArray>
#include <QMainWindow>

namespace syncopate::ui {

/// Whether `bytes` are a layout as QMainWindow::saveState() writes it, of panels and tool bars with different names.
/// QMainWindow::restoreState() crashes on some bytes that are not, such as those of a damaged project file.
[[nodiscard]] bool isPanelLayout(const QByteArray &bytes);

/// Layouts of versions that had panels of their own for searches, their candidates and sweeps: the name of the one ("search",
/// "candidates", "sweeps") whose place the panel of runs takes, which is the one in front where one is. Empty: `layout` has none
/// of them, or has the panel of runs.
[[nodiscard]] QString formerRunsPanel(const QByteArray &layout);

/// Arranges the panels of `window`; a panel that is being dragged is put down first. False, with nothing changed: `bytes`
/// are not a layout.
bool restorePanels(QMainWindow &window, const QByteArray &bytes);

} // namespace syncopate::ui
