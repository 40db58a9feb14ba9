// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"
#include "ui/timeline/timeline_data.h"

#include <QSize>
#include <QString>
#include <memory>
#include <stop_token>
#include <vector>

class QPainter;

namespace syncopate::ui {

/// One timeline of a picture.
struct PicturePane {
    QString badge;  ///< "A"
    QString title;  ///< what it is, bold
    QString detail; ///< after it
    std::shared_ptr<const TimelineData> data;
};

/// The panes as a drawing of their own, for files and the clipboard: every lane at its full height whatever the window's size,
/// in a theme of its own, as vectors where the device can (SVG, PDF) and as pixels of the screen's painter elsewhere. A
/// value: may be painted on any thread.
class TimelinePicture final {
public:
    /// Shows [from, to] in nanoseconds relative to the iteration's start; `headline` stands above all.
    TimelinePicture(QString headline, std::vector<PicturePane> panes, double from, double to);

    [[nodiscard]] QSize size() const; ///< logical pixels
    /// `vectors`: lanes as paths, exact to a quarter of a pixel; else as an image with `scale` columns a logical pixel.
    /// Lanes that are not there when `stop` is requested are left out.
    void paint(QPainter &painter, const ThemeColors &colors, bool vectors, int scale, const std::stop_token &stop = {}) const;

private:
    void paintPane(QPainter &painter, const PicturePane &pane, int top, const ThemeColors &colors, bool vectors, int scale,
                   const std::stop_token &stop) const;
    void paintLane(QPainter &painter, const TimelineData &data, std::size_t lane, int top, const ThemeColors &colors,
                   bool vectors, int scale) const;
    void paintWaits(QPainter &painter, const TimelineData &data, std::size_t lane, int top, const ThemeColors &colors) const;
    [[nodiscard]] double xOf(double relative) const;

    QString m_headline;
    std::vector<PicturePane> m_panes;
    double m_from, m_to;
};

} // namespace syncopate::ui
