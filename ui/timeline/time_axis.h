// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/time_glide.h"

#include <QElapsedTimer>
#include <QObject>
#include <optional>
#include <utility>
#include <vector>

namespace syncopate::ui {

/// The stretch of time that views show, the cursor and the selection; shared by all views that are locked in time.
/// Nanoseconds relative to the iteration's start.
///
/// What goes to another place by a command (fit(), reveal(), bringIn(), back(), forward()) glides there, where movements are
/// wanted; what a hand moves (setWindow(), zoomAt(), pan()) is there at once, and ends what glides.
class TimeAxis final : public QObject {
    Q_OBJECT
public:
    using Range = std::pair<double, double>;

    explicit TimeAxis(QObject *parent = nullptr) : QObject(parent) {}

    [[nodiscard]] Range window() const { return m_window; }
    /// Where the window glides to; the window itself where it rests.
    [[nodiscard]] Range destination() const { return m_glide.isRunning() ? m_glide.target() : m_window; }
    /// How it goes there.
    [[nodiscard]] TimeGlide &glide() { return m_glide; }
    [[nodiscard]] double span() const { return m_window.second - m_window.first; }
    [[nodiscard]] std::optional<double> cursor() const { return m_cursor; }
    [[nodiscard]] std::optional<Range> selection() const { return m_selection; }

    /// What fit() and zooming out are held to: a bit more than there is to see.
    void setBounds(double from, double to);
    [[nodiscard]] Range bounds() const { return m_bounds; }

    void setWindow(double from, double to);
    void zoomAt(double time, double factor); ///< factor < 1 zooms in; `time` keeps its place
    void pan(double nanoseconds);
    /// Shows [from, to] with a margin.
    void fit(double from, double to);
    /// Makes sure that [from, to) can be seen: moves only where it lies outside, zooms only where it is too small or too big.
    void reveal(double from, double to);
    /// Brings [from, to) into the middle where it lies outside; zooms never.
    void bringIn(double from, double to);
    void back();
    void forward();
    [[nodiscard]] bool canGoBack() const { return !m_past.empty(); }
    [[nodiscard]] bool canGoForward() const { return !m_future.empty(); }

    void setCursor(std::optional<double> time);
    void setSelection(std::optional<Range> range);
    /// Everything as in `other`: before a view changes from one axis to the other.
    void copyFrom(const TimeAxis &other);

Q_SIGNALS:
    void windowChanged();
    void cursorChanged();
    void selectionChanged();

private:
    void remember();
    [[nodiscard]] Range within(double from, double to) const; ///< as near as the bounds allow
    void show(Range window);
    void glideTo(double from, double to); ///< as a step of the history of its own
    void step(std::vector<Range> &from, std::vector<Range> &to);

    Range m_window{0, 1e9};
    Range m_bounds{0, 1e9};
    std::optional<double> m_cursor;
    std::optional<Range> m_selection;
    std::vector<Range> m_past, m_future;
    QElapsedTimer m_sinceChange;
    TimeGlide m_glide{[this](Range window) { show(window); }};
};

} // namespace syncopate::ui
