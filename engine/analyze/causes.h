// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analyze/task_parents.h"
#include "engine/base/phrase.h"
#include "engine/simulate/run.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace syncopate {

/// The activity at a moment of a chain of causes; every moment has exactly one.
enum class CauseKind : std::uint8_t {
    Forward,
    Backward,
    Update,   ///< optimizer, host copies, compressors
    HostWait, ///< the end of a compute task: its device waits for the host to launch more (hostShareOf())
    Latency,  ///< messages' fixed time: latency, per-message cost, steps of a collective
    Transfer, ///< bytes at the rate that their path gives one flow alone
    Sharing,  ///< the rest of a transfer: its links were shared with other flows
    Host,     ///< a node's CPU at work for messages
    Start,    ///< nothing before: the run begins
};
inline constexpr std::size_t causeKindCount = 9;
[[nodiscard]] const char *nameOf(CauseKind kind); ///< "forward", "waiting for host", "transfer"
/// The kind of a task's fixed time, without its wait for the host.
[[nodiscard]] CauseKind causeKindOf(TaskKind kind);

/// One piece of a chain. Seconds from the run's start.
struct Cause {
    CauseKind kind = CauseKind::Start;
    TaskId task; ///< of the run's graph
    double startSeconds = 0, endSeconds = 0;
    /// The queue whose slot (or credit) the next piece of the chain got when this task ended; none = it waited for this
    /// task's result.
    QueueId throughQueue{};
    [[nodiscard]] double seconds() const { return endSeconds - startSeconds; }
};

/// A cause in words.
struct CauseWords {
    Phrase text;   ///< "pull of fc1/kernel, worker 0"
    Phrase object; ///< the object in it: "fc1/kernel, worker 0"
};

/// Why something is as late as it is: pieces from the past to the present, without gaps or overlap.
struct CauseChain {
    std::vector<Cause> causes;
    double fromSeconds = 0, toSeconds = 0;
    std::array<double, causeKindCount> secondsByKind{}; ///< adds up to toSeconds - fromSeconds
    [[nodiscard]] double seconds(CauseKind kind) const { return secondsByKind[static_cast<std::size_t>(kind)]; }
};

/// Lower bounds of the iteration time of `run`'s scenario in the steady state, in seconds. Compute and network bound every order,
/// cut and bucketing of the same strategy; queues and dependencies bound every order of the same tasks.
struct IterationBounds {
    double computeSeconds = 0;       ///< work of the busiest compute stream in one iteration; of all together if they drift apart
    double hostWaitSeconds = 0;      ///< of computeSeconds: the device waits for the host
    double networkSeconds = 0;       ///< bytes over the busiest link in one iteration / its rate; 0 if workers drift apart
    double queueSeconds = 0;         ///< work of the busiest queue (a connection, a host, a communicator) / its slots; 0 as above
    double queueTransferSeconds = 0; ///< the same for bytes at their paths' rates alone; its queue may be another
    double dependencySeconds = 0;    ///< CauseFinder::longestDependencySeconds(); 0 for plans, whose orders are dependencies, too
    double planSeconds = 0;          ///< no plan of these collectives on these channels is faster; 0 where no plan was played
    LinkId busiestLink;
    QueueId busiestQueue;
    [[nodiscard]] double largest() const;           ///< of all but planSeconds
    [[nodiscard]] double largestOfAnyParts() const; ///< of compute and network
};

/// Finds causes in a run: a task starts when its last parent ends or, if it then had to queue, when the task that held the
/// slot ends. Walking that relation backwards gives the critical path. O(tasks log tasks + edges) to build; a query walks its
/// chain, and those that look for its end first (all but ofStart()) scan all tasks. The run must outlive it.
class CauseFinder {
public:
    /// Takes from the run's job how long the device of each op waits for the host.
    explicit CauseFinder(const Run &run) : CauseFinder(run, run.graph.iterations - 2, run.scenario.job.get()) {}
    /// Explains `iteration`, which starts at run.windowStartSeconds, instead of the last full one. At least one iteration follows
    /// it. The run's layers need not be a job's, so no task waits for the host.
    CauseFinder(const GraphRun &run, std::int32_t iteration) : CauseFinder(run, iteration, nullptr) {}

    /// The causes of `task`'s start, back to `fromSeconds`.
    [[nodiscard]] CauseChain ofStart(TaskId task, double fromSeconds) const;
    /// The critical path of worker 0's explained iteration: its pieces add up to that one iteration. The run's iteration time is
    /// a mean where iterations differ or workers drift apart, and then differs from that sum.
    [[nodiscard]] CauseChain ofIteration() const;
    /// The same path an iteration earlier, one period of the repeating path: the last steps of ofIteration() before worker 0's
    /// start may be off it, such as worker 0's own pull while everything waits for another worker's. Returns ofIteration() where
    /// the two iterations differ.
    [[nodiscard]] CauseChain ofPeriod() const;
    /// The causes of the wait of `worker`'s compute stream at `seconds`, for communication or for the host, back to where the
    /// wait began; empty if the stream is busy then or never computes again.
    [[nodiscard]] CauseChain ofWait(std::int32_t worker, double seconds) const;

    [[nodiscard]] IterationBounds bounds() const;

    /// Describes a cause: "pull of fc1/kernel, worker 0", "backward of conv3, workers 1–15".
    [[nodiscard]] std::string describe(const Cause &cause) const { return words(cause).text.english(); }
    [[nodiscard]] CauseWords words(const Cause &cause) const;
    /// The slowest link of the task's path (min bytes/s for one flow), if it has any.
    [[nodiscard]] LinkId slowestLink(TaskId task) const;
    /// Seconds that the task's bytes need when nothing else is on their path; for folded nodes, the bytes of one.
    [[nodiscard]] double aloneSeconds(TaskId task) const;
    /// The longest chain of dependencies from a worker's start of the explained iteration to its start of the next when every
    /// link is free and no queue is full; of the first four classes of workers. No order of these tasks and no sharing of links
    /// makes this iteration shorter; a different cut or bucketing, which gives other tasks, may. 0 where workers drift apart, as
    /// no iteration is then like the next.
    [[nodiscard]] double longestDependencySeconds() const;

private:
    CauseFinder(const GraphRun &run, std::int32_t iteration, const Job *job);
    /// The worker's forward task that starts first in the iteration.
    [[nodiscard]] TaskId firstForward(WorkerClassId worker, std::int32_t iteration) const;
    /// `order`: all tasks, parents first.
    [[nodiscard]] double longestDependencySeconds(WorkerClassId worker, const std::vector<TaskId> &order) const;
    /// When the task's device begins to wait for the host; its end for tasks that do not.
    [[nodiscard]] double busyUntil(TaskId task) const;
    /// The parent whose result arrives last; none for a task without parents.
    [[nodiscard]] TaskId lastParent(TaskId task) const;
    /// The task that returned a slot (or credit) of `task`'s queue at the moment when `task` started, and had held it longest;
    /// none where there is no such task but those in `visited`.
    [[nodiscard]] TaskId releaserOf(TaskId task, const std::vector<TaskId> &visited) const;
    /// Appends the pieces of `task` between `from` and `until`, the last one first. The first appended gets `throughQueue`, as
    /// Cause has it. Appends nothing where the task takes no time there.
    void addPieces(TaskId task, QueueId throughQueue, double from, double until, CauseChain &chain) const;

    const GraphRun &m_run;
    const Job *const m_job;       ///< of the graph's layers; null: none that states host waits
    const std::int32_t m_fromEnd; ///< the explained iteration, from each worker's end: 2 = the last but one
    TaskParents m_parents;
    std::vector<std::uint32_t> m_releaseOffsets; ///< CSR by queue: the tasks that return a slot, by end
    std::vector<TaskId> m_releases;
};

} // namespace syncopate
