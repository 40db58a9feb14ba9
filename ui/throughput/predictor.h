// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/session/forecast.h"
#include "ui/tasks/background.h"

#include <QObject>
#include <memory>
#include <variant>
#include <vector>

namespace syncopate::ui {

/// The busiest resource of a point, or null if none was counted.
[[nodiscard]] const Utilisation *busiestOf(const Throughput &throughput);
/// The same among shared links and servers: every worker adds a compute stream of its own, which limits no other.
[[nodiscard]] const Utilisation *busiestShared(const Throughput &throughput);

/// Predicts throughput curves on a worker thread: a draft of few steps first, then all steps from one start, then from all
/// starts. The newest request wins.
class Predictor final : public QObject {
    Q_OBJECT
public:
    enum class Status : std::uint8_t { Idle, Running, Done, Failed, Cancelled };

    explicit Predictor(QObject *parent = nullptr);

    /// Predicts for the job, the profile and A's cluster of `state`.
    void start(const SessionState &state, const PredictSetting &setting);
    /// Stops the prediction; an existing draft stays.
    void cancel();

    [[nodiscard]] Status status() const { return m_status; }
    [[nodiscard]] const std::optional<Error> &error() const { return m_error; }
    /// All steps of one start are predicted, and those of the other starts are in progress.
    [[nodiscard]] bool hasFirstStart() const { return m_status == Status::Running && m_hasFirstStart; }
    /// Finished points of the curve in progress, and their total.
    [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> progress() const { return {m_progress->done, m_progress->total}; }

Q_SIGNALS:
    void statusChanged();
    void predicted(const std::shared_ptr<const syncopate::Forecast> &forecast);

private:
    /// The drafts, the whole curve, and finally whether it succeeded.
    using Answer = std::variant<std::shared_ptr<const Forecast>, Result<void>>;
    void take(const Answer &answer);

    Status m_status = Status::Idle;
    bool m_hasFirstStart = false;
    std::optional<Error> m_error;
    std::shared_ptr<Progress> m_progress = std::make_shared<Progress>();
    /// The last forecast, whose reconstruction most knobs leave valid; the object pointed to belongs to the worker's thread.
    std::shared_ptr<std::shared_ptr<const Forecast>> m_last = std::make_shared<std::shared_ptr<const Forecast>>();
    Background<Answer> m_worker{this, [this](const Answer &answer) { take(answer); }}; ///< last: ends before what it reports to
};

} // namespace syncopate::ui
