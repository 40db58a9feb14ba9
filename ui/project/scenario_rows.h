// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analyze/pareto.h"
#include "engine/store/project_file.h"
#include "ui/runs/searcher.h"
#include "ui/runs/sweeper.h"

#include <QString>
#include <limits>
#include <set>
#include <tuple>
#include <vector>

namespace syncopate::ui {

/// The figures of one side of a scenario; NaN = unknown.
struct ScenarioFigures {
    double iterationSeconds = std::numeric_limits<double>::quiet_NaN();
    double samplesPerSecond = std::numeric_limits<double>::quiet_NaN();
    double exposedSeconds = std::numeric_limits<double>::quiet_NaN();
    double nodes = std::numeric_limits<double>::quiet_NaN(); ///< of its cluster, servers included
    /// Of the device that needs the most, as trainingMemory() counts it; known for simulations only.
    double peakMemoryBytes = std::numeric_limits<double>::quiet_NaN();
    std::string error{}; ///< why it has none
};

/// Origin of a row in the scenarios' table.
enum class RowSource : std::uint8_t { Kept, Search, Sweep };

/// One side of a kept scenario, one candidate of the search, or one side at one point of a sweep.
struct ScenarioRow {
    RowSource source = RowSource::Kept;
    std::int64_t number = 0; ///< number of the scenario, CandidateId::row(), or number of the point
    Side side = Side::A;
    QString name{}, what{}, job{}, cluster{}, note{};
    std::int64_t keptAt = 0;
    bool ofPresentJob = true; ///< else it is not compared with the others
    bool statesBatch = true;  ///< of its job: samplesPerSecond counts samples, else steps
    ScenarioFigures figures{};

    /// Compares all but the figures.
    [[nodiscard]] static bool isSame(const ScenarioRow &a, const ScenarioRow &b) {
        const auto key = [](const ScenarioRow &row) {
            return std::tie(row.source, row.number, row.side, row.name, row.what, row.job, row.cluster, row.note, row.keptAt,
                            row.ofPresentJob);
        };
        return key(a) == key(b);
    }
    [[nodiscard]] Objectives objectives() const {
        if (!ofPresentJob || !figures.error.empty()) // one without memory would take it from all rows
            return {};
        return objectivesOf(figures.samplesPerSecond, figures.nodes, figures.peakMemoryBytes);
    }
};

/// Strategy and policy of a side, in one line.
[[nodiscard]] QString sideText(const SideState &side);

/// The state at a point of a sweep.
[[nodiscard]] SessionState stateAt(const Sweep &sweep, std::size_t point);

/// Simulates a side, or takes its figures from the profile. No figures for played steps or plans. Not for the GUI
/// thread.
[[nodiscard]] ScenarioFigures figuresOf(const SessionState &state, Side side, const std::stop_token &stop);

/// A row for each side shown; the iteration is the one it was kept with, other figures come from figuresOf().
void addKept(std::vector<ScenarioRow> &rows, const std::vector<KeptScenario> &kept);
/// The best builder, the best tuned one, the best trial, and the pinned candidates.
void addSearch(std::vector<ScenarioRow> &rows, const Searcher &searcher, const std::set<std::int64_t> &pins);
/// A row for each side at each simulated point.
void addSweep(std::vector<ScenarioRow> &rows, const Sweep &sweep);

} // namespace syncopate::ui
