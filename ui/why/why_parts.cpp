// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/why/why_parts.h"

#include "ui/tables/dense_table.h"
#include "ui/theme/plain_text.h"

#include <QEvent>
#include <QStackedWidget>
#include <QTableWidget>
#include <QVBoxLayout>

namespace syncopate::ui {

void setUpWhyTable(QTableWidget &table, const QStringList &columns, const QString &name) {
    table.setColumnCount(static_cast<int>(columns.size()));
    table.setHorizontalHeaderLabels(columns);
    table.setAccessibleName(name);
    makeDense(table, 22);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
    table.setEditTriggers(QAbstractItemView::NoEditTriggers);
    table.setTabKeyNavigation(false);
}

QTableWidgetItem *whyCell(const QString &text, Qt::Alignment alignment) {
    auto *item = new QTableWidgetItem(text);
    item->setTextAlignment(alignment | Qt::AlignVCenter);
    item->setToolTip(plainTip(text));
    return item;
}

QWidget *whyColumn(std::initializer_list<QWidget *> widgets) {
    auto *holder = new QWidget;
    auto *layout = new QVBoxLayout(holder);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->setSpacing(4);
    for (QWidget *widget : widgets)
        layout->addWidget(widget, widget == *(widgets.end() - 1) ? 1 : 0);
    return holder;
}

QStackedWidget *whyPages(QWidget *first, QWidget *second) {
    auto *pages = new QStackedWidget;
    pages->addWidget(first);
    pages->addWidget(second);
    return pages;
}

ColumnOfWideTable::ColumnOfWideTable(QTableWidget *table, int column, int width)
    : QObject(table), m_table(table), m_column(column), m_width(width) {
    table->installEventFilter(this);
}

bool ColumnOfWideTable::eventFilter(QObject *, QEvent *event) {
    if (event->type() == QEvent::Resize)
        m_table->setColumnHidden(m_column, m_table->width() < m_width);
    return false;
}

} // namespace syncopate::ui
