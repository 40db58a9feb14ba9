// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_view.h"

#include "engine/base/units.h"
#include "ui/theme/theme.h"
#include "ui/timeline/ruler.h"
#include "ui/timeline/wait_chip.h"

#include <QElapsedTimer>
#include <QPainter>
#include <QResizeEvent>
#include <algorithm>
#include <cmath>
#include <limits>

namespace syncopate::ui {

namespace {

QFont fontOfPixels(const QFont &base, int pixels, bool bold = false) {
    QFont font = base;
    font.setPixelSize(pixels);
    font.setBold(bold);
    return font;
}

} // namespace

TimelineView::TimelineView(const Theme &theme, TimeAxis &axis, const QString &badge, QWidget *parent)
    : QWidget(parent), m_theme(theme), m_axis(&axis), m_badge(badge), m_waitChip(new WaitChip(this)),
      m_scroll(new QScrollBar(Qt::Vertical, this)), m_labels(fontOfPixels(font(), 10)) {
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Timeline %1").arg(badge));
    // A movement has ended when the window keeps still for so long that one would look.
    constexpr int settleMs = 120;
    m_settleTimer.setSingleShot(true);
    m_settleTimer.setInterval(settleMs);
    connect(&m_settleTimer, &QTimer::timeout, this, [this] {
        m_moving = false;
        if (m_draft)
            invalidate();
    });
    m_scroll->hide();
    m_scroll->setFocusPolicy(Qt::NoFocus);
    connect(m_scroll, &QScrollBar::valueChanged, this, [this](int value) {
        m_layout.setScroll(value);
        invalidate();
    });
    connect(&m_theme, &Theme::themeChanged, this, [this] { invalidate(); });
    connectAxis();
}

void TimelineView::setAxis(TimeAxis &axis) {
    if (&axis == m_axis)
        return;
    disconnect(m_axis, nullptr, this, nullptr);
    m_axis = &axis;
    connectAxis();
    invalidate();
}

void TimelineView::connectAxis() {
    connect(m_axis, &TimeAxis::windowChanged, this, [this] {
        m_moving = true;
        m_settleTimer.start();
        m_lanesDirty = true;
        update();
    });
    connect(m_axis, &TimeAxis::selectionChanged, this, qOverload<>(&QWidget::update));
    connect(m_axis, &TimeAxis::cursorChanged, this, &TimelineView::updateCursorStrip);
}

void TimelineView::setData(std::shared_ptr<const TimelineData> data, const QString &reason) {
    if (data == m_data && reason == m_reason)
        return; // the other side's run came
    const bool hadSpan = m_selected.has_value();
    // A span keeps its focus over a new run of the same shape, as when a knob is dragged.
    if (m_selected && data) {
        const bool same = m_data && m_selected->lane < data->laneCount() &&
                          m_selected->span < data->lane(m_selected->lane).size() &&
                          data->lane(m_selected->lane).name == m_data->lane(m_selected->lane).name;
        if (!same)
            m_selected.reset();
    } else {
        m_selected.reset();
    }
    if (!data || !m_data || data->timeline().labels != m_data->timeline().labels)
        m_labels.clear();
    // Lanes keep their focus by name: the strategy may have changed how many there are.
    const std::string lane = m_lane && m_data && *m_lane < m_data->laneCount() ? m_data->lane(*m_lane).name : std::string();
    m_data = std::move(data);
    m_reason = reason;
    m_lane = laneNamed(lane);
    m_flows.clear();
    for (auto *lit : {&m_lit, &m_found})
        if (m_data && lit->size() != m_data->timeline().labels.size())
            lit->clear();
    layOutLanes();
    invalidate();
    if (hadSpan && !m_selected)
        Q_EMIT spanSelected();
}

void TimelineView::setTitle(const QString &title, const QString &detail) {
    m_title = title;
    m_detail = detail;
    setAccessibleDescription(title + QStringLiteral(", ") + detail);
    update(0, 0, width(), titleHeight);
}

void TimelineView::setLit(std::vector<std::uint8_t> lit) {
    if (m_data && !lit.empty() && lit.size() != m_data->timeline().labels.size())
        lit.clear();
    m_lit = std::move(lit);
    invalidate();
}

void TimelineView::setFound(std::vector<std::uint8_t> found) {
    if (m_data && !found.empty() && found.size() != m_data->timeline().labels.size())
        found.clear();
    m_found = std::move(found);
    invalidate();
}

void TimelineView::setFlows(std::vector<SpanFlow> flows) {
    const auto known = [this](const SpanRef &span) {
        return m_data && span.lane < m_data->laneCount() && span.span < m_data->lane(span.lane).size();
    };
    std::erase_if(flows, [&](const SpanFlow &flow) { return !known(flow.from) || !known(flow.to); });
    m_flows = std::move(flows);
    update();
}

void TimelineView::setOffset(double nanoseconds) {
    if (nanoseconds == m_offset)
        return;
    m_offset = nanoseconds;
    invalidate();
}

void TimelineView::setMarks(std::vector<TimeMark> marks) {
    m_marks = std::move(marks);
    update();
}

void TimelineView::setStale(bool stale) {
    if (stale == m_stale)
        return;
    m_stale = stale;
    update();
}

void TimelineView::setPixelRatio(qreal ratio) {
    m_pixelRatio = ratio;
    m_moving = false; // a picture for keeps
    invalidate();
}

void TimelineView::invalidate() {
    m_lanesDirty = m_gutterDirty = true;
    update();
}

int TimelineView::gutterWidth() const { return std::clamp(width() / 6, 136, 170); }

QRect TimelineView::plotRect() const {
    // Room for the scroll bar is kept whether or not there is one: panes under each other must agree on where a time is.
    return {gutterWidth(), headerHeight, std::max(0, width() - m_scroll->width() - gutterWidth()),
            std::max(0, height() - headerHeight)};
}

double TimelineView::nanosecondsPerPixel() const { return m_axis->span() / std::max(1, plotRect().width()); }
double TimelineView::timeAt(int x) const { return m_axis->window().first + (x - plotRect().left()) * nanosecondsPerPixel(); }
double TimelineView::xOf(double time) const {
    return plotRect().left() + (time - m_axis->window().first) / nanosecondsPerPixel();
}

int TimelineView::columnOf(double time) const {
    return static_cast<int>(std::clamp(std::floor(xOf(time)), -1.0 * width(), 2.0 * width()));
}

int TimelineView::fullHeight() const { return headerHeight + m_layout.fullHeight(); }

void TimelineView::layOutLanes() {
    const int plotHeight = std::max(0, height() - headerHeight);
    m_layout.layOut(m_data.get(), m_arrangement, plotHeight);
    const int width = m_scroll->sizeHint().width();
    const int room = std::max(0, plotHeight - m_layout.pinnedHeight());
    m_scroll->setGeometry(this->width() - width, headerHeight + m_layout.pinnedHeight(), width, room);
    m_scroll->setRange(0, std::max(0, m_layout.contentHeight() - room));
    m_scroll->setPageStep(room);
    m_scroll->setSingleStep(m_layout.pitch());
    m_scroll->setVisible(m_layout.contentHeight() > room);
    m_layout.setScroll(m_scroll->value());
    m_waitChip->moveInto(plotRect());
}

bool TimelineView::wantsDraft() const {
    // The least of the last three: one slow picture among them may have been the machine's fault.
    return m_moving && m_draftLimit >= 0 && m_fullPictures > 0 &&
           *std::min_element(m_fullCost.begin(), m_fullCost.end()) > m_draftLimit;
}

void TimelineView::renderLanes() {
    QElapsedTimer cost;
    cost.start();
    m_draft = wantsDraft();
    m_lanesDirty = false;
    const QRect plot = plotRect();
    // A quarter of the pixels: every second column, every second row.
    const qreal ratio = m_lanesRatio = pixelRatio() / (m_draft ? 2 : 1);
    const QSize size(static_cast<int>(std::ceil(plot.width() * ratio)), static_cast<int>(std::ceil(plot.height() * ratio)));
    if (m_lanes.size() != size)
        m_lanes = QImage(size, QImage::Format_RGB32);
    if (size.isEmpty())
        return;
    m_lanes.setDevicePixelRatio(1);
    const QRgb background = m_theme.color(ColorId::TimelineBackground).rgb();
    renderGround(0, size.height(), background);
    if (!m_data)
        return;
    renderRows(false);
    if (const int pinned = std::min(size.height(), static_cast<int>(std::lround(m_layout.pinnedHeight() * ratio))); pinned > 0) {
        // What scrolls goes behind what is pinned.
        m_lanes.setDevicePixelRatio(1);
        renderGround(0, pinned, background);
        renderGround(std::max(0, pinned - static_cast<int>(std::lround(ratio))), pinned, m_theme.color(ColorId::Border).rgb());
        renderRows(true);
    }
    m_lanes.setDevicePixelRatio(ratio);
    if (!m_draft) {
        const double milliseconds = static_cast<double>(cost.nsecsElapsed()) * 1e-6;
        if (m_fullPictures == 0)
            m_fullCost.fill(milliseconds);
        m_fullCost[m_fullPictures++ % m_fullCost.size()] = milliseconds;
    }
}

void TimelineView::renderGround(int firstRow, int endRow, QRgb background) {
    const int width = m_lanes.width();
    for (int y = firstRow; y < endRow; ++y)
        std::fill_n(reinterpret_cast<QRgb *>(m_lanes.scanLine(y)), width, background);
    // The ruler's marks and the iteration's ends go through all lanes.
    const auto [from, to] = m_axis->window();
    const auto column = [&](double time, QRgb color) {
        const int x = static_cast<int>((time - from) / (to - from) * width);
        if (x < 0 || x >= width)
            return;
        for (int y = firstRow; y < endRow; ++y)
            reinterpret_cast<QRgb *>(m_lanes.scanLine(y))[x] = color;
    };
    for (const Tick &tick : rulerTicks(from, to, plotRect().width()))
        column(tick.time, m_theme.color(ColorId::Grid).rgb());
    if (m_data)
        for (const double time : {0.0, static_cast<double>(m_data->iteration())})
            column(time - m_offset, m_theme.color(ColorId::DimText).rgb());
}

void TimelineView::renderRows(bool pinned) {
    const qreal ratio = m_lanesRatio;
    const QSize size = m_lanes.size();
    const auto [from, to] = m_axis->window();
    const LanePalette palette = LanePalette::of(m_theme);
    const std::vector<std::uint8_t> *lit = shownLit().empty() ? nullptr : &shownLit();
    TimelinePainter painter(palette);
    painter.setLit(lit);
    const TimeWindow window{origin() + from, (to - from) / size.width()};
    m_wide.clear();
    m_deviceTops.resize(m_data->laneCount());
    const int height = std::max(1, static_cast<int>(std::lround(m_layout.laneHeight() * ratio)));
    for (const LaneLayout::Row &row : m_layout.rows()) {
        if (row.pinned != pinned)
            continue;
        const int top = static_cast<int>(std::lround(m_layout.topOf(row) * ratio));
        m_deviceTops[row.lane] = top;
        if (top >= size.height() || top + height <= 0)
            continue;
        if (row.isStrip())
            painter.paintStrip(m_lanes, QRect(0, top, size.width(), height), *m_data, row.lane, window);
        else
            painter.paintLane(m_lanes, QRect(0, top, size.width(), height), *m_data, row.lane, window,
                              static_cast<int>(SpanLabels::leastWidth * ratio), &m_wide);
    }
    m_lanes.setDevicePixelRatio(ratio);
    if (m_layout.laneHeight() >= 12) {
        QPainter text(&m_lanes);
        m_labels.paint(text, m_wide, *m_data, m_deviceTops, height, palette, lit, ratio);
    }
}

void TimelineView::renderGutter() {
    m_gutterDirty = false;
    const QRect plot = plotRect();
    const qreal ratio = pixelRatio();
    m_gutter = QPixmap(QSize(gutterWidth(), plot.height()) * ratio);
    m_gutter.setDevicePixelRatio(ratio);
    m_gutter.fill(m_theme.color(ColorId::Surface));
    if (!m_data || m_gutter.isNull())
        return;
    QPainter painter(&m_gutter);
    const int height = m_layout.laneHeight();
    painter.setFont(fontOfPixels(font(), height >= 14 ? 11 : 10));
    // A worker's first lane carries its name, the others only say what they are: "worker 0 compute", "push", "push 2".
    for (const bool pinned : {false, true}) {
        if (pinned && m_layout.pinnedHeight() > 0) {
            painter.fillRect(0, 0, gutterWidth(), m_layout.pinnedHeight(), m_theme.color(ColorId::Surface));
            painter.fillRect(0, m_layout.pinnedHeight() - 1, gutterWidth(), 1, m_theme.color(ColorId::Border));
        }
        std::size_t above = m_data->laneCount();
        for (const LaneLayout::Row &row : m_layout.rows()) {
            if (row.pinned != pinned)
                continue;
            const bool first = above == m_data->laneCount() || m_layout.leaderOf(above) != m_layout.leaderOf(row.lane);
            above = row.lane;
            const int top = m_layout.topOf(row);
            if (top + height >= 0 && top < plot.height())
                paintLaneName(painter, row, QRect(0, top, gutterWidth(), height), first);
        }
    }
}

void TimelineView::paintLaneName(QPainter &painter, const LaneLayout::Row &row, const QRect &area, bool first) const {
    QString name = QString::fromStdString(m_data->lane(row.lane).name);
    const std::size_t leader = m_layout.leaderOf(row.lane);
    const QString leading = QString::fromStdString(m_data->lane(leader).name);
    const QString owner = leading.left(leading.lastIndexOf(QLatin1Char(' ')) + 1);
    const bool indented = !first && row.lane != leader && !owner.isEmpty() && name.startsWith(owner);
    if (indented)
        name.remove(0, owner.size());
    const bool current = m_lane == row.lane;
    if (current)
        painter.fillRect(area, m_theme.color(ColorId::Control));
    painter.setPen(m_theme.color(current ? ColorId::Text : ColorId::DimText));
    if (row.lane == leader && m_layout.canCollapse(row.lane))
        painter.drawText(area.adjusted(2, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
                         m_layout.isCollapsed(row.lane) ? QStringLiteral("▸") : QStringLiteral("▾"));
    const bool isStack = m_layout.isStacked(row.lane) && m_data->stacks().first(row.lane) == row.lane;
    if (isStack)
        painter.drawText(area.adjusted(stackTriangle, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
                         row.isStrip() ? QStringLiteral("▸") : QStringLiteral("▾"));
    if (row.pinned || isPinned(row.lane))
        painter.fillRect(QRect(0, area.top(), 2, area.height()), m_theme.color(ColorId::Accent));
    if (row.isStrip())
        name += QStringLiteral("  × %1").arg(row.lanes);
    const QRect text = area.adjusted(indented || isStack ? 26 : 14, 0, -6, 0);
    painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(name, Qt::ElideMiddle, text.width()));
}

void TimelineView::paintEvent(QPaintEvent *event) {
    if (m_lanesDirty)
        renderLanes();
    if (m_gutterDirty)
        renderGutter();
    QPainter painter(this);
    const QRect plot = plotRect();
    const QRect wanted = event->rect();
    if (wanted.top() < headerHeight) {
        paintTitle(painter);
        paintRuler(painter);
    }
    painter.fillRect(QRect(plot.right() + 1, headerHeight, width() - plot.right() - 1, plot.height()),
                     m_theme.color(ColorId::TimelineBackground));
    painter.drawPixmap(0, headerHeight, m_gutter);
    const QRect part = wanted & plot;
    if (!part.isEmpty()) {
        const qreal ratio = m_lanes.devicePixelRatio();
        painter.drawImage(QRectF(part), m_lanes,
                          QRectF(QPointF(part.topLeft() - plot.topLeft()) * ratio, QSizeF(part.size()) * ratio));
    }
    if (!m_data) {
        painter.setPen(m_theme.color(ColorId::DimText));
        painter.drawText(plot.adjusted(12, 8, -12, -8), Qt::AlignCenter | Qt::TextWordWrap, m_reason);
    }
    paintOverlay(painter);
}

void TimelineView::paintTitle(QPainter &painter) const {
    QRect row(0, 0, width(), titleHeight);
    painter.fillRect(row, m_theme.color(ColorId::Control));
    painter.setPen(m_theme.color(ColorId::Border));
    painter.drawLine(0, 0, width(), 0);
    const QRect badge(8, 4, 16, 16);
    painter.fillRect(badge, m_theme.color(ColorId::Accent));
    painter.setFont(fontOfPixels(font(), 11, true));
    painter.setPen(m_theme.color(ColorId::AccentText));
    painter.drawText(badge, Qt::AlignCenter, m_badge);
    row.adjust(32, 0, -8, 0);
    paintLegend(painter, row);
    painter.setFont(fontOfPixels(font(), 12, true));
    painter.setPen(m_theme.color(ColorId::Text));
    const QString title = painter.fontMetrics().elidedText(m_title, Qt::ElideRight, row.width());
    painter.drawText(row, Qt::AlignVCenter | Qt::AlignLeft, title);
    row.setLeft(row.left() + painter.fontMetrics().horizontalAdvance(title) + 10);
    painter.setFont(fontOfPixels(font(), 12));
    painter.setPen(m_theme.color(ColorId::DimText));
    if (row.width() > 30)
        painter.drawText(row, Qt::AlignVCenter | Qt::AlignLeft,
                         painter.fontMetrics().elidedText(m_detail, Qt::ElideRight, row.width()));
}

void TimelineView::paintLegend(QPainter &painter, QRect &row) const {
    if (!m_data)
        return;
    painter.setFont(fontOfPixels(font(), 11));
    const auto entries = legendOf(*m_data, m_data->origin(), m_data->origin() + m_data->iteration());
    int needed = 0;
    for (const auto &[category, name] : entries)
        needed += 10 + 4 + painter.fontMetrics().horizontalAdvance(name) + 12;
    if (needed > row.width() * 3 / 5)
        return;
    int x = row.right() - needed;
    row.setRight(x - 12);
    for (const auto &[category, name] : entries) {
        painter.fillRect(QRect(x, 7, 10, 10), m_theme.categoryColor(category));
        painter.setPen(m_theme.color(ColorId::DimText));
        const int advance = painter.fontMetrics().horizontalAdvance(name);
        painter.drawText(QRect(x + 14, 0, advance + 2, titleHeight), Qt::AlignVCenter | Qt::AlignLeft, name);
        x += 14 + advance + 12;
    }
}

void TimelineView::paintRuler(QPainter &painter) const {
    const QRect plot = plotRect();
    const QRect row(0, titleHeight, width(), rulerHeight);
    painter.fillRect(row, m_theme.color(ColorId::Surface));
    painter.setFont(fontOfPixels(font(), 11));
    const auto [from, to] = m_axis->window();
    painter.save();
    painter.setClipRect(QRect(plot.left(), titleHeight, plot.width(), rulerHeight));
    for (const Tick &tick : rulerTicks(from, to, plot.width())) {
        const int x = static_cast<int>(xOf(tick.time));
        painter.setPen(m_theme.color(ColorId::Border));
        painter.drawLine(x, row.bottom() - 4, x, row.bottom());
        painter.setPen(m_theme.color(ColorId::DimText));
        painter.drawText(QRect(x + 4, row.top(), 120, rulerHeight), Qt::AlignVCenter | Qt::AlignLeft, tick.label);
    }
    painter.restore();
}

void TimelineView::updateCursorStrip() {
    const auto cursor = m_axis->cursor();
    const int x = cursor ? columnOf(*cursor) : -1;
    for (const int strip : {m_cursorX, x})
        if (strip >= 0)
            update(strip - 1, titleHeight, 3, height() - titleHeight);
    m_cursorX = x;
}

} // namespace syncopate::ui
