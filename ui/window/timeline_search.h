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
    /// What was found, and in which runs.
    struct Found {
        Runs runs;
        std::shared_ptr<const Hits> hits;
    };
    void show(const Found &found);
    void showCount();
    void end();
    [[nodiscard]] bool isOn() const;
    /// What is shown answers what stands in the bar.
    [[nodiscard]] bool isUpToDate() const { return !m_finder.isPending(); }
    /// Of a pane that shows what was searched; null otherwise.
    [[nodiscard]] const SpanHits *hitsOf(std::size_t side) const;

    SearchBar &m_bar;
    const Session &m_session;
    std::array<TimelineView *, 2> m_views;
    Found m_found;
    std::optional<bool> m_step; ///< wanted before its answer was there: forward?
    std::size_t m_side = 0;
    Background<Found> m_finder{this, [this](const Found &found) { show(found); }}; ///< last: ends before what it tells goes
};

} // namespace syncopate::ui
