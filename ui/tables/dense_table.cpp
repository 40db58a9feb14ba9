// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tables/dense_table.h"

#include <QHeaderView>
#include <QTableView>

namespace syncopate::ui {

void makeDense(QTableView &view, int rowHeight) {
    view.setAlternatingRowColors(true);
    view.setShowGrid(false);
    view.setWordWrap(false);
    view.setFrameShape(QFrame::NoFrame);
    view.verticalHeader()->hide();
    view.verticalHeader()->setDefaultSectionSize(rowHeight);
    view.horizontalHeader()->setHighlightSections(false);
}

} // namespace syncopate::ui
