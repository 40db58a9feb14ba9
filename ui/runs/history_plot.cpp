// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/history_plot.h"

#include "ui/runs/plot_parts.h"
#include "ui/theme/font_of_pixels.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/plot_or_text.h"
#include "ui/theme/plot_style.h"
#include "ui/theme/theme.h"

#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace syncopate::ui {

namespace {

/// Antialiased discs are slow in bulk; older trials become dots of two pixels.
constexpr std::size_t discs = 1000;
constexpr double reach = 8; ///< pixels from a dot that still hit it
constexpr int nameHeight = 13, nameHeightBelow = 27;
constexpr int nameMargin = 10; ///< beside a name, both sides together
constexpr std::array groupColors{ColorId::AllReduce, ColorId::Push,   ColorId::Pull,
                                 ColorId::Forward,   ColorId::Update, ColorId::Backward};

} // namespace

HistoryPlot::HistoryPlot(const Theme &theme, const HistoryModel &model, const QString &name, QWidget *parent)
    : QWidget(parent), m_theme(theme), m_model(model), m_plot(new QCustomPlot), m_pages(new PlotOrText(m_plot, name)) {
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_pages);
    m_plot->setMinimumSize(240, 100);
    m_plot->setAccessibleName(name);
    makeGraphs();
    layLegendAbove(*m_plot);
    m_mark = new QCPItemTracer(m_plot);
    m_mark->setStyle(QCPItemTracer::tsCircle);
    m_mark->setSize(11);
    m_mark->setVisible(false);
    m_plot->yAxis->setTicker(QSharedPointer<SecondsTicker<>>::create());
    m_plot->yAxis2->setTicker(QSharedPointer<PercentTicker>::create());
    m_plot->yAxis2->setVisible(true);
    m_plot->xAxis->setLabelPadding(0);
    connectAll();
    style();
    redraw();
}

void HistoryPlot::makeGraphs() {
    m_hitRate = m_plot->addGraph(m_plot->xAxis, m_plot->yAxis2);
    for (auto *graphs : {&m_oldDots, &m_dots}) // discs over the older dots
        for (QCPGraph *&dots : *graphs) {
            dots = m_plot->addGraph();
            dots->setLineStyle(QCPGraph::lsNone);
        }
    m_best = m_plot->addGraph();
    m_best->setLineStyle(QCPGraph::lsStepLeft);
    m_hitRate->setLineStyle(QCPGraph::lsStepLeft);
    m_best->setName(tr("best so far"));
    m_hitRate->setName(m_model.rateName());
    for (QCPGraph *dots : m_oldDots)
        dots->removeFromLegend();
    nameGroups();
}

/// The legend names the groups that have trials.
void HistoryPlot::nameGroups() {
    const QStringList groups = m_model.groups();
    for (std::size_t g = 0; g < maxGroups; ++g) {
        QCPGraph &dots = *m_dots[g];
        dots.removeFromLegend();
        dots.setName(groups.value(static_cast<qsizetype>(g)));
        if (dots.dataCount() + m_oldDots[g]->dataCount() > 0)
            dots.addToLegend();
    }
}

void HistoryPlot::connectAll() {
    connect(m_plot, &QCustomPlot::mouseMove, this, [this](const QMouseEvent *move) { hover(move->pos()); });
    connect(m_plot, &QCustomPlot::mousePress, this, [this](const QMouseEvent *press) {
        if (const auto id = press->button() == Qt::LeftButton && m_model.hasTrialRows() ? trialAt(press->pos()) : std::nullopt)
            Q_EMIT clicked(*id);
    });
    m_redraw.setSingleShot(true);
    m_redraw.setInterval(100);
    connect(&m_redraw, &QTimer::timeout, this, &HistoryPlot::redraw);
    connect(&m_model, &QAbstractItemModel::modelReset, this, &HistoryPlot::clear);
    connect(&m_model, &QAbstractItemModel::rowsInserted, this, &HistoryPlot::grow);
    connect(&m_model, &HistoryModel::levelsChanged, this, &HistoryPlot::grow);
    connect(&m_model, &HistoryModel::groupsChanged, this, [this] {
        const auto marked = m_marked;
        clear();
        if (marked)
            mark(*marked);
    });
    connect(&m_model, &HistoryModel::trialsAdded, this, &HistoryPlot::grow);
    connect(&m_theme, &Theme::themeChanged, this, [this] {
        style();
        redraw();
    });
}

void HistoryPlot::style() {
    stylePlot(*m_plot, m_theme);
    for (std::size_t g = 0; g < maxGroups; ++g) {
        QColor color = m_theme.color(groupColors[g]);
        color.setAlpha(210);
        m_dots[g]->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, color, 5));
        m_oldDots[g]->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDot, QPen(color, 2), Qt::NoBrush, 2));
    }
    m_best->setPen(QPen(m_theme.color(ColorId::Accent), 2));
    m_hitRate->setPen(QPen(m_theme.color(ColorId::DimText), 1.4, Qt::DotLine));
    m_plot->yAxis2->setTickLabelColor(m_theme.color(ColorId::DimText));
    m_mark->setPen(QPen(m_theme.color(ColorId::Text), 2));
    m_mark->setBrush(Qt::NoBrush);
    m_plot->legend->setBrush(Qt::NoBrush);
    m_plot->legend->setBorderPen(Qt::NoPen);
}

void HistoryPlot::clear() {
    for (QCPGraph *graph : {m_best, m_hitRate})
        graph->data()->clear();
    for (auto *graphs : {&m_oldDots, &m_dots})
        for (QCPGraph *dots : *graphs)
            dots->data()->clear();
    m_drawn = 0;
    m_highestRate = 0;
    m_marked.reset();
    m_mark->setVisible(false);
    grow();
    redraw();
}

void HistoryPlot::grow() {
    if (m_drawn == 0)
        m_bestSoFar = HUGE_VAL;
    for (; m_drawn < m_model.trials(); ++m_drawn) {
        const double value = m_model.valueOf(m_drawn), rate = m_model.hitRateAt(m_drawn), at = static_cast<double>(m_drawn);
        if (value < m_bestSoFar)
            m_bestSoFar = value;
        if (!std::isnan(value))
            m_dots[std::min(m_model.groupOf(m_drawn), maxGroups - 1)]->addData(at, value);
        if (std::isfinite(m_bestSoFar))
            m_best->addData(at, m_bestSoFar);
        m_hitRate->addData(at, rate);
        m_highestRate = std::max(m_highestRate, rate);
    }
    retireDots();
    nameGroups();
    if (!m_redraw.isActive())
        m_redraw.start();
}

void HistoryPlot::retireDots() {
    if (m_drawn <= discs)
        return;
    const auto border = static_cast<double>(m_drawn - discs);
    for (std::size_t g = 0; g < maxGroups; ++g) {
        const auto &dots = m_dots[g]->data();
        for (auto dot = dots->constBegin(); dot != dots->constEnd() && dot->key < border; ++dot)
            m_oldDots[g]->addData(dot->key, dot->value);
        dots->removeBefore(border);
    }
}

std::pair<double, double> HistoryPlot::valueRange() const {
    constexpr double gap = 0.12; // share of the height: more than fitAxes() leaves above, plus half a dot
    std::vector<double> values;
    for (std::size_t t = 0; t < m_model.trials(); ++t)
        if (const double value = m_model.valueOf(t); !std::isnan(value))
            values.push_back(value);
    double min = HUGE_VAL, max = 0;
    for (const HistoryModel::Level &level : m_model.levels())
        if (level.kind == HistoryModel::Level::Kind::Bar) {
            min = std::min(min, level.value);
            max = std::max(max, level.value * 1.15); // slightly slower trials are in view, and the bar's name has room
        }
    if (!values.empty()) {
        // The slowest tenth may lie outside the view: the trials that matter are near the best.
        const auto tenth = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) * 9 / 10);
        std::nth_element(values.begin(), tenth, values.end());
        min = std::min(min, *std::min_element(values.begin(), values.end()));
        max = std::max(max, *tenth);
        // The upper edge runs through a gap between values: it would cut dots on it in two.
        std::sort(tenth, values.end());
        for (auto next = std::upper_bound(tenth, values.end(), max); next != values.end() && *next - max < gap * (max - min);
             ++next)
            max = *next;
    }
    // A bound far below would squeeze all trials into the upper edge: it is drawn only if near.
    for (const HistoryModel::Level &level : m_model.levels())
        if (level.kind == HistoryModel::Level::Kind::Bound && min < HUGE_VAL && min - level.value < 1.5 * (max - min))
            min = std::min(min, level.value);
    if (min == max) // trials of one value: it gets the middle
        return {0.9 * min, 1.1 * max};
    return {min, max};
}

void HistoryPlot::fitAxes() {
    const std::size_t budget = m_model.budget();
    m_plot->xAxis->setRange(-0.5, budget > 0 ? static_cast<double>(budget) - 0.5 : 199.5);
    const auto [min, max] = valueRange();
    const double margin = (max - min) * 0.08;
    if (min < max)
        m_plot->yAxis->setRange(min - margin, max + margin);
    else
        m_plot->yAxis->setRange(0, 1);
    m_plot->yAxis2->setRange(0, std::clamp(m_highestRate * 1.25, 0.05, 1.0));
}

void HistoryPlot::placeName(std::size_t line, const HistoryModel::Level &level, bool below) {
    QCPItemText *label = m_names[line];
    label->setVisible(true);
    const QFont font = fontOfPixels(m_plot->font(), 10);
    label->setFont(font);
    label->setColor(m_theme.color(level.kind == HistoryModel::Level::Kind::Reference ? ColorId::DimText : ColorId::Text));
    label->setBrush(m_theme.color(ColorId::TimelineBackground));
    label->setPadding({3, 0, 3, 0});
    label->setPositionAlignment(Qt::AlignRight | (below ? Qt::AlignTop : Qt::AlignBottom));
    label->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
    label->position->setTypeY(QCPItemPosition::ptPlotCoords);
    label->position->setCoords(0.995, level.value);
    label->setText(QFontMetrics(font).elidedText(level.name, Qt::ElideRight, m_plot->axisRect()->width() - nameMargin));
}

void HistoryPlot::drawLevels() {
    using Kind = HistoryModel::Level::Kind;
    std::vector<HistoryModel::Level> levels = m_model.levels();
    while (m_lines.size() < levels.size()) {
        m_lines.push_back(new QCPItemStraightLine(m_plot));
        m_names.push_back(new QCPItemText(m_plot));
        m_names.back()->setLayer(QStringLiteral("axes")); // above all lines
    }
    for (std::size_t l = 0; l < m_lines.size(); ++l) {
        m_lines[l]->setVisible(false);
        m_names[l]->setVisible(false);
    }
    // Names stand at the right end of their lines; one that would cover a faster one's is left to the table.
    std::stable_sort(levels.begin(), levels.end(),
                     [](const HistoryModel::Level &a, const HistoryModel::Level &b) { return a.value < b.value; });
    double lastY = HUGE_VAL;
    std::vector<std::pair<double, QCPItemText *>> shown;
    for (std::size_t l = 0; l < levels.size(); ++l) {
        const HistoryModel::Level &level = levels[l];
        if (!m_plot->yAxis->range().contains(level.value))
            continue;
        m_lines[l]->setVisible(true);
        m_lines[l]->setPen(QPen(m_theme.color(level.kind == Kind::Reference ? ColorId::DimText : ColorId::Text), 1,
                                level.kind == Kind::Bound ? Qt::SolidLine : Qt::DashLine));
        m_lines[l]->point1->setCoords(0, level.value);
        m_lines[l]->point2->setCoords(1, level.value);
        const double y = m_plot->yAxis->coordToPixel(level.value);
        const bool below = y - m_plot->axisRect()->top() < nameHeight + 1; // no room above the line
        if (lastY - y < (below ? nameHeightBelow : nameHeight)) { // an equal level shares the label; one too near goes without
            if (!shown.empty() && std::abs(shown.back().first - level.value) <= 1e-9 * level.value) {
                QCPItemText &name = *shown.back().second;
                name.setText(QFontMetrics(name.font())
                                 .elidedText(name.text() + QStringLiteral(", ") + level.name, Qt::ElideRight,
                                             m_plot->axisRect()->width() - nameMargin));
            }
            continue;
        }
        lastY = y;
        placeName(l, level, below);
        shown.emplace_back(level.value, m_names[l]);
    }
}

QStringList HistoryPlot::shownLevels() const {
    QStringList names;
    for (const QCPItemText *name : m_names)
        if (name->visible())
            names.push_back(name->text());
    return names;
}

void HistoryPlot::redraw() {
    m_pages->setEmpty(m_model.budget() == 0);
    if (m_model.trials() > 0)
        fitLegendAbove(*m_plot, size());
    else
        showLegendAbove(*m_plot->legend, false);
    m_plot->xAxis->setLabel(height() < lowPlot ? QString() : m_model.trialName());
    m_plot->yAxis->setLabel(m_model.valueName());
    m_plot->yAxis2->setLabel(m_model.rateName());
    fitAxes();
    fitNumbers(*m_plot);
    drawLevels();
    replotWhenSeen(*m_plot);
    if (m_marked)
        mark(*m_marked);
}

void HistoryPlot::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    if (!m_redraw.isActive())
        m_redraw.start();
}

QPointF HistoryPlot::positionOf(RunId trial) const {
    return {m_plot->xAxis->coordToPixel(static_cast<double>(trial)),
            m_plot->yAxis->coordToPixel(m_model.valueOf(static_cast<std::size_t>(trial)))};
}

std::optional<RunId> HistoryPlot::trialAt(const QPointF &position) const {
    if (!m_plot->axisRect()->rect().contains(position.toPoint()) || m_model.trials() == 0)
        return std::nullopt;
    const double from = m_plot->xAxis->pixelToCoord(position.x() - reach), to = m_plot->xAxis->pixelToCoord(position.x() + reach);
    const auto first = static_cast<RunId>(std::max(0.0, std::ceil(from)));
    const auto last = std::min(static_cast<RunId>(std::floor(to)), static_cast<RunId>(m_model.trials()) - 1);
    std::optional<RunId> nearest;
    double min = reach * reach;
    for (RunId id = first; id <= last; ++id) {
        const QPointF away = positionOf(id) - position;
        const double distance = QPointF::dotProduct(away, away);
        if (distance <= min) { // false for NaN
            min = distance;
            nearest = id;
        }
    }
    return nearest;
}

void HistoryPlot::hover(const QPoint &position) {
    const auto id = trialAt(position);
    const bool clicks = id && m_model.hasTrialRows();
    m_plot->setCursor(clicks ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (id)
        QToolTip::showText(m_plot->mapToGlobal(position),
                           plainTip(m_model.describeTrial(static_cast<std::size_t>(*id)) +
                                    (clicks ? QLatin1Char('\n') + tr("Click: show in B") : QString())),
                           m_plot);
    else if (const QString meaning = meaningAt(position); !meaning.isEmpty())
        QToolTip::showText(m_plot->mapToGlobal(position), plainTip(meaning), m_plot);
    else
        QToolTip::hideText();
}

QString HistoryPlot::meaningAt(const QPoint &position) const {
    const QCPLegend &legend = *m_plot->legend;
    const bool isRateAxis = position.x() > m_plot->axisRect()->right() && position.y() >= m_plot->axisRect()->top();
    for (const QCPGraph *graph : {m_hitRate, m_best}) {
        const QCPPlottableLegendItem *item = legend.itemWithPlottable(graph);
        const bool isWord = legend.visible() && item && item->outerRect().contains(position);
        if (isWord || (graph == m_hitRate && isRateAxis && m_model.budget() > 0))
            return graph == m_hitRate ? m_model.rateMeaning() : m_model.bestMeaning();
    }
    return {};
}

void HistoryPlot::mark(RunId id) {
    m_marked = id;
    const auto t = static_cast<std::size_t>(id);
    const bool visible = id >= 0 && t < m_model.trials() && !std::isnan(m_model.valueOf(t));
    m_mark->setVisible(visible);
    if (visible)
        m_mark->position->setCoords(static_cast<double>(id), m_model.valueOf(t));
    replotWhenSeen(*m_plot);
}

} // namespace syncopate::ui
