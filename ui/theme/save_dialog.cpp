// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/save_dialog.h"

#include <QDir>
#include <QFileDialog>
#include <QSettings>
#include <QStandardPaths>

namespace syncopate::ui {

namespace {
const QString folderSetting = QStringLiteral("exportFolder");
}

QString exportFolder() {
    const QString last = QSettings().value(folderSetting).toString();
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    return QFileInfo(last).isDir()        ? last
           : QFileInfo(documents).isDir() ? documents
                                          : QDir::homePath(); // a server account may have no Documents
}

void rememberExportFolder(const QString &path) { QSettings().setValue(folderSetting, QFileInfo(path).absolutePath()); }

QString askWhereToExport(QWidget *parent, const QString &title, const QString &name, const QString &filter) {
    const QString path = QFileDialog::getSaveFileName(parent, title, QDir(exportFolder()).filePath(name), filter);
    if (!path.isEmpty())
        rememberExportFolder(path);
    return path;
}

} // namespace syncopate::ui
