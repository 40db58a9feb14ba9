// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/time_axis.h"

#include <algorithm>

namespace syncopate::ui {

namespace {
constexpr double narrowest = 2000; ///< ns: closer there is nothing left to see
constexpr std::size_t mostPast = 200;
constexpr qint64 oneGestureMs = 500; ///< changes closer to each other are one step of the history
} // namespace

void TimeAxis::setBounds(double from, double to) { m_bounds = {std::min(from, to), std::max(from, to)}; }

void TimeAxis::remember() {
    if (!m_sinceChange.isValid() || m_sinceChange.elapsed() > oneGestureMs) {
        m_past.push_back(m_window);
        if (m_past.size() > mostPast)
            m_past.erase(m_past.begin());
    }
    m_future.clear();
    m_sinceChange.start();
}

void TimeAxis::place(double from, double to) {
    const double widest = std::max(narrowest, (m_bounds.second - m_bounds.first) * 4);
    const double width = std::clamp(to - from, narrowest, widest);
    const double middle = std::clamp((from + to) / 2, m_bounds.first - width / 2, m_bounds.second + width / 2);
    const Range next{middle - width / 2, middle + width / 2};
    if (next == m_window)
        return;
    m_window = next;
    Q_EMIT windowChanged();
}

void TimeAxis::setWindow(double from, double to) {
    remember();
    place(from, to);
}

void TimeAxis::zoomAt(double time, double factor) {
    // At the limits the factor is cut, not the window: the time under the cursor stays there.
    const double width = span();
    factor = std::max(factor, narrowest / width);
    setWindow(time - (time - m_window.first) * factor, time + (m_window.second - time) * factor);
}

void TimeAxis::pan(double nanoseconds) { setWindow(m_window.first + nanoseconds, m_window.second + nanoseconds); }

void TimeAxis::fit(double from, double to) {
    m_sinceChange.invalidate(); // a step of its own
    const double margin = std::max(narrowest / 4, (to - from) * 0.03);
    setWindow(from - margin, to + margin);
}

void TimeAxis::reveal(double from, double to) {
    const double wide = to - from;
    if (wide > span() || wide < span() / 200) {
        m_sinceChange.invalidate();
        const double room = std::max(narrowest, wide * 2);
        setWindow(from - room, to + room);
    } else if (from < m_window.first || to > m_window.second) {
        m_sinceChange.invalidate();
        const double middle = (from + to) / 2, half = span() / 2;
        setWindow(middle - half, middle + half);
    }
}

void TimeAxis::back() {
    if (m_past.empty())
        return;
    m_future.push_back(m_window);
    const Range range = m_past.back();
    m_past.pop_back();
    m_sinceChange.invalidate();
    place(range.first, range.second);
}

void TimeAxis::forward() {
    if (m_future.empty())
        return;
    m_past.push_back(m_window);
    const Range range = m_future.back();
    m_future.pop_back();
    m_sinceChange.invalidate();
    place(range.first, range.second);
}

void TimeAxis::setCursor(std::optional<double> time) {
    if (time == m_cursor)
        return;
    m_cursor = time;
    Q_EMIT cursorChanged();
}

void TimeAxis::setSelection(std::optional<Range> range) {
    if (range && range->first > range->second)
        std::swap(range->first, range->second);
    if (range == m_selection)
        return;
    m_selection = range;
    Q_EMIT selectionChanged();
}

void TimeAxis::copyFrom(const TimeAxis &other) {
    m_bounds = other.m_bounds;
    m_past = other.m_past;
    m_future = other.m_future;
    m_window = other.m_window;
    m_selection = other.m_selection;
    Q_EMIT windowChanged();
    Q_EMIT selectionChanged();
}

} // namespace syncopate::ui
