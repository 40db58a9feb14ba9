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

/// What to count in A and B.
struct AreaQuery {
    /// LongestExposed: of each side its own, ShownRun::window()'s.
    enum class Whose : std::uint8_t { LongestExposed, MeanOfAll, Named };
    /// Nanoseconds after A's iteration began; null: each side's own iteration.
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

/// What is in an area, of A and of B. A side of several workers that lacks the one that was asked for has no figures; a side with
/// a single worker (class) has its figures, whichever was asked for.
struct AreaAnswer {
    AreaQuery query;
    std::array<std::optional<AreaStatistics>, 2> areas;
    std::array<std::optional<VariableArea>, 2> variables;
};

/// O(spans of the worker). The result is meaningless if `stop` is requested.
[[nodiscard]] AreaAnswer countArea(const std::array<std::shared_ptr<const ShownRun>, 2> &runs, const AreaQuery &query,
                                   const std::stop_token &stop = {});

} // namespace syncopate::ui
