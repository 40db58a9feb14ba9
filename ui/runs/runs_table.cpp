// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_table.h"

#include "ui/tables/dense_table.h"
#include "ui/tables/filter_line.h"
#include "ui/theme/plain_text.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace syncopate::ui {

RunsTable::RunsTable(const Theme &theme, RunsModel *model, Words words, QWidget *parent)
    : QWidget(parent), m_model(*model), m_words(std::move(words)), m_proxy(m_model),
      m_filter(new FilterLine(theme, m_model.filterFields())), m_table(new QTableView), m_state(plainLabel()),
      m_keys(plainLabel(m_words.keys)) {
    model->setParent(this);
    m_filter->setPlaceholderText(m_words.filterExample);
    m_filter->setAccessibleName(m_words.filterName);
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
    m_keys->setEnabled(false);
    top->addWidget(m_keys);
    column->addLayout(top);
    column->addWidget(m_table, 1);

    connectAll();
    refresh();
}

void RunsTable::makeTable() {
    m_table->setModel(&m_proxy);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(m_words.sortColumn, Qt::AscendingOrder);
    makeDense(*m_table);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setAccessibleName(m_words.name);
    m_table->setToolTip(plainTip(m_words.toolTip));
    m_table->installEventFilter(this);
    setWidths();
}

void RunsTable::setWidths() {
    const auto &columns = m_model.columns();
    for (std::size_t c = 0; c < columns.size(); ++c)
        fitColumn(*m_table, static_cast<int>(c), columns[c].width);
}

void RunsTable::connectAll() {
    connect(m_filter, &FilterLine::expressionChanged, this, [this] { m_proxy.setExpression(m_filter->expression()); });
    connect(m_filter, &FilterLine::errorChanged, this, &RunsTable::refresh);
    connect(m_table, &QTableView::doubleClicked, this, [this](const QModelIndex &index) {
        if (!isPin(index) && !m_words.clickWantsB)
            Q_EMIT wanted(idAt(index), Side::A);
    });
    connect(m_table, &QTableView::clicked, this, [this](const QModelIndex &index) {
        if (isPin(index))
            togglePin({idAt(index)});
        else if (m_words.clickWantsB)
            Q_EMIT wanted(idAt(index), Side::B);
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        if (const auto id = current())
            Q_EMIT selected(*id);
    });
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(&m_proxy, signal, this, &RunsTable::refresh);
    connect(&m_proxy, &QAbstractItemModel::modelReset, this, &RunsTable::refresh);
    connect(&m_model, &QAbstractItemModel::modelReset, this, [this] {
        const std::vector<FilterField> fields = m_model.filterFields();
        if (std::ranges::equal(fields, m_filter->fields(), {}, &FilterField::name, &FilterField::name))
            return; // the columns are unchanged; keep the user's widths
        setWidths();
        m_filter->setFields(fields);
    });
    connect(&m_model, &RunsModel::pinsChanged, this, &RunsTable::changed);
    connect(m_filter, &QLineEdit::textChanged, this, &RunsTable::changed);
    connect(m_table->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, &RunsTable::changed);
}

QJsonObject RunsTable::settings() const {
    return {{QStringLiteral("filter"), m_filter->text()},
            {QStringLiteral("column"), m_proxy.sortColumn()},
            {QStringLiteral("descending"), m_proxy.sortOrder() == Qt::DescendingOrder}};
}

void RunsTable::setSettings(const QJsonObject &settings) {
    m_filter->setText(settings.value(QStringLiteral("filter")).toString());
    const int column = settings.value(QStringLiteral("column")).toInt(m_words.sortColumn);
    m_table->sortByColumn(column >= 0 && column < m_model.columnCount() ? column : m_words.sortColumn,
                          settings.value(QStringLiteral("descending")).toBool() ? Qt::DescendingOrder : Qt::AscendingOrder);
}

void RunsTable::setEmptyText(const QString &text) {
    m_emptyText = text;
    refresh();
}

void RunsTable::refresh() {
    const int shown = m_proxy.rowCount(), all = m_model.rowCount();
    if (const auto &error = m_filter->error())
        m_state->setText(QString::fromStdString(error->toString()));
    else if (all == 0)
        m_state->setText(m_emptyText);
    else if (shown == 0)
        m_state->setText(tr("The filter hides all %1.").arg(m_words.rows(all)));
    else if (shown < all)
        m_state->setText(tr("%1 of %2").arg(shown).arg(m_words.rows(all)));
    else
        m_state->setText(m_words.rows(all));
}

RunId RunsTable::idAt(const QModelIndex &index) const { return m_model.idOf(m_proxy.mapToSource(index).row()); }

bool RunsTable::isPin(const QModelIndex &index) const { return m_model.hasPins() && index.column() == RunsModel::pinColumn; }

std::optional<RunId> RunsTable::current() const {
    const QModelIndex index = m_table->currentIndex();
    return index.isValid() ? std::optional(idAt(index)) : std::nullopt;
}

void RunsTable::select(RunId id) {
    const int row = m_model.rowOf(id);
    const QModelIndex index = row < 0 ? QModelIndex() : m_proxy.mapFromSource(m_model.index(row, RunsModel::pinColumn + 1));
    if (!index.isValid() || current() == id)
        return;
    m_table->setCurrentIndex(index);
    m_table->scrollTo(index);
}

void RunsTable::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    constexpr int enough = 520;            // pixels for filter, state and key hints
    m_keys->setVisible(width() >= enough); // the table's tool tip has them, too
}

void RunsTable::showEvent(QShowEvent *event) {
    QWidget::showEvent(event);
    // Scrolls to the row selected while the panel was hidden, once it has its size.
    QTimer::singleShot(0, this, [this] { m_table->scrollTo(m_table->currentIndex()); });
}

void RunsTable::togglePin(const std::vector<RunId> &ids) {
    // If any selected row can be pinned but is not, pin; otherwise unpin.
    const bool pin =
        std::any_of(ids.begin(), ids.end(), [this](RunId id) { return m_model.canPin(id) && !m_model.isPinned(id); });
    for (const RunId id : ids)
        m_model.setPinned(id, pin);
}

bool RunsTable::eventFilter(QObject *watched, QEvent *event) {
    if (watched != m_table)
        return QWidget::eventFilter(watched, event);
    if (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride)
        return false;
    auto *key = static_cast<QKeyEvent *>(event);
    const bool plain = (key->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    const bool ours = plain && (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter || key->key() == Qt::Key_A ||
                                key->key() == Qt::Key_B || key->key() == Qt::Key_P);
    if (!ours)
        return false;
    if (event->type() == QEvent::ShortcutOverride) { // the window's single-key shortcuts do not apply while the table has focus
        event->accept();
        return true;
    }
    act(key->key());
    return true;
}

void RunsTable::act(int key) {
    const auto id = current();
    if (!id)
        return;
    if (key != Qt::Key_P) {
        Q_EMIT wanted(*id, key == Qt::Key_B ? Side::B : Side::A);
        return;
    }
    std::vector<RunId> ids;
    for (const QModelIndex &row : m_table->selectionModel()->selectedRows())
        ids.push_back(idAt(row));
    togglePin(ids);
}

} // namespace syncopate::ui
