// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>
#include <vector>

class QLineEdit;
class QMenuBar;
class QTreeWidget;

namespace syncopate::ui {

/// An action and its keys.
struct ShortcutRow {
    QString group; ///< the menu that the action is in
    QString text;
    QString keys; ///< "Ctrl+Shift+Z, Ctrl+Y"
};

/// Every menu action that has a shortcut, in menu order. Read from the actions, so the list cannot disagree with the keys.
[[nodiscard]] std::vector<ShortcutRow> shortcutsOf(const QMenuBar &menus);

/// All shortcuts, and what keys and mouse do in a timeline, with a filter.
class ShortcutSheet final : public QDialog {
    Q_OBJECT
public:
    explicit ShortcutSheet(const QMenuBar &menus, QWidget *parent = nullptr);

    [[nodiscard]] QTreeWidget &list() { return *m_list; }
    [[nodiscard]] QLineEdit &filter() { return *m_filter; }

private:
    void add(const ShortcutRow &row);
    void applyFilter(const QString &text);

    QLineEdit *m_filter;
    QTreeWidget *m_list;
};

} // namespace syncopate::ui
