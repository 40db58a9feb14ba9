// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/rng.h"
#include "engine/timeline/timeline.h"

#include <cmath>
#include <memory>

namespace syncopate::testing {

/// Random spans with gaps; lengths from below to far above a pixel.
inline std::shared_ptr<Timeline> randomTimeline(std::uint64_t seed, std::size_t spans, bool compute = false) {
    Rng rng(seed);
    auto timeline = std::make_shared<Timeline>();
    timeline->labels = {"even", "odd"};
    Lane lane;
    lane.name = "worker 0 comm";
    lane.worker = 0;
    lane.isCompute = compute;
    Nanoseconds t = 0;
    for (std::size_t i = 0; i < spans; ++i) {
        t += rng.next() % 3 == 0 ? static_cast<Nanoseconds>(rng.uniform(0, 4000)) : 0;
        const auto end = t + 1 + static_cast<Nanoseconds>(std::exp(rng.uniform(0, 10)));
        lane.start.push_back(t);
        lane.end.push_back(end);
        lane.category.push_back(static_cast<Category>(rng.next() % categoryCount));
        lane.label.push_back(static_cast<std::int32_t>(i % 2));
        lane.variable.push_back(-1);
        lane.task.push_back(0);
        lane.sizeBytes.push_back(0);
        t = end;
    }
    timeline->duration = t;
    timeline->lanes.push_back(lane);
    return timeline;
}

} // namespace syncopate::testing
