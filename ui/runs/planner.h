// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/session/plan_settings.h"
#include "ui/tasks/background.h"
#include "ui/timeline/timeline_data.h"

#include <QObject>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace syncopate::ui {

/// Plans by all methods on a worker thread and reports about 20 times a second: first the baselines, so that there is a bar, then
/// the chosen search, then the others, the exhaustive one last. Its plans stay until the next run starts.
class Planner final : public QObject {
    Q_OBJECT
public:
    enum class Status : std::uint8_t {
        Idle, ///< none yet
        Running,
        Stopped, ///< results so far are kept
        Done,
        Failed, ///< error() says why
    };

    explicit Planner(QObject *parent = nullptr) : QObject(parent) {}

    void start(const SessionState &state, const PlanSettings &settings);
    /// Stops at once; the thread may need the rest of one evaluation to notice.
    void stop();
    /// Discards the plans found, and ends a run.
    void clear();

    [[nodiscard]] Status status() const { return m_status; }
    /// The task that the plans are for; null before the first run, and until the present one has started.
    [[nodiscard]] const PlanTask *task() const { return m_task.get(); }
    [[nodiscard]] const SessionState &state() const { return m_state; } ///< the state it was started with
    [[nodiscard]] const std::optional<Error> &error() const { return m_error; }
    [[nodiscard]] double boundSeconds() const { return m_boundSeconds; } ///< 0 = not known yet
    /// Null where the method has not planned yet.
    [[nodiscard]] const FoundPlan *found(PlanMethod method) const { return m_found[static_cast<std::size_t>(method)].get(); }
    /// The iteration of that plan as played, compute first, then its channels; null as above.
    [[nodiscard]] std::shared_ptr<const TimelineData> timeline(PlanMethod method) const {
        return m_timelines[static_cast<std::size_t>(method)];
    }
    [[nodiscard]] std::int32_t foundCount() const;
    [[nodiscard]] std::int32_t methodCount() const; ///< that the run compares; 0 where task() is null
    /// The method that is planning now.
    [[nodiscard]] PlanMethod working() const { return m_working; }
    /// The proposals of the chosen method, or of SYNDICATE if the chosen one does not search.
    [[nodiscard]] const std::vector<PlanStep> &steps() const { return m_steps; }

Q_SIGNALS:
    void statusChanged();
    /// A new run begins: nothing is found yet.
    void cleared();
    void planFound(syncopate::PlanMethod method);
    /// There are more steps, the bound is known, or another method has started.
    void progressed();

private:
    struct Finding {
        std::shared_ptr<const FoundPlan> plan;
        std::shared_ptr<const TimelineData> timeline;
    };
    struct Batch {
        std::shared_ptr<const PlanTask> task;
        double boundSeconds = 0;
        PlanMethod working = PlanMethod::Fifo;
        std::vector<Finding> found;
        std::vector<PlanStep> steps;
        std::optional<Error> error;
        bool ended = false;
    };
    class Reporter;
    static Result<void> plan(Reporter &reporter, const SessionState &state, const PlanSettings &settings,
                             const std::stop_token &stop);
    void take(const Batch &batch);
    void forget();
    void setStatus(Status status);

    Status m_status = Status::Idle;
    SessionState m_state;
    std::shared_ptr<const PlanTask> m_task;
    double m_boundSeconds = 0;
    PlanMethod m_working = PlanMethod::Fifo;
    std::array<std::shared_ptr<const FoundPlan>, planMethodCount> m_found;
    std::array<std::shared_ptr<const TimelineData>, planMethodCount> m_timelines;
    std::vector<PlanStep> m_steps;
    std::optional<Error> m_error;
    /// Last, so that its thread has ended before the rest is destroyed.
    Background<Batch> m_worker{this, [this](const Batch &batch) { take(batch); }};
};

} // namespace syncopate::ui
