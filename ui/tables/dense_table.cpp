// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tables/dense_table.h"

#include "ui/theme/plain_text.h"

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

} // namespace

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

void fitColumn(QTableView &view, int column, int width) {
    view.setColumnWidth(column, std::max(width, view.horizontalHeader()->sectionSizeHint(column)));
}

} // namespace syncopate::ui
