// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/run_preset.h"
#include "ui/runs/runs_table.h"
#include "ui/runs/sweep_model.h"
#include "ui/runs/sweep_plot.h"
#include "ui/runs/sweeper.h"
#include "ui/session/session.h"
#include "ui/tasks/background.h"

#include <QTimer>
#include <memory>
#include <vector>

class QComboBox;
class QLineEdit;

namespace syncopate::ui {

class Theme;

/// Sweeps in the panel of runs: any knob as a curve of A and B, or any pair of knobs as a heat map, over ranges; the present
/// setting is marked, a click sets the knobs. For a training DAG, each point is planned anew by the side's planner, only knobs
/// that plans depend on are offered, and a click plans the sides for its setting. Sweeps again when anything but the swept knobs
/// changes, and only while visible.
class SweepPreset final : public RunPreset {
    Q_OBJECT
public:
    SweepPreset(const Theme &theme, Session &session, QObject *parent = nullptr);

    void setSeen(bool seen) override;
    /// Sweeps only the knob with this id ("bandwidth"), if it is offered.
    void sweepKnob(const QString &id);
    /// Stops planning for a point, after which nothing has changed; else the sweep in progress, whose results so far stay.
    void stop() override;
    /// Sweeps from the start.
    void resume() override;
    [[nodiscard]] std::shared_ptr<const Sweep> sweep() const { return m_model->sweep(); }
    [[nodiscard]] bool isRunning() const { return m_status == Status::Running || m_pause.isActive(); } ///< or about to
    [[nodiscard]] QCustomPlot &plot() { return m_plot->plot(); }
    [[nodiscard]] QComboBox &xBox() { return *m_x; }
    [[nodiscard]] QComboBox &yBox() { return *m_y; }
    /// FROM..TO[:STEPS][:log] for each knob, as parseSweepAxis() reads it; empty: the knob's whole range.
    [[nodiscard]] QLineEdit &xRange() { return *m_xRange; }
    [[nodiscard]] QLineEdit &yRange() { return *m_yRange; }
    [[nodiscard]] QComboBox &measureBox() { return *m_measure; }

private:
    enum class Status : std::uint8_t { Idle, Running, Stopped, Done };

    QWidget *makeControls();
    void stateChanged();
    void start();
    void take(const std::shared_ptr<const Sweep> &swept);
    /// Cancels the sweep in progress, for a newer one or because the preset is no longer visible.
    void drop();
    void refresh();
    void refreshState();
    /// Names the rate in the choice of quantities by the unit of the drawn sweep: samples or steps.
    void nameRate();
    void turnKnobs(double x, double y);
    /// Plans of both sides for the setting of a point.
    struct PointPlans {
        SessionState before; ///< the state in which the point was chosen
        Result<SessionState> planned;
        QString undo; ///< name of the undo step
    };
    void takePlans(const PointPlans &plans);
    /// Why the choices cannot be swept; empty if they can.
    [[nodiscard]] QString whyNot() const;
    /// Offers the knobs of the open job; of a training DAG, only the knobs that its plans depend on.
    void offerKnobs();
    /// Leaves the first knob out of the second choice: swept against itself it would be a line.
    void offerOthers();
    /// Why the knob of that binding cannot be swept; empty if it can.
    [[nodiscard]] QString whyNotSwept(std::size_t binding) const;
    /// The axis swept for the knob in `box`. Errors: those of parseSweepAxis().
    [[nodiscard]] Result<SweepAxis> axisOf(const QComboBox &box, const QLineEdit &range) const;
    [[nodiscard]] std::size_t bindingOf(const QComboBox &box) const;
    [[nodiscard]] std::optional<std::size_t> secondBinding() const;
    /// `state` with the swept knobs at fixed values, to compare states apart from them.
    [[nodiscard]] SessionState withoutSwept(SessionState state) const;

    Session &m_session;
    bool m_seen = false;
    Status m_status = Status::Idle;
    QTimer m_pause;        ///< started while knobs move, fires once they rest
    QTimer m_planningLong; ///< runs until planning for a point has taken long enough to be worth stopping
    QComboBox *m_x, *m_y, *m_measure, *m_side;
    std::vector<std::size_t> m_offered; ///< bindings of the knobs in m_x
    QLineEdit *m_xRange, *m_yRange;
    SweepModel *m_model;
    SweepPlot *m_plot;
    QString m_notPlanned; ///< why the chosen point was not planned for; empty: it was, or none was chosen
    Sweeper m_sweeper;
    /// Last: ends before the members that it reports to are destroyed.
    Background<PointPlans> m_planner{this, [this](const PointPlans &plans) { takePlans(plans); }};
};

} // namespace syncopate::ui
