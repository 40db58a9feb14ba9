// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timeline/span_ref.h"
#include "engine/timeline/timeline.h"

#include <QColor>
#include <QPainter>
#include <QPointF>
#include <vector>

namespace syncopate::ui {

/// `from` had to end before `to` could start.
struct SpanFlow {
    SpanRef from;
    SpanRef to;
    bool operator==(const SpanFlow &) const = default;
};

/// One arrow, from the end of a span to the start of another, in logical pixels.
struct FlowArrow {
    QPointF from;
    QPointF to;
    QColor color;
};

/// Maximum number of arrows that a pane draws: more would be slow and unreadable.
inline constexpr std::size_t maxFlowArrows = 150;

/// Antialiased curves that leave and arrive along the time axis, with a border of `ground` so that they stand out on spans of any
/// colour. Those entirely left of, right of, above or below `visible` are skipped.
void paintFlowArrows(QPainter &painter, const std::vector<FlowArrow> &arrows, const QRectF &visible, const QColor &ground);

} // namespace syncopate::ui
