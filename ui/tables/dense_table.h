// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QTableView;

namespace syncopate::ui {

/// Makes `view` a table of figures: narrow rows with alternating background, without grid, frame or row numbers.
/// Cut cells show their text in full under the pointer, unless they have a tooltip.
void makeDense(QTableView &view, int rowHeight = 20);

/// Gives a column this width in pixels, or more where its header is longer, as in another language.
void fitColumn(QTableView &view, int column, int width);

} // namespace syncopate::ui
