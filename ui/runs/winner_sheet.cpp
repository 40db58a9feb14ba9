// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/winner_sheet.h"

#include "ui/tables/dense_table.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/screen_fit.h"
#include "ui/theme/sentences.h"
#include "ui/theme/theme.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

namespace syncopate::ui {

namespace {

QTreeWidget *makeTable(const QStringList &columns, const QString &name, const QString &toolTip) {
    auto *table = new QTreeWidget;
    table->setHeaderLabels(columns);
    table->setRootIsDecorated(false);
    table->setUniformRowHeights(true);
    table->setSelectionMode(QAbstractItemView::NoSelection);
    table->setAccessibleName(name);
    table->setToolTip(plainTip(toolTip));
    table->setTextElideMode(Qt::ElideMiddle);
    cutColumnWhereAlike(*table, 0, 10);
    QHeaderView &header = *table->header();
    header.setStretchLastSection(false);
    header.setSectionResizeMode(QHeaderView::ResizeToContents);
    header.setSectionResizeMode(0, QHeaderView::Interactive);
    header.setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
    table->headerItem()->setTextAlignment(0, Qt::AlignLeft | Qt::AlignVCenter);
    giveNamesTheRest(*table, 0, 0.5);
    return table;
}

QTreeWidgetItem *addRow(QTreeWidget &table, const QString &name, const QStringList &figures) {
    auto *row = new QTreeWidgetItem(&table, QStringList(name) + figures);
    row->setData(0, Qt::ToolTipRole, plainTip(name));
    for (int column = 1; column <= figures.size(); ++column)
        row->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    return row;
}

} // namespace

WinnerSheet::WinnerSheet(const Theme &theme, QWidget *parent)
    : QDialog(parent), m_theme(theme), m_common(plainLabel()), m_state(plainLabel()), m_noElsewhere(plainLabel()),
      m_pieces(makeTable({tr("Piece reset"), tr("Iteration"), tr("Worth")}, tr("Pieces of the best strategy"),
                         tr("The best strategy with one piece reset to the best builder's choice. A piece's worth is that time "
                            "minus the best; worths need not add up."))),
      m_elsewhere(makeTable(
          {tr("Strategy"), tr("unchanged"), tr("links at half"), tr("links at twice"), tr("a slow worker"), tr("at worst")},
          tr("The best strategies under other conditions"),
          tr("Iteration time of each with all links at half and at twice their bandwidth, and with one worker at two thirds of "
             "its speed. At worst: how far it is behind the fastest of a column. The first is the most robust."))) {
    setWindowTitle(tr("Pieces of the best strategy and their worth"));
    resizeWithinScreen(*this, {960, 520});
    m_state->setWordWrap(true);
    m_state->setAccessibleName(tr("State of the explanation"));
    m_common->setWordWrap(true);
    m_common->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_common->setAccessibleName(tr("What the best have in common"));
    m_common->setToolTip(plainTip(tr("Traits of at least 70 % of the best trials and of clearly fewer others. The best are the "
                                     "ten fastest, or a quarter of all if that is fewer; each strategy counts once.")));
    m_common->setVisible(false);
    m_noElsewhere->setText(tr("Times under other conditions are not known: the judge's are recorded."));
    m_noElsewhere->setVisible(false);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *column = new QVBoxLayout(this);
    column->addWidget(m_common);
    column->addWidget(m_state);
    column->addWidget(m_pieces, 3);
    column->addWidget(m_elsewhere, 2);
    column->addWidget(m_noElsewhere);
    column->addWidget(buttons);
}

void WinnerSheet::explain(const SearchPlan &plan, const SearchHistory &history, const std::vector<TunedBaseline> &tuned) {
    m_report.reset();
    m_common->setVisible(false);
    m_pieces->clear();
    m_elsewhere->clear();
    m_elsewhere->setVisible(true);
    m_noElsewhere->setVisible(false);
    m_state->setText(tr("Judging the best with each piece reset…"));
    m_worker.start([plan, history, tuned](const std::stop_token &stop, const auto &post) {
        const auto work = [&]() -> Result<WinnerReport> {
            const PlannedSearch planned = TRY(planSearch(plan));
            return reportWinner(planned.request, *planned.method, *planned.judge, history, tuned, stop);
        };
        auto report = work();
        post(report ? Answer{*std::move(report), {}} : Answer{{}, report.error()});
    });
}

void WinnerSheet::done(int result) {
    m_worker.cancel();
    QDialog::done(result);
}

void WinnerSheet::take(const Answer &answer) {
    if (answer.error) {
        m_state->setText(tr("Cannot be explained: %1").arg(QString::fromStdString(answer.error->toString())));
        return;
    }
    m_report = answer.report;
    const QString winner = QString::fromStdString(m_report->winner), builder = QString::fromStdString(m_report->builder);
    m_state->setText(m_report->pieces.empty()
                         ? tr("%1 does not differ from %2.").arg(winner, builder)
                         : tr("%1, %2 an iteration, against %3:").arg(winner, secondsText(m_report->winnerSeconds), builder));
    showCommon(*m_report);
    showPieces(*m_report);
    showElsewhere(*m_report);
}

void WinnerSheet::showCommon(const WinnerReport &report) {
    QStringList lines;
    for (const CommonTrait &trait : report.common)
        lines << QStringLiteral("• ") + said(describe(trait));
    m_common->setText(lines.join(QLatin1Char('\n')));
    m_common->setVisible(!lines.isEmpty());
}

void WinnerSheet::showPieces(const WinnerReport &report) {
    for (const SetBack &piece : report.pieces) {
        const bool judged = piece.error.empty();
        const double worth = piece.iterationSeconds - report.winnerSeconds;
        QTreeWidgetItem *row = addRow(*m_pieces, QString::fromStdString(piece.what),
                                      {judged ? secondsText(piece.iterationSeconds) : QStringLiteral("–"),
                                       judged ? secondsDeltaText(report.winnerSeconds, piece.iterationSeconds) : QString()});
        if (!judged)
            row->setData(1, Qt::ToolTipRole, plainTip(QString::fromStdString(piece.error)));
        else if (!sameSeconds(report.winnerSeconds, piece.iterationSeconds))
            row->setForeground(2, m_theme.color(worth > 0 ? ColorId::Worse : ColorId::Better));
    }
}

void WinnerSheet::showElsewhere(const WinnerReport &report) {
    m_elsewhere->setVisible(!report.elsewhere.empty());
    m_noElsewhere->setVisible(report.elsewhere.empty());
    for (const Elsewhere &one : report.elsewhere) {
        QStringList figures;
        for (const double seconds : one.iterationSeconds)
            figures << (std::isnan(seconds) ? QStringLiteral("–") : secondsText(seconds));
        figures << (std::isnan(one.worstRegret) ? QStringLiteral("–") : tr("%1 % behind").arg(100 * one.worstRegret, 0, 'f', 1));
        addRow(*m_elsewhere, QString::fromStdString(one.name), figures);
    }
}

} // namespace syncopate::ui
