// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/simulate/run.h"
#include "engine/timeline/annotations.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace syncopate {

/// One of the scenarios that a report compares.
struct ReportSide {
    std::string strategy; ///< as the user asked for it: a builder expression or a file
    std::shared_ptr<const Run> run;
};

/// A picture of a report: an SVG element or a PNG file.
struct ReportPicture {
    std::string caption;
    std::string svg;      ///< an <svg> element, put in as it is; or
    std::string pngBytes; ///< a PNG file
};

/// The content of a report.
struct ReportInput {
    std::string title;
    std::string jobSource, clusterSource; ///< names or paths as the user gave them
    std::vector<ReportSide> sides;        ///< A, A and B, or B
    std::size_t firstSide = 0;            ///< of `sides`: 0 = A; 1 = B, which is then the only one
    std::vector<Note> notes;              ///< the user's notes on the sides' timelines
    std::vector<ReportPicture> pictures;  ///< beyond the sides' timelines, which are always there
    std::string programVersion;
    std::string date; ///< when it was made, as text; empty leaves it out
};

/// A report as one self-contained HTML file: iteration times and their parts for A and B, knobs with
/// their units, timelines, every variable's strategy, assumptions and definitions, versions and seeds. Light and dark by
/// prefers-color-scheme, light on paper. Everything that came from a file is escaped; there are no scripts.
/// Needs one or two sides with a run.
[[nodiscard]] std::string writeHtmlReport(const ReportInput &input);

/// Encodes `bytes` in base 64 (RFC 4648).
[[nodiscard]] std::string base64(std::string_view bytes);

} // namespace syncopate
