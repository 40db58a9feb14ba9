// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timeline/span_ref.h"
#include "engine/timeline/timeline.h"

#include <span>
#include <vector>

namespace syncopate {

/// Finds the spans of a task by its number; a collective has one on every worker's lanes. O(spans) to build where the numbers are
/// dense (runs), O(spans log spans) where they are not (profiles). of() costs at most O(log spans), nearest() also looks at the
/// task's spans one by one.
class TaskSpans {
public:
    explicit TaskSpans(const Timeline &timeline);
    /// In lane order; empty for a task that has no span (no work, or shorter than a nanosecond).
    [[nodiscard]] std::span<const SpanRef> of(std::int32_t task) const;
    /// The span of `task` on a lane of `worker`, or else its first; null if it has none.
    [[nodiscard]] const SpanRef *nearest(const Timeline &timeline, std::int32_t task, std::int32_t worker) const;

private:
    /// Dense numbers are sorted by counting; others are replaced by their rank first. Negative numbers name no task. Returns true
    /// for dense ones.
    bool numberTasks(const Timeline &timeline);
    std::vector<std::int32_t> m_tasks;    ///< ascending
    std::vector<std::uint32_t> m_offsets; ///< m_tasks + 1
    std::vector<SpanRef> m_spans;
};

} // namespace syncopate
