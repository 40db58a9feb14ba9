// SPDX-License-Identifier: GPL-3.0-or-later
// What MainWindow can draw into files and onto the clipboard.
#include "ui/export/widget_picture.h"
#include "ui/timeline/timeline_picture.h"
#include "ui/window/format.h"
#include "ui/window/main_window.h"

#include <QAbstractItemView>
#include <QDockWidget>
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
                         QStringLiteral("%1%2  ·  %3")
                             .arg(asked.isMeasured() ? QString() : QString::fromStdString(asked.policy) + QStringLiteral("  ·  "),
                                  secondsText(run->run().iterationSeconds),
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

std::vector<Picture> MainWindow::pictures(bool wholeIteration) {
    std::vector<Picture> all{timelinePicture(wholeIteration)};
    for (const QDockWidget *dock : findChildren<QDockWidget *>())
        // A panel behind another tab has no picture to show: it is laid out when it comes to the front.
        if (dock->widget() && dock->isVisible() && !dock->visibleRegion().isEmpty())
            all.push_back(pictureOfWidget(*dock->widget(), m_theme, dock->windowTitle()));
    return all;
}

std::vector<NamedTable> MainWindow::tables() const {
    std::vector<NamedTable> all;
    for (const QDockWidget *dock : findChildren<QDockWidget *>()) {
        if (dock->isHidden() || !dock->widget())
            continue;
        int number = 0;
        for (const QAbstractItemView *view : dock->widget()->findChildren<QAbstractItemView *>()) {
            // Lists of combo boxes are views, too.
            if (!view->model() || view->isHidden() || view->window() != this || view->model()->rowCount() == 0)
                continue;
            const QString name = view->accessibleName();
            ++number;
            all.push_back({number == 1 ? dock->windowTitle()
                                       : tr("%1: %2").arg(dock->windowTitle(), name.isEmpty() ? QString::number(number) : name),
                           tableOf(*view)});
        }
    }
    return all;
}

} // namespace syncopate::ui
