// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/runs_panel.h"
#include "ui/runs/sweeper.h"
#include "ui/session/session.h"

#include <QSharedPointer>
#include <QTimer>
#include <array>
#include <memory>

class QComboBox;
class QCPAxis;
class QCPAxisTicker;
class QCPColorMap;
class QCPColorScale;
class QCPGraph;
class QCPItemStraightLine;
class QCPItemTracer;
class QCustomPlot;

namespace syncopate::ui {

class Theme;

/// The panel of runs set for sweeps: any knob swept as a curve of A and B, or any pair of knobs as a heat map; the present
/// setting marked, a click sets the knobs there. Sweeps again when anything but the swept knobs changes, and only while it is
/// seen.
class SweepsPanel final : public RunsPanel {
    Q_OBJECT
public:
    SweepsPanel(const Theme &theme, Session &session, QWidget *parent = nullptr);

    /// Whether anybody looks: a panel behind another tab is visible to Qt, but idle here.
    void setSeen(bool seen);
    /// Sweeps the knob of that id ("bandwidth") alone.
    void sweepKnob(const QString &id);
    /// Ends the sweep under way; what is there of it stays.
    void stop() override;
    /// Sweeps from the start.
    void resume() override;
    [[nodiscard]] std::shared_ptr<const Sweep> sweep() const { return m_sweep; }
    [[nodiscard]] QCustomPlot &plot() { return *m_plot; }
    [[nodiscard]] QComboBox &xBox() { return *m_x; }
    [[nodiscard]] QComboBox &yBox() { return *m_y; }
    [[nodiscard]] QComboBox &measureBox() { return *m_measure; }
    [[nodiscard]] QComboBox &sideBox() { return *m_side; }

private:
    enum class Measure : std::uint8_t { IterationTime, SamplesPerSecond };
    enum class Shown : std::uint8_t { A, B, Difference };

    enum class Status : std::uint8_t { Idle, Running, Stopped, Done };

    QWidget *makeControls();
    void makePlot();
    void stateChanged();
    void start();
    void take(const std::shared_ptr<const Sweep> &sweep);
    /// Ends the sweep under way for a newer one, or because it is not seen any more.
    void drop();
    void refresh();
    void refreshState();
    void refreshScale();
    void drawCurves();
    void drawMap();
    void mark();
    void clicked(const QPointF &position);
    /// Why what the boxes say cannot be swept; empty where it can.
    [[nodiscard]] QString whyNot() const;
    [[nodiscard]] Measure measure() const;
    [[nodiscard]] QSharedPointer<QCPAxisTicker> measureTicker() const;
    [[nodiscard]] QSharedPointer<QCPAxisTicker> decadesTicker() const; ///< of the same, on a logarithmic axis
    [[nodiscard]] double valueOf(const SweepPoint &point) const;
    [[nodiscard]] std::size_t bindingOf(const QComboBox &box) const;
    [[nodiscard]] std::optional<std::size_t> secondBinding() const;
    /// `state` with the swept knobs where `m_sweep` does not care.
    [[nodiscard]] SessionState withoutSwept(SessionState state) const;
    void setAxis(QCPAxis &axis, const SweepAxis &values);

    const Theme &m_theme;
    Session &m_session;
    bool m_seen = false;
    Status m_status = Status::Idle;
    std::shared_ptr<const Sweep> m_sweep;
    QTimer m_pause; ///< knobs in motion: wait until they rest
    QComboBox *m_x, *m_y, *m_measure, *m_side;
    QCustomPlot *m_plot;
    std::array<QCPGraph *, 2> m_curves{};
    QCPColorMap *m_map;
    QCPColorScale *m_scale;
    QCPItemStraightLine *m_markX, *m_markY;
    std::array<QCPItemTracer *, 2> m_dots{};
    Sweeper m_sweeper;
};

} // namespace syncopate::ui
