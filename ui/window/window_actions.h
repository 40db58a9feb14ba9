// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/action_rows.h"

#include <QObject>

class QMenu;

namespace syncopate::ui {

/// The menus and the tool bar of the explorer's window. Keeps their actions in sync with the session.
class WindowActions final : public QObject {
    Q_OBJECT
public:
    explicit WindowActions(const WindowParts &parts);

    [[nodiscard]] QAction *action(const QString &id) const { return m_table.action(id); }

private:
    void makeFileMenu();
    void makeEditMenu();
    void makeViewMenu();
    void makeCompareMenu();
    void drawIcons();
    void makeToolBar();
    void makeCancel();
    void addPanels(QMenu *view);
    void showChecks();
    [[nodiscard]] QMenu *addMenu(const QString &title);

    const WindowParts m_parts;
    ActionTable m_table;
    QMenu *m_themes = nullptr;
};

} // namespace syncopate::ui
