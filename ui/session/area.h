// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analyze/metrics.h"
#include "ui/session/shown_run.h"

#include <array>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

namespace syncopate::ui {

/// A request to count figures of A and B.
struct AreaQuery {
    /// LongestExposed: each side's own, that of ShownRun::window().
    enum class Whose : std::uint8_t { LongestExposed, MeanOfAll, Named };
    /// Nanoseconds after A's iteration began; null: each side's own iteration, the mean of several as ShownRun::window().
    std::optional<std::pair<double, double>> stretch;
    double offsetB = 0; ///< B's clock minus A's where they are aligned, nanoseconds
    Whose whose = Whose::LongestExposed;
    std::string worker;   ///< ShownWorker::name if Named: the same id may be another rank in the other run
    std::string variable; ///< its traffic is counted, too; "" = none

    bool operator==(const AreaQuery &) const = default;
};

/// A variable's traffic on a worker's lanes within an area. If it shares a bucket, the bucket's.
struct VariableArea {
    double trafficSeconds = 0; ///< time during which any of it is in progress
    double exposedSeconds = 0; ///< of that, while the worker's compute stream idles
    double sizeBytes = 0;      ///< sum over the spans that end in the area
};

/// The figures of A and B in an area. A side with several workers has none if it lacks the requested one; a side with a single
/// worker (class) always has that worker's.
struct AreaAnswer {
    AreaQuery query;
    std::array<std::optional<AreaStatistics>, 2> areas;
    std::array<std::optional<VariableArea>, 2> variables;
};

/// O(spans of the worker). The result is meaningless if `stop` is requested.
[[nodiscard]] AreaAnswer countArea(const std::array<std::shared_ptr<const ShownRun>, 2> &runs, const AreaQuery &query,
                                   const std::stop_token &stop = {});

} // namespace syncopate::ui
