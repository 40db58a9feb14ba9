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
    /// Puts a file first; ignores what is none, such as a catalogue name. Files that are away keep their places.
    static void add(const QString &path);
    static void clear();
};

} // namespace syncopate::ui
