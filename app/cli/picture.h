// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/options.h"
#include "engine/simulate/run.h"

#include <optional>
#include <string>

namespace syncopate {
struct Project;
}

namespace syncopate::cli {

/// What a pane of a picture shows, as expressions or files.
struct PictureSide {
    std::string strategy, policy;
};

/// A picture (PNG, or "pdf" or "svg" by `format`) of the explorer's panes for the cluster of `run`, one pane or two. The explorer
/// draws it and must be installed beside this program: text and colours need Qt, which the command line does not link.
[[nodiscard]] Result<void> drawPicture(const Run &run, const ScenarioOptions &options, const PictureSide &a,
                                       const std::optional<PictureSide> &b, const std::string &file,
                                       const std::string &format = "png");

/// The same for a project as its window was.
[[nodiscard]] Result<void> drawProject(const Project &project, const std::string &file, const std::string &format);

} // namespace syncopate::cli
