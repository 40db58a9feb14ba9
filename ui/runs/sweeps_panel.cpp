// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/sweeps_panel.h"

#include "ui/knobs/knob_bindings.h"
#include "ui/theme/format.h"
#include "ui/theme/plot_style.h"
#include "ui/theme/qcustomplot.h"
#include "ui/theme/theme.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <algorithm>
#include <cmath>

namespace syncopate::ui {

namespace {

constexpr int curvePoints = 41;
constexpr int mapPoints = 17; ///< per axis

/// Cell borders of a colour map lie half a step outside its first and last value; on a logarithmic axis steps are factors.
double toMap(const KnobInfo &info, double value) {
    return info.logarithmic ? std::log10(std::clamp(value, 1e-300, 1e300)) : value; // no end is a value, too, of windows
}

/// Ticks of a logarithmic knob inside a colour map, whose own axes must be linear: the logarithms of values, written as values.
class KnobTicker final : public QCPAxisTicker {
public:
    explicit KnobTicker(KnobInfo info) : m_info(std::move(info)) {}

protected:
    QString getTickLabel(double tick, const QLocale &, QChar, int) override {
        return m_info.format(m_info.logarithmic ? std::pow(10, tick) : tick);
    }
    double getTickStep(const QCPRange &range) override {
        const double step = QCPAxisTicker::getTickStep(range);
        return m_info.logarithmic || m_info.integer ? std::max(1.0, std::round(step)) : step;
    }

private:
    KnobInfo m_info;
};

/// "5.47 s", "97.8 ms" where seconds are measured.
template <class Ticker> class SecondsTicker final : public Ticker {
protected:
    QString getTickLabel(double tick, const QLocale &, QChar, int) override { return secondsText(tick); }
};

} // namespace

SweepsPanel::SweepsPanel(const Theme &theme, Session &session, QWidget *parent)
    : RunsPanel(tr("State of the sweep"), tr("Again"), tr("Sweep from the start."), parent), m_theme(theme), m_session(session),
      m_x(new QComboBox), m_y(new QComboBox), m_measure(new QComboBox), m_side(new QComboBox), m_plot(new QCustomPlot) {
    makePlot();
    setParts({.sheet = makeControls(), .plot = m_plot});
    m_pause.setSingleShot(true);
    m_pause.setInterval(120);
    connect(&m_pause, &QTimer::timeout, this, &SweepsPanel::start);
    connect(&session, &Session::stateChanged, this, &SweepsPanel::stateChanged);
    connect(&m_sweeper, &Sweeper::progressed, this, &SweepsPanel::take);
    connect(&theme, &Theme::themeChanged, this, &SweepsPanel::refresh);
    refresh();
}

void SweepsPanel::makePlot() {
    m_plot->setMinimumSize(200, 100);
    m_plot->setAccessibleName(tr("Sweep"));
    for (std::size_t s = 0; s < 2; ++s) {
        m_curves[s] = m_plot->addGraph();
        m_curves[s]->setName(s == 0 ? QStringLiteral("A") : QStringLiteral("B"));
    }
    m_map = new QCPColorMap(m_plot->xAxis, m_plot->yAxis);
    m_map->removeFromLegend();
    m_map->setInterpolate(false);
    m_scale = new QCPColorScale(m_plot);
    m_plot->plotLayout()->addElement(0, 1, m_scale);
    m_scale->setType(QCPAxis::atRight);
    m_scale->setBarWidth(12);
    m_map->setColorScale(m_scale);
    auto *margins = new QCPMarginGroup(m_plot);
    m_plot->axisRect()->setMarginGroup(QCP::msTop | QCP::msBottom, margins);
    m_scale->setMarginGroup(QCP::msTop | QCP::msBottom, margins);
    m_markX = new QCPItemStraightLine(m_plot);
    m_markY = new QCPItemStraightLine(m_plot);
    for (QCPItemTracer *&dot : m_dots) {
        dot = new QCPItemTracer(m_plot);
        dot->setStyle(QCPItemTracer::tsCircle);
        dot->setSize(8);
    }
    connect(m_plot, &QCustomPlot::mousePress, this, [this](const QMouseEvent *press) {
        if (press->button() == Qt::LeftButton)
            clicked(press->pos());
    });
}

QWidget *SweepsPanel::makeControls() {
    auto *controls = new QWidget;
    controls->setMinimumWidth(240);
    auto *form = new QFormLayout(controls);
    form->setContentsMargins(0, 0, 8, 0);
    form->setVerticalSpacing(4);
    m_y->addItem(tr("nothing (a curve)"), -1);
    const std::vector<KnobBinding> knobs = knobBindings();
    for (std::size_t k = 0; k < knobs.size(); ++k)
        for (QComboBox *box : {m_x, m_y})
            box->addItem(knobs[k].info.name, static_cast<int>(k));
    m_measure->addItems({tr("iteration"), tr("samples/s")});
    m_side->addItems({tr("A"), tr("B"), tr("B − A")});
    m_x->setAccessibleName(tr("Swept knob"));
    m_y->setAccessibleName(tr("Second swept knob"));
    m_measure->setAccessibleName(tr("What is plotted"));
    m_side->setAccessibleName(tr("Side of the heat map"));
    m_x->setToolTip(tr("The knob that is turned from one end of its range to the other; the present setting is marked"));
    m_y->setToolTip(tr("A second knob makes a map of all pairs of settings"));
    m_measure->setToolTip(tr("Time of a steady iteration in seconds, or samples of all workers per second"));
    form->addRow(tr("Sweep"), m_x);
    form->addRow(tr("against"), m_y);
    auto *shown = new QHBoxLayout;
    shown->addWidget(m_measure, 1);
    shown->addWidget(m_side);
    form->addRow(tr("show"), shown);
    for (QComboBox *box : {m_x, m_y})
        connect(box, &QComboBox::currentIndexChanged, this, [this] {
            m_sweep.reset();
            start();
        });
    for (QComboBox *box : {m_measure, m_side})
        connect(box, &QComboBox::currentIndexChanged, this, &SweepsPanel::refresh);
    return controls;
}

std::size_t SweepsPanel::bindingOf(const QComboBox &box) const { return static_cast<std::size_t>(box.currentData().toInt()); }

std::optional<std::size_t> SweepsPanel::secondBinding() const {
    const int binding = m_y->currentData().toInt();
    return binding >= 0 && static_cast<std::size_t>(binding) != bindingOf(*m_x) ? std::optional(static_cast<std::size_t>(binding))
                                                                                : std::nullopt;
}

void SweepsPanel::sweepKnob(const QString &id) {
    const std::vector<KnobBinding> knobs = knobBindings();
    const auto found = std::find_if(knobs.begin(), knobs.end(), [&](const KnobBinding &knob) { return knob.id == id; });
    if (found == knobs.end())
        return;
    m_y->setCurrentIndex(0);
    m_x->setCurrentIndex(m_x->findData(static_cast<int>(found - knobs.begin())));
}

SessionState SweepsPanel::withoutSwept(SessionState state) const {
    const std::vector<KnobBinding> knobs = knobBindings();
    knobs[m_sweep->x.dimension].set(state, m_sweep->x.values.front());
    if (m_sweep->y)
        knobs[m_sweep->y->dimension].set(state, m_sweep->y->values.front());
    return state;
}

void SweepsPanel::stateChanged() {
    const SessionState &state = m_session.state();
    if (m_sweep && state.job && state.cluster) {
        const SessionState swept = withoutSwept(m_sweep->state), present = withoutSwept(state);
        const bool same = swept.sameScenario(present, Side::A) && swept.compare == present.compare &&
                          (!present.compare || swept.sameScenario(present, Side::B));
        if (same) {
            mark(); // the curve stays true; only the present setting moved along it
            replotWhenSeen(*m_plot);
            return;
        }
    }
    drop();
    if (m_seen)
        m_pause.start();
    else
        m_sweep.reset();
}

void SweepsPanel::setSeen(bool seen) {
    if (seen == m_seen)
        return;
    m_seen = seen;
    if (!seen) {
        if (m_pause.isActive()) // the sweep is of a state before
            m_sweep.reset();
        m_pause.stop();
        drop();
    } else if (!m_sweep || (m_status != Status::Stopped && !m_sweep->isComplete())) {
        start();
    }
}

QString SweepsPanel::whyNot() const {
    const SessionState &state = m_session.state();
    if (!state.job || !state.cluster)
        return tr("Nothing is loaded yet.");
    const std::vector<KnobBinding> knobs = knobBindings();
    if (const QString reason = knobs[bindingOf(*m_x)].whyNot(state); !reason.isEmpty())
        return reason;
    const auto second = secondBinding();
    return second ? knobs[*second].whyNot(state) : QString();
}

void SweepsPanel::start() {
    if (!m_seen)
        return;
    if (!whyNot().isEmpty()) {
        m_sweeper.cancel();
        m_status = Status::Idle;
        m_sweep.reset();
        refresh();
        return;
    }
    stateLine().resetClock();
    const auto second = secondBinding();
    if (second)
        m_sweeper.start(m_session.state(), mapAxis(bindingOf(*m_x), mapPoints), mapAxis(*second, mapPoints),
                        static_cast<Shown>(m_side->currentIndex()) == Shown::B ? Side::B : Side::A);
    else
        m_sweeper.start(m_session.state(), sweepAxis(bindingOf(*m_x), curvePoints), {});
    m_status = Status::Running;
    refreshState();
}

void SweepsPanel::take(const std::shared_ptr<const Sweep> &sweep) {
    m_sweep = sweep;
    if (sweep->isComplete())
        m_status = Status::Done;
    refresh();
}

void SweepsPanel::drop() {
    m_sweeper.cancel();
    if (m_status == Status::Running)
        m_status = Status::Idle;
    refreshState();
}

void SweepsPanel::stop() {
    if (m_status != Status::Running)
        return;
    m_pause.stop();
    m_sweeper.cancel();
    m_status = Status::Stopped;
    refreshState();
}

void SweepsPanel::resume() { start(); }

SweepsPanel::Measure SweepsPanel::measure() const { return static_cast<Measure>(m_measure->currentIndex()); }

QSharedPointer<QCPAxisTicker> SweepsPanel::measureTicker() const {
    if (measure() == Measure::IterationTime)
        return QSharedPointer<SecondsTicker<QCPAxisTicker>>::create();
    return QSharedPointer<QCPAxisTicker>::create();
}

QSharedPointer<QCPAxisTicker> SweepsPanel::decadesTicker() const {
    if (measure() == Measure::IterationTime)
        return QSharedPointer<SecondsTicker<QCPAxisTickerLog>>::create();
    return QSharedPointer<QCPAxisTickerLog>::create();
}

double SweepsPanel::valueOf(const SweepPoint &point) const {
    return measure() == Measure::IterationTime ? point.iterationSeconds : point.samplesPerSecond;
}

void SweepsPanel::setAxis(QCPAxis &axis, const SweepAxis &values) {
    const KnobInfo info = knobBindings()[values.dimension].info;
    axis.setTicker(QSharedPointer<KnobTicker>::create(info));
    axis.setLabel(info.name);
    axis.setSubTicks(false);
    const double first = toMap(info, values.values.front()), last = toMap(info, values.values.back());
    const double half = values.values.size() > 1 ? (last - first) / static_cast<double>(values.values.size() - 1) / 2 : 0.5;
    axis.setRange(first - half, last + half);
}

void SweepsPanel::refreshState() {
    RunState state;
    if (m_status == Status::Running && !m_sweep) {
        state.text = tr("simulating…");
    } else if (m_sweep) {
        state.done = m_sweep->done;
        state.total = m_sweep->total();
        state.text = m_sweep->isComplete() ? tr("%1 points; a click sets the knob").arg(m_sweep->size())
                     : m_status == Status::Stopped
                         ? tr("stopped at %1 of %2 simulations").arg(m_sweep->done).arg(m_sweep->total())
                         : tr("%1 of %2 simulations…").arg(m_sweep->done).arg(m_sweep->total());
    } else {
        state.text = m_status == Status::Stopped ? tr("stopped") : whyNot();
    }
    using Phase = RunState::Phase;
    constexpr std::array<Phase, 4> phases{Phase::Idle, Phase::Running, Phase::Stopped, Phase::Ended};
    state.phase = phases[static_cast<std::size_t>(m_status)];
    setRunState(state);
}

void SweepsPanel::refreshScale() {
    const bool map = m_sweep && m_sweep->y;
    m_map->setVisible(map);
    m_scale->setVisible(map);
    m_plot->plotLayout()->setColumnStretchFactor(1, 0.001);
    m_scale->setMinimumMargins(map ? QMargins(6, 0, 6, 0) : QMargins(0, 0, 0, 0));
    m_scale->setBarWidth(map ? 12 : 0);
    m_scale->axis()->setVisible(map);
}

void SweepsPanel::refresh() {
    stylePlot(*m_plot, m_theme);
    const bool map = m_sweep && m_sweep->y;
    m_side->setEnabled(secondBinding().has_value());
    m_side->setToolTip(m_side->isEnabled() ? tr("Which side a map shows, or the difference of both")
                                           : tr("A curve shows both sides."));
    for (QCPGraph *curve : m_curves)
        curve->data()->clear();
    refreshScale();
    m_plot->axisRect()->insetLayout()->setInsetAlignment(0, Qt::AlignTop | Qt::AlignRight);
    m_plot->legend->setRowSpacing(-6);
    m_plot->legend->setMargins({4, 1, 4, 1});
    m_plot->legend->setVisible(m_sweep && !map && m_session.state().compare);
    if (!m_sweep) {
        m_plot->xAxis->setLabel({});
        m_plot->yAxis->setLabel({});
    } else if (map) {
        drawMap();
    } else {
        drawCurves();
    }
    refreshState();
    mark();
    replotWhenSeen(*m_plot);
}

void SweepsPanel::drawCurves() {
    const KnobInfo info = knobBindings()[m_sweep->x.dimension].info;
    double least = HUGE_VAL, most = 0;
    for (std::size_t s = 0; s < 2; ++s) {
        m_curves[s]->setPen(QPen(m_theme.color(s == 0 ? ColorId::Accent : ColorId::Worse), 2));
        for (std::size_t i = 0; i < m_sweep->points[s].size(); ++i)
            if (const double value = valueOf(m_sweep->points[s][i]); !std::isnan(value)) {
                m_curves[s]->addData(toMap(info, m_sweep->x.values[i]), value);
                least = std::min(least, value);
                most = std::max(most, value);
            }
    }
    setAxis(*m_plot->xAxis, m_sweep->x);
    m_plot->xAxis->setLabel({}); // the box beside the plot names it
    m_plot->yAxis->setLabel({});
    // From zero, so that half as high is half as long; but of values that span decades the small ones would all be zero.
    const bool decades = least > 0 && most > 30 * least;
    m_plot->yAxis->setScaleType(decades ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    m_plot->yAxis->setTicker(decades ? decadesTicker() : measureTicker());
    if (decades)
        m_plot->yAxis->setRange(least / 1.3, most * 1.3);
    else
        m_plot->yAxis->setRange(0, most > 0 ? most * 1.08 : 1);
}

void SweepsPanel::drawMap() {
    const auto columns = static_cast<int>(m_sweep->x.values.size()), rows = static_cast<int>(m_sweep->y->values.size());
    const std::vector<KnobBinding> knobs = knobBindings();
    const KnobInfo x = knobs[m_sweep->x.dimension].info, y = knobs[m_sweep->y->dimension].info;
    m_map->data()->setSize(columns, rows);
    m_map->data()->setRange({toMap(x, m_sweep->x.values.front()), toMap(x, m_sweep->x.values.back())},
                            {toMap(y, m_sweep->y->values.front()), toMap(y, m_sweep->y->values.back())});
    const auto shown = static_cast<Shown>(m_side->currentIndex());
    const bool difference = shown == Shown::Difference;
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (int i = 0; i < columns; ++i)
        for (int j = 0; j < rows; ++j) {
            const std::size_t at = static_cast<std::size_t>(i) * static_cast<std::size_t>(rows) + static_cast<std::size_t>(j);
            const auto of = [&](std::size_t side) {
                return at < m_sweep->points[side].size() ? valueOf(m_sweep->points[side][at])
                                                         : std::numeric_limits<double>::quiet_NaN();
            };
            const double value = difference ? of(1) - of(0) : of(shown == Shown::B ? 1 : 0);
            m_map->data()->setCell(i, j, value);
            m_map->data()->setAlpha(i, j, std::isnan(value) ? 0 : 255);
            if (!std::isnan(value)) {
                least = std::min(least, value);
                most = std::max(most, value);
            }
        }
    QCPColorGradient gradient;
    gradient.clearColorStops();
    if (difference) {
        const double reach = std::max({std::abs(least), std::abs(most), 1e-9});
        gradient.setColorStopAt(0, m_theme.color(ColorId::Better));
        gradient.setColorStopAt(0.5, m_theme.color(ColorId::TimelineBackground));
        gradient.setColorStopAt(1, m_theme.color(ColorId::Worse));
        least = -reach;
        most = reach;
    } else {
        // Viridis (van der Walt and Smith 2015), five of its colours: equal steps look equal, also in grey.
        for (const auto &[at, color] :
             {std::pair(0.0, 0x440154), {0.25, 0x3b528b}, {0.5, 0x21918c}, {0.75, 0x5ec962}, {1.0, 0xfde725}})
            gradient.setColorStopAt(at, QColor::fromRgb(static_cast<QRgb>(color)));
    }
    m_map->setGradient(gradient);
    if (least <= most)
        m_map->setDataRange({least, std::max(most, least + 1e-9)});
    // Times that span decades: equal factors are equal steps of colour, or one slow corner would make all else one colour.
    const bool decades = !difference && least > 0 && most > 8 * least;
    m_map->setDataScaleType(decades ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    m_scale->axis()->setTicker(decades ? decadesTicker() : measureTicker());
    m_plot->yAxis->setScaleType(QCPAxis::stLinear);
    setAxis(*m_plot->xAxis, m_sweep->x);
    setAxis(*m_plot->yAxis, *m_sweep->y);
}

void SweepsPanel::mark() {
    const SessionState &state = m_session.state();
    const bool shown = m_sweep && state.job && state.cluster;
    const std::vector<KnobBinding> knobs = knobBindings();
    // On viridis, dark where times are short, white is seen best; elsewhere the colour of text.
    const bool onViridis = shown && m_sweep->y && static_cast<Shown>(m_side->currentIndex()) != Shown::Difference;
    const QColor color = onViridis ? QColor(Qt::white) : m_theme.color(ColorId::Text);
    m_markX->setVisible(shown);
    m_markY->setVisible(shown && m_sweep->y);
    if (shown) {
        const KnobBinding &x = knobs[m_sweep->x.dimension];
        const double at = toMap(x.info, x.value(state));
        m_markX->point1->setCoords(at, 1); // not 0, which no logarithmic axis has
        m_markX->point2->setCoords(at, 2);
        m_markX->setPen(QPen(color, 1, Qt::DashLine));
        if (m_sweep->y) {
            const KnobBinding &y = knobs[m_sweep->y->dimension];
            const double level = toMap(y.info, y.value(state));
            m_markY->point1->setCoords(0, level);
            m_markY->point2->setCoords(1, level);
            m_markY->setPen(QPen(color, 1, Qt::DashLine));
        }
    }
    // The dots are the present runs themselves, so that curve and timelines can be seen to agree.
    for (std::size_t s = 0; s < 2; ++s) {
        const auto run = m_session.run(static_cast<Side>(s));
        const bool has = shown && !m_sweep->y && run && (s == 0 || state.compare);
        m_dots[s]->setVisible(has);
        if (!has)
            continue;
        const KnobBinding &x = knobs[m_sweep->x.dimension];
        m_dots[s]->position->setCoords(toMap(x.info, x.value(state)),
                                       valueOf({run->recording().iterationSeconds, run->recording().samplesPerSecond, {}}));
        m_dots[s]->setPen(QPen(color));
        m_dots[s]->setBrush(m_theme.color(s == 0 ? ColorId::Accent : ColorId::Worse));
    }
}

void SweepsPanel::clicked(const QPointF &position) {
    if (!m_sweep || !m_plot->axisRect()->rect().contains(position.toPoint()))
        return;
    const std::vector<KnobBinding> knobs = knobBindings();
    SessionState next = m_session.state();
    QStringList what;
    const auto turn = [&](std::size_t binding, double coordinate) {
        const KnobInfo &info = knobs[binding].info;
        double value = std::clamp(info.logarithmic ? std::pow(10, coordinate) : coordinate, info.least, info.most);
        if (info.integer)
            value = std::round(value);
        else // three digits, as a dragged knob gives
            value = QString::number(value, 'g', 3).toDouble();
        what += tr("%1 %2 → %3").arg(info.name, info.format(knobs[binding].value(next)), info.format(value));
        knobs[binding].set(next, value);
    };
    turn(m_sweep->x.dimension, m_plot->xAxis->pixelToCoord(position.x()));
    if (m_sweep->y)
        turn(m_sweep->y->dimension, m_plot->yAxis->pixelToCoord(position.y()));
    m_session.change(std::move(next), what.join(QStringLiteral(", ")));
}

} // namespace syncopate::ui
