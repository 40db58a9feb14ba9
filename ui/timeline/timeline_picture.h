// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"
#include "ui/timeline/lane_layout.h"
#include "ui/timeline/timeline_data.h"

#include <QSize>
#include <QString>
#include <memory>
#include <stop_token>
#include <vector>

class QPainter;

namespace syncopate::ui {

/// One timeline in a picture.
struct PicturePane {
    QString badge;  ///< "A"
    QString title;  ///< what is shown, bold
    QString detail; ///< after the title
    std::shared_ptr<const TimelineData> data;
    LaneArrangement arrangement = {}; ///< of the lanes, as in the pane
    double offset = 0;                ///< nanoseconds after the iteration's start that are shown at time 0, as in the pane
};

/// The panes as a drawing for files and the clipboard: all rows of each pane at full height regardless of the window's size, as
/// far as mostHeight allows (the last row then says how many are omitted), in a given theme, as vectors if the device supports
/// them (SVG, PDF), else as pixels from the screen's painter. A value: may be painted on any thread.
class TimelinePicture final {
public:
    /// Shows [from, to] in nanoseconds relative to the iteration's start, later by a pane's offset; `headline` is at the top.
    TimelinePicture(QString headline, std::vector<PicturePane> panes, double from, double to);

    static constexpr int mostHeight = 8000; ///< logical pixels: more than viewers and printers take
    [[nodiscard]] QSize size() const;       ///< logical pixels
    /// The number of omitted rows of a pane.
    [[nodiscard]] std::size_t leftOut(std::size_t pane) const;
    /// `vectors`: lanes as paths, exact to a quarter of a pixel; else as an image with `scale` columns per logical pixel. Lanes
    /// that are not finished when `stop` is requested are omitted.
    void paint(QPainter &painter, const ThemeColors &colors, bool vectors, int scale, const std::stop_token &stop = {}) const;

private:
    void limitRows();
    [[nodiscard]] int heightOf(std::size_t pane) const; ///< of its rows
    void paintPane(QPainter &painter, std::size_t pane, int top, const ThemeColors &colors, bool vectors, int scale,
                   const std::stop_token &stop) const;
    void paintRows(QPainter &painter, std::size_t pane, int top, const ThemeColors &colors, bool vectors, int scale,
                   const std::stop_token &stop) const;
    void paintLane(QPainter &painter, const PicturePane &pane, const LaneLayout::Row &row, int top, const ThemeColors &colors,
                   bool vectors, int scale) const;
    void paintWaits(QPainter &painter, const PicturePane &pane, std::size_t lane, int top, const ThemeColors &colors) const;
    /// The absolute nanoseconds that a pane with data shows at time 0.
    [[nodiscard]] static double originOf(const PicturePane &pane) {
        return static_cast<double>(pane.data->origin()) + pane.offset;
    }
    [[nodiscard]] double xOf(double relative) const;
    [[nodiscard]] int plotWidth() const;

    QString m_headline;
    std::vector<PicturePane> m_panes;
    std::vector<LaneLayout> m_layouts;  ///< of the panes
    std::vector<std::size_t> m_painted; ///< how many of each layout's rows are painted
    int m_gutter = 170;                 ///< width of the names: of the longest, to a quarter of the picture
    double m_from, m_to;
};

} // namespace syncopate::ui
