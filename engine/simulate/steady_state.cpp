// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/steady_state.h"

#include <algorithm>
#include <limits>

namespace syncopate {

namespace {

/// Iterations done at `seconds`, with the fraction of the one that runs.
double iterationsAt(const std::vector<double> &starts, double seconds) {
    const auto next = std::upper_bound(starts.begin(), starts.end(), seconds);
    if (next == starts.begin())
        return 0;
    const auto done = static_cast<double>(next - starts.begin() - 1);
    const double begun = *(next - 1);
    return next == starts.end() || *next <= begun ? done : done + (seconds - begun) / (*next - begun);
}

} // namespace

SteadyState steadyState(const TaskGraph &graph, const std::vector<std::vector<double>> &starts) {
    SteadyState state;
    state.toSeconds = std::numeric_limits<double>::infinity();
    for (const auto &own : starts)
        state.toSeconds = std::min(state.toSeconds, own.back());
    for (std::size_t w = 0; w < starts.size(); ++w)
        state.fromSeconds = std::max(state.fromSeconds, starts[w][static_cast<std::size_t>(graph.workerWarmUp[w])]);
    // A pace that was estimated badly leaves one worker in its warm-up when another is through: take the later half then.
    if (state.fromSeconds >= state.toSeconds)
        state.fromSeconds = state.toSeconds / 2;
    if (!(state.toSeconds > state.fromSeconds))
        return state;
    for (std::size_t w = 0; w < starts.size(); ++w)
        state.stepsPerSecond += graph.workerReplicas[w] *
                                (iterationsAt(starts[w], state.toSeconds) - iterationsAt(starts[w], state.fromSeconds)) /
                                (state.toSeconds - state.fromSeconds);
    return state;
}

} // namespace syncopate
