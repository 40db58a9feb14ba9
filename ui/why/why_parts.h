// SPDX-License-Identifier: GPL-3.0-or-later
// Helpers that the tables of the Why panel share.
#pragma once

#include <QObject>
#include <QStringList>
#include <initializer_list>

class QStackedWidget;
class QTableWidget;
class QTableWidgetItem;
class QWidget;

namespace syncopate::ui {

/// Makes rows selectable, but not editable.
void setUpWhyTable(QTableWidget &table, const QStringList &columns, const QString &name);
/// A cell whose tooltip repeats its text.
[[nodiscard]] QTableWidgetItem *whyCell(const QString &text, Qt::Alignment alignment = Qt::AlignLeft);
/// Widgets below each other; the last one takes the remaining height.
[[nodiscard]] QWidget *whyColumn(std::initializer_list<QWidget *> widgets);

/// Two widgets of which one is shown at a time.
[[nodiscard]] QStackedWidget *whyPages(QWidget *first, QWidget *second);

/// Hides a column while its table is narrower than `width`, to leave room for the others.
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
