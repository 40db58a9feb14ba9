// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timeline/task_spans.h"

#include <algorithm>
#include <numeric>

namespace syncopate {

TaskSpans::TaskSpans(const Timeline &timeline) {
    const std::size_t count = timeline.spanCount();
    std::int32_t last = -1;
    for (const Lane &lane : timeline.lanes)
        for (const std::int32_t task : lane.task)
            last = std::max(last, task);
    // Dense numbers are counted; others become dense by their rank first. Negative ones name no task.
    const bool dense = last < 0 || static_cast<std::size_t>(last) < 8 * count + 64;
    if (dense) {
        m_tasks.resize(static_cast<std::size_t>(std::int64_t{last} + 1));
        std::iota(m_tasks.begin(), m_tasks.end(), 0);
    } else {
        m_tasks.reserve(count);
        for (const Lane &lane : timeline.lanes)
            for (const std::int32_t task : lane.task)
                if (task >= 0)
                    m_tasks.push_back(task);
        std::sort(m_tasks.begin(), m_tasks.end());
        m_tasks.erase(std::unique(m_tasks.begin(), m_tasks.end()), m_tasks.end());
    }
    const auto rank = [&](std::int32_t task) {
        return dense ? static_cast<std::size_t>(task)
                     : static_cast<std::size_t>(std::lower_bound(m_tasks.begin(), m_tasks.end(), task) - m_tasks.begin());
    };
    m_offsets.assign(m_tasks.size() + 1, 0);
    for (const Lane &lane : timeline.lanes)
        for (const std::int32_t task : lane.task)
            if (task >= 0)
                ++m_offsets[rank(task) + 1];
    std::partial_sum(m_offsets.begin(), m_offsets.end(), m_offsets.begin());
    m_spans.resize(m_offsets.back());
    std::vector<std::uint32_t> next(m_offsets.begin(), m_offsets.end() - 1);
    for (std::size_t l = 0; l < timeline.lanes.size(); ++l)
        for (std::size_t i = 0; i < timeline.lanes[l].size(); ++i)
            if (const std::int32_t task = timeline.lanes[l].task[i]; task >= 0)
                m_spans[next[rank(task)]++] = {l, i};
}

std::span<const SpanRef> TaskSpans::of(std::int32_t task) const {
    const auto found = std::lower_bound(m_tasks.begin(), m_tasks.end(), task);
    if (found == m_tasks.end() || *found != task)
        return {};
    const auto rank = static_cast<std::size_t>(found - m_tasks.begin());
    return std::span(m_spans).subspan(m_offsets[rank], m_offsets[rank + 1] - m_offsets[rank]);
}

const SpanRef *TaskSpans::nearest(const Timeline &timeline, std::int32_t task, std::int32_t worker) const {
    const auto spans = of(task);
    if (spans.empty())
        return nullptr;
    for (const SpanRef &span : spans)
        if (timeline.lanes[span.lane].worker == worker)
            return &span;
    return &spans.front();
}

} // namespace syncopate
