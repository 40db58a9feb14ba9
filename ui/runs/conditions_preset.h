// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/conditions_model.h"
#include "ui/runs/conditions_plot.h"
#include "ui/runs/conditions_run.h"
#include "ui/runs/conditions_sheet.h"
#include "ui/runs/iteration_player.h"
#include "ui/runs/run_preset.h"
#include "ui/runs/runs_table.h"
#include "ui/session/session.h"
#include "ui/tasks/background.h"

#include <QTimer>
#include <memory>

class QLabel;
class QPushButton;
class QSlider;
class QToolButton;

namespace syncopate::ui {

class Theme;

/// Changing conditions in the panel of runs: how fast side A trains under them with its default, tuned once, re-tuned, and at its
/// best. The mark can be dragged, stepped and played over the iterations; the marked one can be put on a side as an undoable
/// step, or B follows the mark. Its setting can be written for the system that trains.
class ConditionsPreset final : public RunPreset {
    Q_OBJECT
public:
    ConditionsPreset(const Theme &theme, Session &session, QObject *parent = nullptr);

    void start();
    void stop() override;
    void resume() override { start(); }
    [[nodiscard]] const std::shared_ptr<const ConditionsRun> &run() const { return m_model->run(); }
    [[nodiscard]] bool isRunning() const { return m_status == Status::Running; }
    /// Marks an iteration in plot and table; playback goes on from there.
    void setIteration(std::size_t iteration);
    /// Whether B shows the marked iteration as the mark moves; one undo step each time it comes to rest.
    void follow(bool on);
    /// Writes the setting of the marked iteration for the arm chosen in the table; failures go to the session.
    void writeSetting(const QString &path);
    /// Puts the marked iteration of an arm on a side.
    void put(std::size_t arm, Side side);

    /// Another project: its sheet, or a new one's if it has none; previous runs are forgotten.
    void restore(const QJsonObject &settings);

    [[nodiscard]] ConditionsSheet &sheet() { return *m_sheet; }
    [[nodiscard]] ConditionsPlot &speeds() { return *m_plot; }
    [[nodiscard]] QPushButton &startButton() { return *m_start; }
    [[nodiscard]] QLabel &markLabel() { return *m_mark; }
    [[nodiscard]] IterationPlayer &player() { return m_player; }
    [[nodiscard]] QToolButton &playButton() { return *m_play; }
    [[nodiscard]] QToolButton &followButton() { return *m_follow; }
    [[nodiscard]] QSlider &slider() { return *m_slider; }

Q_SIGNALS:
    void settingWritten(const QString &path);

private:
    enum class Status : std::uint8_t { Idle, Running, Stopped, Done };

    [[nodiscard]] QWidget *makeFigures();
    void connectAll();
    void connectMark();
    [[nodiscard]] bool isOfPresentJob() const;
    void show(std::size_t iteration);
    void choose(std::size_t arm);
    void showInB();
    void rest();
    void askWhereToWrite();
    [[nodiscard]] QString stepText(std::size_t arm, Side side) const;
    void take(const std::shared_ptr<const ConditionsRun> &run);
    void refresh();
    [[nodiscard]] QString stateText() const;

    Session &m_session;
    Status m_status = Status::Idle;
    std::size_t m_arm = retunedArm;
    std::size_t m_simulations = 0; ///< in the run in progress
    ConditionsSheet *m_sheet;
    QPushButton *m_start;
    QLabel *m_mark;
    QPushButton *m_intoA, *m_intoB, *m_write;
    QToolButton *m_play, *m_follow;
    QSlider *m_slider;
    ConditionsModel *m_model;
    ConditionsPlot *m_plot;
    IterationPlayer m_player;
    QTimer m_rest;       ///< until the mark has rested for a while
    QString m_previewed; ///< name of the undo step that will hold B's preview; empty: none
    // Last: their threads end before the members that they report to are destroyed.
    ConditionsRunner m_runner;
    Background<Result<QString>> m_writer{this, [this](const Result<QString> &written) {
                                             if (written)
                                                 Q_EMIT settingWritten(*written);
                                             else
                                                 Q_EMIT m_session.failed(written.error(), false);
                                         }};
};

} // namespace syncopate::ui
