// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/throughput/predictor.h"

#include <algorithm>
#include <utility>

namespace syncopate::ui {

namespace {

constexpr std::int32_t draftShare = 12;  ///< of the steps are simulated for a draft
constexpr std::int32_t fewestSteps = 40; ///< of a draft: two for each batch of the confidence interval

} // namespace

std::vector<Throughput> Forecast::curve() const {
    std::vector<Throughput> made;
    for (const CurvePoint &point : prediction.points)
        made.push_back(point.throughput);
    return made;
}

const CurvePoint *Forecast::at(std::int32_t workers) const {
    const auto &points = prediction.points;
    const auto found =
        std::find_if(points.begin(), points.end(), [&](const CurvePoint &p) { return p.throughput.workers == workers; });
    return found == points.end() ? nullptr : &*found;
}

const Utilisation *busiestOf(const Throughput &throughput) {
    const auto &all = throughput.utilisation;
    const auto found =
        std::max_element(all.begin(), all.end(), [](const Utilisation &a, const Utilisation &b) { return a.busy < b.busy; });
    return found == all.end() ? nullptr : &*found;
}

const Utilisation *busiestShared(const Throughput &throughput) {
    const Utilisation *busiest = nullptr;
    for (const Utilisation &one : throughput.utilisation)
        if (!one.resource.starts_with("workers'") && (!busiest || one.busy > busiest->busy))
            busiest = &one;
    return busiest;
}

struct Predictor::Recorded {
    std::shared_ptr<const ImportedProfile> profile;
    double bytesPerSecond = 0;
    std::optional<double> windowBytes;
    std::shared_ptr<const Reconstruction> made;
};

Predictor::Predictor(QObject *parent) : QObject(parent), m_recorded(std::make_shared<Recorded>()) {}

void Predictor::start(const SessionState &state, const PredictSetting &setting) {
    const std::uint64_t generation = ++m_generation;
    m_progress = std::make_shared<Progress>();
    m_error.reset();
    m_status = Status::Running;
    Q_EMIT statusChanged();
    m_worker.post([this, generation, state, setting, recorded = m_recorded, progress = m_progress](const std::stop_token &stop) {
        const auto deliver = [&](Status status, std::optional<Error> error) {
            QMetaObject::invokeMethod(
                this, [this, generation, status, error = std::move(error)] { finish(generation, status, error); },
                Qt::QueuedConnection);
        };
        const auto work = [&]() -> Result<void> {
            const Cluster cluster = effectiveCluster(state, Side::A);
            if (cluster.nodes.empty())
                return fail("the cluster has no nodes", "choose a cluster");
            const double rate = (setting.recordedGbits > 0 ? withBandwidth(cluster, setting.recordedGbits) : cluster)
                                    .nodes.front()
                                    .bandwidthBytesPerSecond *
                                cluster.linkEfficiency;
            if (!state.profile || recorded->profile != state.profile || recorded->bytesPerSecond != rate ||
                recorded->windowBytes != setting.windowBytes) {
                auto made = reconstructionOf(*state.job, state.profile.get(), rate, setting.windowBytes);
                if (!made)
                    return Unexpected(made.error());
                *recorded = {state.profile, rate, setting.windowBytes, *std::move(made)};
            }
            auto request = predictRequest(*state.job, state.profile.get(), recorded->made.get(), cluster, setting);
            if (!request)
                return Unexpected(request.error());
            const std::int32_t draft = std::max(setting.steps / draftShare, fewestSteps);
            for (const std::int32_t steps : {draft, setting.steps}) {
                if (steps == draft && draft >= setting.steps)
                    continue;
                PredictRequest asked = **request;
                asked.generate.steps = steps;
                if (steps < setting.steps)
                    asked.generate.warmUp = setting.warmUp / draftShare;
                auto prediction = predictCurve(asked, stop, progress.get());
                if (!prediction)
                    return Unexpected(prediction.error());
                auto forecast = std::make_shared<const Forecast>(
                    Forecast{state.job, setting, *request, recorded->made, *std::move(prediction), steps});
                QMetaObject::invokeMethod(
                    this,
                    [this, generation, forecast = std::move(forecast)] {
                        if (generation == m_generation)
                            Q_EMIT predicted(forecast);
                    },
                    Qt::QueuedConnection);
            }
            return {};
        };
        const auto done = work();
        if (!stop.stop_requested())
            deliver(done ? Status::Done : Status::Failed, done ? std::nullopt : std::optional(done.error()));
    });
}

void Predictor::finish(std::uint64_t generation, Status status, std::optional<Error> error) {
    if (generation != m_generation)
        return;
    m_status = status;
    m_error = std::move(error);
    Q_EMIT statusChanged();
}

void Predictor::cancel() {
    m_worker.cancel();
    if (m_status != Status::Running)
        return;
    ++m_generation; // what it still posts is not heard
    m_status = Status::Cancelled;
    Q_EMIT statusChanged();
}

} // namespace syncopate::ui
