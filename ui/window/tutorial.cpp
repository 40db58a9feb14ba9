// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/tutorial.h"

#include "ui/export/export_sheet.h"
#include "ui/help/tour.h"
#include "ui/session/sample.h"
#include "ui/theme/format.h"
#include "ui/why/why_panel.h"

#include <QDockWidget>
#include <QMainWindow>
#include <algorithm>
#include <memory>
#include <utility>

namespace syncopate::ui {

namespace {

/// The session when a step began, for the steps to compare with.
struct Remembered {
    SessionState state;
    TimeAxis::Range window;
    int undoIndex = 0;
};

double bandwidthOf(const SessionState &state) {
    if (!state.cluster || state.cluster->nodes.empty())
        return 0;
    return effectiveCluster(state, Side::A).nodes.front().bandwidthBytesPerSecond;
}

} // namespace

Tutorial::Tutorial(QMainWindow &window, const Theme &theme, Session &session, TimeAxis &axis, WhyPanel &why)
    : m_window(window), m_theme(theme), m_session(session), m_axis(axis), m_why(why) {
    connect(&session, &Session::loadStarted, this, [this] { m_loadsSample = m_beginsWhenSettled = false; });
    connect(&session, &Session::loaded, this, [this] { m_beginsWhenSettled = std::exchange(m_loadsSample, false); });
}

std::vector<TourStep> Tutorial::overlapTour() {
    const auto before = std::make_shared<Remembered>();
    const auto remember = [this, before] { *before = {m_session.state(), m_axis.window(), m_session.undoStack()->index()}; };
    const auto loaded = [this] { return m_session.state().job && m_session.run(Side::A); };
    std::vector<TourStep> steps;
    steps.push_back(
        {tr("Look closer"),
         tr("Two ways of keeping one model the same on all workers: <b>A</b> all-reduces gradients, <b>B</b> sends them to "
            "parameter servers. Cool colours compute, warm ones communicate; where warm lies under cool, communication is "
            "<i>overlapped</i> and costs nothing."
            "<p>Zoom in with <b>Ctrl+wheel</b> or <b>W</b>; <b>F</b> brings everything back.</p>"),
         remember, [this, before, loaded] { return loaded() && m_axis.window() != before->window; }});
    steps.push_back(
        {tr("Measure a stretch"),
         tr("<b>Drag</b> over a part of a timeline. The Inspector shows for A and B how long they compute there, how long they "
            "communicate, and how much of that is <i>exposed</i>: the compute stream waits for it."
            "<p><b>Esc</b> clears the selection.</p>"),
         remember, [this] { return m_axis.selection().has_value(); }});
    steps.push_back(
        {tr("Starve the network"),
         tr("Drag the <b>Bandwidth</b> knob to half of its value, or less. Communication grows until it no longer fits under the "
            "backward pass; from then on every millisecond of it makes the iteration longer. Compare which side suffers first."),
         remember,
         [this, before, loaded] { return loaded() && bandwidthOf(m_session.state()) <= 0.501 * bandwidthOf(before->state); }});
    steps.push_back({tr("Ask why"),
                     tr("<b>Click a hatched gap</b> in a compute lane: there the worker waits. The Why panel shows the chain of "
                        "causes, and remedies with the gain of each.<p>No gap in sight? Make the bandwidth smaller still.</p>"),
                     remember, [this] { return m_why.isSeen() && m_why.answer() && m_why.answer()->question.wait.has_value(); }});
    steps.push_back(
        {tr("Change what is sent, and when"),
         tr("Choose another <b>strategy or policy</b> for A or B in the Knobs, or try a remedy. <i>bytescheduler</i> cuts "
            "gradients into partitions and sends first what the next forward needs first: overlap with forward, too."),
         remember, [this, before] {
             const auto &sides = m_session.state().sides;
             return sides[0] != before->state.sides[0] || sides[1] != before->state.sides[1];
         }});
    steps.push_back(
        {tr("Go back"),
         tr("Nothing is lost: <b>Ctrl+Z</b> undoes one step, <b>Ctrl+Shift+Z</b> does it again. A whole drag is one step."),
         remember, [this, before] { return m_session.undoStack()->index() < before->undoIndex; }});
    steps.push_back({tr("Export the result"),
                     tr("<b>Ctrl+E</b> exports: the strategy for AutoDist, settings for Horovod, BytePS, ByteScheduler, DDP, "
                        "FSDP2, DeepSpeed, Megatron-LM and XLA, traces, tables, pictures, or a report with all assumptions."),
                     remember, [this] {
                         const auto sheets = m_window.findChildren<ExportSheet *>();
                         return std::any_of(sheets.begin(), sheets.end(),
                                            [](const ExportSheet *sheet) { return sheet->isVisible(); });
                     }});
    return steps;
}

QString Tutorial::figures() const {
    QStringList lines;
    for (const Side side : {Side::A, Side::B})
        if (const auto run = m_session.run(side))
            lines.push_back(tr("%1: iteration %2, overlap %3 %, exposed %4")
                                .arg(side == Side::A ? QStringLiteral("A") : QStringLiteral("B"),
                                     secondsText(run->recording().iterationSeconds))
                                .arg(100 * run->window().overlapRatio(), 0, 'f', 0)
                                .arg(secondsText(run->window().exposedSeconds)));
    return lines.join(QLatin1Char('\n'));
}

void Tutorial::makeDock() {
    auto *tour = new Tour(m_theme, overlapTour(), [this] { return figures(); });
    m_dock = new QDockWidget(tr("Tutorial"), &m_window);
    m_dock->hide();
    m_dock->setObjectName(QStringLiteral("tutorial"));
    m_dock->setWidget(tour);
    connect(m_dock, &QObject::destroyed, this, [this] { m_window.setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea); });
    connect(tour, &Tour::finished, m_dock, &QDockWidget::close);
    // In a fixed place every time: the saved layout only covers panels that exist when the window opens. Deferred, since a panel
    // that is floated or dragged off is briefly hidden, and must not be deleted during the drag.
    const auto goWhenClosed = [this, dock = m_dock.data()] {
        if (dock->isHidden() && m_session.state().job && !QWidget::mouseGrabber())
            dock->deleteLater();
    };
    connect(m_dock, &QDockWidget::visibilityChanged, m_dock, goWhenClosed, Qt::QueuedConnection);
}

void Tutorial::start() {
    if (!m_dock)
        makeDock();
    if (m_session.state().source != sampleSource() || m_session.isLoading() || m_session.error(Side::B)) {
        m_session.openSample();
        m_loadsSample = true; // after the signal that a load has begun
        return;
    }
    m_beginsWhenSettled = true;
    settle();
}

void Tutorial::settle() {
    if (m_session.isLoading() || m_session.isStale()) // a run of what was open before
        return;
    SessionState next = m_session.state();
    const bool isWanted = std::exchange(m_beginsWhenSettled, false) && m_dock;
    if (!isWanted || next.source != sampleSource()) // Undo may have brought something else back meanwhile
        return;
    if (next.compare) {
        begin();
        return;
    }
    // The steps are about both sides; the sample was opened with B hidden, or B was hidden again meanwhile.
    m_beginsWhenSettled = true;
    next.compare = true;
    m_session.change(std::move(next), tr("Compare A and B"));
}

void Tutorial::begin() {
    // Not earlier: with the first job the panels' layout is restored, which does not know this dock. A low window has no room for
    // it above the bottom panels, so they give up the corner while it is there.
    m_window.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    m_window.addDockWidget(Qt::RightDockWidgetArea, m_dock);
    m_dock->show();
    m_dock->raise();
    static_cast<Tour *>(m_dock->widget())->start();
}

} // namespace syncopate::ui
