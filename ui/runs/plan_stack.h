// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/time_axis.h"
#include "ui/timeline/timeline_data.h"

#include <QAbstractScrollArea>
#include <QString>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace syncopate::ui {

class Theme;

/// Several timelines below each other on one clock, as in SYNDICATE's Fig. 15 for plans: the compute stream and the channels of
/// each, or the lanes that the row names, over one iteration, which begins at 0 in every row and ends at the row's dashed line.
/// On the left of each row are its name and figures. Ctrl+wheel zooms, Shift+wheel pans, a double click fits.
class PlanStack final : public QAbstractScrollArea {
    Q_OBJECT
public:
    struct Row {
        QString name, figures;                    ///< "S-Exec"; "348 ms · idle 38.2 %"
        std::shared_ptr<const TimelineData> data; ///< compute, then the channels
        bool isEditable = false;                  ///< its motifs can be dragged
        std::vector<std::size_t> lanes = {};      ///< lanes to show, a strip by its first lane; empty = all

        [[nodiscard]] std::size_t laneCount() const { return lanes.empty() ? data->laneCount() : lanes.size(); }
        [[nodiscard]] std::size_t laneAt(std::size_t place) const { return lanes.empty() ? place : lanes[place]; }
        /// The position in the row of `lane`, or of the strip that it is part of, counted from the top.
        [[nodiscard]] std::size_t placeOf(std::size_t lane) const;
    };

    /// The lanes of one worker as a pane shows them: overlapping transfers as strips.
    [[nodiscard]] static std::vector<std::size_t> lanesOfWorker(const TimelineData &data, std::int32_t worker);

    explicit PlanStack(const Theme &theme, QWidget *parent = nullptr);

    /// Shows rows; the window is kept unless the longest iteration changes, and a press or drag stays with its timeline.
    void setRows(std::vector<Row> rows);
    [[nodiscard]] const std::vector<Row> &rows() const { return m_rows; }
    [[nodiscard]] TimeAxis &axis() { return m_axis; }
    /// Text shown while there are no rows.
    void setEmptyText(const QString &text);

    /// A span, by row, lane and index in the lane.
    struct Span {
        std::size_t row = 0, lane = 0, span = 0;
    };
    [[nodiscard]] std::optional<Span> spanAt(const QPoint &position) const;
    /// The vertical centre of a lane at a time, nanoseconds after the iteration's start.
    [[nodiscard]] QPoint positionOf(std::size_t row, std::size_t lane, double time) const;
    /// Describes a span in one line.
    [[nodiscard]] QString describe(const Span &span) const;

    [[nodiscard]] QSize sizeHint() const override { return {480, 240}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 80}; }

Q_SIGNALS:
    void rowClicked(int row);
    /// A span of an editable row was dragged to a lane of the same row, `seconds` later than before.
    void spanDragged(int row, std::size_t lane, std::size_t span, std::size_t toLane, double seconds);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool event(QEvent *event) override;
    bool viewportEvent(QEvent *event) override;

private:
    static constexpr int minGutter = 176, namePadding = 14, rulerHeight = 18, laneHeight = 9, lanePitch = 10, rowGap = 5,
                         minRowHeight = 28;
    struct Drag {
        Span span;
        QPoint from, to;
        bool moved = false;
    };
    [[nodiscard]] QFont nameFont() const; ///< bold; figures have the same size
    /// Widens the gutter for long names, to a third of the view at most.
    void fitGutter();
    [[nodiscard]] QRect plotRect() const;
    [[nodiscard]] int heightOf(const Row &row) const;
    [[nodiscard]] int topOf(std::size_t row) const; ///< in the viewport, after scrolling
    [[nodiscard]] std::optional<std::size_t> rowAt(int y) const;
    [[nodiscard]] std::optional<std::size_t> laneAt(std::size_t row, int y) const;
    [[nodiscard]] double timeAt(int x) const;
    [[nodiscard]] double xOf(double time) const;
    /// Whether a lane of an editable row is a channel, not the compute stream.
    [[nodiscard]] static bool isChannel(std::size_t lane) { return lane > 0; }
    void fit();
    void fitScrollBar();
    void paintRows(QPainter &painter) const;
    void paintRow(QPainter &painter, std::size_t row) const;
    void paintRuler(QPainter &painter) const;
    void paintDrag(QPainter &painter) const;

    const Theme &m_theme;
    TimeAxis m_axis;
    QString m_emptyText;
    std::vector<Row> m_rows;
    int m_gutter = minGutter;             ///< width of the names
    double m_longest = 0;                 ///< longest iteration of the rows, nanoseconds
    std::optional<std::size_t> m_current; ///< the row that keys act on
    std::optional<std::size_t> m_pressed; ///< the row under the last press, which a release over it makes a click
    std::optional<Drag> m_drag;
};

} // namespace syncopate::ui
