// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/project/stacked_scenarios.h"

#include "ui/runs/plan_stack.h"
#include "ui/session/simulate_side.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/screen_fit.h"

#include <QHash>
#include <QLabel>
#include <QVBoxLayout>
#include <utility>

namespace syncopate::ui {

namespace {

/// Simulates the entry's side of `state`, which gets the entry's strategy.
Result<std::shared_ptr<const ShownRun>> simulateEntry(const StackedScenarios::Entry &entry, SessionState &state,
                                                      const std::stop_token &stop) {
    state = TRY(entry.decoded());
    return simulateSide(state, entry.side, stop);
}

/// A unique name for each entry's row: both sides of a scenario have one name, and a user may give it to other scenarios.
QStringList titlesOf(const std::vector<StackedScenarios::Entry> &entries) {
    QHash<QString, int> ofName, ofTitle;
    for (const auto &entry : entries)
        ++ofName[entry.name];
    QStringList titles;
    for (const auto &entry : entries) {
        QString title = entry.name;
        if (ofName[entry.name] > 1)
            title += QStringLiteral(" · ") + (entry.side == Side::A ? StackedScenarios::tr("A") : StackedScenarios::tr("B"));
        QString unique = title; // a user may have named a scenario "kept · A (2)"
        while (titles.contains(unique))
            unique = title + QStringLiteral(" (%1)").arg(++ofTitle[title] + 1);
        titles += unique;
    }
    return titles;
}

} // namespace

StackedScenarios::StackedScenarios(const Theme &theme, QWidget *parent)
    : QDialog(parent), m_stack(new PlanStack(theme)), m_stateLabel(plainLabel()) {
    setWindowTitle(tr("Stacked scenarios"));
    m_stack->setAccessibleName(tr("Timelines of the scenarios"));
    m_stateLabel->setWordWrap(true);
    m_stateLabel->setMargin(6);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_stack, 1);
    column->addWidget(m_stateLabel);
    resizeWithinScreen(*this, {900, 480});
    connect(this, &QDialog::finished, this, [this] { setEntries({}); }); // stops simulating and frees the runs
    connect(m_stack, &PlanStack::rowClicked, this, [this](int row) {
        const std::size_t entry = m_rows[static_cast<std::size_t>(row)];
        Q_EMIT wanted(m_simulated[entry]->state, m_entries[entry].side, m_entries[entry].name);
    });
}

void StackedScenarios::setEntries(std::vector<Entry> entries) {
    m_entries = std::move(entries);
    m_titles = titlesOf(m_entries);
    m_simulated.assign(m_entries.size(), std::nullopt);
    m_done = 0;
    showRows();
    m_simulator.start([pending = m_entries](const std::stop_token &stop, const auto &post) {
        for (std::size_t e = 0; e < pending.size() && !stop.stop_requested(); ++e) {
            Simulated simulated{e, pending[e].state, nullptr, {}, {}};
            if (auto run = simulateEntry(pending[e], simulated.state, stop)) {
                simulated.run = *std::move(run);
                simulated.lanes = PlanStack::lanesOfWorker(simulated.run->timeline(), simulated.run->window().worker);
            } else {
                simulated.error = std::move(run).error();
            }
            post(std::move(simulated));
        }
    });
}

void StackedScenarios::take(const Simulated &simulated) {
    m_simulated[simulated.entry] = simulated;
    ++m_done;
    showRows();
}

void StackedScenarios::showRows() {
    std::vector<PlanStack::Row> rows;
    m_rows.clear();
    QStringList failures;
    for (std::size_t e = 0; e < m_entries.size(); ++e) {
        const auto &simulated = m_simulated[e];
        if (simulated && simulated->error)
            failures.push_back(
                tr("%1: %2").arg(m_titles[static_cast<int>(e)], QString::fromStdString(simulated->error->toString())));
        if (!simulated || !simulated->run)
            continue;
        const auto &run = simulated->run;
        m_rows.push_back(e);
        rows.push_back(
            {m_titles[static_cast<int>(e)],
             tr("%1 · exposed %2").arg(secondsText(run->recording().iterationSeconds), secondsText(run->window().exposedSeconds)),
             {run, &run->timeline()},
             false,
             simulated->lanes});
    }
    QStringList state;
    if (isSimulating())
        state += tr("Simulating %1 of %2…").arg(m_done + 1).arg(m_entries.size());
    else if (!rows.empty())
        state += tr("One clock for all rows, each from its iteration's start to its dashed line. Ctrl+wheel zooms, Shift+wheel "
                    "pans, F fits; a click shows a row in B.");
    m_stack->setEmptyText(isSimulating() ? tr("Simulating…") : tr("None of them can be simulated."));
    m_stack->setRows(std::move(rows));
    m_stateLabel->setText((state + failures).join(QLatin1Char('\n')));
}

} // namespace syncopate::ui
