// SPDX-License-Identifier: GPL-3.0-or-later
// Seeds: tests/data/calibrate/inspector/*.log
#include "engine/collective/curve_fit.h"
#include "engine/collective/inspector_log.h"

#include <cstdlib>

/// Any text, in one file or split into two, yields logs that can be fitted, or an Error.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    syncopate::InspectorLogs logs;
    for (const std::string_view part : {text.substr(0, size / 2), text.substr(size / 2), text})
        if (const auto added = logs.add(part, "x.log"); !added && added.error().what.empty())
            std::abort();
    for (auto &log : logs.finish()) {
        if (!log)
            continue;
        const syncopate::CurveFit fit = syncopate::fitCurve(std::move(*log));
        if (fit.curve.segments.empty() || !(fit.curve.seconds(1e6) >= 0))
            std::abort();
    }
    return 0;
}
