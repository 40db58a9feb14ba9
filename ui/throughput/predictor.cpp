// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/throughput/predictor.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace syncopate::ui {

namespace {

constexpr std::int32_t draftShare = 12;  ///< a draft simulates this fraction of the steps
constexpr std::int32_t fewestSteps = 40; ///< minimum of a draft: two for each batch of its confidence interval

/// Passes the draft, the curve of one start and the whole curve to `found`: a result after seconds comes before one that takes
/// half a minute, with intervals from independent starts. `last` is the previous forecast, whose reconstruction is reused if it
/// fits, and is replaced by this one.
Result<void> predict(const SessionState &state, const PredictSetting &setting, std::shared_ptr<const Forecast> &last,
                     const std::function<void(std::shared_ptr<const Forecast>)> &found, const std::stop_token &stop,
                     Progress &progress) {
    auto prepared = TRY(prepareForecast(state, setting, last.get()));
    last = std::make_shared<const Forecast>(prepared);
    struct Stage {
        std::int32_t steps, starts, warmUp;
    };
    const std::int32_t draft = std::max(setting.steps / draftShare, fewestSteps);
    std::vector<Stage> stages;
    if (draft < setting.steps)
        stages.push_back({draft, 1, setting.warmUp / draftShare});
    if (setting.starts > 1)
        stages.push_back({setting.steps, 1, setting.warmUp});
    stages.push_back({setting.steps, setting.starts, setting.warmUp});
    for (const auto &[steps, starts, warmUp] : stages) {
        PredictRequest part = *prepared.request;
        part.generate.steps = steps;
        part.generate.warmUp = warmUp;
        part.starts = starts;
        auto prediction = TRY(predictCurve(part, stop, &progress));
        auto forecast = std::make_shared<Forecast>(prepared);
        forecast->prediction = std::move(prediction);
        forecast->steps = steps;
        found(std::move(forecast));
    }
    return {};
}

} // namespace

const Utilisation *busiestOf(const Throughput &throughput) {
    const auto &all = throughput.utilisation;
    const auto found =
        std::max_element(all.begin(), all.end(), [](const Utilisation &a, const Utilisation &b) { return a.busy < b.busy; });
    return found == all.end() ? nullptr : &*found;
}

const Utilisation *busiestShared(const Throughput &throughput) {
    const Utilisation *busiest = nullptr;
    for (const Utilisation &one : throughput.utilisation)
        if (one.isShared() && (!busiest || one.busy > busiest->busy))
            busiest = &one;
    return busiest;
}

Predictor::Predictor(QObject *parent) : QObject(parent) {}

void Predictor::start(const SessionState &state, const PredictSetting &setting) {
    m_progress = std::make_shared<Progress>();
    m_error.reset();
    m_hasFirstStart = false;
    m_status = Status::Running;
    Q_EMIT statusChanged();
    m_worker.start([state, setting, last = m_last, progress = m_progress](const std::stop_token &stop, const auto &post) {
        const auto found = [&](std::shared_ptr<const Forecast> forecast) { post(std::move(forecast)); };
        post(predict(state, setting, *last, found, stop, *progress));
    });
}

void Predictor::take(const Answer &answer) {
    if (const auto *forecast = std::get_if<std::shared_ptr<const Forecast>>(&answer)) {
        m_hasFirstStart = !(*forecast)->isDraft();
        Q_EMIT predicted(*forecast);
        return;
    }
    const auto &done = std::get<Result<void>>(answer);
    m_status = done ? Status::Done : Status::Failed;
    m_error = done ? std::nullopt : std::optional(done.error());
    Q_EMIT statusChanged();
}

void Predictor::cancel() {
    m_worker.cancel();
    if (m_status != Status::Running)
        return;
    m_status = Status::Cancelled;
    Q_EMIT statusChanged();
}

} // namespace syncopate::ui
