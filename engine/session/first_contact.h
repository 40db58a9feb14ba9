// SPDX-License-Identifier: GPL-3.0-or-later
// A simulation of other machines can only be trusted as far as the simulation of the profile's own machines. So an opened profile
// is first compared with itself: its step is simulated on the machines that it names, and the error says how far to trust further
// predictions.
#pragma once

#include "engine/session/session_state.h"

#include <array>
#include <stop_token>
#include <string>
#include <vector>

namespace syncopate {

/// The facts of a profile about its job and its machines, one sentence each.
struct ProfileFacts {
    std::vector<std::string> read;     ///< found in the file
    std::vector<std::string> inferred; ///< concluded from it
    std::vector<std::string> missing;  ///< absent from the file: left out, or assumed
};
[[nodiscard]] ProfileFacts profileFacts(const ImportedProfile &profile);

/// The first two sides of a profile: A its measurement, B its simulation with data-parallel all-reduce in buckets, as in
/// DistributedDataParallel.
[[nodiscard]] std::array<SideState, 2> firstContactSides();

/// `state` with a simulation in B, and B shown: its own if it is simulated already, else that of firstContactSides().
[[nodiscard]] SessionState withSimulatedStep(SessionState state);

/// The measured step beside its simulation.
struct StepCheck {
    double measuredSeconds = 0, simulatedSeconds = 0;
    std::string cluster;       ///< simulated on this cluster, as clusterTitle() names it
    bool ownMachines = false;  ///< the profile names that cluster's machines; else they were chosen for it
    bool synchronises = false; ///< gradients of a known size are exchanged in the simulation
    [[nodiscard]] double error() const { return simulatedSeconds / measuredSeconds - 1; }
};
/// Simulates the step of the profile of `state` as B of firstContactSides() does, with no knob turned: on the recorded cluster,
/// with its calibration and edits if it is the shared cluster; on the shared cluster where the profile does not name its
/// machines. Errors: no profile or no cluster, no marked training step, those of simulate().
[[nodiscard]] Result<StepCheck> checkStep(const SessionState &state, const std::stop_token &stop = {});

} // namespace syncopate
