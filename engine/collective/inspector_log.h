// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/collective/collective_log.h"

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// Whether the text begins like a log of NCCL's Inspector plugin.
[[nodiscard]] bool isInspectorLog(std::string_view text);

/// Puts together the logs of NCCL's Inspector plugin (NVIDIA/nccl plugins/profiler/inspector, formats v4.0 to v4.3): JSON lines,
/// a file for each process. A collective is known by its communicator and number, and its duration on a rank includes waiting for
/// the slowest rank: the shortest over the ranks is taken for the transfer, which holds where all ranks' files are given. From
/// v4.3 on header and metadata stand on a line of their own, for those that follow. Point-to-point and proxy records are skipped;
/// gaps are normal.
class InspectorLogs {
public:
    /// Adds a file. A last line that is cut off is left out, with a note. Errors name file and line: a line that is not JSON,
    /// values out of range, a collective before any header.
    Result<void> add(std::string_view text, const std::string &file);
    /// A log for each collective, number of ranks and of nodes, sizes as nccl-tests counts them; an error for those with fewer
    /// than three measurements.
    [[nodiscard]] std::vector<Result<CollectiveLog>> finish() const;

private:
    struct Group {
        CollectiveKind kind;
        std::int32_t ranks, nodes;
        auto operator<=>(const Group &) const = default;
    };
    struct Collective {
        std::string communicator;
        std::int64_t number;
        double bytes;
        auto operator<=>(const Collective &) const = default;
    };
    struct Header {
        std::string communicator;
        std::int32_t ranks = 0, nodes = 0;
    };
    class Lines;
    std::map<Group, std::map<Collective, double>> m_seconds;
    std::map<Group, std::string> m_source; ///< the first file
    std::vector<std::string> m_notes;
    std::size_t m_count = 0;
};

} // namespace syncopate
