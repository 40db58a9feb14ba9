// SPDX-License-Identifier: GPL-3.0-or-later
// Searches and sweeps are the same to the eye: settings, a run that takes its time and can be stopped, and its results as they
// come. This is the panel that they share; what is run, and how it is plotted, is said by its presets.
#pragma once

#include "ui/runs/run_state_line.h"

#include <QWidget>

class QScrollArea;
class QShortcut;

namespace syncopate::ui {

/// A panel for runs over a space: a sheet of settings that scrolls where the panel is low, a state line, and a plot. Esc
/// anywhere in the panel stops what runs.
class RunsPanel : public QWidget {
    Q_OBJECT
public:
    [[nodiscard]] RunStateLine &stateLine() { return *m_stateLine; }
    [[nodiscard]] QLabel &stateLabel() { return m_stateLine->label(); }
    [[nodiscard]] QPushButton &stopButton() { return m_stateLine->button(); } ///< Stop while it runs, else the preset's resume

    virtual void stop() = 0;
    virtual void resume() = 0;

protected:
    /// What a preset puts into the panel.
    struct Parts {
        QWidget *sheet = nullptr;   ///< scrolls
        QWidget *below = nullptr;   ///< stays below the sheet; null: nothing
        QWidget *figures = nullptr; ///< a line above the plot; null: none
        QWidget *plot = nullptr;
    };
    /// The arguments are those of RunStateLine.
    RunsPanel(const QString &stateName, const QString &resume, const QString &resumeToolTip, QWidget *parent);
    /// Lays the parts out, once.
    void setParts(const Parts &parts);
    void setRunState(const RunState &state);
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    /// As wide as the sheet needs to be, which scrolls up and down only.
    void fitSheet();

    QScrollArea *m_scroll;
    RunStateLine *m_stateLine;
    QShortcut *m_escape;
};

} // namespace syncopate::ui
