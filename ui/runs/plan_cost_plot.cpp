// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/plan_cost_plot.h"

#include "ui/runs/plan_costs_page.h"
#include "ui/runs/plot_parts.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/plot_or_text.h"
#include "ui/theme/plot_style.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_data.h"

#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>

namespace syncopate::ui {

namespace {

constexpr std::size_t maxSizeLines = 24;
constexpr double hoverReach = 10; ///< pixels from a curve that still hit it

/// Powers of 16: 4 KiB, 64 KiB, 1 MiB.
class BytesTicker final : public QCPAxisTickerLog {
public:
    BytesTicker() {
        setLogBase(16);
        setSubTickCount(3);
    }

protected:
    QString getTickLabel(double tick, const QLocale &, QChar, int) override { return bytesText(tick); }
};

/// Strokes distinguish cuts as colours distinguish channels: whole, ring, tree, splines, groups.
Qt::PenStyle strokeOf(const MotifCut &cut) {
    if (cut.ring)
        return Qt::DashLine;
    if (cut.tree > 1)
        return Qt::DashDotLine;
    if (cut.splines > 1)
        return cut.splines > 2 ? Qt::DashDotDotLine : Qt::DashDotLine;
    return cut.partition > 1 ? Qt::DotLine : Qt::SolidLine;
}

} // namespace

PlanCostPlot::PlanCostPlot(const Theme &theme, QWidget *parent)
    : QWidget(parent), m_theme(theme), m_plot(new QCustomPlot), m_pages(new PlotOrText(m_plot)),
      m_mark(new QCPItemTracer(m_plot)) {
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_pages);
    m_plot->setMinimumSize(120, 56);
    m_plot->setAccessibleName(tr("Cost curves: seconds over size, with crossover points"));
    m_pages->setText(m_plot->accessibleName());
    layLegendAbove(*m_plot);
    for (QCPAxis *axis : {m_plot->xAxis, m_plot->yAxis})
        axis->setScaleType(QCPAxis::stLogarithmic);
    m_plot->xAxis->setTicker(QSharedPointer<BytesTicker>::create());
    m_plot->yAxis->setTicker(QSharedPointer<SecondsTicker<QCPAxisTickerLog>>::create());
    m_plot->xAxis->setLabelPadding(0);
    m_mark->setStyle(QCPItemTracer::tsCircle);
    m_mark->setSize(15);
    m_mark->setVisible(false);
    connect(&theme, &Theme::themeChanged, this, &PlanCostPlot::redraw);
    connect(m_plot, &QCustomPlot::mouseMove, this, [this](const QMouseEvent *move) {
        if (const QString text = describeAt(move->position()); !text.isEmpty())
            QToolTip::showText(m_plot->mapToGlobal(move->pos()), plainTip(text), m_plot);
        else
            QToolTip::hideText();
    });
    redraw();
}

void PlanCostPlot::setCosts(std::shared_ptr<const PlannedCosts> costs, std::size_t kind) {
    m_costs = std::move(costs);
    m_kind = kind;
    m_mark->setVisible(false); // a crossover of the former curves
    redraw();
}

void PlanCostPlot::mark(int crossover) {
    const bool is =
        m_costs && crossover >= 0 && static_cast<std::size_t>(crossover) < m_costs->kinds[m_kind].costs.crossovers.size();
    m_mark->setVisible(is);
    if (is) {
        const Crossover &at = m_costs->kinds[m_kind].costs.crossovers[static_cast<std::size_t>(crossover)];
        m_mark->position->setCoords(at.sizeBytes, at.seconds);
    }
    replotWhenSeen(*m_plot);
}

void PlanCostPlot::redraw() {
    m_plot->clearGraphs();
    m_lines.clear();
    const PlannedCost *of = m_costs ? &m_costs->kinds[m_kind] : nullptr;
    double min = HUGE_VAL, max = 0;
    for (std::size_t c = 0; of && c < of->costs.curves.size(); ++c) {
        const CostCurve &curve = of->costs.curves[c];
        m_lines.push_back(curve.sameAs >= 0 ? nullptr : m_plot->addGraph());
        if (!m_lines.back())
            continue;
        m_lines.back()->setName(curveName(*m_costs, curve));
        for (const CollectiveSample &point : curve.points) {
            m_lines.back()->addData(point.sizeBytes, point.seconds);
            if (point.seconds > 0)
                min = std::min(min, point.seconds);
            max = std::max(max, point.seconds);
        }
    }
    for (QCPGraph **marks : {&m_crossovers, &m_fastest}) {
        *marks = m_plot->addGraph();
        (*marks)->setLineStyle(QCPGraph::lsNone);
        (*marks)->removeFromLegend();
    }
    if (of)
        for (const Crossover &crossover : of->costs.crossovers)
            (crossover.isOfFastest ? m_fastest : m_crossovers)->addData(crossover.sizeBytes, crossover.seconds);
    const bool any = max > 0;
    m_pages->setEmpty(!any);
    if (any) {
        m_plot->xAxis->setRange(of->costs.curves.front().points.front().sizeBytes,
                                of->costs.curves.front().points.back().sizeBytes);
        m_plot->yAxis->setRange(min / 1.3, max * 1.3);
    }
    m_plot->yAxis->setLabel(tr("seconds"));
    drawSizes();
    style();
    fit();
    replotWhenSeen(*m_plot);
}

void PlanCostPlot::fit() {
    fitLegendAbove(*m_plot, size());
    m_plot->xAxis->setLabel(QStringLiteral(" ")); // the axes' place is that with one line of caption
    fitNumbers(*m_plot);
    if (!standApart(*m_plot->xAxis))
        m_plot->xAxis->ticker()->setTickCount(1);
    m_plot->xAxis->setLabel(QFontMetrics(m_plot->xAxis->labelFont())
                                .elidedText(tr("size of a process's buffer"), Qt::ElideRight, m_plot->axisRect()->width()));
}

/// Draws a line at each size of the DAG's own collectives.
void PlanCostPlot::drawSizes() {
    for (QCPItemStraightLine *line : m_sizes)
        m_plot->removeItem(line);
    m_sizes.clear();
    if (!m_costs || m_costs->kinds[m_kind].sizesBytes.size() > maxSizeLines)
        return;
    for (const double size : m_costs->kinds[m_kind].sizesBytes) {
        auto *line = new QCPItemStraightLine(m_plot);
        line->point1->setCoords(size, 1); // a logarithmic axis has no 0
        line->point2->setCoords(size, 2);
        m_sizes.push_back(line);
    }
}

void PlanCostPlot::style() {
    stylePlot(*m_plot, m_theme);
    m_plot->legend->setBrush(Qt::NoBrush);
    m_plot->legend->setBorderPen(Qt::NoPen);
    for (std::size_t l = 0; l < m_lines.size(); ++l) {
        if (!m_lines[l])
            continue;
        const CostCurve &curve = m_costs->kinds[m_kind].costs.curves[l];
        QColor color = m_theme.categoryColor(TimelineData::colorOfChannel(curve.channel));
        if (!curve.isPriced)
            color.setAlpha(130);
        m_lines[l]->setPen(QPen(color, curve.isPriced ? 2 : 1, strokeOf(curve.cut)));
    }
    const QColor text = m_theme.color(ColorId::Text);
    m_crossovers->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(text, 1), Qt::NoBrush, 6));
    m_fastest->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, QPen(text, 1), text, 8));
    m_mark->setPen(QPen(m_theme.color(ColorId::Accent), 2));
    m_mark->setBrush(Qt::NoBrush);
    for (QCPItemStraightLine *line : m_sizes)
        line->setPen(QPen(m_theme.color(ColorId::DimText), 1, Qt::DotLine));
}

QString PlanCostPlot::describeAt(const QPointF &position) const {
    if (!m_costs || !m_plot->axisRect()->rect().contains(position.toPoint()))
        return {};
    const PlannedCost &of = m_costs->kinds[m_kind];
    const auto near = [&](double bytes, double seconds) {
        return std::hypot(m_plot->xAxis->coordToPixel(bytes) - position.x(),
                          m_plot->yAxis->coordToPixel(seconds) - position.y()) <= hoverReach / 2;
    };
    for (const Crossover &crossover : of.costs.crossovers)
        if (near(crossover.sizeBytes, crossover.seconds))
            return tr("Faster up to %1: %2; beyond: %3")
                .arg(bytesText(crossover.sizeBytes), curveName(*m_costs, of.costs.curves[crossover.below]),
                     curveName(*m_costs, of.costs.curves[crossover.above]));
    const double bytes = m_plot->xAxis->pixelToCoord(position.x());
    QString text;
    double nearest = hoverReach;
    for (std::size_t l = 0; l < m_lines.size(); ++l) {
        if (!m_lines[l])
            continue;
        const double seconds = of.costs.curves[l].seconds(bytes);
        if (const double away = std::abs(m_plot->yAxis->coordToPixel(seconds) - position.y()); away < nearest) {
            nearest = away;
            text = tr("%1: %2 take %3").arg(curveName(*m_costs, of.costs.curves[l]), bytesText(bytes), secondsText(seconds));
        }
    }
    return text;
}

void PlanCostPlot::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    fit();
    replotWhenSeen(*m_plot);
}

} // namespace syncopate::ui
