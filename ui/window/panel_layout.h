// SPDX-License-Identifier: GPL-3.0-or-later
// Layouts of panels: QMainWindow keeps them as bytes, and trusts bytes that it is given.
#pragma once

#include <QByteArray>
#include <QMainWindow>

namespace syncopate::ui {

/// Whether `bytes` are a layout as QMainWindow::saveState() writes it, of panels and tool bars with different names.
/// QMainWindow::restoreState() crashes on some bytes that are not, such as those of a damaged project file.
[[nodiscard]] bool isPanelLayout(const QByteArray &bytes);

/// Arranges the panels of `window`; a panel that is being dragged is put down first. False, with nothing changed: `bytes`
/// are not a layout.
bool restorePanels(QMainWindow &window, const QByteArray &bytes);

} // namespace syncopate::ui
