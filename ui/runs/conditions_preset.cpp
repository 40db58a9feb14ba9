// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/conditions_preset.h"

#include "ui/runs/figure_line.h"
#include "ui/runs/run_text.h"
#include "ui/runs/tune_run.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <array>

namespace syncopate::ui {

namespace {

RunPreset::Names conditionsNames() {
    const auto tr = [](const char *text) { return ConditionsPreset::tr(text); };
    return {.id = QStringLiteral("conditions"),
            .name = tr("Conditions"),
            .toolTip = tr("Plays training while bandwidth, other jobs and stragglers change: tuned once, tuned again, at best"),
            .stateName = tr("State of the conditions"),
            .resume = tr("Again"),
            .resumeToolTip = tr("Play the conditions from the start.")};
}

RunsTable::Words armsWords() {
    const auto tr = [](const char *text) { return ConditionsPreset::tr(text); };
    return {.name = tr("Ways of tuning"),
            .toolTip = tr("What each way comes to. Enter or A: its marked iteration as A, B: as B, P: pin, Ctrl+C: copy rows."),
            .filterName = tr("Filter ways of tuning"),
            .filterExample = tr("Filter, such as regret<10"),
            .keys = tr("Enter or A: marked iteration as A   B: as B   P: pin"),
            .rows = tr("%1 ways"),
            .sortColumn = 1};
}

} // namespace

ConditionsPreset::ConditionsPreset(const Theme &theme, Session &session, QObject *parent)
    : RunPreset(conditionsNames(), parent), m_session(session), m_sheet(new ConditionsSheet),
      m_start(new QPushButton(tr("Play"))), m_mark(figureLine(tr("The marked iteration"))),
      m_intoA(new QPushButton(tr("into A"))), m_intoB(new QPushButton(tr("into B"))), m_model(new ConditionsModel),
      m_plot(new ConditionsPlot(theme)) {
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
    auto *row = new QHBoxLayout(figures);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    row->addWidget(m_mark, 1);
    for (QPushButton *button : {m_intoA, m_intoB}) {
        button->setToolTip(tr("Show the marked iteration there: of the way that is chosen in the table, else the re-tuned one"));
        row->addWidget(button);
    }
    return figures;
}

void ConditionsPreset::connectAll() {
    connect(m_start, &QPushButton::clicked, this, &ConditionsPreset::start);
    connect(&m_runner, &ConditionsRunner::progressed, this, &ConditionsPreset::take);
    connect(&m_session, &Session::stateChanged, this, &ConditionsPreset::refresh);
    connect(m_sheet, &ConditionsSheet::changed, this, &ConditionsPreset::refresh);
    connect(m_plot, &ConditionsPlot::marked, this, &ConditionsPreset::setIteration);
    connect(m_plot, &ConditionsPlot::wanted, this, [this](Side side) { put(m_arm, side); });
    connect(m_intoA, &QPushButton::clicked, this, [this] { put(m_arm, Side::A); });
    connect(m_intoB, &QPushButton::clicked, this, [this] { put(m_arm, Side::B); });
    connect(&table(), &RunsTable::wanted, this, [this](qint64 row, Side side) { put(static_cast<std::size_t>(row), side); });
    connect(&table(), &RunsTable::selected, this, [this](qint64 row) { m_arm = static_cast<std::size_t>(row); });
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
        m_arm = retunedArm;
        m_model->setRun(run);
        m_plot->setRun(run);
    }
    refresh();
}

void ConditionsPreset::restore(const QJsonObject &settings) {
    m_runner.cancel();
    m_status = Status::Idle;
    m_arm = retunedArm;
    m_model->setRun(nullptr);
    m_plot->setRun(nullptr);
    m_sheet->setSettings(settings);
    refresh();
}

void ConditionsPreset::setIteration(std::size_t iteration) {
    if (!run() || iteration >= run()->iterations())
        return;
    m_plot->setIteration(iteration);
    m_model->setIteration(iteration);
    refresh();
}

void ConditionsPreset::put(std::size_t arm, Side side) {
    if (!run() || !run()->hasArms() || arm >= run()->arms.size() || run()->plan.state.job != m_session.state().job)
        return;
    const std::size_t iteration = m_model->iteration();
    auto next = withIteration(m_session.state(), side, *run(), arm, iteration);
    if (!next) {
        Q_EMIT m_session.failed(next.error(), false);
        return;
    }
    m_session.change(*std::move(next), tr("iteration %1 of %2 as %3")
                                           .arg(QString::number(iteration), QString::fromStdString(run()->arms[arm].name),
                                                side == Side::A ? QStringLiteral("A") : QStringLiteral("B")));
}

QString ConditionsPreset::stateText() const {
    if (m_status == Status::Running)
        return tr("%1 simulations…").arg(m_simulations);
    const QString reason = m_sheet->whyNot(m_session.state());
    if (m_status == Status::Stopped)
        return tr("stopped after %1 simulations").arg(m_simulations);
    if (!run())
        return reason.isEmpty() ? tr("“%1” plays training under these conditions").arg(m_start->text()) : reason;
    if (run()->error)
        return QString::fromStdString(run()->error->toString());
    const RetuningArm &once = run()->arms[onceArm], &retuned = run()->arms[retunedArm];
    QString text = tr("%1 iterations: re-tuned %2 samples/s, once %3, oracle %4")
                       .arg(QString::number(run()->iterations()), samplesText(retuned.samplesPerSecond),
                            samplesText(once.samplesPerSecond), samplesText(run()->arms[oracleArm].samplesPerSecond));
    if (run()->plan.state.job != m_session.state().job)
        text += tr(" · of another job");
    else if (!run()->plan.state.sameScenario(m_session.state(), Side::A))
        text += tr(" · of A before the knobs were turned");
    return text;
}

void ConditionsPreset::refresh() {
    RunState state;
    state.text = stateText();
    using Phase = RunState::Phase;
    constexpr std::array<Phase, 4> phases{Phase::Idle, Phase::Running, Phase::Stopped, Phase::Ended};
    state.phase = phases[static_cast<std::size_t>(m_status)];
    setRunState(state);
    const QString reason = m_sheet->whyNot(m_session.state());
    m_start->setEnabled(reason.isEmpty() && m_status != Status::Running);
    m_start->setToolTip(
        plainTip(reason.isEmpty() ? tr("Play training under these conditions; earlier results are replaced.") : reason));
    const bool any = run() && run()->hasArms();
    m_mark->setText(any ? run()->describe(m_model->iteration()) : QString());
    for (QPushButton *button : {m_intoA, m_intoB}) {
        button->setVisible(any);
        button->setEnabled(any && run()->plan.state.job == m_session.state().job);
    }
    table().setEmptyText(state.text);
}

} // namespace syncopate::ui
