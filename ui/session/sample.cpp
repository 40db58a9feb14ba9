// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/sample.h"

#include "engine/cluster/cluster_file.h"
#include "engine/plan/dag_catalogue.h"
#include "engine/profile/recording/recording.h"
#include "engine/session/dag_job.h"
#include "engine/session/first_contact.h"
#include "engine/session/recorded_cluster.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <utility>

namespace syncopate::ui {

namespace {
constexpr const char *sampleFile = "resnet50_cpu_gloo_rank0.json.gz";
constexpr const char *defaultCluster = "B7";
constexpr const char *dagCluster = "syndicate"; ///< of the catalogue's training DAGs
constexpr std::size_t largeDagOps = 1000;       ///< a search plans more for seconds
/// The sample profile's CPU steps take seconds, so it runs on an Ethernet of matching speed.
constexpr const char *sampleCluster = "cluster_8x1gbe.yml";

/// The cluster that comes with the sample, if `source` is the sample; else empty.
std::string clusterOfSample(const std::string &source) {
    const QFileInfo file(QString::fromStdString(source));
    const QFileInfo beside(file.dir(), QLatin1String(sampleCluster));
    return file.fileName() == QLatin1String(sampleFile) && beside.isReadable() ? beside.filePath().toStdString() : std::string();
}
} // namespace

bool isClusterOfJob(const SessionState &state) {
    return !state.clusterEdited &&
           (state.clusterSource == recordedClusterName || state.clusterSource == defaultCluster ||
            state.clusterSource == dagCluster ||
            QFileInfo(QString::fromStdString(state.clusterSource)).fileName() == QLatin1String(sampleCluster));
}

std::string sampleSource() {
    const QDir application(QCoreApplication::applicationDirPath());
    // The installed copy first: a packaged build must not use the folder it was built in.
    for (const QString &folder :
         {application.filePath(QStringLiteral("../share/syncopate")), QStringLiteral(SYNCOPATE_SAMPLE_DIR)}) {
        const QFileInfo file{QDir(folder), QLatin1String(sampleFile)};
        if (file.isReadable())
            return file.canonicalFilePath().toStdString();
    }
    return "resnet50";
}

std::array<SideState, 2> defaultSides() {
    return {SideState{Built{"AllReduce(chunk_size=128)"}, "ddp"}, SideState{Built{"PSLoadBalancing"}, "fifo(barrier=off)"}};
}

std::array<SideState, 2> openingSides(const SessionState &state) {
    if (state.sides != defaultSides() && state.sides != firstContactSides())
        return state.sides;
    const bool measured = state.profile && state.profile->jobStep >= 0 && !state.profile->timeline.lanes.empty();
    return measured && clusterOfSample(state.source).empty() ? firstContactSides() : defaultSides();
}

Result<SessionState> loadJobInto(SessionState state, const std::string &source, const ImportOptions &options,
                                 std::stop_token stop, Progress *progress) {
    auto loaded = TRY(loadJobOrRecording(source, options, std::move(stop), progress));
    const bool isChosenFirst = state.cluster && !state.job; // before any job it can only be the user's choice
    const bool wasRecording = state.job && isRecordingOnly(*state.job);
    state.source = source;
    state.job = loaded.job;
    state.profile = loaded.profile;
    if (state.sides[0].source == Source() || wasRecording) {
        state.sides = defaultSides();
        state.compare = state.compare || wasRecording;
    }
    if (isRecordingOnly(*state.job)) { // there is nothing to compare it with
        state.sides[0].source = Measured{};
        state.compare = false;
    }
    if (isChosenFirst || (state.cluster && !isClusterOfJob(state)))
        return state;
    std::string clusterName = clusterOfSample(source);
    if (clusterName.empty())
        clusterName = state.profile && recordedCluster(*state.profile) ? recordedClusterName : defaultCluster;
    const auto before = state.cluster;
    auto next = TRY(loadClusterInto(std::move(state), clusterName));
    if (before && *before == *next.cluster)
        next.cluster = before; // the machines are unchanged: knobs stay as they are
    return next;
}

Result<SessionState> loadDagInto(SessionState state, const std::string &source, const std::string &cluster,
                                 const std::array<std::string, 2> &planners, const std::stop_token &stop) {
    const bool isChosenFirst = state.cluster && !state.job; // before any job it can only be the user's choice
    if (!cluster.empty() || !state.cluster || (!isChosenFirst && isClusterOfJob(state))) {
        const char *const usual = isCatalogueDag(source) ? dagCluster : defaultCluster;
        state = TRY(loadClusterInto(std::move(state), cluster.empty() ? usual : cluster));
        state.clusterEdited = false;
        static_cast<ClusterKnobs &>(state) = {};
    }
    const auto dag = std::make_shared<const TrainingDag>(TRY(loadTrainingDag(source, withKnobs(*state.cluster, state))));
    state.compare = state.compare || (state.job && isRecordingOnly(*state.job) && !showsDag(state));
    state.source = source;
    state.job = jobOfDag(dag->name);
    state.profile = nullptr;
    state.sides = {};
    const char *const found = dag->ops.size() > largeDagOps ? "sched" : "syndicate";
    const std::array<const char *, 2> usual{usualPlanner, found};
    for (const Side side : {Side::A, Side::B}) {
        const std::string &planner = planners[indexOf(side)];
        state.side(side).source = TRY(plannedBy(state, side, dag, planner.empty() ? usual[indexOf(side)] : planner, stop));
        state.side(side).policy = defaultSides()[indexOf(side)].policy;
    }
    return state;
}

std::string remarkOnCluster(const SessionState &state) {
    return state.clusterSource == clusterOfSample(state.source) ? std::string() : clusterRemark(state);
}

Result<SessionState> loadClusterInto(SessionState state, const std::string &source) {
    if (source == recordedClusterName) {
        if (!state.profile)
            return fail("no profile is loaded that was recorded anywhere", "open a profile, or choose a cluster");
        state.cluster = std::make_shared<const Cluster>(TRY(recordedCluster(*state.profile)));
        state.clusterSource = source;
        return state;
    }
    const auto &known = catalogueClusters();
    const bool catalogued = std::any_of(known.begin(), known.end(), [&](const CatalogueCluster &c) { return c.name == source; });
    const bool file = source.ends_with(".yml") || source.ends_with(".yaml") || QFileInfo::exists(QString::fromStdString(source));
    auto cluster = TRY(file && !catalogued ? readClusterFile(source) : catalogueCluster(source));
    state.clusterSource = source;
    state.cluster = std::make_shared<const Cluster>(std::move(cluster));
    return state;
}

Result<SessionState> loadSideCluster(SessionState state, Side side, const std::string &source) {
    SessionState alone; // keep the profile that "recorded" is made from
    alone.profile = state.profile;
    const auto loaded = TRY(loadClusterInto(std::move(alone), source));
    SideState &target = state.side(side);
    if (!target.cluster || *target.cluster != *loaded.cluster)
        target.cluster = loaded.cluster;
    target.clusterSource = loaded.clusterSource;
    return state;
}

} // namespace syncopate::ui
