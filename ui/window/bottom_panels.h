// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QPointer>

class QDockWidget;
class QMainWindow;

namespace syncopate::ui {

/// Hides the docked panels at the bottom of a window, and shows them again; if it hid none, it shows all.
class BottomPanels final {
public:
    explicit BottomPanels(QMainWindow &window) : m_window(window) {}
    void toggle();

private:
    /// Docked at the bottom, shown or not.
    [[nodiscard]] QList<QDockWidget *> panels() const;

    QMainWindow &m_window;
    QList<QPointer<QDockWidget>> m_hidden; ///< the one in front last
};

} // namespace syncopate::ui
