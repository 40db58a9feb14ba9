// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/project/recent_files.h"

#include <QDir>
#include <QFileInfo>
#include <QSettings>

namespace syncopate::ui {

namespace {
const QString key = QStringLiteral("recentFiles");
}

QStringList RecentFiles::list() {
    QStringList there;
    for (const QString &path : QSettings().value(key).toStringList())
        if (QFileInfo::exists(path))
            there.push_back(path);
    return there;
}

void RecentFiles::add(const QString &path) {
    const QFileInfo file(path);
    if (!file.exists())
        return;
    QStringList paths = QSettings().value(key).toStringList(); // including files on a disk that is not mounted now
    paths.removeAll(file.absoluteFilePath());
    paths.prepend(file.absoluteFilePath());
    int here = 0, away = 0;
    paths.removeIf([&](const QString &kept) { return ++(QFileInfo::exists(kept) ? here : away) > most; });
    QSettings().setValue(key, paths);
}

QString RecentFiles::titleOf(const QString &path) {
    const QFileInfo file(path);
    constexpr int longest = 40; // characters
    QString folder = file.absolutePath();
    if (const QString home = QDir::homePath(); folder == home || folder.startsWith(home + QLatin1Char('/')))
        folder.replace(0, home.size(), QLatin1Char('~'));
    if (folder.size() > longest) {
        const auto cut = folder.indexOf(QLatin1Char('/'), folder.size() - longest);
        folder = QStringLiteral("…") + folder.mid(cut < 0 ? folder.size() - longest : cut);
    }
    return QStringLiteral("%1 · %2").arg(file.fileName(), folder);
}

void RecentFiles::clear() { QSettings().remove(key); }

} // namespace syncopate::ui
