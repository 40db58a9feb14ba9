// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_picture.h"

#include "ui/theme/font_of_pixels.h"
#include "ui/timeline/ruler.h"
#include "ui/timeline/timeline_painter.h"

#include <QApplication>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>

namespace syncopate::ui {

namespace {

constexpr int width = 1600, maxGutter = width / 4, pictureMargin = 12;
constexpr int nameLeft = 10, nameRight = 6; ///< beside a lane's name
constexpr int headlineHeight = 30, titleHeight = 24, rulerHeight = 20, pitch = 21, laneHeight = 18, paneGap = 10;
constexpr int legendHeight = 26;
constexpr int vectorScale = 4; ///< columns per logical pixel
constexpr int narrowestLabel = 26, labelPadding = 3;
constexpr double hatchSpacing = 6;

QFont fontOf(int pixels, bool bold = false) { return fontOfPixels(QApplication::font(), pixels, bold); }

/// The lane's pixels as one path per colour: runs of equal columns become rectangles.
std::map<QRgb, QPainterPath> pathsOf(const QImage &image, QRgb background, const QPointF &origin, double scale) {
    std::map<QRgb, QPainterPath> paths;
    const auto column = [&image](int x, int y) { return reinterpret_cast<const QRgb *>(image.constScanLine(y))[x]; };
    const auto same = [&](int a, int b) {
        for (int y = 0; y < image.height(); ++y)
            if (column(a, y) != column(b, y))
                return false;
        return true;
    };
    for (int x = 0; x < image.width();) {
        int end = x + 1;
        while (end < image.width() && same(x, end))
            ++end;
        for (int y = 0; y < image.height();) {
            int bottom = y + 1;
            while (bottom < image.height() && column(x, bottom) == column(x, y))
                ++bottom;
            if (column(x, y) != background)
                paths[column(x, y)].addRect(origin.x() + x / scale, origin.y() + y / scale, (end - x) / scale,
                                            (bottom - y) / scale);
            y = bottom;
        }
        x = end;
    }
    return paths;
}

/// Diagonal strokes from `left` to `right`, the height of a lane: waiting.
void addStrokes(QPainterPath &hatch, double left, double right, int top) {
    if (right - left < 2)
        return;
    for (double x = std::floor((left - laneHeight) / hatchSpacing) * hatchSpacing; x < right; x += hatchSpacing) {
        const double a = std::max(x, left), b = std::min(x + laneHeight, right);
        if (b <= a)
            continue;
        hatch.moveTo(a, top + laneHeight - (a - x));
        hatch.lineTo(b, top + laneHeight - (b - x));
    }
}

/// The name beside a row.
QString nameOf(const TimelineData &data, const LaneLayout::Row &row) {
    return QString::fromStdString(data.lane(row.lane).name) +
           (row.isStrip() ? QStringLiteral("  × %1").arg(row.lanes) : QString());
}

/// Labels the spans that are wide enough; `origin`: the top left of the lane; `columns`: of the drawing per logical pixel.
void paintLabels(QPainter &painter, const TimelineData &data, const Lane &lane, const std::vector<WideSpan> &spans,
                 const QPoint &origin, int columns, const ThemeColors &colors) {
    painter.setFont(fontOf(10));
    for (const WideSpan &span : spans) {
        const double left = origin.x() + static_cast<double>(span.x) / columns,
                     room = static_cast<double>(span.end - span.x) / columns;
        const std::int32_t label = lane.label[span.span];
        if (label < 0)
            continue;
        const QString text =
            painter.fontMetrics().elidedText(QString::fromStdString(data.timeline().labels[static_cast<std::size_t>(label)]),
                                             Qt::ElideRight, static_cast<int>(room) - 2 * labelPadding);
        if (text.size() < 3)
            continue;
        painter.setPen(Theme::inkOn(colors.categoryColor(data.colorOf(span.lane, lane.category[span.span]))));
        painter.drawText(QPointF(left + labelPadding, origin.y() + laneHeight / 2.0 + 3.5), text);
    }
}

} // namespace

TimelinePicture::TimelinePicture(QString headline, std::vector<PicturePane> panes, double from, double to)
    : m_headline(std::move(headline)), m_panes(std::move(panes)), m_layouts(m_panes.size()), m_from(from),
      m_to(std::max(to, from + 1)) {
    for (std::size_t p = 0; p < m_panes.size(); ++p) {
        m_layouts[p].layOut(m_panes[p].data.get(), m_panes[p].arrangement, mostHeight);
        m_painted.push_back(m_layouts[p].rows().size());
    }
    limitRows();
    const QFontMetrics metrics(fontOf(11));
    for (std::size_t p = 0; p < m_panes.size(); ++p)
        for (std::size_t r = 0; r < m_painted[p]; ++r)
            m_gutter = std::max(m_gutter, nameLeft + nameRight +
                                              metrics.horizontalAdvance(nameOf(*m_panes[p].data, m_layouts[p].rows()[r])));
    m_gutter = std::min(m_gutter, maxGutter);
}

int TimelinePicture::plotWidth() const { return width - m_gutter - pictureMargin; }

void TimelinePicture::limitRows() {
    const int panes = static_cast<int>(m_panes.size());
    const int room = mostHeight - headlineHeight - legendHeight - panes * (titleHeight + rulerHeight + paneGap);
    auto rows = static_cast<std::size_t>(std::max(panes, room / pitch));
    // Starts with the pane with the fewest rows: the rest of its share goes to the others.
    std::vector<std::size_t> order(m_painted.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) { return m_painted[a] < m_painted[b]; });
    for (std::size_t i = 0; i < order.size(); ++i) {
        std::size_t &painted = m_painted[order[i]];
        const std::size_t share = rows / (order.size() - i);
        if (painted > share)
            painted = share - 1; // and the line that reports the omission
        rows -= std::min(painted + 1, share);
    }
}

std::size_t TimelinePicture::leftOut(std::size_t pane) const { return m_layouts[pane].rows().size() - m_painted[pane]; }

int TimelinePicture::heightOf(std::size_t pane) const {
    return static_cast<int>(m_painted[pane] + (leftOut(pane) > 0 ? 1 : 0)) * pitch;
}

QSize TimelinePicture::size() const {
    int height = headlineHeight + legendHeight;
    for (std::size_t p = 0; p < m_panes.size(); ++p)
        height += titleHeight + rulerHeight + paneGap + heightOf(p);
    return {width, height};
}

double TimelinePicture::xOf(double relative) const { return m_gutter + (relative - m_from) / (m_to - m_from) * plotWidth(); }

void TimelinePicture::paint(QPainter &painter, const ThemeColors &colors, bool vectors, int scale,
                            const std::stop_token &stop) const {
    painter.fillRect(QRect(QPoint(0, 0), size()), colors.color(ColorId::Surface));
    painter.setFont(fontOf(12));
    painter.setPen(colors.color(ColorId::Text));
    painter.drawText(QRect(pictureMargin, 0, width - 2 * pictureMargin, headlineHeight), Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(m_headline, Qt::ElideRight, width - 2 * pictureMargin));
    int top = headlineHeight;
    std::vector<std::pair<Category, QString>> legend; // of all panes, without duplicates
    for (std::size_t p = 0; p < m_panes.size(); ++p) {
        const PicturePane &pane = m_panes[p];
        paintPane(painter, p, top, colors, vectors, scale, stop);
        top += titleHeight + rulerHeight + paneGap + heightOf(p);
        if (!pane.data)
            continue;
        for (auto &entry : legendOf(*pane.data, static_cast<Nanoseconds>(originOf(pane) + m_from),
                                    static_cast<Nanoseconds>(originOf(pane) + m_to)))
            if (std::find(legend.begin(), legend.end(), entry) == legend.end())
                legend.push_back(std::move(entry));
    }
    painter.setFont(fontOf(11));
    int x = m_gutter;
    // Same order of categories whichever panes have them; the sort is stable, so channels keep their order.
    std::stable_sort(legend.begin(), legend.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    for (const auto &[category, name] : legend) {
        painter.fillRect(QRect(x, top + 8, 10, 10), colors.categoryColor(category));
        painter.setPen(colors.color(ColorId::DimText));
        painter.drawText(QPointF(x + 14, top + 17), name);
        x += 14 + painter.fontMetrics().horizontalAdvance(name) + 14;
    }
}

void TimelinePicture::paintPane(QPainter &painter, std::size_t number, int top, const ThemeColors &colors, bool vectors,
                                int scale, const std::stop_token &stop) const {
    const PicturePane &pane = m_panes[number];
    painter.fillRect(QRect(0, top, width, titleHeight), colors.color(ColorId::Control));
    const QRect badge(8, top + 4, 16, 16);
    painter.fillRect(badge, colors.color(ColorId::Accent));
    painter.setFont(fontOf(11, true));
    painter.setPen(colors.color(ColorId::AccentText));
    painter.drawText(badge, Qt::AlignCenter, pane.badge);
    painter.setFont(fontOf(12, true));
    painter.setPen(colors.color(ColorId::Text));
    const QString title = painter.fontMetrics().elidedText(pane.title, Qt::ElideRight, width / 2);
    painter.drawText(QRect(32, top, width / 2, titleHeight), Qt::AlignVCenter | Qt::AlignLeft, title);
    const int detailLeft = 32 + painter.fontMetrics().horizontalAdvance(title) + 12;
    painter.setFont(fontOf(12));
    painter.setPen(colors.color(ColorId::DimText));
    painter.drawText(QRect(detailLeft, top, width - detailLeft - pictureMargin, titleHeight), Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(pane.detail, Qt::ElideRight, width - detailLeft - pictureMargin));
    top += titleHeight;
    const QRect plot(m_gutter, top + rulerHeight, plotWidth(), heightOf(number));
    painter.fillRect(plot, colors.color(ColorId::TimelineBackground));
    painter.setFont(fontOf(11));
    for (const Tick &tick : rulerTicks(m_from, m_to, plotWidth())) {
        const double x = xOf(tick.time);
        if (x < m_gutter || x > m_gutter + plotWidth())
            continue;
        painter.fillRect(QRectF(x, plot.top(), 1.0 / scale, plot.height()), colors.color(ColorId::Grid));
        painter.setPen(colors.color(ColorId::DimText));
        if (x + 4 + painter.fontMetrics().horizontalAdvance(tick.label) <= m_gutter + plotWidth())
            painter.drawText(QPointF(x + 4, top + 14), tick.label);
    }
    if (pane.data)
        paintRows(painter, number, plot.top() + 1, colors, vectors, scale, stop);
}

void TimelinePicture::paintRows(QPainter &painter, std::size_t number, int top, const ThemeColors &colors, bool vectors,
                                int scale, const std::stop_token &stop) const {
    const TimelineData &data = *m_panes[number].data;
    const auto writeName = [&](const QString &name, const QRect &area) {
        painter.setFont(fontOf(11));
        painter.setPen(colors.color(ColorId::DimText));
        painter.drawText(area, Qt::AlignVCenter | Qt::AlignLeft,
                         painter.fontMetrics().elidedText(name, Qt::ElideMiddle, area.width()));
    };
    for (std::size_t r = 0; r < m_painted[number] && !stop.stop_requested(); ++r, top += pitch) {
        const LaneLayout::Row &row = m_layouts[number].rows()[r];
        writeName(nameOf(data, row), QRect(nameLeft, top, m_gutter - nameLeft - nameRight, laneHeight));
        paintLane(painter, m_panes[number], row, top, colors, vectors, scale);
    }
    if (leftOut(number) > 0)
        writeName(QApplication::translate("TimelinePicture", "and %1 more rows, which are left out").arg(leftOut(number)),
                  QRect(m_gutter, top, plotWidth(), laneHeight));
}

void TimelinePicture::paintLane(QPainter &painter, const PicturePane &pane, const LaneLayout::Row &row, int top,
                                const ThemeColors &colors, bool vectors, int scale) const {
    const TimelineData &data = *pane.data;
    const std::size_t laneNumber = row.lane;
    const int columns = vectors ? vectorScale : scale;
    const LanePalette palette = LanePalette::of(colors);
    QImage image(plotWidth() * columns, laneHeight * columns, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent); // so that the grid shows through idle time
    TimelinePainter lanePainter(palette);
    lanePainter.setHatch(false);
    std::vector<WideSpan> wide;
    const TimeWindow window{originOf(pane) + m_from, (m_to - m_from) / image.width()};
    if (row.isStrip())
        lanePainter.paintStrip(image, image.rect(), data, laneNumber, window);
    else
        lanePainter.paintLane(image, image.rect(), data, laneNumber, window, narrowestLabel * columns, &wide);

    if (const Lane &lane = data.lane(laneNumber); lane.isCompute && lane.size() > 0)
        paintWaits(painter, pane, laneNumber, top, colors);
    if (vectors) {
        painter.setPen(Qt::NoPen);
        for (const auto &[color, path] : pathsOf(image, 0, QPointF(m_gutter, top), columns)) {
            painter.setBrush(QColor::fromRgb(color));
            painter.drawPath(path);
        }
        painter.setBrush(Qt::NoBrush);
    } else {
        painter.drawImage(QRectF(m_gutter, top, plotWidth(), laneHeight), image);
    }
    paintLabels(painter, data, data.lane(laneNumber), wide, {m_gutter, top}, columns, colors);
}

void TimelinePicture::paintWaits(QPainter &painter, const PicturePane &pane, std::size_t laneNumber, int top,
                                 const ThemeColors &colors) const {
    const Lane &lane = pane.data->lane(laneNumber);
    const auto columnOf = [&](Nanoseconds time) { return xOf(static_cast<double>(time) - originOf(pane)); };
    QPainterPath hatch;
    double idleFrom = columnOf(lane.start.front());
    for (std::size_t i = pane.data->index(laneNumber).firstEndingAfter(static_cast<Nanoseconds>(originOf(pane) + m_from));
         i < lane.size(); ++i) {
        if (i > 0)
            idleFrom = columnOf(lane.end[i - 1]);
        const double idleTo = columnOf(lane.start[i]);
        addStrokes(hatch, std::max<double>(idleFrom, m_gutter), std::min<double>(idleTo, m_gutter + plotWidth()), top);
        if (idleTo > m_gutter + plotWidth())
            break;
    }
    painter.setPen(QPen(colors.color(ColorId::Hatch), 1));
    painter.drawPath(hatch);
}

} // namespace syncopate::ui
