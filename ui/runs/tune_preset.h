// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/landscape_plot.h"
#include "ui/runs/run_preset.h"
#include "ui/runs/runs_table.h"
#include "ui/runs/tune_model.h"
#include "ui/runs/tune_runner.h"
#include "ui/runs/tune_sheet.h"
#include "ui/session/session.h"

#include <QTimer>
#include <memory>
#include <optional>

class QLabel;
class QPushButton;

namespace syncopate::ui {

class Theme;

/// Tuning in the panel of runs: how fast side A trains over two of its settings, and how tuners search them. A coarse map appears
/// as soon as the preset is visible, and follows knobs while they are turned as long as that is cheap; the whole map and the
/// tuners run on demand. Puts settings on the sides of the session, as undoable steps.
class TunePreset final : public RunPreset {
    Q_OBJECT
public:
    TunePreset(const Theme &theme, Session &session, QObject *parent = nullptr);

    void setSeen(bool seen) override;
    /// Computes the whole map and runs the chosen tuners.
    void start();
    void stop() override;
    void resume() override;
    /// Another project: its sheet, or a new one's if it has none. Settings that A lacks are replaced by settings that it has.
    void restore(const QJsonObject &settings);
    /// The wall time of a coarse map, in seconds, up to which it is recomputed for every turn of a knob.
    void setFollowLimit(double seconds) { m_followLimit = seconds; }
    /// The run that is shown; null: none.
    [[nodiscard]] const std::shared_ptr<const TuneRun> &run() const { return m_model->run(); }
    /// Whether the run shown belongs to A's present state.
    [[nodiscard]] bool isCurrent() const;
    [[nodiscard]] bool isRunning() const { return m_status == Status::Running; }

    [[nodiscard]] LandscapePlot &landscape() { return *m_plot; }
    [[nodiscard]] TuneSheet &sheet() { return *m_sheet; }
    [[nodiscard]] QPushButton &startButton() { return *m_start; }
    [[nodiscard]] QLabel &findingsLabel() { return *m_findings; }
    [[nodiscard]] QLabel &pointLabel() { return *m_point; } ///< describes the cell pointed at

private:
    enum class Status : std::uint8_t { Idle, Running, Stopped, Done };

    [[nodiscard]] QWidget *makeFigures();
    void connectAll();
    void stateChanged();
    void mapChanged();
    void begin(bool coarse);
    void take(const std::shared_ptr<const TuneRun> &run);
    /// Shows the whole run if it belongs to A's present state, else the coarse one, else the outdated whole one.
    void show();
    void drop();
    void refreshState();
    void refreshFindings();
    [[nodiscard]] bool isOf(const std::shared_ptr<const TuneRun> &run) const;
    /// Whether the run in progress belongs to A's present state.
    [[nodiscard]] bool isUnderWay() const;
    [[nodiscard]] bool followsCheaply() const;
    [[nodiscard]] QString stateText() const;
    void put(const TuneStep &step, Side side, const QString &name);

    Session &m_session;
    bool m_seen = false;
    double m_followLimit = 0.3;
    Status m_status = Status::Idle;
    QTimer m_pause; ///< started while knobs move, fires once they rest
    TuneSheet *m_sheet;
    QPushButton *m_start;
    QLabel *m_findings, *m_point;
    TuneModel *m_model;
    LandscapePlot *m_plot;
    std::shared_ptr<const TuneRun> m_whole, m_coarse;
    TunePlan m_asked; ///< the runner's latest request
    TuneRunner m_runner;
};

} // namespace syncopate::ui
