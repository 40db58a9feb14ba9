// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace syncopate::ui {

/// The files opened last, newest first, kept in the user's settings.
class RecentFiles final {
public:
    static constexpr int most = 10;
    /// Returns the files that still exist.
    [[nodiscard]] static QStringList list();
    /// Puts a file or folder first; ignores what is neither, such as a catalogue name or the word for the sample. Keeps up to
    /// `most` existing files and, counted separately, up to `most` missing ones (deleted, or on a disk that is not mounted).
    static void add(const QString &path);
    static void clear();
    /// "trace.json.gz · ~/runs/monday": names the folder, since files of different runs often share a name. A deep path is
    /// shortened to its last folders.
    [[nodiscard]] static QString titleOf(const QString &path);
};

} // namespace syncopate::ui
