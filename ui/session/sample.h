// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/session/session_state.h"

#include <stop_token>

namespace syncopate::ui {

/// Path of the bundled profile, or "resnet50" of the catalogue where it is not installed.
[[nodiscard]] std::string sampleSource();

/// What A and B do when nothing was chosen yet: all-reduce as PyTorch's DDP does it, beside a balanced parameter server.
[[nodiscard]] std::array<SideState, 2> defaultSides();
/// The sides that a job shows when it is opened: where nothing was chosen, a profile's step as measured beside its simulation
/// (firstContactSides()), and defaultSides() of the sample and of everything else; what was chosen stays.
[[nodiscard]] std::array<SideState, 2> openingSides(const SessionState &state);

/// `state` with the job that `source` names, and defaultSides() where nothing was chosen. A state without a cluster, or with one
/// that came with another job, gets the cluster of the job: the sample's own, what a profile tells of its machines
/// (recordedCluster()), or the catalogue's B7.
[[nodiscard]] Result<SessionState> loadJobInto(SessionState state, const std::string &source, const ImportOptions &options = {},
                                               std::stop_token stop = {}, Progress *progress = nullptr);
/// What to tell the user of where a profile is simulated: clusterRemark(), nothing of the sample on its own cluster.
[[nodiscard]] std::string remarkOnCluster(const SessionState &state);
/// `state` with the cluster that `source` names: a catalogue name, a resource_spec.yml, or the profile's own
/// (recordedClusterName).
[[nodiscard]] Result<SessionState> loadClusterInto(SessionState state, const std::string &source);

} // namespace syncopate::ui
