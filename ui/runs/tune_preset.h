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

/// Tuning in the panel of runs: how fast side A trains over two of its settings, and how tuners find their way there. A coarse
/// map comes by itself when the preset is seen, and follows knobs while they are turned as long as that is cheap; the whole map
/// and the tuners come on demand. Puts settings on the sides of the session, as undoable steps.
class TunePreset final : public RunPreset {
    Q_OBJECT
public:
    TunePreset(const Theme &theme, Session &session, QObject *parent = nullptr);

    void setSeen(bool seen) override;
    /// Makes the whole map and runs the chosen tuners.
    void start();
    void stop() override;
    void resume() override;
    /// Another project: its sheet, or a new one's where it has none. Settings that A lacks give way to ones that it has.
    void restore(const QJsonObject &settings);
    /// Up to which wall time of a coarse map, seconds, it is made again for every turn of a knob.
    void setFollowLimit(double seconds) { m_followLimit = seconds; }
    /// What is shown; null: nothing.
    [[nodiscard]] const std::shared_ptr<const TuneRun> &run() const { return m_model->run(); }
    /// Whether what is shown is of A as it is.
    [[nodiscard]] bool isCurrent() const;
    [[nodiscard]] bool isRunning() const { return m_status == Status::Running; }

    [[nodiscard]] LandscapePlot &landscape() { return *m_plot; }
    [[nodiscard]] TuneSheet &sheet() { return *m_sheet; }
    [[nodiscard]] QPushButton &startButton() { return *m_start; }
    [[nodiscard]] QLabel &findingsLabel() { return *m_findings; }
    [[nodiscard]] QLabel &pointLabel() { return *m_point; } ///< of the cell that is pointed at

private:
    enum class Status : std::uint8_t { Idle, Running, Stopped, Done };

    [[nodiscard]] QWidget *makeFigures();
    void connectAll();
    void stateChanged();
    void mapChanged();
    void begin(bool coarse);
    void take(const std::shared_ptr<const TuneRun> &run);
    /// Shows the whole run where it is of A as it is, else the coarse one, else the whole one that is outdated.
    void show();
    void drop();
    void refreshState();
    void refreshFindings();
    [[nodiscard]] bool isOf(const std::shared_ptr<const TuneRun> &run) const;
    /// What is under way is of A as it is.
    [[nodiscard]] bool isUnderWay() const;
    [[nodiscard]] bool followsCheaply() const;
    [[nodiscard]] QString stateText() const;
    void put(const TuneStep &step, Side side, const QString &name);

    Session &m_session;
    bool m_seen = false;
    double m_followLimit = 0.3;
    Status m_status = Status::Idle;
    QTimer m_pause; ///< knobs in motion: wait until they rest
    TuneSheet *m_sheet;
    QPushButton *m_start;
    QLabel *m_findings, *m_point;
    TuneModel *m_model;
    LandscapePlot *m_plot;
    std::shared_ptr<const TuneRun> m_whole, m_coarse;
    TunePlan m_asked; ///< what the runner was asked for last
    TuneRunner m_runner;
};

} // namespace syncopate::ui
