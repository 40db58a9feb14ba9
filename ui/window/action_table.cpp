// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/action_table.h"

#include "ui/theme/plain_text.h"

#include <QAction>
#include <QActionGroup>
#include <QMenu>

namespace syncopate::ui {

namespace {
constexpr const char *ownTip = "ownTip"; ///< an action's tool tip without a reason
} // namespace

QAction *ActionTable::add(QMenu *menu, const ActionRow &row) {
    if (row.id.isEmpty())
        return menu->addSeparator();
    auto *action = new QAction(row.text, &m_window);
    action->setObjectName(row.id);
    action->setShortcuts(row.keys);
    const QString keys = action->shortcut().toString(QKeySequence::NativeText);
    const QString tip = keys.isEmpty() ? row.toolTip : QStringLiteral("%1 (%2)").arg(row.toolTip, keys);
    action->setToolTip(plainTip(tip));
    action->setProperty(ownTip, tip);
    if (row.checked) {
        action->setCheckable(true);
        action->setChecked(*row.checked);
    }
    if (row.toolBarText)
        action->setIconText(*row.toolBarText);
    connect(action, &QAction::triggered, this, [run = row.run] { run(); });
    menu->addAction(action);
    if (row.whyNot) {
        m_rules.push_back({action, row.whyNot});
        allow(action, row.whyNot());
    }
    return action;
}

void ActionTable::addAll(QMenu *menu, const std::vector<ActionRow> &rows) {
    for (const ActionRow &row : rows)
        add(menu, row);
}

void ActionTable::addChoice(QMenu *menu, const std::vector<ActionRow> &rows) {
    auto *group = new QActionGroup(menu);
    for (const ActionRow &row : rows)
        group->addAction(add(menu, row));
}

void ActionTable::refresh() const {
    for (const Rule &rule : m_rules)
        allow(rule.action, rule.whyNot());
}

QAction *ActionTable::action(const QString &id) const { return m_window.findChild<QAction *>(id); }

void ActionTable::allow(QAction *action, const QString &whyNot) {
    action->setProperty("whyNot", whyNot);
    action->setEnabled(whyNot.isEmpty());
    if (const QVariant tip = action->property(ownTip); tip.isValid())
        action->setToolTip(plainTip(whyNot.isEmpty() ? tip.toString() : tip.toString() + QLatin1Char('\n') + whyNot));
}

} // namespace syncopate::ui
