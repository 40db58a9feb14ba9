// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analyze/validation.h"
#include "engine/search/tune/tuning.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// Settings of one job, architecture, number of workers, bandwidth and scheduler that were measured and are predicted: what
/// tuners choose from where what they choose was really run.
struct MeasuredGrid {
    ValidationRow first; ///< names what all rows have in common
    std::vector<ValidationRow> rows;
    TuneSpace space; ///< partition and credit between the ends of the rows, both on a logarithmic scale

    /// The row that stands for a setting: the nearest, by factors; whole layers and a credit without limit are four times the
    /// largest.
    [[nodiscard]] const ValidationRow &nearest(double partitionBytes, double creditBytes) const;
    [[nodiscard]] const ValidationRow &measuredBest() const;
    [[nodiscard]] std::string name() const; ///< "vggish,bsps,2,2", as --row takes it
};

/// The grids of three settings or more of a folder laid out as tests/data/measured/sched. Errors: those of validateFolder(); no
/// such grid.
[[nodiscard]] Result<std::vector<MeasuredGrid>> readMeasuredGrids(const std::string &folder);
/// The one of "JOB,ARCHITECTURE,WORKERS,GBITS". The error lists those there are.
[[nodiscard]] Result<const MeasuredGrid *> findMeasuredGrid(const std::vector<MeasuredGrid> &grids, std::string_view row);

/// What a tuner chose from predictions, and what that really took.
struct MeasuredChoice {
    std::string method;
    std::size_t evaluations = 0;
    std::int64_t iterations = 0; ///< that a running system would have spent
    ValidationRow row;           ///< with the shortest predicted iteration of those that it asked for
    double loss = 0;             ///< measured iteration / the shortest measured one - 1
};
/// Lets the tuner of `expression` ask for predictions of the grid's settings, each point moved to the nearest one. Errors: no
/// such tuner.
[[nodiscard]] Result<MeasuredChoice> chooseMeasured(const MeasuredGrid &grid, const std::string &expression, std::uint64_t seed,
                                                    std::uint64_t evaluations);
/// What ByteScheduler ships with, 1,000,000 and 4,000,000 parameters; the nearest row.
[[nodiscard]] MeasuredChoice shippedChoice(const MeasuredGrid &grid);

} // namespace syncopate
