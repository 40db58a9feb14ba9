// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/sweep_preset.h"

#include "engine/job/batch.h"
#include "engine/session/dag_job.h"
#include "engine/session/planned_work.h"
#include "ui/knobs/knob_bindings.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/rate_unit.h"
#include "ui/theme/theme.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QStandardItemModel>
#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace syncopate::ui {

namespace {

/// Whether the planner makes the same plan of both.
bool isPlannedAlike(const Source &a, const Source &b) {
    const auto *const one = std::get_if<Planned>(&a), *const other = std::get_if<Planned>(&b);
    if (!one || !other)
        return false;
    const PlannedWork &work = *one->work, &another = *other->work;
    return one->work == other->work ||
           (textOf(a) == textOf(b) && work.onCluster && another.onCluster && work.clusterCosts == another.clusterCosts &&
            (work.clusterCosts ||
             (work.costs.curves == another.costs.curves && work.costs.slowdowns == another.costs.slowdowns)));
}

/// Whether a sweep from `swept` shows `present`, apart from the swept knobs, which are alike in both.
bool isSweptAlike(SessionState swept, const SessionState &present, Side side) {
    if (showsDag(present) && isPlannedAlike(swept.side(side).source, present.side(side).source))
        swept.side(side).source = present.side(side).source;
    return swept.sameScenario(present, side);
}

RunsTable::Words pointsWords() {
    const auto tr = [](const char *text) { return SweepPreset::tr(text); };
    return {.name = tr("Points of the sweep"),
            .toolTip = tr("Points that the sweep simulated. Enter: set the knobs to a point, P: pin, Ctrl+C: copy rows."),
            .filterName = tr("Filter points"),
            .filterExample = tr("Filter, such as iteration<50ms"),
            .keys = tr("Enter: set the knobs   P: pin"),
            .rows = [](int rows) { return SweepPreset::tr("%n points", nullptr, rows); },
            .sortColumn = 1};
}

RunPreset::Names sweepNames() {
    const auto tr = [](const char *text) { return SweepPreset::tr(text); };
    return {.id = QStringLiteral("sweep"),
            .name = tr("Sweep"),
            .toolTip = tr("Turns one or two knobs from one end of their range to the other"),
            .stateName = tr("State of the sweep"),
            .resume = tr("Again"),
            .resumeToolTip = tr("Sweep from the start.")};
}

} // namespace

SweepPreset::SweepPreset(const Theme &theme, Session &session, QObject *parent)
    : RunPreset(sweepNames(), parent), m_session(session), m_x(new QComboBox), m_y(new QComboBox), m_measure(new QComboBox),
      m_side(new QComboBox), m_xRange(new QLineEdit), m_yRange(new QLineEdit), m_model(new SweepModel),
      m_plot(new SweepPlot(theme, session, *m_model)) {
    setParts({.sheet = makeControls(), .plot = m_plot, .table = new RunsTable(theme, m_model, pointsWords())});
    m_pause.setSingleShot(true);
    m_pause.setInterval(120);
    connect(&m_pause, &QTimer::timeout, this, &SweepPreset::start);
    m_planningLong.setSingleShot(true);
    m_planningLong.setInterval(300);
    connect(&m_planningLong, &QTimer::timeout, this, &SweepPreset::refreshState);
    connect(&session, &Session::stateChanged, this, &SweepPreset::stateChanged);
    for (const auto signal : {&Session::runsChanged, &Session::staleChanged}) // the dots are the runs'
        connect(&session, signal, m_plot, &SweepPlot::refreshMarks);
    connect(&m_sweeper, &Sweeper::progressed, this, &SweepPreset::take);
    connect(m_plot, &SweepPlot::picked, this, &SweepPreset::turnKnobs);
    connect(&table(), &RunsTable::wanted, this,
            [this](qint64 point) { turnKnobs(m_model->xOf(point), m_model->yOf(point).value_or(0)); });
    refresh();
}

QWidget *SweepPreset::makeControls() {
    auto *controls = new QWidget;
    controls->setMinimumWidth(240);
    auto *form = new QFormLayout(controls);
    form->setContentsMargins(0, 0, 8, 0);
    form->setVerticalSpacing(4);
    m_y->addItem(tr("none (a curve)"), -1);
    offerKnobs();
    m_measure->addItems({tr("iteration"), rateUnitText(true)});
    m_side->addItems({tr("A"), tr("B"), tr("B − A")});
    m_x->setAccessibleName(tr("Swept knob"));
    m_y->setAccessibleName(tr("Second swept knob"));
    m_measure->setAccessibleName(tr("Plotted quantity"));
    m_side->setAccessibleName(tr("Side of the heat map"));
    m_x->setToolTip(tr("The knob that is turned from one end of its range to the other; the present setting is marked"));
    m_y->setToolTip(tr("A second knob makes a map of all pairs of settings"));
    m_measure->setToolTip(
        tr("Time of a steady iteration in seconds, or samples of all workers per second (steps, where the batch is not known)"));
    form->addRow(tr("Sweep"), m_x);
    form->addRow(tr("range"), m_xRange);
    form->addRow(tr("against"), m_y);
    form->addRow(tr("range"), m_yRange);
    m_xRange->setAccessibleName(tr("Range of the swept knob"));
    m_yRange->setAccessibleName(tr("Range of the second swept knob"));
    for (QLineEdit *range : {m_xRange, m_yRange}) {
        range->setToolTip(
            tr("From..to, such as 1..40; with :21 in 21 steps, with :21:log by equal factors. Empty: all of the knob"));
        range->setClearButtonEnabled(true);
        connect(range, &QLineEdit::editingFinished, this, [this, range] {
            if (range == m_yRange && !secondBinding()) // disabling the field ended its editing
                return;
            const auto asked = axisOf(range == m_xRange ? *m_x : *m_y, *range);
            if (asked && sweep() && (range == m_xRange ? sweep()->x == *asked : sweep()->y == *asked))
                return;
            m_model->setSweep(nullptr);
            refresh();
            start();
        });
    }
    auto *shown = new QHBoxLayout;
    shown->addWidget(m_measure, 1);
    shown->addWidget(m_side);
    form->addRow(tr("show"), shown);
    for (QComboBox *box : {m_x, m_y})
        connect(box, &QComboBox::currentIndexChanged, this, [this, box] {
            (box == m_x ? m_xRange : m_yRange)->clear(); // the range was another knob's
            offerOthers();
            m_model->setSweep(nullptr);
            refresh();
            start();
        });
    offerOthers();
    for (QComboBox *box : {m_measure, m_side})
        connect(box, &QComboBox::currentIndexChanged, this, &SweepPreset::refresh);
    return controls;
}

std::size_t SweepPreset::bindingOf(const QComboBox &box) const { return static_cast<std::size_t>(box.currentData().toInt()); }

std::optional<std::size_t> SweepPreset::secondBinding() const {
    const int binding = m_y->currentData().toInt();
    return binding >= 0 ? std::optional(static_cast<std::size_t>(binding)) : std::nullopt;
}

void SweepPreset::sweepKnob(const QString &id) {
    const std::vector<KnobBinding> knobs = knobBindings();
    const auto found = std::find_if(knobs.begin(), knobs.end(), [&](const KnobBinding &knob) { return knob.id == id; });
    const int row = m_x->findData(static_cast<int>(found - knobs.begin()));
    if (row < 0) // plans of a training DAG do not follow it
        return;
    m_y->setCurrentIndex(0);
    m_x->setCurrentIndex(row);
    if (!axisOf(*m_x, *m_xRange)) { // the range typed before, for the same knob
        m_xRange->clear();
        start();
    }
}

SessionState SweepPreset::withoutSwept(SessionState state) const {
    const std::vector<KnobBinding> knobs = knobBindings();
    knobs[sweep()->x.dimension].set(state, sweep()->x.values.front());
    if (sweep()->y)
        knobs[sweep()->y->dimension].set(state, sweep()->y->values.front());
    return state;
}

void SweepPreset::nameRate() {
    const SessionState &state = sweep() ? sweep()->state : m_session.state(); // the drawn sweep may be of older settings
    if (state.job)
        m_measure->setItemText(static_cast<int>(SweepPlot::Measure::SamplesPerSecond), rateUnitText(statesBatch(*state.job)));
    const bool hasRate = !state.job || !showsDag(state); // a DAG has no samples
    qobject_cast<QStandardItemModel *>(m_measure->model())
        ->item(static_cast<int>(SweepPlot::Measure::SamplesPerSecond))
        ->setEnabled(hasRate);
    if (!hasRate)
        m_measure->setCurrentIndex(static_cast<int>(SweepPlot::Measure::IterationTime));
}

void SweepPreset::stateChanged() {
    m_notPlanned.clear();
    m_planner.cancel(); // for a point of the state before
    const SessionState &state = m_session.state();
    if (const auto before = m_offered; state.job) {
        offerKnobs();
        if (m_offered != before) {
            offerOthers();
            refresh();
        }
    }
    if (sweep() && state.job && state.cluster) {
        const SessionState swept = withoutSwept(sweep()->state), present = withoutSwept(state);
        const bool same = isSweptAlike(swept, present, Side::A) && swept.compare == present.compare &&
                          (!present.compare || isSweptAlike(swept, present, Side::B));
        if (same) {
            m_plot->refreshMarks(); // the curve is still valid; only the present setting moved along it
            refreshState();         // planning for a point may have been cancelled
            return;
        }
    }
    drop();
    if (m_seen)
        m_pause.start();
    else
        m_model->setSweep(nullptr);
}

void SweepPreset::setSeen(bool seen) {
    if (seen == m_seen)
        return;
    m_seen = seen;
    if (!seen) {
        if (m_pause.isActive()) // the sweep is of an earlier state
            m_model->setSweep(nullptr);
        m_pause.stop();
        drop();
    } else if (!sweep() || (m_status != Status::Stopped && !sweep()->isComplete())) {
        start();
    }
}

void SweepPreset::start() {
    if (!m_seen)
        return;
    if (!whyNot().isEmpty()) {
        m_sweeper.cancel();
        m_status = Status::Idle;
        m_model->setSweep(nullptr);
        refresh();
        return;
    }
    stateLine().resetClock();
    const auto second = secondBinding();
    if (second)
        m_sweeper.start(m_session.state(), *axisOf(*m_x, *m_xRange), *axisOf(*m_y, *m_yRange),
                        static_cast<SweepPlot::Shown>(m_side->currentIndex()) == SweepPlot::Shown::B ? Side::B : Side::A);
    else
        m_sweeper.start(m_session.state(), *axisOf(*m_x, *m_xRange), {});
    m_status = Status::Running;
    refreshState();
}

void SweepPreset::take(const std::shared_ptr<const Sweep> &swept) {
    m_model->setSweep(swept);
    if (swept->isComplete())
        m_status = Status::Done;
    refreshState();
}

void SweepPreset::drop() {
    m_sweeper.cancel();
    if (m_status == Status::Running)
        m_status = Status::Idle;
    refreshState();
}

void SweepPreset::stop() {
    const bool showsSweep = m_status == Status::Running && m_planningLong.isActive();
    if (m_planner.isPending() && !showsSweep) {
        m_planner.cancel();
        refreshState();
        return;
    }
    if (m_status != Status::Running)
        return;
    m_pause.stop();
    m_sweeper.cancel();
    m_status = Status::Stopped;
    refreshState();
}

void SweepPreset::resume() { start(); }

void SweepPreset::refreshState() {
    nameRate();
    RunState state;
    if (m_planner.isPending()) {
        state.beside = tr("planning for the point…");
        state.besideIsLong = !m_planningLong.isActive();
    }
    if (!m_notPlanned.isEmpty()) {
        state.text = tr("Cannot plan for the point: %1").arg(m_notPlanned);
    } else if (m_status == Status::Running && !sweep()) {
        state.text = tr("simulating…");
    } else if (sweep()) {
        state.done = sweep()->done;
        state.total = sweep()->total();
        const auto points = static_cast<int>(sweep()->size());
        state.text =
            sweep()->isComplete()
                ? (showsDag(sweep()->state) ? tr("%n points, each planned anew; a click plans for its setting", nullptr, points)
                                            : tr("%n points; a click sets the knob", nullptr, points))
            : m_status == Status::Stopped ? tr("stopped at %1 of %2 simulations").arg(sweep()->done).arg(sweep()->total())
                                          : tr("%1 of %2 simulations…").arg(sweep()->done).arg(sweep()->total());
    } else {
        state.text = m_status == Status::Stopped ? tr("stopped") : whyNot();
    }
    using Phase = RunState::Phase;
    constexpr std::array<Phase, 4> phases{Phase::Idle, Phase::Running, Phase::Stopped, Phase::Ended};
    state.phase = phases[static_cast<std::size_t>(m_status)];
    setRunState(state);
    table().setEmptyText(state.text);
    m_plot->setEmptyText(m_status == Status::Idle && !sweep() ? state.text : QString());
}

void SweepPreset::refresh() {
    const bool map = secondBinding().has_value();
    m_side->setEnabled(map);
    m_yRange->setEnabled(map);
    const auto whole = [this](const QComboBox &box) {
        const Dimension &dimension = scenarioSpace()[bindingOf(box)];
        return QString::fromStdString(dimension.format(dimension.min) + ".." + dimension.format(dimension.max));
    };
    m_xRange->setPlaceholderText(whole(*m_x));
    m_yRange->setPlaceholderText(map ? whole(*m_y) : QString());
    m_side->setToolTip(plainTip(map ? tr("Which side a map shows, or the difference of both") : tr("A curve shows both sides.")));
    m_plot->setShown(static_cast<SweepPlot::Measure>(m_measure->currentIndex()),
                     static_cast<SweepPlot::Shown>(m_side->currentIndex()));
    refreshState();
}

void SweepPreset::turnKnobs(double x, double y) {
    const std::vector<KnobBinding> knobs = knobBindings();
    SessionState next = m_session.state();
    QStringList what;
    const auto turn = [&](std::size_t dimension, double value) {
        const KnobBinding &knob = knobs[dimension];
        what += tr("%1 %2 → %3").arg(knob.info.name, knob.info.format(knob.value(next)), knob.info.format(value));
        knob.set(next, value);
    };
    turn(sweep()->x.dimension, x);
    if (sweep()->y)
        turn(sweep()->y->dimension, y);
    const QString text = what.join(QStringLiteral(", "));
    m_notPlanned.clear();
    m_planner.cancel();
    refreshState(); // so that the clock of another point's planning ends
    if (!showsDag(next)) {
        m_session.change(std::move(next), text);
        return;
    }
    // So that the sides show the point's figures.
    m_planner.start([before = m_session.state(), next = std::move(next), text](const std::stop_token &stop, const auto &post) {
        post({before, plannedAgain(next, {}, stop), text});
    });
    m_planningLong.start();
    refreshState();
}

void SweepPreset::takePlans(const PointPlans &plans) {
    if (!(m_session.state() == plans.before))
        return; // another state was chosen meanwhile
    if (plans.planned)
        m_session.change(*plans.planned, plans.undo);
    else
        m_notPlanned = QString::fromStdString(plans.planned.error().toString());
    refreshState();
}

} // namespace syncopate::ui
