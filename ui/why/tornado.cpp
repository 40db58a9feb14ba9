// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/why/tornado.h"

#include "ui/knobs/knob_names.h"
#include "ui/theme/font_of_pixels.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/plot_style.h"
#include "ui/theme/qcustomplot.h"
#include "ui/theme/theme.h"

#include <QHelpEvent>
#include <QToolTip>
#include <QVBoxLayout>
#include <cmath>

namespace syncopate::ui {

namespace {

QString nameOf(const Sensitivity &row) { return knobName(scenarioSpace()[row.dimension]); }
QString textOf(const Sensitivity &row, double value) {
    return QString::fromStdString(scenarioSpace()[row.dimension].format(value));
}
/// Whether the present value, as it is written, is an end of the knob's slider. A scenario accepts values beyond it, too.
bool isAt(const Sensitivity &row, double end) { return textOf(row, row.presentValue) == textOf(row, end); }

/// The word for the present value in the policy of `run` ("auto", "off"), if it is one, else its number.
QString presentText(const Sensitivity &row, const Run *run) {
    if (run)
        if (const auto key = run->scenario.policy.keyOfKnob(scenarioSpace()[row.dimension].id))
            for (const PolicyParameter &parameter : run->scenario.policy.kind().parameters)
                if (parameter.key == *key && !parameter.words.empty() && parameter.meaning == row.presentValue)
                    return QString::fromStdString(parameter.words.front());
    return textOf(row, row.presentValue);
}

/// The lines of a tooltip about the bars of a knob, and those that are missing.
QStringList linesOf(const Sensitivity &row, const ShownRun &shown) {
    const bool isWord = (row.presentValue <= 0 && row.lowValue == row.highValue) || std::isinf(row.presentValue);
    if (isWord && !row.lowSeconds && !row.highSeconds)
        return {Tornado::tr("Half and twice of %1 mean nothing.").arg(presentText(row, shown.simulation()))};
    const auto line = [&](const std::optional<double> &seconds, double value, bool isEnd, const QString &end) {
        if (seconds)
            return Tornado::tr("%1: %2, %3")
                .arg(textOf(row, value), secondsText(*seconds), secondsDeltaText(shown.recording().iterationSeconds, *seconds));
        return isEnd ? end : Tornado::tr("%1: cannot be simulated").arg(textOf(row, value));
    };
    const auto endText = [&row](double end, const QString &text) {
        return isAt(row, end)
                   ? text.arg(textOf(row, end))
                   : Tornado::tr("%1 is beyond the slider's end, %2.").arg(textOf(row, row.presentValue), textOf(row, end));
    };
    QStringList lines{line(row.lowSeconds, row.lowValue, row.lowValue >= row.presentValue,
                           endText(row.lowValue, Tornado::tr("Nothing lower: the slider begins at %1."))),
                      line(row.highSeconds, row.highValue, row.highValue <= row.presentValue,
                           endText(row.highValue, Tornado::tr("Nothing higher: the slider ends at %1.")))};
    if (row.lowSeconds || row.highSeconds)
        lines += Tornado::tr("Click a bar to set the knob there.");
    return lines;
}

} // namespace

Tornado::Tornado(const Theme &theme, QWidget *parent) : QWidget(parent), m_theme(theme), m_plot(new QCustomPlot) {
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_plot);
    setMinimumSize(240, 100);
    setAccessibleName(tr("Change of the iteration, ms, with every knob at half and at twice its value"));
    m_low = new QCPBars(m_plot->yAxis, m_plot->xAxis);
    m_high = new QCPBars(m_plot->yAxis, m_plot->xAxis);
    for (QCPBars *bars : {m_low, m_high}) {
        bars->setWidth(0.6);
        bars->setSelectable(QCP::stNone);
    }
    m_plot->xAxis->setLabel(tr("Change of the iteration, ms"));
    m_plot->xAxis->setLabelPadding(0);
    m_plot->yAxis->setRangeReversed(true);
    m_plot->yAxis->setSubTicks(false);
    m_plot->yAxis->setTickLength(0, 0);
    m_plot->yAxis->grid()->setVisible(false);
    m_plot->setNoAntialiasingOnDrag(true);
    // event() asks what is under the mouse; the plot must not swallow it.
    m_plot->setAttribute(Qt::WA_TransparentForMouseEvents, false);
    connect(m_plot, &QCustomPlot::mousePress, this, [this](const QMouseEvent *press) {
        const bool isInPlot = press->button() == Qt::LeftButton && m_plot->axisRect()->rect().contains(press->pos());
        const Sensitivity *row = isInPlot ? rowAt(press->pos()) : nullptr;
        if (!row)
            return;
        if (const auto value = valueAt(*row, m_plot->xAxis->pixelToCoord(press->pos().x()) * 1e-3))
            Q_EMIT valueWanted(row->dimension, *value);
    });
    connect(m_plot, &QCustomPlot::afterLayout, this, [this] {
        if (fitTexts())
            m_plot->replot(QCustomPlot::rpQueuedReplot); // this one's ticks were computed before its layout
    });
    connect(&theme, &Theme::themeChanged, this, &Tornado::refresh);
    refresh();
}

void Tornado::set(std::shared_ptr<const WhyAnswer> answer) {
    m_answer = std::move(answer);
    refresh();
}

const Sensitivity *Tornado::rowAt(const QPoint &position) const {
    if (!m_answer)
        return nullptr;
    const auto row = static_cast<std::ptrdiff_t>(std::lround(m_plot->yAxis->pixelToCoord(position.y()))) - 1;
    return row >= 0 && row < static_cast<std::ptrdiff_t>(m_rows) ? &m_answer->sensitivities[static_cast<std::size_t>(row)]
                                                                 : nullptr;
}

std::optional<double> Tornado::valueAt(const Sensitivity &row, double change) const {
    const double present = m_answer->run->recording().iterationSeconds;
    std::optional<double> beside;
    double longest = 0;
    for (const auto &[seconds, value] : {std::pair(row.highSeconds, row.highValue), std::pair(row.lowSeconds, row.lowValue)}) {
        const double length = seconds ? *seconds - present : 0;
        if (length * change <= 0) // on the other side of zero
            continue;
        if (std::abs(change) <= std::abs(length)) // the high value's bar is drawn over the other one
            return value;
        if (std::abs(length) > longest) {
            longest = std::abs(length);
            beside = value;
        }
    }
    return beside;
}

bool Tornado::event(QEvent *event) {
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        if (const Sensitivity *row = rowAt(m_plot->mapFrom(this, help->pos()))) {
            const QStringList lines = QStringList(nameOf(*row)) + linesOf(*row, *m_answer->run);
            QToolTip::showText(help->globalPos(), plainTip(lines.join(QLatin1Char('\n'))), this);
        }
        return true;
    }
    return QWidget::event(event);
}

void Tornado::addBar(QCPBars &bars, double key, double seconds, const QString &text, bool opposite) {
    bars.addData(key, seconds * 1e3);
    addText(key, opposite ? 0 : seconds, text, (seconds < 0) != opposite, ColorId::Text);
}

void Tornado::addText(double key, double seconds, const QString &text, bool left, ColorId color) {
    auto *label = new QCPItemText(m_plot);
    label->setLayer(QStringLiteral("axes")); // above the bounds' lines
    label->position->setCoords(seconds * 1e3, key);
    label->setPositionAlignment(Qt::AlignVCenter | (left ? Qt::AlignRight : Qt::AlignLeft));
    label->setPadding({4, 0, 4, 0});
    label->setText(text);
    label->setColor(m_theme.color(color));
    label->setBrush(m_theme.color(ColorId::TimelineBackground)); // lines of bounds pass behind it
    const QFont font = fontOfPixels(m_plot->font(), 10);
    label->setFont(font);
    m_widest = std::max(m_widest, QFontMetrics(font).horizontalAdvance(text) + 8);
}

bool Tornado::fitTexts() {
    // Leaves room for texts on both sides of the bars; in a plot narrower than three of them, bars get a third.
    const double pixels = m_plot->axisRect()->width();
    const double forBars = std::max(pixels / 3, pixels - 2.0 * m_widest);
    const double room = std::max(1e-6, (m_max - m_min) * (pixels - forBars) / (2 * std::max(1.0, forBars)));
    const QCPRange range((m_min - room) * 1e3, (m_max + room) * 1e3);
    const int ticks = m_plot->xAxis->ticker()->tickCount();
    const bool isOther = range != m_plot->xAxis->range();
    m_plot->xAxis->setRange(range);
    fitNumbersBeside(*m_plot->xAxis);
    nameBounds();
    return isOther || ticks != m_plot->xAxis->ticker()->tickCount();
}

void Tornado::addBounds(double key) {
    const IterationBounds &bounds = m_answer->bounds;
    const double present = m_answer->run->recording().iterationSeconds;
    std::vector<std::pair<double, QString>> lines{{bounds.computeSeconds, tr("compute")},
                                                  {bounds.networkSeconds, tr("network")},
                                                  m_answer->run->plan()
                                                      ? std::pair(bounds.planSeconds, tr("any plan"))
                                                      : std::pair(bounds.dependencySeconds, tr("dependencies"))};
    std::erase_if(lines, [](const auto &line) { return line.first <= 0; }); // unknown where workers drift apart; no traffic
    std::sort(lines.begin(), lines.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    const QFont font = fontOfPixels(m_plot->font(), 10);
    for (const auto &[seconds, name] : lines) {
        Bound bound{(seconds - present) * 1e3, name, new QCPItemStraightLine(m_plot), new QCPItemText(m_plot)};
        bound.line->point1->setCoords(bound.milliseconds, 0);
        bound.line->point2->setCoords(bound.milliseconds, 1);
        bound.line->setPen(QPen(m_theme.color(ColorId::Warning), 1, Qt::DashLine));
        bound.label->setLayer(QStringLiteral("axes")); // above all lines
        bound.label->position->setCoords(bound.milliseconds, key);
        bound.label->setPadding({3, 0, 3, 0});
        bound.label->setColor(m_theme.color(ColorId::Warning));
        bound.label->setBrush(m_theme.color(ColorId::TimelineBackground));
        bound.label->setFont(font);
        m_bounds.push_back(std::move(bound));
    }
}

void Tornado::nameBounds() {
    // All names in one row, each left or right of its line, where no other line or name is. A name without room is omitted: the
    // text above the chart lists all bounds.
    constexpr double together = 4; // pixels
    const auto x = [this](std::size_t i) { return m_plot->xAxis->coordToPixel(m_bounds[i].milliseconds); };
    double taken = m_plot->axisRect()->left();
    QString name;
    for (std::size_t i = 0; i < m_bounds.size(); ++i) {
        const Bound &bound = m_bounds[i];
        const bool near = bound.milliseconds >= m_plot->xAxis->range().lower; // else it is far from anything a knob can do
        bound.line->setVisible(near);
        bound.label->setVisible(false);
        if (!near)
            continue;
        name += (name.isEmpty() ? QString() : QStringLiteral(", ")) + bound.name;
        const double next = i + 1 < m_bounds.size() ? x(i + 1) : m_plot->axisRect()->right();
        if (i + 1 < m_bounds.size() && next - x(i) < together)
            continue;
        const double width = QFontMetrics(bound.label->font()).horizontalAdvance(name) + 6;
        const bool left = x(i) - width >= taken;
        bound.label->setPositionAlignment(Qt::AlignVCenter | (left ? Qt::AlignRight : Qt::AlignLeft));
        bound.label->setText(name);
        bound.label->setVisible(left || x(i) + width <= next);
        taken = bound.label->visible() && !left ? x(i) + width : x(i);
        name.clear();
    }
}

std::size_t Tornado::fittingRows() const {
    constexpr int rowHeight = 14, numbersHeight = 26; // in pixels
    const int axisHeight = numbersHeight + QFontMetrics(m_plot->xAxis->labelFont()).height();
    const int fitting = (height() - axisHeight) / rowHeight - 1; // minus a row for the names of bounds
    return std::min(m_answer->sensitivities.size(), static_cast<std::size_t>(std::max(1, fitting)));
}

void Tornado::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    if (m_answer && fittingRows() != m_rows)
        refresh();
}

void Tornado::addRow(const Sensitivity &row, double key) {
    const double present = m_answer->run->recording().iterationSeconds;
    const double low = row.lowSeconds.value_or(present) - present, high = row.highSeconds.value_or(present) - present;
    // If both bars are on the same side of zero, the shorter one's text is put on the free side.
    const bool sameSide = row.lowSeconds && row.highSeconds && (low < 0) == (high < 0);
    const bool lowIsShorter = std::abs(low) < std::abs(high);
    if (row.lowSeconds)
        addBar(*m_low, key, low, textOf(row, row.lowValue), sameSide && lowIsShorter);
    if (row.highSeconds)
        addBar(*m_high, key, high, textOf(row, row.highValue), sameSide && !lowIsShorter);
    // Beside a single bar, on the free side of zero, stands why there is no other.
    if (row.lowSeconds && !row.highSeconds)
        addText(key, 0, isAt(row, row.highValue) ? tr("max") : QStringLiteral("\u2013"), low >= 0, ColorId::DimText);
    else if (row.highSeconds && !row.lowSeconds)
        addText(key, 0, isAt(row, row.lowValue) ? tr("min") : QStringLiteral("\u2013"), high >= 0, ColorId::DimText);
    m_min = std::min({m_min, low, high});
    m_max = std::max({m_max, low, high});
}

void Tornado::refresh() {
    stylePlot(*m_plot, m_theme);
    m_plot->yAxis->grid()->setVisible(false);
    m_plot->clearItems();
    m_bounds.clear();
    for (QCPBars *bars : {m_low, m_high})
        bars->data()->clear();
    QColor low = m_theme.color(ColorId::Accent);
    low.setAlphaF(0.45F);
    m_low->setBrush(low);
    m_low->setPen(QPen(m_theme.color(ColorId::Accent)));
    m_high->setBrush(m_theme.color(ColorId::Accent));
    m_high->setPen(QPen(m_theme.color(ColorId::Accent)));
    auto ticker = QSharedPointer<QCPAxisTickerText>::create();
    m_min = m_max = 0;
    m_widest = 0;
    m_rows = 0;
    if (m_answer) {
        const double present = m_answer->run->recording().iterationSeconds;
        m_rows = fittingRows();
        double key = 1;
        for (std::size_t r = 0; r < m_rows; ++r, key += 1) {
            ticker->addTick(key, nameOf(m_answer->sensitivities[r]));
            addRow(m_answer->sensitivities[r], key);
        }
        if (const std::size_t rest = m_answer->sensitivities.size() - m_rows; rest > 0)
            ticker->addTick(key, tr("%1 more").arg(rest));
        // The nearest bound is always shown; the others only if they are near.
        m_min = std::min(m_min, m_answer->bounds.largest() - present);
        m_plot->yAxis->setRange(0.4, key + 0.5);
        addBounds(key);
        fitTexts();
    }
    m_plot->yAxis->setTicker(ticker);
    replotWhenSeen(*m_plot);
}

} // namespace syncopate::ui
