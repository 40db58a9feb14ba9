// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/tune_preset.h"

#include "ui/runs/figure_line.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

namespace syncopate::ui {

namespace {

RunPreset::Names tuneNames() {
    const auto tr = [](const char *text) { return TunePreset::tr(text); };
    return {.id = QStringLiteral("tune"),
            .name = tr("Tune"),
            .toolTip = tr("Maps the speed of training over two settings of A's policy, and shows how tuners search it"),
            .stateName = tr("State of the tuning"),
            .resume = tr("Again"),
            .resumeToolTip = tr("Make the map from the start.")};
}

RunsTable::Words settingsWords() {
    const auto tr = [](const char *text) { return TunePreset::tr(text); };
    return {.name = tr("Settings that were found"),
            .toolTip =
                tr("Settings that tuners chose, and their cost. Enter or A: set as A, B: set as B, P: pin, Ctrl+C: copy rows."),
            .filterName = tr("Filter settings"),
            .filterExample = tr("Filter, such as regret<5"),
            .keys = tr("Enter or A: set as A   B: set as B   P: pin"),
            .rows = [](int rows) { return TunePreset::tr("%n settings", nullptr, rows); },
            .sortColumn = 1};
}

} // namespace

TunePreset::TunePreset(const Theme &theme, Session &session, QObject *parent)
    : RunPreset(tuneNames(), parent), m_session(session), m_sheet(new TuneSheet), m_start(new QPushButton(tr("Map and tune"))),
      m_findings(figureLine(tr("Findings of the map"))), m_point(figureLine(tr("Setting under the pointer"))),
      m_model(new TuneModel), m_plot(new LandscapePlot(theme, session)) {
    m_start->setDefault(true);
    m_start->setAutoDefault(true);
    setParts({.sheet = m_sheet,
              .below = m_start,
              .figures = makeFigures(),
              .plot = m_plot,
              .table = new RunsTable(theme, m_model, settingsWords())});
    m_pause.setSingleShot(true);
    m_pause.setInterval(150);
    connectAll();
    m_sheet->fitTo(session.state());
    refreshState();
}

QWidget *TunePreset::makeFigures() {
    auto *figures = new QWidget;
    auto *column = new QVBoxLayout(figures);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(1);
    column->addWidget(m_findings);
    column->addWidget(m_point);
    m_point->setMinimumHeight(m_point->fontMetrics().height()); // so that the map does not jump when the pointer enters it
    return figures;
}

void TunePreset::connectAll() {
    connect(&m_pause, &QTimer::timeout, this, [this] { begin(true); });
    connect(m_start, &QPushButton::clicked, this, &TunePreset::start);
    connect(&m_session, &Session::stateChanged, this, &TunePreset::stateChanged);
    connect(&m_runner, &TuneRunner::progressed, this, &TunePreset::take);
    connect(m_plot, &LandscapePlot::pointed, m_point, &QLabel::setText);
    connect(m_plot, &LandscapePlot::picked, this, [this](std::size_t point, Side side) {
        const TuneStep &step = run()->map.points[point];
        put(step, side, QString::fromStdString(syncopate::describe(run()->plan.axes, step.values)));
    });
    connect(&table(), &RunsTable::wanted, this, [this](qint64 row, Side side) {
        if (const auto step = m_model->stepOf(static_cast<int>(row)))
            put(*step, side, m_model->nameOf(static_cast<int>(row)));
    });
    connect(&table(), &RunsTable::selected, this, [this](qint64 row) {
        m_plot->select(row < TuneModel::tunerRow ? std::nullopt
                                                 : std::optional(static_cast<std::size_t>(row - TuneModel::tunerRow)));
    });
    connect(m_model, &QAbstractItemModel::modelReset, this, [this] { m_plot->select({}); }); // its rows are not selected
    connect(m_sheet, &TuneSheet::mapChanged, this, &TunePreset::mapChanged);
    connect(m_sheet, &TuneSheet::measureChanged, this,
            [this](int index) { m_plot->setMeasure(static_cast<LandscapePlot::Measure>(index)); });
}

void TunePreset::restore(const QJsonObject &settings) {
    m_sheet->setSettings(settings);
    m_sheet->fitTo(m_session.state());
    mapChanged();
}

void TunePreset::mapChanged() {
    m_whole.reset();
    m_coarse.reset();
    drop();
    show();
    begin(true);
}

bool TunePreset::isOf(const std::shared_ptr<const TuneRun> &run) const {
    return run && sameButFor(run->plan.axes, run->plan.state, m_session.state());
}

bool TunePreset::isCurrent() const { return isOf(run()); }

bool TunePreset::isUnderWay() const {
    return m_status == Status::Running && sameButFor(m_asked.axes, m_asked.state, m_session.state());
}

bool TunePreset::followsCheaply() const {
    return (m_coarse && m_coarse->coarseSeconds <= m_followLimit) || (m_whole && m_whole->coarseSeconds <= m_followLimit);
}

void TunePreset::stateChanged() {
    const SessionState &state = m_session.state();
    // A map for another job, or over settings that A no longer has, is useless.
    if (const std::shared_ptr<const TuneRun> before = run();
        before && (before->error || before->plan.state.job != state.job || !state.cluster || !state.side(Side::A).hasScenario() ||
                   !settingOf(state, Side::A, before->plan.axes))) {
        m_whole.reset();
        m_coarse.reset();
    }
    m_sheet->fitTo(state);
    show();
    if (isUnderWay() || isCurrent()) {
        m_plot->refreshMarks(); // the map is still valid; only the present setting moved on it
    } else if (m_seen && state.job && followsCheaply()) {
        begin(true);
    } else {
        drop();
        if (m_seen && !run())
            m_pause.start();
    }
    refreshState();
}

void TunePreset::setSeen(bool seen) {
    if (seen == m_seen)
        return;
    m_seen = seen;
    if (seen && !isCurrent() && (!run() || followsCheaply()))
        begin(true);
    else if (!seen && m_pause.isActive())
        m_pause.stop();
}

void TunePreset::begin(bool coarse) {
    m_pause.stop();
    if (!m_seen && coarse)
        return;
    if (!m_sheet->whyNot(m_session.state()).isEmpty()) {
        m_status = Status::Idle; // a stopped run cannot be made again
        drop();
        return;
    }
    stateLine().resetClock();
    m_status = Status::Running;
    if (!coarse)
        m_runner.cancel(); // outdated maps are shown until newer ones come, but this is another request
    m_asked = m_sheet->planFor(m_session.state(), coarse);
    m_runner.start(m_asked);
    refreshState();
}

void TunePreset::start() { begin(false); }

void TunePreset::resume() { begin(false); }

void TunePreset::take(const std::shared_ptr<const TuneRun> &run) {
    (run->plan.coarse ? m_coarse : m_whole) = run;
    if (!run->plan.coarse)
        m_coarse.reset();
    const bool isAnswer = run->plan.coarse == m_asked.coarse && sameButFor(m_asked.axes, m_asked.state, run->plan.state);
    if (run->complete && isAnswer)
        m_status = Status::Done;
    show();
    refreshState();
}

void TunePreset::show() {
    const auto &shown = isOf(m_whole) || !m_coarse ? m_whole : m_coarse;
    if (shown != m_model->run()) {
        m_model->setRun(shown);
        m_plot->setRun(shown);
    }
    refreshFindings();
}

void TunePreset::drop() {
    m_runner.cancel();
    if (m_status == Status::Running)
        m_status = Status::Idle;
    refreshState();
}

void TunePreset::stop() {
    if (m_status != Status::Running)
        return;
    m_pause.stop();
    m_runner.cancel();
    m_status = Status::Stopped;
    refreshState();
}

QString TunePreset::stateText() const {
    const auto &shown = run();
    if (isUnderWay() && !isCurrent())
        return tr("simulating…");
    if (!shown)
        return m_status == Status::Stopped ? tr("stopped") : m_sheet->whyNot(m_session.state());
    if (shown->error)
        return QString::fromStdString(shown->error->toString());
    const auto ended = std::count_if(shown->tuners.begin(), shown->tuners.end(),
                                     [](const TunerRun &tuner) { return tuner.tuning || !tuner.error.empty(); });
    QString text = tr("%1 of %2 points").arg(shown->judged).arg(shown->map.points.size());
    if (!shown->tuners.empty())
        text += QStringLiteral(", ") + tr("%1 of %n tuners", nullptr, static_cast<int>(shown->tuners.size())).arg(ended);
    if (m_status == Status::Running)
        text += QStringLiteral(" · ") + tr("%n simulations…", nullptr, static_cast<int>(shown->simulations));
    else if (m_status == Status::Stopped)
        text = tr("stopped at %1").arg(text);
    else if (shown->plan.coarse)
        text = tr("coarse map, %1: “%2” makes the whole map").arg(text, m_start->text());
    if (!isCurrent())
        text += tr(" · of A before the knobs were turned");
    return text;
}

void TunePreset::refreshState() {
    RunState state;
    state.text = stateText();
    if (const auto &shown = run()) {
        state.done = shown->simulations;
        state.total = shown->map.points.size() + 2 + shown->tuners.size() * shown->plan.evaluations;
    }
    using Phase = RunState::Phase;
    constexpr std::array<Phase, 4> phases{Phase::Idle, Phase::Running, Phase::Stopped, Phase::Ended};
    state.phase = phases[static_cast<std::size_t>(m_status)];
    setRunState(state);
    const QString reason = m_sheet->whyNot(m_session.state());
    m_start->setEnabled(reason.isEmpty());
    m_start->setToolTip(plainTip(reason.isEmpty() ? tr("Make the whole map and run the chosen tuners.") : reason));
    table().setEmptyText(state.text);
}

void TunePreset::refreshFindings() {
    const QString text = run() ? run()->findings() : QString();
    m_findings->setText(text);
    m_findings->setToolTip(
        plainTip(text.isEmpty() ? text
                                : text + QLatin1Char('\n') +
                                      tr("Valley: neighbouring settings that are equally fast within 0.1 % and have no clearly "
                                         "faster neighbour. No gain is possible where the default is within 1 % of the bound.")));
    m_findings->setVisible(!text.isEmpty());
}

void TunePreset::put(const TuneStep &step, Side side, const QString &name) {
    if (step.values.empty() || !run() || run()->plan.state.job != m_session.state().job ||
        !settingOf(m_session.state(), Side::A, run()->plan.axes))
        return;
    m_session.change(withSetting(m_session.state(), side, run()->plan.axes, step.values),
                     side == Side::A ? tr("%1 as A").arg(name) : tr("%1 as B").arg(name));
}

} // namespace syncopate::ui
