// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/simulate/recording.h"

#include <string>

namespace syncopate {

/// The part of a run's timeline to draw.
struct TimelineSvgOptions {
    std::string title;
    double fromSeconds = 0; ///< from the start of worker 0's last full iteration
    double toSeconds = 0;   ///< not after fromSeconds: the whole iteration
    int width = 1200;       ///< user units, at least 300
    int maxLanes = 64;      ///< further ones are counted, not drawn; of a worker's lanes of one kind at most 6 are drawn
};

/// The timeline as a picture: one row per lane, spans of at least half a unit as they are, shorter ones as exact coverage of
/// columns half a unit wide (stacked by category), so that the size of the text is bounded by width and lanes. Colours follow
/// prefers-color-scheme, with the explorer's palettes, and are light on paper. Valid alone as a file and inline in HTML.
/// O(spans of the window).
[[nodiscard]] std::string writeTimelineSvg(const Recording &run, const TimelineSvgOptions &options);

/// Escapes `text` for the content or a quoted attribute of XML and HTML; characters that XML cannot hold become U+FFFD.
[[nodiscard]] std::string escapeXml(std::string_view text);

} // namespace syncopate
