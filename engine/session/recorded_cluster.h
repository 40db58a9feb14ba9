// SPDX-License-Identifier: GPL-3.0-or-later
// A profile was recorded on some machines. Simulated on others, without a word, the simulation beside it answers a question that
// was not asked. So the first cluster of a profile is the one that the profile tells of: its ranks and devices as recorded, its
// links as fast as its collectives show, and the rest assumed and said.
#pragma once

#include "engine/session/session_state.h"

namespace syncopate {

/// What calls the cluster of the loaded profile wherever a cluster has a name.
inline constexpr const char *recordedClusterName = "recorded";

/// The machines that a profile tells of: every device of a node holds a rank, and the last node may hold fewer. Links carry what
/// the fast ones of the recorded gradient all-reduces moved (bus bandwidth of a ring, 2 (n - 1) / n x bytes / seconds: waiting in
/// them makes it a lower bound). Its notes say what was read, inferred and assumed. Errors: the profile does not say how many
/// ranks there were.
[[nodiscard]] Result<Cluster> recordedCluster(const ImportedProfile &profile);

/// Where the profile of `state` was recorded and where it is simulated, in one or two sentences; empty without a profile.
[[nodiscard]] std::string clusterRemark(const SessionState &state);

} // namespace syncopate
