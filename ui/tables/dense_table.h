// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QTableView;

namespace syncopate::ui {

/// Makes a table of figures of `view`: rows close to each other and told apart by their ground, without grid, frame or numbers.
void makeDense(QTableView &view, int rowHeight = 20);

} // namespace syncopate::ui
