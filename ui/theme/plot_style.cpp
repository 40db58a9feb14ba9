// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/plot_style.h"

#include "ui/theme/qcustomplot.h"
#include "ui/theme/theme.h"

#include <utility>

namespace syncopate::ui {

void stylePlot(QCustomPlot &plot, const Theme &theme) {
    const QColor text = theme.color(ColorId::Text), dim = theme.color(ColorId::DimText), border = theme.color(ColorId::Border);
    QFont font = plot.font();
    font.setPixelSize(11);
    plot.setBackground(theme.color(ColorId::Raised));
    const auto styleAxis = [&](QCPAxis &axis) {
        axis.setBasePen(QPen(border));
        axis.setTickPen(QPen(border));
        axis.setSubTickPen(QPen(border));
        axis.setTickLabelColor(dim);
        axis.setTickLabelFont(font);
        axis.setLabelColor(text);
        axis.setLabelFont(font);
    };
    for (QCPLayoutElement *element : plot.plotLayout()->elements(true))
        if (auto *scale = qobject_cast<QCPColorScale *>(element))
            styleAxis(*scale->axis());
    for (QCPAxisRect *rect : plot.axisRects()) {
        rect->setBackground(theme.color(ColorId::TimelineBackground));
        for (QCPAxis *axis : rect->axes()) {
            styleAxis(*axis);
            axis->grid()->setPen(QPen(theme.color(ColorId::Grid)));
            axis->grid()->setZeroLinePen(QPen(border));
        }
    }
    if (plot.legend) {
        plot.legend->setFont(font);
        plot.legend->setTextColor(text);
        plot.legend->setBrush(theme.color(ColorId::Raised));
        plot.legend->setBorderPen(QPen(border));
    }
}

namespace {

/// Replots its plot once, right before the next paint event.
class ReplotAtPaint final : public QObject {
public:
    explicit ReplotAtPaint(QCustomPlot &plot) : QObject(&plot), m_plot(plot) {
        setObjectName(name());
        plot.installEventFilter(this);
    }
    [[nodiscard]] static QString name() { return QStringLiteral("replotAtPaint"); }

    bool eventFilter(QObject *watched, QEvent *event) override {
        if (event->type() == QEvent::Paint && !std::exchange(m_done, true)) {
            setObjectName(QString()); // another one may be needed before this one is deleted
            m_plot.replot(QCustomPlot::rpQueuedRefresh);
            deleteLater();
        }
        return QObject::eventFilter(watched, event);
    }

private:
    QCustomPlot &m_plot;
    bool m_done = false;
};

} // namespace

void replotWhenSeen(QCustomPlot &plot) {
    // A panel behind another tab is visible to Qt, but none of it can be seen.
    if (plot.isVisible() && !plot.visibleRegion().isEmpty())
        plot.replot(QCustomPlot::rpQueuedReplot);
    else if (!plot.findChild<QObject *>(ReplotAtPaint::name(), Qt::FindDirectChildrenOnly))
        new ReplotAtPaint(plot);
}

} // namespace syncopate::ui
