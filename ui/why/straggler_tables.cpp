// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/why/straggler_tables.h"

#include "ui/theme/format.h"
#include "ui/theme/sentences.h"
#include "ui/theme/theme.h"
#include "ui/why/why_parts.h"

#include <QHeaderView>
#include <QTableWidget>

namespace syncopate::ui {

namespace {

/// "3.1 ms", or empty if it is below the displayed precision of `whole`.
QString behindText(double seconds, double whole) {
    return sameSeconds(whole, whole + seconds) ? QString() : secondsText(seconds);
}

} // namespace

StragglerTables::StragglerTables(const Theme &theme, QObject *parent)
    : QObject(parent), m_theme(theme), m_ranks(new QTableWidget), m_steps(new QTableWidget) {
    setUpWhyTable(*m_ranks, {tr("Rank"), tr("Own time"), tr("Behind"), tr("At worst"), tr("Step then")}, tr("Ranks"));
    m_ranks->setToolTip(tr("Own time: of a step, all but its waits for collectives (mean of the steps).\n"
                           "Behind: its own time less the median rank's; at worst: in its worst step.\n"
                           "Step then: the measured steps played with this rank's own times cut to the median's."));
    setUpWhyTable(*m_steps, {tr("Step"), tr("Recorded"), tr("Then"), tr("Slowest"), tr("Behind")}, tr("Steps"));
    m_steps->setToolTip(
        tr("Each step that all ranks recorded: its time, its time with no rank slower than the median, its slowest rank\n"
           "(the one with the longest own time), and how far that rank is behind the median."));
    for (QTableWidget *table : {m_ranks, m_steps}) {
        table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
        table->horizontalHeader()->setStretchLastSection(true);
    }
    new ColumnOfWideTable(m_ranks, 3, 420);
    connect(&theme, &Theme::themeChanged, this, &StragglerTables::fill);
}

void StragglerTables::ask(const std::shared_ptr<const ImportedProfile> &profile) {
    if (profile == m_profile.lock())
        return; // already computed, or in progress
    m_profile = profile;
    m_found.reset();
    fill();
    m_worker.start([profile](const std::stop_token &stop, const auto &post) {
        post(std::make_shared<const Result<Stragglers>>(findStragglers(*profile, stop)));
    });
}

void StragglerTables::take(const Answer &answer) {
    m_found = answer;
    fill();
    Q_EMIT changed();
}

void StragglerTables::fill() {
    m_ranks->setRowCount(0);
    m_steps->setRowCount(0);
    if (const Stragglers *stragglers = found()) {
        fillRanks(*stragglers);
        fillSteps(*stragglers);
    }
}

void StragglerTables::fillRanks(const Stragglers &stragglers) {
    m_ranks->setRowCount(static_cast<int>(stragglers.ranks.size()));
    int row = 0;
    for (const RankLag &rank : stragglers.ranks) {
        const double median = rank.ownSeconds - rank.behindSeconds;
        m_ranks->setItem(row, 0, whyCell(QString::number(rank.rank), Qt::AlignRight));
        m_ranks->setItem(row, 1, whyCell(secondsText(rank.ownSeconds), Qt::AlignRight));
        m_ranks->setItem(row, 2, whyCell(behindText(rank.behindSeconds, median), Qt::AlignRight));
        m_ranks->setItem(row, 3, whyCell(behindText(rank.worstBehindSeconds, median), Qt::AlignRight));
        auto *step = whyCell(rank.asMedianSeconds ? secondsDeltaText(stragglers.stepSeconds, *rank.asMedianSeconds) : QString(),
                             Qt::AlignRight);
        if (rank.asMedianSeconds && !sameSeconds(stragglers.stepSeconds, *rank.asMedianSeconds))
            step->setForeground(m_theme.color(ColorId::Better));
        m_ranks->setItem(row, 4, step);
        ++row;
    }
    m_ranks->selectRow(static_cast<int>(stragglers.slowest));
}

void StragglerTables::fillSteps(const Stragglers &stragglers) {
    m_steps->setRowCount(static_cast<int>(stragglers.steps.size()));
    int row = 0;
    for (const StragglerStep &step : stragglers.steps) {
        m_steps->setItem(row, 0, whyCell(QString::fromStdString(step.name)));
        m_steps->setItem(row, 1, whyCell(secondsText(step.seconds), Qt::AlignRight));
        m_steps->setItem(row, 2, whyCell(secondsText(step.asMedianSeconds), Qt::AlignRight));
        m_steps->setItem(row, 3, whyCell(tr("rank %1").arg(stragglers.ranks[step.slowest].rank), Qt::AlignRight));
        m_steps->setItem(row, 4, whyCell(behindText(step.behindSeconds, step.medianSeconds), Qt::AlignRight));
        ++row;
    }
}

QString StragglerTables::rankText() const {
    if (!m_found)
        return tr("Playing the recorded ranks…");
    if (!*m_found)
        return tr("Stragglers are not known: %1").arg(QString::fromStdString(m_found->error().toString()));
    const Stragglers &stragglers = **m_found;
    return tr("Measured step of all ranks: %1; with rank %2 as fast as the median: %3, %4")
        .arg(secondsText(stragglers.stepSeconds))
        .arg(stragglers.ranks[stragglers.slowest].rank)
        .arg(secondsText(stragglers.slowestAsMedianSeconds),
             secondsDeltaText(stragglers.stepSeconds, stragglers.slowestAsMedianSeconds));
}

QString StragglerTables::stepText() const {
    const Stragglers *stragglers = found();
    return stragglers ? tr("With no rank slower than the median: %1, %2")
                            .arg(secondsText(stragglers->allAsMedianSeconds),
                                 secondsDeltaText(stragglers->stepSeconds, stragglers->allAsMedianSeconds))
                      : QString();
}

QString StragglerTables::assumptions() const {
    QStringList lines;
    if (const Stragglers *stragglers = found())
        for (const std::string &one : stragglers->assumptions)
            lines += said(one);
    return lines.join(QLatin1Char('\n'));
}

} // namespace syncopate::ui
