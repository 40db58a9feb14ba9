// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timeline/task_spans.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace syncopate {

bool TaskSpans::numberTasks(const Timeline &timeline) {
    const std::size_t count = timeline.spanCount();
    std::int32_t last = -1;
    for (const Lane &lane : timeline.lanes)
        for (const std::int32_t task : lane.task)
            last = std::max(last, task);
    if (last < 0 || static_cast<std::size_t>(last) < 8 * count + 64) {
        m_tasks.resize(static_cast<std::size_t>(std::int64_t{last} + 1));
        std::iota(m_tasks.begin(), m_tasks.end(), 0);
        return true;
    }
    m_tasks.reserve(count);
    for (const Lane &lane : timeline.lanes)
        std::copy_if(lane.task.begin(), lane.task.end(), std::back_inserter(m_tasks),
                     [](std::int32_t task) { return task >= 0; });
    std::sort(m_tasks.begin(), m_tasks.end());
    m_tasks.erase(std::unique(m_tasks.begin(), m_tasks.end()), m_tasks.end());
    return false;
}

TaskSpans::TaskSpans(const Timeline &timeline) {
    const bool dense = numberTasks(timeline);
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
