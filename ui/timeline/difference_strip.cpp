// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/difference_strip.h"

#include "ui/theme/explained.h"
#include "ui/theme/font_of_pixels.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <cmath>
#include <utility>

namespace syncopate::ui {

DifferenceStrip::DifferenceStrip(const Theme &theme, TimeAxis &axis, QWidget *parent)
    : QWidget(parent), m_theme(theme), m_axis(axis) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Difference of exposed communication, A minus B"));
    connect(&m_axis, &TimeAxis::windowChanged, this, qOverload<>(&QWidget::update));
    connect(&m_axis, &TimeAxis::cursorChanged, this, qOverload<>(&QWidget::update));
    connect(&m_theme, &Theme::themeChanged, this, qOverload<>(&QWidget::update));
    setData({}, {});
}

void DifferenceStrip::setData(std::shared_ptr<const TimelineData> a, std::shared_ptr<const TimelineData> b,
                              const QString &whyNone) {
    m_a = std::move(a);
    m_b = std::move(b);
    m_whyNone = whyNone;
    const QString usual = tr("Exposed communication of the worker that waits longest, A minus B, per pixel: bars up where A "
                             "exposes more, down where B does.\n"
                             "Exposed: %1")
                              .arg(explained("Exposed communication"));
    setToolTip(plainTip(m_whyNone.isEmpty() ? usual : tr("No difference of exposed communication: %1").arg(m_whyNone)));
    update();
}

void DifferenceStrip::setOffset(double nanoseconds) {
    if (nanoseconds == m_offset)
        return;
    m_offset = nanoseconds;
    update();
}

void DifferenceStrip::setStale(bool stale) {
    if (std::exchange(m_stale, stale) != stale)
        update();
}

void DifferenceStrip::setPlotRange(int left, int right) {
    if (left == m_left && right == m_right)
        return;
    m_left = left;
    m_right = right;
    update();
}

std::vector<double> DifferenceStrip::differences(int columns) const {
    if (!m_a || !m_b || !m_whyNone.isEmpty())
        return {};
    std::vector<double> result(static_cast<std::size_t>(std::max(0, columns)), 0.0);
    const auto [from, to] = m_axis.window();
    const double step = (to - from) / std::max(1, columns);
    for (const auto &[data, sign] : {std::pair{m_a.get(), 1.0}, std::pair{m_b.get(), -1.0}}) {
        const double start = from + static_cast<double>(data->origin()) + (sign < 0 ? m_offset : 0);
        for (int x = 0; x < columns; ++x) {
            const auto left = static_cast<Nanoseconds>(std::floor(start + x * step));
            const auto right = static_cast<Nanoseconds>(std::floor(start + (x + 1) * step));
            if (right > left)
                result[static_cast<std::size_t>(x)] +=
                    sign * static_cast<double>(data->exposed().busy(left, right)[static_cast<std::size_t>(Category::OtherComm)]) /
                    static_cast<double>(right - left);
        }
    }
    return result;
}

void DifferenceStrip::paintBars(QPainter &painter, const QRect &plot) const {
    const int middle = plot.center().y();
    const double half = plot.height() / 2.0 - 1;
    const std::vector<double> values = differences(plot.width());
    const QColor more = m_theme.color(ColorId::Worse), less = m_theme.color(ColorId::Better);
    for (std::size_t x = 0; x < values.size(); ++x) {
        const int bar = static_cast<int>(std::lround(std::abs(values[x]) * half));
        if (bar > 0)
            painter.fillRect(plot.left() + static_cast<int>(x), values[x] > 0 ? middle - bar : middle + 1, 1, bar,
                             values[x] > 0 ? more : less);
    }
    painter.fillRect(plot.left(), middle, plot.width(), 1, m_theme.color(ColorId::Border));
}

void DifferenceStrip::paintGutter(QPainter &painter, const QRect &gutter) const {
    const auto line = [&](Qt::Alignment where, const QString &text) {
        painter.drawText(gutter, where | Qt::AlignLeft, painter.fontMetrics().elidedText(text, Qt::ElideRight, gutter.width()));
    };
    line(Qt::AlignTop, QStringLiteral("↑ ") + tr("A exposes more"));
    line(Qt::AlignVCenter, tr("exposed, A − B"));
    line(Qt::AlignBottom, QStringLiteral("↓ ") + tr("B exposes more"));
}

void DifferenceStrip::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(ColorId::Surface));
    const QRect plot(m_left, 3, m_right - m_left, height() - 6);
    painter.fillRect(plot, m_theme.color(ColorId::TimelineBackground));
    const QFont small = fontOfPixels(font(), 10);
    painter.setFont(small);
    if (m_whyNone.isEmpty()) {
        painter.setOpacity(m_stale ? staleOpacity : 1);
        paintBars(painter, plot);
        painter.setOpacity(1);
    } else {
        painter.setPen(m_theme.color(ColorId::DimText));
        const QRect room = plot.adjusted(8, 0, -8, 0);
        painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextWordWrap, QStringLiteral("– ") + m_whyNone);
    }
    if (const auto cursor = m_axis.cursor()) {
        const auto [from, to] = m_axis.window();
        painter.fillRect(plot.left() + static_cast<int>((*cursor - from) / (to - from) * plot.width()), 0, 1, height(),
                         m_theme.color(ColorId::Accent));
    }
    painter.setPen(m_theme.color(ColorId::DimText));
    paintGutter(painter, {10, 3, m_left - 14, height() - 6});
}

} // namespace syncopate::ui
