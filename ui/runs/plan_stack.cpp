// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/plan_stack.h"

#include "ui/theme/font_of_pixels.h"
#include "ui/theme/theme.h"
#include "ui/timeline/lane_layout.h"
#include "ui/timeline/ruler.h"
#include "ui/timeline/timeline_painter.h"

#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>
#include <utility>

namespace syncopate::ui {

PlanStack::PlanStack(const Theme &theme, QWidget *parent)
    : QAbstractScrollArea(parent), m_theme(theme),
      m_emptyText(tr("Plan shows the timelines of all planners here, one below the other.")) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Timelines of the planners"));
    setAccessibleDescription(tr("Up and down choose a row, Enter shows its plan in B, left and right move, plus and minus zoom, "
                                "F fits. Motifs of the editable row can be dragged."));
    viewport()->setMouseTracking(true);
    connect(&m_axis, &TimeAxis::windowChanged, viewport(), qOverload<>(&QWidget::update));
    connect(&theme, &Theme::themeChanged, viewport(), qOverload<>(&QWidget::update));
}

void PlanStack::setRows(std::vector<Row> rows) {
    const std::vector<Row> before = std::exchange(m_rows, std::move(rows));
    // Rows are added while other methods plan: a drag, a press and the current row follow their timelines.
    const auto rowOf = [&](std::size_t number) -> std::optional<std::size_t> {
        const auto row = std::ranges::find_if(m_rows, [&](const Row &candidate) {
            return candidate.data == before[number].data && candidate.isEditable == before[number].isEditable;
        });
        return row == m_rows.end() ? std::nullopt : std::optional(static_cast<std::size_t>(row - m_rows.begin()));
    };
    if (m_pressed)
        m_pressed = rowOf(*m_pressed);
    if (m_current)
        if (const auto row = rowOf(*m_current)) // else an edited plan's timeline is in its place
            m_current = row;
    if (m_drag) {
        if (const auto row = rowOf(m_drag->span.row))
            m_drag->span.row = *row;
        else
            m_drag.reset();
    }
    double longest = 0;
    for (const Row &row : m_rows)
        longest = std::max(longest, static_cast<double>(row.data->iteration()));
    if (m_current && *m_current >= m_rows.size())
        m_current.reset();
    if (std::exchange(m_longest, longest) != longest)
        fit();
    fitGutter();
    fitScrollBar();
    viewport()->update();
}

std::size_t PlanStack::Row::placeOf(std::size_t lane) const {
    if (lanes.empty())
        return lane;
    auto place = std::find(lanes.begin(), lanes.end(), lane);
    if (place == lanes.end())
        place = std::find(lanes.begin(), lanes.end(), data->stacks().first(lane));
    return place == lanes.end() ? 0 : static_cast<std::size_t>(place - lanes.begin());
}

std::vector<std::size_t> PlanStack::lanesOfWorker(const TimelineData &data, std::int32_t worker) {
    LaneLayout layout;
    layout.layOut(&data, {}, 0);
    std::vector<std::size_t> lanes;
    for (const LaneLayout::Row &row : layout.rows())
        if (data.lane(row.lane).worker == worker)
            lanes.push_back(row.lane);
    return lanes;
}

void PlanStack::setEmptyText(const QString &text) {
    m_emptyText = text;
    viewport()->update();
}

void PlanStack::fit() {
    if (!(m_longest > 0))
        return;
    m_axis.setBounds(-m_longest, 2 * m_longest); // the iterations before and after are played, too
    m_axis.setWindow(-0.03 * m_longest, 1.06 * m_longest);
}

QRect PlanStack::plotRect() const { return viewport()->rect().adjusted(m_gutter, rulerHeight, 0, 0); }

QFont PlanStack::nameFont() const { return fontOfPixels(font(), 11, true); }

void PlanStack::fitGutter() {
    const QFontMetrics metrics(nameFont());
    int longest = 0;
    for (const Row &row : m_rows)
        longest = std::max(longest, metrics.horizontalAdvance(row.name));
    m_gutter = std::clamp(longest + namePadding, minGutter, std::max(minGutter, viewport()->width() / 3));
}

int PlanStack::heightOf(const Row &row) const {
    return std::max(minRowHeight, static_cast<int>(row.laneCount()) * lanePitch) + rowGap;
}

int PlanStack::topOf(std::size_t row) const {
    int top = rulerHeight - verticalScrollBar()->value();
    for (std::size_t r = 0; r < row; ++r)
        top += heightOf(m_rows[r]);
    return top;
}

std::optional<std::size_t> PlanStack::rowAt(int y) const {
    if (y < rulerHeight)
        return {};
    for (std::size_t r = 0; r < m_rows.size(); ++r)
        if (const int top = topOf(r); y >= top && y < top + heightOf(m_rows[r]))
            return r;
    return {};
}

std::optional<std::size_t> PlanStack::laneAt(std::size_t row, int y) const {
    const int place = (y - topOf(row)) / lanePitch;
    if (y < topOf(row) || place >= static_cast<int>(m_rows[row].laneCount()))
        return {};
    return m_rows[row].laneAt(static_cast<std::size_t>(place));
}

double PlanStack::timeAt(int x) const {
    const QRect plot = plotRect();
    return m_axis.window().first + (x - plot.left()) * m_axis.span() / std::max(1, plot.width());
}

double PlanStack::xOf(double time) const {
    const QRect plot = plotRect();
    return plot.left() + (time - m_axis.window().first) / m_axis.span() * plot.width();
}

std::optional<PlanStack::Span> PlanStack::spanAt(const QPoint &position) const {
    const auto row = rowAt(position.y());
    if (!row || !plotRect().contains(position))
        return {};
    const auto lane = laneAt(*row, position.y());
    if (!lane)
        return {};
    const TimelineData &data = *m_rows[*row].data;
    const Nanoseconds time = data.origin() + static_cast<Nanoseconds>(std::floor(timeAt(position.x())));
    const bool isStrip = !m_rows[*row].lanes.empty() && data.strip(*lane);
    for (std::size_t l = *lane; l < *lane + (isStrip ? data.stacks().size(*lane) : 1); ++l)
        if (const std::int64_t span = data.index(l).spanAt(time); span >= 0)
            return Span{*row, l, static_cast<std::size_t>(span)};
    return {};
}

QPoint PlanStack::positionOf(std::size_t row, std::size_t lane, double time) const {
    return {static_cast<int>(std::lround(xOf(time))),
            topOf(row) + static_cast<int>(m_rows[row].placeOf(lane)) * lanePitch + laneHeight / 2};
}

QString PlanStack::describe(const Span &span) const {
    const TimelineData &data = *m_rows[span.row].data;
    const Lane &lane = data.lane(span.lane);
    const double from = static_cast<double>(lane.start[span.span] - data.origin());
    const double length = static_cast<double>(lane.end[span.span] - lane.start[span.span]);
    const double resolution = m_axis.span() / std::max(1, plotRect().width());
    return tr("%1 · %2 · from %3, takes %4")
        .arg(QString::fromStdString(data.timeline().labels[static_cast<std::size_t>(lane.label[span.span])]),
             QString::fromStdString(lane.name), formatTime(from, resolution), formatTime(length, resolution));
}

void PlanStack::fitScrollBar() {
    int height = 0;
    for (const Row &row : m_rows)
        height += heightOf(row);
    const int page = std::max(0, viewport()->height() - rulerHeight);
    verticalScrollBar()->setRange(0, std::max(0, height - page));
    verticalScrollBar()->setPageStep(page);
    verticalScrollBar()->setSingleStep(lanePitch);
}

void PlanStack::resizeEvent(QResizeEvent * /*event*/) {
    fitGutter();
    fitScrollBar();
}

void PlanStack::paintEvent(QPaintEvent * /*event*/) {
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), m_theme.color(ColorId::Surface));
    if (m_rows.empty()) {
        painter.setPen(m_theme.color(ColorId::DimText));
        painter.drawText(viewport()->rect().adjusted(12, 8, -12, -8), Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
        return;
    }
    paintRows(painter);
    paintRuler(painter);
    paintDrag(painter);
}

void PlanStack::paintRows(QPainter &painter) const {
    const QRect plot = plotRect();
    const qreal ratio = devicePixelRatioF();
    QImage image((QSizeF(plot.size()) * ratio).toSize(), QImage::Format_RGB32);
    if (!image.isNull()) {
        image.fill(m_theme.color(ColorId::TimelineBackground));
        const TimelinePainter lanes(LanePalette::of(m_theme));
        for (std::size_t r = 0; r < m_rows.size(); ++r) {
            const TimelineData &data = *m_rows[r].data;
            const double from = static_cast<double>(data.origin()) + m_axis.window().first;
            const TimeWindow window{from, m_axis.span() / std::max(1, image.width())};
            for (std::size_t place = 0; place < m_rows[r].laneCount(); ++place) {
                const int top = topOf(r) - plot.top() + static_cast<int>(place) * lanePitch;
                if (top + laneHeight <= 0 || top >= plot.height())
                    continue;
                const QRect area(0, static_cast<int>(top * ratio), image.width(), static_cast<int>(laneHeight * ratio));
                const std::size_t lane = m_rows[r].laneAt(place);
                if (!m_rows[r].lanes.empty() && data.strip(lane))
                    lanes.paintStrip(image, area, data, lane, window);
                else
                    lanes.paintLane(image, area, data, lane, window);
            }
        }
        painter.drawImage(QRectF(plot), image, QRectF(image.rect()));
    }
    painter.save();
    painter.setClipRect(viewport()->rect().adjusted(0, rulerHeight, 0, 0));
    for (std::size_t r = 0; r < m_rows.size(); ++r)
        if (topOf(r) < viewport()->height() && topOf(r) + heightOf(m_rows[r]) > rulerHeight)
            paintRow(painter, r);
    painter.restore();
}

void PlanStack::paintRow(QPainter &painter, std::size_t number) const {
    const Row &row = m_rows[number];
    const int top = topOf(number), height = heightOf(row);
    QFont name = nameFont();
    painter.setFont(name);
    painter.setPen(m_theme.color(hasFocus() && m_current == number ? ColorId::Accent : ColorId::Text));
    const QRect text(8, top, m_gutter - namePadding, height - rowGap);
    painter.drawText(QRect(text.left(), top, text.width(), 14), Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(row.name, Qt::ElideMiddle, text.width()));
    name.setBold(false);
    painter.setFont(name);
    painter.setPen(m_theme.color(ColorId::DimText));
    painter.drawText(QRect(text.left(), top + 14, text.width(), 14), Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(row.figures, Qt::ElideRight, text.width()));
    const QRect plot = plotRect();
    painter.setPen(m_theme.color(ColorId::Border));
    painter.drawLine(0, top + height - rowGap / 2 - 1, viewport()->width(), top + height - rowGap / 2 - 1);
    painter.setPen(QPen(m_theme.color(ColorId::Text), 1, Qt::DashLine));
    for (const double time : {0.0, static_cast<double>(row.data->iteration())})
        if (const double x = xOf(time); x >= plot.left() && x < plot.right())
            painter.drawLine(QPointF(x, top - 2), QPointF(x, top + height - rowGap));
}

void PlanStack::paintRuler(QPainter &painter) const {
    const QRect plot = plotRect(), row(0, 0, viewport()->width(), rulerHeight);
    painter.fillRect(row, m_theme.color(ColorId::Surface));
    const QFont small = fontOfPixels(font(), 11);
    painter.setFont(small);
    const auto [from, to] = m_axis.window();
    for (const Tick &tick : rulerTicks(from, to, plot.width())) {
        const int x = static_cast<int>(xOf(tick.time));
        painter.setPen(m_theme.color(ColorId::Border));
        painter.drawLine(x, row.bottom() - 4, x, row.bottom());
        const int width = painter.fontMetrics().horizontalAdvance(tick.label);
        if (x + 4 + width > row.right())
            continue; // half a number would read as another one
        painter.setPen(m_theme.color(ColorId::DimText));
        painter.drawText(QRect(x + 4, 0, width, rulerHeight), Qt::AlignVCenter | Qt::AlignLeft, tick.label);
    }
}

void PlanStack::paintDrag(QPainter &painter) const {
    if (!m_drag || !m_drag->moved)
        return;
    const Span &span = m_drag->span;
    const TimelineData &data = *m_rows[span.row].data;
    const Lane &lane = data.lane(span.lane);
    const double origin = static_cast<double>(data.origin());
    const double from = xOf(static_cast<double>(lane.start[span.span]) - origin);
    const double to = xOf(static_cast<double>(lane.end[span.span]) - origin);
    const auto over = laneAt(span.row, m_drag->to.y());
    const auto place = m_rows[span.row].placeOf(over && isChannel(*over) ? *over : span.lane);
    const QRectF box(from + m_drag->to.x() - m_drag->from.x(), topOf(span.row) + static_cast<int>(place) * lanePitch,
                     std::max(3.0, to - from), laneHeight);
    painter.setClipRect(plotRect());
    painter.setPen(QPen(m_theme.color(ColorId::Accent), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box);
}

} // namespace syncopate::ui
