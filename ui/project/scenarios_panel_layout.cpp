// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the scenarios panel: its table and the line above it.
#include "ui/project/scenarios_panel.h"
#include "ui/tables/dense_table.h"

#include "ui/tables/filter_line.h"
#include "ui/theme/number_box.h"
#include "ui/theme/plain_text.h"

#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QToolButton>

namespace syncopate::ui {

void ScenariosPanel::makeTable() {
    m_table->setModel(&m_proxy);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setEditTriggers(QAbstractItemView::EditKeyPressed);
    makeDense(*m_table, 22);
    m_table->setMinimumWidth(220);
    m_table->horizontalHeader()->setStretchLastSection(true);
    letOrderBeCleared(*m_table); // the user's own order
    m_table->setSortingEnabled(true);
    m_table->setAccessibleName(tr("Scenarios"));
    m_table->setToolTip(tr("Enter: go to it. A, B: put it onto that side. F2: change name or note. Del: remove a kept one."));
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->installEventFilter(this);
    for (int c = 0; c < m_model.columnCount(); ++c)
        fitColumn(*m_table, c, m_model.columns()[static_cast<std::size_t>(c)].width);
}

QWidget *ScenariosPanel::makeTop() {
    auto *top = new QWidget;
    auto *row = new QHBoxLayout(top);
    row->setContentsMargins(8, 0, 8, 0);
    row->setSpacing(8);
    m_filter->setPlaceholderText(tr("Filter, such as front=1 nodes<=8"));
    m_filter->setAccessibleName(tr("Filter scenarios"));
    m_filter->setMaximumWidth(320);
    m_filter->setMinimumWidth(140);
    row->addWidget(m_filter, 1);
    row->addWidget(m_state);
    row->addStretch();
    for (const Side side : {Side::A, Side::B}) {
        auto *button = new QToolButton;
        button->setText(side == Side::A ? tr("To A") : tr("To B"));
        button->setToolTip(
            plainTip(side == Side::A ? tr("Puts the selected row onto A (A)") : tr("Puts the selected row onto B (B)")));
        connect(button, &QToolButton::clicked, this, [this, side] { putOn(currentRow(), side); });
        row->addWidget(button);
        m_put[indexOf(side)] = button;
    }
    m_stackButton = new QToolButton;
    m_stackButton->setText(tr("Show stacked"));
    m_stackButton->setToolTip(plainTip(
        tr("Timelines of the selected rows, 2 to %1, below each other on one clock (Ctrl+click selects more)").arg(maxStacked)));
    connect(m_stackButton, &QToolButton::clicked, this, &ScenariosPanel::showStacked);
    row->addWidget(m_stackButton);
    auto *label = plainLabel(tr("Node"));
    m_price = numberBox<QDoubleSpinBox>(0.0, 1e6, 0.0, tr("Price per node and hour"),
                                        tr("In any currency; servers are nodes, too. Without a price, costs are in node-seconds. "
                                           "Shared with the throughput panel."),
                                        tr("no price"));
    m_price->setDecimals(3);
    m_price->setSuffix(tr(" / h"));
    label->setBuddy(m_price);
    row->addWidget(label);
    row->addWidget(m_price);
    return top;
}

} // namespace syncopate::ui
