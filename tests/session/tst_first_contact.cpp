// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/first_contact.h"
#include "engine/session/recorded_cluster.h"
#include "engine/simulate/measured_run.h"
#include "engine/simulate/run.h"
#include "tests/checks.h"
#include "tests/files.h"
#include "tests/profile/tiny_trace.h"

#include <QtTest>

using namespace syncopate;

namespace {

/// The tiny trace: two ranks, a step of two layers with a gradient all-reduce each.
SessionState opened(const std::string &trace = tiny::trace()) {
    SessionState state;
    state.profile = *tiny::import(trace);
    state.job = std::make_shared<const Job>(state.profile->job);
    state.cluster = std::make_shared<const Cluster>(uniformCluster(3, 1));
    state.clusterSource = "three";
    return state;
}

/// The iteration of data-parallel all-reduce on `cluster`, computed without the function under test.
double simulatedOn(const SessionState &state, const Cluster &cluster) {
    SessionState own = state;
    own.cluster = std::make_shared<const Cluster>(cluster);
    own.side(Side::A) = {Built{"AllReduce(chunk_size=128)"}, "ddp"};
    return (*simulate(*makeScenario(own, Side::A)))->iterationSeconds;
}

} // namespace

class TestFirstContact : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void factsAreSortedByHowTheyAreKnown() {
        const SessionState state = opened();
        const ProfileFacts facts = profileFacts(*state.profile);
        QVERIFY(testing::mentions(facts.read, "2 ranks without accelerators"));
        QVERIFY(!state.profile->read.empty() && !state.profile->inferred.empty());
        for (const std::string &line : state.profile->read)
            QVERIFY(testing::mentions(facts.read, line));
        for (const std::string &line : state.profile->inferred)
            QVERIFY(testing::mentions(facts.inferred, line));
        QVERIFY(testing::mentions(facts.missing, "Assumed: 2 nodes, as every rank has a node of its own"));
        QVERIFY(!testing::mentions(facts.missing, "sizes"));
        QVERIFY(!testing::mentions(facts.missing, "Read:") && !testing::mentions(facts.read, "Assumed:"));
    }

    void whatIsMissingIsSaid() {
        ImportedProfile profile = *opened().profile;
        profile.job.variables.clear();
        profile.platform = {};
        profile.jobStep = -1;
        const ProfileFacts facts = profileFacts(profile);
        QVERIFY(testing::mentions(facts.missing, "does not state the sizes"));
        QVERIFY(testing::mentions(facts.missing, "choose the cluster that it was recorded on"));
        QVERIFY(testing::mentions(facts.missing, "no single training step"));
    }

    /// A recording without a training step is not simulated: neither sizes nor machines are missing for that.
    void aRecordingLacksItsStepAlone() {
        ImportedProfile profile = *opened().profile;
        profile.job.layers.clear();
        profile.job.variables.clear();
        profile.job.notes = {"This is a trace without a training step."};
        profile.platform = {};
        profile.jobStep = -1;
        QCOMPARE(profileFacts(profile).missing, (std::vector<std::string>{"This is a trace without a training step."}));
    }

    /// The check uses the machines named in the profile, whichever cluster the session is simulated on.
    void theStepIsCheckedOnItsOwnMachines() {
        SessionState state = opened();
        state.bandwidthGbits = 0.001; // knobs do not affect the check
        const auto check = checkStep(state);
        VERIFY_VALUE(check);
        state.bandwidthGbits.reset();
        const double measured = measuredRecording(state.profile, state.job)->iterationSeconds;
        const double simulated = simulatedOn(state, *recordedCluster(*state.profile));
        QCOMPARE(check->measuredSeconds, measured);
        QCOMPARE(check->simulatedSeconds, simulated);
        COMPARE_CLOSE(check->error(), (simulated - measured) / measured, 1e-12);
        QVERIFY(check->ownMachines && check->synchronises);
        COMPARE_ABOVE(std::abs(simulated / simulatedOn(state, *state.cluster) - 1), 1e-3); // the other one differs
    }

    /// A calibrated cluster is checked, not the one originally recorded.
    void theSharedRecordedClusterIsTaken() {
        SessionState state = opened();
        Cluster slower = *recordedCluster(*state.profile);
        for (Node &node : slower.nodes)
            node.bandwidthBytesPerSecond /= 1000;
        state.cluster = std::make_shared<const Cluster>(slower);
        state.clusterSource = recordedClusterName;
        const auto check = checkStep(state);
        VERIFY_VALUE(check);
        QCOMPARE(check->simulatedSeconds, simulatedOn(state, slower));
        QCOMPARE(check->cluster, std::string(recordedClusterName));
    }

    void withoutMachinesTheChosenClusterStandsIn() {
        SessionState state = opened();
        auto nameless = std::make_shared<ImportedProfile>(*state.profile);
        nameless->platform = {};
        state.profile = nameless;
        const auto check = checkStep(state);
        VERIFY_VALUE(check);
        QVERIFY(!check->ownMachines);
        QCOMPARE(check->cluster, std::string("three"));
        QCOMPARE(check->simulatedSeconds, simulatedOn(state, *state.cluster));
    }

    void whatCannotBeCheckedSaysWhy() {
        QVERIFY(!checkStep({}).has_value());
        SessionState state = opened();
        auto stepless = std::make_shared<ImportedProfile>(*state.profile);
        stepless->jobStep = -1;
        state.profile = stepless;
        const auto check = checkStep(state);
        QVERIFY(!check && check.error().what.find("no single training step") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestFirstContact)
#include "tst_first_contact.moc"
