// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/help/tour.h"
#include "ui/session/session.h"
#include "ui/timeline/time_axis.h"

#include <QDockWidget>
#include <QObject>
#include <QPointer>
#include <vector>

class QMainWindow;

namespace syncopate::ui {

class Theme;
class WhyPanel;

/// The tutorial: overlap in two minutes, on the bundled sample, in a dock that is deleted when closed.
class Tutorial final : public QObject {
    Q_OBJECT
public:
    Tutorial(QMainWindow &window, const Theme &theme, Session &session, TimeAxis &axis, WhyPanel &why);

    /// Opens the sample unless it is shown already, and begins once both of its sides are there.
    void start();
    /// Begins if that is awaited and all runs of the present state are shown; shows B first if it is hidden. To be called from
    /// the event loop, not from the session's signals: it may change the state, which an undo step being undone does not allow.
    void settle();

private:
    [[nodiscard]] std::vector<TourStep> overlapTour();
    [[nodiscard]] QString figures() const;
    void makeDock();
    void begin();

    QMainWindow &m_window;
    const Theme &m_theme;
    Session &m_session;
    TimeAxis &m_axis;
    WhyPanel &m_why;
    QPointer<QDockWidget> m_dock;
    /// The newest load is its own and has not delivered the sample: it goes on, failed or was cancelled.
    bool m_loadsSample = false;
    bool m_beginsWhenSettled = false; ///< the sample is there, and is being simulated
};

} // namespace syncopate::ui
