// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timeline/span_hits.h"
#include "ui/session/session.h"
#include "ui/tasks/latest_worker.h"

#include <QObject>
#include <array>
#include <memory>
#include <optional>

namespace syncopate::ui {

class SearchBar;
class TimelineView;

/// Carries a search from the bar to both panes: lights what is found in A and B, counts it, and walks through that of the
/// pane that had the focus last. New runs are searched again, so the marks stay while knobs move. Spans are looked at on a
/// thread; an answer to another text or to runs that are gone is dropped.
class TimelineSearch final : public QObject {
    Q_OBJECT
public:
    TimelineSearch(SearchBar &bar, const Session &session, const std::array<TimelineView *, 2> &views, QObject *parent = nullptr);

    /// Shows the bar; the search walks through `side`.
    void open(Side side);
    /// Where spans are still looked at, as soon as they have been.
    void step(bool forward);

private:
    using Runs = std::array<std::shared_ptr<const ShownRun>, 2>;
    using Hits = std::array<SpanHits, 2>;
    void refresh();
    void show(std::uint64_t asked, const Runs &runs, const std::shared_ptr<const Hits> &hits);
    void showCount();
    void end();
    [[nodiscard]] bool isOn() const;
    /// What is shown answers what stands in the bar.
    [[nodiscard]] bool isUpToDate() const { return m_shown == m_asked; }
    /// Of a pane that shows what was searched; null otherwise.
    [[nodiscard]] const SpanHits *hitsOf(std::size_t side) const;

    SearchBar &m_bar;
    const Session &m_session;
    std::array<TimelineView *, 2> m_views;
    Runs m_runs; ///< that m_hits are of
    std::shared_ptr<const Hits> m_hits;
    std::uint64_t m_asked = 0, m_shown = 0;
    std::optional<bool> m_step; ///< wanted before its answer was there: forward?
    std::size_t m_side = 0;
    LatestWorker m_worker{std::chrono::milliseconds(0)}; ///< last: ends before what it reports to goes
};

} // namespace syncopate::ui
