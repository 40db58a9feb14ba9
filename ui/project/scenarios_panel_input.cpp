// SPDX-License-Identifier: GPL-3.0-or-later
// What keys and the context menu do to the rows of a ScenariosPanel.
#include "ui/project/scenarios_panel.h"

#include <QKeyEvent>
#include <QMenu>
#include <QTableView>
#include <QToolButton>
#include <algorithm>
#include <functional>
#include <utility>

namespace syncopate::ui {

void ScenariosPanel::showMenu(const QPoint &at) {
    const QModelIndex index = m_table->indexAt(at);
    if (!index.isValid())
        return;
    const ScenarioRow own = m_model.rows()[static_cast<std::size_t>(m_proxy.mapToSource(index).row())];
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    // Rows may change while the menu is open: an action applies to the clicked row wherever it is by then, or to none.
    const auto add = [&](const QString &text, std::function<void(int row)> action) {
        menu->addAction(text, this, [this, own, action = std::move(action)] {
            const auto &rows = m_model.rows();
            const auto same = std::ranges::find_if(rows, [&](const ScenarioRow &row) { return ScenarioRow::isSame(row, own); });
            if (same != rows.end())
                action(static_cast<int>(same - rows.begin()));
        });
    };
    if (own.source == RowSource::Kept) {
        add(tr("Go to it (Enter)"), [this](int row) { goTo(row); });
        menu->addSeparator();
    }
    add(tr("Put it on A (A)"), [this](int row) { putOn(row, Side::A); });
    add(tr("Put it on B (B)"), [this](int row) { putOn(row, Side::B); });
    menu->addAction(tr("Show stacked"), this, &ScenariosPanel::showStacked)->setEnabled(m_stackButton->isEnabled());
    if (own.source == RowSource::Kept) {
        menu->addSeparator();
        add(tr("Rename (F2)"),
            [this](int row) { m_table->edit(m_proxy.mapFromSource(m_model.index(row, ScenariosModel::Name))); });
        add(tr("Remove (Del)"), [this](int row) { remove(row); });
    }
    menu->popup(m_table->viewport()->mapToGlobal(at));
}

bool ScenariosPanel::eventFilter(QObject *watched, QEvent *event) {
    const int row = currentRow();
    if (watched != m_table || row < 0)
        return QWidget::eventFilter(watched, event);
    if (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride)
        return QWidget::eventFilter(watched, event);
    const bool press = event->type() == QEvent::KeyPress;
    auto *key = static_cast<QKeyEvent *>(event);
    if (key->modifiers() & ~Qt::KeypadModifier && !key->matches(QKeySequence::Copy))
        return QWidget::eventFilter(watched, event);
    if (m_table->indexWidget(m_table->currentIndex())) // the Enter that ends an edit: its editor passes it on
        return QWidget::eventFilter(watched, event);
    switch (key->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (press)
            goTo(row);
        break;
    case Qt::Key_A:
    case Qt::Key_B:
        if (press)
            putOn(row, key->key() == Qt::Key_A ? Side::A : Side::B);
        break;
    case Qt::Key_Delete:
        if (press)
            remove(row);
        break;
    default:
        return QWidget::eventFilter(watched, event);
    }
    event->accept(); // also for ShortcutOverride: in this table the key is not the window's shortcut
    return true;
}

} // namespace syncopate::ui
