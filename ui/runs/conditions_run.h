// SPDX-License-Identifier: GPL-3.0-or-later
// A job under changing conditions as the explorer asks for it, and what came out, as values that threads hand over.
#pragma once

#include "engine/search/tune/retuning.h"
#include "engine/session/session_state.h"
#include "ui/tasks/background.h"

#include <QObject>
#include <QString>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace syncopate::ui {

/// What side A does, over a schedule.
struct ConditionsPlan {
    SessionState state;
    std::vector<TuneAxis> axes; ///< that are tuned
    ConditionSchedule schedule;
    RetuningOptions options;
};

/// The settings of A's policy that are tuned: partition and credit where it has both, else the first two that it has; empty: it
/// has none.
[[nodiscard]] std::vector<TuneAxis> retunedAxes(const SessionState &state);

struct ConditionsRun {
    ConditionsPlan plan;
    std::vector<RetuningArm> arms; ///< when it is complete: playRetuning()'s
    std::size_t simulations = 0;
    std::optional<Error> error;
    bool complete = false;

    [[nodiscard]] bool hasArms() const { return !arms.empty(); }
    [[nodiscard]] std::size_t iterations() const { return hasArms() ? arms.front().steps.size() : 0; }
    /// Samples of all workers per second during an iteration.
    [[nodiscard]] double speedOf(std::size_t arm, std::size_t iteration) const;
    /// The values of the axes that hold during an iteration; none of the plain policy.
    [[nodiscard]] const std::vector<double> &settingOf(std::size_t arm, std::size_t iteration) const;
    [[nodiscard]] const Condition &conditionOf(std::size_t arm, std::size_t iteration) const {
        return plan.schedule.conditions[arms[arm].steps[iteration].condition];
    }
    /// "iteration 25, 3 Gb/s, samples/s: default 285, bo() once 697, ...".
    [[nodiscard]] QString describe(std::size_t iteration) const;
};

/// `state` with an iteration of an arm on `side`: A's strategy with the arm's setting, on a cluster of the side's own that is as
/// the condition says. Knobs that are turned go into the clusters, so that the other side stays what it is. Errors: a setting
/// that the policy refuses.
[[nodiscard]] Result<SessionState> withIteration(const SessionState &state, Side side, const ConditionsRun &run, std::size_t arm,
                                                 std::size_t iteration);

/// ".env": the suffix of settingFileOf()'s file; "" where no system has the policy.
[[nodiscard]] std::string settingSuffix(const ConditionsRun &run);
/// The settings file that an iteration of an arm asks for, of the system that its policy is of. Sizes are rounded to whole
/// parameters of four bytes, which systems count in. Takes as long as a scenario is made. Errors: no system has the policy, or
/// has no way to do what is set.
[[nodiscard]] Result<std::string> settingFileOf(const ConditionsRun &run, std::size_t arm, std::size_t iteration);

/// Plays plans on a thread of its own; a newer one replaces the one under way. The figures are those of
/// `syncopate-cli tune --schedule`.
class ConditionsRunner final : public QObject {
    Q_OBJECT
public:
    explicit ConditionsRunner(QObject *parent = nullptr) : QObject(parent) {}

    void start(const ConditionsPlan &plan);
    void cancel() { m_worker.cancel(); }

Q_SIGNALS:
    /// Some 20 times a second with the number of simulations so far, and at the end.
    void progressed(const std::shared_ptr<const syncopate::ui::ConditionsRun> &run);

private:
    /// Last, so that its thread has ended before the rest is destroyed.
    Background<std::shared_ptr<const ConditionsRun>> m_worker{
        this, [this](const std::shared_ptr<const ConditionsRun> &run) { Q_EMIT progressed(run); }};
};

} // namespace syncopate::ui
