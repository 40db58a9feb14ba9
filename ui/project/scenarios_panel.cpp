// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/project/scenarios_panel.h"

#include "engine/job/same_job.h"
#include "ui/project/pareto_plot.h"
#include "ui/runs/candidates_model.h"
#include "ui/runs/runs_table.h"
#include "ui/runs/search_preset.h"
#include "ui/runs/sweep_preset.h"
#include "ui/tables/filter_line.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"

#include <QApplication>
#include <QDoubleSpinBox>
#include <QHeaderView>
#include <QLabel>
#include <QScrollBar>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace syncopate::ui {

namespace {

QString nameOfState(const SessionState &state) {
    const auto side = [&](Side s) {
        return QString::fromStdString(strategyTitle(state.side(s))).section(QLatin1Char('('), 0, 0);
    };
    QString name = side(Side::A);
    if (state.compare)
        name = ScenariosPanel::tr("%1 and %2").arg(name, side(Side::B));
    if (state.bandwidthGbits)
        name += ScenariosPanel::tr(", %1 Gbit/s").arg(figureText(*state.bandwidthGbits));
    if (state.workers)
        name += ScenariosPanel::tr(", %n workers", nullptr, *state.workers);
    return name;
}

/// Whether a cell is being edited: new rows or figures would discard the typed text.
bool isEdited(const QTableView &table) {
    const QWidget *focus = QApplication::focusWidget();
    return focus && table.viewport()->isAncestorOf(focus);
}

} // namespace

ScenariosPanel::ScenariosPanel(const Theme &theme, Session &session, ProjectKeeper &keeper, Searcher &searcher,
                               SearchPreset &search, SweepPreset &sweeps, QWidget *parent)
    : QWidget(parent), m_session(session), m_keeper(keeper), m_searcher(searcher), m_search(search), m_sweeps(sweeps),
      m_model([this](std::int64_t number, ScenariosModel::Column column, const QString &text) { edit(number, column, text); }),
      m_proxy(m_model), m_filter(new FilterLine(theme, m_model.filterFields())), m_table(new QTableView), m_empty(plainLabel()),
      m_state(plainLabel()), m_theme(theme), m_plot(new ParetoPlot(theme, m_model)), m_content(new QWidget) {
    makeTable();
    m_empty->setText(tr("Nothing is kept yet. Ctrl+D keeps the present A and B, to return to them or to compare with them. "
                        "Winners of a search and points of a sweep are listed here, too."));
    m_empty->setWordWrap(true);
    m_empty->setMargin(12);
    m_empty->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    auto *parts = new QSplitter(Qt::Horizontal);
    parts->addWidget(m_table);
    parts->addWidget(m_plot);
    parts->setStretchFactor(0, 3);
    parts->setStretchFactor(1, 2);
    parts->setSizes({700, 300});
    parts->setChildrenCollapsible(false);
    auto *content = new QVBoxLayout(m_content);
    content->setContentsMargins(0, 4, 0, 0);
    content->setSpacing(4);
    content->addWidget(makeTop());
    content->addWidget(parts, 1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_empty);
    column->addWidget(m_content, 1);
    m_refresh.setSingleShot(true);
    m_refresh.setInterval(100);
    connectAll();
    refresh();
}

void ScenariosPanel::connectAll() {
    connect(m_table, &QTableView::doubleClicked, this,
            [this](const QModelIndex &index) { goTo(m_proxy.mapToSource(index).row()); });
    connect(m_table, &QTableView::customContextMenuRequested, this, &ScenariosPanel::showMenu);
    // Not currentRowChanged: a click changes the current row before the selection.
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        m_plot->mark(currentRow());
        refreshState();
    });
    connect(m_filter, &FilterLine::expressionChanged, this, [this] {
        m_proxy.setExpression(m_filter->expression());
        refreshState();
    });
    connect(m_filter, &FilterLine::errorChanged, this, &ScenariosPanel::refreshState);
    connect(m_filter, &QLineEdit::textChanged, this, &ScenariosPanel::changed);
    connect(m_table->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, &ScenariosPanel::changed);
    connect(m_price, &QDoubleSpinBox::valueChanged, &m_model, &ScenariosModel::setPrice);
    connect(m_plot, &ParetoPlot::picked, this, &ScenariosPanel::select);
    connect(&m_refresh, &QTimer::timeout, this, [this] {
        if (isEdited(*m_table))
            m_refresh.start();
        else
            refresh();
    });
    connect(&m_judge, &ScenarioJudge::changed, this, &ScenariosPanel::refreshSoon);
    connect(&m_keeper, &ProjectKeeper::scenariosChanged, this, &ScenariosPanel::refresh);
    // Rows depend only on the job of the present state, not on the knobs being dragged.
    connect(&m_session, &Session::stateChanged, this, [this, job = m_session.state().job]() mutable {
        if (job == m_session.state().job)
            return;
        job = m_session.state().job;
        refreshSoon();
    });
    connect(&m_searcher, &Searcher::cleared, &m_judge, &ScenarioJudge::forgetCandidates);
    connect(&m_searcher, &Searcher::cleared, this, &ScenariosPanel::refresh); // its rows can no longer be put on a side
    connect(&m_searcher, &Searcher::progressed, this, &ScenariosPanel::refreshSoon);
    connect(&m_searcher, &Searcher::levelsChanged, this, &ScenariosPanel::refreshSoon);
    connect(&m_search.table().model(), &RunsModel::pinsChanged, this, &ScenariosPanel::refreshSoon);
    const auto takeSweep = [this] {
        if (const auto sweep = m_sweeps.sweep()) {
            m_sweep = sweep;
            refreshSoon();
        }
    };
    connect(&m_sweeps.table().model(), &QAbstractItemModel::modelReset, this, takeSweep);
    connect(&m_sweeps.table().model(), &QAbstractItemModel::dataChanged, this, takeSweep);
}

QJsonObject ScenariosPanel::settings() const {
    return {{QStringLiteral("filter"), m_filter->text()},
            {QStringLiteral("column"), m_proxy.sortColumn()},
            {QStringLiteral("descending"), m_proxy.sortOrder() == Qt::DescendingOrder}};
}

void ScenariosPanel::setSettings(const QJsonObject &settings) {
    m_filter->setText(settings.value(QStringLiteral("filter")).toString());
    const int column = settings.value(QStringLiteral("column")).toInt(-1); // -1: the user's own order
    m_table->sortByColumn(column < m_model.columnCount() ? std::max(column, -1) : -1,
                          settings.value(QStringLiteral("descending")).toBool() ? Qt::DescendingOrder : Qt::AscendingOrder);
}

void ScenariosPanel::setSeen(bool seen) {
    m_seen = seen;
    if (seen)
        refresh();
    else
        m_judge.cancel();
}

void ScenariosPanel::refreshSoon() {
    if (m_seen && !m_refresh.isActive())
        m_refresh.start();
}

void ScenariosPanel::refresh() {
    std::vector<ScenarioRow> rows;
    addKept(rows, m_keeper.scenarios());
    for (ScenarioRow &row : rows) {
        const KeptScenario &kept = m_keeper.scenarios()[static_cast<std::size_t>(row.number)];
        row.ofPresentJob = isPresentJob(kept.state);
        if (const ScenarioFigures *figures = m_judge.figures(kept.state, row.side)) {
            const double then = row.figures.iterationSeconds;
            row.figures = *figures;
            if (!std::isnan(then))
                row.figures.iterationSeconds = then;
        }
    }
    const std::size_t kept = rows.size();
    addSearch(rows, m_searcher, m_search.table().model().pins());
    std::map<std::int64_t, ScenarioEntry> candidates;
    for (std::size_t r = kept; r < rows.size(); ++r) {
        ScenarioRow &row = rows[r];
        row.ofPresentJob = isPresentJob(m_searcher.plan()->state);
        if (const ScenarioFigures *figures = m_judge.candidateFigures(row.number)) {
            row.figures.peakMemoryBytes = figures->peakMemoryBytes;
            row.figures.error = figures->error;
        } else if (auto entry = row.figures.error.empty() ? entryOf(row) : std::nullopt) {
            candidates.emplace(row.number, *std::move(entry));
        }
    }
    if (m_sweep && !isPresentJob(m_sweep->state)) // keeping it would keep the profile of that job
        m_sweep = nullptr;
    m_listedSweep = m_sweep;
    if (m_listedSweep)
        addSweep(rows, *m_listedSweep);
    showRows(std::move(rows));
    if (m_seen)
        m_judge.judge(candidates);
}

void ScenariosPanel::showRows(std::vector<ScenarioRow> rows) {
    const int before = currentRow();
    const RunId id = before >= 0 ? m_model.idOf(before) : 0;
    const int place = m_table->verticalScrollBar()->value();
    std::vector<RunId> chosen;
    for (const QModelIndex &row : m_table->selectionModel()->selectedRows())
        chosen.push_back(m_model.idOf(m_proxy.mapToSource(row).row()));
    m_model.set(std::move(rows));
    m_content->setVisible(m_model.rowCount() > 0);
    m_empty->setVisible(m_model.rowCount() == 0);
    if (before >= 0 && m_model.rowCount() > 0) {
        const int same = m_model.rowOf(id);
        const int wanted = same >= 0 ? same : std::min(before, m_model.rowCount() - 1);
        if (wanted != currentRow())
            select(wanted);
        for (const RunId one : chosen)
            if (const int row = m_model.rowOf(one); row >= 0)
                m_table->selectionModel()->select(m_proxy.mapFromSource(m_model.index(row, ScenariosModel::Name)),
                                                  QItemSelectionModel::Select | QItemSelectionModel::Rows);
        if (same >= 0) // the user may be looking at other rows
            m_table->verticalScrollBar()->setValue(place);
    }
    m_plot->mark(currentRow());
    refreshState();
}

void ScenariosPanel::refreshState() {
    const int shown = m_proxy.rowCount(), all = m_model.rowCount();
    if (const auto &error = m_filter->error())
        m_state->setText(QString::fromStdString(error->toString()));
    else if (shown < all)
        m_state->setText(tr("%1 of %2").arg(shown).arg(all));
    else
        m_state->setText(m_judge.isJudging() ? tr("%1, simulating…").arg(all) : tr("%n scenarios", nullptr, all));
    for (QToolButton *button : m_put)
        button->setEnabled(currentRow() >= 0);
    const auto selected = m_table->selectionModel()->selectedRows().size();
    m_stackButton->setEnabled(selected > 1 && selected <= maxStacked);
}

int ScenariosPanel::currentRow() const {
    // Of several selected rows, the one chosen last.
    const QItemSelectionModel &selection = *m_table->selectionModel();
    if (selection.isRowSelected(selection.currentIndex().row()))
        return m_proxy.mapToSource(selection.currentIndex()).row();
    const QModelIndexList rows = selection.selectedRows();
    return rows.isEmpty() ? -1 : m_proxy.mapToSource(rows.first()).row();
}

void ScenariosPanel::select(int row) {
    const QModelIndex shown = m_proxy.mapFromSource(m_model.index(row, ScenariosModel::Name));
    if (!shown.isValid()) // the filter hides it
        return;
    m_table->setCurrentIndex(shown);
    m_table->scrollTo(shown);
}

void ScenariosPanel::keep() {
    if (!m_session.state().job)
        return;
    m_keeper.keepPresent(nameOfState(m_session.state()));
    const auto &rows = m_model.rows();
    const auto added = std::ranges::find_if(rows, [this](const ScenarioRow &row) {
        return row.source == RowSource::Kept && row.number + 1 == static_cast<std::int64_t>(m_keeper.scenarios().size());
    });
    select(static_cast<int>(added - rows.begin()));
}

void ScenariosPanel::edit(std::int64_t number, ScenariosModel::Column column, const QString &text) {
    std::vector<KeptScenario> next = m_keeper.scenarios();
    KeptScenario &kept = next[static_cast<std::size_t>(number)];
    (column == ScenariosModel::Name ? kept.name : kept.note) = text.toStdString();
    m_keeper.changeScenarios(std::move(next), column == ScenariosModel::Name ? tr("Rename a scenario") : tr("Edit a note"));
}

void ScenariosPanel::goTo(int row) {
    const ScenarioRow &own = m_model.rows()[static_cast<std::size_t>(row)];
    if (own.source != RowSource::Kept) {
        putOn(row, Side::A);
        return;
    }
    const KeptScenario &kept = m_keeper.scenarios()[static_cast<std::size_t>(own.number)];
    m_session.change(kept.state, tr("Go to “%1”").arg(QString::fromStdString(kept.name)));
}

void ScenariosPanel::putOn(int row, Side to) {
    if (row < 0)
        return;
    const ScenarioRow own = m_model.rows()[static_cast<std::size_t>(row)];
    switch (own.source) {
    case RowSource::Kept:
        putState(m_keeper.scenarios()[static_cast<std::size_t>(own.number)].state, own.side, to, own.name);
        break;
    case RowSource::Search:
        if (m_search.isOfPresentJob())
            m_search.put(own.number, to);
        else
            Q_EMIT m_session.failed({"that search is of another job", "search again for this one", {}, {}}, false);
        break;
    case RowSource::Sweep:
        putState(stateAt(*m_listedSweep, static_cast<std::size_t>(own.number)), own.side, to, own.name);
        break;
    }
}

void ScenariosPanel::putState(const SessionState &from, Side of, Side to, const QString &name) {
    if (!from.job)
        return;
    SessionState next = m_session.state();
    if (!isPresentJob(from)) {
        Q_EMIT m_session.failed({"that scenario is of another job", "go to it (Enter), then compare", {}, {}}, false);
        return;
    }
    SideState &side = next.side(to);
    side = from.side(of);
    // The cluster as that scenario's knobs made it, unless it equals the window's.
    if (from.cluster && side.hasScenario()) {
        const Cluster then = effectiveCluster(from, of);
        if (then != effectiveCluster(next, to)) {
            next = withKnobsInClusters(std::move(next)); // the knobs would change this cluster too
            side.cluster = std::make_shared<const Cluster>(then);
            side.clusterSource = name.toStdString();
        }
    }
    if (to == Side::B)
        next.compare = true;
    m_session.change(std::move(next), tr("“%1” as %2").arg(name, to == Side::A ? tr("A") : tr("B")));
}

std::optional<StackedScenarios::Entry> ScenariosPanel::entryOf(const ScenarioRow &row) const {
    switch (row.source) {
    case RowSource::Kept:
        return StackedScenarios::Entry{row.name, m_keeper.scenarios()[static_cast<std::size_t>(row.number)].state, row.side};
    case RowSource::Sweep:
        return StackedScenarios::Entry{row.name, stateAt(*m_listedSweep, static_cast<std::size_t>(row.number)), row.side};
    case RowSource::Search:
        break;
    }
    if (!m_searcher.plan())
        return {};
    const CandidateId id = CandidateId::ofRow(row.number);
    StackedScenarios::Entry entry{row.name, m_searcher.plan()->state, Side::A};
    if (id.kind == CandidateId::Kind::Trial)
        entry.strategy = [plan = *m_searcher.plan(),
                          genes = m_searcher.history().trials[id.index].genes]() -> Result<std::shared_ptr<const Strategy>> {
            const auto planned = TRY(planSearch(plan));
            const auto scenario = TRY(planned.method->decode(genes));
            return scenario.strategy;
        };
    else
        entry.state.side(Side::A).source = Built{candidateName(m_searcher, id).toStdString()};
    return entry;
}

void ScenariosPanel::showStacked() {
    QModelIndexList selected = m_table->selectionModel()->selectedRows();
    std::sort(selected.begin(), selected.end()); // in table order
    std::vector<StackedScenarios::Entry> entries;
    for (const QModelIndex &index : selected)
        if (auto entry = entryOf(m_model.rows()[static_cast<std::size_t>(m_proxy.mapToSource(index).row())]))
            entries.push_back(*std::move(entry));
    if (!m_stacked) {
        m_stacked = new StackedScenarios(m_theme, this);
        connect(m_stacked, &StackedScenarios::wanted, this,
                [this](const SessionState &state, Side side, const QString &name) { putState(state, side, Side::B, name); });
    }
    m_stacked->setEntries(std::move(entries));
    m_stacked->show();
    m_stacked->raise();
}

bool ScenariosPanel::isPresentJob(const SessionState &state) const {
    const auto &present = m_session.state().job;
    return state.job && present && isSameJob(*state.job, *present);
}

void ScenariosPanel::remove(int row) {
    const ScenarioRow &own = m_model.rows()[static_cast<std::size_t>(row)];
    if (own.source != RowSource::Kept)
        return;
    std::vector<KeptScenario> next = m_keeper.scenarios();
    const QString name = own.name;
    next.erase(next.begin() + own.number);
    m_keeper.changeScenarios(std::move(next), tr("Remove “%1”").arg(name));
}

} // namespace syncopate::ui
