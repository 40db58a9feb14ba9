// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/session/session_state.h"

#include <stop_token>

namespace syncopate::ui {

/// Path of the bundled profile, or "resnet50" of the catalogue where it is not installed.
[[nodiscard]] std::string sampleSource();

/// What A and B do when nothing was chosen yet: all-reduce as PyTorch's DDP does it, beside a balanced parameter server.
[[nodiscard]] std::array<SideState, 2> defaultSides();

/// `state` with the job that `source` names; a state without a cluster gets the catalogue's B7 and defaultSides().
[[nodiscard]] Result<SessionState> loadJobInto(SessionState state, const std::string &source, std::stop_token stop = {},
                                               Progress *progress = nullptr);
/// `state` with the cluster that `source` names: a catalogue name or a resource_spec.yml.
[[nodiscard]] Result<SessionState> loadClusterInto(SessionState state, const std::string &source);

} // namespace syncopate::ui
