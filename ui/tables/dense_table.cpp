// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tables/dense_table.h"

#include "ui/theme/cut_text.h"
#include "ui/theme/plain_text.h"

#include <QAbstractItemModel>
#include <QApplication>
#include <QFontMetrics>
#include <QHeaderView>
#include <QHelpEvent>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QToolTip>
#include <QTreeView>
#include <algorithm>

namespace syncopate::ui {

namespace {

/// Room for a cell's text, in pixels.
int textRoom(const QStyleOptionViewItem &cell, const QStyle &style) {
    const int margin = style.pixelMetric(QStyle::PM_FocusFrameHMargin, &cell, cell.widget) + 1; // on either side of a text
    return style.subElementRect(QStyle::SE_ItemViewItemText, &cell, cell.widget).width() - 2 * margin;
}

const QStyle &styleOf(const QStyleOptionViewItem &cell) { return cell.widget ? *cell.widget->style() : *QApplication::style(); }

/// Cuts a cell by cutWhereAlike() and tells its full text, unless the cell has a tooltip of its own.
class CutCellDelegate final : public QStyledItemDelegate {
public:
    CutCellDelegate(int reach, QObject *parent) : QStyledItemDelegate(parent), m_reach(reach) {}

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override {
        QStyleOptionViewItem cell(option);
        initStyleOption(&cell, index);
        const QStyle &style = styleOf(cell);
        if (const int room = textRoom(cell, style); cell.fontMetrics.horizontalAdvance(cell.text) > room) {
            QStringList neighbours;
            for (int row = index.row() - m_reach; row <= index.row() + m_reach; ++row)
                if (const QModelIndex other = index.sibling(row, index.column()); other.isValid() && row != index.row())
                    neighbours += displayText(other.data(), option.locale);
            cell.text = cutWhereAlike(cell.fontMetrics, cell.text, neighbours, room, cell.textElideMode);
        }
        style.drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
    }

    bool helpEvent(QHelpEvent *event, QAbstractItemView *view, const QStyleOptionViewItem &option,
                   const QModelIndex &index) override {
        const QString text = displayText(index.data(), option.locale);
        if (event->type() != QEvent::ToolTip || !index.data(Qt::ToolTipRole).toString().isEmpty() ||
            sizeHint(option, index).width() <= option.rect.width())
            return QStyledItemDelegate::helpEvent(event, view, option, index);
        QToolTip::showText(event->globalPos(), plainTip(text), view->viewport(), option.rect);
        return true;
    }

private:
    const int m_reach; ///< rows above and below that a cell must not read like
};

class PiecesDelegate final : public QStyledItemDelegate {
public:
    PiecesDelegate(QString separator, QObject *parent) : QStyledItemDelegate(parent), m_separator(std::move(separator)) {}

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override {
        QStyleOptionViewItem cell(option);
        initStyleOption(&cell, index);
        const QStyle &style = styleOf(cell);
        cell.text = cutBetween(cell.fontMetrics, cell.text, m_separator, textRoom(cell, style));
        style.drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
    }

private:
    const QString m_separator;
};

/// The width of a column of names, until the user drags its edge.
class NamesColumn final : public QObject {
public:
    struct Width {
        int min = 0;            ///< pixels
        double maxShare = 0;    ///< of the table's, for the longest text
        bool takesRest = false; ///< at least what the other columns leave
    };
    NamesColumn(QAbstractItemView &view, QHeaderView &header, int column, Width width)
        : QObject(&view), m_view(view), m_header(header), m_column(column), m_width(width), m_given(header.sectionSize(column)) {
        view.viewport()->installEventFilter(this);
        // Queued: the other columns take their widths first, and a model that ends with its view is no longer asked.
        connect(view.model(), &QAbstractItemModel::modelReset, this, &NamesColumn::measure, Qt::QueuedConnection);
        connect(view.model(), &QAbstractItemModel::rowsInserted, this, &NamesColumn::measure, Qt::QueuedConnection);
        measure();
    }

    bool eventFilter(QObject *watched, QEvent *event) override {
        if (event->type() == QEvent::Resize)
            fit();
        return QObject::eventFilter(watched, event);
    }

private:
    void measure() {
        m_longest = m_view.sizeHintForColumn(m_column);
        fit();
    }
    void fit() {
        if (m_header.sectionSize(m_column) != m_given)
            return; // the user's
        const int maxWidth = std::max(m_width.min, static_cast<int>(m_width.maxShare * m_view.width()));
        const int width = std::max(std::clamp(m_longest, m_width.min, maxWidth), m_header.sectionSizeHint(m_column));
        const int rest = m_width.takesRest ? m_view.viewport()->width() - (m_header.length() - m_given) : 0;
        m_header.resizeSection(m_column, std::max(width, rest));
        m_given = m_header.sectionSize(m_column);
    }

    QAbstractItemView &m_view;
    QHeaderView &m_header;
    int m_column;
    Width m_width;
    int m_longest = 0, m_given; ///< pixels: the longest text, and the width last given
};

} // namespace

void cutColumnWhereAlike(QAbstractItemView &view, int column, int reach) {
    view.setItemDelegateForColumn(column, new CutCellDelegate(reach, &view));
}

void cutColumnBetween(QTableView &view, int column, const QString &separator) {
    view.setItemDelegateForColumn(column, new PiecesDelegate(separator, &view));
}

void makeDense(QTableView &view, int rowHeight) {
    view.setAlternatingRowColors(true);
    view.setShowGrid(false);
    view.setWordWrap(false);
    view.setTextElideMode(Qt::ElideMiddle);
    view.setItemDelegate(new CutCellDelegate(1, &view));
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

void fitColumnToNames(QTableView &view, int column, int minWidth, double maxShare) {
    new NamesColumn(view, *view.horizontalHeader(), column, {.min = minWidth, .maxShare = maxShare});
}

void giveNamesTheRest(QTreeView &view, int column, double maxShare) {
    new NamesColumn(view, *view.header(), column, {.maxShare = maxShare, .takesRest = true});
}

} // namespace syncopate::ui
