// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/export/timeline_formats.h"

#include "engine/export/export.h"
#include "engine/export/timeline_svg.h"

#include <algorithm>

namespace syncopate {

namespace {

bool writeChrome(const TimelineToExport &of, const TextSink &sink) {
    return of.simulation ? writeChromeTrace(*of.simulation, sink) : writeChromeTrace(of.recording, sink);
}

bool writeSvg(const TimelineToExport &of, const TextSink &sink) {
    return sink(writeTimelineSvg(of.recording, {.title = of.title}));
}

} // namespace

const std::vector<TimelineFormat> &timelineFormats() {
    static const std::vector<TimelineFormat> formats{
        {"chrome", "Chrome trace JSON (opens in Perfetto)", ".trace.json", writeChrome},
        {"svg", "SVG picture of one iteration", ".svg", writeSvg},
    };
    return formats;
}

const TimelineFormat *findTimelineFormat(std::string_view name) {
    const auto found = std::find_if(timelineFormats().begin(), timelineFormats().end(),
                                    [&](const TimelineFormat &format) { return format.name == name; });
    return found == timelineFormats().end() ? nullptr : &*found;
}

} // namespace syncopate
