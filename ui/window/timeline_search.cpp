// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/timeline_search.h"

#include "ui/timeline/search_bar.h"
#include "ui/timeline/timeline_view.h"

#include <utility>

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
    m_side = indexOf(side);
    m_bar.open();
    refresh();
}

void TimelineSearch::refresh() {
    if (m_bar.isHidden())
        return;
    const Runs runs{m_session.run(Side::A), m_session.run(Side::B)};
    if (!isOn()) {
        m_finder.cancel();
        show({runs, std::make_shared<const Hits>()});
        return;
    }
    m_bar.setCount(tr("Searching…"));
    m_finder.start([runs, text = m_bar.text().toStdString()](const std::stop_token &stop, const auto &post) {
        const auto hits = std::make_shared<Hits>();
        for (std::size_t s = 0; s < runs.size(); ++s)
            if (runs[s])
                (*hits)[s] = SpanHits(runs[s]->recording().timeline, runs[s]->labelsMatching(text), stop);
        post({runs, hits});
    });
}

void TimelineSearch::show(const Found &found) {
    m_found = found;
    for (std::size_t s = 0; s < m_views.size(); ++s) {
        const SpanHits *found = hitsOf(s);
        m_views[s]->setFound(found ? found->wanted() : std::vector<std::uint8_t>());
    }
    showCount();
    if (const auto forward = std::exchange(m_step, std::nullopt))
        step(*forward);
}

const SpanHits *TimelineSearch::hitsOf(std::size_t side) const {
    const auto &run = m_found.runs[side];
    const bool shown = m_found.hits && run && m_views[side]->data() == &run->timeline();
    return shown ? &(*m_found.hits)[side] : nullptr;
}

void TimelineSearch::showCount() {
    if (m_bar.isHidden() || !isUpToDate())
        return;
    if (!isOn()) {
        m_bar.setCount({});
        return;
    }
    QStringList parts;
    std::size_t sum = 0;
    for (std::size_t s = 0; s < m_views.size(); ++s) {
        const SpanHits *hits = hitsOf(s);
        if (!hits)
            continue;
        const auto span = m_views[s]->selectedSpan();
        sum += hits->total();
        const QString pane = s == 0 ? QStringLiteral("A") : QStringLiteral("B");
        parts.push_back(span && s == side() && hits->contains(*span)
                            ? tr("%1 of %2 in %3").arg(hits->before(*span) + 1).arg(hits->total()).arg(pane)
                            : tr("%1 in %2").arg(hits->total()).arg(pane));
    }
    m_bar.setCount(sum == 0 ? tr("No matching spans") : parts.join(QStringLiteral(" · ")));
}

void TimelineSearch::step(bool forward) {
    if (!isOn())
        return;
    if (!isUpToDate()) {
        m_step = forward;
        return;
    }
    const SpanHits *hits = hitsOf(side());
    if (!hits)
        return;
    TimelineView &view = *m_views[side()];
    std::optional<SpanRef> next;
    if (const auto selected = view.selectedSpan())
        next = hits->neighbour(selected, forward);
    else if (forward) // start in the visible stretch
        next = hits->firstFrom(static_cast<Nanoseconds>(view.axis().window().first + view.offset()) + view.data()->origin());
    if (!next)
        next = hits->neighbour({}, forward); // wrap around
    if (next)
        view.showSpan(*next);
}

void TimelineSearch::end() {
    m_finder.cancel();
    m_step.reset();
    m_found = {};
    for (TimelineView *view : m_views)
        view->setFound({});
    m_views[side()]->setFocus(Qt::ShortcutFocusReason);
}

} // namespace syncopate::ui
