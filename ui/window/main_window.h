// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/model_table.h"
#include "ui/export/picture_file.h"
#include "ui/help/tour.h"
#include "ui/project/project_keeper.h"
#include "ui/session/session.h"
#include "ui/timeline/alignment.h"
#include "ui/timeline/notes.h"
#include "ui/timeline/time_axis.h"

#include <QImage>
#include <QMainWindow>
#include <QPointer>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QSplitter;
class QStackedWidget;

namespace syncopate::ui {

class CandidatesPanel;
class DifferenceStrip;
class Inspector;
class KnobsPanel;
class MessageBar;
class NotesPanel;
class OverviewStrip;
class PaneLights;
class Readout;
class SearchBar;
class ScenariosPanel;
class SearchPanel;
class Searcher;
class SweepsPanel;
class Theme;
class ThroughputPanel;
class TopologyPanel;
class TimelineSearch;
class TimelineView;
class VariablesPanel;
class WhyPanel;

/// The explorer: knobs left, timelines in the middle, inspector right, variables and log below. Holds the views together:
/// what the session says goes to all of them, what one of them selects goes to the others.
class MainWindow final : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(Theme &theme, QWidget *parent = nullptr);
    ~MainWindow() override;

    [[nodiscard]] Session &session() { return m_session; }
    [[nodiscard]] KnobsPanel &knobs() { return *m_knobs; }
    [[nodiscard]] VariablesPanel &variables() { return *m_variables; }
    [[nodiscard]] Inspector &inspector() { return *m_inspector; }
    [[nodiscard]] ProjectKeeper &keeper() { return m_keeper; }
    [[nodiscard]] ScenariosPanel &scenarios() { return *m_scenarios; }
    [[nodiscard]] WhyPanel &why() { return *m_why; }
    [[nodiscard]] TopologyPanel &topology() { return *m_topology; }
    [[nodiscard]] SweepsPanel &sweeps() { return *m_sweeps; }
    [[nodiscard]] ThroughputPanel &throughput() { return *m_throughput; }
    [[nodiscard]] Searcher &searcher() { return *m_searcher; }
    [[nodiscard]] SearchPanel &search() { return *m_search; }
    [[nodiscard]] CandidatesPanel &candidates() { return *m_candidates; }
    [[nodiscard]] MessageBar &messageBar() { return *m_messages; }
    [[nodiscard]] TimelineView &view(Side side) { return *m_views[indexOf(side)]; }
    [[nodiscard]] TimeAxis &axis() { return m_axis; }
    /// What the user wrote on the timelines; view().arrangement() has the lanes, axis().window() the stretch that is shown.
    [[nodiscard]] Notes &notes() { return m_notes; }
    [[nodiscard]] NotesPanel &notesPanel() { return *m_notesPanel; }
    [[nodiscard]] SearchBar &searchBar() { return *m_searchBar; }
    [[nodiscard]] Readout &readout() { return *m_readout; }
    [[nodiscard]] DifferenceStrip &difference() { return *m_difference; }
    [[nodiscard]] OverviewStrip &overview() { return *m_overview; }
    [[nodiscard]] Alignment alignment() const { return m_alignment; }
    /// What stands under what while axes are locked.
    void setAlignment(Alignment alignment);
    [[nodiscard]] QAction *action(const QString &name) const; ///< by object name, for tests
    /// Readout, overview, panes and difference at `scale` times their size.
    [[nodiscard]] QImage picture(int scale);
    /// The timelines of all sides that are shown, with every lane, over the stretch on screen or the whole iteration.
    [[nodiscard]] Picture timelinePicture(bool wholeIteration) const;
    /// timelinePicture(), then every panel that is open.
    [[nodiscard]] std::vector<Picture> pictures(bool wholeIteration);
    /// The tables of all panels that are open.
    [[nodiscard]] std::vector<NamedTable> tables() const;

    /// Brings back geometry, panels and theme of the last time, and keeps them for the next when the window closes.
    void restoreLayout();
    /// Another window, beside this one, with nothing loaded.
    MainWindow *openWindow();

Q_SIGNALS:
    /// All runs of the present state are on screen (or failed).
    void settled();

protected:
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;
    void closeEvent(QCloseEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    using Runs = std::array<std::shared_ptr<const ShownRun>, 2>;
    // main_window.cpp
    QWidget *makeCentre();
    void makeDocks();
    void makeStatusBar();
    void connectSession();
    void showRuns();
    void showSide(Side side);
    void showPanels(bool show);
    void showState();
    void lightVariable(std::int32_t variable);
    void showSpan(Side side);
    void showBounds();
    void raisePanel(const QString &name);
    /// Makes the panels at the bottom higher while this one is seen, and as they were after.
    void makeRoomFor(QDockWidget &dock, bool seen);
    void showStretch(Side side, double fromSeconds, double toSeconds, std::int32_t task);
    void explainGap(Side side, std::int32_t worker, double relativeNanoseconds);
    void fitNewRuns();
    void alignStrips();
    // main_window_pictures.cpp
    /// What picture() is put together from.
    [[nodiscard]] QList<QPointer<QWidget>> picturePieces() const;
    [[nodiscard]] QImage blankPicture(int scale) const;
    void drawPiece(QImage &picture, QWidget &piece, int scale);
    void copyPicture();
    void copyNext(const std::shared_ptr<QImage> &picture, const Runs &runs, const QList<QPointer<QWidget>> &rest);
    // main_window_timelines.cpp
    void makeTimelineTools();
    void makeTimelineActions(QMenu *edit, QMenu *view, QMenu *compareMenu);
    [[nodiscard]] Side activeSide() const;
    [[nodiscard]] TimelineView &activeView() const;
    void showAlignment();
    void showOverviewLanes(Side side);
    void showNote(std::size_t number);
    void openPalette();
    void selectVariable(const QString &name);
    // main_window_project.cpp
    void makeProjectActions(QMenu *file);
    void openFile(const QString &path);
    void saveCluster(syncopate::Cluster cluster);
    void saveProject(bool elsewhere);
    void fillRecent(QMenu *menu);
    void complete(Project &project) const;
    void showViews();
    void showNotesOfJob();
    void showTitle();
    // main_window_actions.cpp
    void makeActions();
    void makeSearchActions();
    /// Enables an action, or says in its property "whyNot" (which the palette shows) why it is not.
    static void allow(QAction *action, bool allowed, const QString &whyNot);
    QAction *add(QMenu *menu, const QString &name, const QString &text, const QKeySequence &shortcut, const QString &toolTip,
                 std::function<void()> run);
    void openDialog();
    void openClusterDialog(std::optional<Side> side);
    void exportDialog();
    // main_window_tutorial.cpp
    [[nodiscard]] std::vector<TourStep> overlapTour();
    void startTutorial();
    // main_window_actions.cpp
    void setLocked(bool locked);
    void swapSides();
    void log(const QString &line);
    void resetLayout();
    void saveLayout() const;

    Theme &m_theme;
    Session m_session;
    Notes m_notes;
    std::string m_notesOf;                                 ///< source of the job that m_notes belong to
    std::map<std::string, std::vector<Note>> m_otherNotes; ///< of the jobs that were here before, by source
    ProjectKeeper m_keeper{m_session, [this](Project &project) { complete(project); }};
    std::map<std::string, std::string> m_viewsToShow; ///< of an opened project, until its runs are there
    TimeAxis m_axis;                                  ///< of A, and of all while locked
    TimeAxis m_axisB;                                 ///< of B while not locked
    MessageBar *m_messages = nullptr;
    QStackedWidget *m_pages = nullptr;
    Readout *m_readout = nullptr;
    OverviewStrip *m_overview = nullptr;
    QSplitter *m_panes = nullptr;
    QWidget *m_explorer = nullptr;
    std::array<TimelineView *, 2> m_views{};
    PaneLights *m_lights = nullptr;
    std::optional<int> m_heightBefore; ///< of the panels at the bottom, before room was made
    int m_heightGiven = 0;             ///< with that room
    DifferenceStrip *m_difference = nullptr;
    KnobsPanel *m_knobs = nullptr;
    Inspector *m_inspector = nullptr;
    VariablesPanel *m_variables = nullptr;
    ScenariosPanel *m_scenarios = nullptr;
    WhyPanel *m_why = nullptr;
    SweepsPanel *m_sweeps = nullptr;
    ThroughputPanel *m_throughput = nullptr;
    TopologyPanel *m_topology = nullptr;
    NotesPanel *m_notesPanel = nullptr;
    SearchBar *m_searchBar = nullptr;
    TimelineSearch *m_timelineSearch = nullptr;
    Alignment m_alignment = Alignment::IterationStart;
    Side m_active = Side::A;               ///< pane that had the focus last
    std::array<SideState, 2> m_knownSides; ///< to see when they are swapped
    Searcher *m_searcher = nullptr;
    SearchPanel *m_search = nullptr;
    CandidatesPanel *m_candidates = nullptr;
    QPlainTextEdit *m_log = nullptr;
    QLabel *m_statusFile = nullptr, *m_statusCounts = nullptr;
    QProgressBar *m_progress = nullptr;
    QPushButton *m_cancel = nullptr;
    QAction *m_compare = nullptr, *m_lock = nullptr;
    QByteArray m_initialLayout;
    QByteArray m_layout; ///< of the panels while they are hidden
    bool m_panelsShown = true;
    bool m_keepLayout = false;
    std::shared_ptr<const Job> m_fittedJob; ///< the axis was last fitted for
    std::shared_ptr<const Cluster> m_fittedCluster;
};

} // namespace syncopate::ui
