// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/time_glide.h"

#include <QElapsedTimer>
#include <QObject>
#include <optional>
#include <utility>
#include <vector>

namespace syncopate::ui {

/// The visible stretch of time, the cursor and the selection; shared by all views that are locked in time. Nanoseconds relative
/// to the iteration's start.
///
/// Changes by command (fit(), reveal(), bringIn(), back(), forward()) glide if animations are enabled; direct manipulation
/// (setWindow(), zoomAt(), pan()) takes effect at once and ends a glide.
class TimeAxis final : public QObject {
    Q_OBJECT
public:
    using Range = std::pair<double, double>;
    static constexpr double minSpan = 2000; ///< ns: the closest zoom; below it there is nothing left to see

    explicit TimeAxis(QObject *parent = nullptr) : QObject(parent) {}

    [[nodiscard]] Range window() const { return m_window; }
    /// Where the window is gliding to; the window itself if it is at rest.
    [[nodiscard]] Range destination() const { return m_glide.isRunning() ? m_glide.target() : m_window; }
    /// The animation between windows.
    [[nodiscard]] TimeGlide &glide() { return m_glide; }
    [[nodiscard]] double span() const { return m_window.second - m_window.first; }
    [[nodiscard]] std::optional<double> cursor() const { return m_cursor; }
    [[nodiscard]] std::optional<Range> selection() const { return m_selection; }

    /// The limits of fit() and of zooming out: a bit more than the content.
    void setBounds(double from, double to);
    [[nodiscard]] Range bounds() const { return m_bounds; }

    void setWindow(double from, double to);
    /// Moves one edge of the window; the other one stays, at least minSpan away.
    void moveStart(double time);
    void moveEnd(double time);
    void zoomAt(double time, double factor); ///< factor < 1 zooms in; `time` stays in place
    void pan(double nanoseconds);
    /// Shows [from, to] with a margin.
    void fit(double from, double to);
    /// Makes [from, to) visible: scrolls only if it is outside, zooms only if it is too small or too large.
    void reveal(double from, double to);
    /// Centres [from, to) if it is outside; never zooms.
    void bringIn(double from, double to);
    void back();
    void forward();

    void setCursor(std::optional<double> time);
    void setSelection(std::optional<Range> range);
    /// Copies everything from `other`, before a view changes from one axis to another.
    void copyFrom(const TimeAxis &other);

Q_SIGNALS:
    void windowChanged();
    void cursorChanged();
    void selectionChanged();

private:
    void remember();
    [[nodiscard]] double clampedSpan(double span) const;
    [[nodiscard]] Range within(double from, double to) const; ///< clamped to the bounds
    void show(Range window);
    void glideTo(double from, double to); ///< as a history step of its own
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
