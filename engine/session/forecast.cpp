// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/forecast.h"

#include "engine/profile/recording/recording.h"
#include "engine/session/dag_job.h"

#include <algorithm>
#include <utility>

namespace syncopate {

namespace {

/// Whether reconstructionOf() would find the reconstruction of `known` again.
bool hasReconstructionOf(const Forecast &known, const SessionState &state, const Cluster &cluster,
                         const PredictSetting &setting) {
    const PredictSetting &before = known.setting;
    return known.reconstruction && known.state.profile == state.profile && known.state.job == state.job &&
           effectiveCluster(known.state, Side::A) == cluster && before.recordedGbits == setting.recordedGbits &&
           (setting.recordedGbits > 0 || before.bandwidthGbits == setting.bandwidthGbits) &&
           before.windowBytes == setting.windowBytes && before.overhead == setting.overhead &&
           before.overheadNote == setting.overheadNote && before.sharing == setting.sharing &&
           before.tcpWindowBytes == setting.tcpWindowBytes && before.seed == setting.seed;
}

} // namespace

std::vector<Throughput> Forecast::curve() const {
    std::vector<Throughput> throughputs;
    for (const CurvePoint &point : prediction.points)
        throughputs.push_back(point.throughput);
    return throughputs;
}

const CurvePoint *Forecast::at(std::int32_t workers) const {
    const auto &points = prediction.points;
    const auto found =
        std::find_if(points.begin(), points.end(), [&](const CurvePoint &p) { return p.throughput.workers == workers; });
    return found == points.end() ? nullptr : &*found;
}

SessionState predictedState(const SessionState &state) {
    SessionState predicted = state;
    predicted.sides = {};
    predicted.side(Side::A).cluster = state.side(Side::A).cluster;
    predicted.side(Side::A).clusterSource = state.side(Side::A).clusterSource;
    return predicted;
}

Result<Forecast> prepareForecast(const SessionState &state, const PredictSetting &setting, const Forecast *known) {
    if (showsDag(state))
        return needsLayers(state.job->name, "open a profile of training to predict its throughput");
    if (state.job && isRecordingOnly(*state.job))
        return recordingOnly();
    if (!state.job || !state.cluster)
        return fail("there is no job or no cluster to predict for", "open both");
    Forecast forecast;
    forecast.state = predictedState(state);
    forecast.setting = setting;
    const Cluster cluster = effectiveCluster(state, Side::A);
    if (known && hasReconstructionOf(*known, state, cluster, setting)) {
        forecast.reconstruction = known->reconstruction;
    } else {
        auto found = TRY(reconstructionOf(*state.job, state.profile.get(), cluster, setting));
        forecast.reconstruction = std::move(found);
    }
    const auto samples = TRY(samplesOf(*state.job, state.profile.get(), state.source));
    auto request = TRY(predictRequest(*state.job, samples, forecast.reconstruction.get(), cluster, setting));
    forecast.request = std::move(request);
    const PredictRequest &asked = *forecast.request;
    forecast.facts = {asked.steps->batchSize, asked.generate.windowBytes, asked.cluster.nodes.front().bandwidthBytesPerSecond,
                      asked.steps->graph.servers, static_cast<std::int32_t>(asked.steps->seconds.size())};
    return forecast;
}

Result<std::shared_ptr<const Forecast>> withRequest(const Forecast &read, const Forecast *known) {
    auto forecast = TRY(prepareForecast(read.state, read.setting, known));
    if (forecast.facts != read.facts)
        return fail("the steps of this curve cannot be made again: its profile is missing or has changed",
                    "put the profile back to where it was and open the project again", read.state.source);
    forecast.prediction = read.prediction;
    forecast.steps = read.steps;
    return std::make_shared<const Forecast>(std::move(forecast));
}

} // namespace syncopate
