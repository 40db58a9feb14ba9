// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/session.h"
#include "ui/timeline/time_axis.h"

#include <QByteArray>
#include <QList>
#include <QObject>
#include <optional>

class QDockWidget;
class QMainWindow;
class QPlainTextEdit;
class QString;
class QWidget;

namespace syncopate::ui {

class ConditionsPreset;
class DifferencePanel;
class Inspector;
class KnobsPanel;
class Notes;
class NotesPanel;
class Perspectives;
class PlanPreset;
class ProfilePanel;
class ProjectKeeper;
class QueryPanel;
class RunPreset;
class RunsPanel;
class RunsTable;
class ScenariosPanel;
class SearchPreset;
class Searcher;
class SweepPreset;
class Theme;
class ThroughputPanel;
class TopologyPanel;
class TunePreset;
class VariablesPanel;
class WhyPanel;
struct Perspective;

/// The panels around the timelines, as docks of a window: knobs left, inspector right, the others as tabs below. Arranges them,
/// hides them while nothing is loaded, and connects those that work together.
class Panels final : public QObject {
    Q_OBJECT
public:
    Panels(QMainWindow &window, Theme &theme, Session &session, ProjectKeeper &keeper, TimeAxis &axis, Notes &notes);

    [[nodiscard]] KnobsPanel &knobs() { return *m_knobs; }
    [[nodiscard]] Inspector &inspector() { return *m_inspector; }
    [[nodiscard]] ProfilePanel &profile() { return *m_profile; }
    [[nodiscard]] VariablesPanel &variables() { return *m_variables; }
    [[nodiscard]] ScenariosPanel &scenarios() { return *m_scenarios; }
    [[nodiscard]] WhyPanel &why() { return *m_why; }
    [[nodiscard]] ThroughputPanel &throughput() { return *m_throughput; }
    [[nodiscard]] TopologyPanel &topology() { return *m_topology; }
    [[nodiscard]] QueryPanel &query() { return *m_query; }
    [[nodiscard]] DifferencePanel &difference() { return *m_difference; }
    [[nodiscard]] NotesPanel &notes() { return *m_notes; }
    [[nodiscard]] Searcher &searcher() { return *m_searcher; }
    [[nodiscard]] RunsPanel &runs() { return *m_runs; }
    [[nodiscard]] SearchPreset &search() { return *m_search; }
    [[nodiscard]] SweepPreset &sweeps() { return *m_sweeps; }
    [[nodiscard]] PlanPreset &plans() { return *m_plans; }
    [[nodiscard]] TunePreset &tuning() { return *m_tuning; }
    [[nodiscard]] ConditionsPreset &conditions() { return *m_conditions; }
    [[nodiscard]] Perspectives &perspectives() { return *m_perspectives; }
    [[nodiscard]] RunsTable &candidates();
    void chooseRuns(const RunPreset &preset); ///< in the panel of runs, wherever it is
    /// Shows the panel of runs with a preset chosen: its sheet, or its table with the focus.
    void raiseRuns(const RunPreset &preset);
    void raiseTable(const RunPreset &preset);
    /// Adds a line to the log, with a timestamp.
    void log(const QString &line);

    /// All docks of the window.
    [[nodiscard]] QList<QDockWidget *> docks() const;
    /// Shows a panel, given by its dock's object name, in front of the others in its place.
    void raise(const QString &name);
    /// Raises the table of variables and selects one; clears the table's filter if that hides it.
    void selectVariable(const QString &name);
    /// Empty panels would only distract from the start page: they are hidden while nothing is loaded.
    void show(bool show);
    [[nodiscard]] bool areShown() const { return m_shown; }

    /// Makes the present arrangement the one that reset() restores. Call when the window is created.
    void rememberInitialLayout();
    void reset();
    /// Shows the panels that a perspective asks for in their places, and gives them its share of the height.
    void arrangeFor(const Perspective &perspective);
    /// The arrangement to save, whether it is shown now or will be.
    [[nodiscard]] QByteArray layout() const;
    /// Sets the arrangement to show when something is loaded.
    void setLayout(const QByteArray &layout) { m_layout = layout; }
    /// Arranges the panels now, with the heights of `layout`. Returns false and changes nothing if it is not a layout.
    bool restore(const QByteArray &layout);
    /// Notices when the user drags a separator of the window and so chooses the height of the bottom panels.
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void makePanels(Theme &theme, Session &session, ProjectKeeper &keeper, TimeAxis &axis, Notes &notes);
    void makeLog();
    void arrange();
    /// Makes the lower docks of the initial layout lower in a low window.
    void fitToWindow();
    void connectPanels();
    QDockWidget *addDock(const QString &name, const QString &title, QWidget *content, Qt::DockWidgetArea area);
    [[nodiscard]] QDockWidget *dock(const char *name) const;
    /// The docks with a sheet, a plot and a table, which need more height than the others.
    [[nodiscard]] QList<QDockWidget *> roomyDocks() const;
    /// Makes the bottom panels higher while this one is visible, and restores their height afterwards.
    void makeRoomFor(QDockWidget &dock, bool seen);
    void resizeHeight(QDockWidget &dock, int height);
    /// Of the bottom dock in front; null: there is none.
    [[nodiscard]] std::optional<int> bottomHeight() const;

    QMainWindow &m_window;
    KnobsPanel *m_knobs = nullptr;
    Inspector *m_inspector = nullptr;
    ProfilePanel *m_profile = nullptr;
    VariablesPanel *m_variables = nullptr;
    ScenariosPanel *m_scenarios = nullptr;
    WhyPanel *m_why = nullptr;
    RunsPanel *m_runs = nullptr;
    SweepPreset *m_sweeps = nullptr;
    PlanPreset *m_plans = nullptr;
    TunePreset *m_tuning = nullptr;
    ConditionsPreset *m_conditions = nullptr;
    ThroughputPanel *m_throughput = nullptr;
    TopologyPanel *m_topology = nullptr;
    QueryPanel *m_query = nullptr;
    DifferencePanel *m_difference = nullptr;
    NotesPanel *m_notes = nullptr;
    Searcher *m_searcher = nullptr;
    SearchPreset *m_search = nullptr;
    QPlainTextEdit *m_log = nullptr;
    Perspectives *m_perspectives = nullptr;
    QByteArray m_initialLayout;
    QByteArray m_layout; ///< of the panels while they are hidden
    bool m_shown = true;
    std::optional<int> m_heightBefore;  ///< of the bottom panels before room was made, until the user chooses a height
    std::optional<int> m_heightAtPress; ///< of the bottom panels, while a separator is held
};

} // namespace syncopate::ui
