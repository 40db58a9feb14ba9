// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/first_contact.h"

#include "engine/profile/recording/recording.h"
#include "engine/session/recorded_cluster.h"
#include "engine/simulate/measured_run.h"
#include "engine/simulate/run.h"

#include <utility>

namespace syncopate {

namespace {

std::vector<std::string> &listOf(Obtained how, ProfileFacts &facts) {
    switch (how) {
    case Obtained::Read:
        return facts.read;
    case Obtained::Inferred:
        return facts.inferred;
    case Obtained::Assumed:
        break;
    }
    return facts.missing;
}

} // namespace

ProfileFacts profileFacts(const ImportedProfile &profile) {
    ProfileFacts facts{profile.read, profile.inferred, {}};
    if (isRecordingOnly(profile.job)) { // nothing is simulated, so no sizes or machines are needed
        facts.missing.push_back(whyNoJob(profile.job));
        return facts;
    }
    if (std::string sizes = missingSizes(profile); !sizes.empty())
        facts.missing.push_back(std::move(sizes));
    if (profile.jobStep < 0)
        facts.missing.emplace_back("The profile marks no single training step that the job was made from: the simulation is not "
                                   "compared with a measured step.");
    if (const auto notes = notesOnMachines(profile))
        for (const MachineNote &note : *notes)
            listOf(note.how, facts).push_back("Machines. " + note.sentence());
    else
        facts.missing.emplace_back("The profile does not say how many ranks on which machines trained together: choose the "
                                   "cluster that it was recorded on.");
    return facts;
}

std::array<SideState, 2> firstContactSides() {
    return {SideState{Measured{}, "ddp"}, SideState{Built{"AllReduce(chunk_size=128)"}, "ddp"}};
}

SessionState withSimulatedStep(SessionState state) {
    SideState &b = state.side(Side::B);
    if (!b.hasScenario()) {
        const SideState simulated = firstContactSides()[indexOf(Side::B)];
        b.source = simulated.source;
        b.policy = simulated.policy;
    }
    state.compare = true;
    return state;
}

Result<StepCheck> checkStep(const SessionState &state, const std::stop_token &stop) {
    if (!state.profile || !state.cluster)
        return fail("no profile is loaded", "open a profile");
    const ImportedProfile &profile = *state.profile;
    const MeasuredStep measured = measuredStep(profile);
    if (profile.jobStep < 0 || !(measured.lengthSeconds > 0))
        return fail("the profile marks no single training step to compare the simulation with",
                    "record at least one complete step, marked by the profiler", profile.file);
    SessionState simulated;
    simulated.job = state.job;
    simulated.sides = firstContactSides();
    StepCheck check;
    auto recorded = recordedCluster(profile);
    check.ownMachines = recorded.has_value();
    const bool shared = !recorded || state.clusterSource == recordedClusterName;
    simulated.cluster = shared ? state.cluster : std::make_shared<const Cluster>(*std::move(recorded));
    check.cluster = shared ? clusterTitle(state.clusterSource) : recordedClusterName;
    const auto run = TRY(simulate(TRY(makeScenario(simulated, Side::B)), stop));
    check.measuredSeconds = measured.lengthSeconds;
    check.simulatedSeconds = run->iterationSeconds;
    check.synchronises = !simulated.job->variables.empty() && run->workers > 1;
    return check;
}

} // namespace syncopate
