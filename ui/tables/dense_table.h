// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QFontMetrics;
class QTableView;

namespace syncopate::ui {

/// Makes `view` a table of figures: narrow rows with alternating background, without grid, frame or row numbers.
/// Cut cells show their text in full under the pointer, unless they have a tooltip.
void makeDense(QTableView &view, int rowHeight = 20);

/// Shows rows in the model's order until the user sorts them, and again after a third click on a column's header.
void letOrderBeCleared(QTableView &view);

/// Gives a column this width in pixels, or more where its header is longer, as in another language.
void fitColumn(QTableView &view, int column, int width);

/// `text` within `width` pixels, cut between the pieces that `separator` joins, so that no figure is cut: as many pieces as have
/// room, then "…". Only a name, a piece without spaces that does not start with a figure, is cut itself, in its middle.
[[nodiscard]] QString cutBetween(const QFontMetrics &metrics, const QString &text, const QString &separator, int width);

/// Cuts the cells of a column by cutBetween(). Cut cells need a tooltip of their own to show their text in full.
void cutColumnBetween(QTableView &view, int column, const QString &separator);

} // namespace syncopate::ui
