// SPDX-License-Identifier: GPL-3.0-or-later
// What MainWindow can draw into files and onto the clipboard.
#include "ui/timeline/timeline_picture.h"
#include "ui/window/format.h"
#include "ui/window/main_window.h"

#include <QFileInfo>

namespace syncopate::ui {

Picture MainWindow::timelinePicture(bool wholeIteration) const {
    const SessionState &state = m_session.state();
    QString headline = tr("%1 on cluster %2")
                           .arg(QFileInfo(QString::fromStdString(state.source)).fileName(),
                                QFileInfo(QString::fromStdString(state.clusterSource)).fileName());
    std::vector<PicturePane> panes;
    double iteration = 0;
    for (const Side side : {Side::A, Side::B}) {
        const auto run = m_session.run(side);
        if (!run || (side == Side::B && !state.compare))
            continue;
        iteration = std::max(iteration, static_cast<double>(run->timeline().iteration()));
        const SideState &asked = state.side(side);
        panes.push_back({side == Side::A ? QStringLiteral("A") : QStringLiteral("B"),
                         QString::fromStdString(strategyTitle(asked)),
                         QStringLiteral("%1  ·  %2  ·  %3")
                             .arg(QString::fromStdString(asked.policy), secondsText(run->run().iterationSeconds),
                                  tr("overlap %1 %").arg(100 * run->window().overlapRatio(), 0, 'f', 0)),
                         {run, &run->timeline()}});
    }
    if (const auto a = m_session.run(Side::A), b = m_session.run(Side::B); state.compare && a && b)
        headline += QStringLiteral("   │   ") +
                    tr("B − A %1").arg(secondsDeltaText(a->run().iterationSeconds, b->run().iterationSeconds));
    const auto [from, to] = wholeIteration ? TimeAxis::Range(0, iteration) : m_axis.window();
    const auto drawing = std::make_shared<const TimelinePicture>(headline, std::move(panes), from, to);
    return {tr("Timelines"), drawing->size(),
            [drawing](QPainter &painter, const PaintTarget &target) {
                drawing->paint(painter, {target.dark}, target.vectors, target.scale);
            },
            true};
}

} // namespace syncopate::ui
