// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_view.h"

#include "engine/base/units.h"
#include "ui/theme/theme.h"
#include "ui/timeline/ruler.h"

#include <QPainter>
#include <QResizeEvent>
#include <algorithm>
#include <cmath>
#include <limits>

namespace syncopate::ui {

namespace {

constexpr int titleHeight = 24;
constexpr int rulerHeight = 20;
constexpr int headerHeight = titleHeight + rulerHeight;
constexpr int fullPitch = 21; ///< lane and gap; lanes shrink to compactPitch before a pane scrolls
constexpr int compactPitch = 13;
constexpr int groupGap = 5; ///< extra room between workers

QFont fontOfPixels(const QFont &base, int pixels, bool bold = false) {
    QFont font = base;
    font.setPixelSize(pixels);
    font.setBold(bold);
    return font;
}

} // namespace

TimelineView::TimelineView(const Theme &theme, TimeAxis &axis, const QString &badge, QWidget *parent)
    : QWidget(parent), m_theme(theme), m_axis(&axis), m_badge(badge), m_scroll(new QScrollBar(Qt::Vertical, this)),
      m_labels(fontOfPixels(font(), 10)) {
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Timeline %1").arg(badge));
    m_scroll->hide();
    m_scroll->setFocusPolicy(Qt::NoFocus);
    connect(m_scroll, &QScrollBar::valueChanged, this, [this] { invalidate(); });
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
        m_lanesDirty = true;
        update();
    });
    connect(m_axis, &TimeAxis::selectionChanged, this, qOverload<>(&QWidget::update));
    connect(m_axis, &TimeAxis::cursorChanged, this, &TimelineView::updateCursorStrip);
}

void TimelineView::setData(std::shared_ptr<const TimelineData> data, const QString &reason) {
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
    m_data = std::move(data);
    m_reason = reason;
    if (m_data && m_lit.size() != m_data->timeline().labels.size())
        m_lit.clear();
    layOutLanes();
    invalidate();
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

int TimelineView::fullHeight() const {
    const int lanes = m_data ? static_cast<int>(m_data->laneCount()) : 0;
    return headerHeight + 8 + lanes * fullPitch + (lanes > 24 ? 0 : groupCount() * groupGap);
}

int TimelineView::groupCount() const {
    int groups = 0;
    for (std::size_t l = 1; m_data && l < m_data->laneCount(); ++l)
        groups += m_data->lane(l).worker != m_data->lane(l - 1).worker;
    return groups;
}

void TimelineView::layOutLanes() {
    m_laneTop.clear();
    m_contentHeight = 0;
    const int lanes = m_data ? static_cast<int>(m_data->laneCount()) : 0;
    const int room = std::max(1, height() - headerHeight - 8);
    const int gap = lanes > 24 ? 0 : groupGap;
    const int pitch = lanes > 0 ? std::clamp((room - groupCount() * gap) / lanes, compactPitch, fullPitch) : fullPitch;
    m_laneHeight = pitch >= 17 ? pitch - 3 : pitch - 1;
    int top = 4;
    for (int l = 0; l < lanes; ++l) {
        const auto lane = static_cast<std::size_t>(l);
        if (l > 0 && m_data->lane(lane).worker != m_data->lane(lane - 1).worker)
            top += gap;
        m_laneTop.push_back(top);
        top += pitch;
    }
    m_contentHeight = top + 4;
    const int plotHeight = std::max(0, height() - headerHeight);
    const int width = m_scroll->sizeHint().width();
    m_scroll->setGeometry(this->width() - width, headerHeight, width, plotHeight);
    m_scroll->setRange(0, std::max(0, m_contentHeight - plotHeight));
    m_scroll->setPageStep(plotHeight);
    m_scroll->setSingleStep(pitch);
    m_scroll->setVisible(m_contentHeight > plotHeight);
}

void TimelineView::renderLanes() {
    m_lanesDirty = false;
    const QRect plot = plotRect();
    const qreal ratio = pixelRatio();
    const QSize size(static_cast<int>(std::ceil(plot.width() * ratio)), static_cast<int>(std::ceil(plot.height() * ratio)));
    if (m_lanes.size() != size)
        m_lanes = QImage(size, QImage::Format_RGB32);
    if (size.isEmpty())
        return;
    const LanePalette palette = LanePalette::of(m_theme);
    m_lanes.setDevicePixelRatio(1);
    m_lanes.fill(palette.background);
    const auto [from, to] = m_axis->window();
    // The ruler's marks and the iteration's ends go through all lanes.
    const auto column = [&](double time, QRgb color) {
        const int x = static_cast<int>((time - from) / (to - from) * size.width());
        if (x < 0 || x >= size.width())
            return;
        for (int y = 0; y < size.height(); ++y)
            reinterpret_cast<QRgb *>(m_lanes.scanLine(y))[x] = color;
    };
    for (const Tick &tick : rulerTicks(from, to, plot.width()))
        column(tick.time, m_theme.color(ColorId::Grid).rgb());
    if (!m_data)
        return;
    for (const double time : {0.0, static_cast<double>(m_data->iteration())})
        column(time, m_theme.color(ColorId::DimText).rgb());

    TimelinePainter painter(palette);
    painter.setLit(m_lit.empty() ? nullptr : &m_lit);
    const TimeWindow window{static_cast<double>(m_data->origin()) + from, (to - from) / size.width()};
    m_wide.clear();
    m_deviceTops.resize(m_laneTop.size());
    const int height = static_cast<int>(std::lround(m_laneHeight * ratio));
    for (std::size_t lane = 0; lane < m_laneTop.size(); ++lane) {
        m_deviceTops[lane] = static_cast<int>(std::lround((m_laneTop[lane] - m_scroll->value()) * ratio));
        if (m_deviceTops[lane] < size.height() && m_deviceTops[lane] + height > 0)
            painter.paintLane(m_lanes, QRect(0, m_deviceTops[lane], size.width(), height), *m_data, lane, window,
                              static_cast<int>(SpanLabels::leastWidth * ratio), &m_wide);
    }
    m_lanes.setDevicePixelRatio(ratio);
    if (m_laneHeight >= 12) {
        QPainter text(&m_lanes);
        m_labels.paint(text, m_wide, *m_data, m_deviceTops, height, palette, m_lit.empty() ? nullptr : &m_lit, ratio);
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
    painter.setFont(fontOfPixels(font(), m_laneHeight >= 14 ? 11 : 10));
    painter.setPen(m_theme.color(ColorId::DimText));
    // A worker's first lane carries its name, the others only say what they are: "worker 0 compute", "push", "push 2".
    QString owner;
    for (std::size_t lane = 0; lane < m_laneTop.size(); ++lane) {
        QString name = QString::fromStdString(m_data->lane(lane).name);
        const bool first = lane == 0 || m_data->lane(lane).worker != m_data->lane(lane - 1).worker;
        if (first)
            owner = name.left(name.lastIndexOf(QLatin1Char(' ')) + 1);
        const bool indented = !first && !owner.isEmpty() && name.startsWith(owner);
        if (indented)
            name.remove(0, owner.size());
        const int left = indented ? 22 : 10;
        const QRect row(left, m_laneTop[lane] - m_scroll->value(), gutterWidth() - left - 6, m_laneHeight);
        if (row.bottom() < 0 || row.top() > plot.height())
            continue;
        painter.drawText(row, Qt::AlignVCenter | Qt::AlignLeft,
                         painter.fontMetrics().elidedText(name, Qt::ElideMiddle, row.width()));
    }
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
        painter.drawImage(part, m_lanes,
                          QRectF(QPointF(part.topLeft() - plot.topLeft()) * ratio, QSizeF(part.size()) * ratio).toRect());
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
    std::array<bool, categoryCount> present{};
    for (std::size_t l = 0; l < m_data->laneCount(); ++l) {
        const auto busy = m_data->index(l).busy(m_data->origin(), m_data->origin() + m_data->iteration());
        for (std::size_t c = 0; c < categoryCount; ++c)
            present[c] = present[c] || busy[c] > 0;
    }
    painter.setFont(fontOfPixels(font(), 11));
    std::vector<std::pair<Category, QString>> entries;
    int needed = 0;
    for (std::size_t c = 0; c < categoryCount; ++c)
        if (present[c]) {
            entries.emplace_back(static_cast<Category>(c), QString::fromUtf8(nameOf(static_cast<Category>(c))));
            needed += 10 + 4 + painter.fontMetrics().horizontalAdvance(entries.back().second) + 12;
        }
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

void TimelineView::paintMarks(QPainter &painter) const {
    // Names share the ruler with its ticks: on a patch of their own, staggered from the right so that none hides another.
    painter.setFont(fontOfPixels(font(), 10));
    const QColor color = m_theme.color(ColorId::Warning);
    std::vector<const TimeMark *> marks;
    for (const TimeMark &mark : m_marks)
        if (mark.time > 0)
            marks.push_back(&mark);
    std::sort(marks.begin(), marks.end(), [](const TimeMark *a, const TimeMark *b) { return a->time > b->time; });
    int limit = std::numeric_limits<int>::max();
    for (const TimeMark *mark : marks) {
        const int x = static_cast<int>(xOf(mark->time));
        painter.setPen(QPen(color, 1, Qt::DashLine));
        painter.drawLine(x, titleHeight, x, height());
        const int wide = painter.fontMetrics().horizontalAdvance(mark->name) + 6;
        QRect label(std::min(x - wide, limit - wide), titleHeight, wide, rulerHeight - 1);
        limit = label.left() - 2;
        painter.fillRect(label, m_theme.color(ColorId::WarningSurface));
        painter.setPen(color);
        painter.drawText(label, Qt::AlignCenter, mark->name);
    }
}

void TimelineView::paintOverlay(QPainter &painter) const {
    const QRect plot = plotRect();
    painter.save();
    painter.setClipRect(plot.adjusted(0, -rulerHeight, 0, 0));
    if (m_stale) {
        QColor veil = m_theme.color(ColorId::TimelineBackground);
        veil.setAlphaF(0.5F);
        painter.fillRect(plot, veil);
    }
    paintMarks(painter);
    const QColor accent = m_theme.color(ColorId::Accent);
    if (const auto selection = m_axis->selection()) {
        const QRectF band(QPointF(xOf(selection->first), titleHeight), QPointF(xOf(selection->second), height()));
        QColor fill = accent;
        fill.setAlpha(44);
        painter.fillRect(band, fill);
        painter.fillRect(QRectF(band.left(), band.top(), 1, band.height()), accent);
        painter.fillRect(QRectF(band.right(), band.top(), 1, band.height()), accent);
    }
    if (m_data && m_selected) {
        painter.setPen(QPen(accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(spanRect(*m_selected).adjusted(-1, -1, 1, 1));
    }
    if (const auto cursor = m_axis->cursor())
        painter.fillRect(QRectF(std::floor(xOf(*cursor)), titleHeight, 1, height()), accent);
    painter.restore();
    if (m_focusRing && hasFocus()) {
        painter.setPen(QPen(accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRect(1, 1, width() - 2, height() - 2));
    }
}

QRect TimelineView::spanRect(const SpanRef &span) const {
    const Lane &lane = m_data->lane(span.lane);
    const QRect plot = plotRect();
    const auto x = [&](Nanoseconds time) {
        return static_cast<int>(
            std::clamp(xOf(static_cast<double>(time - m_data->origin())), plot.left() - 8.0, plot.right() + 8.0));
    };
    const int left = x(lane.start[span.span]);
    return {left, headerHeight + m_laneTop[span.lane] - m_scroll->value(), std::max(2, x(lane.end[span.span]) - left),
            m_laneHeight};
}

void TimelineView::updateCursorStrip() {
    const auto cursor = m_axis->cursor();
    const int x = cursor ? static_cast<int>(std::floor(xOf(*cursor))) : -1;
    for (const int strip : {m_cursorX, x})
        if (strip >= 0)
            update(strip - 1, titleHeight, 3, height() - titleHeight);
    m_cursorX = x;
}

} // namespace syncopate::ui
