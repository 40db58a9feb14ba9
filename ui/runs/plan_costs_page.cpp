// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/plan_costs_page.h"

#include "ui/runs/figure_line.h"
#include "ui/runs/plan_cost_plot.h"
#include "ui/runs/plan_shapes.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace syncopate::ui {

namespace {

constexpr std::size_t maxCrossoverRows = 500;
constexpr int minSection = 70; ///< pixels, for a channel and the beginning of a cut; a narrower table scrolls

QString kindText(const PlannedCosts &costs, const PlannedCost &of) {
    const std::string_view name = nameOf(*of.like.collective);
    const std::int32_t among = of.like.membersAmong(costs.processes);
    const QString kind = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    const QString group =
        of.like.group.stride > 1 && among < costs.processes
            ? PlanCostsPage::tr("%1 among %2, %3 apart").arg(kind).arg(among).arg(of.like.group.stride)
            : PlanCostsPage::tr("%1 among %2").arg(kind, QString::fromStdString(membersOf(of.like, costs.processes)));
    return of.like.collective == CollectiveKind::Permute ? PlanCostsPage::tr("%1, shift %2").arg(group).arg(of.like.shift)
                                                         : group;
}

} // namespace

QString wayText(const PlannedCosts &costs, const CostCurve &curve) {
    return QStringLiteral("%1, %2").arg(planText(costs.channels[curve.channel.index()].name), cutText(curve.cut, 1));
}

QString curveName(const PlannedCosts &costs, const CostCurve &curve) {
    const QString name = wayText(costs, curve);
    return !curve.isPriced    ? PlanCostsPage::tr("%1, by its figures").arg(name)
           : curve.isMeasured ? PlanCostsPage::tr("%1, measured").arg(name)
                              : name;
}

PlanCostsPage::PlanCostsPage(const Theme &theme, Session &session, std::function<PlanSettings()> sheet, QWidget *parent)
    : QWidget(parent), m_session(session), m_sheet(std::move(sheet)), m_kind(new QComboBox), m_table(new QTableWidget(0, 4)),
      m_split(new QSplitter), m_plot(new PlanCostPlot(theme)), m_note(figureLine(tr("Notes on the curves"))) {
    m_kind->setAccessibleName(tr("Collective whose costs are shown"));
    m_kind->setToolTip(plainTip(tr("The kinds and groups of collectives in the DAG that is planned")));
    m_kind->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_kind->setMinimumWidth(80);
    m_table->setHorizontalHeaderLabels({tr("Size"), tr("Smaller"), tr("Larger"), tr("Both take")});
    m_table->setAccessibleName(tr("Crossover points"));
    m_table->setToolTip(plainTip(tr("Crossover points of two ways: the faster one with smaller and with larger sizes. In bold "
                                    "where no other way is faster, so that the best choice changes.")));
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(false); // a row has one line
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(20);
    m_table->horizontalHeader()->setMinimumSectionSize(minSection);
    for (const Column column : {Below, Above})
        m_table->horizontalHeader()->setSectionResizeMode(column, QHeaderView::Stretch);
    for (const Column column : {Size, Seconds})
        m_table->horizontalHeader()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    m_table->setMinimumSize(3 * minSection + 2, 48); // room for all columns but Seconds
    auto *top = new QHBoxLayout;
    top->addWidget(m_kind);
    top->addWidget(m_note, 1);
    m_split->addWidget(m_plot);
    m_split->addWidget(m_table);
    m_split->setStretchFactor(0, 3);
    m_split->setStretchFactor(1, 2);
    m_split->setChildrenCollapsible(false);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(4, 4, 4, 0);
    column->setSpacing(3);
    column->addLayout(top);
    column->addWidget(m_split, 1);
    connect(&session, &Session::stateChanged, this, &PlanCostsPage::refresh);
    connect(m_kind, &QComboBox::currentIndexChanged, this, &PlanCostsPage::showKind);
    connect(m_table, &QTableWidget::currentCellChanged, this, [this](int row) { m_plot->mark(row); });
    take({});
}

void PlanCostsPage::refresh() {
    if (!isVisible()) // showEvent() asks then
        return;
    const PlanSettings settings = m_sheet();
    const PlannedFrom from = plannedFrom(m_session.state(), settings);
    if (m_asked == from)
        return;
    m_asked = from;
    m_worker.start([state = m_session.state(), settings](const std::stop_token &stop, const auto &post) {
        Answer answer;
        if (const auto task = planTask(state, settings)) {
            const PlanRequest &request = task->request;
            answer.costs =
                std::make_shared<const PlannedCosts>(plannedCosts(*request.dag, request.channels, request.costs, {}, stop));
        } else
            answer.error = task.error();
        post(std::move(answer));
    });
}

void PlanCostsPage::take(const Answer &answer) {
    m_costs = answer.costs;
    if (m_kind->count() > 0) { // remembered while there are no costs, as of a DAG that is invalid for a while
        m_chosen = m_kind->currentText();
        m_place = m_kind->currentIndex();
    }
    {
        const QSignalBlocker blocker(m_kind);
        m_kind->clear();
        for (std::size_t k = 0; m_costs && k < m_costs->kinds.size(); ++k)
            m_kind->addItem(kindText(*m_costs, m_costs->kinds[k]));
        // By name; with another number of processes all names differ, and the places stay.
        int next = std::clamp(m_place, 0, std::max(0, m_kind->count() - 1));
        if (const int named = m_kind->findText(m_chosen); named >= 0 && m_kind->itemText(next) != m_chosen)
            next = named;
        if (m_kind->count() > 0)
            m_kind->setCurrentIndex(next);
    }
    m_kind->setVisible(m_kind->count() > 0);
    m_note->setText(answer.error           ? planText(answer.error->toString())
                    : m_kind->count() == 0 ? tr("The cost of the planned collectives over their size appears here.")
                                           : QString());
    showKind();
}

void PlanCostsPage::showKind() {
    const int kind = m_kind->currentIndex();
    if (!m_costs || kind < 0) {
        m_table->setRowCount(0);
        m_plot->setCosts(nullptr, 0);
        return;
    }
    const PlannedCost &of = m_costs->kinds[static_cast<std::size_t>(kind)];
    QStringList same;
    for (const CostCurve &curve : of.costs.curves)
        if (curve.sameAs >= 0)
            same << tr("%1 is the same as %2")
                        .arg(wayText(*m_costs, curve),
                             wayText(*m_costs, of.costs.curves[static_cast<std::size_t>(curve.sameAs)]));
    const auto fastest = std::count_if(of.costs.crossovers.begin(), of.costs.crossovers.end(),
                                       [](const Crossover &crossover) { return crossover.isOfFastest; });
    QString text = fastest == 0   ? tr("One way is the fastest for all sizes.")
                   : fastest == 1 ? tr("The fastest way changes at 1 size.")
                                  : tr("The fastest way changes at %1 sizes.").arg(fastest);
    if (!same.isEmpty())
        text += QLatin1Char(' ') + same.join(QStringLiteral("; ")) + QLatin1Char('.');
    const auto isMeasured = [](const CostCurve &curve) { return curve.isPriced && curve.isMeasured; };
    if (std::any_of(of.costs.curves.begin(), of.costs.curves.end(), isMeasured) &&
        std::any_of(of.costs.curves.begin(), of.costs.curves.end(),
                    [](const CostCurve &curve) { return curve.isPriced && !curve.isMeasured; }))
        text += QLatin1Char(' ') + tr("Costs that were not measured follow from the channels' figures.");
    if (const int channels = static_cast<int>(of.costs.channelsLeftOut); channels > 0)
        text += QLatin1Char(' ') + tr("%n channels are left out.", nullptr, channels);
    if (const int kinds = static_cast<int>(m_costs->kindsLeftOut); kinds > 0)
        text += QLatin1Char(' ') + tr("%n kinds of collectives are left out of the list.", nullptr, kinds);
    if (of.costs.crossovers.size() > maxCrossoverRows)
        text += QLatin1Char(' ') +
                tr("The table ends after %1 of %2 crossover points.").arg(maxCrossoverRows).arg(of.costs.crossovers.size());
    m_note->setText(text);
    m_plot->setCosts(m_costs, static_cast<std::size_t>(kind));
    fillTable(of);
}

void PlanCostsPage::fillTable(const PlannedCost &of) {
    const auto rows = std::min(of.costs.crossovers.size(), maxCrossoverRows);
    const QSignalBlocker blocker(m_table);
    m_table->setCurrentCell(-1, -1);
    m_table->setRowCount(static_cast<int>(rows));
    for (std::size_t r = 0; r < rows; ++r) {
        const Crossover &crossover = of.costs.crossovers[r];
        const QStringList cells{bytesText(crossover.sizeBytes), wayText(*m_costs, of.costs.curves[crossover.below]),
                                wayText(*m_costs, of.costs.curves[crossover.above]), secondsText(crossover.seconds)};
        for (int column = 0; column < cells.size(); ++column) {
            auto *item = new QTableWidgetItem(cells[column]);
            item->setToolTip(plainTip(tr("Faster up to %1: %2; beyond: %3").arg(cells[Size], cells[Below], cells[Above])));
            QFont font = item->font();
            font.setBold(crossover.isOfFastest);
            item->setFont(font);
            m_table->setItem(static_cast<int>(r), column, item);
        }
    }
}

void PlanCostsPage::showEvent(QShowEvent *event) {
    QWidget::showEvent(event);
    refresh();
}

void PlanCostsPage::resizeEvent(QResizeEvent *event) {
    constexpr int narrow = 520, tall = 240; // a lower page has no room for a plot above a table
    QWidget::resizeEvent(event);
    m_split->setOrientation(width() < narrow && height() >= tall ? Qt::Vertical : Qt::Horizontal);
}

} // namespace syncopate::ui
