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

} // namespace syncopate
