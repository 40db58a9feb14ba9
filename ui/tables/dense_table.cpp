// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tables/dense_table.h"

#include "ui/theme/plain_text.h"

#include <QApplication>
#include <QFontMetrics>
#include <QHeaderView>
#include <QHelpEvent>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QToolTip>
#include <algorithm>

namespace syncopate::ui {

namespace {

/// Shows the full text of a cell that is cut and has no tooltip of its own.
class CutCellDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    bool helpEvent(QHelpEvent *event, QAbstractItemView *view, const QStyleOptionViewItem &option,
                   const QModelIndex &index) override {
        const QString text = displayText(index.data(), option.locale);
        if (event->type() != QEvent::ToolTip || !index.data(Qt::ToolTipRole).toString().isEmpty() ||
            sizeHint(option, index).width() <= option.rect.width())
            return QStyledItemDelegate::helpEvent(event, view, option, index);
        QToolTip::showText(event->globalPos(), plainTip(text), view->viewport(), option.rect);
        return true;
    }
};

class PiecesDelegate final : public QStyledItemDelegate {
public:
    PiecesDelegate(QString separator, QObject *parent) : QStyledItemDelegate(parent), m_separator(std::move(separator)) {}

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override {
        QStyleOptionViewItem cell(option);
        initStyleOption(&cell, index);
        const QStyle &style = cell.widget ? *cell.widget->style() : *QApplication::style();
        const int margin = style.pixelMetric(QStyle::PM_FocusFrameHMargin, &cell, cell.widget) + 1; // on either side of a text
        const QRect room = style.subElementRect(QStyle::SE_ItemViewItemText, &cell, cell.widget);
        cell.text = cutBetween(cell.fontMetrics, cell.text, m_separator, room.width() - 2 * margin);
        style.drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
    }

private:
    const QString m_separator;
};

/// Whether a piece may be cut in its middle: what is left of a figure would read as another one.
bool isName(const QString &piece) {
    return !piece.contains(QLatin1Char(' ')) &&
           std::none_of(piece.begin(), piece.begin() + std::min<qsizetype>(2, piece.size()), [](QChar c) { return c.isDigit(); });
}

} // namespace

QString cutBetween(const QFontMetrics &metrics, const QString &text, const QString &separator, int width) {
    constexpr int fewest = 6; // characters' width that a cut name needs
    const QString rest = QStringLiteral("\u2026");
    if (metrics.horizontalAdvance(text) <= width)
        return text;
    const QStringList pieces = text.split(separator);
    QString shown;
    for (const QString &piece : pieces) {
        const QString longer = shown + piece + separator;
        if (metrics.horizontalAdvance(longer + rest) > width) {
            const int room = width - metrics.horizontalAdvance(shown + separator + rest);
            if (isName(piece) && room >= fewest * metrics.averageCharWidth())
                return shown + metrics.elidedText(piece, Qt::ElideMiddle, room) + separator + rest;
            break;
        }
        shown = longer;
    }
    return shown + rest;
}

void cutColumnBetween(QTableView &view, int column, const QString &separator) {
    view.setItemDelegateForColumn(column, new PiecesDelegate(separator, &view));
}

void makeDense(QTableView &view, int rowHeight) {
    view.setAlternatingRowColors(true);
    view.setShowGrid(false);
    view.setWordWrap(false);
    view.setTextElideMode(Qt::ElideMiddle); // names of layers and nodes differ at their ends
    view.setItemDelegate(new CutCellDelegate(&view));
    view.setFrameShape(QFrame::NoFrame);
    view.verticalHeader()->hide();
    view.verticalHeader()->setDefaultSectionSize(rowHeight);
    view.horizontalHeader()->setHighlightSections(false);
}

void letOrderBeCleared(QTableView &view) {
    QHeaderView *header = view.horizontalHeader();
    header->setSortIndicatorClearable(true);
    header->setSortIndicator(-1, Qt::AscendingOrder);
    // Qt 6.8 shows rows backwards where a descending order is cleared.
    QObject::connect(header, &QHeaderView::sortIndicatorChanged, header, [header](int column, Qt::SortOrder order) {
        if (column < 0 && order == Qt::DescendingOrder)
            header->setSortIndicator(-1, Qt::AscendingOrder);
    });
}

void fitColumn(QTableView &view, int column, int width) {
    view.setColumnWidth(column, std::max(width, view.horizontalHeader()->sectionSizeHint(column)));
}

} // namespace syncopate::ui
