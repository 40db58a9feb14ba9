// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/predict/measured_points.h"

#include <cstdlib>

/// Any text yields series of valid points, or an Error with a remedy.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const auto series = syncopate::readMeasuredPoints(std::string_view(reinterpret_cast<const char *>(data), size), "points.csv");
    if (!series)
        return series.error().what.empty() || series.error().remedy.empty() ? (std::abort(), 0) : 0;
    for (const syncopate::MeasuredSeries &one : *series) {
        std::int32_t before = 1;
        for (const syncopate::MeasuredPoint &point : one.points) {
            if (point.workers < before || point.workers > 100'000 || !(point.perSecond > 0))
                std::abort();
            before = point.workers;
        }
    }
    return 0;
}
