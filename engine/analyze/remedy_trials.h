// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analyze/remedies.h"
#include "engine/simulate/simulated_iteration.h"
#include "engine/strategy/fingerprint.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace syncopate {

/// A remedy whose scenario is built on demand, because builders look at every variable.
struct Alternative {
    RemedyKind kind = RemedyKind::Builder;
    Phrase text; ///< "Build with PSLoadBalancing"
    RemedyOrigin origin{};
    std::string family{}; ///< a builder's name; empty for other kinds
    /// Keeps job, cluster and strategy of the run. Called on any thread, one at a time. Errors: those of buildStrategy().
    std::function<Result<Scenario>()> build{};
};

/// A remedy with its result.
struct RemedyRow {
    Remedy remedy;
    Result<double> iterationSeconds; ///< simulated
    /// Share of the time per sample that it saves: 0.25 = a quarter less, below 0 = more; NaN where it cannot be simulated. With
    /// the same number of workers that is the share of the iteration.
    double gain = std::numeric_limits<double>::quiet_NaN();
    std::string family{}; ///< Alternative::family
    /// Share by which the two times, before and after, may differ from those of long runs; 0 where one of them has no steady
    /// state, such as while links change their rates: such gains are taken as they are.
    double doubt = 0;
    /// Whether it gains more than tables show as 0.0 %, and more than `doubt`.
    [[nodiscard]] bool helps() const { return gain >= std::max(0.0005, doubt); }
};

/// Whether `a` ranks above `b`: helpful remedies first, then the larger gain, on a tie the shorter iteration; last, remedies that
/// cannot be simulated.
[[nodiscard]] bool ranksBefore(const RemedyRow &a, const RemedyRow &b);
/// Inserts a row where it ranks, behind its equals.
void insertRanked(std::vector<RemedyRow> &rows, RemedyRow row);

/// The trials of remedies against a run: skips scenarios that were tried already or equal the run's, ranks by gain, and ends at a
/// budget of simulations.
class RemedyTrials {
public:
    /// `run` must outlive it. At most `budget` simulations.
    RemedyTrials(const Run &run, std::size_t budget);

    /// Whether the scenario is to be simulated: it differs from the run's and from all before it, and is within the budget.
    /// Counts it if over budget.
    [[nodiscard]] bool admits(const Scenario &scenario);
    /// Sets the time and the gain of an admitted remedy. From any thread.
    void setFigures(RemedyRow &row, const Result<SimulatedIteration> &iteration) const;
    /// Adds a row with its figures. Of a family's tuned builders only the best stays, if it beats the released one.
    void insert(RemedyRow row);
    /// Adds a remedy with the same number of workers whose iteration is known, with its Recording::confidence; one that was over
    /// budget is no longer counted as left out.
    void add(Remedy remedy, double iterationSeconds, double confidence);

    /// The largest gain first; on a tie the shorter iteration, then the earlier trial.
    [[nodiscard]] const std::vector<RemedyRow> &rows() const { return m_rows; }
    [[nodiscard]] std::size_t tried() const { return m_tried; }            ///< scenarios with a figure or an error
    [[nodiscard]] std::size_t leftOut() const { return m_leftOut.size(); } ///< over budget

private:
    /// Tells scenarios of one run apart without keeping their strategies, which with a million parts take a gigabyte together.
    struct Seen {
        StrategyFingerprint strategy;
        std::shared_ptr<const Cluster> cluster;
        CommPolicy policy;
    };
    [[nodiscard]] Seen seenOf(const Scenario &scenario) const;
    /// RemedyRow::doubt of a simulation with that confidence.
    [[nodiscard]] double doubtOf(double confidence) const;
    [[nodiscard]] static bool isSame(const Seen &a, const Seen &b);

    const Run &m_run;
    const StrategyFingerprint m_present; ///< of the run's strategy
    std::size_t m_left, m_tried = 0;
    std::vector<Seen> m_seen, m_leftOut;
    std::vector<RemedyRow> m_rows;
};

} // namespace syncopate
