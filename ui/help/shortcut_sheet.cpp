// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/shortcut_sheet.h"

#include "ui/theme/plain_text.h"
#include "ui/theme/screen_fit.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace syncopate::ui {

namespace {

void addMenu(std::vector<ShortcutRow> &rows, const QString &group, const QMenu &menu) {
    for (const QAction *action : menu.actions()) {
        if (const QMenu *inner = action->menu())
            addMenu(rows, group, *inner);
        else if (!action->shortcut().isEmpty()) {
            QStringList keys;
            for (const QKeySequence &sequence : action->shortcuts())
                keys.push_back(sequence.toString(QKeySequence::NativeText));
            rows.push_back({group, withoutMnemonic(action->text()), keys.join(QStringLiteral(", "))});
        }
    }
}

} // namespace

std::vector<ShortcutRow> shortcutsOf(const QMenuBar &menus) {
    std::vector<ShortcutRow> rows;
    for (const QAction *top : menus.actions())
        if (const QMenu *menu = top->menu())
            addMenu(rows, withoutMnemonic(top->text()), *menu);
    return rows;
}

ShortcutSheet::ShortcutSheet(const QMenuBar &menus, QWidget *parent)
    : QDialog(parent), m_filter(new QLineEdit), m_list(new QTreeWidget) {
    setWindowTitle(tr("Shortcuts"));
    m_filter->setPlaceholderText(tr("Filter by name or key"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setAccessibleName(tr("Filter shortcuts"));
    m_filter->setToolTip(tr("Part of a name, such as zoom, or of a key, such as ctrl"));
    m_list->setColumnCount(2);
    m_list->setHeaderLabels({tr("What"), tr("Keys")});
    m_list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    m_list->header()->setStretchLastSection(false);
    m_list->setSelectionMode(QAbstractItemView::NoSelection);
    m_list->setAccessibleName(tr("Shortcuts"));
    m_list->setToolTip(tr("Actions, with their keys or gestures"));
    for (const ShortcutRow &row : shortcutsOf(menus))
        add(row);
    // Keys and gestures of a timeline have no actions: the focused view handles them.
    const QString timeline = tr("In a timeline");
    for (const auto &[text, keys] : {std::pair{tr("Zoom in, out"), QStringLiteral("W, S")},
                                     {tr("Pan"), QStringLiteral("A, D")},
                                     {tr("Zoom at the pointer"), tr("Ctrl+wheel")},
                                     {tr("Pan"), tr("Shift+wheel, Shift+drag")},
                                     {tr("Scroll lanes"), tr("wheel")},
                                     {tr("Select time"), tr("drag")},
                                     {tr("Lane"), tr("Up, Down")},
                                     {tr("Span of the lane"), tr("Left, Right")},
                                     {tr("Span of the same name"), QStringLiteral(", .")},
                                     {tr("Span that it waited for, span that waited for it"), QStringLiteral("[ ]")},
                                     {tr("Select the span's time"), QStringLiteral("M, R")},
                                     {tr("Zoom to the span"), tr("Enter")},
                                     {tr("Clear the selection"), tr("Esc")},
                                     {tr("Find spans"), tr("/")},
                                     {tr("Pin the lane to the top"), tr("Space")},
                                     {tr("Move the lane"), tr("Alt+Up, Alt+Down, or drag its name")},
                                     {tr("Collapse or expand the lane's worker"), tr("C")},
                                     {tr("Transfers as one strip, or each on a lane"), tr("T")},
                                     {tr("Write a note"), tr("N")},
                                     {tr("Why does this worker wait?"), tr("click a gap")}})
        add({timeline, text, keys});
    m_list->expandAll();
    // As wide as the longest name beside the longest keys, within the screen.
    m_list->resizeColumnToContents(0);
    constexpr int frame = 64;
    resizeWithinScreen(*this, {std::clamp(m_list->columnWidth(0) + m_list->columnWidth(1) + frame, 460, 900), 560});
    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto *column = new QVBoxLayout(this);
    column->addWidget(m_filter);
    column->addWidget(m_list, 1);
    column->addWidget(buttons);
    connect(m_filter, &QLineEdit::textChanged, this, &ShortcutSheet::applyFilter);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    m_filter->setFocus();
}

void ShortcutSheet::add(const ShortcutRow &row) {
    QTreeWidgetItem *group = nullptr;
    for (int i = 0; i < m_list->topLevelItemCount(); ++i)
        if (m_list->topLevelItem(i)->text(0) == row.group)
            group = m_list->topLevelItem(i);
    if (!group) {
        group = new QTreeWidgetItem(m_list, {row.group});
        QFont bold = group->font(0);
        bold.setBold(true);
        group->setFont(0, bold);
    }
    new QTreeWidgetItem(group, {row.text, row.keys});
}

void ShortcutSheet::applyFilter(const QString &text) {
    for (int g = 0; g < m_list->topLevelItemCount(); ++g) {
        QTreeWidgetItem *group = m_list->topLevelItem(g);
        bool any = false;
        for (int i = 0; i < group->childCount(); ++i) {
            const QTreeWidgetItem *row = group->child(i);
            const bool fits =
                row->text(0).contains(text, Qt::CaseInsensitive) || row->text(1).contains(text, Qt::CaseInsensitive);
            group->child(i)->setHidden(!fits);
            any = any || fits;
        }
        group->setHidden(!any);
    }
}

} // namespace syncopate::ui
