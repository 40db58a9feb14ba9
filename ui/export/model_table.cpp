// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/model_table.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QTableView>
#include <QTreeView>

namespace syncopate::ui {

namespace {

bool isHidden(const QAbstractItemView &view, int column) {
    if (const auto *table = qobject_cast<const QTableView *>(&view))
        return table->isColumnHidden(column);
    const auto *tree = qobject_cast<const QTreeView *>(&view);
    return tree != nullptr && tree->isColumnHidden(column);
}

void addRows(Table &table, const QAbstractItemView &view, const std::vector<int> &columns, const QModelIndex &parent,
             bool selectedOnly) {
    const QAbstractItemModel &model = *view.model();
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex first = model.index(row, 0, parent);
        bool wanted = !selectedOnly;
        for (const int column : columns)
            wanted = wanted || view.selectionModel()->isSelected(first.siblingAtColumn(column));
        if (wanted) {
            std::vector<std::string> cells;
            cells.reserve(columns.size());
            for (const int column : columns)
                cells.push_back(first.siblingAtColumn(column).data().toString().toStdString());
            table.rows.push_back(std::move(cells));
        }
        addRows(table, view, columns, first, selectedOnly);
    }
}

class RowCopier final : public QObject {
public:
    explicit RowCopier(QAbstractItemView &view) : QObject(&view), m_view(view) { view.installEventFilter(this); }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override {
        if (watched != &m_view || (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride) ||
            !static_cast<QKeyEvent *>(event)->matches(QKeySequence::Copy) || !m_view.model())
            return false;
        event->accept();
        if (event->type() == QEvent::KeyPress)
            copyRows(m_view);
        return true; // else Qt copies a cell
    }

private:
    QAbstractItemView &m_view;
};

} // namespace

Table tableOf(const QAbstractItemView &view, bool selectedOnly) {
    Table table;
    const QAbstractItemModel *model = view.model();
    if (!model)
        return table;
    std::vector<int> columns;
    for (int c = 0; c < model->columnCount(); ++c) {
        if (isHidden(view, c))
            continue;
        columns.push_back(c);
        const QModelIndex first = model->index(0, c);
        const bool number = (first.data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight) != 0;
        table.columns.push_back({model->headerData(c, Qt::Horizontal).toString().toStdString(), number});
    }
    addRows(table, view, columns, {}, selectedOnly);
    return table;
}

void copyRows(const QAbstractItemView &view) {
    if (!view.model() || !view.selectionModel()->hasSelection())
        return;
    const Table table = tableOf(view, true);
    std::string text = writeTable(table, TableFormat::Tsv);
    if (table.rows.size() == 1)
        text.erase(0, text.find('\n') + 1);
    QApplication::clipboard()->setText(QString::fromStdString(text));
}

void copyRowsWithKeyboard(QAbstractItemView &view) { new RowCopier(view); } // owned by the view

} // namespace syncopate::ui
