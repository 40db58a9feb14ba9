// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace syncopate::ui {

/// A thread that runs the newest job it was given: a job that has not started is replaced by the next one, and a job that has
/// been running for longer than `patience` is asked to stop when a newer one arrives. Shorter jobs finish, so that a knob dragged
/// faster than the simulator keeps showing pictures instead of starving.
class LatestWorker final {
public:
    using Job = std::function<void(std::stop_token)>;

    explicit LatestWorker(std::chrono::milliseconds patience = std::chrono::milliseconds(150));
    /// Stops the running job and waits for it.
    ~LatestWorker();
    LatestWorker(const LatestWorker &) = delete;
    LatestWorker &operator=(const LatestWorker &) = delete;

    void post(Job job);
    /// Asks the running job to stop if a newer one is waiting; for callers that notice a long wait.
    void dropOutdated();
    /// Asks the running job to stop and forgets the waiting one.
    void cancel();

private:
    void run(const std::stop_token &ending);

    const std::chrono::milliseconds m_patience;
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    Job m_next;
    std::stop_source m_running{std::nostopstate};
    std::chrono::steady_clock::time_point m_runningSince;
    std::jthread m_thread; ///< last: starts when the members above exist, joins before they are destroyed
};

} // namespace syncopate::ui
