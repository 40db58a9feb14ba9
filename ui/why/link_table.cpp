// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/why/link_table.h"

#include "engine/base/units.h"
#include "ui/theme/explained.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"
#include "ui/why/why_parts.h"

#include <QHeaderView>
#include <utility>

namespace syncopate::ui {

LinkTable::LinkTable(QWidget *parent) : QTableWidget(parent) {
    setUpWhyTable(*this, {tr("Link"), tr("Rate"), tr("Limits"), tr("1 Gbit/s more")}, tr("Worth of faster links"));
    setToolTip(plainTip(
        tr("Links on the critical path, and the simulated saving with 1 Gbit/s more; none where another link is equally slow.\n"
           "The topology shows the same as the colour of its links (Worth).")));
    const std::pair<Column, QString> explained[] = {
        {Link, tr("One direction of a node's link, or the links inside a node; of folded nodes, one stands for all") +
                   QStringLiteral("\n") + tr("Fold: %1").arg(ui::explained("Fold"))},
        {Rate, tr("Maximum rate of the link, after its efficiency")},
        {Limits, tr("Time during which this link limits a transfer")},
        {Worth, tr("Iteration time saved by 1 Gbit/s more, in both directions of a node's link")}};
    for (const auto &[column, text] : explained)
        horizontalHeaderItem(column)->setToolTip(plainTip(text));
    horizontalHeader()->setSectionResizeMode(Link, QHeaderView::Stretch);
    for (const Column column : {Rate, Limits, Worth})
        horizontalHeader()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    new ColumnOfWideTable(this, Rate, 330);
}

void LinkTable::fill(const std::shared_ptr<const WhyAnswer> &answer) {
    setRowCount(0);
    const Run *const run = answer ? answer->run->simulation() : nullptr;
    if (!run)
        return;
    setRowCount(static_cast<int>(answer->links.size()));
    for (int row = 0; row < rowCount(); ++row) {
        const LinkSlope &slope = answer->links[static_cast<std::size_t>(row)];
        const FluidLink &link = run->graph.links[slope.link.index()];
        setItem(row, Link, whyCell(QString::fromStdString(link.name)));
        setItem(row, Rate, whyCell(QString::fromStdString(formatBandwidth(link.bytesPerSecond)), Qt::AlignRight));
        setItem(row, Limits, whyCell(secondsText(slope.limitedSeconds), Qt::AlignRight));
        const QString unknown = answer->complete ? QStringLiteral("–") : QStringLiteral("…");
        auto *worth = whyCell(slope.savedSeconds ? savingText(*slope.savedSeconds) : unknown, Qt::AlignRight);
        if (!slope.savedSeconds && answer->complete)
            worth->setToolTip(plainTip(static_cast<std::size_t>(row) < maxSimulatedLinks
                                           ? tr("The simulation with a faster link failed.")
                                           : tr("Not simulated: only the first %1 links are.").arg(maxSimulatedLinks)));
        setItem(row, Worth, worth);
    }
}

} // namespace syncopate::ui
