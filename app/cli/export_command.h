// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/options.h"
#include "engine/export/html_report.h"
#include "engine/rewrite/scenario.h"

#include <string>
#include <vector>

namespace syncopate::cli {

struct ExportArguments {
    ScenarioOptions described;       ///< the scenario that the options describe, without a project
    std::string format = "autodist"; ///< of exportFormats()
    std::string output;
    std::string b, policyB; ///< the second side of a report or picture, empty = none
    std::string project;    ///< project file to export from, empty = what the other options describe
    std::string scenario;   ///< of the project's kept ones, empty = as its window was
    std::string side = "a"; ///< "a" or "b", in formats of one side
    std::string candidate;  ///< of the project's search: a trial's number, a builder or "best"; empty = a scenario's strategy
};

/// Runs to be exported, and where they came from.
struct ExportedRuns {
    std::string jobSource, clusterSource;
    std::vector<ReportSide> sides; ///< the first one is what formats of one side show
    std::string policy;            ///< of the first
};

/// The formats autodist and json.
[[nodiscard]] Outcome saveStrategy(const Common &common, const ExportArguments &arguments, Strategy strategy);
/// The settings of a launcher; `arguments.format` is one of theirs.
[[nodiscard]] Outcome saveSettings(const Common &common, const ExportArguments &arguments, const Scenario &scenario);
[[nodiscard]] bool isLauncherFormat(const std::string &format);
/// Chrome JSON, tables, SVG and the report.
[[nodiscard]] Outcome saveRuns(const Common &common, const ExportArguments &arguments, const ExportedRuns &runs);
/// Chrome JSON and SVG of what was measured.
[[nodiscard]] Outcome saveRecording(const Common &common, const ExportArguments &arguments, const Recording &recording,
                                    const std::string &title);
/// After a picture was drawn, or anything else was written by another program: says so.
[[nodiscard]] Outcome sayExported(const Common &common, const ExportArguments &arguments);

/// `export --project`: of a project file, as the explorer exports it.
[[nodiscard]] Outcome exportProject(const Common &common, const ExportArguments &arguments);

} // namespace syncopate::cli
