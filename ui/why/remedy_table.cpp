// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/why/remedy_table.h"

#include "ui/tables/dense_table.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"
#include "ui/theme/translation.h"
#include "ui/why/why_parts.h"

#include <QHeaderView>
#include <QPushButton>
#include <algorithm>
#include <utility>

namespace syncopate::ui {

namespace {

/// Whether two answers to one question have the remedy; they share strategies, clusters and plans. Winners of two searches may
/// have one text, and one time.
bool isSame(const Remedy &a, const Remedy &b) {
    using Plan = std::shared_ptr<const PlanChange>;
    if (a.text != b.text || a.change.index() != b.change.index())
        return false;
    if (const auto *plan = std::get_if<Plan>(&a.change))
        return *plan == std::get<Plan>(b.change);
    if (!std::holds_alternative<ScenarioChange>(a.change))
        return true;
    return a.scenario().strategy == b.scenario().strategy && a.scenario().cluster == b.scenario().cluster &&
           a.scenario().policy == b.scenario().policy;
}

} // namespace

RemedyTable::RemedyTable(const Theme &theme, QWidget *parent) : QTableWidget(parent), m_theme(theme) {
    setUpWhyTable(*this, {tr("Remedy"), tr("Iteration"), tr("Change"), {}}, tr("Remedies"));
    setTextElideMode(Qt::ElideRight);  // the remedy comes first, then the reason
    cutColumnWhereAlike(*this, 0, 60); // builders with and without their arguments are rows apart
    QHeaderView *header = horizontalHeader();
    header->setSectionResizeMode(0, QHeaderView::Stretch);
    fitColumn(*this, 1, 76);
    header->setSectionResizeMode(2, QHeaderView::ResizeToContents);
    header->resizeSection(3, std::max(48, fontMetrics().horizontalAdvance(tr("Try")) + 20));
    header->setMinimumSectionSize(40);
    new ColumnOfWideTable(this, 1, 460);
    connect(this, &QTableWidget::cellDoubleClicked, this, [this](int row, int) {
        if (remedyAt(row))
            chooseRow(row);
    });
    connect(this, &QTableWidget::cellClicked, this, [this](int row, int) {
        if (!remedyAt(row))
            chooseRow(row);
    });
    connect(this, &QTableWidget::cellActivated, this, [this](int row, int) {
        if (hasFocus())
            chooseRow(row);
    });
}

std::optional<std::size_t> RemedyTable::remedyAt(int row) const {
    const auto r = static_cast<std::size_t>(row);
    if (r == m_helpful)
        return {};
    return r < m_helpful ? r : r - 1;
}

void RemedyTable::unfold(bool on) {
    m_unfolded = on;
    if (m_answer)
        fill(m_answer);
}

void RemedyTable::fill(std::shared_ptr<const WhyAnswer> answer) {
    m_answer = std::move(answer);
    if (!m_answer) {
        m_helpful = 0;
        setRowCount(0);
        return;
    }
    const std::vector<RemedyRow> &remedies = m_answer->remedies;
    const double present = m_answer->run->recording().iterationSeconds;
    // Remedies that help come first.
    m_helpful = static_cast<std::size_t>(std::ranges::count_if(remedies, &RemedyRow::helps));
    const bool folds = m_helpful < remedies.size();
    const std::size_t rows = m_unfolded && folds ? remedies.size() + 1 : m_helpful + (folds ? 1 : 0);
    clearSpans();
    setRowCount(static_cast<int>(rows));
    for (int row = 0; row < static_cast<int>(rows); ++row)
        if (const auto index = remedyAt(row))
            showRemedy(row, remedies[*index], present);
        else
            showFold(row);
}

void RemedyTable::showRemedy(int row, const RemedyRow &remedy, double present) {
    setItem(row, 0, whyCell(worded(remedy.remedy.text)));
    const bool simulated = remedy.iterationSeconds.has_value();
    setItem(row, 1, whyCell(simulated ? secondsText(*remedy.iterationSeconds) : tr("cannot be"), Qt::AlignRight));
    auto *change = whyCell(simulated ? secondsDeltaText(present, *remedy.iterationSeconds)
                                     : QString::fromStdString(remedy.iterationSeconds.error().what),
                           Qt::AlignRight);
    if (remedy.helps() || remedy.gain <= -std::max(0.0005, remedy.doubt))
        change->setForeground(m_theme.color(remedy.gain > 0 ? ColorId::Better : ColorId::Worse));
    setItem(row, 2, change);
    if (!qobject_cast<QPushButton *>(cellWidget(row, 3))) {
        auto *button = new QPushButton(tr("Try"));
        button->setAutoDefault(true);
        button->setToolTip(tr("Apply this remedy (Undo takes it back)"));
        // Rows may move while more is simulated: the remedy under the press is tried, not the one under the release.
        connect(button, &QPushButton::pressed, this,
                [this, row] { m_pressed = m_answer ? std::optional(m_answer->remedies[*remedyAt(row)].remedy) : std::nullopt; });
        connect(button, &QPushButton::clicked, this, &RemedyTable::tryPressed);
        setCellWidget(row, 3, button);
    }
    cellWidget(row, 3)->setEnabled(simulated);
}

void RemedyTable::showFold(int row) {
    removeCellWidget(row, 3);
    for (int c = 1; c < columnCount(); ++c)
        delete takeItem(row, c);
    const std::size_t folded = m_answer->remedies.size() - m_helpful;
    auto *fold = whyCell(QStringLiteral("%1 %2").arg(m_unfolded ? QStringLiteral("\u25be") : QStringLiteral("\u25b8"),
                                                     tr("%1 without a certain gain, or that cannot be simulated").arg(folded)));
    fold->setForeground(m_theme.color(ColorId::DimText));
    fold->setToolTip(plainTip(m_unfolded ? tr("Click to hide them") : tr("Click to list them")));
    setItem(row, 0, fold);
    setSpan(row, 0, 1, columnCount());
}

void RemedyTable::chooseRow(int row) {
    if (const auto index = remedyAt(row))
        Q_EMIT tried(*index);
    else
        unfold(!m_unfolded);
}

void RemedyTable::tryPressed() {
    const std::optional<Remedy> remedy = std::exchange(m_pressed, std::nullopt);
    if (!m_answer || !remedy)
        return;
    const auto pressed =
        std::ranges::find_if(m_answer->remedies, [&remedy](const RemedyRow &row) { return isSame(row.remedy, *remedy); });
    if (pressed != m_answer->remedies.end())
        Q_EMIT tried(static_cast<std::size_t>(pressed - m_answer->remedies.begin()));
}

} // namespace syncopate::ui
