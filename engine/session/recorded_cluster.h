// SPDX-License-Identifier: GPL-3.0-or-later
// A profile was recorded on certain machines. If it were silently simulated on others, comparing the two would mean nothing. So
// the first cluster of a profile is the one that the profile describes: its ranks and devices as recorded, its links as fast as
// its collectives show, and the rest assumed and stated.
#pragma once

#include "engine/session/session_state.h"

#include <cstdint>
#include <string>
#include <vector>

namespace syncopate {

/// The name of the loaded profile's cluster, wherever clusters are named.
inline constexpr const char *recordedClusterName = "recorded";

/// How a fact about the recorded machines was obtained.
enum class Obtained : std::uint8_t { Read, Inferred, Assumed };
/// A fact about the recorded machines.
struct MachineNote {
    Obtained how;
    std::string text;                           ///< a sentence without `how`
    [[nodiscard]] std::string sentence() const; ///< "Inferred: links between nodes carry ..."
};
/// The notes of recordedCluster(), with the same errors.
[[nodiscard]] Result<std::vector<MachineNote>> notesOnMachines(const ImportedProfile &profile);

/// The machines that a profile describes: every device of a node holds a rank, and the last node may hold fewer. Links have the
/// 90th percentile of the rates of the recorded gradient all-reduces of 1 MiB and more (bus bandwidth of a ring, 2 (n - 1) / n x
/// bytes / seconds; waiting inside them makes it a lower bound). Its notes say what was read, inferred and assumed. Errors: the
/// profile does not say how many ranks there were.
[[nodiscard]] Result<Cluster> recordedCluster(const ImportedProfile &profile);

/// Where the profile of `state` was recorded and where it is simulated, in one or two sentences; empty without a profile.
[[nodiscard]] std::string clusterRemark(const SessionState &state);

} // namespace syncopate
