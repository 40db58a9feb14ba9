// SPDX-License-Identifier: GPL-3.0-or-later
// What MainWindow can draw into files and onto the clipboard.
#include "ui/export/widget_picture.h"
#include "ui/theme/format.h"
#include "ui/theme/theme.h"
#include "ui/timeline/overview_strip.h"
#include "ui/timeline/timeline_picture.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/main_window.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QFileInfo>
#include <QSplitter>

namespace syncopate::ui {

namespace {
constexpr int copiedScale = 2; ///< for paper and slides
}

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
        panes.push_back(
            {side == Side::A ? QStringLiteral("A") : QStringLiteral("B"),
             QString::fromStdString(strategyTitle(asked)),
             QStringLiteral("%1%2  ·  %3")
                 .arg(asked.hasScenario() ? QString::fromStdString(asked.policy) + QStringLiteral("  ·  ") : QString(),
                      secondsText(run->recording().iterationSeconds),
                      tr("overlap %1 %").arg(100 * run->window().overlapRatio(), 0, 'f', 0)),
             {run, &run->timeline()}});
    }
    if (const auto a = m_session.run(Side::A), b = m_session.run(Side::B); state.compare && a && b)
        headline += QStringLiteral("   │   ") +
                    tr("B − A %1").arg(secondsDeltaText(a->recording().iterationSeconds, b->recording().iterationSeconds));
    const auto [from, to] = wholeIteration ? TimeAxis::Range(0, iteration) : m_axis.window();
    const auto drawing = std::make_shared<const TimelinePicture>(headline, std::move(panes), from, to);
    return {tr("Timelines"), drawing->size(),
            [drawing](QPainter &painter, const PaintTarget &target) {
                drawing->paint(painter, {target.dark}, target.vectors, target.scale, target.stop);
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

QList<QPointer<QWidget>> MainWindow::picturePieces() const {
    QList<QPointer<QWidget>> pieces;
    for (const QWidget *parent : {m_explorer, static_cast<QWidget *>(m_panes)})
        for (QWidget *child : parent->findChildren<QWidget *>(QString(), Qt::FindDirectChildrenOnly))
            if (child != m_panes && child->isVisibleTo(m_explorer))
                pieces.push_back(child);
    return pieces;
}

QImage MainWindow::blankPicture(int scale) const {
    QImage image(m_explorer->size() * scale, QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    image.fill(m_theme.color(ColorId::Surface));
    return image;
}

void MainWindow::drawPiece(QImage &picture, QWidget &piece, int scale) {
    const auto setPixelRatio = [this, &piece](qreal ratio) {
        for (TimelineView *view : m_views)
            if (view == &piece)
                view->setPixelRatio(ratio);
        if (m_overview == &piece)
            m_overview->setPixelRatio(ratio);
    };
    setPixelRatio(scale);
    piece.render(&picture, piece.mapTo(m_explorer, QPoint(0, 0)));
    setPixelRatio(0);
}

QImage MainWindow::picture(int scale) {
    QImage image = blankPicture(scale);
    for (const QPointer<QWidget> &piece : picturePieces())
        drawPiece(image, *piece, scale);
    return image;
}

void MainWindow::copyPicture() {
    // Each piece in an event of its own: all panes at once would hold up the user's next key.
    const auto blank = std::make_shared<QImage>(blankPicture(copiedScale));
    copyNext(blank, {m_session.run(Side::A), m_session.run(Side::B)}, picturePieces());
}

void MainWindow::copyNext(const std::shared_ptr<QImage> &picture, const Runs &runs, const QList<QPointer<QWidget>> &rest) {
    const auto go = [this, picture, runs, rest = rest]() mutable {
        if (runs != Runs{m_session.run(Side::A), m_session.run(Side::B)}) {
            copyPicture(); // A and B are of one state
        } else if (rest.isEmpty()) {
            QApplication::clipboard()->setImage(*picture);
        } else {
            if (const QPointer<QWidget> piece = rest.takeFirst())
                drawPiece(*picture, *piece, copiedScale);
            copyNext(picture, runs, rest);
        }
    };
    QMetaObject::invokeMethod(this, go, Qt::QueuedConnection);
}

} // namespace syncopate::ui
