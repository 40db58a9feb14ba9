// SPDX-License-Identifier: GPL-3.0-or-later
// Spans and tables of the engine as dictionaries of NumPy arrays, which own their memory and can be passed to
// pandas.DataFrame().
#pragma once

#include "engine/query/query.h"
#include "engine/search/search.h"
#include "engine/session/load_plan.h"
#include "engine/simulate/run.h"
#include "engine/timeline/timeline.h"

#include <pybind11/pybind11.h>

namespace syncopate::python {

/// Text as a Python str; bytes that are not UTF-8 are replaced.
[[nodiscard]] pybind11::str pythonText(std::string_view text);
/// All spans, lane by lane: lane, worker, start_ns, end_ns, category, label, variable, size_bytes. O(spans).
[[nodiscard]] pybind11::dict spanArrays(const Timeline &timeline, const Job &job);
/// The table of variables with the columns of `simulate --table`; numbers are float64. On servers `group` is -1, and `groups`, a
/// text, is empty.
[[nodiscard]] pybind11::dict variableArrays(const Run &run);
/// The spans of a settled iteration, compute-ops, then motifs, in the order of the DAG and of the plan: op, kind, motif, channel
/// (texts; the last two empty of a compute-op), sent_bytes (by a process), start_seconds and end_seconds from the iteration's
/// start.
[[nodiscard]] pybind11::dict motifArrays(const DagRun &run);
/// The job's layers in forward order: name, forward_seconds, backward_seconds, size_bytes of their variables.
[[nodiscard]] pybind11::dict layerArrays(const Job &job);
/// The trials: trial, iteration_seconds, exposed_communication_seconds, best_so_far_seconds, hit_rate, ps_variables, shards,
/// servers, groups, error. iteration_seconds is NaN where a trial was not judged,
/// exposed_communication_seconds also where the judge does not tell it;
/// best_so_far_seconds is the iteration time of the trial that is best by `objective`, NaN before the first.
[[nodiscard]] pybind11::dict trialArrays(const SearchHistory &history, SearchObjective objective);
/// The columns of a query's result: int64 if all cells are integers, float64 if all are numbers or NULL (NaN), else objects (str,
/// number or None). If columns share a name, the last one wins.
[[nodiscard]] pybind11::dict resultArrays(const QueryResult &result);

} // namespace syncopate::python
