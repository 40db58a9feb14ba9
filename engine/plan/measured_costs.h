// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/collective/collective_log.h"
#include "engine/plan/motif_costs.h"

#include <cstdint>
#include <string>
#include <vector>

namespace syncopate {

/// The channels and processes that logs of collectives are read for: logs name no channel, but their number of ranks.
struct CostsPlace {
    std::vector<Channel> channels; ///< the times are those of their first links
    std::int32_t processes = 0;
};

/// The curves of whole collectives on `link`, the median for each size; longer messages take no less time than shorter ones. Logs
/// among another number of ranks are left out, and so are OSU's of kinds whose sizes are per pair of processes; `notes` says so.
/// Errors: nothing is left, a collective was measured twice.
[[nodiscard]] Result<std::vector<MotifCurve>> curvesOfLogs(const std::vector<CollectiveLog> &logs, const std::string &link,
                                                           std::int32_t processes, std::vector<std::string> &notes);

/// The costs of motifs by the cluster's figures and by its measured times of collectives (Cluster::collectives). The file names
/// no link for them, so they are taken where all channels begin with the same one, and only times among as many ranks as there
/// are processes; `notes` says which were left out, here or by a knob that changed the links (withoutStaleCurves()). Longer
/// messages take no less time than shorter ones: a point below the one before takes that one's time.
[[nodiscard]] MotifCosts costsOfCluster(const Cluster &cluster, const CostsPlace &place, std::vector<std::string> &notes);

/// Reads the costs of motifs. Each source is a table of readMotifCostsFile(), or a log of collectives as `calibrate` takes it
/// (readCollectiveLogFiles(): nccl-tests' text or -J, NCCL Inspector, OSU, vTrain; a file, or a folder of them). A log is of one
/// link: "LINK=PATH", or PATH alone where all channels have the same first link. Errors name the source; it is one if two sources
/// have the same collective on a link, or the slowdown of the same link.
[[nodiscard]] Result<MotifCosts> readMeasuredCosts(const std::vector<std::string> &sources, const CostsPlace &place,
                                                   std::vector<std::string> &notes);
/// Tells apart the contents of the files from which readMeasuredCosts() derives the costs for any place, by size and hash.
[[nodiscard]] std::vector<std::string> fingerprintsOf(const std::vector<std::string> &sources);

} // namespace syncopate
