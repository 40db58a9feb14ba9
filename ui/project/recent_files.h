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
    static void add(const QString &path); ///< ignores a path that is not a file, such as a catalogue name
    static void clear();
};

} // namespace syncopate::ui
