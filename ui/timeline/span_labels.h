// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_painter.h"

#include <QFont>
#include <QHash>
#include <QPainter>
#include <QStaticText>
#include <vector>

namespace syncopate::ui {

/// Writes names on wide spans. Text layout is what makes labels slow, so names are laid out once for each class of widths, and
/// kept until the timeline's labels change or there are too many.
class SpanLabels final {
public:
    static constexpr int leastWidth = 46; ///< logical pixels: narrower spans get no label

    explicit SpanLabels(const QFont &font);
    void clear();
    /// `spans` in device pixels, on lanes whose top (device pixels) is tops[lane].
    void paint(QPainter &painter, const std::vector<WideSpan> &spans, const TimelineData &data, const std::vector<int> &tops,
               int height, const LanePalette &palette, const std::vector<std::uint8_t> *lit, qreal pixelRatio);

private:
    struct Text {
        QStaticText text;
        qreal width = 0;
    };
    const Text &fitting(const Timeline &timeline, std::int32_t label, int width);
    [[nodiscard]] Text layOut(const QString &string) const;

    QFont m_font;
    qreal m_textHeight = 0;
    QHash<std::int32_t, Text> m_whole;
    QHash<quint64, Text> m_elided; ///< label and width class
};

} // namespace syncopate::ui
