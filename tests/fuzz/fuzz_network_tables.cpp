// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/background.h"
#include "engine/predict/overhead_pairs.h"

#include <cmath>
#include <cstdlib>

/// Any text yields a table or an Error; a table that was read passes its check and can be fitted.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    for (const auto &background : {syncopate::parseBackground(text), syncopate::parseBackgroundTable(text, "x.csv")})
        if (background ? !syncopate::checkBackground(*background) : background.error().what.empty())
            std::abort();
    const auto pairs = syncopate::parseOverheadPairs(text, "x.csv");
    if (!pairs)
        return pairs.error().what.empty() ? (std::abort(), 0) : 0;
    const syncopate::ParsingOverhead line = syncopate::fitOverhead(*pairs);
    if (!(line.secondsPerByte >= 0 && line.seconds >= 0) || !std::isfinite(line.of(1)))
        std::abort();
    return 0;
}
