// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/variables/variables_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QTableView>
#include <QVBoxLayout>

namespace syncopate::ui {

VariablesPanel::VariablesPanel(Session &session, QWidget *parent)
    : QWidget(parent), m_session(session), m_filter(new QLineEdit), m_table(new QTableView) {
    m_sorted.setSourceModel(&m_model);
    m_sorted.setSortRole(Qt::UserRole);
    m_sorted.setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_sorted.setFilterKeyColumn(VariablesModel::Name);
    m_sorted.setDynamicSortFilter(true);
    m_filter->setPlaceholderText(tr("Filter by name"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setMaximumWidth(260);
    m_filter->setAccessibleName(tr("Filter variables by name"));
    m_table->setModel(&m_sorted);
    m_table->setSortingEnabled(true);
    m_table->horizontalHeader()->setSortIndicatorClearable(true);
    m_sorted.sort(-1);
    m_table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setDefaultSectionSize(84);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setAlternatingRowColors(true);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(20);
    m_table->setAccessibleName(tr("Variables"));
    m_table->installEventFilter(this);
    const std::array<int, VariablesModel::ColumnCount> widths{210, 110, 74, 150, 72, 130, 54, 76, 76, 72, 130, 54, 76, 76, 96};
    for (int c = 0; c < VariablesModel::ColumnCount; ++c)
        m_table->setColumnWidth(c, widths[static_cast<std::size_t>(c)]);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(4);
    auto *top = new QHBoxLayout;
    top->setContentsMargins(8, 0, 8, 0);
    top->addWidget(m_filter);
    top->addStretch();
    column->addLayout(top);
    column->addWidget(m_table, 1);

    connect(m_filter, &QLineEdit::textChanged, &m_sorted, &QSortFilterProxyModel::setFilterFixedString);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            [this] { Q_EMIT variableSelected(selectedVariable()); });
    connect(&m_model, &QAbstractItemModel::modelReset, this, [this] { Q_EMIT variableSelected(-1); });
    connect(&session, &Session::runsChanged, this, &VariablesPanel::refresh);
    connect(&session, &Session::stateChanged, this, [this] {
        for (int c = VariablesModel::SynchroniserB; c < VariablesModel::ColumnCount; ++c)
            m_table->setColumnHidden(c, !m_session.state().compare);
    });
}

void VariablesPanel::refresh() { m_model.set(m_session.state().job, m_session.run(Side::A), m_session.run(Side::B)); }

std::int32_t VariablesPanel::selectedVariable() const {
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    return rows.isEmpty() ? -1 : m_sorted.mapToSource(rows.first()).row();
}

void VariablesPanel::clearSelection() { m_table->clearSelection(); }

void VariablesPanel::copySelection() const {
    QString text;
    for (const QModelIndex &row : m_table->selectionModel()->selectedRows()) {
        QStringList cells;
        for (int c = 0; c < VariablesModel::ColumnCount; ++c)
            if (!m_table->isColumnHidden(c))
                cells.push_back(row.siblingAtColumn(c).data().toString());
        text += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    }
    QApplication::clipboard()->setText(text);
}

bool VariablesPanel::eventFilter(QObject *watched, QEvent *event) {
    if (watched == m_table && event->type() == QEvent::KeyPress) {
        auto *key = static_cast<QKeyEvent *>(event);
        if (key->matches(QKeySequence::Copy)) {
            copySelection();
            return true;
        }
        if (key->key() == Qt::Key_Escape) {
            clearSelection();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace syncopate::ui
