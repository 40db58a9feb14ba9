// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analyze/scaling.h"
#include "ui/session/session.h"
#include "ui/tasks/background.h"

#include <QTimer>
#include <QWidget>
#include <memory>
#include <optional>

class QLabel;
class QSpinBox;
class QToolButton;

namespace syncopate::ui {

class ScalingPlot;
class Theme;

/// How far one side's scenario scales: samples/s over the number of workers with the bottleneck of each region, the knee with its
/// band, and the numbers that are worth a benchmark. Simulated on a worker thread while visible, shown point by point; a curve of
/// other settings, or one that was cancelled, is marked as such.
class ScalingView final : public QWidget {
    Q_OBJECT
public:
    ScalingView(const Theme &theme, Session &session, QWidget *parent = nullptr);

    void setSeen(bool seen);
    void setSide(Side side);
    /// The range and the button; the owner lays it out.
    [[nodiscard]] QWidget *header() const { return m_header; }
    /// The maximum number of workers.
    [[nodiscard]] QSpinBox &rangeBox() { return *m_range; }
    [[nodiscard]] QToolButton &button() { return *m_button; }
    [[nodiscard]] QLabel &text() { return *m_text; }
    [[nodiscard]] ScalingPlot &plot() { return *m_plot; }
    /// Null before the first point.
    [[nodiscard]] std::shared_ptr<const Scaling> scaling() const { return m_scaling; }
    [[nodiscard]] bool isRunning() const { return m_running; }
    /// The curve shown belongs to other settings than the session's, or was interrupted.
    [[nodiscard]] bool isOutdated() const;
    /// Cancels, or simulates again.
    void press();

Q_SIGNALS:
    void workersWanted(std::int32_t workers);

private:
    struct Told {
        std::shared_ptr<const Scaling> scaling;
        QString error;
    };
    void stateChanged();
    /// Stops what is being simulated, which start() is to begin again.
    void interrupt();
    void start();
    void take(const Told &told);
    void refresh();
    [[nodiscard]] QString stateText() const;

    Session &m_session;
    Side m_side = Side::A;
    bool m_seen = false, m_running = false, m_cancelled = false;
    bool m_isInterrupted = false;        ///< m_scaling is incomplete, though nobody cancelled it
    std::optional<SessionState> m_asked; ///< the state that m_scaling belongs to
    Side m_askedSide = Side::A;
    std::int32_t m_askedTo = 0;
    std::shared_ptr<const Scaling> m_scaling;
    QString m_error;
    QTimer m_pause; ///< started while knobs move, fires once they rest
    QWidget *m_header;
    QSpinBox *m_range;
    QToolButton *m_button;
    QLabel *m_text;
    ScalingPlot *m_plot;
    Background<Told> m_worker{this, [this](const Told &told) { take(told); }}; ///< last: ends before what it reports to
};

} // namespace syncopate::ui
