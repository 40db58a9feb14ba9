// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timeline/span_hits.h"
#include "ui/session/session.h"
#include "ui/tasks/background.h"

#include <QObject>
#include <array>
#include <memory>
#include <optional>

namespace syncopate::ui {

class SearchBar;
class TimelineView;

/// Carries a search from the bar to both panes: highlights hits in A and B, counts them, and steps through those of the pane that
/// had focus last. New runs are searched again, so the marks stay while knobs move. Spans are searched on a thread; results for
/// an earlier text or for runs that have been replaced are dropped.
class TimelineSearch final : public QObject {
    Q_OBJECT
public:
    TimelineSearch(SearchBar &bar, const Session &session, const std::array<TimelineView *, 2> &views, QObject *parent = nullptr);

    /// Shows the bar; the search steps through `side`.
    void open(Side side);
    /// Goes to the next or previous hit; while spans are still being searched, as soon as they have been.
    void step(bool forward);

private:
    using Runs = std::array<std::shared_ptr<const ShownRun>, 2>;
    using Hits = std::array<SpanHits, 2>;
    void refresh();
    /// The hits, and the runs that were searched.
    struct Found {
        Runs runs;
        std::shared_ptr<const Hits> hits;
    };
    void show(const Found &found);
    void showCount();
    void end();
    [[nodiscard]] bool isOn() const;
    /// The pane that is stepped through: A's while B's is hidden.
    [[nodiscard]] std::size_t side() const { return m_session.state().compare ? m_side : 0; }
    /// The hits shown belong to the text in the bar.
    [[nodiscard]] bool isUpToDate() const { return !m_finder.isPending(); }
    /// The hits of a pane that still shows the run that was searched; null otherwise.
    [[nodiscard]] const SpanHits *hitsOf(std::size_t side) const;

    SearchBar &m_bar;
    const Session &m_session;
    std::array<TimelineView *, 2> m_views;
    Found m_found;
    std::optional<bool> m_step; ///< a step requested before the results arrived: forward?
    std::size_t m_side = 0;     ///< the pane that had focus last, or the search was opened for
    Background<Found> m_finder{this, [this](const Found &found) { show(found); }}; ///< last: ends before what it reports to
};

} // namespace syncopate::ui
