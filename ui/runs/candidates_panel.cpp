// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/candidates_panel.h"

#include "ui/tables/filter_line.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QShortcut>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>

namespace syncopate::ui {

CandidatesPanel::CandidatesPanel(const Theme &theme, Searcher &searcher, QWidget *parent)
    : QWidget(parent), m_searcher(searcher), m_model(searcher), m_proxy(m_model),
      m_filter(new FilterLine(theme, CandidatesModel::filterFields())), m_table(new QTableView), m_state(new QLabel) {
    m_filter->setPlaceholderText(tr("Filter, such as exposed<2ms servers>2"));
    m_filter->setAccessibleName(tr("Filter candidates"));
    m_filter->setMaximumWidth(420);
    makeTable();
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(4);
    auto *top = new QHBoxLayout;
    top->setContentsMargins(8, 0, 8, 0);
    top->setSpacing(12);
    top->addWidget(m_filter, 1);
    top->addWidget(m_state);
    top->addStretch();
    auto *keys = new QLabel(tr("Enter or A: set as A   B: set as B   P: pin"));
    keys->setEnabled(false);
    top->addWidget(keys);
    column->addLayout(top);
    column->addWidget(m_table, 1);

    connectAll();
    refresh();
}

void CandidatesPanel::makeTable() {
    m_table->setModel(&m_proxy);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(CandidatesModel::Iteration, Qt::AscendingOrder);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setAlternatingRowColors(true);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(20);
    m_table->setAccessibleName(tr("Candidates"));
    m_table->setToolTip(tr("What the search tried. Enter or A: set as A, B: set as B, P: pin, Ctrl+C: copy rows."));
    m_table->installEventFilter(this);
    const std::array<int, CandidatesModel::ColumnCount> widths{26, 158, 78, 88, 76, 78, 64, 78, 64, 92, 80, 60, 60};
    for (int c = 0; c < CandidatesModel::ColumnCount; ++c)
        m_table->setColumnWidth(c, widths[static_cast<std::size_t>(c)]);
}

void CandidatesPanel::connectAll() {
    auto *escape = new QShortcut(QKeySequence(Qt::Key_Escape), this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut);
    escape->setEnabled(false);
    connect(escape, &QShortcut::activated, &m_searcher, &Searcher::stop);
    connect(&m_searcher, &Searcher::statusChanged, escape,
            [this, escape] { escape->setEnabled(m_searcher.status() == Searcher::Status::Running); });
    connect(m_filter, &FilterLine::expressionChanged, this, [this] { m_proxy.setExpression(m_filter->expression()); });
    connect(m_filter, &FilterLine::errorChanged, this, &CandidatesPanel::refresh);
    connect(m_table, &QTableView::doubleClicked, this, [this](const QModelIndex &index) {
        if (index.column() != CandidatesModel::Pin)
            Q_EMIT wanted(m_model.candidateOf(m_proxy.mapToSource(index).row()), Side::A);
    });
    connect(m_table, &QTableView::clicked, this, [this](const QModelIndex &index) {
        if (index.column() == CandidatesModel::Pin)
            togglePin({m_model.candidateOf(m_proxy.mapToSource(index).row())});
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        if (const auto id = current())
            Q_EMIT selected(*id);
    });
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(&m_proxy, signal, this, &CandidatesPanel::refresh);
    connect(&m_proxy, &QAbstractItemModel::modelReset, this, &CandidatesPanel::refresh);
    connect(&m_searcher, &Searcher::statusChanged, this, &CandidatesPanel::refresh);
    connect(&m_model, &CandidatesModel::pinsChanged, this, &CandidatesPanel::changed);
    connect(m_filter, &QLineEdit::textChanged, this, &CandidatesPanel::changed);
    connect(m_table->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, &CandidatesPanel::changed);
}

QJsonObject CandidatesPanel::settings() const {
    return {{QStringLiteral("filter"), m_filter->text()},
            {QStringLiteral("column"), m_proxy.sortColumn()},
            {QStringLiteral("descending"), m_proxy.sortOrder() == Qt::DescendingOrder}};
}

void CandidatesPanel::setSettings(const QJsonObject &settings) {
    m_filter->setText(settings.value(QStringLiteral("filter")).toString());
    const int column = settings.value(QStringLiteral("column")).toInt(CandidatesModel::Iteration);
    m_table->sortByColumn(column >= 0 && column < CandidatesModel::ColumnCount ? column : CandidatesModel::Iteration,
                          settings.value(QStringLiteral("descending")).toBool() ? Qt::DescendingOrder : Qt::AscendingOrder);
}

void CandidatesPanel::refresh() {
    if (const auto &error = m_filter->error())
        m_state->setText(QString::fromStdString(error->toString()));
    else if (m_searcher.status() == Searcher::Status::Idle)
        m_state->setText(tr("No search yet: Ctrl+R starts one."));
    else if (m_model.rowCount() == 0)
        m_state->setText(m_searcher.error() ? QString::fromStdString(m_searcher.error()->toString())
                                            : tr("Waiting for the first…"));
    else if (m_proxy.rowCount() == 0)
        m_state->setText(tr("The filter hides all %1 candidates.").arg(m_model.rowCount()));
    else if (m_proxy.rowCount() < m_model.rowCount())
        m_state->setText(tr("%1 of %2 candidates").arg(m_proxy.rowCount()).arg(m_model.rowCount()));
    else
        m_state->setText(tr("%1 candidates").arg(m_model.rowCount()));
}

std::optional<CandidateId> CandidatesPanel::current() const {
    const QModelIndex index = m_table->currentIndex();
    return index.isValid() ? std::optional(m_model.candidateOf(m_proxy.mapToSource(index).row())) : std::nullopt;
}

void CandidatesPanel::select(CandidateId id) {
    const int row = m_model.rowOf(id);
    const QModelIndex index = row < 0 ? QModelIndex() : m_proxy.mapFromSource(m_model.index(row, CandidatesModel::Name));
    if (!index.isValid() || current() == id)
        return;
    m_table->setCurrentIndex(index);
    m_table->scrollTo(index);
}

void CandidatesPanel::showEvent(QShowEvent *event) {
    QWidget::showEvent(event);
    // What was selected while the panel was hidden; once it has its size.
    QTimer::singleShot(0, this, [this] { m_table->scrollTo(m_table->currentIndex()); });
}

void CandidatesPanel::togglePin(const std::vector<CandidateId> &ids) {
    // Of several rows, one that is not pinned decides.
    const bool pin = std::any_of(ids.begin(), ids.end(), [this](CandidateId id) { return !m_model.isPinned(id); });
    for (const CandidateId id : ids)
        m_model.setPinned(id, pin);
}

void CandidatesPanel::copySelection() const {
    QString text;
    QModelIndexList rows = m_table->selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end(), [](const QModelIndex &a, const QModelIndex &b) { return a.row() < b.row(); });
    for (const QModelIndex &row : rows) {
        QStringList cells;
        for (int c = CandidatesModel::Name; c < CandidatesModel::ColumnCount; ++c)
            cells.push_back(row.siblingAtColumn(c).data().toString());
        text += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    }
    QApplication::clipboard()->setText(text);
}

bool CandidatesPanel::eventFilter(QObject *watched, QEvent *event) {
    if (watched != m_table)
        return QWidget::eventFilter(watched, event);
    if (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride)
        return false;
    auto *key = static_cast<QKeyEvent *>(event);
    const bool plain = (key->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    const bool ours = key->matches(QKeySequence::Copy) ||
                      (plain && (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter || key->key() == Qt::Key_A ||
                                 key->key() == Qt::Key_B || key->key() == Qt::Key_P));
    if (!ours)
        return false;
    if (event->type() == QEvent::ShortcutOverride) { // the window's own single keys wait while the table has the focus
        event->accept();
        return true;
    }
    const auto id = current();
    if (key->matches(QKeySequence::Copy)) {
        copySelection();
    } else if (id && key->key() == Qt::Key_P) {
        std::vector<CandidateId> ids;
        for (const QModelIndex &row : m_table->selectionModel()->selectedRows())
            ids.push_back(m_model.candidateOf(m_proxy.mapToSource(row).row()));
        togglePin(ids);
    } else if (id) {
        Q_EMIT wanted(*id, key->key() == Qt::Key_B ? Side::B : Side::A);
    }
    return true;
}

} // namespace syncopate::ui
