// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/export/difference_table.h"

#include <fmt/format.h>
#include <utility>

namespace syncopate {

Table tableOf(const TraceDifference &difference) {
    Table table{{{"by"}, {"name"}, {"a_seconds"}, {"b_seconds"}, {"delta_seconds"}, {"a_count"}, {"b_count"}}, {}};
    for (const auto &[name, rows] :
         {std::pair("op", &difference.ops), std::pair("layer", &difference.layers), std::pair("stream", &difference.streams)})
        for (const DifferenceRow &row : *rows)
            table.rows.push_back({name, row.name, fmt::format("{}", row.seconds[0]), fmt::format("{}", row.seconds[1]),
                                  fmt::format("{}", row.change()), fmt::format("{}", row.count[0]),
                                  fmt::format("{}", row.count[1])});
    return table;
}

} // namespace syncopate
