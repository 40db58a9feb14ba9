// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/session.h"

#include <QObject>
#include <array>
#include <vector>

namespace syncopate::ui {

class SearchBar;
class TimelineView;

/// Carries a search from the bar to both panes: lights what is found in A and B, counts it, and walks through that of the
/// pane that had the focus last. New runs are searched again, so the marks stay while knobs move.
class TimelineSearch final : public QObject {
    Q_OBJECT
public:
    TimelineSearch(SearchBar &bar, const Session &session, const std::array<TimelineView *, 2> &views, QObject *parent = nullptr);

    /// Shows the bar; the search walks through `side`.
    void open(Side side);
    void step(bool forward);

private:
    void refresh();
    void showCount();
    void end();
    [[nodiscard]] bool isOn() const;

    SearchBar &m_bar;
    const Session &m_session;
    std::array<TimelineView *, 2> m_views;
    std::array<std::vector<std::uint8_t>, 2> m_wanted; ///< by label
    std::size_t m_side = 0;
};

} // namespace syncopate::ui
