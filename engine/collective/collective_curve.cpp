// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/collective/collective_curve.h"

#include <algorithm>

namespace syncopate {

double CollectiveCurve::seconds(double sizeBytes) const {
    if (segments.empty())
        return 0;
    const auto after = std::upper_bound(segments.begin() + 1, segments.end(), sizeBytes,
                                        [](double size, const CurveSegment &s) { return size < s.fromBytes; });
    const CurveSegment &segment = *(after - 1);
    return segment.alphaSeconds + sizeBytes * segment.secondsPerByte;
}

CollectiveCurve curveThrough(const MeasuredCollective &measured) {
    CollectiveCurve curve{.kind = measured.kind, .ranks = measured.ranks, .segments = {}};
    const auto &points = measured.points;
    if (points.empty())
        return curve;
    curve.measuredFrom = points.front().sizeBytes;
    curve.measuredTo = points.back().sizeBytes;
    curve.segments.push_back({0, points.front().seconds, 0});
    double slope = 0;
    for (std::size_t p = 0; p + 1 < points.size(); ++p) {
        slope = (points[p + 1].seconds - points[p].seconds) / (points[p + 1].sizeBytes - points[p].sizeBytes);
        curve.segments.push_back({points[p].sizeBytes, points[p].seconds - slope * points[p].sizeBytes, slope});
    }
    slope = std::max(slope, 0.0);
    curve.segments.push_back({points.back().sizeBytes, points.back().seconds - slope * points.back().sizeBytes, slope});
    return curve;
}

} // namespace syncopate
