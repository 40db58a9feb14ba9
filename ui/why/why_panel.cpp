// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/why/why_panel.h"

#include "engine/analyze/comparable.h"
#include "engine/session/first_contact.h"
#include "engine/session/take_remedy.h"
#include "ui/session/simulate_side.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"
#include "ui/theme/translation.h"
#include "ui/why/cause_bar.h"
#include "ui/why/cause_table.h"
#include "ui/why/link_table.h"
#include "ui/why/no_answer.h"
#include "ui/why/scaling_view.h"
#include "ui/why/share_table.h"
#include "ui/why/tornado.h"
#include "ui/why/why_bounds.h"
#include "ui/why/why_parts.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <array>
#include <variant>

namespace syncopate::ui {

namespace {

constexpr int linesOfTexts = 4; ///< at most, above the tables and plots

} // namespace

WhyPanel::WhyPanel(const Theme &theme, Session &session, QWidget *parent)
    : QWidget(parent), m_session(session), m_stragglers(theme), m_side(new QComboBox), m_shown(new QComboBox),
      m_what(new ElidedLabel(Qt::ElideRight, linesOfTexts)), m_bounds(new ElidedLabel(Qt::ElideRight, linesOfTexts)),
      m_remedyState(new ElidedLabel(Qt::ElideRight, linesOfTexts)), m_whole(new QToolButton), m_simulation(new QToolButton),
      m_bar(new CauseBar(theme)), m_causes(new CauseTable(theme)), m_remedies(new RemedyTable(theme)),
      m_tornado(new Tornado(theme)), m_scaling(new ScalingView(theme, session)), m_shares(new ShareTable), m_links(new LinkTable),
      m_noRemedies(new NoAnswer(tr("Why there are no remedies"))),
      m_noneBeside(new NoAnswer(tr("Why there is nothing to show"))) {
    auto *columns = new QSplitter;
    columns->setChildrenCollapsible(false);
    columns->addWidget(makeCauses());
    columns->addWidget(makeRemedies());
    columns->addWidget(makeBeside());
    columns->setSizes({410, 480, 360});
    constexpr std::array minWidths{280, 380, 270}; // in which causes, remedies and plots can be read; a narrower panel scrolls
    for (int column = 0; column < columns->count(); ++column)
        columns->widget(column)->setMinimumWidth(minWidths[static_cast<std::size_t>(column)]);
    auto *scroll = new QScrollArea;
    scroll->setWidget(columns);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus); // focus belongs to the tables
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scroll);

    m_pause.setSingleShot(true);
    m_pause.setInterval(150);
    connect(&m_pause, &QTimer::timeout, this, &WhyPanel::ask);
    connect(&session, &Session::runsChanged, this, &WhyPanel::runsChanged);
    connect(&session, &Session::stateChanged, this, [this] {
        m_analyst.cancel(); // the answer would be about a state that no longer exists
        m_interrupted = true;
        if (m_seen && !(m_answer && m_answer->complete)) // the side asked about may not change, and the other one may take long
            m_pause.start();
        m_side->setEnabled(m_session.state().compare);
        if (!m_session.state().compare)
            m_question.side = Side::A;
        m_side->setCurrentIndex(static_cast<int>(indexOf(m_question.side)));
        m_scaling->setSide(m_question.side);
    });
    connect(&m_analyst, &Analyst::answered, this, &WhyPanel::show);
    connect(&m_stragglers, &StragglerTables::changed, this, [this] {
        if (m_causePages->currentIndex() == 1)
            showStragglers();
    });
    connect(&theme, &Theme::themeChanged, this, [this] {
        if (m_answer)
            show(m_answer);
    });
    clear(tr("Nothing is simulated yet."));
}

QTableWidget &WhyPanel::causes() { return *m_causes; }

QTableWidget &WhyPanel::shares() { return *m_shares; }

QTableWidget &WhyPanel::links() { return *m_links; }

WhyPanel::Beside WhyPanel::beside() const { return static_cast<Beside>(m_shown->currentData().toInt()); }

void WhyPanel::showBeside(Beside page) {
    m_shown->setCurrentIndex(std::max(0, m_shown->findData(page)));
    refreshBeside();
}

void WhyPanel::refreshBeside() {
    const Beside page = beside();
    const bool noLinks = page == Links && m_answer && m_answer->links.empty();
    const bool none = page != Scaling && (!m_answer || noLinks);
    m_noneBeside->setReason(noLinks ? tr("No link limits this: a faster one would save nothing.") : m_whyNoKnobs);
    m_noneBeside->setVisible(none);
    m_bounds->setVisible(page != Scaling);
    m_tornado->setVisible(page == Knobs && !none);
    m_links->setVisible(page == Links && !none);
    m_shares->setVisible(page == Shares && !none);
    for (QWidget *widget : {m_scaling->header(), static_cast<QWidget *>(m_scaling)})
        widget->setVisible(page == Scaling);
    m_scaling->setSeen(m_seen && page == Scaling);
}

void WhyPanel::offerShares(bool ofPlan) {
    const int third = m_shown->count() - 1;
    if (m_shown->itemData(third).toInt() == (ofPlan ? Shares : Links))
        return;
    const bool wasShown = m_shown->currentIndex() == third;
    {
        const QSignalBlocker blocker(m_shown);
        m_shown->setItemText(third, ofPlan ? tr("Shares") : tr("Links"));
        m_shown->setItemData(third, ofPlan ? Shares : Links);
        if (ofPlan)
            m_shown->setCurrentIndex(third);
        else if (wasShown)
            m_shown->setCurrentIndex(0);
    }
    refreshBeside();
}

void WhyPanel::askWait(Side side, std::int32_t worker, double seconds) {
    m_question = {side, ComputeWait{worker, seconds}};
    m_answer.reset();
    m_side->setCurrentIndex(static_cast<int>(indexOf(side)));
    m_scaling->setSide(side);
    ask();
}

void WhyPanel::askIteration(Side side) {
    m_question = {side, {}};
    m_answer.reset();
    m_side->setCurrentIndex(static_cast<int>(indexOf(side)));
    m_scaling->setSide(side);
    ask();
}

void WhyPanel::setSeen(bool seen) {
    if (seen == m_seen)
        return;
    m_seen = seen;
    m_scaling->setSeen(seen && beside() == Scaling);
    if (!seen) {
        m_pause.stop();
        m_analyst.cancel();
        m_interrupted = true;
        if (m_answer && !m_answer->complete)
            m_answer.reset(); // asked again when it becomes visible again
    } else if (!m_answer || m_outdated || m_answer->run != m_session.run(m_question.side)) {
        ask();
    }
    Q_EMIT answerChanged();
}

void WhyPanel::runsChanged() {
    if (m_answer && m_answer->run == m_session.run(m_answer->question.side) && m_answer->complete)
        return; // the other side changed
    const bool sameRun = m_asked && m_asked == m_session.run(m_question.side);
    if (sameRun && !m_interrupted)
        return; // as above, and the answer is on its way
    if (!sameRun)
        m_question.wait.reset(); // the new run has other tasks
    if (m_seen)
        m_pause.start();
}

void WhyPanel::searchesChanged() {
    m_outdated = true;
    if (m_seen)
        m_pause.start();
}

void WhyPanel::ask() {
    if (!m_seen)
        return;
    if (m_session.isStale(m_question.side)) {
        m_pause.start();
        return;
    }
    const auto run = m_session.run(m_question.side);
    if (!run) {
        const auto &error = m_session.error(m_question.side);
        clear(error ? tr("Cannot be simulated: %1").arg(QString::fromStdString(error->what)) : tr("Nothing is simulated yet."));
        return;
    }
    if (!run->simulation() && !run->plan()) {
        showMeasured(*run);
        return;
    }
    m_outdated = false;
    m_interrupted = false;
    m_asked = run;
    m_whyNoKnobs = tr("Finding the causes…");
    m_analyst.ask(m_question, m_session.state(), run, m_searched ? m_searched() : std::vector<BestTrial>());
}

QString WhyPanel::measuredText(const ShownRun &run) const {
    const AreaStatistics &area = run.window();
    const QString length = secondsText(area.windowSeconds), computes = secondsText(area.computeSeconds);
    const QString exposed = secondsText(area.exposedSeconds), host = secondsText(hostWaitSeconds(run.recording(), area));
    return area.copySeconds > 0
               ? tr("Measured, %1: computes %2, copies memory for %3, waits %4 for communication and %5 for its host or for "
                    "other ranks. Only a simulation can say what caused the waits.")
                     .arg(length, computes, secondsText(area.copySeconds), exposed, host)
               : tr("Measured, %1: computes %2, waits %3 for communication and %4 for its host or for other ranks. "
                    "Only a simulation can say what caused the waits.")
                     .arg(length, computes, exposed, host);
}

void WhyPanel::showMeasured(const ShownRun &run) {
    const SessionState &state = m_session.state();
    const Side other = m_question.side == Side::A ? Side::B : Side::A;
    const bool isMeasured = run.recording().measured;
    clear(isMeasured ? measuredText(run)
                     : tr("This side shows played steps, whose causes are not known. Choose a builder to simulate it."));
    const bool otherIsSimulated = state.compare && state.side(other).hasScenario();
    m_simulation->setText(otherIsSimulated ? tr("Explain %1").arg(other == Side::A ? tr("A") : tr("B"))
                                           : tr("Simulate this side"));
    m_simulation->setToolTip(plainTip(otherIsSimulated ? tr("Explain the other side, which is simulated")
                                                       : tr("Simulate the job on this side, with all-reduce in buckets as in "
                                                            "DistributedDataParallel, and explain that; Undo takes it back")));
    m_simulation->setVisible(whyNotSimulated(state).isEmpty());
    if (isMeasured) {
        m_noRemedies->setReason(
            tr("Remedies are found by simulating one change at a time. This side is measured, so no change can be tried."));
        m_whyNoKnobs = tr("Only a simulation can tell the effect of a knob or a faster link. This side is measured.");
    }
    refreshBeside();
    if (!std::holds_alternative<Measured>(state.side(m_question.side).source) || !state.profile ||
        !StragglerTables::areKnownOf(*state.profile))
        return;
    m_stragglers.ask(state.profile);
    showPages(true);
    showStragglers();
}

void WhyPanel::explainSimulation() {
    const Side other = m_question.side == Side::A ? Side::B : Side::A;
    if (m_session.state().compare && m_session.state().side(other).hasScenario()) {
        askIteration(other);
        return;
    }
    SessionState next = m_session.state();
    const SideState simulated = firstContactSides()[indexOf(Side::B)];
    next.side(m_question.side).source = simulated.source;
    next.side(m_question.side).policy = simulated.policy;
    m_session.change(std::move(next), tr("Simulate %1").arg(m_question.side == Side::A ? tr("A") : tr("B")));
}

void WhyPanel::showStragglers() {
    m_what->setText(m_stragglers.rankText());
    m_what->setToolTip(plainTip(m_stragglers.assumptions()));
    m_remedyState->setText(m_stragglers.stepText());
    m_remedyState->setToolTip(plainTip(m_stragglers.assumptions()));
}

void WhyPanel::showPages(bool stragglers) {
    m_bar->setVisible(!stragglers);
    m_what->setWordWrap(stragglers);
    m_remedyState->setWordWrap(stragglers);
    m_causePages->setCurrentIndex(stragglers ? 1 : 0);
    m_remedyPages->setCurrentIndex(stragglers ? 1 : m_answer ? 0 : 2);
    m_what->setToolTip(tr("A task starts when its last parent ends or, if it queued, when the task ahead of it frees the slot.\n"
                          "Following these starts backwards from the next iteration gives the critical path.\n"
                          "Click a gap in a compute lane to ask about that wait."));
    m_remedyState->setToolTip(plainTip(m_remedies->toolTip()));
}

void WhyPanel::clear(const QString &reason) {
    m_analyst.cancel(); // else its next answer would replace the reason
    m_answer.reset();
    showPages(false);
    m_what->setWordWrap(true); // a reason is longer than the line above causes
    m_what->setText(reason);
    m_whole->hide();
    m_simulation->hide();
    m_bar->set({});
    m_causes->fill(nullptr);
    m_remedies->fill(nullptr);
    m_remedyState->clear();
    m_bounds->clear();
    m_tornado->set(nullptr);
    m_shares->fill(nullptr);
    m_links->fill(nullptr);
    offerShares(false);
    m_noRemedies->setReason(reason);
    m_whyNoKnobs = reason;
    refreshBeside();
    Q_EMIT answerChanged();
}

void WhyPanel::show(const std::shared_ptr<const WhyAnswer> &answer) {
    // The same answer is passed again when the theme changes.
    const bool sameCauses = m_answer && m_answer != answer && m_answer->run == answer->run &&
                            m_answer->causes.size() == answer->causes.size() &&
                            m_answer->chain.fromSeconds == answer->chain.fromSeconds;
    m_answer = answer;
    m_simulation->hide();
    showPages(false);
    if (!sameCauses)
        showCauses();
    showRemedies();
    m_tornado->set(answer);
    m_shares->fill(answer->run->plan() ? answer : nullptr);
    m_links->fill(answer);
    offerShares(answer->run->plan() != nullptr);
    refreshBeside();
    const BoundsText bounds = boundsText(*m_answer);
    m_bounds->setText(bounds.sentence);
    m_bounds->setToolTip(plainTip(bounds.toolTip));
    Q_EMIT answerChanged();
}

void WhyPanel::showCauses() {
    const CauseChain &chain = m_answer->chain;
    const double total = chain.toSeconds - chain.fromSeconds;
    m_whole->setVisible(m_answer->question.wait.has_value());
    if (m_answer->causes.empty())
        m_what->setText(tr("The compute stream is busy there, or never computes again; click a gap between two computations."));
    else if (m_answer->question.wait)
        m_what->setText(tr("This wait, %1, because of:").arg(secondsText(total)));
    else
        m_what->setText(tr("The iteration, %1, because of:").arg(secondsText(total)));
    m_bar->set(chain);
    m_causes->fill(m_answer);
    if (m_causes->isCut())
        m_what->setText(m_what->text() + QLatin1Char(' ') +
                        tr("(the %1 longest of %2 causes)").arg(m_causes->rowCount()).arg(m_answer->causes.size()));
}

void WhyPanel::showRemedies() {
    const bool hasCauses = !m_answer->causes.empty(); // without, only knobs are turned, for the whole iteration
    m_remedies->fill(hasCauses ? m_answer : nullptr);
    if (!hasCauses)
        m_remedyState->clear();
    else if (!m_answer->complete)
        m_remedyState->setText(tr("What would help (still simulating, %1 tried…)").arg(m_answer->tried));
    else if (const double host = m_answer->chain.seconds(CauseKind::HostWait); !hasTraffic(m_answer->chain) && host > 0)
        m_remedyState->setText(tr("Communication does not limit this iteration: no remedy of synchronisation would help. The "
                                  "device waits %1 for its host; fewer launches (CUDA graphs, larger batches) would help.")
                                   .arg(secondsText(host)));
    else if (!hasTraffic(m_answer->chain))
        m_remedyState->setText(tr("Compute alone limits this iteration: no remedy of synchronisation would help."));
    else if (m_remedies->helpfulCount() == 0)
        m_remedyState->setText(tr("None of %n changes that were tried helps.", nullptr, static_cast<int>(m_answer->tried)));
    else
        m_remedyState->setText(tr("What would help, of %n changes that were tried", nullptr, static_cast<int>(m_answer->tried)));
}

void WhyPanel::tryRemedy(std::size_t index) {
    if (!m_answer || index >= m_answer->remedies.size() ||
        !m_session.state().sameScenario(m_answer->state, m_answer->question.side))
        return; // the answer is no longer about the side's scenario
    const RemedyRow &wanted = m_answer->remedies[index];
    if (!wanted.iterationSeconds)
        return;
    const Side side = m_answer->question.side;
    const Run *simulation = m_answer->run->simulation();
    m_session.change(simulation ? withRemedy(m_session.state(), side, simulation->scenario, wanted.remedy)
                                : withPlanRemedy(m_session.state(), side, wanted.remedy),
                     worded(wanted.remedy.text));
}

} // namespace syncopate::ui
