// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/conditions_model.h"
#include "ui/runs/conditions_plot.h"
#include "ui/runs/conditions_run.h"
#include "ui/runs/conditions_sheet.h"
#include "ui/runs/run_preset.h"
#include "ui/runs/runs_table.h"
#include "ui/session/session.h"

#include <memory>

class QLabel;
class QPushButton;

namespace syncopate::ui {

class Theme;

/// Changing conditions in the panel of runs: how fast side A trains under them with its default, tuned once, tuned again, and at
/// its best. The iteration at the mark goes on a side of the session, as an undoable step.
class ConditionsPreset final : public RunPreset {
    Q_OBJECT
public:
    ConditionsPreset(const Theme &theme, Session &session, QObject *parent = nullptr);

    void start();
    void stop() override;
    void resume() override { start(); }
    [[nodiscard]] const std::shared_ptr<const ConditionsRun> &run() const { return m_model->run(); }
    [[nodiscard]] bool isRunning() const { return m_status == Status::Running; }
    /// Marks an iteration in plot and table.
    void setIteration(std::size_t iteration);
    /// Puts the marked iteration of an arm on a side.
    void put(std::size_t arm, Side side);

    /// Another project: its sheet, or a new one's where it has none; what was played before is forgotten.
    void restore(const QJsonObject &settings);

    [[nodiscard]] ConditionsSheet &sheet() { return *m_sheet; }
    [[nodiscard]] ConditionsPlot &speeds() { return *m_plot; }
    [[nodiscard]] QPushButton &startButton() { return *m_start; }
    [[nodiscard]] QLabel &markLabel() { return *m_mark; }

private:
    enum class Status : std::uint8_t { Idle, Running, Stopped, Done };

    [[nodiscard]] QWidget *makeFigures();
    void connectAll();
    void take(const std::shared_ptr<const ConditionsRun> &run);
    void refresh();
    [[nodiscard]] QString stateText() const;

    Session &m_session;
    Status m_status = Status::Idle;
    std::size_t m_arm = retunedArm;
    std::size_t m_simulations = 0; ///< of what is under way
    ConditionsSheet *m_sheet;
    QPushButton *m_start;
    QLabel *m_mark;
    QPushButton *m_intoA, *m_intoB;
    ConditionsModel *m_model;
    ConditionsPlot *m_plot;
    ConditionsRunner m_runner;
};

} // namespace syncopate::ui
