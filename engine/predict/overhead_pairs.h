// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/predict/reconstruct.h"

#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// Pairs from a capture (section 3.2.1): a CSV table, plain or gzip, with at least the columns bytes, arrived_us (last byte of
/// the tensor at the receiving machine) and end_us (end of its op); the overhead is the difference. Both directions count.
/// Errors name file and line: an end before its arrival, a field that is not a number, no line at all, more than a million lines
/// or 64 MiB.
[[nodiscard]] Result<std::vector<OverheadPair>> readOverheadPairs(const std::string &path);
/// The same from the table's text.
[[nodiscard]] Result<std::vector<OverheadPair>> parseOverheadPairs(std::string_view text, const std::string &file = {});

/// Residuals of pairs from a line: |overhead - line|, seconds.
struct OverheadResiduals {
    double median = 0, percentile95 = 0, maximum = 0;
};
[[nodiscard]] OverheadResiduals residualsOf(const std::vector<OverheadPair> &pairs, const ParsingOverhead &overhead);

} // namespace syncopate
