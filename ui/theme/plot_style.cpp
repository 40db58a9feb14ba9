// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/plot_style.h"

#include "ui/theme/qcustomplot.h"
#include "ui/theme/theme.h"

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

} // namespace syncopate::ui
