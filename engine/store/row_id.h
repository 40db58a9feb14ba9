// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>

namespace syncopate {

/// The id of a row of a project file that holds a `Row`; ids of other tables and kinds of objects are other types. As wide as
/// SQLite's: a damaged file may hold any number.
template <class Row> struct RowId {
    std::int64_t number = 0;
    auto operator<=>(const RowId &) const = default;
};

using ScenarioId = RowId<struct ScenarioRow>;
using SearchId = RowId<struct SearchRow>;

} // namespace syncopate
