// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/conditions_preset.h"

#include "engine/export/write_file.h"
#include "ui/runs/figure_line.h"
#include "ui/runs/run_text.h"
#include "ui/runs/tune_run.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/rate_unit.h"
#include "ui/theme/save_dialog.h"
#include "ui/theme/sentences.h"
#include "ui/theme/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>
#include <array>
#include <utility>

namespace syncopate::ui {

namespace {

RunPreset::Names conditionsNames() {
    const auto tr = [](const char *text) { return ConditionsPreset::tr(text); };
    return {.id = QStringLiteral("conditions"),
            .name = tr("Conditions"),
            .toolTip = tr("Plays training while bandwidth, other jobs and stragglers change: tuned once, re-tuned, and at best"),
            .stateName = tr("State of the conditions"),
            .resume = tr("Again"),
            .resumeToolTip = tr("Play the conditions from the start.")};
}

RunsTable::Words armsWords() {
    const auto tr = [](const char *text) { return ConditionsPreset::tr(text); };
    return {.name = tr("Ways of tuning"),
            .toolTip =
                tr("Results of each way of tuning. Enter or A: its marked iteration as A, B: as B, P: pin, Ctrl+C: copy rows."),
            .filterName = tr("Filter ways of tuning"),
            .filterExample = tr("Filter, such as regret<10"),
            .keys = tr("Enter or A: marked iteration as A   B: as B   P: pin"),
            .rows = [](int rows) { return ConditionsPreset::tr("%n ways", nullptr, rows); },
            .sortColumn = 1};
}

} // namespace

ConditionsPreset::ConditionsPreset(const Theme &theme, Session &session, QObject *parent)
    : RunPreset(conditionsNames(), parent), m_session(session), m_sheet(new ConditionsSheet),
      m_start(new QPushButton(tr("Simulate"))), m_mark(figureLine(tr("The marked iteration"))),
      m_intoA(new QPushButton(tr("into A"))), m_intoB(new QPushButton(tr("into B"))),
      m_write(new QPushButton(tr("Write setting…"))), m_play(new QToolButton), m_follow(new QToolButton),
      m_slider(new QSlider(Qt::Horizontal)), m_model(new ConditionsModel), m_plot(new ConditionsPlot(theme)) {
    m_start->setDefault(true);
    m_start->setAutoDefault(true);
    setParts({.sheet = m_sheet,
              .below = m_start,
              .figures = makeFigures(),
              .plot = m_plot,
              .table = new RunsTable(theme, m_model, armsWords())});
    connectAll();
    refresh();
}

QWidget *ConditionsPreset::makeFigures() {
    auto *figures = new QWidget;
    auto *column = new QVBoxLayout(figures);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(m_mark);
    auto *row = new QHBoxLayout;
    row->setSpacing(6);
    column->addLayout(row);
    m_play->setText(tr("Play"));
    m_play->setCheckable(true);
    m_play->setToolTip(plainTip(tr("Play the iterations of the row selected in the table in %1 s (Space in the plot)")
                                    .arg(IterationPlayer::wholeSeconds)));
    m_slider->setAccessibleName(tr("Marked iteration"));
    m_slider->setToolTip(tr("The marked iteration"));
    m_follow->setText(tr("B follows"));
    m_follow->setCheckable(true);
    m_follow->setToolTip(tr("Show the marked iteration as B while the mark moves; where the mark stops is one undo step"));
    m_write->setToolTip(tr("Write the marked setting as the file that the policy's system reads"));
    row->addWidget(m_play);
    row->addWidget(m_slider, 1);
    row->addWidget(m_follow);
    for (QPushButton *button : {m_intoA, m_intoB}) {
        button->setToolTip(tr("Show the marked iteration there: of the row selected in the table, else of the re-tuned run"));
        row->addWidget(button);
    }
    row->addWidget(m_write);
    // In a narrow panel a button is as wide as its text, not as wide as the style would like.
    for (QPushButton *button : {m_intoA, m_intoB, m_write})
        button->setMinimumWidth(button->fontMetrics().horizontalAdvance(button->text()) + 16);
    return figures;
}

void ConditionsPreset::connectAll() {
    connect(m_start, &QPushButton::clicked, this, &ConditionsPreset::start);
    connect(&m_runner, &ConditionsRunner::progressed, this, &ConditionsPreset::take);
    connect(&m_session, &Session::stateChanged, this, &ConditionsPreset::refresh);
    connect(m_sheet, &ConditionsSheet::changed, this, &ConditionsPreset::refresh);
    connect(m_plot, &ConditionsPlot::wanted, this, [this](Side side) { put(m_arm, side); });
    connect(m_intoA, &QPushButton::clicked, this, [this] { put(m_arm, Side::A); });
    connect(m_intoB, &QPushButton::clicked, this, [this] { put(m_arm, Side::B); });
    connect(m_write, &QPushButton::clicked, this, &ConditionsPreset::askWhereToWrite);
    connect(&table(), &RunsTable::wanted, this, [this](qint64 row, Side side) { put(static_cast<std::size_t>(row), side); });
    connect(&table(), &RunsTable::selected, this, [this](qint64 row) { choose(static_cast<std::size_t>(row)); });
    connectMark();
}

void ConditionsPreset::connectMark() {
    connect(m_plot, &ConditionsPlot::marked, this, &ConditionsPreset::setIteration);
    connect(m_slider, &QSlider::valueChanged, this, [this](int value) { setIteration(static_cast<std::size_t>(value)); });
    connect(m_play, &QToolButton::clicked, this, [this](bool on) { on ? m_player.play() : m_player.pause(); });
    connect(m_plot, &ConditionsPlot::playWanted, m_play, &QToolButton::click);
    connect(&m_player, &IterationPlayer::moved, this, &ConditionsPreset::show);
    connect(&m_player, &IterationPlayer::playingChanged, this, [this](bool on) {
        m_play->setChecked(on);
        m_play->setText(on ? tr("Pause") : tr("Play"));
        if (!on)
            rest();
    });
    connect(m_follow, &QToolButton::toggled, this, &ConditionsPreset::follow);
    m_rest.setSingleShot(true);
    m_rest.setInterval(500);
    connect(&m_rest, &QTimer::timeout, this, &ConditionsPreset::rest);
}

void ConditionsPreset::start() {
    if (!m_sheet->whyNot(m_session.state()).isEmpty())
        return;
    stateLine().resetClock();
    m_status = Status::Running;
    m_simulations = 0;
    m_runner.start(m_sheet->planFor(m_session.state()));
    refresh();
}

void ConditionsPreset::stop() {
    if (m_status != Status::Running)
        return;
    m_runner.cancel();
    m_status = Status::Stopped;
    refresh();
}

void ConditionsPreset::take(const std::shared_ptr<const ConditionsRun> &run) {
    m_simulations = run->simulations;
    if (run->complete) {
        m_status = Status::Done;
        m_model->setRun(run);
        m_plot->setRun(run);
        m_player.setRun(run);
        choose(retunedArm);
        const QSignalBlocker quiet(m_slider);
        m_slider->setRange(0, static_cast<int>(run->iterations()) - 1);
        m_slider->setValue(0);
    }
    refresh();
}

void ConditionsPreset::restore(const QJsonObject &settings) {
    m_runner.cancel();
    m_status = Status::Idle;
    m_model->setRun(nullptr);
    m_plot->setRun(nullptr);
    m_player.setRun(nullptr);
    choose(retunedArm);
    m_follow->setChecked(false);
    m_sheet->setSettings(settings);
    refresh();
}

void ConditionsPreset::setIteration(std::size_t iteration) {
    if (!run() || iteration >= run()->iterations())
        return;
    m_player.setIteration(iteration);
    show(iteration);
}

void ConditionsPreset::show(std::size_t iteration) {
    m_plot->setIteration(iteration);
    m_model->setIteration(iteration);
    const QSignalBlocker quiet(m_slider);
    m_slider->setValue(static_cast<int>(iteration));
    showInB();
    refresh();
}

void ConditionsPreset::choose(std::size_t arm) {
    m_arm = arm;
    m_player.setArm(arm);
    showInB();
}

bool ConditionsPreset::isOfPresentJob() const {
    return run() && run()->hasArms() && run()->plan.state.job == m_session.state().job;
}

QString ConditionsPreset::stepText(std::size_t arm, Side side) const {
    return tr("iteration %1 of %2 as %3")
        .arg(QString::number(m_model->iteration()), QString::fromStdString(run()->arms[arm].name),
             side == Side::A ? QStringLiteral("A") : QStringLiteral("B"));
}

void ConditionsPreset::put(std::size_t arm, Side side) {
    if (!isOfPresentJob() || arm >= run()->arms.size())
        return;
    m_player.pause();
    rest(); // else the undo step would include B's preview
    auto next = withIteration(m_session.state(), side, *run(), arm, m_model->iteration());
    if (!next) {
        Q_EMIT m_session.failed(next.error(), false);
        return;
    }
    m_session.change(*std::move(next), stepText(arm, side));
}

void ConditionsPreset::follow(bool on) {
    m_follow->setChecked(on);
    if (on)
        showInB();
    else
        rest();
}

void ConditionsPreset::showInB() {
    if (!m_follow->isChecked() || !isOfPresentJob())
        return;
    const auto next = withIteration(m_session.state(), Side::B, *run(), m_arm, m_model->iteration());
    if (!next) {
        m_follow->setChecked(false);
        Q_EMIT m_session.failed(next.error(), false);
        return;
    }
    m_session.preview(*next);
    m_previewed = stepText(m_arm, Side::B);
    m_rest.start();
}

void ConditionsPreset::rest() {
    if (m_player.isPlaying() || m_previewed.isEmpty())
        return;
    m_rest.stop();
    m_session.commitPreview(std::exchange(m_previewed, {}));
}

void ConditionsPreset::askWhereToWrite() {
    const QString name = QStringLiteral("settings") + (run() ? QString::fromStdString(settingSuffix(*run())) : QString());
    const QString path = askWhereToExport(m_write, tr("Write the marked setting"), name);
    if (!path.isEmpty())
        writeSetting(path);
}

void ConditionsPreset::writeSetting(const QString &path) {
    if (!run() || !run()->hasArms())
        return;
    const auto write = [run = run(), arm = m_arm, iteration = m_model->iteration(), path]() -> Result<QString> {
        TRY(writeFile(path.toStdString(), TRY(settingFileOf(*run, arm, iteration))));
        return path;
    };
    m_writer.start([write](const std::stop_token &, const auto &post) { post(write()); });
}

QString ConditionsPreset::stateText() const {
    if (m_status == Status::Running)
        return tr("%n simulations…", nullptr, static_cast<int>(m_simulations));
    const QString reason = m_sheet->whyNot(m_session.state());
    if (m_status == Status::Stopped && reason.isEmpty())
        return tr("stopped after %n simulations", nullptr, static_cast<int>(m_simulations));
    if (!run())
        return reason.isEmpty() ? tr("“%1” plays training under these conditions").arg(m_start->text()) : reason;
    if (run()->error)
        return QString::fromStdString(run()->error->toString());
    const RetuningArm &once = run()->arms[onceArm], &retuned = run()->arms[retunedArm];
    QString text = tr("%n iterations: re-tuned %1 %2, once %3, oracle %4", nullptr, static_cast<int>(run()->iterations()))
                       .arg(samplesText(retuned.samplesPerSecond), rateUnitText(run()->statesBatch()),
                            samplesText(once.samplesPerSecond), samplesText(run()->arms[oracleArm].samplesPerSecond));
    if (run()->plan.state.job != m_session.state().job)
        text += tr(" · of another job");
    else if (!run()->plan.state.sameScenario(m_session.state(), Side::A))
        text += tr(" · of A before the knobs were turned");
    for (const LintMark &mark : run()->lint)
        text += QStringLiteral(" · %1; %2").arg(said(mark.text), said(mark.remedy));
    return text;
}

void ConditionsPreset::refresh() {
    const QString reason = m_sheet->whyNot(m_session.state());
    RunState state;
    state.text = stateText();
    using Phase = RunState::Phase;
    constexpr std::array<Phase, 4> phases{Phase::Idle, Phase::Running, Phase::Stopped, Phase::Ended};
    const bool isLost = m_status == Status::Stopped && !reason.isEmpty(); // a stopped run that cannot be made again
    state.phase = isLost ? Phase::Idle : phases[static_cast<std::size_t>(m_status)];
    setRunState(state);
    m_start->setEnabled(reason.isEmpty() && m_status != Status::Running);
    m_start->setToolTip(
        plainTip(reason.isEmpty() ? tr("Simulate training under these conditions; earlier results are replaced.") : reason));
    const bool any = run() && run()->hasArms();
    m_mark->setText(any ? run()->describe(m_model->iteration()) : QString());
    for (QWidget *control : std::initializer_list<QWidget *>{m_play, m_slider, m_follow, m_intoA, m_intoB, m_write})
        control->setVisible(any);
    for (QWidget *control : std::initializer_list<QWidget *>{m_follow, m_intoA, m_intoB})
        control->setEnabled(isOfPresentJob());
    table().setEmptyText(state.text);
}

} // namespace syncopate::ui
