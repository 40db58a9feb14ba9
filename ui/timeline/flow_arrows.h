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

/// One arrow, end of a span to start of another, logical pixels.
struct FlowArrow {
    QPointF from;
    QPointF to;
    QColor color;
};

/// Most arrows that a pane draws: more are slow and tell nothing.
inline constexpr std::size_t mostFlowArrows = 150;

/// Antialiased curves that leave and arrive along the time axis, with a seam of `ground` so that they stand out on spans of
/// any colour. Those wholly left, right, above or below `visible` are left out.
void paintFlowArrows(QPainter &painter, const std::vector<FlowArrow> &arrows, const QRectF &visible, const QColor &ground);

} // namespace syncopate::ui
