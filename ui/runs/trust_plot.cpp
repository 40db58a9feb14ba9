// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/trust_plot.h"

#include "ui/runs/plot_parts.h"
#include "ui/runs/run_text.h"
#include "ui/theme/font_of_pixels.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/plot_or_text.h"
#include "ui/theme/plot_style.h"
#include "ui/theme/qcustomplot.h"
#include "ui/theme/theme.h"

#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace syncopate::ui {

namespace {

constexpr double coin = 0.5; ///< share of pairs ordered right by tossing a coin

std::array<double, TrustPlot::lines> figuresOf(const SearchPhase &phase) {
    const auto &[first, next, last] = phase.bucketAccuracy;
    return {phase.pairAccuracy, first, next, last, phase.topRecall};
}

} // namespace

TrustPlot::TrustPlot(const Theme &theme, const CandidatesModel &model, QWidget *parent)
    : QWidget(parent), m_theme(theme), m_model(model), m_plot(new QCustomPlot), m_pages(new PlotOrText(m_plot)),
      m_coin(new QCPItemStraightLine(m_plot)), m_coinName(new QCPItemText(m_plot)) {
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_pages);
    m_plot->setMinimumSize(240, 100);
    m_plot->setAccessibleName(tr("Trust of the ranker: share of pairs in the judge's order over the batches of trials"));
    m_pages->setText(m_plot->accessibleName());
    const std::array names{tr("pairs in order"), tr("of its first third"), tr("of the second"), tr("of the last"),
                           tr("fastest quarter found")};
    for (std::size_t l = 0; l < lines; ++l) {
        m_lines[l] = m_plot->addGraph();
        m_lines[l]->setName(names[l]);
    }
    m_coin->point1->setCoords(0, coin);
    m_coin->point2->setCoords(1, coin);
    m_coinName->setLayer(QStringLiteral("overlay"));
    m_coinName->setText(tr("a coin"));
    m_coinName->setPositionAlignment(Qt::AlignRight | Qt::AlignBottom);
    m_coinName->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
    m_coinName->position->setTypeY(QCPItemPosition::ptPlotCoords);
    m_coinName->position->setCoords(0.995, coin);
    layLegendAbove(*m_plot);
    m_plot->yAxis->setTicker(QSharedPointer<PercentTicker>::create());
    m_plot->xAxis->setLabelPadding(0);
    m_redraw.setSingleShot(true);
    m_redraw.setInterval(100);
    connect(&m_redraw, &QTimer::timeout, this, &TrustPlot::redraw);
    connect(&model, &CandidatesModel::phasesChanged, this, [this] {
        if (!m_redraw.isActive())
            m_redraw.start();
    });
    connect(&theme, &Theme::themeChanged, this, [this] {
        style();
        redraw();
    });
    connect(m_plot, &QCustomPlot::mouseMove, this, [this](const QMouseEvent *move) { hover(move->pos()); });
    style();
    redraw();
}

void TrustPlot::style() {
    stylePlot(*m_plot, m_theme);
    const std::array pens{QPen(m_theme.color(ColorId::Accent), 2.4), QPen(m_theme.color(ColorId::AllReduce), 1.4),
                          QPen(m_theme.color(ColorId::Push), 1.4), QPen(m_theme.color(ColorId::Pull), 1.4),
                          QPen(m_theme.color(ColorId::DimText), 1.4, Qt::DotLine)};
    for (std::size_t l = 0; l < lines; ++l) {
        m_lines[l]->setPen(pens[l]);
        m_lines[l]->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, pens[l].color(), 4));
    }
    m_coin->setPen(QPen(m_theme.color(ColorId::DimText), 1, Qt::DashLine));
    m_coinName->setColor(m_theme.color(ColorId::DimText));
    m_coinName->setBrush(m_theme.color(ColorId::TimelineBackground));
    const QFont font = fontOfPixels(m_plot->font(), 10);
    m_coinName->setFont(font);
    m_plot->legend->setBrush(Qt::NoBrush);
    m_plot->legend->setBorderPen(Qt::NoPen);
}

void TrustPlot::redraw() {
    for (QCPGraph *line : m_lines)
        line->data()->clear();
    for (const SearchPhase &phase : m_model.phases()) {
        const double at = static_cast<double>(phase.firstTrial) + static_cast<double>(phase.trials) / 2; // its midpoint
        const auto figures = figuresOf(phase);
        for (std::size_t l = 0; l < lines; ++l)
            m_lines[l]->addData(at, figures[l]); // NaN is a gap
    }
    m_pages->setEmpty(m_model.phases().empty());
    m_plot->xAxis->setLabel(m_model.trialName());
    m_plot->yAxis->setLabel(tr("share"));
    m_plot->xAxis->setRange(-0.5, std::max(1.0, static_cast<double>(m_model.budget())) - 0.5);
    m_plot->yAxis->setRange(-0.03, 1.05);
    fitLegendAbove(*m_plot, size());
    fitNumbers(*m_plot);
    replotWhenSeen(*m_plot);
}

QString TrustPlot::describe(const SearchPhase &phase) {
    const auto percent = [](double share) { return std::isnan(share) ? QStringLiteral("–") : percentText(share); };
    QString text =
        tr("trials %1 to %2").arg(phase.firstTrial).arg(phase.firstTrial + std::max<std::uint64_t>(1, phase.trials) - 1);
    if (!phase.ranker.empty())
        text += tr(", ranked by %1").arg(QString::fromStdString(phase.ranker));
    const auto &[first, next, last] = phase.bucketAccuracy;
    text += tr("\n%1 of pairs in the judge's order: of the ranker's first third %2, of the second %3, of the last %4")
                .arg(percent(phase.pairAccuracy), percent(first), percent(next), percent(last));
    text += tr("\n%1 of the fastest quarter found").arg(percent(phase.topRecall));
    if (phase.proposed > 0)
        text += tr("\n%1 of %2 proposals rejected by their score").arg(phase.rejected).arg(phase.proposed);
    return text;
}

void TrustPlot::hover(const QPoint &position) {
    const auto &phases = m_model.phases();
    const double at = m_plot->xAxis->pixelToCoord(position.x());
    const auto after = std::upper_bound(phases.begin(), phases.end(), at, [](double trial, const SearchPhase &phase) {
        return trial < static_cast<double>(phase.firstTrial);
    });
    if (after == phases.begin() || !m_plot->axisRect()->rect().contains(position) ||
        at > static_cast<double>(std::prev(after)->firstTrial + std::prev(after)->trials)) {
        QToolTip::hideText();
        return;
    }
    QToolTip::showText(m_plot->mapToGlobal(position), plainTip(describe(*std::prev(after))), m_plot);
}

void TrustPlot::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    if (!m_redraw.isActive())
        m_redraw.start();
}

} // namespace syncopate::ui
