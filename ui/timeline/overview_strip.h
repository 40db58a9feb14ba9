// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/time_axis.h"
#include "ui/timeline/timeline_data.h"

#include <QImage>
#include <QWidget>
#include <array>
#include <memory>
#include <utility>
#include <vector>

namespace syncopate::ui {

class Theme;

/// The whole runs of A and B, a few lanes of each, with the window of a TimeAxis, which can be dragged, resized at its edges, or
/// moved by a click.
class OverviewStrip final : public QWidget {
    Q_OBJECT
public:
    OverviewStrip(const Theme &theme, TimeAxis &axis, QWidget *parent = nullptr);

    void setData(std::shared_ptr<const TimelineData> a, std::shared_ptr<const TimelineData> b);
    /// The lanes of a side to draw, from top to bottom; if empty, the first of worker 0. Lanes that a run lacks are skipped.
    /// If none of them is busy for a twentieth of the busiest host thread's time, the busiest host lanes get half of the room.
    /// `strips`: which of them represent their stacks.
    void setLanes(std::size_t side, std::vector<std::size_t> lanes, std::vector<std::size_t> strips);
    [[nodiscard]] const std::vector<std::size_t> &lanes(std::size_t side) const { return m_lanes[side]; }
    [[nodiscard]] const std::vector<std::size_t> &strips(std::size_t side) const { return m_strips[side]; }
    static constexpr std::size_t maxLanes = 4; ///< per side
    /// Nanoseconds after the start of B's iteration that are shown at time 0 of the axis.
    void setOffset(double nanoseconds);
    /// A newer state of a side is being simulated: its lanes are pale until then.
    void setStale(std::array<bool, 2> stale);
    /// Device pixels per logical pixel to render with, for pictures; 0 = the screen's.
    void setPixelRatio(qreal ratio);
    [[nodiscard]] QSize sizeHint() const override { return {600, 50}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 50}; }

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;

private:
    enum class Part : std::uint8_t { None, Left, Right, Inside, Outside };
    [[nodiscard]] qreal pixelRatio() const;
    void render();
    void paintStale(QPainter &painter, const QRect &area) const;
    /// The lanes drawn for a side with data, and the requested ones.
    [[nodiscard]] std::vector<std::size_t> shownLanes(std::size_t side) const;
    [[nodiscard]] std::vector<std::size_t> lanesOf(std::size_t side) const;
    void placeBounds();
    [[nodiscard]] QRect strip() const;
    [[nodiscard]] double xOf(double time) const;
    [[nodiscard]] double timeAt(double x) const;
    /// The left and right edge of the axis' window, as drawn: within the strip.
    [[nodiscard]] std::pair<double, double> shownEdges() const;
    [[nodiscard]] Part partAt(const QPoint &position) const;

    const Theme &m_theme;
    TimeAxis &m_axis;
    std::array<std::shared_ptr<const TimelineData>, 2> m_data;
    std::array<std::vector<std::size_t>, 2> m_lanes, m_strips;
    double m_offset = 0; ///< of B
    std::array<bool, 2> m_stale{};
    double m_from = 0, m_to = 1; ///< the time range of the strip, relative ns
    QImage m_image;
    bool m_dirty = true;
    qreal m_pixelRatio = 0;
    Part m_dragged = Part::None;
    double m_grabOffset = 0;
};

} // namespace syncopate::ui
