// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/run_preset.h"
#include "ui/runs/runs_table.h"
#include "ui/runs/sweep_model.h"
#include "ui/runs/sweep_plot.h"
#include "ui/runs/sweeper.h"
#include "ui/session/session.h"

#include <QTimer>
#include <memory>

class QComboBox;
class QLineEdit;

namespace syncopate::ui {

class Theme;

/// Sweeps in the panel of runs: any knob as a curve of A and B, or any pair of knobs as a heat map, over ranges; the present
/// setting marked, a click sets the knobs there. Sweeps again when anything but the swept knobs changes, and only while it is
/// seen.
class SweepPreset final : public RunPreset {
    Q_OBJECT
public:
    SweepPreset(const Theme &theme, Session &session, QObject *parent = nullptr);

    void setSeen(bool seen) override;
    /// Sweeps the knob of that id ("bandwidth") alone.
    void sweepKnob(const QString &id);
    /// Ends the sweep under way; what is there of it stays.
    void stop() override;
    /// Sweeps from the start.
    void resume() override;
    [[nodiscard]] std::shared_ptr<const Sweep> sweep() const { return m_model->sweep(); }
    [[nodiscard]] QCustomPlot &plot() { return m_plot->plot(); }
    [[nodiscard]] QComboBox &xBox() { return *m_x; }
    [[nodiscard]] QComboBox &yBox() { return *m_y; }
    /// FROM..TO[:STEPS][:log] of each knob, as parseSweepAxis() reads it; empty: the whole of the knob.
    [[nodiscard]] QLineEdit &xRange() { return *m_xRange; }
    [[nodiscard]] QLineEdit &yRange() { return *m_yRange; }
    [[nodiscard]] QComboBox &measureBox() { return *m_measure; }
    [[nodiscard]] QComboBox &sideBox() { return *m_side; }

private:
    enum class Status : std::uint8_t { Idle, Running, Stopped, Done };

    QWidget *makeControls();
    void stateChanged();
    void start();
    void take(const std::shared_ptr<const Sweep> &swept);
    /// Ends the sweep under way for a newer one, or because it is not seen any more.
    void drop();
    void refresh();
    void refreshState();
    void turnKnobs(double x, double y);
    /// Why what the boxes say cannot be swept; empty where it can.
    [[nodiscard]] QString whyNot() const;
    /// A knob swept against itself is one line: the second choice leaves it out.
    void offerOthers();
    /// What is swept of the knob in `box`. Errors: what parseSweepAxis() refuses.
    [[nodiscard]] Result<SweepAxis> axisOf(const QComboBox &box, const QLineEdit &range) const;
    [[nodiscard]] std::size_t bindingOf(const QComboBox &box) const;
    [[nodiscard]] std::optional<std::size_t> secondBinding() const;
    /// `state` with the swept knobs where the sweep does not care.
    [[nodiscard]] SessionState withoutSwept(SessionState state) const;

    Session &m_session;
    bool m_seen = false;
    Status m_status = Status::Idle;
    QTimer m_pause; ///< knobs in motion: wait until they rest
    QComboBox *m_x, *m_y, *m_measure, *m_side;
    QLineEdit *m_xRange, *m_yRange;
    SweepModel *m_model;
    SweepPlot *m_plot;
    Sweeper m_sweeper;
};

} // namespace syncopate::ui
