// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/throughput/predictor.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace syncopate::ui {

namespace {

constexpr std::int32_t draftShare = 12;  ///< of the steps are simulated for a draft
constexpr std::int32_t fewestSteps = 40; ///< of a draft: two for each batch of its confidence interval

/// Hands the draft and the whole curve to `found`. `last` is the forecast before, whose reconstruction is used where it fits,
/// and is replaced by this one's.
Result<void> predict(const SessionState &state, const PredictSetting &setting, std::shared_ptr<const Forecast> &last,
                     const std::function<void(std::shared_ptr<const Forecast>)> &found, const std::stop_token &stop,
                     Progress &progress) {
    auto prepared = TRY(prepareForecast(state, setting, last.get()));
    last = std::make_shared<const Forecast>(prepared);
    const std::int32_t draft = std::max(setting.steps / draftShare, fewestSteps);
    for (const std::int32_t steps : {draft, setting.steps}) {
        if (steps == draft && draft >= setting.steps)
            continue;
        PredictRequest part = *prepared.request;
        part.generate.steps = steps;
        if (steps < setting.steps) {
            part.generate.warmUp = setting.warmUp / draftShare;
            part.starts = 1;
        }
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
        if (!one.resource.starts_with("workers'") && (!busiest || one.busy > busiest->busy))
            busiest = &one;
    return busiest;
}

Predictor::Predictor(QObject *parent) : QObject(parent) {}

void Predictor::start(const SessionState &state, const PredictSetting &setting) {
    m_progress = std::make_shared<Progress>();
    m_error.reset();
    m_status = Status::Running;
    Q_EMIT statusChanged();
    m_worker.start([state, setting, last = m_last, progress = m_progress](const std::stop_token &stop, const auto &post) {
        const auto found = [&](std::shared_ptr<const Forecast> forecast) { post(std::move(forecast)); };
        post(predict(state, setting, *last, found, stop, *progress));
    });
}

void Predictor::take(const Answer &answer) {
    if (const auto *forecast = std::get_if<std::shared_ptr<const Forecast>>(&answer)) {
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
