// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/timeline_search.h"

#include "engine/timeline/find_spans.h"
#include "ui/timeline/search_bar.h"
#include "ui/timeline/timeline_view.h"

namespace syncopate::ui {

TimelineSearch::TimelineSearch(SearchBar &bar, const Session &session, const std::array<TimelineView *, 2> &views,
                               QObject *parent)
    : QObject(parent), m_bar(bar), m_session(session), m_views(views) {
    connect(&bar, &SearchBar::textChanged, this, &TimelineSearch::refresh);
    connect(&bar, &SearchBar::stepWanted, this, &TimelineSearch::step);
    connect(&bar, &SearchBar::closed, this, &TimelineSearch::end);
    connect(&session, &Session::runsChanged, this, &TimelineSearch::refresh);
    for (std::size_t s = 0; s < views.size(); ++s) {
        connect(views[s], &TimelineView::focused, this, [this, s] {
            m_side = s;
            showCount();
        });
        connect(views[s], &TimelineView::searchWanted, this, [this, s] { open(s == 0 ? Side::A : Side::B); });
        connect(views[s], &TimelineView::spanSelected, this, &TimelineSearch::showCount);
    }
}

bool TimelineSearch::isOn() const { return !m_bar.isHidden() && !m_bar.text().isEmpty(); }

void TimelineSearch::open(Side side) {
    m_side = m_session.state().compare ? indexOf(side) : 0;
    m_bar.open();
    refresh();
}

void TimelineSearch::refresh() {
    if (m_bar.isHidden())
        return;
    for (const Side side : {Side::A, Side::B}) {
        const std::size_t s = indexOf(side);
        const auto run = m_session.run(side);
        const TimelineData *data = m_views[s]->data();
        m_wanted[s].clear();
        // A pane may show something that was not simulated: its own names are all there is then.
        if (data && isOn())
            m_wanted[s] = run && data == &run->timeline() ? run->labelsMatching(m_bar.text().toStdString())
                                                          : labelsContaining(data->timeline(), m_bar.text().toStdString());
        m_views[s]->setFound(m_wanted[s]);
    }
    showCount();
}

void TimelineSearch::showCount() {
    if (m_bar.isHidden())
        return;
    if (!isOn()) {
        m_bar.setCount({});
        return;
    }
    QStringList parts;
    std::size_t sum = 0;
    for (std::size_t s = 0; s < m_views.size(); ++s) {
        const TimelineData *data = m_views[s]->data();
        if (!data || m_wanted[s].size() != data->timeline().labels.size())
            continue;
        const auto span = m_views[s]->selectedSpan();
        const FoundCount count = countSpans(data->timeline(), m_wanted[s], span);
        sum += count.total;
        const QString pane = s == 0 ? QStringLiteral("A") : QStringLiteral("B");
        const bool at = span && m_wanted[s][static_cast<std::size_t>(data->lane(span->lane).label[span->span])] != 0;
        parts.push_back(at && s == m_side ? tr("%1 of %2 in %3").arg(count.before + 1).arg(count.total).arg(pane)
                                          : tr("%1 in %2").arg(count.total).arg(pane));
    }
    m_bar.setCount(sum == 0 ? tr("No span is called so") : parts.join(QStringLiteral(" · ")));
}

void TimelineSearch::step(bool forward) {
    TimelineView &view = *m_views[m_side];
    const TimelineData *data = view.data();
    if (!isOn() || !data || m_wanted[m_side].size() != data->timeline().labels.size())
        return;
    const Timeline &timeline = data->timeline();
    std::optional<SpanRef> next;
    if (const auto selected = view.selectedSpan())
        next = neighbour(timeline, m_wanted[m_side], selected, forward);
    else if (forward) // begin with what is in sight
        next = firstFrom(timeline, m_wanted[m_side],
                         static_cast<Nanoseconds>(view.axis().window().first + view.offset()) + data->origin());
    if (!next)
        next = neighbour(timeline, m_wanted[m_side], {}, forward); // around the end
    if (next)
        view.showSpan(*next);
}

void TimelineSearch::end() {
    for (TimelineView *view : m_views)
        view->setFound({});
    m_views[m_side]->setFocus(Qt::ShortcutFocusReason);
}

} // namespace syncopate::ui
