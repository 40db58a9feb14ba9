// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/search_panel.h"

#include "engine/search/random_search.h"
#include "engine/search/search_methods.h"
#include "engine/strategy/builders.h"
#include "ui/runs/argument_sheet.h"
#include "ui/runs/search_plot.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <algorithm>
#include <cmath>

namespace syncopate::ui {

namespace {

constexpr int maxTrials = 100'000; ///< of the explorer, whose table and dots show each; the command line takes more

QSpinBox *numberBox(int min, int max, int value, const QString &name, const QString &toolTip) {
    auto *box = new QSpinBox;
    box->setRange(min, max);
    box->setValue(value);
    box->setAccessibleName(name);
    box->setToolTip(plainTip(toolTip));
    box->setMinimumWidth(58);
    return box;
}

/// The method in the settings of a project. Those of versions up to 17ba853 have the arguments of Random+G one by one, in KiB.
std::string methodOf(const QJsonObject &settings) {
    const auto number = [&](const char *name, int usual) { return settings.value(QLatin1String(name)).toInt(usual); };
    if (!settings.contains(QStringLiteral("balance")))
        return settings.value(QStringLiteral("method")).toString().toStdString();
    SamplerSettings sampler;
    sampler.balanceLoads = settings.value(QStringLiteral("balance")).toBool(sampler.balanceLoads);
    sampler.mergeAdjacent = settings.value(QStringLiteral("merge")).toBool(sampler.mergeAdjacent);
    sampler.loadTemperatureBytes = std::max(1.0, number("slackKib", 0) * 1024.0);
    sampler.minGroups = number("leastGroups", sampler.minGroups);
    sampler.maxGroups = number("mostGroups", sampler.maxGroups);
    sampler.wholeUpToBytes = number("wholeUpToKib", 98) * 1024.0;
    sampler.maxParts = number("mostParts", sampler.maxParts);
    return formatRandomSearch(sampler);
}

} // namespace

SearchPanel::SearchPanel(const Theme &theme, Session &session, Searcher &searcher, QWidget *parent)
    : RunsPanel(tr("State of the search"), tr("Resume"), tr("Go on with the same seed, exactly as if it had not been stopped."),
                parent),
      m_session(session), m_searcher(searcher), m_method(new ArgumentSheet(searchMethods(), tr("Method"))),
      m_objective(new QComboBox), m_start(new QPushButton(tr("Start"))), m_bestLine(plainLabel()),
      m_plot(new SearchPlot(theme, searcher)) {
    fillSheet();
    m_bestLine->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_bestLine->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_bestLine->setAccessibleName(tr("Best candidate so far"));
    m_bestLine->setToolTip(tr("Hit rate: trials better than the best builder's strategy / trials so far."));
    setParts({.sheet = m_method, .below = m_start, .figures = m_bestLine, .plot = m_plot});
    connectAll();
    refresh();
}

void SearchPanel::fillSheet() {
    m_objective->addItem(tr("iteration time"));
    m_objective->addItem(tr("exposed communication"));
    m_objective->setAccessibleName(tr("Objective"));
    m_objective->setToolTip(tr("Objective to minimise: the time of a steady iteration, or the part of it in which worker 0 "
                               "communicates while its compute stream waits."));
    m_budget = numberBox(1, maxTrials, 200, tr("Budget"), tr("Strategies to try."));
    m_budget->setSuffix(tr(" trials"));
    m_seed = numberBox(0, 2147483647, 1, tr("Seed"), tr("The same seed tries the same strategies."));
    m_seed->setPrefix(tr("seed "));
    auto *extent = new QWidget;
    auto *row = new QHBoxLayout(extent);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    row->addWidget(m_budget, 1);
    row->addWidget(m_seed, 1);
    m_method->addRow(tr("Objective"), m_objective);
    m_method->addRow(tr("Budget"), extent);
    m_start->setDefault(true);
    m_start->setAutoDefault(true);
}

void SearchPanel::connectAll() {
    connect(m_start, &QPushButton::clicked, this, &SearchPanel::start);
    connect(m_plot, &SearchPlot::clicked, this, [this](qint64 id) { put(id, Side::B); });
    connect(&m_searcher, &Searcher::cleared, &stateLine(), &RunStateLine::resetClock);
    connect(&m_searcher, &Searcher::strategyReady, this, &SearchPanel::apply);
    connect(&m_searcher, &Searcher::statusChanged, this, &SearchPanel::refresh);
    connect(&m_searcher, &Searcher::progressed, this, &SearchPanel::refresh);
    connect(&m_session, &Session::stateChanged, this, &SearchPanel::refresh);
    connect(m_objective, &QComboBox::currentIndexChanged, this, &SearchPanel::settingsChanged);
    connect(m_method, &ArgumentSheet::changed, this, &SearchPanel::settingsChanged);
    connect(m_method, &ArgumentSheet::changed, this, &SearchPanel::refreshStart);
    for (QSpinBox *box : {m_budget, m_seed})
        connect(box, &QSpinBox::valueChanged, this, &SearchPanel::settingsChanged);
}

SearchPlan SearchPanel::plan() const {
    SearchPlan plan;
    plan.state = m_session.state();
    plan.method = m_method->text();
    plan.objective = m_objective->currentIndex() == 1 ? SearchObjective::ExposedCommunication : SearchObjective::IterationTime;
    plan.seed = static_cast<std::uint64_t>(m_seed->value());
    plan.trials = static_cast<std::uint64_t>(m_budget->value());
    return plan;
}

QJsonObject SearchPanel::settings() const {
    return {{QStringLiteral("method"), QString::fromStdString(m_method->text())},
            {QStringLiteral("objective"), m_objective->currentIndex()},
            {QStringLiteral("trials"), m_budget->value()},
            {QStringLiteral("seed"), m_seed->value()}};
}

void SearchPanel::setSettings(const QJsonObject &settings) {
    // An expression of a newer version, which is not known here, leaves the sheet as it is.
    static_cast<void>(m_method->setText(methodOf(settings)));
    m_objective->setCurrentIndex(settings.value(QStringLiteral("objective")).toInt() == 1 ? 1 : 0);
    // Boxes keep to their ranges.
    m_budget->setValue(settings.value(QStringLiteral("trials")).toInt(m_budget->value()));
    m_seed->setValue(settings.value(QStringLiteral("seed")).toInt(m_seed->value()));
}

void SearchPanel::start() {
    if (m_session.state().job && m_session.state().cluster && m_method->problem().isEmpty())
        m_searcher.start(plan());
}

void SearchPanel::focusSheet() { m_start->setFocus(Qt::ShortcutFocusReason); }

void SearchPanel::put(qint64 candidate, Side side) {
    // Of another job's variables there is nothing to put anywhere.
    if (m_searcher.plan() && m_searcher.plan()->state.job == m_session.state().job)
        m_searcher.requestStrategy(candidate, side);
}

void SearchPanel::apply(CandidateId id, Side side, const std::shared_ptr<const Strategy> &strategy) {
    const SearchPlan &plan = *m_searcher.plan();
    if (plan.state.job != m_session.state().job)
        return;
    const QString name = candidateName(m_searcher.history(), id);
    SessionState next = m_session.state();
    SideState &target = next.side(side);
    const SideState &searched = plan.state.side(Side::A);
    target.policy = searched.policy;
    target.cluster = searched.cluster;
    target.clusterSource = searched.clusterSource;
    if (id < 0)
        target.source = Built{name.toStdString()};
    else
        target.source = replaced(target.source, strategy, name.toStdString());
    next.compare = next.compare || side == Side::B;
    m_session.change(std::move(next), side == Side::A ? tr("%1 as A").arg(name) : tr("%1 as B").arg(name));
    m_plot->mark(id);
    Q_EMIT shown(id);
}

QString SearchPanel::staleness() const {
    if (!m_searcher.plan())
        return {};
    const SessionState &searched = m_searcher.plan()->state, &present = m_session.state();
    if (searched.job != present.job)
        return tr("of another job; start again to search this one");
    SessionState same = present;
    same.side(Side::A).source = searched.side(Side::A).source;
    same.side(Side::A).policy = searched.side(Side::A).policy;
    return searched.sameScenario(same, Side::A) ? QString() : tr("simulated before the knobs were turned");
}

QString SearchPanel::stateText() const {
    const auto done = static_cast<qulonglong>(m_searcher.history().trials.size());
    const auto budget = static_cast<qulonglong>(m_searcher.plan() ? m_searcher.plan()->trials : 0);
    switch (m_searcher.status()) {
    case Searcher::Status::Running:
        if (m_searcher.isStopping())
            return tr("stopping at %1 of %2…").arg(done).arg(budget);
        if (done == 0)
            return tr("simulating the builders' strategies, %1 of %2…")
                .arg(m_searcher.history().baselines.size())
                .arg(strategyBuilders().size());
        if (m_searcher.secondsLeft() < 0)
            return tr("%1 of %2…").arg(done).arg(budget);
        return tr("%1 of %2 · %3 evaluations/s · %4 left")
            .arg(done)
            .arg(budget)
            .arg(m_searcher.trialsPerSecond(), 0, 'f', m_searcher.trialsPerSecond() < 10 ? 1 : 0)
            .arg(m_searcher.secondsLeft() < 1 ? tr("less than 1 s") : tr("%1 s").arg(std::ceil(m_searcher.secondsLeft())));
    case Searcher::Status::Stopped:
        return tr("stopped at %1 of %2").arg(done).arg(budget);
    case Searcher::Status::Done:
        return tr("%1 trials, seed %2").arg(done).arg(m_searcher.plan()->seed);
    case Searcher::Status::Failed:
        return tr("Cannot search: %1").arg(QString::fromStdString(m_searcher.error()->toString()));
    default:
        return m_session.state().job ? tr("Start tries strategies on this job and cluster, with A's policy.")
                                     : tr("Nothing is loaded yet.");
    }
}

QString SearchPanel::bestText() const {
    if (!m_searcher.plan() || m_searcher.history().trials.empty())
        return {};
    const SearchHistory &history = m_searcher.history();
    const SearchTally &tally = m_searcher.tally();
    const SearchObjective objective = m_searcher.plan()->objective;
    const std::int64_t trial = history.bestTrial(objective), builder = history.bestBaseline(objective);
    if (trial < 0)
        return tr("no trial could be simulated");
    QString text = tr("best %1 (trial %2)").arg(secondsText(tally.bestTrial())).arg(trial);
    if (builder >= 0 && tally.bestBaseline() > 0)
        text += tr(" · %1 against %2")
                    .arg(signedText(tally.bestTrial() - tally.bestBaseline(),
                                    tr("%1 %").arg(std::abs(tally.bestTrial() / tally.bestBaseline() - 1) * 100, 0, 'f', 1)),
                         QString::fromStdString(history.baselines[static_cast<std::size_t>(builder)].builder));
    return text + tr(" · hit rate %1 %").arg(tally.hitRate() * 100, 0, 'f', 1);
}

RunState SearchPanel::runState() const {
    RunState state{.text = stateText(),
                   .done = m_searcher.history().trials.size(),
                   .total = m_searcher.plan() ? m_searcher.plan()->trials : 0};
    using Phase = RunState::Phase;
    switch (m_searcher.status()) {
    case Searcher::Status::Idle:
        break;
    case Searcher::Status::Running:
        state.phase = m_searcher.isStopping() ? Phase::Stopping : Phase::Running;
        break;
    case Searcher::Status::Stopped:
        state.phase = Phase::Stopped;
        break;
    case Searcher::Status::Done:
    case Searcher::Status::Failed:
        state.phase = Phase::Ended;
        break;
    }
    if (const QString stale = staleness(); !stale.isEmpty())
        state.text += QStringLiteral(" · ") + stale;
    return state;
}

void SearchPanel::refreshStart() {
    const bool running = m_searcher.status() == Searcher::Status::Running;
    const bool loaded = m_session.state().job && m_session.state().cluster;
    m_start->setEnabled(loaded && !running && m_method->problem().isEmpty());
    m_start->setToolTip(plainTip(!loaded   ? tr("Nothing is loaded yet.")
                                 : running ? tr("A search is running: stop it first.")
                                 : !m_method->problem().isEmpty()
                                     ? m_method->problem()
                                     : tr("Search with these settings; earlier results are cleared.")));
}

void SearchPanel::refresh() {
    const bool startHadFocus = m_start->hasFocus(), stopHadFocus = stopButton().hasFocus();
    setRunState(runState());
    refreshStart();
    // Esc and Enter go on working: the keyboard stays on the one of the two that can be pressed.
    if (startHadFocus && !m_start->isEnabled())
        stopButton().setFocus();
    else if (stopHadFocus && !stopButton().isEnabled())
        (m_start->isEnabled() ? static_cast<QWidget *>(m_start) : this)->setFocus();
    const QString best = bestText();
    m_bestLine->setText(best);
    m_bestLine->setVisible(!best.isEmpty());
}

} // namespace syncopate::ui
