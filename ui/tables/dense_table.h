// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QTableView;

namespace syncopate::ui {

/// Makes `view` a table of figures: narrow rows with alternating background, without grid, frame or row numbers.
void makeDense(QTableView &view, int rowHeight = 20);

} // namespace syncopate::ui
