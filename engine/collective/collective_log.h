// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/job/job.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

struct CollectiveSample {
    double sizeBytes = 0;
    double seconds = 0;
    bool operator==(const CollectiveSample &) const = default;
};

/// Measured times of one collective over sizes.
struct CollectiveLog {
    std::string source; ///< file
    std::string tool;   ///< "nccl-tests", "OSU", "vTrain"
    CollectiveKind kind = CollectiveKind::AllReduce;
    std::int32_t ranks = 0;                ///< 0 = the log does not say
    std::vector<CollectiveSample> samples; ///< by size, positive sizes and times; several of one size stay
    std::vector<std::string> notes;        ///< what was inferred or left out
};

/// nccl-tests and rccl-tests tables (columns by the title line, mpirun's prefixes and interleaved lines left out; the
/// out-of-place time), OSU latency tables, vTrain's look-up tables (reference formats, section 7). The collective is the one
/// that the table or the file's name says. Errors name line and remedy; a table of bandwidths without sizes is refused.
[[nodiscard]] Result<CollectiveLog> readCollectiveLogText(std::string_view text, const std::string &file = {});
[[nodiscard]] Result<CollectiveLog> readCollectiveLogFile(const std::string &path);

} // namespace syncopate
