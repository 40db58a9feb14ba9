// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/span_labels.h"

#include "ui/theme/theme.h"

#include <QFontMetricsF>

namespace syncopate::ui {

namespace {
constexpr int padding = 3;
constexpr int widthClass = 8; ///< elided texts are cached for widths rounded down to this
constexpr int mostCached = 20000;
} // namespace

SpanLabels::SpanLabels(const QFont &font) : m_font(font) {
    const QFontMetricsF metrics(m_font);
    m_textHeight = metrics.height();
}

void SpanLabels::clear() {
    m_whole.clear();
    m_elided.clear();
}

SpanLabels::Text SpanLabels::layOut(const QString &string) const {
    Text text{QStaticText(string), 0};
    text.text.setTextFormat(Qt::PlainText);
    text.text.setPerformanceHint(QStaticText::AggressiveCaching);
    text.text.prepare(QTransform(), m_font);
    text.width = text.text.size().width();
    return text;
}

const SpanLabels::Text &SpanLabels::fitting(const Timeline &timeline, std::int32_t label, int width) {
    auto whole = m_whole.find(label);
    if (whole == m_whole.end())
        whole = m_whole.insert(label, layOut(QString::fromStdString(timeline.labels[static_cast<std::size_t>(label)])));
    if (whole->width <= width)
        return *whole;
    if (m_elided.size() > mostCached)
        m_elided.clear();
    const quint64 key = (static_cast<quint64>(label) << 32) | static_cast<quint64>(width / widthClass);
    auto elided = m_elided.find(key);
    if (elided == m_elided.end()) {
        const QString full = QString::fromStdString(timeline.labels[static_cast<std::size_t>(label)]);
        const int room = width / widthClass * widthClass;
        elided = m_elided.insert(key, layOut(QFontMetricsF(m_font).elidedText(full, Qt::ElideRight, room)));
    }
    return *elided;
}

void SpanLabels::paint(QPainter &painter, const std::vector<WideSpan> &spans, const TimelineData &data,
                       const std::vector<int> &tops, int height, const LanePalette &palette, const std::vector<std::uint8_t> *lit,
                       qreal pixelRatio) {
    painter.setFont(m_font);
    std::array<QColor, 2 * categoryCount> inks;
    for (std::size_t c = 0; c < inks.size(); ++c)
        inks[c] = Theme::inkOn(QColor::fromRgb(palette.category[c]));
    std::size_t ink = inks.size();
    for (const WideSpan &wide : spans) {
        const int width = static_cast<int>((wide.end - wide.x) / pixelRatio) - 2 * padding;
        const std::int32_t label = data.lane(wide.lane).label[wide.span];
        if (width < leastWidth - 2 * padding || label < 0)
            continue;
        const bool quiet = lit && (*lit)[static_cast<std::size_t>(label)] == 0;
        if (quiet)
            continue; // spans that are not of interest keep a shade of their colour but lose their name
        const auto category = static_cast<std::size_t>(data.colorOf(wide.lane, data.lane(wide.lane).category[wide.span]));
        const Text &text = fitting(data.timeline(), label, width);
        if (text.width > width)
            continue;
        if (category != ink)
            painter.setPen(inks[ink = category]);
        painter.drawStaticText(
            QPointF(wide.x / pixelRatio + padding, (tops[wide.lane] + height / 2.0) / pixelRatio - m_textHeight / 2), text.text);
    }
}

} // namespace syncopate::ui
