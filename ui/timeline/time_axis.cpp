// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/time_axis.h"

#include <algorithm>

namespace syncopate::ui {

namespace {
constexpr std::size_t mostPast = 200;
constexpr qint64 oneGestureMs = 500; ///< changes closer together are one step of the history
} // namespace

void TimeAxis::setBounds(double from, double to) { m_bounds = {std::min(from, to), std::max(from, to)}; }

void TimeAxis::remember() {
    if (!m_sinceChange.isValid() || m_sinceChange.elapsed() > oneGestureMs) {
        m_past.push_back(destination());
        if (m_past.size() > mostPast)
            m_past.erase(m_past.begin());
    }
    m_future.clear();
    m_sinceChange.start();
}

double TimeAxis::clampedSpan(double span) const {
    return std::clamp(span, minSpan, std::max(minSpan, (m_bounds.second - m_bounds.first) * 4));
}

TimeAxis::Range TimeAxis::within(double from, double to) const {
    const double width = clampedSpan(to - from);
    const double middle = std::clamp((from + to) / 2, m_bounds.first - width / 2, m_bounds.second + width / 2);
    return {middle - width / 2, middle + width / 2};
}

void TimeAxis::show(Range window) {
    if (window == m_window)
        return;
    m_window = window;
    Q_EMIT windowChanged();
}

void TimeAxis::setWindow(double from, double to) {
    remember();
    m_glide.stop();
    show(within(from, to));
}

void TimeAxis::moveStart(double time) {
    const double end = m_window.second;
    setWindow(end - clampedSpan(end - time), end);
}

void TimeAxis::moveEnd(double time) {
    const double start = m_window.first;
    setWindow(start, start + clampedSpan(time - start));
}

void TimeAxis::zoomAt(double time, double factor) {
    // At the limits the factor is clamped, not the window: the time under the cursor stays in place.
    const double width = span();
    factor = clampedSpan(width * factor) / width;
    setWindow(time - (time - m_window.first) * factor, time + (m_window.second - time) * factor);
}

void TimeAxis::pan(double nanoseconds) { setWindow(m_window.first + nanoseconds, m_window.second + nanoseconds); }

void TimeAxis::glideTo(double from, double to) {
    m_sinceChange.invalidate(); // starts a history step of its own
    remember();
    m_glide.start(m_window, within(from, to));
}

void TimeAxis::fit(double from, double to) {
    const double margin = std::max(minSpan / 4, (to - from) * 0.03);
    glideTo(from - margin, to + margin);
}

void TimeAxis::reveal(double from, double to) {
    const auto [first, last] = destination();
    const double wide = to - from, room = std::max(minSpan, wide * 2);
    // The closest window of a tiny stretch is still wide beside it. A nanosecond more is rounding.
    const bool isTooSmall = wide < (last - first) / 200 && last - first > clampedSpan(wide + 2 * room) + 1;
    if (wide > last - first || isTooSmall) {
        glideTo(from - room, to + room);
    } else if (from < first || to > last) {
        const double middle = (from + to) / 2, half = (last - first) / 2;
        glideTo(middle - half, middle + half);
    }
}

void TimeAxis::bringIn(double from, double to) {
    const auto [first, last] = destination();
    if (to >= first && from <= last)
        return;
    remember();
    const double middle = (from + to) / 2, half = (last - first) / 2;
    m_glide.start(m_window, within(middle - half, middle + half));
}

void TimeAxis::back() { step(m_past, m_future); }

void TimeAxis::forward() { step(m_future, m_past); }

void TimeAxis::step(std::vector<Range> &from, std::vector<Range> &to) {
    if (from.empty())
        return;
    to.push_back(destination());
    const Range range = from.back();
    from.pop_back();
    m_sinceChange.invalidate();
    m_glide.start(m_window, within(range.first, range.second));
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
    m_glide.stop();
    m_bounds = other.m_bounds;
    m_past = other.m_past;
    m_future = other.m_future;
    m_window = other.destination();
    m_cursor = other.m_cursor;
    m_selection = other.m_selection;
    Q_EMIT windowChanged();
    Q_EMIT cursorChanged();
    Q_EMIT selectionChanged();
}

} // namespace syncopate::ui
