// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/export/write_file.h"
#include "engine/simulate/run.h"

#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// A timeline to write; references are valid as long as the call.
struct TimelineToExport {
    const Recording &recording;
    const Run *simulation = nullptr; ///< the same with its graph and scenario; null: it was measured, played or planned
    std::string title{};             ///< of pictures
};

/// A format that timelines are written in. The command line and the explorer offer the formats in the table, so that a new format
/// is a row.
struct TimelineFormat {
    const char *name;   ///< on the command line: "chrome"
    const char *title;  ///< in lists: "Chrome trace JSON (opens in Perfetto)"
    const char *suffix; ///< of its files: ".trace.json"
    /// Writes the timeline; false where the sink stopped it. A text that grows with the spans, of which a run may have millions,
    /// goes out in pieces.
    bool (*write)(const TimelineToExport &of, const TextSink &sink);
};
[[nodiscard]] const std::vector<TimelineFormat> &timelineFormats();

/// Null where there is none of this name.
[[nodiscard]] const TimelineFormat *findTimelineFormat(std::string_view name);

} // namespace syncopate
