// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analyze/validation.h"
#include "engine/search/tune/tuning.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// Measured and predicted settings of one job, architecture, number of workers, bandwidth and scheduler: tuners choose among them
/// by prediction, and the measurement gives the true time of their choice.
struct MeasuredGrid {
    ValidationRow first; ///< names what all rows have in common
    std::vector<ValidationRow> rows;
    TuneSpace space; ///< partition and credit between the ends of the rows, both on a logarithmic scale

    /// The row nearest to a setting, by factors; whole layers and a credit without limit count as four times the largest.
    [[nodiscard]] const ValidationRow &nearest(double partitionBytes, double creditBytes) const;
    [[nodiscard]] const ValidationRow &measuredBest() const;
    [[nodiscard]] std::string name() const; ///< "vggish,bsps,2,2", as --row takes it
};

/// The grids of three settings or more of a folder laid out as tests/data/measured/sched. Errors: those of validateFolder(); no
/// such grid.
[[nodiscard]] Result<std::vector<MeasuredGrid>> readMeasuredGrids(const std::string &folder);
/// Finds the grid "JOB,ARCHITECTURE,WORKERS,GBITS". The error lists all grids.
[[nodiscard]] Result<const MeasuredGrid *> findMeasuredGrid(const std::vector<MeasuredGrid> &grids, std::string_view row);

/// A tuner's choice from predictions, and its measured time.
struct MeasuredChoice {
    std::string method;
    std::size_t evaluations = 0;
    std::int64_t iterations = 0; ///< that a running system would have spent
    ValidationRow row;           ///< the one with the shortest predicted iteration that it asked for
    double loss = 0;             ///< measured iteration / the shortest measured one - 1
    /// The loss under AutoByte's trigger (section III-C): of the default, unless this row is predicted to be faster than it by
    /// MetaTuner::minGain.
    double triggeredLoss = 0;
};
/// Lets the tuner of `expression` ask for predictions of the grid's settings, rounding each point to the nearest one. At most
/// `evaluations` of them; 0 = usualTuneEvaluations, of a tuner with a fixed number of points all up to 1000. Errors: an unknown
/// tuner.
[[nodiscard]] Result<MeasuredChoice> chooseMeasured(const MeasuredGrid &grid, const std::string &expression, std::uint64_t seed,
                                                    std::uint64_t evaluations);
/// The row nearest to ByteScheduler's defaults, 1,000,000 and 4,000,000 parameters.
[[nodiscard]] MeasuredChoice shippedChoice(const MeasuredGrid &grid);

} // namespace syncopate
