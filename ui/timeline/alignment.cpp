// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/alignment.h"

#include <algorithm>

namespace syncopate::ui {

std::optional<double> alignmentTime(const TimelineData &data, Alignment alignment) {
    switch (alignment) {
    case Alignment::IterationStart:
        return 0.0;
    case Alignment::IterationEnd:
        return static_cast<double>(data.iteration());
    case Alignment::BackwardStart:
        break;
    }
    std::optional<double> first;
    for (std::size_t l = 0; l < data.laneCount(); ++l) {
        const Lane &lane = data.lane(l);
        if (lane.worker != 0 || !lane.isCompute)
            continue;
        auto i =
            static_cast<std::size_t>(std::lower_bound(lane.start.begin(), lane.start.end(), data.origin()) - lane.start.begin());
        for (; i < lane.size() && lane.start[i] < data.origin() + data.iteration(); ++i)
            if (lane.category[i] == Category::Backward) {
                const auto time = static_cast<double>(lane.start[i] - data.origin());
                first = first ? std::min(*first, time) : time;
                break;
            }
    }
    return first;
}

double alignmentOffset(const TimelineData &a, const TimelineData &b, Alignment alignment) {
    const auto atA = alignmentTime(a, alignment), atB = alignmentTime(b, alignment);
    return atA && atB ? *atB - *atA : 0;
}

} // namespace syncopate::ui
