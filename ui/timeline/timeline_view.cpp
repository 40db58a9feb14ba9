// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_view.h"

#include "ui/theme/font_of_pixels.h"
#include "ui/theme/theme.h"
#include "ui/timeline/wait_chip.h"

#include <algorithm>
#include <cmath>

namespace syncopate::ui {

namespace {

/// The spans of `worker` called `name` of `category`, lane by lane. O(labels + spans of the worker).
std::vector<SpanRef> spansCalled(const TimelineData &data, const std::string &name, Category category, std::int32_t worker) {
    std::vector<bool> isCalled; // per label
    for (const std::string &label : data.timeline().labels)
        isCalled.push_back(label == name);
    std::vector<SpanRef> found;
    for (std::size_t l = 0; l < data.laneCount(); ++l) {
        const Lane &lane = data.lane(l);
        if (lane.worker != worker)
            continue;
        for (std::size_t i = 0; i < lane.size(); ++i)
            if (lane.category[i] == category && lane.label[i] >= 0 && isCalled[static_cast<std::size_t>(lane.label[i])])
                found.push_back({l, i});
    }
    return found;
}

/// The span of `next` that is `span` of `before`: of the same worker, name and category, and of the same task where that is one
/// span's alone, else as often preceded by such ones. Its lane may be another one: transfers that overlap share lanes as they are
/// free.
std::optional<SpanRef> sameSpan(const TimelineData &before, const SpanRef &span, const TimelineData &next) {
    const Lane &old = before.lane(span.lane);
    if (old.label[span.span] < 0)
        return {};
    const std::string &name = before.timeline().labels[static_cast<std::size_t>(old.label[span.span])];
    std::vector<SpanRef> then = spansCalled(before, name, old.category[span.span], old.worker),
                         now = spansCalled(next, name, old.category[span.span], old.worker);
    const std::int32_t task = old.task[span.span];
    const auto isOfTask = [task](const TimelineData &data) {
        return [&data, task](const SpanRef &each) { return data.lane(each.lane).task[each.span] == task; };
    };
    if (task >= 0 && std::ranges::count_if(then, isOfTask(before)) == 1 && std::ranges::count_if(now, isOfTask(next)) == 1)
        return *std::ranges::find_if(now, isOfTask(next));
    const auto sortByStart = [](std::vector<SpanRef> &spans, const TimelineData &data) {
        std::stable_sort(spans.begin(), spans.end(), [&](const SpanRef &a, const SpanRef &b) {
            return data.lane(a.lane).start[a.span] < data.lane(b.lane).start[b.span];
        });
    };
    sortByStart(then, before);
    sortByStart(now, next);
    const auto number = static_cast<std::size_t>(std::find(then.begin(), then.end(), span) - then.begin());
    return number < now.size() ? std::optional(now[number]) : std::nullopt;
}

} // namespace

TimelineView::TimelineView(const Theme &theme, TimeAxis &axis, const QString &badge, QWidget *parent)
    : QWidget(parent), m_theme(theme), m_axis(&axis), m_badge(badge), m_waitChip(new WaitChip(this)),
      m_scroll(new QScrollBar(Qt::Vertical, this)), m_labels(fontOfPixels(font(), 10)) {
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Timeline %1").arg(badge));
    // A movement has ended once the window has been still for long enough to be looked at.
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
        return; // only the other side's run is new
    const auto selected = m_selected;
    // A span stays focused in a new run that has it, too, as when a knob is dragged.
    m_selected = selected && m_data && data ? sameSpan(*m_data, *selected, *data) : std::nullopt;
    if (!data || !m_data || data->timeline().labels != m_data->timeline().labels)
        m_labels.clear();
    // A lane stays focused by name: the strategy may have changed the number of lanes.
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
    if (m_selected != selected)
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
    m_moving = false; // a final picture, not a draft
    invalidate();
}

void TimelineView::invalidate() {
    m_lanesDirty = m_gutterDirty = true;
    update();
}

void TimelineView::stack(TimelineView &one, TimelineView &other) {
    one.m_stacked = &other;
    other.m_stacked = &one;
}

void TimelineView::takeNames() {
    std::vector<LaneName> names = laneNames();
    if (names == m_names)
        return;
    m_names = std::move(names);
    m_minGutter = 0;
    invalidate();
    if (m_stacked) {
        m_stacked->invalidate();
        m_stacked->m_waitChip->moveInto(m_stacked->plotRect());
    }
    Q_EMIT namesChanged();
}

void TimelineView::measureNames() const {
    const QFontMetrics metrics(fontOfPixels(font(), 11));
    m_minGutter = metrics.horizontalAdvance(QStringLiteral("workers 00–00 compute")) + nameLeft + nameRight;
    m_namesGutter = 0;
    for (const LaneName &name : m_names)
        m_namesGutter = std::max(m_namesGutter, name.left + metrics.horizontalAdvance(name.shown()) + 1 + nameRight);
}

int TimelineView::gutterWidth() const {
    constexpr int usual = 170;
    // Every place on the axis asks, so names are measured once.
    if (m_minGutter == 0)
        measureNames();
    int names = m_namesGutter;
    if (m_stacked && !m_stacked->isHidden()) {
        if (m_stacked->m_minGutter == 0)
            m_stacked->measureNames();
        names = std::max(names, m_stacked->m_namesGutter);
    }
    const int minWidth = std::clamp(width() / 6, m_minGutter, std::max(usual, m_minGutter));
    return std::max(minWidth, std::min(names, width() / 4));
}

QRect TimelineView::plotRect() const {
    // Space for the scroll bar is reserved even if there is none: the time axes of stacked panes must line up.
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
    takeNames();
    m_waitChip->moveInto(plotRect());
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
