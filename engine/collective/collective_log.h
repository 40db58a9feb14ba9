// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/job/job.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// One measured size of a collective.
struct CollectiveSample {
    double sizeBytes = 0;
    double seconds = 0;
    bool operator==(const CollectiveSample &) const = default;
};

/// Measured times of one collective over sizes.
struct CollectiveLog {
    std::string source; ///< file
    std::string tool;   ///< "nccl-tests", "OSU", "vTrain", "NCCL Inspector"
    CollectiveKind kind = CollectiveKind::AllReduce;
    std::int32_t ranks = 0;                ///< 0 = the log does not say
    std::int32_t nodes = 0;                ///< that the ranks ran on; 0 = the log does not say
    std::vector<CollectiveSample> samples; ///< by size, positive sizes and times; several of one size stay
    std::vector<std::string> notes;        ///< what was inferred or left out
};

/// Whether the sizes are those of nccl-tests, of the whole buffer. OSU's of all-gathers and all-to-alls are for one pair of
/// processes; osu_reduce_scatter divides its size among them.
[[nodiscard]] bool hasWholeSizes(const CollectiveLog &log);
inline constexpr const char *pairSizesRemark = "OSU's sizes of it are for one pair of processes";

/// The inputs that errors advise where logs of collectives are expected.
inline constexpr const char *readCollectiveLogKinds = "logs of nccl-tests, NCCL Inspector or OSU, or vTrain tables";

/// nccl-tests and rccl-tests tables (columns by the title line, mpirun's prefixes and interleaved lines left out; the
/// out-of-place time), nccl-tests' JSON (nccl_json.h), OSU latency tables, vTrain's look-up tables. The collective is named by
/// the table, by the file or by a folder that it is in. Errors name line and remedy; a table of bandwidths without sizes is
/// refused.
[[nodiscard]] Result<CollectiveLog> readCollectiveLogText(std::string_view text, const std::string &file = {});
[[nodiscard]] Result<CollectiveLog> readCollectiveLogFile(const std::string &path);

/// The logs that were read from several files, and why other files were refused.
struct CollectiveLogs {
    std::vector<CollectiveLog> logs;
    std::vector<Error> notRead;
};
/// Reads all files, plain or gzip and at most 64 MiB of text, each a log of one collective or NCCL Inspector's log of one process
/// (inspector_log.h); the processes' are put together, one log for each collective, number of ranks and of nodes.
[[nodiscard]] CollectiveLogs readCollectiveLogFiles(const std::vector<std::string> &files);

/// The file `path`, or all files in and below the folder `path`, sorted. Errors: it cannot be read, or holds over 100000 files.
[[nodiscard]] Result<std::vector<std::string>> filesBelow(const std::string &path);

} // namespace syncopate
