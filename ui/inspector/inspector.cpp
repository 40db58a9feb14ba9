// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/inspector.h"

#include "ui/session/loaded_state.h"
#include "ui/tables/dense_table.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/scrolled_label.h"
#include "ui/theme/sentences.h"
#include "ui/theme/theme.h"
#include "ui/timeline/ruler.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QTextBrowser>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <utility>

namespace syncopate::ui {

namespace {

using Whose = AreaQuery::Whose;

QString list(const QString &heading, const std::vector<std::string> &lines) {
    if (lines.empty())
        return {};
    QString html = QStringLiteral("<p style='margin:8px 0 2px 0'><b>%1</b></p>").arg(heading.toHtmlEscaped());
    for (const std::string &line : lines)
        html += QStringLiteral("<p style='margin:0 0 3px 8px'>%1</p>").arg(said(line).toHtmlEscaped());
    return html;
}

/// The items of the worker list: the workers' names of both runs, of runs with several.
QList<QPair<QString, Whose>> itemsOf(const std::array<std::shared_ptr<const ShownRun>, 2> &runs) {
    QStringList names, longest;
    for (const auto &run : runs) {
        if (!run || run->workers().size() < 2)
            continue;
        for (const ShownWorker &worker : run->workers()) {
            names += QString::fromStdString(worker.name);
            if (worker.id == run->window().worker)
                longest += names.last();
        }
    }
    if (names.isEmpty())
        return {};
    names.removeDuplicates();
    longest.removeDuplicates();
    QList<QPair<QString, Whose>> items;
    items.emplaceBack(longest.size() == 1 ? Inspector::tr("longest exposed: %1").arg(longest.first())
                                          : Inspector::tr("longest exposed of each side"),
                      Whose::LongestExposed);
    for (const QString &name : names)
        items.emplaceBack(name, Whose::Named);
    items.emplaceBack(Inspector::tr("mean of all workers"), Whose::MeanOfAll);
    return items;
}

} // namespace

Inspector::Inspector(const Theme &theme, Session &session, TimeAxis &axis, QWidget *parent)
    : QWidget(parent), m_session(session), m_axis(axis), m_model(theme), m_what(plainLabel()), m_worker(new QComboBox),
      m_table(new QTableView), m_spanText(richLabel()), m_span(new ScrolledLabel(m_spanText)), m_notes(new QTextBrowser) {
    setMinimumWidth(312); // all four columns, with the scroll bar of a low window
    makeTable();
    makeTexts();
    m_worker->setAccessibleName(tr("Worker of the statistics"));
    m_worker->setToolTip(tr("Worker, device or rank whose lanes are counted: the one with the longest exposed communication, or "
                            "the selected span's. Workers that behave alike are one class."));
    m_worker->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    connect(m_worker, &QComboBox::activated, this, [this] {
        m_isOfSpan = false;
        refresh();
    });
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_what);
    column->addWidget(m_worker);
    column->addWidget(m_table, 3); // as high as its rows at most
    column->addWidget(m_span);
    column->addWidget(m_notes, 1); // the rest: in a low window a quarter

    connect(&session, &Session::runsChanged, this, &Inspector::refresh);
    connect(&session, &Session::staleChanged, this, [this] {
        m_model.setStale({m_session.isMarkedStale(Side::A), m_session.isMarkedStale(Side::B)});
    });
    connect(&session, &Session::areaReady, this, [this](const AreaAnswer &answer) {
        if (answer.query == query())
            setAnswer(answer);
    });
    connect(&axis, &TimeAxis::selectionChanged, this, &Inspector::refresh);
    connect(&theme, &Theme::themeChanged, m_table->viewport(), qOverload<>(&QWidget::update));
    refresh();
}

void Inspector::makeTable() {
    auto *sorted = new QSortFilterProxyModel(this);
    sorted->setSourceModel(&m_model);
    sorted->setSortRole(Qt::UserRole);
    m_table->setModel(sorted);
    m_table->setSortingEnabled(true);
    sorted->sort(-1);
    letOrderBeCleared(*m_table);
    m_table->setAccessibleName(tr("Statistics of A and B"));
    m_table->setToolTip(tr("Figures of the selected stretch, or of the last full iteration. A metric's tooltip defines it."));
    makeDense(*m_table);
    m_table->setSelectionMode(QAbstractItemView::NoSelection);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->horizontalHeader()->setMinimumSectionSize(48);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    for (const int column : {InspectorModel::MetricColumn, InspectorModel::DeltaColumn})
        m_table->horizontalHeader()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    const auto fitHeight = [this] {
        m_table->setMaximumHeight(m_model.rowCount() * 20 + m_table->horizontalHeader()->sizeHint().height() + 2);
    };
    m_table->setMinimumHeight(90); // three figures: a low window scrolls
    fitHeight();
    connect(&m_model, &QAbstractItemModel::rowsInserted, this, fitHeight);
    connect(&m_model, &QAbstractItemModel::rowsRemoved, this, fitHeight);
}

void Inspector::makeTexts() {
    m_what->setWordWrap(true);
    m_what->setContentsMargins(10, 6, 10, 4);
    m_spanText->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_spanText->setContentsMargins(10, 6, 10, 6);
    m_span->setAccessibleName(tr("Selected span"));
    m_span->setAccessibleDescription(tr("What the selected span does, and what it waited for"));
    m_span->hide();
    m_notes->setFrameShape(QFrame::NoFrame);
    m_notes->setOpenLinks(false);
    m_notes->setAccessibleName(tr("Assumptions"));
    m_notes->setToolTip(tr("Basis of the figures: facts that were read, and the simulation's assumptions"));
    m_notes->document()->setDocumentMargin(10);
    m_notes->setMinimumHeight(40); // else as high as its scroll bar's buttons and track would like to be
}

void Inspector::setAnswer(const AreaAnswer &answer) {
    m_shown = answer.query;
    m_model.set(m_session.run(Side::A), m_session.run(Side::B), answer.areas, m_variable, answer.variables);
}

bool Inspector::isChosen(Whose whose) const { return m_worker->currentData() == static_cast<int>(whose); }

AreaQuery Inspector::query() const {
    AreaQuery query;
    query.stretch = m_axis.selection();
    query.offsetB = m_offset;
    query.variable = m_variable.toStdString();
    if (m_worker->currentIndex() >= 0)
        query.whose = static_cast<Whose>(m_worker->currentData().toInt());
    if (query.whose == Whose::Named)
        query.worker = m_worker->currentText().toStdString();
    return query;
}

std::optional<int> Inspector::itemOf(Whose whose, const QString &name) const {
    for (int item = 0; item < m_worker->count(); ++item)
        if (m_worker->itemData(item) == static_cast<int>(whose) && (whose != Whose::Named || m_worker->itemText(item) == name))
            return item;
    return {};
}

void Inspector::showWorker(Side side, std::int32_t worker) {
    const auto run = m_session.run(side);
    if (!run || worker < 0 || run->workers().size() < 2 || isChosen(Whose::MeanOfAll))
        return;
    const auto shown = std::ranges::find(run->workers(), worker, &ShownWorker::id);
    if (shown == run->workers().end())
        return;
    const auto item = itemOf(Whose::Named, QString::fromStdString(shown->name));
    if (!item || *item == m_worker->currentIndex())
        return;
    m_worker->setCurrentIndex(*item);
    m_isOfSpan = true;
    refresh();
}

void Inspector::leaveWorker() {
    if (!std::exchange(m_isOfSpan, false))
        return;
    m_worker->setCurrentIndex(itemOf(Whose::LongestExposed, {}).value_or(-1));
    refresh();
}

void Inspector::setOffset(double nanoseconds) {
    if (nanoseconds == m_offset)
        return;
    m_offset = nanoseconds;
    refresh();
}

void Inspector::setVariable(const QString &name) {
    if (name == m_variable)
        return;
    m_variable = name;
    refresh();
}

void Inspector::fillWorkers() {
    const auto items = itemsOf({m_session.run(Side::A), m_session.run(Side::B)});
    m_worker->setVisible(!items.isEmpty());
    const AreaQuery chosen = query();
    while (m_worker->count() > items.size())
        m_worker->removeItem(m_worker->count() - 1);
    for (int i = 0; i < items.size(); ++i) {
        const auto &text = items[i].first;
        const int data = static_cast<int>(items[i].second);
        if (i == m_worker->count())
            m_worker->addItem(text, data);
        else if (m_worker->itemText(i) != text || m_worker->itemData(i) != data) {
            m_worker->setItemText(i, text);
            m_worker->setItemData(i, data);
        }
    }
    const auto item = itemOf(chosen.whose, QString::fromStdString(chosen.worker));
    m_worker->setCurrentIndex(item.value_or(items.isEmpty() ? -1 : 0));
    m_isOfSpan = m_isOfSpan && item;
}

QString Inspector::onlyWorker() const {
    if (m_worker->count() > 0)
        return {};
    QStringList names;
    for (const Side side : {Side::A, Side::B})
        if (const auto run = m_session.run(side); run && (side == Side::A || m_session.state().compare))
            names += QString::fromStdString(run->workers().front().name);
    names.removeDuplicates();
    return names.size() == 1 ? QStringLiteral(", ") + names.first() : QString();
}

QString Inspector::stretchOfFigures() const {
    if (showsRecording(m_session.state()))
        return tr("All that was recorded");
    int iterations = 1;
    for (const Side side : {Side::A, Side::B})
        if (const auto run = m_session.run(side))
            iterations = std::max(iterations, run->recording().windowIterations);
    return iterations == 1 ? tr("Last full iteration") : tr("Mean of the last full iterations");
}

void Inspector::refresh() {
    const auto a = m_session.run(Side::A), b = m_session.run(Side::B);
    fillWorkers();
    const bool alone = m_session.state().job && !m_session.state().compare;
    for (const int column : {InspectorModel::BColumn, InspectorModel::DeltaColumn})
        m_table->setColumnHidden(column, alone);
    const AreaQuery wanted = query();
    const QString worker = onlyWorker();
    if (wanted.stretch) {
        const double pixel = m_axis.span() / 1000;
        m_what->setText(tr("Selection %1 to %2 (%3)")
                            .arg(formatTime(wanted.stretch->first, pixel), formatTime(wanted.stretch->second, pixel),
                                 secondsText((wanted.stretch->second - wanted.stretch->first) * 1e-9)) +
                        worker);
    } else {
        m_what->setText(a || b ? tr("%1. Drag over a timeline to select.").arg(stretchOfFigures() + worker)
                               : tr("Nothing is simulated yet."));
    }
    if (wanted.stretch || wanted.whose != Whose::LongestExposed || !wanted.variable.empty()) {
        if (wanted.whose != m_shown.whose || wanted.worker != m_shown.worker)
            setAnswer({wanted, {}, {}}); // another worker's figures would stand under this one's name until the answer
        m_session.requestArea(wanted);
    } else { // known already
        setAnswer({wanted, {a ? std::optional(a->window()) : std::nullopt, b ? std::optional(b->window()) : std::nullopt}, {}});
    }
    refreshNotes();
}

void Inspector::refreshNotes() {
    const auto a = m_session.run(Side::A), b = m_session.run(Side::B);
    const SessionState &state = m_session.state();
    NoteSections sections;
    if (state.profile) {
        sections.emplace_back(tr("Read from the profile"), state.profile->read);
        sections.emplace_back(tr("Inferred from the profile"), state.profile->inferred);
    }
    const bool same = a && b && a->recording().assumptions == b->recording().assumptions;
    if (a)
        sections.emplace_back(same ? tr("Assumptions of A and B") : tr("Assumptions of A"), a->recording().assumptions);
    if (b && !same)
        sections.emplace_back(tr("Assumptions of B"), b->recording().assumptions);
    if (state.job)
        sections.emplace_back(tr("Job"), state.job->notes);
    if (state.cluster && !showsRecording(state)) { // nothing runs on it
        const auto notesOf = [&state](Side side) {
            const auto &own = state.side(side).cluster;
            return (own ? own : state.cluster)->allNotes();
        };
        auto ofA = notesOf(Side::A), ofB = notesOf(Side::B);
        const bool isOne = !state.compare || ofA == ofB;
        sections.emplace_back(isOne ? tr("Cluster") : tr("Cluster of A"), std::move(ofA));
        if (!isOne)
            sections.emplace_back(tr("Cluster of B"), std::move(ofB));
    }
    // Sentences are slow to find in the other language, and rich text to lay out; while a selection or a knob is dragged, the
    // words rarely change.
    if (sections == m_noted)
        return;
    m_noted = std::move(sections);
    QString html;
    for (const auto &[heading, lines] : m_noted)
        html += list(heading, lines);
    m_notes->setHtml(html);
}

void Inspector::showSpan(const QString &html) {
    m_span->setText(html);
    m_span->setVisible(!html.isEmpty());
}

} // namespace syncopate::ui
