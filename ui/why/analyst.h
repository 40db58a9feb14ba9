// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analyze/remedies.h"
#include "engine/session/session_state.h"
#include "ui/session/shown_run.h"
#include "ui/tasks/latest_worker.h"

#include <QObject>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

namespace syncopate::ui {

/// What is asked about one side's run: its iteration, or a wait of one worker's compute stream.
struct WhyQuestion {
    Side side = Side::A;
    struct Wait {
        std::int32_t worker = 0;
        double seconds = 0; ///< from the run's start
    };
    std::optional<Wait> wait;
};

/// Pieces of the chain that belong together: a run of layers, or one message with its latency, transfer and sharing.
struct CauseRow {
    QString what;        ///< "forward of 12 layers, worker 0"
    QString how;         ///< "transfer 12.3 ms, sharing 4.1 ms; waited for its turn: push to 10.0.0.1"
    std::int32_t task;   ///< the first one's
    CauseKind kind;      ///< of its longest piece
    double startSeconds; ///< from the run's start
    double endSeconds;
};

struct RemedyRow {
    Remedy remedy;
    Result<double> iterationSeconds; ///< simulated
};

/// The iteration with one knob at half and at twice its value (or at the knob's end), everything else as it is.
struct SensitivityRow {
    QString knob;
    QString lowText, highText; ///< "12.5 Gb/s"
    double lowValue = 0, highValue = 0;
    std::optional<double> lowSeconds, highSeconds;           ///< none: the knob is at its end, or it cannot be simulated
    std::size_t binding = 0;                                 ///< index into knobBindings()
    [[nodiscard]] double reach(double presentSeconds) const; ///< largest change either way
};

struct WhyAnswer {
    WhyQuestion question;
    SessionState state;
    std::shared_ptr<const ShownRun> run;
    CauseChain chain;
    std::vector<CauseRow> causes;
    IterationBounds bounds;
    QString busiestLink;
    std::vector<RemedyRow> remedies;           ///< best first
    std::vector<SensitivityRow> sensitivities; ///< furthest first
    bool complete = false;                     ///< remedies and sensitivities are all in
};

/// Answers why a run is as long as it is, on a thread of its own: first the causes, then what each remedy and each knob
/// would change, one simulation each. A newer question replaces the one under way.
class Analyst final : public QObject {
    Q_OBJECT
public:
    explicit Analyst(QObject *parent = nullptr) : QObject(parent) {}

    /// `run` must be a simulation, and what `state` gives for the question's side.
    void ask(const WhyQuestion &question, const SessionState &state, std::shared_ptr<const ShownRun> run);
    void cancel();

Q_SIGNALS:
    /// Twice or more per question; complete the last time.
    void answered(const std::shared_ptr<const syncopate::ui::WhyAnswer> &answer);

private:
    void post(std::uint64_t generation, const WhyAnswer &answer);

    std::uint64_t m_generation = 0;
    LatestWorker m_worker{std::chrono::milliseconds(0)}; ///< last: ends before what it reports to goes
};

} // namespace syncopate::ui
