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

/// Something the user can do: one row of the table that menus, tool bar, palette and shortcut sheet are made from. A row
/// without an id is a separator.
struct ActionRow {
    QString id; ///< object name
    QString text;
    QList<QKeySequence> keys; ///< the tool tip names the first one
    QString toolTip;
    std::function<void()> run;
    std::function<QString()> whyNot = {};    ///< "" = it can be done now; without the function it always can
    std::optional<bool> checked = {};        ///< of a checkable one: at first
    std::optional<QString> toolBarText = {}; ///< where it differs from the text
};

/// The actions of a window, as rows. They are children of the window, which has them by their ids.
class ActionTable final : public QObject {
public:
    explicit ActionTable(QWidget &window) : m_window(window) {}

    QAction *add(QMenu *menu, const ActionRow &row);
    void addAll(QMenu *menu, const std::vector<ActionRow> &rows);
    /// Of checkable rows: exactly one is checked.
    void addChoice(QMenu *menu, const std::vector<ActionRow> &rows);
    /// Asks all rows again why not.
    void refresh() const;
    [[nodiscard]] QAction *action(const QString &id) const;

    /// Enables an action, or says in its property "whyNot" (which the palette shows) why it is not; "" enables it.
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
