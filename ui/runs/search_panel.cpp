// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/search_panel.h"

#include "engine/search/random_search.h"
#include "engine/search/search_methods.h"
#include "engine/strategy/builders.h"
#include "ui/runs/search_plot.h"
#include "ui/theme/format.h"
#include "ui/theme/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QShortcut>
#include <QSpinBox>
#include <QVBoxLayout>
#include <cmath>

namespace syncopate::ui {

namespace {

constexpr int maxTrials = 100'000; ///< of the explorer, whose table and dots show each; the command line takes more

QSpinBox *numberBox(int min, int max, int value, const QString &name, const QString &toolTip, const QString &suffix = {}) {
    auto *box = new QSpinBox;
    box->setRange(min, max);
    box->setValue(value);
    box->setSuffix(suffix);
    box->setAccessibleName(name);
    box->setToolTip(toolTip);
    box->setMinimumWidth(58);
    return box;
}

QHBoxLayout *row(std::initializer_list<QWidget *> widgets) {
    auto *line = new QHBoxLayout;
    line->setSpacing(6);
    for (QWidget *widget : widgets)
        line->addWidget(widget);
    return line;
}

} // namespace

SearchPanel::SearchPanel(const Theme &theme, Session &session, Searcher &searcher, QWidget *parent)
    : QWidget(parent), m_theme(theme), m_session(session), m_searcher(searcher), m_method(new QComboBox),
      m_objective(new QComboBox), m_balance(new QCheckBox), m_merge(new QCheckBox), m_start(new QPushButton(tr("Start"))),
      m_stop(new QPushButton(tr("Stop"))), m_state(new QLabel), m_bestLine(new QLabel), m_plot(new SearchPlot(theme, searcher)) {
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->setSpacing(8);
    setFocusPolicy(Qt::ClickFocus);
    layout->addWidget(makeSheet());
    auto *right = new QVBoxLayout;
    right->setSpacing(2);
    auto *lines = row({m_state, m_bestLine});
    lines->setStretch(0, 1);
    for (QLabel *label : {m_state, m_bestLine})
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_state->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // gives way to the figures, in two lines if need be
    m_state->setWordWrap(true);
    m_state->setAccessibleName(tr("State of the search"));
    m_bestLine->setAccessibleName(tr("Best candidate so far"));
    right->addLayout(lines);
    right->addWidget(m_plot, 1);
    layout->addLayout(right, 1);

    auto *escape = new QShortcut(QKeySequence(Qt::Key_Escape), this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut);
    connect(escape, &QShortcut::activated, this, &SearchPanel::stop);
    const auto enableEscape = [this, escape] { escape->setEnabled(m_searcher.status() == Searcher::Status::Running); };
    enableEscape();
    connect(&searcher, &Searcher::statusChanged, escape, enableEscape);
    connect(m_start, &QPushButton::clicked, this, &SearchPanel::start);
    connect(m_stop, &QPushButton::clicked, this, [this] {
        if (m_searcher.status() == Searcher::Status::Running)
            stop();
        else
            resume();
    });
    connect(m_plot, &SearchPlot::clicked, this, [this](qint64 id) { put(id, Side::B); });
    connect(&searcher, &Searcher::strategyReady, this, &SearchPanel::apply);
    connect(&searcher, &Searcher::statusChanged, this, &SearchPanel::refresh);
    connect(&searcher, &Searcher::progressed, this, &SearchPanel::refresh);
    connect(&session, &Session::stateChanged, this, &SearchPanel::refresh);
    for (QComboBox *box : {m_method, m_objective})
        connect(box, &QComboBox::currentIndexChanged, this, &SearchPanel::settingsChanged);
    for (QCheckBox *box : {m_balance, m_merge})
        connect(box, &QCheckBox::toggled, this, &SearchPanel::settingsChanged);
    for (const auto &[name, box] : numbers())
        connect(box, &QSpinBox::valueChanged, this, &SearchPanel::settingsChanged);
    refresh();
}

QWidget *SearchPanel::makeSheet() {
    auto *sheet = new QWidget;
    auto *form = new QFormLayout(sheet);
    form->setContentsMargins(0, 0, 0, 0);
    form->setVerticalSpacing(3);
    form->setHorizontalSpacing(8);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    const SamplerSettings defaults;
    for (const ExpressionInfo &method : searchMethods())
        m_method->addItem(method.name == "random" ? tr("Random+G") : QString::fromStdString(method.name),
                          QString::fromStdString(method.name));
    m_method->setAccessibleName(tr("Method"));
    m_method->setToolTip(tr("Random+G of AutoDist: random strategies, guided by the constraints below, each simulated."));
    m_objective->addItem(tr("iteration time"));
    m_objective->addItem(tr("exposed communication"));
    m_objective->setAccessibleName(tr("Objective"));
    m_objective->setToolTip(tr("Objective to minimise: the time of a steady iteration, or the part of it in which worker 0 "
                               "communicates while its compute stream waits."));
    m_budget = numberBox(1, maxTrials, 200, tr("Budget"), tr("Strategies to try."), tr(" trials"));
    m_seed = numberBox(0, 2147483647, 1, tr("Seed"), tr("The same seed tries the same strategies."));
    m_balance->setText(tr("c_lb"));
    m_balance->setChecked(defaults.balanceLoads);
    m_balance->setToolTip(
        tr("Load balance: served variables go, the largest first, to the server with most room for its bandwidth. "
           "Off: to any server."));
    m_slack = numberBox(
        0, 1 << 20, 0, tr("Slack between servers"),
        tr("How much fuller than the emptiest a server may be that is still likely to be chosen (temperature of the softmax). "
           "0: the paper's, one byte."),
        tr(" KiB slack"));
    m_merge->setText(tr("c_am"));
    m_merge->setChecked(defaults.mergeAdjacent);
    m_merge->setToolTip(tr("Adjacent merging: neighbouring layers are reduced together, in groups of about the same size. "
                           "Off: groups are drawn variable by variable."));
    m_minGroups = numberBox(1, 10000, defaults.minGroups, tr("At least so many groups"), tr("Fewest all-reduce groups."));
    m_maxGroups = numberBox(1, 10000, defaults.maxGroups, tr("At most so many groups"), tr("Most all-reduce groups."));
    m_whole = numberBox(0, 1 << 20, 98, tr("Variables up to this size stay whole"),
                        tr("Variables up to this size are never partitioned, larger ones now and then."), tr(" KiB"));
    m_maxParts = numberBox(2, SamplerSettings::limitOfParts, defaults.maxParts, tr("Most parts of a variable"),
                           tr("Most parts that a variable is cut into."), tr(" parts"));
    m_start->setDefault(true);
    m_start->setAutoDefault(true);
    m_stop->setAutoDefault(true);
    const auto label = [](const QString &text) {
        auto *made = new QLabel(text);
        made->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
        return made;
    };
    form->addRow(tr("Method"), row({m_method, m_budget}));
    form->addRow(tr("Objective"), row({m_objective, label(tr("seed")), m_seed}));
    form->addRow(m_balance, row({m_slack}));
    form->addRow(m_merge, row({m_minGroups, label(tr("to")), m_maxGroups, label(tr("groups"))}));
    form->addRow(tr("Whole up to"), row({m_whole, label(tr("else up to")), m_maxParts}));
    form->addRow(row({m_start, m_stop}));
    connect(m_balance, &QCheckBox::toggled, m_slack, &QWidget::setEnabled);
    sheet->setMaximumHeight(sheet->sizeHint().height());
    auto *scroll = new QScrollArea; // a low panel scrolls rather than squeezes
    scroll->setWidget(sheet);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus); // its controls have it
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFixedWidth(sheet->minimumSizeHint().width() + scroll->verticalScrollBar()->sizeHint().width());
    return scroll;
}

std::string SearchPanel::method() const {
    SamplerSettings sampler;
    sampler.balanceLoads = m_balance->isChecked();
    sampler.loadTemperatureBytes = std::max(1.0, m_slack->value() * 1024.0);
    sampler.mergeAdjacent = m_merge->isChecked();
    sampler.minGroups = m_minGroups->value();
    sampler.maxGroups = m_maxGroups->value();
    sampler.wholeUpToBytes = m_whole->value() * 1024.0;
    sampler.maxParts = m_maxParts->value();
    return formatRandomSearch(sampler);
}

SearchPlan SearchPanel::plan() const {
    SearchPlan plan;
    plan.state = m_session.state();
    plan.method = method();
    plan.objective = m_objective->currentIndex() == 1 ? SearchObjective::ExposedCommunication : SearchObjective::IterationTime;
    plan.seed = static_cast<std::uint64_t>(m_seed->value());
    plan.trials = static_cast<std::uint64_t>(m_budget->value());
    return plan;
}

std::vector<std::pair<QString, QSpinBox *>> SearchPanel::numbers() const {
    return {{QStringLiteral("trials"), m_budget},        {QStringLiteral("seed"), m_seed},
            {QStringLiteral("slackKib"), m_slack},       {QStringLiteral("leastGroups"), m_minGroups},
            {QStringLiteral("mostGroups"), m_maxGroups}, {QStringLiteral("wholeUpToKib"), m_whole},
            {QStringLiteral("mostParts"), m_maxParts}};
}

QJsonObject SearchPanel::settings() const {
    QJsonObject settings{{QStringLiteral("method"), m_method->currentData().toString()},
                         {QStringLiteral("objective"), m_objective->currentIndex()},
                         {QStringLiteral("balance"), m_balance->isChecked()},
                         {QStringLiteral("merge"), m_merge->isChecked()}};
    for (const auto &[name, box] : numbers())
        settings.insert(name, box->value());
    return settings;
}

void SearchPanel::setSettings(const QJsonObject &settings) {
    if (const int method = m_method->findData(settings.value(QStringLiteral("method")).toString()); method >= 0)
        m_method->setCurrentIndex(method);
    m_objective->setCurrentIndex(settings.value(QStringLiteral("objective")).toInt() == 1 ? 1 : 0);
    m_balance->setChecked(settings.value(QStringLiteral("balance")).toBool(m_balance->isChecked()));
    m_merge->setChecked(settings.value(QStringLiteral("merge")).toBool(m_merge->isChecked()));
    for (const auto &[name, box] : numbers())
        box->setValue(settings.value(name).toInt(box->value())); // which keeps to its range
}

void SearchPanel::start() {
    if (m_session.state().job && m_session.state().cluster)
        m_searcher.start(plan());
}

void SearchPanel::stop() { m_searcher.stop(); }
void SearchPanel::resume() { m_searcher.resume(); }

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

void SearchPanel::refresh() {
    const bool running = m_searcher.status() == Searcher::Status::Running;
    const bool loaded = m_session.state().job && m_session.state().cluster;
    const bool startHadFocus = m_start->hasFocus(), stopHadFocus = m_stop->hasFocus();
    const bool resumable = m_searcher.status() == Searcher::Status::Stopped;
    m_stop->setText(running || !resumable ? tr("Stop") : tr("Resume"));
    m_stop->setEnabled((running && !m_searcher.isStopping()) || resumable);
    m_start->setEnabled(loaded && !running);
    // Esc and Enter go on working: the keyboard stays on whichever of the two can be pressed.
    if (startHadFocus && !m_start->isEnabled())
        m_stop->setFocus();
    else if (stopHadFocus && !m_stop->isEnabled())
        (m_start->isEnabled() ? static_cast<QWidget *>(m_start) : this)->setFocus();
    m_start->setToolTip(!loaded   ? tr("Nothing is loaded yet.")
                        : running ? tr("A search is running: stop it first.")
                                  : tr("Search with these settings; earlier results are cleared."));
    m_stop->setToolTip(resumable ? tr("Go on with the same seed, exactly as if it had not been stopped.")
                                 : tr("Stop and keep the results (Esc)."));
    QString text = stateText();
    if (const QString stale = staleness(); !stale.isEmpty())
        text += QStringLiteral(" · ") + stale;
    m_state->setText(text);
    m_state->setToolTip(text);
    m_bestLine->setText(bestText());
    m_bestLine->setToolTip(tr("Hit rate: trials better than the best builder's strategy / trials so far."));
}

} // namespace syncopate::ui
