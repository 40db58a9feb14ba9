// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/options.h"
#include "engine/export/html_report.h"

#include <string>
#include <vector>

namespace syncopate {
struct Project;
}

namespace syncopate::cli {

/// Refuses scenario options that the explorer, which draws pictures, lacks: it would not draw the simulated scenario. The error
/// names the option.
[[nodiscard]] Result<void> refuseUndrawn(const ScenarioOptions &options);

/// A picture (PNG, or "pdf" or "svg" by `format`) of the explorer's panes for one run or two, whose strategies are given as
/// expressions or files. Job and cluster are those of the first run, called as in `options`. The explorer draws it and must be
/// installed beside this program: text and colours need Qt, which the command line does not link.
[[nodiscard]] Result<void> drawPicture(const std::vector<ReportSide> &sides, const ScenarioOptions &options,
                                       const std::string &file, const std::string &format = "png");

/// The same for a project, in the state of its window.
[[nodiscard]] Result<void> drawProject(const Project &project, const std::string &file, const std::string &format);

} // namespace syncopate::cli
