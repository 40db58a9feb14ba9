// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timeline/span_ref.h"
#include "engine/timeline/timeline.h"

#include <optional>
#include <string_view>
#include <vector>

namespace syncopate {

/// Tells for each label of the timeline whether it contains `text`, ignoring the case of ASCII letters. No label contains an
/// empty text. O(bytes of the labels).
[[nodiscard]] std::vector<std::uint8_t> labelsContaining(const Timeline &timeline, std::string_view text);

/// Whether `text` contains `part`, ignoring the case of ASCII letters.
[[nodiscard]] bool containsIgnoringCase(std::string_view text, std::string_view part);

/// The next (or previous) span with a wanted label after `from`, in the order of starts, then of lanes; without `from` the first
/// (last) one. Null if there is none. O(lanes log spans + spans passed over).
[[nodiscard]] std::optional<SpanRef> neighbour(const Timeline &timeline, const std::vector<std::uint8_t> &wanted,
                                               const std::optional<SpanRef> &from, bool forward);

} // namespace syncopate
