// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QWidget;

namespace syncopate::ui {

/// The folder that exports were last written to; at first the user's documents, or home.
[[nodiscard]] QString exportFolder();
/// `path`: a file that was written, or is about to be.
void rememberExportFolder(const QString &path);

/// Asks for the file to export to, first `name` in exportFolder(), and remembers the folder. Empty if the user cancels.
[[nodiscard]] QString askWhereToExport(QWidget *parent, const QString &title, const QString &name, const QString &filter = {});

} // namespace syncopate::ui
