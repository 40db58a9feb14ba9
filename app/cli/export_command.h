// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/options.h"
#include "app/cli/plan_job.h"
#include "engine/export/html_report.h"
#include "engine/export/timeline_formats.h"
#include "engine/rewrite/scenario.h"

#include <string>
#include <vector>

namespace syncopate::cli {

/// The arguments of `export`.
struct ExportArguments {
    ScenarioOptions described;       ///< the scenario that the options describe, without a project
    std::string format = "autodist"; ///< one of exportFormats()
    std::string output;
    std::string b, policyB; ///< the second side of a report or picture, empty = none
    std::string project;    ///< project file to export from, empty = the scenario of the other options
    std::string scenario;   ///< a kept one of the project, by name; empty = the state of its window
    std::string side = "a"; ///< "a" or "b", for formats of one side
    PlanCosts costs;        ///< of a training DAG
    std::string candidate;  ///< from the project's search: a trial's number, a builder or "best"; empty = a scenario's strategy
};

/// Runs to export, and their origin.
struct ExportedRuns {
    std::string jobSource, clusterSource;
    std::vector<ReportSide> sides; ///< the first one is used by formats of one side
    std::string policy;            ///< the first side's
    std::size_t firstSide = 0;     ///< ReportInput::firstSide
};

/// Prints, with --json, the object that describes the file that was written; `id` is a strategy's.
void describeExport(const Common &common, const ExportArguments &arguments, const std::string &id = {});
/// Exports in the formats autodist and json.
[[nodiscard]] Outcome saveStrategy(const Common &common, const ExportArguments &arguments, Strategy strategy);
/// Exports the settings of a launcher; `arguments.format` names it.
[[nodiscard]] Outcome saveSettings(const Common &common, const ExportArguments &arguments, const Scenario &scenario);
[[nodiscard]] bool isLauncherFormat(const std::string &format);
/// Exports timelines, tables and the report.
[[nodiscard]] Outcome saveRuns(const Common &common, const ExportArguments &arguments, const ExportedRuns &runs);
/// Exports a timeline; `arguments.format` names one of timelineFormats().
[[nodiscard]] Outcome saveTimeline(const Common &common, const ExportArguments &arguments, const TimelineToExport &timeline);
/// Reports what was exported, after a picture or another file was written by another program.
[[nodiscard]] Outcome sayExported(const Common &common, const ExportArguments &arguments);

/// `export --project`: exports from a project file, as the explorer would.
[[nodiscard]] Outcome exportProject(const Common &common, const ExportArguments &arguments);

} // namespace syncopate::cli
