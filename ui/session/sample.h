// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/session/session_state.h"

#include <stop_token>

namespace syncopate::ui {

/// Path of the bundled profile, or "resnet50" of the catalogue if it is not installed.
[[nodiscard]] std::string sampleSource();

/// The sides as long as nothing was chosen: all-reduce as in PyTorch's DDP, and a balanced parameter server.
[[nodiscard]] std::array<SideState, 2> defaultSides();
/// The sides that a job opens with. If nothing was chosen, a profile shows its step as measured beside its simulation
/// (firstContactSides()), the sample and everything else defaultSides(); chosen sides stay.
[[nodiscard]] std::array<SideState, 2> openingSides(const SessionState &state);

/// `state` with the job that `source` names, and defaultSides() if nothing was chosen. A state without a cluster, or with one
/// that came with another job, gets the job's cluster: the sample's own, the one recorded in a profile (recordedCluster()), or
/// the catalogue's B7.
[[nodiscard]] Result<SessionState> loadJobInto(SessionState state, const std::string &source, const ImportOptions &options = {},
                                               std::stop_token stop = {}, Progress *progress = nullptr);
/// `state` with the training DAG that `source` names as its job, and a plan of it on either side: by the planner or plan file of
/// `planners`; if that is empty, A's by FIFO and B's by SYNDICATE (by S-Sched for more than a thousand ops, as a search would
/// take long). It is planned for the cluster that `cluster` names; if that is empty, for the present one, unless it came with
/// another job: then for SYNDICATE's if the DAG is the catalogue's, else for the catalogue's B7.
[[nodiscard]] Result<SessionState> loadDagInto(SessionState state, const std::string &source, const std::string &cluster = {},
                                               const std::array<std::string, 2> &planners = {}, const std::stop_token &stop = {});
/// Whether the state's cluster came with a job rather than by the user's choice, as far as its name tells: a new job does not
/// inherit such a cluster.
[[nodiscard]] bool isClusterOfJob(const SessionState &state);
/// What to tell the user about the cluster a profile is simulated on: clusterRemark(), empty for the sample on its own cluster.
[[nodiscard]] std::string remarkOnCluster(const SessionState &state);
/// `state` with the cluster that `source` names: a catalogue name, a resource_spec.yml, or the profile's own
/// (recordedClusterName).
[[nodiscard]] Result<SessionState> loadClusterInto(SessionState state, const std::string &source);
/// The same for a side's own cluster; the state as it is where the side has that cluster already.
[[nodiscard]] Result<SessionState> loadSideCluster(SessionState state, Side side, const std::string &source);

} // namespace syncopate::ui
