// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timeline/annotations.h"
#include "ui/timeline/flow_arrows.h"
#include "ui/timeline/lane_layout.h"
#include "ui/timeline/ruler.h"
#include "ui/timeline/span_labels.h"
#include "ui/timeline/time_axis.h"
#include "ui/timeline/timeline_data.h"
#include "ui/timeline/timeline_painter.h"

#include <QImage>
#include <QPixmap>
#include <QPointer>
#include <QScrollBar>
#include <QTimer>
#include <QWidget>
#include <array>
#include <functional>
#include <memory>
#include <optional>

class QLineEdit;
class QMenu;

namespace syncopate::ui {

class Notes;
class Theme;
class WaitChip;

/// A line across all lanes, named in the ruler.
struct TimeMark {
    double time = 0; ///< nanoseconds relative to the iteration's start; 0 = none, not drawn
    QString name;
};

/// A pane: title, time ruler, lane names and lanes of one timeline over the window of a TimeAxis. Lanes are painted into an image
/// that is kept until window, data or size change; cursor, selection and focus are drawn over it.
class TimelineView final : public QWidget {
    Q_OBJECT
public:
    TimelineView(const Theme &theme, TimeAxis &axis, const QString &badge, QWidget *parent = nullptr);

    void setAxis(TimeAxis &axis);
    [[nodiscard]] TimeAxis &axis() const { return *m_axis; }
    /// Keeps the names beside the lanes of two panes equally wide, so that their times line up.
    static void stack(TimelineView &one, TimelineView &other);
    /// Null shows `reason` in place of lanes.
    void setData(std::shared_ptr<const TimelineData> data, const QString &reason = {});
    [[nodiscard]] const TimelineData *data() const { return m_data.get(); }
    void setTitle(const QString &title, const QString &detail);
    /// Highlights spans by label, empty highlights all.
    void setLit(std::vector<std::uint8_t> lit);
    /// Highlights the hits of a search instead, by label; empty: no search.
    void setFound(std::vector<std::uint8_t> found);
    void setMarks(std::vector<TimeMark> marks);
    /// Arrows to draw: what the selection waited for and what waited for it. Removed with the next data.
    void setFlows(std::vector<SpanFlow> flows);
    [[nodiscard]] const std::vector<SpanFlow> &flows() const { return m_flows; }
    /// Nanoseconds after the iteration's start that are shown at time 0 of the axis: aligns panes by other events.
    void setOffset(double nanoseconds);
    [[nodiscard]] double offset() const { return m_offset; }

    /// Pinned, moved and collapsed lanes, by name: kept when the data changes.
    [[nodiscard]] const LaneArrangement &arrangement() const { return m_arrangement; }
    void setArrangement(LaneArrangement arrangement);
    [[nodiscard]] bool isPinned(std::size_t lane) const;
    void setPinned(std::size_t lane, bool pinned);
    /// Hides or shows the other lanes of this lane's worker.
    void setCollapsed(std::size_t lane, bool collapsed);
    void setAllCollapsed(bool collapsed);
    /// Shows the transfers of this lane's stack on separate lanes, or all as one strip.
    void setExpanded(std::size_t lane, bool expanded);
    void setAllExpanded(bool expanded);
    /// Moves a lane (for a collapsed worker or a strip, all its lanes) before another; past the last: to the end.
    void moveLaneBefore(std::size_t lane, std::size_t other);
    [[nodiscard]] const LaneLayout &layout() const { return m_layout; }
    /// The lane that keys act on.
    [[nodiscard]] std::optional<std::size_t> currentLane() const { return m_lane; }
    void setCurrentLane(std::optional<std::size_t> lane);
    /// Makes a lane the current one and scrolls to it, expanding its worker if need be.
    void showLane(std::size_t lane);
    /// Draws the notes of side 0 (A) or 1 (B), and allows writing and editing them.
    void setNotes(Notes *notes, std::uint8_t side);
    /// Opens the editor for a new note on the selected stretch, else the selected span, else the pointer's time.
    void writeNote();
    [[nodiscard]] QLineEdit *noteEditor() const { return m_noteEditor; } ///< null: none is open
    /// Number of the note whose flag is at `position`.
    [[nodiscard]] std::optional<std::size_t> noteAt(const QPoint &position) const;
    /// The actions available at a position, for the context menu.
    [[nodiscard]] std::unique_ptr<QMenu> makeMenu(const QPoint &position);
    /// Dims the picture: it belongs to an older state.
    void setStale(bool stale);
    /// The overlay that is shown while the next picture is made.
    [[nodiscard]] WaitChip &waitChip() { return *m_waitChip; }
    /// Device pixels per logical pixel to render with, for pictures; 0 = the screen's.
    void setPixelRatio(qreal ratio);
    /// While the window moves, a picture that takes longer than this is painted at half the resolution, and again in full when
    /// the movement ends. Milliseconds; negative: always in full.
    void setDraftLimit(double milliseconds) { m_draftLimit = milliseconds; }
    /// The picture shown was painted at half the resolution.
    [[nodiscard]] bool isDraft() const { return m_draft; }

    [[nodiscard]] std::optional<SpanRef> selectedSpan() const { return m_selected; }
    void selectSpan(std::optional<SpanRef> span);
    /// Selects a span and scrolls as little as needed to show it.
    void showSpan(const SpanRef &span);
    /// Name, bytes, start, duration and overlap of a span, as rich text.
    [[nodiscard]] QString describe(const SpanRef &span) const;
    [[nodiscard]] std::optional<SpanRef> spanAt(const QPoint &position) const;
    [[nodiscard]] std::optional<SpanRef> spanOfTask(std::int32_t task) const;
    /// Everything below the title, for pictures and tests.
    [[nodiscard]] QRect plotRect() const;
    /// Where notes and names of marks stand in the ruler. Names cover neither notes nor each other, and no tick's figure is
    /// covered in part: it is left out.
    [[nodiscard]] std::vector<QRect> rulerTexts() const;
    /// The height at which all lanes have their full size.
    [[nodiscard]] int fullHeight() const;
    [[nodiscard]] double timeAt(int x) const; ///< relative nanoseconds
    [[nodiscard]] double xOf(double time) const;
    /// The pixel column of a time; a time too far outside for an int yields a column outside.
    [[nodiscard]] int columnOf(double time) const;
    /// Fits the selection, or the iteration if nothing is selected.
    void fitSelectionOrIteration();

    [[nodiscard]] QSize sizeHint() const override { return {800, 220}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 90}; }

Q_SIGNALS:
    void spanSelected();
    /// A time was clicked at which `worker`'s compute lane is empty; relative nanoseconds.
    void gapClicked(std::int32_t worker, double time);
    void arrangementChanged();
    void namesChanged(); ///< beside the lanes: plotRect() may have changed
    void searchWanted(); ///< the search shortcut was pressed
    void copyWanted();
    void focused();

protected:
    bool event(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void changeEvent(QEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    void connectAxis();
    void invalidate();
    void layOutLanes();
    // timeline_view_menu.cpp: the parts of makeMenu()
    void addSpanActions(QMenu &menu); ///< of the selected span
    void addNoteActions(QMenu &menu, std::optional<std::size_t> note);
    void addLaneActions(QMenu &menu, std::size_t lane);
    void addArrangementActions(QMenu &menu); ///< of all lanes
    // timeline_view_lanes.cpp
    void renderLanes();
    [[nodiscard]] bool wantsDraft() const;
    /// A line of pixels of the background where there is no lane.
    [[nodiscard]] std::vector<QRgb> groundLine(QRgb background) const;
    /// Whether the picture takes long enough that starting threads for it pays off.
    [[nodiscard]] bool isWorthThreads() const;
    /// Renders the rows of the pinned lanes, or of the others, and the background around them down to pixel row `endRow`.
    void renderRows(bool pinned, const std::vector<QRgb> &ground, int endRow);
    void renderGutter();
    /// A row's name beside the lanes. A worker's first row has the worker's name, the others only their kind: "worker 0 compute",
    /// "push", "pull".
    struct LaneName {
        QString whole;
        qsizetype owner = 0; ///< letters of `whole` that are not shown: the worker's
        int left = 0;        ///< pixels
        [[nodiscard]] QString shown() const { return whole.mid(owner); }
        bool operator==(const LaneName &) const = default;
    };
    [[nodiscard]] std::vector<LaneName> laneNames() const;
    [[nodiscard]] bool hasStackTriangle(const LaneLayout::Row &row) const;
    void paintLaneName(QPainter &painter, std::size_t number, const QRect &area) const; ///< of that row
    // timeline_view_paint.cpp
    void paintTitle(QPainter &painter) const;
    void paintLegend(QPainter &painter, QRect &row) const;
    void paintRuler(QPainter &painter) const;
    // timeline_view_overlay.cpp
    void paintOverlay(QPainter &painter) const;
    /// A mark and its name, beside the notes' flags; the last one first.
    struct PlacedMark {
        int x;
        MarkLabel label;
    };
    [[nodiscard]] std::vector<PlacedMark> placedMarks() const;
    void paintMarks(QPainter &painter) const;
    void paintFlows(QPainter &painter) const;
    [[nodiscard]] QRect spanRect(const SpanRef &span) const;
    // timeline_view_input.cpp
    /// The share that a strip uses at `x`, and the `first` of the spans there.
    [[nodiscard]] QString describeStrip(const LaneLayout::Row &row, int x, const SpanRef &first) const;
    void pressGutter(const QPoint &position);
    void dragLane(int y);
    void dropLane();
    // timeline_view_notes.cpp
    struct Flag {
        std::size_t note;
        QRect box;
        int end; ///< x of the stretch's end
        QString text;
    };
    [[nodiscard]] std::vector<Flag> flags() const;
    [[nodiscard]] std::vector<QRect> flagBoxes() const;
    void paintNotes(QPainter &painter) const;
    [[nodiscard]] QString describeNote(std::size_t number) const;
    /// Opens the editor for a new note, or for one of the notes.
    void editNote(const Note &note, bool isNew);
    void endNote();
    // timeline_view_walk.cpp
    // Keys, by what they change; they return false if they do not handle the key.
    bool altKey(int key);
    bool flowKey(int key);
    bool timeKey(int key);
    bool laneKey(int key);
    bool spanKey(int key);
    void moveLane(int step);
    void moveSpan(int step);
    /// The next span of a strip's lanes, by start time.
    [[nodiscard]] std::optional<SpanRef> nextInStrip(const LaneLayout::Row &row, const SpanRef &from, int step) const;
    void moveSameName(int step);
    /// Selects the span that the selected one waited for last, or the first span that waited for it.
    void moveFlow(int step);
    void selectTimeOfSpan();
    void unhide(std::size_t lane);
    void revealSelected();
    void revealLane(std::size_t lane);
    /// Start and end on the axis.
    [[nodiscard]] TimeAxis::Range timeOf(const SpanRef &span) const;
    void zoomToSpan(const SpanRef &span);
    [[nodiscard]] std::optional<std::size_t> laneNamed(const std::string &name) const;
    // timeline_view_arrange.cpp
    void shiftLane(int step);
    void rearrange(const std::function<void(LaneArrangement &)> &change);

    [[nodiscard]] std::optional<std::size_t> laneAt(int y) const;
    void updateCursorStrip();
    [[nodiscard]] int gutterWidth() const;
    void measureNames() const;
    void takeNames(); ///< after the rows may have changed
    [[nodiscard]] double nanosecondsPerPixel() const;
    [[nodiscard]] qreal pixelRatio() const { return m_pixelRatio > 0 ? m_pixelRatio : devicePixelRatioF(); }
    /// The absolute nanoseconds of the axis' time 0.
    [[nodiscard]] double origin() const { return m_data ? static_cast<double>(m_data->origin()) + m_offset : 0; }
    [[nodiscard]] const std::vector<std::uint8_t> &shownLit() const { return m_found.empty() ? m_lit : m_found; }

    static constexpr int titleHeight = 24;
    static constexpr int rulerHeight = 20;
    // Of the gutter: the button that expands a stack, the names' left and right margins.
    static constexpr int stackTriangle = 14, nameLeft = 14, nestedNameLeft = 26, nameRight = 6;
    static constexpr int headerHeight = titleHeight + rulerHeight;

    const Theme &m_theme;
    TimeAxis *m_axis;
    QPointer<TimelineView> m_stacked; ///< whose gutter is as wide
    QString m_badge, m_title, m_detail, m_reason;
    std::shared_ptr<const TimelineData> m_data;
    std::vector<std::uint8_t> m_lit, m_found;
    std::optional<SpanRef> m_selected;
    std::optional<std::size_t> m_lane; ///< the lane that keys act on
    std::vector<SpanFlow> m_flows;
    std::vector<TimeMark> m_marks;
    double m_offset = 0;
    Notes *m_notes = nullptr;
    std::uint8_t m_side = 0;
    QLineEdit *m_noteEditor = nullptr;
    WaitChip *m_waitChip;
    bool m_stale = false;
    bool m_focusRing = false; ///< focus came by keyboard: show a focus ring
    qreal m_pixelRatio = 0;

    LaneArrangement m_arrangement;
    LaneLayout m_layout;
    QScrollBar *m_scroll;

    // caches
    QImage m_lanes;
    QPixmap m_gutter;
    SpanLabels m_labels;
    std::vector<LaneName> m_names; ///< of the rows
    // Pixels, of the present font: at least, and for all names; 0 = not measured.
    mutable int m_minGutter = 0, m_namesGutter = 0;
    std::vector<WideSpan> m_wide;
    std::vector<int> m_deviceTops;
    bool m_lanesDirty = true, m_gutterDirty = true;

    // drafts
    double m_draftLimit = 12;
    qreal m_lanesRatio = 1; ///< pixels of m_lanes per logical pixel
    bool m_draft = false;
    bool m_moving = false;              ///< the window has just changed
    std::array<double, 3> m_fullCost{}; ///< milliseconds of the last full pictures; the minimum counts
    std::size_t m_fullPictures = 0;
    QTimer m_settleTimer;

    // gestures
    enum class Gesture : std::uint8_t { None, Press, Select, Pan, Gutter, MoveLane };
    Gesture m_gesture = Gesture::None;
    QPoint m_pressed;
    double m_pressedTime = 0;
    int m_cursorX = -1;
    int m_dropY = -1; ///< where a dragged lane would be dropped, from the top of the lanes; -1 = nowhere
    bool m_dropPinned = false;
    std::optional<std::size_t> m_dropBefore;
};

} // namespace syncopate::ui
