// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Private to the room: the state of generateTrace().

#include "engine/base/rng.h"
#include "engine/network/http2_connection.h"
#include "engine/predict/lane_network.h"
#include "engine/predict/lane_queue.h"
#include "engine/predict/step_player.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <queue>
#include <vector>

namespace syncopate {

/// Plays Algorithm 3.1: workers run steps one after the other (trace_steps.cpp), whose ops wait for and hold lanes
/// (trace_player.cpp), whose bytes the network carries.
class TracePlayer {
public:
    /// All must outlive it, and be what generateTrace() takes for valid.
    TracePlayer(const StepSet &set, const PredictMachines &machines, const GenerateOptions &options, Generated &out);
    /// False when stopped.
    bool run(const std::stop_token &stop, Progress *progress);
    /// Fills in Generated::utilisation.
    void report();

private:
    /// A step under way on one worker.
    struct LiveStep {
        std::vector<std::int32_t> waits;
        std::int32_t opsLeft = 0;
        std::int32_t step = 0;
        std::size_t sample = 0; ///< index into StepSet::seconds
        const double *seconds = nullptr;
    };
    struct Worker {
        std::deque<LiveStep> live; ///< oldest first, steps one after the other
        std::int32_t completed = 0;
        bool held = false;         ///< its next step waits for slower workers
        std::int32_t starting = 0; ///< the step that it starts next or has started last
    };
    /// What a connection has on the way.
    struct SentChunk {
        std::int32_t op, step;
        double bytes, startSeconds;
        Http2Connection::Piece piece; ///< where the connection has flow control
    };
    struct Lane {
        LaneQueue queue;
        std::deque<SentChunk> sent;             ///< over TCP: handed over, not yet arrived; a connection keeps their order
        std::optional<Http2Connection> streams; ///< over TCP, with flow control: they wait here and not in the queue
        Http2Connection::Piece piece{.endsTurn = true}; ///< of them that runs or ran last
        bool busy = false;
        bool flowing = false;          ///< its bytes move; else it computes, or its message is on the way
        std::int32_t op = 0, step = 0; ///< running
        double chunkBytes = 0, restBytes = 0;
        double startSeconds = 0;
        double busySeconds = 0, movedBytes = 0; ///< since the counted steps began
    };
    struct TimedEnd {
        double seconds;
        std::int32_t lane; ///< below 0: worker -1 - lane starts its next step
        bool operator>(const TimedEnd &other) const {
            return seconds != other.seconds ? seconds > other.seconds : lane > other.lane;
        }
    };
    using Errand = LaneNetwork::Errand;

    [[nodiscard]] std::int32_t idOf(std::int32_t worker, std::int32_t lane) const { return worker * m_lanesEach + lane; }
    [[nodiscard]] Lane &laneOf(std::int32_t id) { return m_lanes[static_cast<std::size_t>(id)]; }
    /// Whether what waits for a worker's lane is taken by rank.
    [[nodiscard]] bool ranked(std::int32_t lane) const;

    // trace_player.cpp: how workers begin, and ops that hold lanes.
    void startWorkers();
    [[nodiscard]] double stepLength() const;
    void release(std::int32_t w, std::int32_t step, std::int32_t op);
    void startChunk(std::int32_t w, std::int32_t own);
    void startFlow(std::int32_t id);
    void endChunk(std::int32_t id);
    void happened(const LaneNetwork::Event &event);
    void endTimed(); ///< what is due by now, until enough steps are done
    void chunkArrived(std::int32_t id);
    void wake(std::int32_t id);
    void startPiece(std::int32_t id);
    void openWindow(std::int32_t id, const Http2Connection::Update &update);

    // trace_steps.cpp: steps of workers.
    LiveStep &addStep(std::int32_t w, bool first);
    LiveStep &stepOf(std::int32_t w, std::int32_t number);
    void finish(std::int32_t w, std::int32_t number, std::int32_t op);
    void arrive(std::int32_t w, std::int32_t number, std::int32_t op);
    bool next(std::int32_t w, std::int32_t number);
    void startRoots(std::int32_t w, std::int32_t number, std::int32_t op);
    void startStep(std::int32_t w, std::int32_t number, std::int32_t after);
    void pauseBetweenSteps(std::int32_t w);
    void askForStep(std::int32_t w);
    void serveStep(std::int32_t w, std::int32_t server);
    [[nodiscard]] std::vector<std::int32_t> inOrder(const std::vector<std::int32_t> &roots, const LiveStep &step) const;
    void hold(std::int32_t w, std::int32_t op);
    void countStep();

    const StepSet &m_set;
    const PredictMachines &m_machines;
    const GenerateOptions &m_options;
    Generated &m_out;
    const StepTemplate m_template;
    LaneNetwork m_network;
    std::int32_t m_lanesEach;
    std::vector<Worker> m_workers;
    std::vector<Lane> m_lanes; ///< [worker * lanes each + lane]
    std::vector<LiveStep> m_spare;
    std::vector<Rng> m_rngs; ///< one per worker, so that a worker's steps do not depend on the others
    std::priority_queue<TimedEnd, std::vector<TimedEnd>, std::greater<>> m_timed;
    std::vector<double> m_coreFree; ///< when each of GenerateOptions::sharedCores is
    double m_now = 0;
    std::int32_t m_limit = 0;
    std::int64_t m_stepsDone = 0, m_needed = 0, m_leftOut = 0;
    double m_endSeconds = std::numeric_limits<double>::infinity();
};

} // namespace syncopate
