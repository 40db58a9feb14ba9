// SPDX-License-Identifier: GPL-3.0-or-later
// A job under changing conditions as the explorer requests it, and the result, as values passed between threads.
#pragma once

#include "engine/job/batch.h"
#include "engine/search/tune/retuning.h"
#include "engine/session/session_state.h"
#include "engine/strategy/lint.h"
#include "ui/tasks/background.h"

#include <QObject>
#include <QString>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace syncopate::ui {

/// Side A's job over a schedule of conditions.
struct ConditionsPlan {
    SessionState state;
    std::vector<TuneAxis> axes; ///< the axes that are tuned
    ConditionSchedule schedule;
    RetuningOptions options; ///< 0 evaluations: all points of a grid, usualTuneEvaluations for other tuners
};

/// The settings of A's policy that are tuned: partition and credit if it has both, else its first two; empty if it has
/// none.
[[nodiscard]] std::vector<TuneAxis> retunedAxes(const SessionState &state);

/// The results so far of a comparison under changing conditions.
struct ConditionsRun {
    ConditionsPlan plan;
    std::vector<RetuningArm> arms; ///< playRetuning()'s, once complete
    std::vector<LintMark> lint{};  ///< lintConditions()'s
    std::size_t simulations = 0;
    std::optional<Error> error;
    bool complete = false;

    [[nodiscard]] bool hasArms() const { return !arms.empty(); }
    [[nodiscard]] std::size_t iterations() const { return hasArms() ? arms.front().steps.size() : 0; }
    /// Whether speeds count samples, else steps.
    [[nodiscard]] bool statesBatch() const { return syncopate::statesBatch(*plan.state.job); }
    /// Samples (or steps) of all workers per second during an iteration.
    [[nodiscard]] double speedOf(std::size_t arm, std::size_t iteration) const;
    /// The values of the axes in effect during an iteration; empty for the plain policy.
    [[nodiscard]] const std::vector<double> &settingOf(std::size_t arm, std::size_t iteration) const;
    [[nodiscard]] const Condition &conditionOf(std::size_t arm, std::size_t iteration) const {
        return plan.schedule.conditions[arms[arm].steps[iteration].condition];
    }
    /// "iteration 25, 3 Gbit/s, samples/s: default 285, bo() once 697, ...": the condition is the re-tuned arm's; an arm that
    /// meets another one in this iteration, as it may where a schedule is in seconds, has it behind its figure.
    [[nodiscard]] QString describe(std::size_t iteration) const;
};

/// `state` with an iteration of an arm on `side`: A's strategy with the arm's setting, on a cluster of the side's own under the
/// iteration's condition. Turned knobs are applied to the clusters, so that the other side stays unchanged. Errors: a setting
/// that the policy refuses.
[[nodiscard]] Result<SessionState> withIteration(const SessionState &state, Side side, const ConditionsRun &run, std::size_t arm,
                                                 std::size_t iteration);

/// ".env": the suffix of settingFileOf()'s file; "" if no system implements the policy.
[[nodiscard]] std::string settingSuffix(const ConditionsRun &run);
/// Returns the settings file for an iteration of an arm, for the system that implements its policy, with sizes rounded to whole
/// numbers of that system's units. Takes as long as building a scenario. Errors: no system implements the policy, or it cannot
/// express a setting.
[[nodiscard]] Result<std::string> settingFileOf(const ConditionsRun &run, std::size_t arm, std::size_t iteration);

/// Runs plans on a worker thread; a newer one replaces the one in progress. The figures equal those of `syncopate-cli tune
/// --schedule`.
class ConditionsRunner final : public QObject {
    Q_OBJECT
public:
    explicit ConditionsRunner(QObject *parent = nullptr) : QObject(parent) {}

    void start(const ConditionsPlan &plan);
    void cancel() { m_worker.cancel(); }

Q_SIGNALS:
    /// About 20 times a second with the number of simulations so far, and at the end.
    void progressed(const std::shared_ptr<const syncopate::ui::ConditionsRun> &run);

private:
    /// Last, so that its thread has ended before the rest is destroyed.
    Background<std::shared_ptr<const ConditionsRun>> m_worker{
        this, [this](const std::shared_ptr<const ConditionsRun> &run) { Q_EMIT progressed(run); }};
};

} // namespace syncopate::ui
