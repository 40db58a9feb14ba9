// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/variables/variables_panel.h"

#include "engine/session/dag_job.h"
#include "ui/session/loaded_state.h"
#include "ui/tables/dense_table.h"
#include "ui/tables/filter_line.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/sentences.h"
#include "ui/theme/theme.h"
#include "ui/theme/translation.h"
#include "ui/variables/load_bars.h"
#include "ui/variables/node_edit_sheet.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <span>
#include <string>

namespace syncopate::ui {

VariablesPanel::VariablesPanel(const Theme &theme, Session &session, QWidget *parent)
    : QWidget(parent), m_session(session), m_filter(new FilterLine(theme, VariablesModel::filterFields())),
      m_table(new QTableView), m_edit(new QToolButton), m_reason(plainLabel()) {
    m_filter->setPlaceholderText(tr("Filter: kernel size>1MiB a=PS"));
    m_filter->setMaximumWidth(300);
    m_filter->setAccessibleName(tr("Filter variables"));
    makeTable();
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(4);
    column->addLayout(makeBar(theme));
    column->addWidget(m_table, 1);
    m_reason->setAlignment(Qt::AlignCenter);
    m_reason->setWordWrap(true);
    m_reason->setContentsMargins(12, 8, 12, 8);
    m_reason->hide();
    column->addWidget(m_reason, 1);

    connect(m_filter, &FilterLine::expressionChanged, this, [this] { m_sorted.setExpression(m_filter->expression()); });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            [this] { Q_EMIT variableSelected(selectedVariable()); });
    connect(&m_model, &QAbstractItemModel::modelReset, this, [this] { Q_EMIT variableSelected(-1); });
    connect(&session, &Session::runsChanged, this, &VariablesPanel::refresh);
    connect(&session, &Session::staleChanged, this, [this] {
        for (const Side side : {Side::A, Side::B})
            m_bars[indexOf(side)]->setStale(m_session.isMarkedStale(side));
    });
    connect(&session, &Session::stateChanged, this, [this] {
        for (int c = VariablesModel::SynchroniserB; c < VariablesModel::ColumnCount; ++c)
            m_table->setColumnHidden(c, !m_session.state().compare);
    });
}

void VariablesPanel::makeTable() {
    m_table->setModel(&m_sorted);
    m_table->setSortingEnabled(true);
    m_sorted.sort(-1);
    letOrderBeCleared(*m_table);
    makeDense(*m_table);
    m_table->horizontalHeader()->setDefaultSectionSize(84);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setAccessibleName(tr("Variables"));
    m_table->setToolTip(tr("Every variable, how A and B synchronise it, and what that costs. A column's header defines it."));
    m_table->installEventFilter(this);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_table, &QTableView::customContextMenuRequested, this, &VariablesPanel::showMenu);
    const std::array<int, VariablesModel::ColumnCount> widths{210, 110, 74,  150, 72, 130, 54,  76, 76,
                                                              120, 72,  130, 54,  76, 76,  120, 96};
    for (int c = 0; c < VariablesModel::ColumnCount; ++c)
        fitColumn(*m_table, c, widths[static_cast<std::size_t>(c)]);
    fitColumnToNames(*m_table, VariablesModel::Name, widths[VariablesModel::Name], 0.25);
}

QLayout *VariablesPanel::makeBar(const Theme &theme) {
    auto *top = new QHBoxLayout;
    top->setContentsMargins(8, 0, 8, 0);
    top->addWidget(m_filter);
    m_edit->setText(tr("Edit…"));
    m_edit->setToolTip(tr("Change how the selected variables are synchronised: E in the table for A, Shift+E for B"));
    m_edit->setPopupMode(QToolButton::InstantPopup);
    m_edit->setMenu(makeEditMenu());
    top->addWidget(m_edit);
    for (const Side side : {Side::A, Side::B}) {
        auto *marks = plainLabel();
        marks->setAccessibleName(tr("Pitfalls of %1").arg(side == Side::A ? tr("A") : tr("B")));
        m_marks[indexOf(side)] = marks;
        top->addWidget(marks);
    }
    top->addStretch();
    for (const Side side : {Side::A, Side::B}) {
        auto *bars = new LoadBars(theme, side == Side::A ? tr("A") : tr("B"));
        m_bars[indexOf(side)] = bars;
        top->addWidget(bars);
        connect(bars, &LoadBars::serverClicked, this, [this, side](const QString &address) {
            m_filter->setText(
                QStringLiteral("%1_where~\" %2:\"").arg(side == Side::A ? QStringLiteral("a") : QStringLiteral("b"), address));
        });
    }
    return top;
}

QMenu *VariablesPanel::makeEditMenu() {
    auto *menu = new QMenu(m_edit);
    for (const Side side : {Side::A, Side::B}) {
        const QString name = side == Side::A ? tr("A") : tr("B");
        menu->addAction(tr("Selected variables of %1…").arg(name), this, [this, side] { editSelected(side); });
        menu->addAction(tr("Revert all edits of %1").arg(name), this, [this, side] { takeEditsBack(side); });
    }
    return menu;
}

void VariablesPanel::showReason() {
    const bool isDag = showsDag(m_session.state()), none = isDag || showsRecording(m_session.state());
    m_reason->setText(!none ? QString()
                      : isDag
                          ? tr("The job is a training DAG, which has no variables. Its collectives are in the panel Runs, "
                               "under Plan: the graph, their costs and the editor of a plan.")
                          : tr("A recording without a training step has no variables. The panel Query asks about its spans."));
    m_reason->setVisible(none);
    m_table->setVisible(!none);
    m_filter->setEnabled(!none);
    m_edit->setEnabled(!none);
}

void VariablesPanel::refresh() {
    showReason();
    m_model.set(m_session.state().job, m_session.run(Side::A), m_session.run(Side::B));
    for (const Side side : {Side::A, Side::B}) {
        m_bars[indexOf(side)]->setRun(m_session.run(side));
        QLabel *label = m_marks[indexOf(side)];
        label->setText(marksText(side));
        label->setToolTip(marksTip(side));
    }
}

QString VariablesPanel::marksTip(Side side) const {
    const auto run = m_session.run(side);
    if (!run)
        return {};
    constexpr std::size_t shown = 12;
    const std::vector<LintMark> &marks = run->lintMarks();
    QStringList lines;
    for (const LintMark &mark : std::span(marks).first(std::min(shown, marks.size())))
        lines += tr("%1, %2: %3; %4")
                     .arg(worded({nameOf(mark.severity)}),
                          mark.variable.empty() ? tr("the strategy") : QString::fromStdString(mark.variable), said(mark.text),
                          said(mark.remedy));
    if (marks.size() > shown)
        lines += tr("… and %1 more, in the columns of marks").arg(marks.size() - shown);
    return plainTip(lines.join(QLatin1Char('\n')));
}

QString VariablesPanel::marksText(Side side) const {
    const auto run = m_session.run(side);
    if (!run || run->lintMarks().empty())
        return {};
    std::array<int, 3> count{};
    for (const LintMark &mark : run->lintMarks())
        ++count[static_cast<std::size_t>(mark.severity)];
    QStringList parts;
    if (const int errors = count[static_cast<std::size_t>(LintSeverity::Error)])
        parts += tr("%n errors", nullptr, errors);
    if (const int warnings = count[static_cast<std::size_t>(LintSeverity::Warning)])
        parts += tr("%n warnings", nullptr, warnings);
    if (const int notes = count[static_cast<std::size_t>(LintSeverity::Note)])
        parts += tr("%n notes", nullptr, notes);
    return tr("%1: %2").arg(side == Side::A ? tr("A") : tr("B"), parts.join(QStringLiteral(", ")));
}

std::vector<std::int32_t> VariablesPanel::selectedVariables() const {
    std::vector<std::int32_t> variables;
    for (const QModelIndex &row : m_table->selectionModel()->selectedRows())
        variables.push_back(m_sorted.mapToSource(row).row());
    std::sort(variables.begin(), variables.end());
    return variables;
}

NodeEditSheet *VariablesPanel::editSelected(Side side) {
    std::vector<std::int32_t> variables = selectedVariables();
    const auto run = m_session.run(side);
    const bool isSimulated = run && run->simulation() && run->recording().job == m_session.state().job; // not the one before
    const bool isHidden = side == Side::B && !m_session.state().compare;
    if (variables.empty() || !isSimulated) {
        Q_EMIT m_session.failed({variables.empty() ? "no variable is selected" : "this side is not simulated",
                                 variables.empty() ? "select some in the table (Ctrl+A: all)"
                                 : isHidden        ? "compare A and B (Ctrl+B)"
                                                   : "choose a builder for it",
                                 {},
                                 {}},
                                false);
        return nullptr;
    }
    auto *sheet = new NodeEditSheet(m_session, side, std::move(variables), this);
    sheet->setAttribute(Qt::WA_DeleteOnClose);
    sheet->open();
    return sheet;
}

void VariablesPanel::takeEditsBack(Side side) {
    SessionState next = m_session.state();
    next.side(side).source = withoutEdits(next.side(side).source);
    m_session.change(std::move(next), tr("Revert the edits of %1").arg(side == Side::A ? tr("A") : tr("B")));
}

void VariablesPanel::showMenu(const QPoint &at) {
    // Not exec(): the panel may be closed while the menu is open.
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const Side side : {Side::A, Side::B}) {
        if (side == Side::B && !m_session.state().compare)
            continue;
        const QString name = side == Side::A ? tr("A") : tr("B");
        menu->addAction(tr("Edit in %1…").arg(name), this, [this, side] { editSelected(side); });
        if (std::holds_alternative<Edited>(m_session.state().side(side).source))
            menu->addAction(tr("Revert all edits of %1").arg(name), this, [this, side] { takeEditsBack(side); });
    }
    menu->addSeparator();
    menu->addAction(tr("Copy as TSV (Ctrl+C)"), this, &VariablesPanel::copyWanted);
    menu->popup(m_table->viewport()->mapToGlobal(at));
}

std::int32_t VariablesPanel::selectedVariable() const {
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    return rows.isEmpty() ? -1 : m_sorted.mapToSource(rows.first()).row();
}

void VariablesPanel::clearSelection() { m_table->clearSelection(); }

bool VariablesPanel::eventFilter(QObject *watched, QEvent *event) {
    if (watched == m_table && event->type() == QEvent::KeyPress) {
        auto *key = static_cast<QKeyEvent *>(event);
        if (key->key() == Qt::Key_E && !(key->modifiers() & ~Qt::ShiftModifier)) {
            editSelected(key->modifiers() & Qt::ShiftModifier ? Side::B : Side::A);
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
