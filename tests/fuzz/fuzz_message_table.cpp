// SPDX-License-Identifier: GPL-3.0-or-later
// Seeds: tests/data/calibrate/message_cost.csv
#include "engine/analyze/calibrate.h"

#include <cstdlib>

/// Any text yields a table of message costs or an Error, and a cluster calibrated from it survives writing and reading back.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace syncopate;
    auto rows = readMessageRowsText(std::string_view(reinterpret_cast<const char *>(data), size), "costs.csv");
    if (!rows)
        return rows.error().what.empty() ? (std::abort(), 0) : 0;
    Calibration calibration;
    calibration.cluster = uniformCluster(2, 10);
    if (const auto done = calibrateMessages(calibration, std::move(*rows), "costs.csv"); !done)
        return done.error().what.empty() ? (std::abort(), 0) : 0;
    const auto read = readResourceSpecText(writeResourceSpec(calibration.cluster));
    if (!read || !(*read == calibration.cluster))
        std::abort();
    return 0;
}
