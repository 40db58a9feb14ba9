// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/throughput/overhead_view.h"

#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/plot_style.h"
#include "ui/theme/qcustomplot.h"
#include "ui/theme/sentences.h"
#include "ui/theme/theme.h"

#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace syncopate::ui {

namespace {

constexpr std::size_t mostDots = 5000; ///< if there are more pairs, an evenly spaced subset is drawn

class SecondsTicker final : public QCPAxisTicker {
protected:
    QString getTickLabel(double tick, const QLocale &, QChar, int) override { return secondsText(tick); }
};

class BytesTicker final : public QCPAxisTickerLog {
public:
    BytesTicker() {
        setLogBase(32); // 1 KiB, 32 KiB, 1 MiB
        setSubTickCount(0);
    }

protected:
    QString getTickLabel(double tick, const QLocale &, QChar, int) override { return bytesText(tick); }
};

} // namespace

OverheadView::OverheadView(const Theme &theme, QWidget *parent)
    : QWidget(parent), m_theme(theme), m_text(richLabel()), m_plot(new QCustomPlot) {
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(12);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_text->setAlignment(Qt::AlignTop);
    m_text->setAccessibleName(tr("Fit of the parsing overhead"));
    auto *scroll = new QScrollArea; // a low panel scrolls the text rather than growing
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidgetResizable(true);
    scroll->setWidget(m_text);
    scroll->setMinimumWidth(140);
    row->addWidget(m_plot, 2);
    row->addWidget(scroll, 1);
    m_plot->setMinimumSize(190, 110);
    m_plot->setAccessibleName(tr("Parsing overhead over the size of tensors, and the residuals of its fit"));
    m_residualRect = new QCPAxisRect(m_plot);
    m_plot->plotLayout()->addElement(1, 0, m_residualRect);
    m_plot->plotLayout()->setRowStretchFactor(1, 0.6);
    m_plot->plotLayout()->setRowSpacing(2);
    auto *margins = new QCPMarginGroup(m_plot);
    m_plot->axisRect()->setMarginGroup(QCP::msLeft | QCP::msRight, margins);
    m_residualRect->setMarginGroup(QCP::msLeft | QCP::msRight, margins);
    QCPAxis *x = m_residualRect->axis(QCPAxis::atBottom), *y = m_residualRect->axis(QCPAxis::atLeft);
    // Tensor sizes span several orders of magnitude.
    for (QCPAxis *axis : {m_plot->xAxis, x}) {
        axis->setScaleType(QCPAxis::stLogarithmic);
        axis->setTicker(QSharedPointer<BytesTicker>::create());
        axis->setLabelPadding(0);
    }
    m_plot->xAxis->setTickLabels(false);
    for (QCPAxis *axis : {m_plot->yAxis, y})
        axis->setTicker(QSharedPointer<SecondsTicker>::create());
    m_plot->yAxis->setLabel(tr("overhead"));
    y->setLabel(tr("residual"));
    x->setLabel(tr("tensor"));
    m_pairs = m_plot->addGraph();
    m_line = m_plot->addGraph();
    m_residuals = m_plot->addGraph(x, y);
    m_zero = m_plot->addGraph(x, y);
    for (QCPGraph *dots : {m_pairs, m_residuals})
        dots->setLineStyle(QCPGraph::lsNone);
    connect(&theme, &Theme::themeChanged, this, &OverheadView::draw);
    draw();
}

void OverheadView::show(std::shared_ptr<const Reconstruction> reconstruction, const QString &whyNot) {
    if (reconstruction == m_reconstruction && whyNot == m_whyNot)
        return;
    m_reconstruction = std::move(reconstruction);
    m_whyNot = whyNot;
    draw();
}

QString OverheadView::statistics() const {
    const Reconstruction &reconstruction = *m_reconstruction;
    const ParsingOverhead &line = reconstruction.pairs.empty() ? reconstruction.overhead : reconstruction.fitted;
    QStringList lines{
        tr("<b>α × size + β</b>: the time from a tensor's last byte to its use (section 3.2.1 of the model's paper), fitted by "
           "Theil and Sen to %1 received tensors.")
            .arg(reconstruction.pairs.size()),
        tr("α = %1 ns per byte, β = %2").arg(line.secondsPerByte * 1e9, 0, 'g', 3).arg(secondsText(line.seconds)),
        std::isinf(reconstruction.windowBytes) ? tr("HTTP/2 window: off")
                                               : tr("HTTP/2 window: %1").arg(bytesText(reconstruction.windowBytes)),
        said(reconstruction.overheadNote).toHtmlEscaped(),
    };
    if (reconstruction.errors.streams > 0)
        lines +=
            tr("<b>End times</b> of %1 transfers, modelled against recorded:<br>average %2 %, median %3 %,<br>95th percentile "
               "%4 %, maximum %5 %")
                .arg(reconstruction.errors.streams)
                .arg(100 * reconstruction.errors.average, 0, 'f', 2)
                .arg(100 * reconstruction.errors.median, 0, 'f', 2)
                .arg(100 * reconstruction.errors.percentile95, 0, 'f', 2)
                .arg(100 * reconstruction.errors.maximum, 0, 'f', 2);
    return lines.join(QStringLiteral("<br>"));
}

void OverheadView::draw() {
    stylePlot(*m_plot, m_theme);
    for (QCPGraph *graph : {m_pairs, m_line, m_residuals, m_zero})
        graph->data()->clear();
    const bool any = m_reconstruction && !m_reconstruction->pairs.empty();
    m_plot->setVisible(any);
    m_text->setText(m_reconstruction ? statistics() : m_whyNot.toHtmlEscaped());
    if (!any)
        return;
    QColor dots = m_theme.color(ColorId::DimText);
    dots.setAlpha(170);
    for (QCPGraph *graph : {m_pairs, m_residuals})
        graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, dots, 4));
    m_line->setPen(QPen(m_theme.color(ColorId::Accent), 2));
    m_zero->setPen(QPen(m_theme.color(ColorId::Accent), 1));
    const auto &pairs = m_reconstruction->pairs;
    const ParsingOverhead &fit = m_reconstruction->fitted;
    double least = HUGE_VAL, most = 1;
    const std::size_t count = std::min(pairs.size(), mostDots);
    for (std::size_t i = 0; i < count; ++i) {
        const OverheadPair &pair = pairs[i * pairs.size() / count];
        const double size = std::max(pair.sizeBytes, 1.0); // a logarithmic axis has no 0
        m_pairs->addData(size, pair.overheadSeconds);
        m_residuals->addData(size, pair.overheadSeconds - fit.of(pair.sizeBytes));
        least = std::min(least, size);
        most = std::max(most, size);
    }
    const double from = least / 1.5, to = most * 1.5;
    constexpr int steps = 100; // a straight line is curved on a logarithmic axis
    for (int i = 0; i <= steps; ++i) {
        const double size = from * std::pow(to / from, static_cast<double>(i) / steps);
        m_line->addData(size, fit.of(size));
    }
    m_zero->addData(from, 0);
    m_zero->addData(to, 0);
    for (QCPGraph *graph : {m_pairs, m_residuals})
        graph->valueAxis()->rescale();
    m_plot->yAxis->scaleRange(1.1);
    m_residualRect->axis(QCPAxis::atLeft)->scaleRange(1.15);
    m_plot->xAxis->setRange(from, to);
    m_residualRect->axis(QCPAxis::atBottom)->setRange(from, to);
    replotWhenSeen(*m_plot);
}

} // namespace syncopate::ui
