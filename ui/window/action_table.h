// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QString>
#include <functional>
#include <optional>
#include <vector>

class QAction;
class QActionGroup;
class QMenu;

namespace syncopate::ui {

/// Something the user can do: one row of the table that menus, tool bar, palette and shortcut sheet are made from. A row without
/// an id is a separator.
struct ActionRow {
    QString id; ///< object name
    QString text;
    QList<QKeySequence> keys; ///< the tooltip names the first one
    QString toolTip;
    std::function<void()> run;
    std::function<QString()> whyNot = {};    ///< "" = it can be done now; without the function it always can
    std::optional<bool> checked = {};        ///< initial state of a checkable one
    std::optional<QString> toolBarText = {}; ///< if it differs from the text
};

/// The actions of a window, as rows. They are children of the window, which finds them by their ids.
class ActionTable final : public QObject {
public:
    explicit ActionTable(QWidget &window) : m_window(window) {}

    QAction *add(QMenu *menu, const ActionRow &row);
    void addAll(QMenu *menu, const std::vector<ActionRow> &rows);
    /// Adds checkable rows of which exactly one is checked.
    void addChoice(QMenu *menu, const std::vector<ActionRow> &rows);
    /// Re-evaluates whyNot of all rows.
    void refresh() const;
    [[nodiscard]] QAction *action(const QString &id) const;

    /// Enables an action if `whyNot` is "", else disables it and sets its property "whyNot", which the palette and the
    /// action's tool tip show.
    static void allow(QAction *action, const QString &whyNot);

private:
    struct Rule {
        QAction *action;
        std::function<QString()> whyNot;
    };
    QWidget &m_window;
    std::vector<Rule> m_rules;
};

} // namespace syncopate::ui
