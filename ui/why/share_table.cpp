// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/why/share_table.h"

#include "ui/tables/dense_table.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"
#include "ui/why/why_parts.h"

#include <QHeaderView>
#include <algorithm>
#include <utility>

namespace syncopate::ui {

namespace {

constexpr std::size_t mostCollectives = 100; ///< rows, as of causes

} // namespace

ShareTable::ShareTable(QWidget *parent) : QTableWidget(parent) {
    setUpWhyTable(*this, {tr("Part"), tr("On path"), tr("Blocking"), tr("Sharing"), tr("Latency"), tr("Idle")},
                  tr("Shares of the iteration"));
    setToolTip(plainTip(tr("How much of the iteration compute, each channel and each collective take")));
    const std::pair<Column, QString> explained[] = {
        {What, tr("Channels and collectives divide the same seconds in two ways")},
        {Path, tr("On the critical path; with compute it adds up to the iteration")},
        {Blocking, tr("Part of it in which the next motif waited only for the channel.\n"
                      "Another order or channel changes that.")},
        {Sharing, tr("Part of it that other motifs on the same links add")},
        {Latency, tr("Part of it that is latency: steps × latency; unknown where times were measured")},
        {Idle, tr("The compute stream waits for it; with all computing it adds up to the iteration")}};
    for (const auto &[column, text] : explained)
        horizontalHeaderItem(column)->setToolTip(plainTip(text));
    for (const Column column : {Path, Blocking, Sharing, Latency, Idle})
        fitColumn(*this, column, 60);
    horizontalHeader()->setSectionResizeMode(What, QHeaderView::Stretch);
    for (const Column column : {Sharing, Latency}) // mostly small
        new ColumnOfWideTable(this, column, 400);
}

void ShareTable::addRow(const QString &what, const PlanShare &share) {
    const int row = rowCount();
    insertRow(row);
    setItem(row, What, whyCell(what));
    const std::pair<Column, double> cells[] = {{Path, share.pathSeconds},
                                               {Blocking, share.blockingSeconds},
                                               {Sharing, share.sharingSeconds},
                                               {Latency, share.latencySeconds},
                                               {Idle, share.idleSeconds}};
    for (const auto &[column, seconds] : cells)
        setItem(row, column, whyCell(seconds > 0 ? secondsText(seconds) : QStringLiteral("\u2013"), Qt::AlignRight));
}

void ShareTable::fill(const std::shared_ptr<const WhyAnswer> &answer) {
    setRowCount(0);
    if (!answer)
        return;
    const PlanShares &shares = answer->shares;
    addRow(tr("computing"), PlanShare{.name = {}, .pathSeconds = shares.computePathSeconds});
    for (const PlanShare &channel : shares.channels)
        addRow(tr("channel %1").arg(QString::fromStdString(channel.name)), channel);
    const std::size_t shown = std::min(shares.collectives.size(), mostCollectives);
    for (std::size_t c = 0; c < shown; ++c)
        addRow(QString::fromStdString(shares.collectives[c].name), shares.collectives[c]);
    if (shown < shares.collectives.size())
        addRow(tr("and %n shorter ones", nullptr, static_cast<int>(shares.collectives.size() - shown)), {});
}

} // namespace syncopate::ui
