// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/panes.h"

#include "engine/job/batch.h"
#include "ui/theme/format.h"
#include "ui/theme/rate_unit.h"
#include "ui/theme/sentences.h"
#include "ui/theme/theme.h"
#include "ui/timeline/difference_strip.h"
#include "ui/timeline/overview_strip.h"
#include "ui/timeline/search_bar.h"
#include "ui/timeline/timeline_view.h"
#include "ui/timeline/wait_chip.h"
#include "ui/window/pane_lights.h"
#include "ui/window/pane_swap.h"
#include "ui/window/readout.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <utility>

namespace syncopate::ui {

namespace {

/// An undo step for a note that the user wrote, changed or removed. If the notes have changed sides since, that swap is a step of
/// its own, undone before this one.
class NotesCommand final : public QUndoCommand {
public:
    /// For a change that is already done.
    NotesCommand(Notes &notes, std::vector<Note> before, const QString &what)
        : QUndoCommand(what), m_notes(notes), m_before(std::move(before)), m_after(notes.notes()) {}
    void undo() override { m_notes.setNotes(m_before); }
    void redo() override { m_notes.setNotes(m_after); }

private:
    Notes &m_notes;
    std::vector<Note> m_before, m_after;
};

} // namespace

Panes::Panes(const Theme &theme, Session &session)
    : m_session(session), m_widget(new QWidget), m_readout(new Readout(theme, session, m_axis)),
      m_overview(new OverviewStrip(theme, m_axis)), m_searchBar(new SearchBar), m_splitter(new QSplitter(Qt::Vertical)),
      m_difference(new DifferenceStrip(theme, m_axis)) {
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(5);
    for (const Side side : {Side::A, Side::B})
        makeView(theme, side);
    TimelineView::stack(*m_views[0], *m_views[1]);
    m_lights = new PaneLights(session, m_views, this);
    auto *column = new QVBoxLayout(m_widget);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_readout);
    column->addWidget(m_overview);
    column->addWidget(m_searchBar);
    column->addWidget(m_splitter, 1);
    column->addWidget(m_difference);
    m_views[0]->installEventFilter(this);
    m_splitter->installEventFilter(this);
    m_widget->installEventFilter(this);
    for (const Side side : {Side::A, Side::B})
        connect(&session, &Session::staleChanged, this, [this, side] { showWait(side); });
    connect(m_splitter, &QSplitter::splitterMoved, this, [this] { m_sizedByUser = true; });
    connect(&m_notes, &Notes::changed, this, &Panes::changed);
    connect(&m_notes, &Notes::edited, this, [this](const std::vector<Note> &before, const QString &what) {
        m_session.undoStack()->push(new NotesCommand(m_notes, before, what));
    });
    for (TimeAxis *axis : {&m_axis, &m_axisB})
        connect(axis, &TimeAxis::windowChanged, this, &Panes::changed);
}

void Panes::makeView(const Theme &theme, Side side) {
    auto *pane = new TimelineView(theme, m_axis, side == Side::A ? QStringLiteral("A") : QStringLiteral("B"));
    m_views[indexOf(side)] = pane;
    m_splitter->addWidget(pane);
    pane->setNotes(&m_notes, static_cast<std::uint8_t>(indexOf(side)));
    connect(pane, &TimelineView::spanSelected, this, [this, side] { showSelectedSpan(side); });
    connect(pane, &TimelineView::gapClicked, this, [this, side](std::int32_t worker, double nanoseconds) {
        if (const auto run = m_session.run(side))
            Q_EMIT waitClicked(side, worker, run->recording().windowStartSeconds + nanoseconds * 1e-9);
    });
    connect(&pane->waitChip().button(), &QPushButton::clicked, this, [this, side] {
        if (m_session.isStale(side))
            m_session.cancelSimulation(side);
        else
            m_session.simulateAgain(side);
    });
    connect(pane, &TimelineView::copyWanted, this, &Panes::copyReadout);
    connect(pane, &TimelineView::focused, this, [this, side] { m_active = side; });
    connect(pane, &TimelineView::namesChanged, this, &Panes::alignStrips);
    connect(pane, &TimelineView::arrangementChanged, this, &Panes::changed);
    connect(pane, &TimelineView::arrangementChanged, this, [this, side] {
        showOverviewLanes(side);
        sizePanes();
    });
}

QList<QWidget *> Panes::pieces() const {
    QList<QWidget *> pieces;
    for (const QWidget *parent : {m_widget, static_cast<QWidget *>(m_splitter)})
        for (QWidget *child : parent->findChildren<QWidget *>(QString(), Qt::FindDirectChildrenOnly))
            if (child != m_splitter && child->isVisibleTo(m_widget))
                pieces.push_back(child);
    return pieces;
}

void Panes::zoom(double factor) {
    TimeAxis &axis = activeView().axis();
    const auto [from, to] = axis.window();
    axis.zoomAt(axis.cursor().value_or((from + to) / 2), factor);
}

void Panes::copyReadout() const { QApplication::clipboard()->setText(m_readout->plainText()); }

void Panes::setLocked(bool locked) {
    if (locked == m_locked)
        return;
    m_locked = locked;
    if (!locked)
        m_axisB.copyFrom(m_axis);
    m_views[1]->setAxis(locked ? m_axis : m_axisB);
    showAlignment();
    Q_EMIT lockedChanged(locked);
}

void Panes::setAlignment(Alignment alignment) {
    m_alignment = alignment;
    showAlignment();
}

void Panes::showAlignment() {
    const TimelineData *a = m_views[0]->data(), *b = m_views[1]->data();
    const double offset = a && b && m_locked ? alignmentOffset(*a, *b, m_alignment) : 0;
    m_views[1]->setOffset(offset);
    m_overview->setOffset(offset);
    m_difference->setOffset(offset);
    m_readout->setOffset(offset);
    Q_EMIT offsetChanged(offset);
}

void Panes::setTimelinesShown(bool shown) {
    m_timelinesShown = shown;
    m_splitter->setVisible(shown);
    showState();
}

void Panes::showStrips() {
    constexpr int roomy = 300; // for the readout, both strips, and two panes with a ruler and a lane or two
    const bool compare = m_session.state().compare;
    const bool isRoom = !compare || m_widget->height() >= roomy;
    m_overview->setVisible(m_timelinesShown && isRoom);
    m_difference->setVisible(m_timelinesShown && compare && isRoom);
}

void Panes::showState() {
    const bool compare = m_session.state().compare;
    m_views[1]->setVisible(compare);
    showStrips();
    for (const Side side : {Side::A, Side::B})
        showSide(side);
}

void Panes::showSide(Side side) {
    const SideState &asked = m_session.state().side(side);
    const auto run = m_session.run(side);
    QStringList detail;
    if (asked.hasScenario())
        detail.push_back(QString::fromStdString(asked.policy));
    if (run)
        detail += secondsText(run->recording().iterationSeconds);
    if (const double rate = run ? run->recording().samplesPerSecond : 0; rate > 0) // a DAG file states no workers' steps
        detail += QStringLiteral("%1 %2").arg(rate < 1 ? figureText(rate) : QString::number(rate, 'f', rate < 100 ? 1 : 0),
                                              rateUnitText(statesBatch(*run->recording().job)));
    if (run && run->plan())
        detail += tr("compute idle %1 %").arg(100 * run->plan()->computeIdleRatio, 0, 'f', 1);
    m_views[indexOf(side)]->setTitle(QString::fromStdString(strategyTitle(asked)), detail.join(QStringLiteral("  ·  ")));
}

void Panes::followSides() {
    const auto &sides = m_session.state().sides;
    // Another job begins with its own sides, which may be those before in the other order; its notes are on their sides.
    const bool isSameJob = std::exchange(m_knownSource, m_session.state().source) == m_session.state().source;
    if (isSameJob && sides[0] != sides[1] && sides[0] == m_knownSides[1] && sides[1] == m_knownSides[0]) {
        PaneSwap::play(*m_views[0], *m_views[1]);
        m_notes.swapSides();
        LaneArrangement a = m_views[0]->arrangement();
        m_views[0]->setArrangement(m_views[1]->arrangement());
        m_views[1]->setArrangement(std::move(a));
        if (m_sizedByUser) {
            QList<int> sizes = m_splitter->sizes();
            std::reverse(sizes.begin(), sizes.end());
            m_splitter->setSizes(sizes);
        }
    }
    m_knownSides = sides;
}

void Panes::showRuns() {
    std::array<std::shared_ptr<const TimelineData>, 2> data;
    for (const Side side : {Side::A, Side::B}) {
        const std::size_t s = indexOf(side);
        const auto run = m_session.run(side);
        // The timeline lives as long as the run that it is part of.
        if (run)
            data[s] = {run, &run->timeline()};
        const auto &error = m_session.error(side);
        m_views[s]->setData(data[s], !error ? tr("Simulating…")
                                     : error->isCancelled()
                                         ? tr("The simulation was cancelled.")
                                         : tr("Cannot be simulated: %1").arg(QString::fromStdString(error->toString())));
        showSide(side);
        showWait(side);
        showOverviewLanes(side);
    }
    m_overview->setData(data[0], data[1]);
    m_difference->setData(data[0], data[1],
                          said(whyNotComparable(Quantity::Device, m_session.run(Side::A).get(), m_session.run(Side::B).get())));
    showAlignment();
    sizePanes();
}

void Panes::showWait(Side side) {
    constexpr double worthCancelling = 0.3; // seconds
    TimelineView &pane = view(side);
    pane.setStale(m_session.isMarkedStale(side));
    const std::array stale{m_session.isMarkedStale(Side::A), m_session.isMarkedStale(Side::B)};
    m_overview->setStale(stale);
    m_difference->setStale(stale[0] || stale[1]);
    const double waited = m_session.waitedSeconds(side);
    const auto &error = m_session.error(side);
    if (waited >= worthCancelling)
        pane.waitChip().tell(tr("Simulating, %1 s").arg(waited, 0, 'f', waited < 10 ? 1 : 0), tr("Cancel"),
                             tr("End the simulation of this side; the other side goes on"));
    else if (waited == 0 && error && error->isCancelled())
        pane.waitChip().tell(tr("Cancelled"), tr("Simulate"), tr("Simulate this side again"));
    else
        pane.waitChip().tell({}, {}, {});
}

void Panes::sizePanes() {
    const int a = m_views[0]->fullHeight(), b = m_views[1]->fullHeight(), room = m_splitter->height();
    const std::array sizedFor{a, b, room};
    if (m_sizedByUser || sizedFor == m_sizedFor || !m_session.state().compare)
        return;
    m_sizedFor = sizedFor;
    // A pane that needs less than half of the room gets its full height; the splitter distributes the rest.
    m_splitter->setSizes({std::min(a, std::max(room / 2, room - b)), std::min(b, std::max(room / 2, room - a))});
}

bool Panes::fitNewRuns() {
    double iteration = 0;
    std::array<bool, 2> there{};
    for (const Side side : {Side::A, Side::B})
        if (const auto run = m_session.run(side); run && !m_session.isStale(side)) {
            there[indexOf(side)] = true;
            iteration = std::max(iteration, static_cast<double>(run->timeline().iteration()));
        }
    if (iteration <= 0)
        return false;
    for (TimeAxis *axis : {&m_axis, &m_axisB})
        axis->setBounds(0, iteration);
    const SessionState &state = m_session.state();
    const bool isKnown = m_fittedJob == state.job && m_fittedCluster == state.cluster;
    // The second side of a new job, shown later, may be longer than the first.
    const bool isLater =
        isKnown && m_fitted == m_axis.window() && ((there[0] && !m_fittedSides[0]) || (there[1] && !m_fittedSides[1]));
    if (isKnown && !isLater)
        return true;
    for (const std::size_t s : {std::size_t{0}, std::size_t{1}})
        m_fittedSides[s] = there[s] || (isKnown && m_fittedSides[s]);
    if (m_fittedJob != state.job) // lanes may have the same names as those of the previous job
        for (TimelineView *pane : m_views)
            if (pane->selectedSpan())
                pane->selectSpan({});
    m_fittedJob = state.job;
    m_fittedCluster = state.cluster;
    for (TimeAxis *axis : {&m_axis, &m_axisB}) {
        if (!isLater) // the selection was made in the side that is already there
            axis->setSelection({});
        axis->fit(0, iteration);
        axis->glide().finish(); // new content appears in place, without gliding
    }
    m_fitted = m_axis.window();
    if (!isLater) {
        m_sizedByUser = false;
        m_sizedFor = {};
        sizePanes();
    }
    return true;
}

void Panes::alignStrips() {
    const QRect plot = m_views[0]->plotRect();
    m_difference->setPlotRange(plot.left(), plot.right() + 1);
}

void Panes::showOverviewLanes(Side side) {
    const TimelineView &pane = view(side);
    std::vector<std::size_t> lanes, strips;
    for (const LaneLayout::Row &row : pane.layout().rows()) { // pinned rows first
        const bool isWanted = pane.isPinned(row.lane) || pane.data()->lane(row.lane).worker == 0;
        if (!isWanted || lanes.size() == OverviewStrip::maxLanes)
            continue;
        lanes.push_back(row.lane);
        if (row.isStrip())
            strips.push_back(row.lane);
    }
    m_overview->setLanes(indexOf(side), std::move(lanes), std::move(strips));
}

void Panes::setLitVariable(std::int32_t variable) { m_lights->setVariable(variable); }

void Panes::showSelectedSpan(Side side) {
    const TimelineView &pane = view(side);
    const auto span = pane.selectedSpan();
    Q_EMIT spanSelected(span ? pane.describe(*span) : QString());
    m_lights->refresh(side);
}

void Panes::showNote(std::size_t number) {
    if (number >= m_notes.notes().size())
        return;
    const Note &note = m_notes.notes()[number];
    TimelineView &pane = *m_views[note.side];
    TimeAxis &axis = pane.axis();
    axis.reveal(note.fromNanoseconds - pane.offset(),
                std::max(note.toNanoseconds, note.fromNanoseconds + axis.span() / 100) - pane.offset());
    axis.setCursor(note.fromNanoseconds - pane.offset());
}

void Panes::showStretch(Side side, double fromSeconds, double toSeconds, TaskId task) {
    const auto run = m_session.run(side);
    if (!run)
        return;
    TimelineView &pane = view(side);
    const double origin = run->recording().windowStartSeconds;
    const double from = (fromSeconds - origin) * 1e9 - pane.offset(), to = (toSeconds - origin) * 1e9 - pane.offset();
    pane.selectSpan(pane.spanOfTask(task.number()));
    pane.axis().setSelection(TimeAxis::Range(from, to));
    pane.axis().reveal(from, to);
}

bool Panes::eventFilter(QObject *watched, QEvent *event) {
    if (watched == m_views[0] && event->type() == QEvent::Resize)
        QMetaObject::invokeMethod(this, &Panes::alignStrips, Qt::QueuedConnection);
    if (watched == m_splitter && event->type() == QEvent::Resize)
        QMetaObject::invokeMethod(this, &Panes::sizePanes, Qt::QueuedConnection);
    if (watched == m_widget && event->type() == QEvent::Resize)
        QMetaObject::invokeMethod(this, &Panes::showStrips, Qt::QueuedConnection);
    return QObject::eventFilter(watched, event);
}

} // namespace syncopate::ui
