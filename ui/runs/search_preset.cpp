// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/search_preset.h"

#include "engine/job/same_job.h"
#include "engine/search/random_search.h"
#include "engine/search/search_methods.h"
#include "engine/trial/judge.h"
#include "ui/runs/argument_sheet.h"
#include "ui/runs/figure_line.h"
#include "ui/runs/history_plot.h"
#include "ui/runs/run_text.h"
#include "ui/runs/trust_plot.h"
#include "ui/runs/winner_sheet.h"
#include "ui/session/simulate_side.h"
#include "ui/theme/explained.h"
#include "ui/theme/format.h"
#include "ui/theme/number_box.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/sentences.h"
#include "ui/theme/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

namespace syncopate::ui {

namespace {

constexpr int maxTrials = 100'000; ///< in the explorer, as its table and plot show every trial; the command line accepts more

constexpr std::array plotNames{"candidates", "trust"}; ///< as in project files, in the order of the choice

/// The method in a project's settings. Projects of versions up to 17ba853 have the arguments of Random+G one by one, in KiB.
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

RunPreset::Names searchNames() {
    const auto tr = [](const char *text) { return SearchPreset::tr(text); };
    return {.id = QStringLiteral("search"),
            .name = tr("Search"),
            .toolTip = tr("Searches for a strategy that is faster than every builder's"),
            .stateName = tr("State of the search"),
            .resume = tr("Resume"),
            .resumeToolTip = tr("Go on with the same seed, exactly as if it had not been stopped.")};
}

RunsTable::Words candidatesWords() {
    const auto tr = [](const char *text) { return SearchPreset::tr(text); };
    return {.name = tr("Candidates"),
            .toolTip = tr("Candidates that the search tried. Enter or A: set as A, B: set as B, P: pin, Ctrl+C: copy rows."),
            .filterName = tr("Filter candidates"),
            .filterExample = tr("Filter, such as exposed<2ms servers>2"),
            .keys = tr("Enter or A: set as A   B: set as B   P: pin"),
            .rows = [](int rows) { return SearchPreset::tr("%n candidates", nullptr, rows); },
            .sortColumn = CandidatesModel::Iteration};
}

} // namespace

SearchPreset::SearchPreset(const Theme &theme, Session &session, Searcher &searcher, QObject *parent)
    : RunPreset(searchNames(), parent), m_session(session), m_searcher(searcher), m_model(new CandidatesModel(searcher)),
      m_method(new ArgumentSheet(searchMethods(), tr("Method"))), m_judge(new ArgumentSheet(judges(), tr("Judge"))),
      m_objective(new QComboBox), m_start(new QPushButton(tr("Start"))), m_explain(new QPushButton(tr("Explain…"))),
      m_bestLine(figureLine(tr("Best candidate so far"))), m_ruleLine(figureLine(tr("Rule of the best candidate"))),
      m_plot(new HistoryPlot(theme, *m_model, tr("Search: time of each candidate, best so far and hit rate over the trials"))),
      m_trust(new TrustPlot(theme, *m_model)), m_plots(new QStackedWidget), m_shown(new QComboBox), m_theme(theme) {
    m_plots->addWidget(m_plot);
    m_plots->addWidget(m_trust);
    m_start->setDefault(true);
    m_start->setAutoDefault(true);
    setParts({.sheet = makeSheet(),
              .below = m_start,
              .figures = makeFigures(),
              .plot = m_plots,
              .table = new RunsTable(theme, m_model, candidatesWords())});
    m_usual = settings();
    connectAll();
    refresh();
}

QWidget *SearchPreset::makeSheet() {
    m_objective->addItem(tr("iteration time"));
    m_objective->addItem(tr("exposed communication"));
    m_objective->setAccessibleName(tr("Objective"));
    m_objective->setToolTip(plainTip(tr("Objective to minimise. Iteration time: %1 Exposed communication: %2")
                                         .arg(explained("Iteration time"), explained("Exposed communication"))));
    m_budget = numberBox<QSpinBox>(1, maxTrials, 200, tr("Budget"), tr("Strategies to try."));
    m_budget->setSuffix(tr(" trials"));
    m_seed = numberBox<QSpinBox>(0, 2147483647, 1, tr("Seed"), tr("The same seed tries the same strategies."));
    m_seed->setPrefix(tr("seed "));
    for (QSpinBox *box : {m_budget, m_seed})
        box->setKeyboardTracking(true); // else saving by shortcut would lose half-typed text
    fitNumber(*m_budget, 2000);
    fitNumber(*m_seed, 999);
    auto *extent = new QWidget;
    auto *row = new QHBoxLayout(extent);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    row->addWidget(m_budget, 1);
    row->addWidget(m_seed, 1);
    m_judge->addRow(tr("Objective"), m_objective);
    m_judge->addRow(tr("Budget"), extent);
    auto *sheet = new QWidget;
    auto *column = new QVBoxLayout(sheet);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(3);
    column->addWidget(m_judge);
    column->addWidget(m_method);
    column->addStretch();
    ArgumentSheet::alignLabels({m_method, m_judge});
    return sheet;
}

QWidget *SearchPreset::makeFigures() {
    auto *figures = new QWidget;
    auto *row = new QHBoxLayout(figures);
    row->setContentsMargins(0, 0, 0, 0);
    auto *column = new QVBoxLayout;
    column->setSpacing(1);
    column->addWidget(m_bestLine);
    column->addWidget(m_ruleLine);
    row->addLayout(column, 1);
    row->addWidget(m_shown, 0, Qt::AlignTop);
    row->addWidget(m_explain, 0, Qt::AlignTop);
    m_shown->addItems({tr("candidates"), tr("trust of the ranker")});
    m_shown->setAccessibleName(tr("Contents of the plot"));
    m_shown->setToolTip(plainTip(
        tr("The candidates in the order of their trials, or how well the ranker ordered each batch before it learned from it")));
    m_explain->setToolTip(tr("What each piece of the best strategy is worth, and which of the best strategies stay good with "
                             "other links or a slow worker."));
    return figures;
}

void SearchPreset::connectAll() {
    connect(m_start, &QPushButton::clicked, this, &SearchPreset::start);
    connect(m_explain, &QPushButton::clicked, this, &SearchPreset::explain);
    connect(m_plot, &HistoryPlot::clicked, this, [this](qint64 id) { put(id, Side::B); });
    connect(&table(), &RunsTable::wanted, this, &SearchPreset::put);
    connect(&table(), &RunsTable::selected, m_plot, &HistoryPlot::mark);
    connect(&m_searcher, &Searcher::cleared, &stateLine(), &RunStateLine::resetClock);
    connect(&m_searcher, &Searcher::cleared, this, [this] {
        if (m_winner)
            m_winner->close(); // it explains another search
    });
    connect(&m_searcher, &Searcher::strategyReady, this, &SearchPreset::apply);
    connect(&m_searcher, &Searcher::strategyFailed, this, [this](const Error &error) { Q_EMIT m_session.failed(error, false); });
    connect(&m_searcher, &Searcher::statusChanged, this, &SearchPreset::refresh);
    connect(&m_searcher, &Searcher::progressed, this, &SearchPreset::refresh);
    connect(&m_searcher, &Searcher::levelsChanged, this, &SearchPreset::refresh);
    connect(&m_session, &Session::stateChanged, this, &SearchPreset::refresh);
    connect(m_shown, &QComboBox::currentIndexChanged, this, &SearchPreset::showChosenPlot);
    connect(m_shown, &QComboBox::currentIndexChanged, this, &SearchPreset::settingsChanged);
    connect(m_objective, &QComboBox::currentIndexChanged, this, &SearchPreset::settingsChanged);
    for (ArgumentSheet *sheet : {m_method, m_judge}) {
        connect(sheet, &ArgumentSheet::changed, this, &SearchPreset::settingsChanged);
        connect(sheet, &ArgumentSheet::changed, this, &SearchPreset::refreshStart);
    }
    for (QSpinBox *box : {m_budget, m_seed})
        connect(box, &QSpinBox::valueChanged, this, &SearchPreset::settingsChanged);
}

SearchPlan SearchPreset::plan() const {
    SearchPlan plan;
    plan.state = m_session.state();
    plan.method = m_method->text();
    plan.judge = m_judge->text();
    plan.objective = m_objective->currentIndex() == 1 ? SearchObjective::ExposedCommunication : SearchObjective::IterationTime;
    plan.seed = static_cast<std::uint64_t>(m_seed->value());
    plan.trials = static_cast<std::uint64_t>(m_budget->value());
    return plan;
}

QJsonObject SearchPreset::settings() const {
    return {{QStringLiteral("method"), QString::fromStdString(m_method->text())},
            {QStringLiteral("judge"), QString::fromStdString(m_judge->text())},
            {QStringLiteral("objective"), m_objective->currentIndex()},
            {QStringLiteral("plot"), QLatin1String(plotNames[static_cast<std::size_t>(m_shown->currentIndex())])},
            {QStringLiteral("trials"), m_budget->value()},
            {QStringLiteral("seed"), m_seed->value()}};
}

void SearchPreset::setSettings(const QJsonObject &settings) {
    // An expression from a newer version, unknown here, leaves the sheet unchanged.
    static_cast<void>(m_method->setText(methodOf(settings)));
    if (const QJsonValue judge = settings.value(QStringLiteral("judge")); judge.isString()) // older projects had only one
        static_cast<void>(m_judge->setText(judge.toString().toStdString()));
    m_objective->setCurrentIndex(settings.value(QStringLiteral("objective")).toInt() == 1 ? 1 : 0);
    m_shown->setCurrentIndex(settings.value(QStringLiteral("plot")).toString() == QLatin1String(plotNames[1]) ? 1 : 0);
    // Boxes keep to their ranges.
    m_budget->setValue(settings.value(QStringLiteral("trials")).toInt(m_budget->value()));
    m_seed->setValue(settings.value(QStringLiteral("seed")).toInt(m_seed->value()));
}

void SearchPreset::restore(const QJsonObject &settings) {
    setSettings(m_usual);
    setSettings(settings);
}

void SearchPreset::start() {
    if (whyNotSimulated(m_session.state()).isEmpty() && problem().isEmpty())
        m_searcher.start(plan(), m_model->pins());
}

void SearchPreset::explain() {
    if (!m_searcher.plan())
        return;
    if (!m_winner)
        m_winner = new WinnerSheet(m_theme, m_explain->window());
    m_winner->explain(*m_searcher.plan(), m_searcher.history(), m_searcher.tuned());
    m_winner->show();
    m_winner->raise();
}

void SearchPreset::focusSheet() { m_start->setFocus(Qt::ShortcutFocusReason); }

bool SearchPreset::isOfPresentJob() const {
    const auto &present = m_session.state().job;
    return m_searcher.plan() && m_searcher.plan()->state.job && present && isSameJob(*m_searcher.plan()->state.job, *present);
}

void SearchPreset::put(qint64 candidate, Side side) {
    if (isOfPresentJob())
        m_searcher.requestStrategy(CandidateId::ofRow(candidate), side);
}

void SearchPreset::apply(CandidateId id, Side side, const std::shared_ptr<const Strategy> &strategy) {
    const SearchPlan &plan = *m_searcher.plan();
    if (!isOfPresentJob())
        return;
    const QString name = candidateName(m_searcher, id);
    SessionState next = m_session.state();
    SideState &target = next.side(side);
    const SideState &searched = plan.state.side(Side::A);
    target.policy = searched.policy;
    target.cluster = searched.cluster;
    target.clusterSource = searched.clusterSource;
    if (id.kind != CandidateId::Kind::Trial)
        target.source = Built{name.toStdString()};
    else
        target.source = replaced(target.source, strategy, name.toStdString());
    next.compare = next.compare || side == Side::B;
    m_session.change(std::move(next), side == Side::A ? tr("%1 as A").arg(name) : tr("%1 as B").arg(name));
    m_plot->mark(id.row());
    table().select(id.row());
}

void SearchPreset::refreshStart() {
    const bool running = m_searcher.status() == Searcher::Status::Running;
    const QString reason = whyNotSimulated(m_session.state());
    m_start->setEnabled(reason.isEmpty() && !running && problem().isEmpty());
    m_start->setToolTip(plainTip(!reason.isEmpty() ? reason
                                 : running         ? tr("A search is running: stop it first.")
                                 : !problem().isEmpty()
                                     ? problem()
                                     : tr("Search with these settings; the project keeps the trials of earlier searches.")));
}

void SearchPreset::refreshFigures() {
    const QString best = bestText();
    m_bestLine->setText(best);
    m_bestLine->setToolTip(plainTip(best + QLatin1Char('\n') +
                                    tr("Hit rate: %1 Tuned: %2 No synchronous strategy is faster than the compute alone.")
                                        .arg(explained("Hit rate"), explained("Tuned baseline"))));
    m_bestLine->setVisible(!best.isEmpty());
    showChosenPlot();
    m_explain->setVisible(!best.isEmpty());
    m_explain->setEnabled(m_searcher.status() != Searcher::Status::Running);
    const std::int64_t trial = best.isEmpty() ? -1 : m_searcher.history().bestTrial(m_searcher.plan()->objective);
    const std::string rule = trial < 0 ? std::string() : m_searcher.explanation(CandidateId::ofRow(trial));
    const QString whole = tr("its rule: %1").arg(saidRule(rule));
    m_ruleLine->setText(whole);
    m_ruleLine->setToolTip(plainTip(whole));
    m_ruleLine->setVisible(!rule.empty());
}

void SearchPreset::showChosenPlot() {
    const bool ranks = !m_searcher.history().phases.empty(); // else there is no trust to show, even if a project chose it
    m_shown->setVisible(ranks);
    m_plots->setCurrentIndex(ranks ? m_shown->currentIndex() : 0);
}

void SearchPreset::refresh() {
    const bool startHadFocus = m_start->hasFocus(), stopHadFocus = stopButton().hasFocus();
    setRunState(runState());
    refreshStart();
    // Esc and Enter keep working: the focus stays on whichever of the two can be pressed.
    if (startHadFocus && !m_start->isEnabled())
        stopButton().setFocus();
    else if (stopHadFocus && !stopButton().isEnabled())
        (m_start->isEnabled() ? static_cast<QWidget *>(m_start) : &m_method->nameBox())->setFocus();
    refreshFigures();
    table().setEmptyText(emptyText());
}

} // namespace syncopate::ui
