// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_data.h"

#include <optional>

namespace syncopate::ui {

/// The events that coincide when A and B share an axis.
enum class Alignment : std::uint8_t { IterationStart, BackwardStart, IterationEnd };

/// When the event that a timeline is aligned by happens, in nanoseconds after the start of the shown iteration; null if it never
/// does (no backward pass). Backward start: the first backward span of worker 0 that starts within the iteration.
[[nodiscard]] std::optional<double> alignmentTime(const TimelineData &data, Alignment alignment);

/// How far B's clock is ahead of A's when both are at the event: the offset of B's views. 0 if either has no such event.
[[nodiscard]] double alignmentOffset(const TimelineData &a, const TimelineData &b, Alignment alignment);

} // namespace syncopate::ui
