// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/overview_strip.h"

#include "ui/theme/font_of_pixels.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_painter.h"

#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <ranges>
#include <utility>

namespace syncopate::ui {

namespace {
constexpr int stripMargin = 8;
constexpr int badgeWidth = 16;
constexpr int edgeGrip = 5;

/// How long a lane is busy in the whole run.
Nanoseconds busyTime(const TimelineData &data, std::size_t lane) {
    const BusyTimes busy = data.index(lane).busy(0, data.timeline().duration);
    return std::accumulate(busy.begin(), busy.end(), Nanoseconds{0});
}

/// The lanes on which hosts work, the busiest first.
std::vector<std::size_t> hostLanes(const TimelineData &data) {
    const auto hostTime = [&data](std::size_t lane) {
        return data.index(lane).busy(0, data.timeline().duration)[static_cast<std::size_t>(Category::Host)];
    };
    std::vector<std::pair<Nanoseconds, std::size_t>> timed;
    for (std::size_t l = 0; l < data.laneCount(); ++l)
        if (const Nanoseconds time = hostTime(l); time > 0)
            timed.emplace_back(time, l);
    std::ranges::stable_sort(timed, std::greater(), &std::pair<Nanoseconds, std::size_t>::first);
    std::vector<std::size_t> lanes;
    for (const auto &[time, lane] : timed)
        lanes.push_back(lane);
    return lanes;
}
} // namespace

OverviewStrip::OverviewStrip(const Theme &theme, TimeAxis &axis, QWidget *parent)
    : QWidget(parent), m_theme(theme), m_axis(axis) {
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Overview of the whole run"));
    setToolTip(
        tr("The whole run: pinned lanes, then worker 0's in their order; if those are nearly idle beside the host's threads,\n"
           "two of them and the busiest threads.\n"
           "Drag the window to move it, its edges to resize it, click to place it."));
    connect(&m_axis, &TimeAxis::windowChanged, this, qOverload<>(&QWidget::update));
    connect(&m_axis, &TimeAxis::selectionChanged, this, qOverload<>(&QWidget::update));
    connect(&m_theme, &Theme::themeChanged, this, [this] {
        m_dirty = true;
        update();
    });
}

void OverviewStrip::setData(std::shared_ptr<const TimelineData> a, std::shared_ptr<const TimelineData> b) {
    m_data = {std::move(a), std::move(b)};
    placeBounds();
}

void OverviewStrip::setLanes(std::size_t side, std::vector<std::size_t> lanes, std::vector<std::size_t> strips) {
    if (lanes == m_lanes[side] && strips == m_strips[side])
        return;
    m_lanes[side] = std::move(lanes);
    m_strips[side] = std::move(strips);
    m_dirty = true;
    update();
}

std::vector<std::size_t> OverviewStrip::lanesOf(std::size_t side) const {
    const TimelineData &data = *m_data[side];
    std::vector<std::size_t> lanes;
    for (const std::size_t lane : m_lanes[side])
        if (lane < data.laneCount() && lanes.size() < maxLanes)
            lanes.push_back(lane);
    if (!m_lanes[side].empty())
        return lanes;
    const auto isOfWorker0 = [&data](std::size_t lane) { return data.lane(lane).worker == 0; };
    // A recording of host threads has no workers.
    const bool hasWorker0 = std::ranges::any_of(std::views::iota(std::size_t{0}, data.laneCount()), isOfWorker0);
    for (std::size_t l = 0; l < data.laneCount() && lanes.size() < maxLanes; ++l)
        if (!hasWorker0 || isOfWorker0(l))
            lanes.push_back(l);
    return lanes;
}

std::vector<std::size_t> OverviewStrip::shownLanes(std::size_t side) const {
    constexpr int idleFactor = 20; ///< lanes busy for less than 1/20 of the busiest host lane's time count as idle
    const TimelineData &data = *m_data[side];
    std::vector<std::size_t> lanes = lanesOf(side);
    const std::vector<std::size_t> hosts = hostLanes(data);
    if (hosts.empty())
        return lanes;
    const Nanoseconds hostTime = busyTime(data, hosts.front());
    if (std::ranges::any_of(lanes, [&](std::size_t lane) { return busyTime(data, lane) >= hostTime / idleFactor; }))
        return lanes;
    lanes.resize(std::min(lanes.size(), maxLanes / 2));
    for (const std::size_t host : hosts)
        if (lanes.size() < maxLanes && std::ranges::find(lanes, host) == lanes.end())
            lanes.push_back(host);
    return lanes;
}

void OverviewStrip::setOffset(double nanoseconds) {
    if (nanoseconds == m_offset)
        return;
    m_offset = nanoseconds;
    placeBounds();
}

void OverviewStrip::setStale(std::array<bool, 2> stale) {
    if (std::exchange(m_stale, stale) != stale)
        update();
}

void OverviewStrip::placeBounds() {
    double from = 0, to = 1;
    for (std::size_t s = 0; s < m_data.size(); ++s)
        if (const auto &data = m_data[s]) {
            const double origin = static_cast<double>(data->origin()) + (s == 1 ? m_offset : 0);
            from = std::min(from, -origin);
            to = std::max(to, static_cast<double>(data->timeline().duration) - origin);
        }
    m_from = from;
    m_to = to;
    m_dirty = true;
    update();
}

void OverviewStrip::setPixelRatio(qreal ratio) { m_pixelRatio = ratio; }

qreal OverviewStrip::pixelRatio() const { return m_pixelRatio > 0 ? m_pixelRatio : devicePixelRatioF(); }

QRect OverviewStrip::strip() const { return rect().adjusted(stripMargin + badgeWidth, 5, -stripMargin, -5); }

double OverviewStrip::xOf(double time) const { return strip().left() + (time - m_from) / (m_to - m_from) * strip().width(); }
double OverviewStrip::timeAt(double x) const { return m_from + (x - strip().left()) / strip().width() * (m_to - m_from); }

std::pair<double, double> OverviewStrip::shownEdges() const {
    const QRect area = strip();
    const auto [from, to] = m_axis.window();
    return {std::clamp<double>(xOf(from), area.left(), area.right()), std::clamp<double>(xOf(to), area.left(), area.right() + 1)};
}

void OverviewStrip::render() {
    m_dirty = false;
    const qreal ratio = pixelRatio();
    const QSize size = strip().size() * ratio;
    m_image = QImage(size, QImage::Format_RGB32);
    if (size.isEmpty())
        return;
    const LanePalette palette = LanePalette::of(m_theme);
    m_image.fill(palette.background);
    TimelinePainter painter(palette);
    painter.setSeparators(false);
    painter.setHatch(false);
    const auto shown = static_cast<int>(std::count_if(m_data.begin(), m_data.end(), [](const auto &d) { return d != nullptr; }));
    int top = 0;
    for (std::size_t s = 0; s < m_data.size(); ++s) {
        const auto &data = m_data[s];
        if (!data)
            continue;
        const int height = (size.height() - (shown - 1) * static_cast<int>(3 * ratio)) / shown;
        const std::vector<std::size_t> lanes = shownLanes(s);
        const double offset = s == 1 ? m_offset : 0;
        const TimeWindow window{m_from + static_cast<double>(data->origin()) + offset, (m_to - m_from) / size.width()};
        for (std::size_t k = 0; k < lanes.size(); ++k) {
            const int y0 = top + height * static_cast<int>(k) / static_cast<int>(lanes.size());
            const int y1 = top + height * (static_cast<int>(k) + 1) / static_cast<int>(lanes.size());
            const QRect area(0, y0, size.width(), std::max(1, y1 - y0 - 1));
            if (std::find(m_strips[s].begin(), m_strips[s].end(), lanes[k]) != m_strips[s].end())
                painter.paintStrip(m_image, area, *data, lanes[k], window);
            else
                painter.paintLane(m_image, area, *data, lanes[k], window);
        }
        top += height + static_cast<int>(3 * ratio);
    }
    m_image.setDevicePixelRatio(ratio);
}

void OverviewStrip::paintStale(QPainter &painter, const QRect &area) const {
    QColor veil = m_theme.color(ColorId::Surface);
    veil.setAlphaF(static_cast<float>(1 - staleOpacity));
    const bool both = m_data[0] && m_data[1];
    for (std::size_t s = 0; s < m_data.size(); ++s)
        if (m_data[s] && m_stale[s]) {
            QRect lanes = area;
            if (both)
                lanes.setHeight(area.height() / 2);
            if (both && s == 1)
                lanes.moveBottom(area.bottom());
            painter.fillRect(lanes, veil);
        }
}

void OverviewStrip::paintEvent(QPaintEvent *) {
    if (m_dirty || m_image.devicePixelRatio() != pixelRatio()) // another screen has another ratio
        render();
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(ColorId::Surface));
    const QRect area = strip();
    painter.drawImage(area.topLeft(), m_image);
    paintStale(painter, area);
    const auto [left, right] = shownEdges();
    const QRectF window(QPointF(left, area.top() - 2), QPointF(right, area.bottom() + 3));
    QColor veil = m_theme.color(ColorId::Surface);
    veil.setAlphaF(0.62F);
    painter.fillRect(QRectF(area.left(), area.top(), window.left() - area.left(), area.height()), veil);
    painter.fillRect(QRectF(window.right(), area.top(), area.right() + 1 - window.right(), area.height()), veil);
    if (const auto selection = m_axis.selection()) {
        QColor fill = m_theme.color(ColorId::Accent);
        fill.setAlpha(60);
        painter.fillRect(QRectF(QPointF(xOf(selection->first), area.top()), QPointF(xOf(selection->second), area.bottom() + 1)) &
                             QRectF(area),
                         fill);
    }
    painter.setPen(QPen(m_theme.color(ColorId::Accent), 1));
    painter.drawRect(window.adjusted(0, 0, -1, -1));
    painter.setPen(m_theme.color(ColorId::DimText));
    const QFont small = fontOfPixels(font(), 10);
    painter.setFont(small);
    const bool both = m_data[0] && m_data[1];
    for (int s = 0; s < 2; ++s)
        if (m_data[static_cast<std::size_t>(s)])
            painter.drawText(QRect(stripMargin, area.top() + (both ? s * area.height() / 2 : 0), badgeWidth,
                                   both ? area.height() / 2 : area.height()),
                             Qt::AlignVCenter | Qt::AlignLeft, s == 0 ? QStringLiteral("A") : QStringLiteral("B"));
}

void OverviewStrip::resizeEvent(QResizeEvent *) { m_dirty = true; }

OverviewStrip::Part OverviewStrip::partAt(const QPoint &position) const {
    constexpr double minResizable = 4; ///< pixels: the middle of a narrower window has no pixel of its own
    const auto [from, to] = m_axis.window();
    const auto [left, right] = shownEdges();
    const double x = position.x();
    if (x < left - edgeGrip || x > right + edgeGrip || to <= m_from || from >= m_to)
        return Part::Outside;
    if (right - left < minResizable)
        return Part::Inside;
    const double inner = std::min<double>(edgeGrip, (right - left) / 4); // the middle of a narrow window moves it
    return x <= left + inner ? Part::Left : x >= right - inner ? Part::Right : Part::Inside;
}

void OverviewStrip::mousePressEvent(QMouseEvent *event) {
    if (event->button() != Qt::LeftButton)
        return;
    const QPoint position = event->position().toPoint();
    m_dragged = partAt(position);
    const auto [from, to] = m_axis.window();
    if (m_dragged == Part::Outside) {
        const double middle = timeAt(position.x());
        m_axis.setWindow(middle - (to - from) / 2, middle + (to - from) / 2);
        m_dragged = Part::Inside;
    }
    m_grabOffset = timeAt(position.x()) - m_axis.window().first;
}

void OverviewStrip::mouseMoveEvent(QMouseEvent *event) {
    const QPoint position = event->position().toPoint();
    const double time = timeAt(position.x());
    const auto [from, to] = m_axis.window();
    switch (m_dragged) {
    case Part::Left:
        m_axis.moveStart(time);
        break;
    case Part::Right:
        m_axis.moveEnd(time);
        break;
    case Part::Inside:
        m_axis.setWindow(time - m_grabOffset, time - m_grabOffset + (to - from));
        break;
    case Part::Outside:
    case Part::None: {
        const Part part = partAt(position);
        setCursor(part == Part::Left || part == Part::Right ? Qt::SizeHorCursor
                  : part == Part::Inside                    ? Qt::OpenHandCursor
                                                            : Qt::ArrowCursor);
    }
    }
}

void OverviewStrip::mouseReleaseEvent(QMouseEvent *event) {
    if (event->button() == Qt::LeftButton)
        m_dragged = Part::None;
}

void OverviewStrip::wheelEvent(QWheelEvent *event) {
    m_axis.zoomAt(timeAt(event->position().x()), std::pow(0.8, event->angleDelta().y() / 120.0));
    event->accept();
}

} // namespace syncopate::ui
