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
    /// All must outlive it, and be valid for generateTrace().
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
        StepId step;
        std::size_t sample = 0; ///< index into StepSet::seconds
        const double *seconds = nullptr;
    };
    struct Worker {
        std::deque<LiveStep> live; ///< oldest first, steps one after the other
        std::int32_t completed = 0;
        bool held = false;  ///< its next step waits for slower workers
        StepId starting{0}; ///< the step that it starts next or has started last
    };
    /// A chunk that a connection has on the way.
    struct SentChunk {
        OpId op;
        StepId step;
        double bytes, startSeconds;
        Http2Connection::Piece piece; ///< where the connection has flow control
    };
    struct Lane {
        LaneQueue queue;
        std::deque<SentChunk> sent;             ///< over TCP: handed over, not yet arrived; a connection keeps their order
        std::optional<Http2Connection> streams; ///< over TCP, with flow control: they wait here and not in the queue
        Http2Connection::Piece piece{.endsTurn = true}; ///< of them that runs or ran last
        bool busy = false;
        bool flowing = false; ///< its bytes move; else it computes, or its message is on the way
        OpId op;              ///< running
        StepId step;
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

    [[nodiscard]] LaneId idOf(WorkerId worker, std::int32_t own) const {
        return LaneId(worker.number() * m_lanesPerWorker + own);
    }
    [[nodiscard]] WorkerId workerOf(LaneId lane) const { return WorkerId(lane.number() / m_lanesPerWorker); }
    [[nodiscard]] std::int32_t ownLane(LaneId lane) const { return lane.number() % m_lanesPerWorker; }
    [[nodiscard]] Lane &laneOf(LaneId id) { return m_lanes[id.index()]; }
    /// Whether ops that wait for a worker's lane are taken by rank.
    [[nodiscard]] bool ranked(std::int32_t lane) const;

    // trace_player.cpp: how workers begin, and ops that hold lanes.
    void startWorkers();
    [[nodiscard]] double stepLength() const;
    void release(WorkerId w, StepId step, OpId op);
    void startChunk(WorkerId w, std::int32_t own);
    void startFlow(LaneId id);
    void endChunk(LaneId id);
    void handle(const LaneNetwork::Event &event);
    void endTimed(); ///< all that is due by now, until enough steps are done
    void chunkArrived(LaneId id);
    void wake(LaneId id);
    void startPiece(LaneId id);
    void openWindow(LaneId id, const Http2Connection::Update &update);

    // trace_steps.cpp: steps of workers.
    LiveStep &addStep(WorkerId w, bool first);
    LiveStep &stepOf(WorkerId w, StepId number);
    void finish(WorkerId w, StepId number, OpId op);
    void arrive(WorkerId w, StepId number, OpId op);
    bool next(WorkerId w, StepId number);
    void startRoots(WorkerId w, StepId number, OpId op);
    void startStep(WorkerId w, StepId number, OpId after);
    void pauseBetweenSteps(WorkerId w);
    void askForStep(WorkerId w);
    void serveStep(WorkerId w, ParameterServerId server);
    [[nodiscard]] std::vector<OpId> inOrder(const std::vector<OpId> &roots, const LiveStep &step) const;
    void hold(WorkerId w, OpId op);
    void countStep();

    const StepSet &m_set;
    const PredictMachines &m_machines;
    const GenerateOptions &m_options;
    Generated &m_out;
    const StepTemplate m_template;
    LaneNetwork m_network;
    std::int32_t m_lanesPerWorker;
    std::vector<Worker> m_workers;
    std::vector<Lane> m_lanes; ///< [worker * lanes per worker + lane]
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
