// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/export/table.h"

#include <QString>

class QAbstractItemView;

namespace syncopate::ui {

/// A table of the explorer with the name that the user knows it by.
struct NamedTable {
    QString title;
    Table table;
};

/// The contents of a view: its visible columns, its rows as sorted and filtered, children under their parents. `selectedOnly`
/// limits it to the selected rows.
[[nodiscard]] Table tableOf(const QAbstractItemView &view, bool selectedOnly = false);

/// Copies the selected rows of `view` as TSV, with a header line if there is more than one row; none: keeps the clipboard.
void copyRows(const QAbstractItemView &view);

/// Makes Ctrl+C in `view` copy its selected rows, as copyRows() does.
void copyRowsWithKeyboard(QAbstractItemView &view);

} // namespace syncopate::ui
