// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/session.h"
#include "ui/timeline/alignment.h"
#include "ui/timeline/notes.h"
#include "ui/timeline/time_axis.h"

#include <QObject>
#include <array>
#include <memory>
#include <optional>
#include <string>

class QSplitter;
class QWidget;

namespace syncopate::ui {

class DifferenceStrip;
class OverviewStrip;
class PaneLights;
class Readout;
class SearchBar;
class Theme;
class TimelineView;

/// The timelines of A and B, with readout, overview, search bar and difference around them: their alignment, the visible stretch
/// of time, and the notes.
class Panes final : public QObject {
    Q_OBJECT
public:
    Panes(const Theme &theme, Session &session);

    /// The container of it all; owned by the window that it is put into.
    [[nodiscard]] QWidget &widget() { return *m_widget; }
    /// The visible widgets, from top to bottom.
    [[nodiscard]] QList<QWidget *> pieces() const;
    [[nodiscard]] TimelineView &view(Side side) { return *m_views[indexOf(side)]; }
    [[nodiscard]] const TimelineView &view(Side side) const { return *m_views[indexOf(side)]; }
    [[nodiscard]] const std::array<TimelineView *, 2> &views() const { return m_views; }
    [[nodiscard]] Readout &readout() { return *m_readout; }
    [[nodiscard]] OverviewStrip &overview() { return *m_overview; }
    [[nodiscard]] DifferenceStrip &difference() { return *m_difference; }
    [[nodiscard]] SearchBar &searchBar() { return *m_searchBar; }
    [[nodiscard]] Notes &notes() { return m_notes; }
    [[nodiscard]] const Notes &notes() const { return m_notes; }
    /// A's, shared by all while locked; B's own while not.
    [[nodiscard]] TimeAxis &axis() { return m_axis; }
    [[nodiscard]] const TimeAxis &axis() const { return m_axis; }
    [[nodiscard]] TimeAxis &axisB() { return m_axisB; }
    [[nodiscard]] const TimeAxis &axisB() const { return m_axisB; }

    /// The side of the visible pane that had focus last.
    [[nodiscard]] Side activeSide() const { return m_session.state().compare ? m_active : Side::A; }
    [[nodiscard]] TimelineView &activeView() { return view(activeSide()); }
    /// Zooms the active pane around its cursor or, without one, its middle.
    void zoom(double factor);
    void copyReadout() const;

    /// Whether A and B show the same stretch of time, aligned by a common event.
    [[nodiscard]] bool isLocked() const { return m_locked; }
    void setLocked(bool locked);
    /// Both panes still show the range that was fitted when their runs arrived.
    [[nodiscard]] bool isFitted() const { return m_fitted == m_axis.window() && m_fitted == m_axisB.window(); }
    [[nodiscard]] Alignment alignment() const { return m_alignment; }
    void setAlignment(Alignment alignment);

    /// Whether the timelines are shown, or only the line of figures above them.
    void setTimelinesShown(bool shown);
    void showState();
    /// Swaps notes and lane arrangements when the sides are swapped: they belong to a side's contents.
    void followSides();
    void showRuns();
    /// Fits the axes to a new job or cluster; they stay unchanged while knobs are turned. Returns false while the shown runs do
    /// not belong to the present state.
    bool fitNewRuns();
    /// Treats the next runs as new, even if their job is unchanged.
    void forgetFit() { m_fittedJob.reset(); }
    /// Aligns the difference strip with the lanes.
    void alignStrips();
    void setLitVariable(std::int32_t variable); ///< by number in the job, -1 = none
    void showSelectedSpan(Side side);
    void showNote(std::size_t number);
    /// Selects a task and its stretch, in seconds from the run's start, and scrolls to it.
    void showStretch(Side side, double fromSeconds, double toSeconds, TaskId task);

Q_SIGNALS:
    void spanSelected(const QString &description); ///< "" = none
    /// A wait of a worker was clicked, at seconds from the run's start.
    void waitClicked(syncopate::Side side, std::int32_t worker, double seconds);
    void offsetChanged(double offset); ///< of B against A, nanoseconds
    void lockedChanged(bool locked);
    void changed(); ///< something that a project keeps

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void makeView(const Theme &theme, Side side);
    void showSide(Side side);
    /// Overview and difference, which give way to the panes' lanes where there is little room.
    void showStrips();
    void showAlignment();
    void showOverviewLanes(Side side);
    /// Marks outdated pictures, and shows how long the next one has taken so far.
    void showWait(Side side);
    /// Gives each pane the height of its lanes, unless the user resized them.
    void sizePanes();

    Session &m_session;
    Notes m_notes;
    TimeAxis m_axis;
    TimeAxis m_axisB;
    QWidget *m_widget;
    Readout *m_readout;
    OverviewStrip *m_overview;
    SearchBar *m_searchBar;
    QSplitter *m_splitter;
    DifferenceStrip *m_difference;
    std::array<TimelineView *, 2> m_views{};
    PaneLights *m_lights = nullptr;
    bool m_locked = true;
    bool m_timelinesShown = true;
    Alignment m_alignment = Alignment::IterationStart;
    Side m_active = Side::A;
    std::array<SideState, 2> m_knownSides;  ///< used to detect a swap
    std::string m_knownSource;              ///< of the job that they are sides of
    std::shared_ptr<const Job> m_fittedJob; ///< the axes were last fitted for
    std::shared_ptr<const Cluster> m_fittedCluster;
    std::array<bool, 2> m_fittedSides{};     ///< the sides that existed then
    std::optional<TimeAxis::Range> m_fitted; ///< the fitted range, until the user moves
    bool m_sizedByUser = false;
    std::array<int, 3> m_sizedFor{}; ///< the panes' full heights and the room at the last resize
};

} // namespace syncopate::ui
