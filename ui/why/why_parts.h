// SPDX-License-Identifier: GPL-3.0-or-later
// What the tables of the Why panel have in common.
#pragma once

#include <QObject>
#include <QStringList>
#include <initializer_list>

class QTableWidget;
class QTableWidgetItem;
class QWidget;

namespace syncopate::ui {

/// Rows that are read and chosen, not edited.
void setUpWhyTable(QTableWidget &table, const QStringList &columns, const QString &name);
/// With the text as its tool tip.
[[nodiscard]] QTableWidgetItem *whyCell(const QString &text, Qt::Alignment alignment = Qt::AlignLeft);
/// Widgets below each other; the last one has what room is left.
[[nodiscard]] QWidget *whyColumn(std::initializer_list<QWidget *> widgets);

/// Hides a column while its table is narrower than `width`, so that the others can be read.
class ColumnOfWideTable final : public QObject {
public:
    ColumnOfWideTable(QTableWidget *table, int column, int width);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QTableWidget *m_table;
    int m_column, m_width;
};

} // namespace syncopate::ui
