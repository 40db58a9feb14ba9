// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/project/stacked_scenarios.h"

#include "ui/runs/plan_stack.h"
#include "ui/session/simulate_side.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"

#include <QLabel>
#include <QVBoxLayout>
#include <utility>

namespace syncopate::ui {

namespace {

/// Sets the entry's strategy, if it has one, on its side of `state`, and simulates that side.
Result<std::shared_ptr<const ShownRun>> simulateEntry(const StackedScenarios::Entry &entry, SessionState &state,
                                                      const std::stop_token &stop) {
    if (entry.strategy) {
        auto strategy = TRY(entry.strategy());
        Source &source = state.side(entry.side).source;
        source = replaced(source, std::move(strategy), entry.name.toStdString());
    }
    return simulateSide(state, entry.side, stop);
}

} // namespace

StackedScenarios::StackedScenarios(const Theme &theme, QWidget *parent)
    : QDialog(parent), m_stack(new PlanStack(theme)), m_stateLabel(plainLabel()) {
    setWindowTitle(tr("Stacked scenarios"));
    m_stack->setAccessibleName(tr("Timelines of the scenarios"));
    m_stack->setEmptyText(tr("Simulating…"));
    m_stateLabel->setWordWrap(true);
    m_stateLabel->setMargin(6);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_stack, 1);
    column->addWidget(m_stateLabel);
    connect(this, &QDialog::finished, this, [this] { setEntries({}); }); // stops simulating and frees the runs
    connect(m_stack, &PlanStack::rowClicked, this, [this](int row) {
        const std::size_t entry = m_rows[static_cast<std::size_t>(row)];
        Q_EMIT wanted(m_simulated[entry]->state, m_entries[entry].side, m_entries[entry].name);
    });
}

void StackedScenarios::setEntries(std::vector<Entry> entries) {
    m_entries = std::move(entries);
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
            failures.push_back(tr("%1: %2").arg(m_entries[e].name, QString::fromStdString(simulated->error->toString())));
        if (!simulated || !simulated->run)
            continue;
        const auto &run = simulated->run;
        m_rows.push_back(e);
        rows.push_back(
            {m_entries[e].name,
             tr("%1 · exposed %2").arg(secondsText(run->recording().iterationSeconds), secondsText(run->window().exposedSeconds)),
             {run, &run->timeline()},
             false,
             simulated->lanes});
    }
    m_stack->setRows(std::move(rows));
    QString state = isSimulating()
                        ? tr("Simulating %1 of %2…").arg(m_done + 1).arg(m_entries.size())
                        : tr("One clock for all rows, each from its iteration's start to its dashed line. Ctrl+wheel zooms, "
                             "Shift+wheel pans, F fits; a click shows a row in B.");
    for (const QString &failure : failures)
        state += QLatin1Char('\n') + failure;
    m_stateLabel->setText(state);
}

} // namespace syncopate::ui
