// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/plan_ids.h"

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace syncopate {

/// The pace of ops that wait for each other from iteration to iteration.
///
/// The length of the longest path through many iterations, divided by their number, tends to the largest ratio that a cycle of
/// the DAG has: the seconds of its ops over the iterations that it spans. Unrolling shows it late where two cycles are nearly as
/// long, and a truncated path is not exact. This finds the cycle (Lawler: a larger ratio exists if and only if some cycle is
/// longer than the ratio times its iterations; the ratio of that cycle is tried next).
class CycleRatio {
public:
    /// Ops that follow an op, from offsets[op] to offsets[op + 1].
    struct Followers {
        const std::vector<std::int32_t> &offsets;
        const std::vector<DagOpId> &to;
    };
    /// `sorted` holds all ops in topological order within an iteration; all arguments must outlive it.
    CycleRatio(const std::vector<DagOpId> &sorted, Followers same, Followers next, const std::vector<double> &seconds);

    /// Seconds per iteration: the largest ratio of a cycle, or `atLeast` if none is larger. Takes passes of O(ops + edges), for
    /// each cycle found at most as many as there are ops: of 100,000 ops that may be hours. Once `stop` is requested, the largest
    /// ratio found so far.
    [[nodiscard]] double largest(double atLeast, const std::stop_token &stop = {});

private:
    [[nodiscard]] bool lengthen(double ratio);
    [[nodiscard]] double ratioOfCycle();
    void offer(std::size_t from, DagOpId to, double length, bool crosses);

    const std::vector<DagOpId> &m_sorted;
    Followers m_same, m_next;
    const std::vector<double> &m_seconds;
    std::vector<double> m_length;      ///< per op: the longest path to its start so far, less the ratio per iteration
    std::vector<std::size_t> m_before; ///< per op: its predecessor on that path; the number of ops = none
    std::vector<char> m_crosses;       ///< per op: whether the predecessor is of the previous iteration
    double m_least = 0;                ///< min lengthening of a path; less is rounding
    bool m_isLonger = false;
};

} // namespace syncopate
