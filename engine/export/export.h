// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/export/write_file.h"
#include "engine/simulate/run.h"
#include "engine/strategy/strategy.h"

#include <string>
#include <string_view>

namespace syncopate {

/// A run's timeline in the Chrome trace format that Perfetto opens: one process per worker class, one thread per lane,
/// `X` events with ts and dur in microseconds, arrows (`s`, `f`) to and from the spans of synchronisation; the scenario and its
/// assumptions under "otherData". A last thread, "exposed communication" (category "exposed"), belongs to the worker of
/// iterationStatistics(); its spans with "in_window" sum to that exposedSeconds times "window_iterations". About 150 bytes a
/// span, so it is streamed rather than held at once. False once `sink` has refused a piece: the trace is then cut off.
bool writeChromeTrace(const Run &run, const TextSink &sink);
/// The same of a recording, whose spans have no iteration, and which has neither cluster nor policy.
bool writeChromeTrace(const Recording &recording, const TextSink &sink);
[[nodiscard]] std::string writeChromeTrace(const Run &run);

/// One row per variable, CSV with a header: variable, layer, shape, dtype, size_bytes, synchroniser, destination, parts, group
/// (a number, the lowest of its parts'; -1 = none), groups (a text, VariableRow::groups), first_start_seconds, last_end_seconds
/// (from the window's start), communication_seconds (union on the first worker). Values are of the last full iteration.
[[nodiscard]] std::string writeTableCsv(const Run &run);

/// The row of a variable in writeTableCsv() and in the explorer's table.
struct VariableRow {
    std::int32_t variable = 0;
    std::int32_t layer = 0;
    std::string synchroniser;                         ///< "PS", "AllReduce"
    std::string destination;                          ///< server(s), each once, between blanks; empty for AllReduce
    std::int32_t parts = 0;                           ///< that are synchronised on their own; 1 = whole, 0 = not synchronised
    std::int32_t group = -1;                          ///< all-reduce group or bucket, the lowest of its parts'; -1 = none
    std::string groups;                               ///< those of all parts, ascending: "0..3 7"; empty = none
    double firstStartSeconds = 0, lastEndSeconds = 0; ///< of its traffic, from the window's start; both 0 without traffic
    double communicationSeconds = 0;                  ///< its traffic is under way on the first worker
};
[[nodiscard]] std::vector<VariableRow> variableRows(const Run &run);

/// The StrategyBuilder by which an AutoDist user runs an exported strategy file: the chief has no option to load one.
[[nodiscard]] std::string writeAutoDistStub(std::string_view strategyFileName);
/// The name of its file: "run-a.pb" becomes "run_a_builder.py", which Python can import.
[[nodiscard]] std::string autoDistStubName(std::string_view strategyFileName);

} // namespace syncopate
