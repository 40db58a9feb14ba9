// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace syncopate::ui {

/// The files opened last, newest first, kept in the user's settings.
class RecentFiles final {
public:
    static constexpr int most = 10;
    /// Those that are still there.
    [[nodiscard]] static QStringList list();
    static void add(const QString &path); ///< what is no file (a catalogue name) is left out
    static void clear();
};

} // namespace syncopate::ui
