// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A project that uses everything that its file stores, and equality of the project read with the one written.

#include "engine/job/job_file.h"
#include "engine/store/project_file.h"
#include "engine/strategy/builders.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>

namespace syncopate::testing {

/// A job of the catalogue, or of a file, on a cluster of the catalogue.
inline SessionState stateOf(const std::string &jobName, const std::string &cluster) {
    SessionState state;
    const auto loaded = loadJob(jobName);
    state.source = jobName;
    state.job = loaded->job;
    state.profile = loaded->profile;
    state.clusterSource = cluster;
    state.cluster = std::make_shared<const Cluster>(*catalogueCluster(cluster));
    state.sides = {SideState{Built{"AllReduce(chunk_size=128)"}, "ddp"},
                   SideState{Built{"PSLoadBalancing"}, "fifo(barrier=off)"}};
    return state;
}

/// Equal in value; pointers differ after reading.
inline bool same(const SessionState &a, const SessionState &b) {
    const auto sameValue = [](const auto &x, const auto &y) { return (!x && !y) || (x && y && *x == *y); };
    SessionState left = a, right = b;
    if (!a.job != !b.job || (a.job && writeJobText(*a.job) != writeJobText(*b.job)) || !sameValue(a.cluster, b.cluster))
        return false;
    for (std::size_t s = 0; s < 2; ++s) {
        auto *x = std::get_if<Edited>(&left.sides[s].source), *y = std::get_if<Edited>(&right.sides[s].source);
        if (!x != !y || (x && *x->strategy != *y->strategy) || !sameValue(a.sides[s].cluster, b.sides[s].cluster))
            return false;
        if (x)
            x->strategy = y->strategy;
        left.sides[s].cluster = right.sides[s].cluster = nullptr;
    }
    left.job = right.job = nullptr;
    left.cluster = right.cluster = nullptr;
    left.profile = right.profile = nullptr;
    return left == right;
}

/// A search as it was when stopped: builders that cannot build, trials that cannot be simulated, the strategies of some.
inline SearchState someSearch(const SessionState &searched) {
    SearchState search;
    search.plan = {searched,      "random(parts=3..17,slack=4096.5,merge=off)",
                   "simulated()", SearchObjective::ExposedCommunication,
                   2147483647,    70};
    search.plan.state.side(Side::A).policy = "tic";
    CandidateMetrics none, all{0.1, 0.01, 1.0 / 7, 1.0 / 3, 0.2, 1234.5, 1, 2, 3, 4, 5, 6.5e9, 7.25};
    const auto strategy = std::make_shared<const Strategy>(*buildStrategy("AllReduce", *searched.job, *searched.cluster));
    search.history.baselines = {{"AllReduce", all, strategy, ""}, {"Parallax", none, nullptr, "no server; add one"}};
    for (std::uint64_t t = 0; t < 40; ++t) {
        all.iterationSeconds = 1.0 / static_cast<double>(t + 3);
        search.history.trials.push_back(
            {t, {{t, ~t}, {1.0 / static_cast<double>(t + 3)}}, t % 7 == 3 ? none : all, t % 7 == 3 ? "cannot \"be\"" : ""});
    }
    search.history.stopped = true;
    search.history.phases = {{0, 10, "predefined()", 0.7, none.iterationSeconds, {0.5, none.iterationSeconds, 1}, 0, 0, 0},
                             {10, 10, "rnn()", 0.9, 1, {0.25, 0.75, 1}, 0.125, 30, 200}};
    for (SearchTrial &trial : search.history.trials)
        trial.strategy = {~trial.trial, 1 + trial.trial};
    search.tuned = {{"AllReduce", "AllReduce(chunk_size=32)", all}, {"PS", "PS(local_replication=True)", none}};
    search.isTuned = true;
    search.boundSeconds = 1.0 / 3;
    search.pins = {-2, 0, 39};
    return search;
}

inline Project fullProject() {
    Project project;
    project.present = stateOf("vgg16", "B7");
    SessionState &state = project.present;
    state.clusterEdited = true;
    state.bandwidthGbits = 12.3456789;
    state.latencySeconds = 1.0 / 3e5;
    state.workers = 7;
    state.servers = 3;
    state.compare = false;
    Strategy edited = *buildStrategy("PSLoadBalancing", *state.job, *state.cluster);
    edited.nodes[1].synchronizer.transferDestination = "10.0.0.1:GPU:0";
    edited.nodes[2].synchronizer.staleness = 3;
    state.sides[1].source = Edited{std::make_shared<const Strategy>(edited), Built{"PSLoadBalancing"}, "trial 17, edited"};
    state.sides[0].clusterSource = "somewhere/x.yml";
    state.sides[0].cluster = std::make_shared<const Cluster>(withBandwidth(*catalogueCluster("A2"), 7.7));
    KeptScenario kept{"before \"the\" change\n", "two\nlines, ünïcode", 1700000000, state, {0.25, {}}};
    kept.state.sides[1].source = Built{"PSLoadBalancing"};
    kept.state.bandwidthGbits.reset();
    project.scenarios = {kept, {"other job", "", -5, stateOf("alexnet", "A2"), {}}};
    project.views = {{"timeline", R"({"from":1.5})"}, {"empty", ""}};
    project.search = std::make_shared<const SearchState>(someSearch(project.scenarios[0].state));
    return project;
}

inline bool sameNumber(double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); }

/// Equal in every figure, with NaN equal to NaN.
inline bool same(const CandidateMetrics &a, const CandidateMetrics &b) {
    return sameNumber(a.iterationSeconds, b.iterationSeconds) && sameNumber(a.confidence, b.confidence) &&
           sameNumber(a.spreadSeconds, b.spreadSeconds) && sameNumber(a.exposedSeconds, b.exposedSeconds) &&
           sameNumber(a.communicationSeconds, b.communicationSeconds) && sameNumber(a.samplesPerSecond, b.samplesPerSecond) &&
           a.psVariables == b.psVariables && a.partitionedVariables == b.partitionedVariables && a.shards == b.shards &&
           a.servers == b.servers && a.groups == b.groups && a.psBytes == b.psBytes &&
           a.largestServerBytes == b.largestServerBytes;
}

inline bool same(const SearchState &a, const SearchState &b) {
    const auto sameBaseline = [](const SearchBaseline &x, const SearchBaseline &y) {
        return x.builder == y.builder && same(x.metrics, y.metrics) && x.error == y.error && !x.strategy == !y.strategy &&
               (!x.strategy || *x.strategy == *y.strategy);
    };
    const auto sameTrial = [](const SearchTrial &x, const SearchTrial &y) {
        return x.trial == y.trial && x.genes == y.genes && same(x.metrics, y.metrics) && x.error == y.error &&
               x.strategy == y.strategy;
    };
    const auto sameTuned = [](const TunedBaseline &x, const TunedBaseline &y) {
        return x.builder == y.builder && x.expression == y.expression && same(x.metrics, y.metrics);
    };
    const auto samePhase = [](const SearchPhase &x, const SearchPhase &y) {
        return x.firstTrial == y.firstTrial && x.trials == y.trials && x.ranker == y.ranker &&
               sameNumber(x.pairAccuracy, y.pairAccuracy) && sameNumber(x.topRecall, y.topRecall) &&
               std::equal(x.bucketAccuracy.begin(), x.bucketAccuracy.end(), y.bucketAccuracy.begin(), sameNumber) &&
               x.learnSeconds == y.learnSeconds && x.rejected == y.rejected && x.proposed == y.proposed;
    };
    return same(a.plan.state, b.plan.state) && a.plan.method == b.plan.method && a.plan.judge == b.plan.judge &&
           a.plan.objective == b.plan.objective && a.plan.seed == b.plan.seed && a.plan.trials == b.plan.trials &&
           a.pins == b.pins && a.history.stopped == b.history.stopped && a.history.enough == b.history.enough &&
           a.isTuned == b.isTuned && a.boundSeconds == b.boundSeconds &&
           std::equal(a.tuned.begin(), a.tuned.end(), b.tuned.begin(), b.tuned.end(), sameTuned) &&
           std::equal(a.history.phases.begin(), a.history.phases.end(), b.history.phases.begin(), b.history.phases.end(),
                      samePhase) &&
           std::equal(a.history.baselines.begin(), a.history.baselines.end(), b.history.baselines.begin(),
                      b.history.baselines.end(), sameBaseline) &&
           std::equal(a.history.trials.begin(), a.history.trials.end(), b.history.trials.begin(), b.history.trials.end(),
                      sameTrial);
}

inline bool same(const Project &a, const Project &b) {
    if (!same(a.present, b.present) || a.scenarios.size() != b.scenarios.size() || a.views != b.views || !a.search != !b.search ||
        (a.search && !same(*a.search, *b.search)))
        return false;
    for (std::size_t i = 0; i < a.scenarios.size(); ++i)
        if (a.scenarios[i].name != b.scenarios[i].name || a.scenarios[i].note != b.scenarios[i].note ||
            a.scenarios[i].keptAt != b.scenarios[i].keptAt ||
            a.scenarios[i].iterationSeconds != b.scenarios[i].iterationSeconds ||
            !same(a.scenarios[i].state, b.scenarios[i].state))
            return false;
    return true;
}

} // namespace syncopate::testing
