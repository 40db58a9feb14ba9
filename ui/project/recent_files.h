// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace syncopate::ui {

/// The files opened last, newest first, kept in the user's settings.
class RecentFiles final {
public:
    static constexpr int most = 10;
    /// Those that still exist.
    [[nodiscard]] static QStringList list();
    /// Puts a file first; ignores what is none, such as a catalogue name. Keeps `most` files that exist and as many that are away
    /// (deleted, or on a disk that is not mounted), each kind apart: neither pushes out the other.
    static void add(const QString &path);
    static void clear();
    /// "trace.json.gz · ~/runs/monday": runs have files of one name in many folders. Of a deep folder the last ones.
    [[nodiscard]] static QString titleOf(const QString &path);
};

} // namespace syncopate::ui
