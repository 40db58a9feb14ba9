// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/exports.h"

#include "ui/export/export_sheet.h"
#include "ui/export/widget_picture.h"
#include "ui/session/loaded_state.h"
#include "ui/theme/format.h"
#include "ui/theme/theme.h"
#include "ui/timeline/overview_strip.h"
#include "ui/timeline/timeline_picture.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/message_bar.h"
#include "ui/window/panels.h"
#include "ui/window/panes.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QFileInfo>
#include <algorithm>
#include <optional>
#include <utility>

namespace syncopate::ui {

namespace {

constexpr int copiedScale = 2; ///< for paper and slides

PicturePane paneOf(Side side, const SideState &asked, const std::shared_ptr<const ShownRun> &run,
                   const LaneArrangement &arrangement, double offset) {
    QStringList facts{secondsText(run->recording().iterationSeconds)};
    if (asked.hasScenario())
        facts.prepend(QString::fromStdString(asked.policy));
    if (run->window().communicationSeconds > 0)
        facts += Exports::tr("overlap %1 %").arg(100 * run->window().overlapRatio(), 0, 'f', 0);
    return {side == Side::A ? QStringLiteral("A") : QStringLiteral("B"),
            QString::fromStdString(strategyTitle(asked)),
            facts.join(QStringLiteral("  ·  ")),
            {run, &run->timeline()},
            arrangement,
            offset};
}

/// The side whose cluster the headline names: one that is simulated on the cluster of both. A pane's title names a cluster of its
/// own side; where all have one, the first is named. A recording has none.
Side headlineSide(const SessionState &state) {
    std::optional<Side> first;
    for (const Side side : {Side::A, Side::B}) {
        const SideState &shown = state.side(side);
        if ((side == Side::B && !state.compare) || !(shown.hasScenario() || shown.isPlanned()))
            continue;
        if (!shown.cluster)
            return side;
        if (!first)
            first = side;
    }
    return first.value_or(Side::A);
}

} // namespace

Exports::Exports(QWidget &window, Theme &theme, Session &session, Panes &panes, Panels &panels, MessageBar &messages)
    : m_window(window), m_theme(theme), m_session(session), m_panes(panes), m_panels(panels), m_messages(messages) {}

Picture Exports::timelinePicture(bool wholeIteration) const {
    const SessionState &state = m_session.state();
    const QString job = QFileInfo(QString::fromStdString(state.source)).fileName();
    QString headline = showsRecording(state) ? job : tr("%1 on cluster %2").arg(job, clusterText(state, headlineSide(state)));
    std::vector<PicturePane> panes;
    double iteration = 0;
    for (const Side side : {Side::A, Side::B}) {
        const auto run = m_session.run(side);
        if (!run || (side == Side::B && !state.compare))
            continue;
        iteration = std::max(iteration, static_cast<double>(run->timeline().iteration()));
        const TimelineView &view = m_panes.view(side);
        panes.push_back(paneOf(side, state.side(side), run, view.arrangement(), wholeIteration ? 0 : view.offset()));
    }
    if (const auto [a, b] = runs(); state.compare && a && b)
        headline += QStringLiteral("   │   ") +
                    tr("B − A %1").arg(secondsDeltaText(a->recording().iterationSeconds, b->recording().iterationSeconds));
    const auto [from, to] = wholeIteration ? TimeAxis::Range(0, iteration) : m_panes.axis().window();
    const auto drawing = std::make_shared<const TimelinePicture>(headline, std::move(panes), from, to);
    return {tr("Timelines"), drawing->size(),
            [drawing](QPainter &painter, const PaintTarget &target) {
                drawing->paint(painter, {target.dark}, target.vectors, target.scale, target.stop);
            },
            true};
}

std::vector<Picture> Exports::pictures(bool wholeIteration) const {
    std::vector<Picture> all{timelinePicture(wholeIteration)};
    for (const QDockWidget *dock : m_panels.docks())
        // A panel behind another tab has no picture: it is laid out only when it comes to the front.
        if (dock->widget() && dock->isVisible() && !dock->visibleRegion().isEmpty())
            all.push_back(pictureOfWidget(*dock->widget(), m_theme, dock->windowTitle()));
    return all;
}

std::vector<NamedTable> Exports::tables() const {
    std::vector<NamedTable> all;
    for (const QDockWidget *dock : m_panels.docks()) {
        if (dock->isHidden() || !dock->widget())
            continue;
        int number = 0;
        for (const QAbstractItemView *view : dock->widget()->findChildren<QAbstractItemView *>()) {
            // The drop-down lists of combo boxes are views, too.
            // A floating panel is a window of its own.
            if (!view->model() || view->isHidden() || view->window() != dock->window() || view->model()->rowCount() == 0)
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

QImage Exports::blankPicture(int scale) const {
    QImage image(m_panes.widget().size() * scale, QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    image.fill(m_theme.color(ColorId::Surface));
    return image;
}

void Exports::drawPiece(QImage &picture, QWidget &piece, int scale) {
    const auto setPixelRatio = [this, &piece](qreal ratio) {
        for (TimelineView *view : m_panes.views())
            if (view == &piece)
                view->setPixelRatio(ratio);
        if (&m_panes.overview() == &piece)
            m_panes.overview().setPixelRatio(ratio);
    };
    setPixelRatio(scale);
    piece.render(&picture, piece.mapTo(&m_panes.widget(), QPoint(0, 0)));
    setPixelRatio(0);
}

QImage Exports::picture(int scale) {
    QImage image = blankPicture(scale);
    for (QWidget *piece : m_panes.pieces())
        drawPiece(image, *piece, scale);
    return image;
}

void Exports::copyPicture() {
    // Each piece in an event of its own: drawing all panes at once would delay the user's next key.
    const auto blank = std::make_shared<QImage>(blankPicture(copiedScale));
    const QList<QWidget *> pieces = m_panes.pieces();
    copyNext(blank, shown(), {pieces.begin(), pieces.end()});
}

Exports::Shown Exports::shown() const {
    QList<QRect> places;
    for (const QWidget *piece : m_panes.pieces())
        places.push_back({piece->mapTo(&m_panes.widget(), QPoint(0, 0)), piece->size()});
    return {runs(),
            {m_panes.view(Side::A).axis().window(), m_panes.view(Side::B).axis().window()},
            m_panes.widget().size(),
            std::move(places)};
}

void Exports::copyNext(const std::shared_ptr<QImage> &picture, const Shown &copied, const QList<QPointer<QWidget>> &rest) {
    auto go = [this, picture, copied, rest = rest]() mutable {
        if (copied != shown()) {
            copyPicture(); // A and B belong to the same state and the same stretch of time
        } else if (rest.isEmpty()) {
            QApplication::clipboard()->setImage(*picture);
        } else {
            if (const QPointer<QWidget> piece = rest.takeFirst())
                drawPiece(*picture, *piece, copiedScale);
            copyNext(picture, copied, rest);
        }
    };
    QMetaObject::invokeMethod(this, std::move(go), Qt::QueuedConnection);
}

void Exports::openSheet() {
    auto *sheet = new ExportSheet(
        m_session,
        {[this](bool whole) { return pictures(whole); }, [this] { return tables(); }, [this] { return m_panes.notes().notes(); }},
        &m_window);
    connect(sheet, &ExportSheet::exported, this, [this, sheet](const QStringList &paths) {
        const QString folder = QFileInfo(paths.first()).path();
        m_messages.showDone(paths.size() == 1 ? tr("Saved %1").arg(paths.first())
                                              : tr("Saved %1 files to %2").arg(paths.size()).arg(folder),
                            folder);
        for (const QString &path : paths)
            m_panels.log(tr("Saved %1").arg(path));
        sheet->deleteLater();
    });
    connect(sheet, &ExportSheet::exportFailed, this, [this, sheet](const Error &error) {
        if (sheet->isVisible())
            return; // the export reports it itself
        m_messages.showError(error);
        m_panels.log(tr("Error: %1").arg(QString::fromStdString(error.toString())));
        sheet->deleteLater();
    });
    connect(sheet, &QDialog::rejected, sheet, &ExportSheet::goWhenIdle);
    sheet->open();
}

} // namespace syncopate::ui
