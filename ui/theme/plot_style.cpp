// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/plot_style.h"

#include "ui/theme/qcustomplot.h"
#include "ui/theme/theme.h"

#include <QFontMetrics>
#include <cmath>
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

bool standApart(const QCPAxis &axis) {
    QVector<double> ticks;
    QVector<QString> labels;
    axis.ticker()->generate(axis.range(), QLocale(), QLatin1Char('g'), 6, ticks, nullptr, &labels);
    const QFontMetrics metrics(axis.tickLabelFont());
    const int gap = metrics.horizontalAdvance(QLatin1Char('0'));
    double end = -HUGE_VAL;
    for (int t = 0; t < ticks.size(); ++t) {
        if (!axis.range().contains(ticks[t]))
            continue;
        const double middle = axis.coordToPixel(ticks[t]), half = metrics.horizontalAdvance(labels[t]) / 2.0;
        if (middle - half < end + gap)
            return false;
        end = middle + half;
    }
    return true;
}

void fitNumbersBeside(QCPAxis &axis) {
    for (int count = 6; count >= 2; --count) {
        axis.ticker()->setTickCount(count);
        if (standApart(axis))
            return;
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
