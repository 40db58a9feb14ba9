// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/parse/line_reader.h"
#include "engine/session/scenario_line.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace syncopate;

/// Any bytes, in chunks of any size, are split into lines, each a scenario within the options' bounds or an Error with a remedy.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    if (size == 0)
        return 0;
    const std::size_t piece = data[0] + 1U;
    std::size_t at = 1;
    constexpr std::size_t maximumBytes = 300; // so that some lines are too long
    LineReader lines(
        [&](char *into, std::size_t room) -> Result<std::size_t> {
            const std::size_t count = std::min({piece, room, size - at});
            std::memcpy(into, data + at, count);
            at += count;
            return count;
        },
        maximumBytes);
    ScenarioLine defaults;
    defaults.options.cluster = "B7";
    std::uint64_t last = 0;
    for (;;) {
        const auto line = lines.next();
        if (!line)
            std::abort();
        if (!*line)
            return 0;
        if ((*line)->number <= last || (*line)->text.size() > maximumBytes)
            std::abort();
        last = (*line)->number;
        const auto read = readScenarioLine((*line)->text, defaults);
        if (!read) {
            if (read.error().error.what.empty() || read.error().error.remedy.empty())
                std::abort();
            continue;
        }
        const ScenarioOptions &options = read->options;
        if (options.job.empty() || options.workers < 0 || options.workers > 100000 || options.servers < -1 ||
            options.iterations < ScenarioOptions::minIterations || !(options.bandwidthGbits >= 0) || read->seed < 0)
            std::abort();
    }
}
