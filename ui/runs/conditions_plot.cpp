// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/conditions_plot.h"

#include "ui/runs/plot_parts.h"
#include "ui/theme/font_of_pixels.h"
#include "ui/theme/plot_or_text.h"
#include "ui/theme/plot_style.h"
#include "ui/theme/rate_unit.h"
#include "ui/theme/theme.h"

#include <QKeyEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <cmath>

namespace syncopate::ui {

namespace {

constexpr int bandHeight = 26;   ///< pixels
constexpr int namedHeight = 200; ///< pixels of height above which the axis shows its name
constexpr std::size_t maxBands = 500;
constexpr std::array armColors{ColorId::DimText, ColorId::AllReduce, ColorId::Accent, ColorId::Better,
                               ColorId::Push,    ColorId::Pull,      ColorId::Worse};

} // namespace

ConditionsPlot::ConditionsPlot(const Theme &theme, QWidget *parent)
    : QWidget(parent), m_theme(theme), m_plot(new QCustomPlot),
      m_pages(new PlotOrText(
          m_plot,
          tr("Speed under changing conditions: samples per second over the iterations, with settings kept and re-tuned"))) {
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_pages);
    m_plot->setMinimumSize(240, 100);
    m_plot->setFocusPolicy(Qt::StrongFocus);
    m_plot->setAccessibleName(tr("Speed under changing conditions"));
    m_plot->setAccessibleDescription(tr("Samples per second over the iterations. Arrows, Home and End move the mark, Space plays "
                                        "it; A and B show its iteration there."));
    m_plot->installEventFilter(this);
    makeRects();
    const auto drag = [this](const QMouseEvent *event) {
        if ((event->buttons() & Qt::LeftButton) && m_plot->axisRect()->width() > 0)
            moveTo(m_plot->xAxis->pixelToCoord(event->position().x()));
    };
    connect(m_plot, &QCustomPlot::mousePress, this, drag);
    connect(m_plot, &QCustomPlot::mouseMove, this, drag);
    connect(m_plot, &QCustomPlot::afterLayout, this, &ConditionsPlot::placeTexts); // texts need the widths of their bands
    connect(&theme, &Theme::themeChanged, this, &ConditionsPlot::refresh);
    refresh();
}

void ConditionsPlot::makeRects() {
    layLegendAbove(*m_plot);
    m_conditions = new QCPAxisRect(m_plot);
    m_plot->plotLayout()->addElement(2, 0, m_conditions);
    m_conditions->setMinimumSize(0, bandHeight);
    m_conditions->setMaximumSize(QWIDGETSIZE_MAX, bandHeight);
    m_conditions->setupFullAxesBox(false);
    for (QCPAxis *axis : m_conditions->axes()) {
        axis->setLayer(QStringLiteral("axes"));
        axis->grid()->setVisible(false);
        axis->setTicks(false);
        axis->setTickLabels(false);
    }
    m_conditions->setAutoMargins(QCP::msLeft | QCP::msRight);
    m_conditions->setMargins({0, 0, 0, 2});
    auto *margins = new QCPMarginGroup(m_plot);
    for (QCPAxisRect *rect : {m_plot->axisRect(), m_conditions})
        rect->setMarginGroup(QCP::msLeft | QCP::msRight, margins);
    connect(m_plot->xAxis, qOverload<const QCPRange &>(&QCPAxis::rangeChanged), m_conditions->axis(QCPAxis::atBottom),
            qOverload<const QCPRange &>(&QCPAxis::setRange));
    m_conditions->axis(QCPAxis::atLeft)->setRange(0, 1);
    m_plot->xAxis->setLabelPadding(0);
    m_mark = new QCPItemLine(m_plot);
    m_mark->setVisible(false);
}

void ConditionsPlot::setRun(std::shared_ptr<const ConditionsRun> run) {
    m_run = std::move(run);
    m_iteration = 0;
    refresh();
}

void ConditionsPlot::setIteration(std::size_t iteration) {
    m_iteration = iteration;
    mark();
    replotWhenSeen(*m_plot);
}

void ConditionsPlot::style() {
    stylePlot(*m_plot, m_theme);
    m_plot->legend->setBrush(Qt::NoBrush);
    m_plot->legend->setBorderPen(Qt::NoPen);
    m_mark->setPen(QPen(m_theme.color(ColorId::Text), 1.4));
    for (std::size_t a = 0; a < m_arms.size(); ++a) {
        const QColor color = m_theme.color(armColors[a % armColors.size()]);
        const bool oracle = a == oracleArm;
        m_arms[a].line->setPen(QPen(color, a == retunedArm ? 2.4 : 1.6, oracle ? Qt::DotLine : Qt::SolidLine));
        m_arms[a].changes->setScatterStyle(
            QCPScatterStyle(QCPScatterStyle::ssTriangle, QPen(m_theme.color(ColorId::Text), 1), color, 10));
    }
}

void ConditionsPlot::refresh() {
    const bool any = m_run && m_run->hasArms();
    m_pages->setEmpty(!any);
    drawArms();
    drawBands();
    style();
    showLegendAbove(*m_plot->legend, any);
    if (any)
        fitLegendAbove(*m_plot, size());
    m_conditions->setVisible(any);
    nameAxis();
    m_plot->yAxis->setLabel(any ? rateUnitText(m_run->statesBatch()) : QString());
    fitNumbers(*m_plot);
    mark();
    replotWhenSeen(*m_plot);
}

void ConditionsPlot::drawArms() {
    const std::size_t count = m_run ? m_run->arms.size() : 0;
    while (m_arms.size() < count) {
        m_arms.push_back({m_plot->addGraph(), m_plot->addGraph()});
        m_arms.back().line->setLineStyle(QCPGraph::lsStepLeft);
        m_arms.back().changes->setLineStyle(QCPGraph::lsNone);
        m_arms.back().changes->removeFromLegend();
    }
    double max = 0;
    for (std::size_t a = 0; a < m_arms.size(); ++a) {
        m_arms[a].line->data()->clear();
        m_arms[a].changes->data()->clear();
        if (a >= count) {
            m_arms[a].line->removeFromLegend();
            continue;
        }
        m_arms[a].line->addToLegend(); // once, however often it is called
        const std::size_t iterations = m_run->iterations();
        m_arms[a].line->setName(QString::fromStdString(m_run->arms[a].name));
        for (std::size_t i = 0; i < iterations; ++i) {
            m_arms[a].line->addData(static_cast<double>(i), m_run->speedOf(a, i));
            max = std::max(max, m_run->speedOf(a, i));
        }
        m_arms[a].line->addData(static_cast<double>(iterations), m_run->speedOf(a, iterations - 1)); // to the end of the last one
        for (const RetuningArm::Change &change : m_run->arms[a].changes)
            if (change.iteration > 0)
                m_arms[a].changes->addData(change.iteration, m_run->speedOf(a, static_cast<std::size_t>(change.iteration)));
    }
    m_plot->xAxis->setRange(0, count > 0 ? static_cast<double>(m_run->iterations()) : 1);
    m_plot->yAxis->setRange(0, max > 0 ? max * 1.08 : 1); // from zero, so that half as high is half as fast
}

void ConditionsPlot::drawBands() {
    for (const Band &band : m_bands) {
        m_plot->removeItem(band.area);
        m_plot->removeItem(band.text);
    }
    m_bands.clear();
    if (!m_run || !m_run->hasArms())
        return;
    const auto &steps = m_run->arms[retunedArm].steps;
    QCPAxis *x = m_conditions->axis(QCPAxis::atBottom), *y = m_conditions->axis(QCPAxis::atLeft);
    for (std::size_t first = 0; first < steps.size();) {
        std::size_t end = m_bands.size() + 1 < maxBands ? first + 1 : steps.size(); // the last one has all the others' room
        while (end < steps.size() && steps[end].condition == steps[first].condition)
            ++end;
        Band band{new QCPItemRect(m_plot), new QCPItemText(m_plot)};
        for (QCPItemPosition *position : {band.area->topLeft, band.area->bottomRight, band.text->position}) {
            position->setAxes(x, y);
            position->setAxisRect(m_conditions);
        }
        band.area->setClipAxisRect(m_conditions);
        band.text->setClipAxisRect(m_conditions);
        band.area->topLeft->setCoords(static_cast<double>(first), 1);
        band.area->bottomRight->setCoords(static_cast<double>(end), 0);
        band.area->setPen(QPen(m_theme.color(ColorId::Border)));
        band.area->setBrush(m_theme.color(m_bands.size() % 2 == 0 ? ColorId::Raised : ColorId::Control));
        band.text->position->setCoords(static_cast<double>(first + end) / 2, 0.5);
        band.text->setColor(m_theme.color(ColorId::Text));
        m_bands.push_back(band);
        first = end;
    }
}

/// In a low panel the lines need the room more, and the mark's text says that it counts iterations.
void ConditionsPlot::nameAxis() {
    m_plot->xAxis->setLabel(m_run && m_run->hasArms() && height() >= namedHeight ? tr("iteration") : QString());
}

void ConditionsPlot::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    nameAxis();
    if (!m_run || !m_run->hasArms())
        return;
    fitLegendAbove(*m_plot, size());
    fitNumbers(*m_plot);
    replotWhenSeen(*m_plot); // the plot has already drawn itself at its new size
}

void ConditionsPlot::placeTexts() {
    const QFont font = fontOfPixels(m_plot->font(), 11);
    const auto pixel = [this](const QCPItemPosition &position) { return m_plot->xAxis->coordToPixel(position.key()); };
    for (const Band &band : m_bands) {
        const auto first = static_cast<std::size_t>(band.area->topLeft->key());
        const auto width = static_cast<int>(pixel(*band.area->bottomRight) - pixel(*band.area->topLeft)) - 6;
        const QString text = &band == &m_bands.back() && m_bands.size() == maxBands
                                 ? QStringLiteral("…")
                                 : QString::fromStdString(m_run->conditionOf(retunedArm, first).describe());
        band.text->setFont(font);
        band.text->setText(width > 20 ? QFontMetrics(font).elidedText(text, Qt::ElideRight, width) : QString());
    }
}

QStringList ConditionsPlot::conditionTexts() const {
    QStringList texts;
    for (const Band &band : m_bands)
        texts << band.text->text();
    return texts;
}

void ConditionsPlot::mark() {
    m_mark->setVisible(m_run && m_run->hasArms());
    if (!m_mark->visible())
        return;
    const double middle = static_cast<double>(m_iteration) + 0.5;
    m_mark->start->setTypeY(QCPItemPosition::ptAxisRectRatio);
    m_mark->end->setTypeY(QCPItemPosition::ptAxisRectRatio);
    m_mark->start->setCoords(middle, 0);
    m_mark->end->setCoords(middle, 1);
}

double ConditionsPlot::pixelOf(std::size_t iteration) const {
    return m_plot->xAxis->coordToPixel(static_cast<double>(iteration) + 0.5);
}

void ConditionsPlot::moveTo(double coordinate) {
    if (!m_run || !m_run->hasArms())
        return;
    const auto last = static_cast<double>(m_run->iterations() - 1);
    const auto next = static_cast<std::size_t>(std::clamp(std::floor(coordinate), 0.0, last));
    if (next == m_iteration)
        return;
    setIteration(next);
    Q_EMIT marked(next);
}

void ConditionsPlot::walk(int key) {
    const auto present = static_cast<double>(m_iteration);
    switch (key) {
    case Qt::Key_Left:
        return moveTo(present - 1);
    case Qt::Key_Right:
        return moveTo(present + 1);
    case Qt::Key_Home:
        return moveTo(0);
    case Qt::Key_End:
        return moveTo(HUGE_VAL);
    case Qt::Key_Space:
        Q_EMIT playWanted();
        return;
    default:
        Q_EMIT wanted(key == Qt::Key_A ? Side::A : Side::B);
    }
}

bool ConditionsPlot::eventFilter(QObject *watched, QEvent *event) {
    if (watched != m_plot || (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride))
        return QWidget::eventFilter(watched, event);
    const auto &key = static_cast<const QKeyEvent &>(*event);
    constexpr std::array keys{Qt::Key_Left, Qt::Key_Right, Qt::Key_Home, Qt::Key_End, Qt::Key_Space, Qt::Key_A, Qt::Key_B};
    const bool plain = (key.modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    if (!plain || !m_run || !m_run->hasArms() || std::find(keys.begin(), keys.end(), key.key()) == keys.end())
        return false;
    if (event->type() == QEvent::ShortcutOverride) // the window's single-key shortcuts do not apply while the plot has focus
        event->accept();
    else
        walk(key.key());
    return true;
}

} // namespace syncopate::ui
