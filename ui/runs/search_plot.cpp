// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/search_plot.h"

#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/plot_style.h"
#include "ui/theme/qcustomplot.h"
#include "ui/theme/theme.h"

#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace syncopate::ui {

namespace {

/// Antialiased discs are slow in bulk; older trials become single pixels.
constexpr std::size_t discs = 1000;
constexpr int lowPlot = 170; ///< pixels; below them, the numbers of trials stand without a caption
constexpr double reach = 8;  ///< pixels from a dot that still mean it

class SecondsTicker final : public QCPAxisTicker {
protected:
    QString getTickLabel(double tick, const QLocale &, QChar, int) override { return secondsText(tick); }
};

class PercentTicker final : public QCPAxisTicker {
protected:
    QString getTickLabel(double tick, const QLocale &locale, QChar, int) override {
        return QStringLiteral("%1 %").arg(locale.toString(tick * 100, 'g', 3));
    }
};

} // namespace

SearchPlot::SearchPlot(const Theme &theme, Searcher &searcher, QWidget *parent)
    : QWidget(parent), m_theme(theme), m_searcher(searcher), m_plot(new QCustomPlot) {
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_plot);
    m_plot->setMinimumSize(240, 100);
    m_plot->setAccessibleName(tr("Search: time of each candidate, best so far and hit rate over the trials"));
    m_hitRate = m_plot->addGraph(m_plot->xAxis, m_plot->yAxis2);
    m_oldDots = m_plot->addGraph();
    m_dots = m_plot->addGraph();
    m_best = m_plot->addGraph();
    for (QCPGraph *dots : {m_oldDots, m_dots})
        dots->setLineStyle(QCPGraph::lsNone);
    m_best->setLineStyle(QCPGraph::lsStepLeft);
    m_hitRate->setLineStyle(QCPGraph::lsStepLeft);
    m_dots->setName(tr("candidates"));
    m_best->setName(tr("best so far"));
    m_hitRate->setName(tr("hit rate"));
    m_oldDots->removeFromLegend();
    // Above the axes: inside them it would cover dots.
    m_plot->plotLayout()->insertRow(0);
    m_plot->plotLayout()->addElement(0, 0, m_plot->legend);
    m_plot->plotLayout()->setRowStretchFactor(0, 0.001);
    m_plot->legend->setFillOrder(QCPLegend::foColumnsFirst);
    m_plot->legend->setMargins({0, 0, 0, 0});
    m_plot->legend->setColumnSpacing(12);
    m_plot->legend->setIconSize(22, 10);
    m_plot->axisRect()->setMinimumMargins({0, 2, 0, 0});
    m_mark = new QCPItemTracer(m_plot);
    m_mark->setStyle(QCPItemTracer::tsCircle);
    m_mark->setSize(11);
    m_mark->setVisible(false);
    m_plot->yAxis->setTicker(QSharedPointer<SecondsTicker>::create());
    m_plot->yAxis2->setTicker(QSharedPointer<PercentTicker>::create());
    m_plot->yAxis2->setVisible(true);
    m_plot->xAxis->setLabelPadding(0);
    connect(m_plot, &QCustomPlot::mouseMove, this, [this](const QMouseEvent *move) { hover(move->pos()); });
    connect(m_plot, &QCustomPlot::mousePress, this, [this](const QMouseEvent *press) {
        if (const auto id = press->button() == Qt::LeftButton ? candidateAt(press->pos()) : std::nullopt)
            Q_EMIT clicked(*id);
    });
    m_redraw.setSingleShot(true);
    m_redraw.setInterval(100);
    connect(&m_redraw, &QTimer::timeout, this, &SearchPlot::redraw);
    connect(&searcher, &Searcher::cleared, this, &SearchPlot::clear);
    connect(&searcher, &Searcher::progressed, this, &SearchPlot::grow);
    connect(&theme, &Theme::themeChanged, this, [this] {
        style();
        redraw();
    });
    style();
    redraw();
}

void SearchPlot::style() {
    stylePlot(*m_plot, m_theme);
    QColor dots = m_theme.color(ColorId::DimText);
    m_oldDots->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDot, dots, 1));
    dots.setAlpha(190);
    m_dots->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, dots, 5));
    m_best->setPen(QPen(m_theme.color(ColorId::Accent), 2));
    m_hitRate->setPen(QPen(m_theme.color(ColorId::Push), 1.4));
    m_plot->yAxis2->setTickLabelColor(m_theme.color(ColorId::DimText));
    m_mark->setPen(QPen(m_theme.color(ColorId::Text), 2));
    m_mark->setBrush(Qt::NoBrush);
    m_plot->legend->setBrush(Qt::NoBrush);
    m_plot->legend->setBorderPen(Qt::NoPen);
}

void SearchPlot::clear() {
    for (QCPGraph *graph : {m_dots, m_oldDots, m_best, m_hitRate})
        graph->data()->clear();
    for (QCPItemStraightLine *line : m_lines)
        m_plot->removeItem(line);
    for (QCPItemText *name : m_names)
        m_plot->removeItem(name);
    m_lines.clear();
    m_names.clear();
    m_marked.reset();
    m_mark->setVisible(false);
    redraw();
}

void SearchPlot::grow(std::size_t, std::size_t firstTrial) {
    const SearchHistory &history = m_searcher.history();
    if (firstTrial == 0)
        m_bestSoFar = HUGE_VAL;
    for (std::size_t t = firstTrial; t < history.trials.size(); ++t) {
        const double value = m_searcher.valueOf(history.trials[t].metrics), at = static_cast<double>(t);
        if (value < m_bestSoFar)
            m_bestSoFar = value;
        if (!std::isnan(value))
            m_dots->addData(at, value);
        if (std::isfinite(m_bestSoFar))
            m_best->addData(at, m_bestSoFar);
        m_hitRate->addData(at, m_searcher.hitRates()[t]);
    }
    if (history.trials.size() > discs) {
        const auto border = static_cast<double>(history.trials.size() - discs);
        for (auto dot = m_dots->data()->constBegin(); dot != m_dots->data()->constEnd() && dot->key < border; ++dot)
            m_oldDots->addData(dot->key, dot->value);
        m_dots->data()->removeBefore(border);
    }
    if (!m_redraw.isActive())
        m_redraw.start();
}

void SearchPlot::fitAxes() {
    const SearchHistory &history = m_searcher.history();
    const auto &plan = m_searcher.plan();
    m_plot->xAxis->setRange(-0.5, plan ? static_cast<double>(plan->trials) - 0.5 : 199.5);
    std::vector<double> values;
    for (const SearchTrial &trial : history.trials)
        if (const double value = m_searcher.valueOf(trial.metrics); !std::isnan(value))
            values.push_back(value);
    double least = HUGE_VAL, most = 0;
    const double baseline = m_searcher.tally().bestBaseline();
    if (std::isfinite(baseline)) {
        least = baseline;
        most = baseline * 1.15;
    }
    if (!values.empty()) {
        // The slowest tenth may lie above the picture: what matters is near the best.
        const auto tenth = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) * 9 / 10);
        std::nth_element(values.begin(), tenth, values.end());
        most = std::max(most, *tenth);
        least = std::min(least, *std::min_element(values.begin(), values.end()));
    }
    const double margin = (most - least) * 0.08;
    if (least < most)
        m_plot->yAxis->setRange(least - margin, most + margin);
    else
        m_plot->yAxis->setRange(0, 1);
    const auto &rates = m_searcher.hitRates();
    const double highest = rates.empty() ? 0 : *std::max_element(rates.begin(), rates.end());
    m_plot->yAxis2->setRange(0, std::clamp(highest * 1.25, 0.05, 1.0));
}

void SearchPlot::drawBaselines() {
    const SearchHistory &history = m_searcher.history();
    while (m_lines.size() < history.baselines.size()) {
        m_lines.push_back(new QCPItemStraightLine(m_plot));
        m_names.push_back(new QCPItemText(m_plot));
    }
    // Names stand at the right end of their lines; one that would cover another, faster one is left to the table.
    std::vector<std::size_t> order(history.baselines.size());
    for (std::size_t b = 0; b < order.size(); ++b)
        order[b] = b;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return m_searcher.valueOf(history.baselines[a].metrics) < m_searcher.valueOf(history.baselines[b].metrics);
    });
    const std::int64_t best = m_searcher.plan() ? history.bestBaseline(m_searcher.plan()->objective) : -1;
    QFont font = m_plot->font();
    font.setPixelSize(10);
    double lastY = HUGE_VAL;
    std::vector<std::pair<double, QCPItemText *>> shown;
    for (const std::size_t b : order) {
        const double value = m_searcher.valueOf(history.baselines[b].metrics);
        const bool visible = !std::isnan(value) && m_plot->yAxis->range().contains(value);
        m_lines[b]->setVisible(visible);
        m_names[b]->setVisible(false);
        if (!visible)
            continue;
        const bool isBest = static_cast<std::int64_t>(b) == best;
        QPen pen(m_theme.color(isBest ? ColorId::Text : ColorId::DimText), 1, Qt::DashLine);
        m_lines[b]->setPen(pen);
        m_lines[b]->point1->setCoords(0, value);
        m_lines[b]->point2->setCoords(1, value);
        const double y = m_plot->yAxis->coordToPixel(value);
        const QString name = QString::fromStdString(history.baselines[b].builder);
        const bool high = y - m_plot->axisRect()->top() < 14; // no room above the line: the name goes below it
        if (lastY - y < (high ? 27 : 13)) {                   // the same line, or too near: share its label while there is room
            if (!shown.empty() && std::abs(shown.back().first - value) <= 1e-9 * value)
                shown.back().second->setText(shown.back().second->text() + QStringLiteral(", ") + name);
            continue;
        }
        lastY = y;
        QCPItemText *label = m_names[b];
        label->setVisible(true);
        label->setFont(font);
        label->setColor(m_theme.color(isBest ? ColorId::Text : ColorId::DimText));
        label->setBrush(m_theme.color(ColorId::TimelineBackground));
        label->setPadding({3, 0, 3, 0});
        label->setPositionAlignment(Qt::AlignRight | (high ? Qt::AlignTop : Qt::AlignBottom));
        label->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
        label->position->setTypeY(QCPItemPosition::ptPlotCoords);
        label->position->setCoords(0.995, value);
        label->setText(name);
        shown.emplace_back(value, label);
    }
}

void SearchPlot::redraw() {
    const auto &plan = m_searcher.plan();
    const bool any = plan && !m_searcher.history().baselines.empty();
    m_plot->legend->setVisible(any && !m_searcher.history().trials.empty());
    m_plot->xAxis->setLabel(height() < lowPlot ? QString() : tr("trial"));
    m_plot->yAxis->setLabel(plan && plan->objective == SearchObjective::ExposedCommunication ? tr("exposed") : tr("iteration"));
    m_plot->yAxis2->setLabel(tr("hit rate"));
    fitAxes();
    replotWhenSeen(*m_plot);
    drawBaselines();
    if (m_marked)
        mark(*m_marked);
}

QPointF SearchPlot::positionOf(CandidateId trial) const {
    const auto t = static_cast<std::size_t>(trial);
    return {m_plot->xAxis->coordToPixel(static_cast<double>(trial)),
            m_plot->yAxis->coordToPixel(m_searcher.valueOf(m_searcher.history().trials[t].metrics))};
}

std::optional<CandidateId> SearchPlot::candidateAt(const QPointF &position) const {
    const SearchHistory &history = m_searcher.history();
    if (!m_plot->axisRect()->rect().contains(position.toPoint()) || history.trials.empty())
        return std::nullopt;
    const double from = m_plot->xAxis->pixelToCoord(position.x() - reach), to = m_plot->xAxis->pixelToCoord(position.x() + reach);
    const auto first = static_cast<CandidateId>(std::max(0.0, std::ceil(from)));
    const auto last = std::min(static_cast<CandidateId>(std::floor(to)), static_cast<CandidateId>(history.trials.size()) - 1);
    std::optional<CandidateId> nearest;
    double least = reach * reach;
    for (CandidateId id = first; id <= last; ++id) {
        const QPointF away = positionOf(id) - position;
        const double distance = QPointF::dotProduct(away, away);
        if (distance <= least) { // NaN is not
            least = distance;
            nearest = id;
        }
    }
    return nearest;
}

void SearchPlot::hover(const QPoint &position) {
    const auto id = candidateAt(position);
    m_plot->setCursor(id ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (id)
        QToolTip::showText(m_plot->mapToGlobal(position),
                           plainTip(candidateText(m_searcher, *id) + QLatin1Char('\n') + tr("Click: show in B")), m_plot);
    else
        QToolTip::hideText();
}

void SearchPlot::mark(CandidateId id) {
    m_marked = id;
    const auto t = static_cast<std::size_t>(id);
    const bool visible = id >= 0 && t < m_searcher.history().trials.size() &&
                         !std::isnan(m_searcher.valueOf(m_searcher.history().trials[t].metrics));
    m_mark->setVisible(visible);
    if (visible)
        m_mark->position->setCoords(static_cast<double>(id), m_searcher.valueOf(m_searcher.history().trials[t].metrics));
    replotWhenSeen(*m_plot);
}

} // namespace syncopate::ui
