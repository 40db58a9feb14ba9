// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/collective/collective_log.h"
#include "engine/plan/motif_costs.h"

#include <cstdint>
#include <string>
#include <vector>

namespace syncopate {

/// Where logs of collectives belong: they name no channel, and say among how many ranks they were measured.
struct CostsPlace {
    std::vector<Channel> channels; ///< whose first links the times are of
    std::int32_t processes = 0;
};

/// The curves of whole collectives on `link`, of each size the median; longer messages take no less time than shorter ones. Logs
/// among another number of ranks are left out, and OSU's of kinds whose sizes are of one pair of processes; `notes` says so.
/// Errors: nothing is left, a collective was measured twice.
[[nodiscard]] Result<std::vector<MotifCurve>> curvesOfLogs(const std::vector<CollectiveLog> &logs, const std::string &link,
                                                           std::int32_t processes, std::vector<std::string> &notes);

/// What motifs cost by the cluster's figures, and by its measured times of collectives (Cluster::collectives). The file names no
/// link for them, so they are taken where all channels begin with the same one, and only times among as many ranks as there are
/// processes; `notes` says what was left out, here or by a knob that changed the links (withoutStaleCurves()). Longer messages
/// take no less time than shorter ones: a point below the one before takes that one's time.
[[nodiscard]] MotifCosts costsOfCluster(const Cluster &cluster, const CostsPlace &place, std::vector<std::string> &notes);

/// Reads what motifs cost. Each source is a table of readMotifCostsFile(), or a log of collectives as `calibrate` takes it
/// (readCollectiveLogFiles(): nccl-tests' text or -J, NCCL Inspector, OSU, vTrain; a file, or a folder of them). A log is of one
/// link: "LINK=PATH", or PATH alone where all channels have the same first link. Errors name the source.
[[nodiscard]] Result<MotifCosts> readMeasuredCosts(const std::vector<std::string> &sources, const CostsPlace &place,
                                                   std::vector<std::string> &notes);

} // namespace syncopate
