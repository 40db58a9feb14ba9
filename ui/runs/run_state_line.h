// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QString>
#include <QTimer>
#include <QWidget>
#include <cstdint>

class QLabel;
class QProgressBar;
class QPushButton;

namespace syncopate::ui {

/// The progress of a run over a space.
struct RunState {
    enum class Phase : std::uint8_t {
        Idle, ///< none yet
        Running,
        Stopping, ///< a stop was requested, but the run has not ended yet
        Stopped,  ///< before its end; can be resumed
        Ended,
    };
    Phase phase = Phase::Idle;
    QString text;                      ///< what it is doing or did
    std::uint64_t done = 0, total = 0; ///< trials, points
    /// Describes work beside the run, such as planning for one of its points; shown in place of `text`. Empty: none.
    QString beside{};
    bool besideIsLong = false; ///< so that the line shows the time that it takes, and the button stops it
    [[nodiscard]] bool isOfRun() const { return phase == Phase::Running || phase == Phase::Stopping; }
    /// Whether the run, or long work beside it, is in progress.
    [[nodiscard]] bool isRunning() const { return isOfRun() || besideIsLong; }
};

/// Shows the progress of a run: its state in words, a bar, the time taken so far, updated ten times a second while it runs, and a
/// button that stops or resumes it. Long work beside the run has a clock of its own; the run's goes on meanwhile.
class RunStateLine final : public QWidget {
    Q_OBJECT
public:
    /// `name`: names the text for screen readers. `resume`, `resumeToolTip`: the button after a stop.
    RunStateLine(const QString &name, QString resume, QString resumeToolTip, QWidget *parent = nullptr);

    void setState(const RunState &state);
    /// Starts the next run's time from zero; otherwise it adds to that of the previous run.
    void resetClock();

    [[nodiscard]] const RunState &state() const { return m_state; }
    [[nodiscard]] QLabel &label() { return *m_label; }
    [[nodiscard]] QLabel &elapsedLabel() { return *m_elapsed; } ///< empty: nothing has run yet
    [[nodiscard]] QPushButton &button() { return *m_button; }   ///< stops while it runs, else resumes

Q_SIGNALS:
    void stopWanted();
    void resumeWanted();

private:
    [[nodiscard]] qint64 elapsedMs() const;
    void showElapsed();
    void showButton();

    RunState m_state;
    const QString m_resume, m_resumeToolTip;
    QLabel *m_label, *m_elapsed;
    QProgressBar *m_bar;
    QPushButton *m_button;
    QTimer m_tick;
    QElapsedTimer m_since;       ///< start of the present run; invalid while there is none
    qint64 m_beforeMs = 0;       ///< of the earlier runs that it resumes
    QElapsedTimer m_besideSince; ///< start of the work beside it; invalid while there is none
};

} // namespace syncopate::ui
