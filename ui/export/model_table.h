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

/// What a view shows: its visible columns, its rows in their present order and filter, children under their parents.
/// `selectedOnly`: of the rows, those that are selected.
[[nodiscard]] Table tableOf(const QAbstractItemView &view, bool selectedOnly = false);

/// From now on Ctrl+C in `view` copies its selected rows as TSV, with a header line when there is more than one row.
void copyRowsWithKeyboard(QAbstractItemView &view);

} // namespace syncopate::ui
