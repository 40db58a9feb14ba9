// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analyze/explain.h"
#include "engine/session/search_winners.h"
#include "ui/session/shown_run.h"
#include "ui/tasks/background.h"

#include <QObject>
#include <memory>
#include <optional>

namespace syncopate::ui {

/// A question about one side's run: its iteration, or a wait of one worker's compute stream.
struct WhyQuestion {
    Side side = Side::A;
    std::optional<ComputeWait> wait;
};

/// The explanation of one side's run.
struct WhyAnswer : Explanation {
    WhyQuestion question;
    SessionState state;
    std::shared_ptr<const ShownRun> run;
};

/// Explains why a run takes as long as it does, on a worker thread: first the causes, then what each remedy and each knob would
/// change, one simulation each. A newer question replaces the one in progress.
class Analyst final : public QObject {
    Q_OBJECT
public:
    explicit Analyst(QObject *parent = nullptr) : QObject(parent) {}

    /// `run` must be a simulation of `state`'s scenario for the question's side, or its plan as played. `searched`: searches
    /// whose winning strategies are added to the remedies of a scenario.
    void ask(const WhyQuestion &question, const SessionState &state, std::shared_ptr<const ShownRun> run,
             std::vector<BestTrial> searched);
    void cancel() { m_worker.cancel(); }

Q_SIGNALS:
    /// At least twice per question, about 20 times a second; complete the last time.
    void answered(const std::shared_ptr<const syncopate::ui::WhyAnswer> &answer);

private:
    /// Last: ends before the members that it reports to are destroyed.
    Background<std::shared_ptr<const WhyAnswer>> m_worker{
        this, [this](const std::shared_ptr<const WhyAnswer> &answer) { Q_EMIT answered(answer); }};
};

} // namespace syncopate::ui
