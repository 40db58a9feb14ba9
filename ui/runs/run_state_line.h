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

/// How far a run over a space is.
struct RunState {
    enum class Phase : std::uint8_t {
        Idle, ///< none yet
        Running,
        Stopping, ///< a stop was requested, and the run has not ended yet
        Stopped,  ///< before its end; can go on
        Ended,
    };
    Phase phase = Phase::Idle;
    QString text;                      ///< what it does or did
    std::uint64_t done = 0, total = 0; ///< trials, points
    [[nodiscard]] bool isRunning() const { return phase == Phase::Running || phase == Phase::Stopping; }
};

/// Tells how a run goes: its state in words, a bar, the time it has taken so far, ticking ten times a second while it runs, and
/// a button that stops it or lets it go on.
class RunStateLine final : public QWidget {
    Q_OBJECT
public:
    /// `name`: what the text is of, for screen readers. `resume`, `resumeToolTip`: the button after a stop.
    RunStateLine(const QString &name, QString resume, QString resumeToolTip, QWidget *parent = nullptr);

    void setState(const RunState &state);
    /// The next run takes its time from zero; without this a run goes on from the time of the one before.
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
    QElapsedTimer m_since; ///< of the present run
    qint64 m_beforeMs = 0; ///< of the runs that it goes on from
};

} // namespace syncopate::ui
