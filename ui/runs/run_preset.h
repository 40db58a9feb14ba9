// SPDX-License-Identifier: GPL-3.0-or-later
// Searches and sweeps look alike to the user: settings, a run that takes its time and can be stopped, and its results as they
// come. The panel of runs holds the common parts; a preset defines the run and its plot. A new kind of run is a class that
// inherits this, and a line where the panel is made.
#pragma once

#include "ui/runs/run_state_line.h"

#include <QObject>
#include <QString>

class QLabel;
class QPushButton;
class QWidget;

namespace syncopate::ui {

class RunsTable;

/// One kind of run, as the panel of runs shows it.
class RunPreset : public QObject {
    Q_OBJECT
public:
    struct Names {
        QString id;                    ///< as in project files: "search"
        QString name, toolTip;         ///< of the entry in the panel's choice
        QString stateName;             ///< name of the state's text, for screen readers
        QString resume, resumeToolTip; ///< the button after a stop
    };
    /// The widgets that the panel lays out and owns.
    struct Parts {
        QWidget *sheet = nullptr;   ///< the settings of the run; null: none
        QWidget *below = nullptr;   ///< stays below the sheet; null: nothing
        QWidget *figures = nullptr; ///< a line above plot and table; null: none
        QWidget *plot = nullptr;
        RunsTable *table = nullptr;
    };

    [[nodiscard]] const Names &names() const { return m_names; }
    [[nodiscard]] const Parts &parts() const { return m_parts; }
    [[nodiscard]] RunsTable &table() const { return *m_parts.table; }
    [[nodiscard]] RunStateLine &stateLine() const { return *m_stateLine; }
    [[nodiscard]] QLabel &stateLabel() const { return m_stateLine->label(); }
    [[nodiscard]] QPushButton &stopButton() const { return m_stateLine->button(); } ///< Stop while running, else Resume

    virtual void stop() = 0;
    virtual void resume() = 0;
    /// Tells the preset whether it is visible; a panel behind another tab is visible to Qt, but not to the user.
    virtual void setSeen(bool /*seen*/) {}

Q_SIGNALS:
    void runStateChanged();

protected:
    RunPreset(Names names, QObject *parent);
    /// Call once, from the constructor.
    void setParts(const Parts &parts) { m_parts = parts; }
    void setRunState(const RunState &state);

private:
    const Names m_names;
    Parts m_parts;
    RunStateLine *m_stateLine; ///< the panel's, like the parts
};

} // namespace syncopate::ui
