// SPDX-License-Identifier: GPL-3.0-or-later
// Seeds: tests/damaged/cost/*
#include "engine/collective/curve_fit.h"

#include <cstdlib>

/// Any text yields a log that can be fitted, or an Error.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    auto log = syncopate::readCollectiveLogText(text, "x/allreduce.log");
    if (!log)
        return log.error().what.empty() ? (std::abort(), 0) : 0;
    const syncopate::CurveFit fit = syncopate::fitCurve(std::move(*log));
    if (fit.curve.segments.empty() || !(fit.curve.seconds(1e6) >= 0))
        std::abort();
    return 0;
}
