// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/query/query_table.h"
#include "engine/session/search_state.h"
#include "engine/simulate/run.h"
#include "engine/timeline/span_ref.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

namespace syncopate {

/// One of the timelines that a query can see.
struct QuerySide {
    std::string name; ///< "A"
    std::shared_ptr<const Recording> recording;
    const GraphRun *graph = nullptr;                  ///< *recording; null where it has no graph of tasks
    const Run *run = nullptr;                         ///< *recording; null where it is not a scenario's simulation
    std::shared_ptr<const ImportedProfile> profile{}; ///< of a measured recording, whose steps it knows; null = none
};

/// The data of a query: all sides, and the search whose trials can be queried; null = none.
struct QueryInput {
    std::vector<QuerySide> sides;
    std::shared_ptr<const SearchState> search{};
};
/// The side of a simulation, whose tasks, variables and links can be queried, too.
[[nodiscard]] QuerySide querySide(std::string name, const std::shared_ptr<const Run> &run);
/// The side of any other recording: spans and steps alone, those of `profile` where it is given.
[[nodiscard]] QuerySide querySide(std::string name, std::shared_ptr<const Recording> recording,
                                  std::shared_ptr<const ImportedProfile> profile = nullptr);

/// The tables of docs/query.md over `input`, which they keep: spans, steps, tasks, variables, links, trials.
[[nodiscard]] std::vector<std::unique_ptr<const QueryTable>> queryTables(const QueryInput &input);

/// Limits of a statement.
struct QueryLimits {
    std::size_t maxRows = 100'000;                   ///< of the result; further ones are left out
    std::uint64_t maxBytes = std::uint64_t{1} << 30; ///< for sorting, grouping and the result
    double maxSeconds = 60;                          ///< wall clock; 0 = no limit
};

using QueryValue = std::variant<std::monostate, std::int64_t, double, std::string>;

/// The answer to a query.
struct QueryResult {
    std::vector<std::string> columns;
    std::vector<std::vector<QueryValue>> rows; ///< a value for each column
    bool isCut = false;                        ///< there are more rows than QueryLimits::maxRows
    double wallSeconds = 0;
};

/// Runs one SELECT of SQLite's SQL over the tables. It can read nothing else and write nothing: no other tables, files, pragmas
/// or extensions. Errors: not a single SELECT (Input), with the place of the syntax error; more time or memory than allowed
/// (Unavailable); of kind Cancelled soon after `stop` is requested. Safe on any thread. Pure but for wallSeconds and SQL's own
/// functions of chance and time (random(), datetime('now')).
[[nodiscard]] Result<QueryResult> runQuery(const QueryInput &input, const std::string &sql, const QueryLimits &limits = {},
                                           std::stop_token stop = {});

/// A span by its key in the table of spans: the side's number in the input, and its place in that side's timeline.
struct QuerySpan {
    std::size_t side = 0;
    SpanRef span;
};
/// The span of a key; nothing for an unknown key. O(lanes).
[[nodiscard]] std::optional<QuerySpan> spanOfKey(const QueryInput &input, std::int64_t key);

/// The rows' numbers in the order of a column, as ORDER BY sorts: NULL, numbers, texts by their bytes; stable.
[[nodiscard]] std::vector<std::size_t> rowOrder(const QueryResult &result, std::size_t column, bool descending);

/// "1.5", "forward", or "" for NULL: real numbers read back to the same value.
[[nodiscard]] std::string textOf(const QueryValue &value);

/// An example of a question. A timeline repeats the iteration as often as it was unrolled, so sums are of the last full one.
struct QueryExample {
    const char *title, *sql;
};
[[nodiscard]] const std::vector<QueryExample> &queryExamples();

} // namespace syncopate
