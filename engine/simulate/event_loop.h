// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/progress.h"
#include "engine/graph/task_graph.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

namespace syncopate {

/// The times of a graph's tasks; infinity while they have not happened.
struct Schedule {
    std::vector<double> readySeconds; ///< per task: its last parent was done
    std::vector<double> startSeconds; ///< per task: it got its slot
    std::vector<double> endSeconds;   ///< per task: it returned its slot; its successors go on TaskGraph::flightSeconds later
    std::uint64_t events = 0;         ///< task starts and completions
    bool complete = false;            ///< every task ran; false = cancelled (or the graph has a cycle: a kernel's bug)
};

/// Runs a task graph. Deterministic. Cost: O(log n) per fixed-time task, O(active paths) per batch of simultaneous flow
/// events. Polls `stop` every 64 batches or fewer; progress counts tasks.
[[nodiscard]] Schedule runEventLoop(const TaskGraph &graph, std::stop_token stop = {}, Progress *progress = nullptr);

/// A task graph that is played as far as needed, and may then be extended by a longer one that begins with it. Either way, its
/// schedule is that of runEventLoop().
class Playback {
public:
    /// `memory`: an old schedule, whose columns' memory is reused.
    explicit Playback(TaskGraph graph, Schedule memory = {});
    ~Playback();

    /// Plays on until worker class 0 starts an op of the iteration's forward pass; the schedule then has everything up to and
    /// including that moment. Returns earlier if the run was stopped or came to a halt.
    void playToIteration(std::int32_t iteration, const std::stop_token &stop, Progress *progress);
    /// Plays to the end.
    void playToEnd(const std::stop_token &stop, Progress *progress);
    /// Continues with a graph of more iterations. O(tasks). If `longer` does not begin with the present graph, or has tasks that
    /// would have been ready by now, it is played from its beginning, so the schedule does not depend on when this is called.
    void extend(TaskGraph longer);
    /// Continues with more iterations of the graph, as unrollFurther() adds them, and as extend() does; false where it adds none.
    [[nodiscard]] bool unrollFurther(std::int32_t iterations);

    [[nodiscard]] const TaskGraph &graph() const;
    [[nodiscard]] const Schedule &schedule() const;
    [[nodiscard]] TaskGraph takeGraph();
    [[nodiscard]] Schedule takeSchedule();

private:
    /// The graph has grown beyond its first `tasks` tasks, or is another one.
    void goOn(std::size_t tasks, bool isLonger);

    struct Played;
    std::unique_ptr<Played> m_played;
};

} // namespace syncopate
