// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/picture_file.h"
#include "ui/project/project_keeper.h"
#include "ui/session/session.h"
#include "ui/timeline/notes.h"
#include "ui/timeline/time_axis.h"

#include <QImage>
#include <QMainWindow>
#include <memory>

class QStackedWidget;

namespace syncopate::ui {

class DifferenceStrip;
class Exports;
class Files;
class Inspector;
class KnobsPanel;
class LoadStatus;
class MessageBar;
class NotesPanel;
class OverviewStrip;
class Panels;
class Panes;
class Perspectives;
class ProfilePanel;
class ProjectViews;
class Readout;
class PlanPreset;
class ScenariosPanel;
class RunsPanel;
class RunsTable;
class SearchBar;
class SearchPreset;
class DifferencePanel;
class Searcher;
class SweepPreset;
class Theme;
class ThroughputPanel;
class TimelineSearch;
class TimelineView;
class TopologyPanel;
class Tutorial;
class VariablesPanel;
class WhyPanel;
class WindowActions;

/// The explorer: a start page or timelines in the middle, and panels around them as the perspective says (docs/architecture.md).
/// Makes its parts and connects them: signals of the session go to all of them, a selection in one of them to the others.
class MainWindow final : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(Theme &theme, QWidget *parent = nullptr);
    ~MainWindow() override;

    [[nodiscard]] Session &session() { return m_session; }
    [[nodiscard]] ProjectKeeper &keeper() { return m_keeper; }
    [[nodiscard]] MessageBar &messageBar() { return *m_messages; }

    // The parts, for tests and pictures:
    [[nodiscard]] KnobsPanel &knobs();
    [[nodiscard]] VariablesPanel &variables();
    [[nodiscard]] Inspector &inspector();
    [[nodiscard]] Perspectives &perspectives();
    [[nodiscard]] ProfilePanel &profile();
    [[nodiscard]] ScenariosPanel &scenarios();
    [[nodiscard]] WhyPanel &why();
    [[nodiscard]] TopologyPanel &topology();
    [[nodiscard]] RunsPanel &runs();
    [[nodiscard]] SweepPreset &sweeps();
    [[nodiscard]] PlanPreset &plans();
    [[nodiscard]] ThroughputPanel &throughput();
    [[nodiscard]] DifferencePanel &traceDifference();
    [[nodiscard]] Searcher &searcher();
    [[nodiscard]] SearchPreset &search();
    [[nodiscard]] RunsTable &candidates();
    [[nodiscard]] NotesPanel &notesPanel();
    [[nodiscard]] TimelineView &view(Side side);
    [[nodiscard]] TimeAxis &axis();
    /// The user's notes on the timelines; view().arrangement() has the lanes, axis().window() the visible stretch.
    [[nodiscard]] Notes &notes();
    [[nodiscard]] SearchBar &searchBar();
    [[nodiscard]] Readout &readout();
    [[nodiscard]] DifferenceStrip &difference();
    [[nodiscard]] OverviewStrip &overview();
    [[nodiscard]] QAction *action(const QString &name) const; ///< by object name, for tests
    /// Readout, overview, panes and difference, enlarged by `scale`.
    [[nodiscard]] QImage picture(int scale);
    /// The timelines of all shown sides, with every lane, over the stretch on screen or the whole iteration.
    [[nodiscard]] Picture timelinePicture(bool wholeIteration) const;

    /// Restores geometry, panels, perspective and theme of the last session, and saves them when the window closes.
    void restoreLayout();
    /// Opens another, empty window beside this one.
    MainWindow *openWindow();

Q_SIGNALS:
    /// All runs of the present state are shown (or failed).
    void settled();

protected:
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;
    void closeEvent(QCloseEvent *event) override;

private:
    QWidget *makeCentre();
    QWidget *makeStartPage();
    void connectSession();
    void connectKeeper();
    void connectPanes();
    void connectPanels();
    void showState();
    void showRuns();
    void showTitle();
    void showBounds();
    void lightVariable(std::int32_t variable);
    void saveLayout() const;

    Theme &m_theme;
    Session m_session;
    ProjectKeeper m_keeper;
    MessageBar *m_messages = nullptr;
    QStackedWidget *m_pages = nullptr;
    std::unique_ptr<Panes> m_panes;
    std::unique_ptr<Panels> m_panels;
    std::unique_ptr<LoadStatus> m_status;
    std::unique_ptr<ProjectViews> m_projectViews;
    std::unique_ptr<Files> m_files;
    std::unique_ptr<Exports> m_exports;
    std::unique_ptr<Tutorial> m_tutorial;
    std::unique_ptr<WindowActions> m_actions;
    std::unique_ptr<TimelineSearch> m_timelineSearch;
    bool m_showsRecording = false; ///< showsRecording() of the present state
    bool m_keepLayout = false;
};

} // namespace syncopate::ui
