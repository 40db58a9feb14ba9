// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analyze/published.h"

#include <cstdlib>

/// Any text yields a chart of valid rows, or an Error that names its place.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const auto rows = syncopate::readPublishedChart(std::string_view(reinterpret_cast<const char *>(data), size), "chart.csv");
    if (!rows)
        return rows.error().what.empty() || rows.error().remedy.empty() ? (std::abort(), 0) : 0;
    for (const syncopate::PublishedRow &row : *rows)
        if (row.gpus < 1 || row.gpus > 1024 || !(row.published > 0))
            std::abort();
    return 0;
}
