// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QAbstractItemView;
class QTableView;
class QTreeView;

namespace syncopate::ui {

/// Makes `view` a table of figures: narrow rows with alternating background, without grid, frame or row numbers.
/// Cells without room are cut by cutWhereAlike() (ui/theme/cut_text.h) and show their text in full under the pointer, unless they
/// have a tooltip.
void makeDense(QTableView &view, int rowHeight = 20);

/// Shows rows in the model's order until the user sorts them, and again after a third click on a column's header.
void letOrderBeCleared(QTableView &view);

/// Gives a column this width in pixels, or more where its header is longer, as in another language.
void fitColumn(QTableView &view, int column, int width);

/// Gives a column the width of its longest text: at least `minWidth` pixels, and at most `maxShare` of the table's width. A width
/// that the user gives it stays. Call it once, after the table has its model.
void fitColumnToNames(QTableView &view, int column, int minWidth, double maxShare);

/// The same for a tree or a list, whose column also takes the width that the others leave; where the names need more, they
/// scroll.
void giveNamesTheRest(QTreeView &view, int column, double maxShare);

/// Cuts the cells of a column by cutWhereAlike(), as makeDense() does for all; a cell's neighbours are `reach` rows above and
/// below. Painting takes O(reach) for a cut cell.
void cutColumnWhereAlike(QAbstractItemView &view, int column, int reach);

/// Cuts the cells of a column by cutBetween(). Cut cells need a tooltip of their own to show their text in full.
void cutColumnBetween(QTableView &view, int column, const QString &separator);

} // namespace syncopate::ui
