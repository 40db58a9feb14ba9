// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/why/why_panel.h"

#include "engine/session/take_remedy.h"
#include "ui/knobs/knob_bindings.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"
#include "ui/why/cause_bar.h"
#include "ui/why/tornado.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <numeric>

namespace syncopate::ui {

namespace {

QTableWidget *makeTable(const QStringList &columns, const QString &name) {
    auto *table = new QTableWidget(0, static_cast<int>(columns.size()));
    table->setHorizontalHeaderLabels(columns);
    table->setAccessibleName(name);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(22);
    table->horizontalHeader()->setHighlightSections(false);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->setFrameShape(QFrame::NoFrame);
    table->setTabKeyNavigation(false);
    return table;
}

/// Hides a column while its table is narrower than `width`, so that the others can be read.
class ColumnOfWideTable final : public QObject {
public:
    ColumnOfWideTable(QTableWidget *table, int column, int width)
        : QObject(table), m_table(table), m_column(column), m_width(width) {
        table->installEventFilter(this);
    }

protected:
    bool eventFilter(QObject *, QEvent *event) override {
        if (event->type() == QEvent::Resize)
            m_table->setColumnHidden(m_column, m_table->width() < m_width);
        return false;
    }

private:
    QTableWidget *m_table;
    int m_column, m_width;
};

QTableWidgetItem *cell(const QString &text, Qt::Alignment alignment = Qt::AlignLeft) {
    auto *item = new QTableWidgetItem(text);
    item->setTextAlignment(alignment | Qt::AlignVCenter);
    item->setToolTip(plainTip(text));
    return item;
}

QWidget *column(std::initializer_list<QWidget *> widgets) {
    auto *holder = new QWidget;
    auto *layout = new QVBoxLayout(holder);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->setSpacing(4);
    for (QWidget *widget : widgets)
        layout->addWidget(widget, qobject_cast<QTableWidget *>(widget) || qobject_cast<Tornado *>(widget) ? 1 : 0);
    return holder;
}

/// Rows of causes: chains have thousands of pieces where messages are cut small, which took a third of a second to fill in.
constexpr std::size_t mostCauses = 100;

/// The numbers of the `most` causes that took longest, in the order of time.
std::vector<std::size_t> longest(const std::vector<CauseRow> &causes, std::size_t most) {
    std::vector<std::size_t> numbers(causes.size());
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    if (numbers.size() <= most)
        return numbers;
    const auto seconds = [&causes](std::size_t c) { return causes[c].endSeconds - causes[c].startSeconds; };
    const auto end = numbers.begin() + static_cast<std::ptrdiff_t>(most);
    std::nth_element(numbers.begin(), end, numbers.end(), [&](std::size_t a, std::size_t b) { return seconds(a) > seconds(b); });
    numbers.erase(end, numbers.end());
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

} // namespace

WhyPanel::WhyPanel(const Theme &theme, Session &session, QWidget *parent)
    : QWidget(parent), m_theme(theme), m_session(session), m_side(new QComboBox), m_what(plainLabel()), m_bounds(plainLabel()),
      m_remedyState(plainLabel()), m_whole(new QToolButton), m_bar(new CauseBar(theme)),
      m_causes(makeTable({tr("Cause"), tr("Time"), tr("Share"), tr("How")}, tr("Causes"))),
      m_remedies(makeTable({tr("Remedy"), tr("Iteration"), tr("Change"), {}}, tr("Remedies"))), m_tornado(new Tornado(theme)) {
    auto *columns = new QSplitter;
    columns->setChildrenCollapsible(false);
    columns->addWidget(makeCauses());
    columns->addWidget(makeRemedies());
    columns->addWidget(makeSensitivities());
    columns->setSizes({410, 480, 360});
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(columns);

    m_pause.setSingleShot(true);
    m_pause.setInterval(150);
    connect(&m_pause, &QTimer::timeout, this, &WhyPanel::ask);
    connect(&session, &Session::runsChanged, this, &WhyPanel::runsChanged);
    connect(&session, &Session::stateChanged, this, [this] {
        m_analyst.cancel(); // the answer would be about a state that is no more
        m_interrupted = true;
        if (m_seen && !(m_answer && m_answer->complete)) // the asked side may stay as it is, and the other one take long
            m_pause.start();
        m_side->setEnabled(m_session.state().compare);
        if (!m_session.state().compare)
            m_question.side = Side::A;
        m_side->setCurrentIndex(static_cast<int>(indexOf(m_question.side)));
    });
    connect(&m_analyst, &Analyst::answered, this, &WhyPanel::show);
    connect(&theme, &Theme::themeChanged, this, [this] {
        if (m_answer)
            show(m_answer);
    });
    clear(tr("Nothing is simulated yet."));
}

QWidget *WhyPanel::makeCauses() {
    m_side->addItems({QStringLiteral("A"), QStringLiteral("B")});
    m_side->setAccessibleName(tr("Side that is explained"));
    m_side->setToolTip(tr("Explain A or B"));
    connect(m_side, &QComboBox::activated, this, [this](int side) { askIteration(static_cast<Side>(side)); });
    m_whole->setText(tr("Whole iteration"));
    m_whole->setToolTip(tr("Explain the iteration instead of this wait"));
    connect(m_whole, &QToolButton::clicked, this, [this] { askIteration(m_question.side); });
    m_what->setToolTip(tr("A task starts when its last parent ends or, where it then queued, when the task before it gave the\n"
                          "slot up. Walking that backwards from the next iteration's start gives the critical path.\n"
                          "Click a gap in a compute lane to ask about that wait."));
    m_what->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_what->setMinimumWidth(40);
    auto *top = new QWidget;
    auto *row = new QHBoxLayout(top);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_side);
    row->addWidget(m_what, 1);
    row->addWidget(m_whole);
    m_causes->setToolTip(tr("The critical path in stretches of one kind, in their order; a row shows its place in the timeline"));
    QHeaderView *header = m_causes->horizontalHeader();
    header->setSectionResizeMode(0, QHeaderView::Stretch);
    header->resizeSection(1, 68);
    header->resizeSection(2, 54);
    header->resizeSection(3, 110);
    new ColumnOfWideTable(m_causes, 3, 400);
    const auto go = [this](int r) {
        if (m_answer && r >= 0 && r < std::ssize(m_shownCauses)) {
            const CauseRow &cause = m_answer->causes[m_shownCauses[static_cast<std::size_t>(r)]];
            Q_EMIT stretchWanted(m_answer->question.side, cause.startSeconds, cause.endSeconds, cause.task);
        }
    };
    connect(m_causes, &QTableWidget::currentCellChanged, this, [this, go](int r, int, int, int) {
        if (m_causes->hasFocus())
            go(r);
    });
    connect(m_causes, &QTableWidget::cellClicked, this, [go](int r, int) { go(r); });
    return column({top, m_bar, m_causes});
}

QWidget *WhyPanel::makeRemedies() {
    m_remedyState->setToolTip(
        tr("Each remedy is simulated on its own, from the present state: what the causes suggest, half and\n"
           "twice each knob, every builder as released and with the arguments of a small grid (its best),\n"
           "every policy that does anything with this strategy, and the winners of searches for this job.\n"
           "Try: make it the state; Undo takes it back."));
    m_remedies->setToolTip(plainTip(m_remedyState->toolTip()));
    QHeaderView *header = m_remedies->horizontalHeader();
    header->setSectionResizeMode(0, QHeaderView::Stretch);
    header->resizeSection(1, 76);
    header->setSectionResizeMode(2, QHeaderView::ResizeToContents);
    header->resizeSection(3, 48);
    header->setMinimumSectionSize(40);
    new ColumnOfWideTable(m_remedies, 1, 460);
    connect(m_remedies, &QTableWidget::cellDoubleClicked, this, [this](int row, int) {
        if (remedyAt(row))
            chooseRow(row);
    });
    connect(m_remedies, &QTableWidget::cellClicked, this, [this](int row, int) {
        if (!remedyAt(row))
            chooseRow(row);
    });
    connect(m_remedies, &QTableWidget::cellActivated, this, [this](int row, int) {
        if (m_remedies->hasFocus())
            chooseRow(row);
    });
    return column({m_remedyState, m_remedies});
}

QWidget *WhyPanel::makeSensitivities() {
    m_bounds->setToolTip(tr("The same strategy cannot be carried out faster than:\n"
                            "compute: the work of the busiest compute stream;\n"
                            "network: the bytes over the busiest link at its rate;\n"
                            "dependencies: the longest chain of the present tasks if nothing queued or shared a link."));
    m_bounds->setMinimumWidth(40);
    m_bounds->setWordWrap(true);
    connect(m_tornado, &Tornado::valueWanted, this, [this](std::size_t dimension, double value) {
        const KnobBinding knob = knobBindings()[dimension];
        SessionState next = m_session.state();
        const double from = knob.value(next);
        knob.set(next, value);
        m_session.change(std::move(next), tr("%1 %2 → %3").arg(knob.info.name, knob.info.format(from), knob.info.format(value)));
    });
    return column({m_bounds, m_tornado});
}

void WhyPanel::askWait(Side side, std::int32_t worker, double seconds) {
    m_question = {side, ComputeWait{worker, seconds}};
    m_answer.reset();
    m_side->setCurrentIndex(static_cast<int>(indexOf(side)));
    ask();
}

void WhyPanel::askIteration(Side side) {
    m_question = {side, {}};
    m_answer.reset();
    m_side->setCurrentIndex(static_cast<int>(indexOf(side)));
    ask();
}

void WhyPanel::setSeen(bool seen) {
    if (seen == m_seen)
        return;
    m_seen = seen;
    if (!seen) {
        m_pause.stop();
        m_analyst.cancel();
        m_interrupted = true;
        if (m_answer && !m_answer->complete)
            m_answer.reset(); // asked again when it is seen again
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
        m_question.wait.reset(); // other tasks now
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
    if (run->plan()) {
        clear(tr("This side shows a plan. Its critical path is drawn in its timeline while nothing is selected there; causes and "
                 "remedies are known of strategies: choose a builder for it."));
        return;
    }
    if (!run->simulation()) {
        clear(tr("This side shows what was measured. Causes are known of simulations: choose a builder for it."));
        return;
    }
    m_outdated = false;
    m_interrupted = false;
    m_asked = run;
    m_analyst.ask(m_question, m_session.state(), run, m_searched ? m_searched() : std::vector<BestTrial>());
}

void WhyPanel::clear(const QString &reason) {
    m_analyst.cancel(); // or its next answer would take the reason's place
    m_answer.reset();
    m_what->setText(reason);
    m_whole->hide();
    m_bar->set({});
    m_shownCauses.clear();
    m_causes->setRowCount(0);
    m_remedies->setRowCount(0);
    m_remedyState->clear();
    m_bounds->clear();
    m_tornado->set(nullptr);
    Q_EMIT answerChanged();
}

void WhyPanel::show(const std::shared_ptr<const WhyAnswer> &answer) {
    // The same answer again is of another theme.
    const bool sameCauses = m_answer && m_answer != answer && m_answer->run == answer->run &&
                            m_answer->causes.size() == answer->causes.size() &&
                            m_answer->chain.fromSeconds == answer->chain.fromSeconds;
    m_answer = answer;
    if (!sameCauses)
        showCauses();
    showRemedies();
    m_tornado->set(answer);
    const double present = answer->run->recording().iterationSeconds;
    const IterationBounds &bounds = answer->bounds;
    const auto gain = [present](double bound) {
        const double share = 1 - bound / present;
        return share < 0.0005 ? tr("nothing") : tr("at most %1 %").arg(100 * share, 0, 'f', 1);
    };
    if (answer->run->simulation()->graph.workersInStep)
        m_bounds->setText(
            tr("Bounds: compute %1, network %2 (%3), queues %4 (%5), dependencies %6. To gain by order: %7; by other parts or "
               "buckets: %8.")
                .arg(secondsText(bounds.computeSeconds), secondsText(bounds.networkSeconds),
                     answer->busiestLink.empty() ? tr("no traffic") : QString::fromStdString(answer->busiestLink),
                     secondsText(bounds.queueSeconds),
                     answer->busiestQueue.empty() ? tr("none") : QString::fromStdString(answer->busiestQueue),
                     secondsText(bounds.dependencySeconds), gain(bounds.largest()), gain(bounds.largestOfAnyParts())));
    else
        m_bounds->setText(tr("Workers drift apart: their compute alone takes %1 for a step of all. To gain: %2.")
                              .arg(secondsText(bounds.computeSeconds), gain(bounds.computeSeconds)));
    Q_EMIT answerChanged();
}

void WhyPanel::showCauses() {
    const CauseChain &chain = m_answer->chain;
    const double total = chain.toSeconds - chain.fromSeconds;
    m_whole->setVisible(m_answer->question.wait.has_value());
    if (m_answer->causes.empty())
        m_what->setText(tr("The compute stream is busy there; click a gap."));
    else if (m_answer->question.wait)
        m_what->setText(tr("This wait, %1, because of:").arg(secondsText(total)));
    else
        m_what->setText(tr("The iteration, %1, because of:").arg(secondsText(total)));
    m_bar->set(chain);
    m_shownCauses = longest(m_answer->causes, mostCauses);
    if (m_shownCauses.size() < m_answer->causes.size())
        m_what->setText(m_what->text() + QLatin1Char(' ') +
                        tr("(the %1 longest of %2 pieces)").arg(m_shownCauses.size()).arg(m_answer->causes.size()));
    m_causes->setRowCount(static_cast<int>(m_shownCauses.size()));
    int r = 0;
    for (const std::size_t c : m_shownCauses) {
        const CauseRow &cause = m_answer->causes[c];
        const double seconds = cause.endSeconds - cause.startSeconds;
        const QString how = QString::fromStdString(cause.how);
        QTableWidgetItem *what = cell(QString::fromStdString(cause.what));
        what->setToolTip(plainTip(how.isEmpty() ? what->text() : what->text() + QStringLiteral("\n") + how));
        QPixmap mark(10, 10);
        mark.fill(causeColor(m_theme, cause.kind));
        what->setIcon(mark);
        m_causes->setItem(r, 0, what);
        m_causes->setItem(r, 1, cell(secondsText(seconds), Qt::AlignRight));
        m_causes->setItem(r, 2, cell(tr("%1 %").arg(100 * seconds / total, 0, 'f', 1), Qt::AlignRight));
        m_causes->setItem(r, 3, cell(how));
        ++r;
    }
}

std::optional<std::size_t> WhyPanel::remedyAt(int row) const {
    const auto r = static_cast<std::size_t>(row);
    if (r == m_helpful)
        return {};
    return r < m_helpful ? r : r - 1;
}

void WhyPanel::unfold(bool on) {
    m_unfolded = on;
    if (m_answer)
        showRemedies();
}

void WhyPanel::showRemedies() {
    const std::vector<RemedyRow> &remedies = m_answer->remedies;
    const double present = m_answer->run->recording().iterationSeconds;
    // Ranked by gain: those that help come first.
    m_helpful = static_cast<std::size_t>(std::ranges::count_if(remedies, &RemedyRow::helps));
    if (!m_answer->complete)
        m_remedyState->setText(tr("What would help (still simulating, %1 tried…)").arg(m_answer->tried));
    else if (!hasTraffic(m_answer->chain))
        m_remedyState->setText(tr("Computing alone decides: no remedy in how variables are synchronised."));
    else if (m_helpful == 0)
        m_remedyState->setText(tr("None of %1 changes that were tried helps.").arg(m_answer->tried));
    else
        m_remedyState->setText(tr("What would help, of %1 changes that were tried").arg(m_answer->tried));
    const bool folds = m_helpful < remedies.size();
    const std::size_t rows = m_unfolded && folds ? remedies.size() + 1 : m_helpful + (folds ? 1 : 0);
    m_remedies->clearSpans();
    m_remedies->setRowCount(static_cast<int>(rows));
    for (int row = 0; row < static_cast<int>(rows); ++row)
        if (const auto index = remedyAt(row))
            showRemedy(row, remedies[*index], present);
        else
            showFold(row);
}

void WhyPanel::showRemedy(int row, const RemedyRow &remedy, double present) {
    m_remedies->setItem(row, 0, cell(QString::fromStdString(remedy.remedy.text)));
    const bool simulated = remedy.iterationSeconds.has_value();
    m_remedies->setItem(row, 1, cell(simulated ? secondsText(*remedy.iterationSeconds) : tr("cannot be"), Qt::AlignRight));
    auto *change = cell(simulated ? secondsDeltaText(present, *remedy.iterationSeconds)
                                  : QString::fromStdString(remedy.iterationSeconds.error().what),
                        Qt::AlignRight);
    if (remedy.helps() || remedy.gain <= -0.0005)
        change->setForeground(m_theme.color(remedy.gain > 0 ? ColorId::Better : ColorId::Worse));
    m_remedies->setItem(row, 2, change);
    if (!qobject_cast<QPushButton *>(m_remedies->cellWidget(row, 3))) {
        auto *button = new QPushButton(tr("Try"));
        button->setAutoDefault(true);
        button->setToolTip(tr("Make this the state (Undo takes it back)"));
        // Rows change places while more is simulated: what was pressed is tried, not what stands there at the release.
        connect(button, &QPushButton::pressed, this,
                [this, row] { m_pressed = m_answer ? m_answer->remedies[*remedyAt(row)].remedy.text : std::string(); });
        connect(button, &QPushButton::clicked, this, &WhyPanel::tryPressed);
        m_remedies->setCellWidget(row, 3, button);
    }
    m_remedies->cellWidget(row, 3)->setEnabled(simulated);
}

void WhyPanel::showFold(int row) {
    m_remedies->removeCellWidget(row, 3);
    for (int c = 1; c < m_remedies->columnCount(); ++c)
        delete m_remedies->takeItem(row, c);
    const std::size_t folded = m_answer->remedies.size() - m_helpful;
    auto *fold =
        cell(QStringLiteral("%1 %2").arg(m_unfolded ? QStringLiteral("\u25be") : QStringLiteral("\u25b8"),
                                         tr("%1 that change nothing, make it slower or cannot be simulated").arg(folded)));
    fold->setForeground(m_theme.color(ColorId::DimText));
    fold->setToolTip(plainTip(m_unfolded ? tr("Click to hide them") : tr("Click to list them")));
    m_remedies->setItem(row, 0, fold);
    m_remedies->setSpan(row, 0, 1, m_remedies->columnCount());
}

void WhyPanel::chooseRow(int row) {
    if (const auto index = remedyAt(row))
        tryRemedy(*index);
    else
        unfold(!m_unfolded);
}

void WhyPanel::tryPressed() {
    if (!m_answer)
        return;
    const auto pressed =
        std::ranges::find_if(m_answer->remedies, [this](const RemedyRow &row) { return row.remedy.text == m_pressed; });
    tryRemedy(static_cast<std::size_t>(pressed - m_answer->remedies.begin()));
}

void WhyPanel::tryRemedy(std::size_t index) {
    if (!m_answer || index >= m_answer->remedies.size() ||
        !m_session.state().sameScenario(m_answer->state, m_answer->question.side))
        return; // the answer is about another scenario than the side's
    const RemedyRow &wanted = m_answer->remedies[index];
    if (!wanted.iterationSeconds)
        return;
    m_session.change(withRemedy(m_session.state(), m_answer->question.side, m_answer->run->simulation()->scenario, wanted.remedy),
                     QString::fromStdString(wanted.remedy.text));
}

} // namespace syncopate::ui
