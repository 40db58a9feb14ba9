// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/span_labels.h"
#include "ui/timeline/time_axis.h"
#include "ui/timeline/timeline_data.h"
#include "ui/timeline/timeline_painter.h"

#include <QImage>
#include <QPixmap>
#include <QScrollBar>
#include <QWidget>
#include <memory>
#include <optional>

namespace syncopate::ui {

class Theme;

/// One span of a timeline.
struct SpanRef {
    std::size_t lane = 0;
    std::size_t span = 0;
    bool operator==(const SpanRef &) const = default;
};

/// A line across all lanes with a name in the ruler.
struct TimeMark {
    double time = 0; ///< relative nanoseconds
    QString name;
};

/// A pane: title, time ruler, lane names and lanes of one timeline over the window of a TimeAxis. Lanes are painted into an
/// image that is kept until window, data or size change; cursor, selection and focus are drawn over it in strips.
class TimelineView final : public QWidget {
    Q_OBJECT
public:
    TimelineView(const Theme &theme, TimeAxis &axis, const QString &badge, QWidget *parent = nullptr);

    void setAxis(TimeAxis &axis);
    [[nodiscard]] TimeAxis &axis() const { return *m_axis; }
    /// Null shows `reason` in place of lanes.
    void setData(std::shared_ptr<const TimelineData> data, const QString &reason = {});
    [[nodiscard]] const TimelineData *data() const { return m_data.get(); }
    void setTitle(const QString &title, const QString &detail);
    /// Lights spans by label, empty lights all.
    void setLit(std::vector<std::uint8_t> lit);
    void setMarks(std::vector<TimeMark> marks);
    /// Dims the picture: it belongs to an older state.
    void setStale(bool stale);
    /// Device pixels per logical pixel to render with, for pictures; 0 = the screen's.
    void setPixelRatio(qreal ratio);

    [[nodiscard]] std::optional<SpanRef> selectedSpan() const { return m_selected; }
    void selectSpan(std::optional<SpanRef> span);
    /// Name, bytes, start, duration and overlap of a span, as rich text.
    [[nodiscard]] QString describe(const SpanRef &span) const;
    [[nodiscard]] std::optional<SpanRef> spanAt(const QPoint &position) const;
    [[nodiscard]] std::optional<SpanRef> spanOfTask(std::int32_t task) const;
    /// Everything below the title, for pictures and tests.
    [[nodiscard]] QRect plotRect() const;
    /// Height at which all lanes are seen at their full size.
    [[nodiscard]] int fullHeight() const;
    [[nodiscard]] double timeAt(int x) const; ///< relative nanoseconds
    [[nodiscard]] double xOf(double time) const;
    /// Fits the selection, or the iteration where nothing is selected.
    void fitSelectionOrIteration();

    [[nodiscard]] QSize sizeHint() const override { return {800, 220}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 90}; }

Q_SIGNALS:
    void spanSelected();
    /// A moment was clicked at which `worker`'s compute lane is empty; relative nanoseconds.
    void gapClicked(std::int32_t worker, double time);

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void changeEvent(QEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    void connectAxis();
    void invalidate();
    void layOutLanes();
    void renderLanes();
    void renderGutter();
    void paintTitle(QPainter &painter) const;
    void paintLegend(QPainter &painter, QRect &row) const;
    void paintRuler(QPainter &painter) const;
    void paintOverlay(QPainter &painter) const;
    void paintMarks(QPainter &painter) const;
    [[nodiscard]] std::optional<std::size_t> laneAt(int y) const;
    void updateCursorStrip();
    void moveLane(int step);
    void moveSpan(int step);
    void revealSelected();
    [[nodiscard]] int gutterWidth() const;
    [[nodiscard]] int groupCount() const;
    [[nodiscard]] QRect spanRect(const SpanRef &span) const;
    [[nodiscard]] double nanosecondsPerPixel() const;
    [[nodiscard]] qreal pixelRatio() const { return m_pixelRatio > 0 ? m_pixelRatio : devicePixelRatioF(); }

    const Theme &m_theme;
    TimeAxis *m_axis;
    QString m_badge, m_title, m_detail, m_reason;
    std::shared_ptr<const TimelineData> m_data;
    std::vector<std::uint8_t> m_lit;
    std::optional<SpanRef> m_selected;
    std::vector<TimeMark> m_marks;
    bool m_stale = false;
    bool m_focusRing = false; ///< focus came by the keyboard: show where it is
    qreal m_pixelRatio = 0;

    // layout, logical pixels
    std::vector<int> m_laneTop; ///< without scrolling
    int m_laneHeight = 18;
    int m_contentHeight = 0;
    QScrollBar *m_scroll;

    // caches
    QImage m_lanes;
    QPixmap m_gutter;
    SpanLabels m_labels;
    std::vector<WideSpan> m_wide;
    std::vector<int> m_deviceTops;
    bool m_lanesDirty = true, m_gutterDirty = true;

    // gestures
    enum class Gesture : std::uint8_t { None, Press, Select, Pan };
    Gesture m_gesture = Gesture::None;
    QPoint m_pressed;
    double m_pressedTime = 0;
    int m_cursorX = -1;
};

} // namespace syncopate::ui
