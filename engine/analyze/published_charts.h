// SPDX-License-Identifier: GPL-3.0-or-later
// Private to the room: reads published charts, and has the facts about the machines behind them.
#pragma once

#include "engine/analyze/published.h"

#include <cstdint>
#include <string>
#include <vector>

namespace syncopate {

/// The charts' two test beds, and how their systems are played.
struct TestBed {
    const char *chart;
    std::int32_t gpusPerNode;
    double nicGbits;
    double flowGbits; ///< max of one flow between two nodes
    double latencySeconds;
    double laneBytesPerSecond; ///< of each GPU, each way
    NetworkEffects effects{};
    [[nodiscard]] bool isByteSchedulers() const { return gpusPerNode == 8; }
};

/// A published chart as its file has it, and the test bed behind it.
struct Chart {
    std::string file;
    TestBed bed;
    std::vector<PublishedRow> rows;
};

/// The charts of a folder, in the order of their names. Errors: a file that cannot be read, or is a chart with a damaged row;
/// no chart in the folder.
[[nodiscard]] Result<std::vector<Chart>> readCharts(const std::string &folder, const NetworkEffects &effects);

} // namespace syncopate
