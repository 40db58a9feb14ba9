// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/predict/generate.h"

#include "engine/base/rng.h"
#include "engine/predict/lane_queue.h"
#include "engine/predict/step_player.h"
#include "engine/simulate/fluid.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <fmt/format.h>
#include <optional>
#include <queue>
#include <utility>

namespace syncopate {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// Flows that stand for one of weight 1 on average where sharing is uneven: shares then come in steps of about an eighth.
constexpr double flowsPerWeight = 8;

/// A step under way on one worker.
struct LiveStep {
    std::vector<std::int32_t> waits;
    std::int32_t opsLeft = 0;
    std::int32_t step = 0;
    std::size_t sample = 0; ///< index into StepSet::seconds
    const double *seconds = nullptr;
};

/// What a connection has on the way.
struct SentChunk {
    std::int32_t op, step;
    double bytes, restBytes, startSeconds;
    double turnLeft; ///< bytes of its turn that come after it
    double credit;   ///< that it took from the connection's window
};

struct Lane {
    LaneQueue queue;
    std::deque<SentChunk> sent;  ///< over TCP: handed over, not yet arrived; a connection keeps their order
    std::optional<Waiting> turn; ///< over TCP: stream in its first turn, goes on before all that wait
    double credit = 0;           ///< bytes that the connection's window still takes
    double owed = 0;             ///< that have arrived and are not given back yet
    bool busy = false;
    bool flowing = false;          ///< its bytes move; else it computes, or its message is on the way
    std::int32_t flows = 0;        ///< that stand for the running chunk
    std::int32_t op = 0, step = 0; ///< running
    double chunkBytes = 0, restBytes = 0;
    double turnLeft = 0, chunkCredit = 0;
    double startSeconds = 0;
    double busySeconds = 0, movedBytes = 0; ///< since the counted steps began
};

struct Worker {
    std::deque<LiveStep> live; ///< oldest first, steps one after the other
    std::int32_t completed = 0;
    bool held = false;         ///< its next step waits for slower workers
    std::int32_t starting = 0; ///< the step that it starts next or has started last
};

struct TimedEnd {
    double seconds;
    std::int32_t lane; ///< below 0: worker -1 - lane starts its next step
    bool operator>(const TimedEnd &other) const { return seconds != other.seconds ? seconds > other.seconds : lane > other.lane; }
};

/// Whether any of it takes something: then every link counts, also those that could not be full by themselves.
bool takesShares(const std::vector<BackgroundTraffic> &background) {
    return std::any_of(background.begin(), background.end(), [](const BackgroundTraffic &traffic) { return traffic.share > 0; });
}

class Player {
public:
    Player(const StepSet &set, const PredictMachines &machines, const GenerateOptions &options, Generated &out)
        : m_set(set), m_machines(machines), m_options(options), m_out(out),
          m_template(makeTemplate(set.graph, options.transferRank)),
          m_links(makeLinks(machines, takesShares(options.background))), m_fluid(m_links.graph),
          m_lanesEach(m_template.laneCount()), m_workers(machines.workerNode.size()),
          m_lanes(m_workers.size() * static_cast<std::size_t>(m_lanesEach)) {
        if (options.sharing == LinkSharing::Tcp)
            connect();
        planBackground();
        for (std::size_t w = 0; w < m_workers.size(); ++w)
            m_rngs.emplace_back(Rng(options.seed + 0x632be59bd9b4e019ULL * (w + 1)).next());
        m_shareRng = Rng(Rng(options.seed).next());
        m_limit = options.warmUp + options.steps;
        m_needed = static_cast<std::int64_t>(m_limit) * static_cast<std::int64_t>(m_workers.size());
        m_leftOut = static_cast<std::int64_t>(options.warmUp) * static_cast<std::int64_t>(m_workers.size());
        if (options.traceSteps > 0)
            out.sampledFrom.assign(m_workers.size() * static_cast<std::size_t>(options.traceSteps), -1);
    }

    /// False when stopped.
    bool run(const std::stop_token &stop, Progress *progress) {
        if (progress)
            progress->total = static_cast<std::uint64_t>(m_needed);
        for (std::int32_t w = 0; w < static_cast<std::int32_t>(m_workers.size()); ++w)
            addStep(w, true);
        std::uint64_t batches = 0;
        std::vector<std::int32_t> ended;
        while (m_stepsDone < m_needed) {
            if (++batches % 4096 == 0) {
                if (progress)
                    progress->done = static_cast<std::uint64_t>(m_stepsDone);
                if (stop.stop_requested())
                    return false;
            }
            m_fluid.settle(m_now);
            const double nextFlow = m_fluid.idle() ? infinity : m_fluid.nextEnd();
            const double nextTimed = m_timed.empty() ? infinity : m_timed.top().seconds;
            const double nextMove = m_tcp ? m_tcp->next() : infinity;
            const double nextChange = m_nextChange < m_changes.size() ? m_changes[m_nextChange].seconds : infinity;
            m_now = std::min({nextFlow, nextTimed, nextMove, nextChange});
            for (; m_nextChange < m_changes.size() && m_changes[m_nextChange].seconds <= m_now; ++m_nextChange)
                change(m_changes[m_nextChange]);
            if (nextFlow <= m_now) {
                ended.clear();
                m_fluid.collect(m_now, ended);
                for (const std::int32_t lane : ended)
                    if (--m_lanes[static_cast<std::size_t>(lane)].flows == 0)
                        endChunk(lane);
            }
            if (nextMove <= m_now)
                moveTcp();
            while (!m_timed.empty() && m_timed.top().seconds <= m_now && m_stepsDone < m_needed) {
                const std::int32_t lane = m_timed.top().lane;
                m_timed.pop();
                if (lane < 0) {
                    askForStep(-1 - lane);
                    continue;
                }
                const std::int32_t own = lane % m_lanesEach;
                if (m_template.isTransferLane(own) && !m_lanes[static_cast<std::size_t>(lane)].flowing)
                    startFlow(lane);
                else
                    endChunk(lane);
            }
        }
        return true;
    }

    void report() {
        const double seconds = m_now - m_out.warmUpEndSeconds;
        if (!(seconds > 0))
            return;
        const auto servers = static_cast<std::size_t>(m_template.servers);
        double compute = 0;
        std::vector<double> down(servers, 0), up(servers, 0), update(servers, 0);
        for (std::size_t i = 0; i < m_lanes.size(); ++i) {
            const Lane &lane = m_lanes[i];
            const std::size_t own = i % static_cast<std::size_t>(m_lanesEach);
            if (own == 0)
                compute += lane.busySeconds;
            else if (own <= servers)
                down[own - 1] += lane.movedBytes;
            else if (own <= 2 * servers)
                up[own - servers - 1] += lane.movedBytes;
            else
                update[own - 2 * servers - 1] += lane.busySeconds;
        }
        const auto workers = static_cast<double>(m_workers.size());
        m_out.utilisation.push_back({"workers' compute", compute / seconds / workers});
        for (std::size_t m = 0; m < servers; ++m) {
            const double rate = m_machines.nodeBytesPerSecond[static_cast<std::size_t>(m_machines.serverNode[m])] * seconds;
            m_out.utilisation.push_back({fmt::format("downlink of server {}", m), down[m] / rate});
            m_out.utilisation.push_back({fmt::format("uplink of server {}", m), up[m] / rate});
            m_out.utilisation.push_back({fmt::format("updates on server {}", m), update[m] / seconds / workers});
        }
    }

private:
    [[nodiscard]] Lane &laneOf(std::int32_t worker, std::int32_t lane) {
        return m_lanes[static_cast<std::size_t>(worker) * static_cast<std::size_t>(m_lanesEach) + static_cast<std::size_t>(lane)];
    }
    [[nodiscard]] bool ranked(std::int32_t lane) const {
        if (lane == 0)
            return m_options.computeByRank;
        return lane >= 1 && lane <= m_template.servers && !m_options.transferRank.empty() && m_options.windowBytes == infinity;
    }

    /// StartRandomStep: samples a step for worker `w`; a worker's first step waits for no step before.
    LiveStep &addStep(std::int32_t w, bool first) {
        Worker &worker = m_workers[static_cast<std::size_t>(w)];
        const std::int32_t number = worker.completed + static_cast<std::int32_t>(worker.live.size());
        if (!m_spare.empty()) {
            worker.live.push_back(std::move(m_spare.back()));
            m_spare.pop_back();
        } else {
            worker.live.emplace_back();
        }
        LiveStep &step = worker.live.back();
        step.waits = first ? m_template.waits : m_template.waitsLater;
        step.opsLeft = static_cast<std::int32_t>(step.waits.size());
        step.step = number;
        const auto sample = static_cast<std::size_t>(m_rngs[static_cast<std::size_t>(w)].next() % m_set.seconds.size());
        step.sample = sample;
        step.seconds = m_set.seconds[sample].data();
        if (number < m_options.traceSteps)
            m_out.sampledFrom[static_cast<std::size_t>(w) * static_cast<std::size_t>(m_options.traceSteps) +
                              static_cast<std::size_t>(number)] = static_cast<std::int32_t>(sample);
        if (first)
            for (const std::int32_t op : inOrder(m_template.firstRoots, step))
                release(w, number, op);
        return step;
    }

    LiveStep &stepOf(std::int32_t w, std::int32_t number) {
        Worker &worker = m_workers[static_cast<std::size_t>(w)];
        return worker.live[static_cast<std::size_t>(number - worker.completed)];
    }

    void release(std::int32_t w, std::int32_t step, std::int32_t op) {
        const std::int32_t own = m_template.lane[static_cast<std::size_t>(op)];
        Lane &lane = laneOf(w, own);
        const bool byRank = ranked(own);
        Waiting waiting{.first = 0, .second = 0, .op = op, .step = step, .restBytes = -1};
        if (byRank) {
            waiting.first = step;
            waiting.second = own == 0 ? m_set.graph.ops[static_cast<std::size_t>(op)].rank
                                      : m_options.transferRank[static_cast<std::size_t>(op)];
        }
        lane.queue.push(waiting, byRank);
        if (!lane.busy && !lane.turn)
            startChunk(w, own);
    }

    void startChunk(std::int32_t w, std::int32_t own) {
        Lane &lane = laneOf(w, own);
        const std::int32_t id = w * m_lanesEach + own;
        if (lane.turn && lane.turn->turnBytes > 0 && !(lane.credit > 0))
            return; // the window is shut: the lane goes on when it opens
        const Waiting chosen = lane.turn ? *lane.turn : lane.queue.pop(ranked(own));
        lane.turn.reset();
        lane.busy = true;
        lane.op = chosen.op;
        lane.step = chosen.step;
        lane.startSeconds = m_now;
        lane.restBytes = 0;
        ++m_out.events;
        const auto op = static_cast<std::size_t>(chosen.op);
        const double seconds = stepOf(w, chosen.step).seconds[op];
        if (!m_template.isTransferLane(own)) {
            m_timed.push({m_now + (own == 0 ? seconds / m_machines.workerScale[static_cast<std::size_t>(w)] : seconds), id});
            return;
        }
        if (m_tcp && hasWindow()) {
            takeTurn(lane, chosen, m_set.graph.ops[op].sizeBytes);
            if (!lane.busy)
                return;
            if (const double before = m_machines.messageSeconds + seconds; before > 0 && chosen.restBytes < 0)
                m_timed.push({m_now + before, id});
            else
                startFlow(id);
            return;
        }
        lane.turnLeft = lane.chunkCredit = 0;
        if (chosen.restBytes >= 0) { // the second time: to the end
            lane.chunkBytes = chosen.restBytes;
            startFlow(id);
            return;
        }
        const double bytes = m_set.graph.ops[op].sizeBytes;
        lane.chunkBytes = std::min(bytes, m_options.windowBytes);
        lane.restBytes = bytes - lane.chunkBytes;
        lane.flowing = false;
        const double before = m_machines.messageSeconds + seconds;
        if (before > 0)
            m_timed.push({m_now + before, id});
        else
            startFlow(id);
    }

    void startFlow(std::int32_t id) {
        Lane &lane = m_lanes[static_cast<std::size_t>(id)];
        const std::int32_t w = id / m_lanesEach, own = id % m_lanesEach;
        lane.flowing = true;
        if (m_tcp && m_connections[static_cast<std::size_t>(id)] >= 0) {
            lane.sent.push_back(
                {lane.op, lane.step, lane.chunkBytes, lane.restBytes, lane.startSeconds, lane.turnLeft, lane.chunkCredit});
            m_tcp->write(m_connections[static_cast<std::size_t>(id)], lane.chunkBytes, m_now);
            return;
        }
        const auto &paths = m_template.isUplink(own) ? m_links.upPath : m_links.downPath;
        const std::int32_t path = paths[static_cast<std::size_t>(w) * static_cast<std::size_t>(m_template.servers) +
                                        static_cast<std::size_t>((own - 1) % m_template.servers)];
        if (path < 0 || !(lane.chunkBytes > 0)) {
            m_timed.push({m_now, id});
            return;
        }
        lane.flows = 1;
        if (m_options.sharing == LinkSharing::Uneven)
            lane.flows =
                std::max(1, static_cast<std::int32_t>(std::lround(-flowsPerWeight * std::log1p(-m_shareRng.uniform(0, 1)))));
        const double bytes = lane.chunkBytes / lane.flows;
        for (std::int32_t i = 0; i < lane.flows; ++i)
            m_fluid.start(id, path, bytes, m_now);
    }

    void endChunk(std::int32_t id) {
        Lane &lane = m_lanes[static_cast<std::size_t>(id)];
        const std::int32_t w = id / m_lanesEach, own = id % m_lanesEach;
        ++m_out.events;
        lane.flowing = false;
        const double since = std::max(lane.startSeconds, m_out.warmUpEndSeconds);
        if (m_stepsDone >= m_leftOut) {
            lane.busySeconds += m_now - since;
            lane.movedBytes += m_now > lane.startSeconds ? lane.chunkBytes * (m_now - since) / (m_now - lane.startSeconds) : 0;
        }
        const std::int32_t op = lane.op, step = lane.step;
        if (step < m_options.traceSteps)
            m_out.trace.push_back({w, op, step, lane.startSeconds, m_now});
        if (lane.restBytes > 0)
            lane.queue.push({0, 0, op, step, lane.restBytes}, false); // behind those that wait already
        else
            finish(w, step, op); // what becomes ready on this lane waits its turn: the lane is still taken
        lane.busy = false;
        if (!lane.queue.empty())
            startChunk(w, own);
    }

    void finish(std::int32_t w, std::int32_t number, std::int32_t op) {
        const auto o = static_cast<std::size_t>(op);
        ++m_out.ops;
        for (std::uint32_t i = m_template.childOffsets[o]; i < m_template.childOffsets[o + 1]; ++i)
            arrive(w, number, m_template.children[i]);
        if (m_template.nextOffsets[o] < m_template.nextOffsets[o + 1] && next(w, number))
            for (std::uint32_t i = m_template.nextOffsets[o]; i < m_template.nextOffsets[o + 1]; ++i)
                arrive(w, number + 1, m_template.next[i]);
        if (--stepOf(w, number).opsLeft > 0)
            return;
        // A whole step is done; steps are counted in order.
        if (m_options.staleness < 0)
            startRoots(w, number, op);
        Worker &worker = m_workers[static_cast<std::size_t>(w)];
        while (!worker.live.empty() && worker.live.front().opsLeft == 0) {
            m_spare.push_back(std::move(worker.live.front()));
            worker.live.pop_front();
            ++worker.completed;
            countStep();
            if (m_options.staleness >= 0)
                hold(w, op);
        }
    }

    void arrive(std::int32_t w, std::int32_t number, std::int32_t op) {
        if (--stepOf(w, number).waits[static_cast<std::size_t>(op)] == 0)
            release(w, number, op);
    }

    /// Makes sure that the step after `number` is there; false where the worker stops before it.
    bool next(std::int32_t w, std::int32_t number) {
        if (m_options.stopEach && number + 1 >= m_limit)
            return false;
        const Worker &worker = m_workers[static_cast<std::size_t>(w)];
        while (worker.completed + static_cast<std::int32_t>(worker.live.size()) <= number + 1)
            addStep(w, false);
        return true;
    }

    /// Releases what waited for the whole of step `number`, which `op` ended.
    void startRoots(std::int32_t w, std::int32_t number, std::int32_t op) {
        if (!m_template.roots.empty() && next(w, number))
            startStep(w, number + 1, op);
    }

    /// The worker hears that its step is done, and needs its time between steps.
    void startStep(std::int32_t w, std::int32_t number, std::int32_t after) {
        m_workers[static_cast<std::size_t>(w)].starting = number;
        const StepOp &last = m_set.graph.ops[static_cast<std::size_t>(after)];
        if (last.resource == StepResource::Server && sendMessage({w, -1}, 1 + last.server))
            return;
        pauseBetweenSteps(w);
    }
    void pauseBetweenSteps(std::int32_t w) {
        if (m_set.betweenSeconds > 0)
            m_timed.push({m_now + m_set.betweenSeconds, -1 - w});
        else
            askForStep(w);
    }
    /// The step's first ops begin; transfers down when each server has heard of it.
    void askForStep(std::int32_t w) {
        const std::int32_t number = m_workers[static_cast<std::size_t>(w)].starting;
        if (m_options.staleness >= 0) {
            addStep(w, true);
            return;
        }
        std::vector<bool> asked(static_cast<std::size_t>(m_template.servers), false);
        for (std::int32_t server = 0; m_tcp && server < m_template.servers; ++server)
            asked[static_cast<std::size_t>(server)] = sendMessage({w, server}, 1 + m_template.servers + server);
        const std::vector<std::int32_t> roots = inOrder(m_template.roots, stepOf(w, number));
        for (const std::int32_t op : roots)
            if (const StepOp &own = m_set.graph.ops[static_cast<std::size_t>(op)];
                own.resource != StepResource::Downlink || !asked[static_cast<std::size_t>(own.server)])
                arrive(w, number, op);
    }
    /// `server` has heard of the worker's new step.
    void serveStep(std::int32_t w, std::int32_t server) {
        const std::int32_t number = m_workers[static_cast<std::size_t>(w)].starting;
        for (const std::int32_t own : {1 + server, 1 + m_template.servers + server}) // requests take along what is owed
            openWindow(w * m_lanesEach + own, std::exchange(laneOf(w, own).owed, 0));
        const std::vector<std::int32_t> roots = inOrder(m_template.roots, stepOf(w, number));
        for (const std::int32_t op : roots)
            if (const StepOp &own = m_set.graph.ops[static_cast<std::size_t>(op)];
                own.resource == StepResource::Downlink && own.server == server)
                arrive(w, number, op);
    }

    /// `roots` with the transfers down in the order of the step that `step` was sampled from.
    std::vector<std::int32_t> inOrder(const std::vector<std::int32_t> &roots, const LiveStep &step) const {
        if (m_set.downlinkOrder.empty() || !m_options.transferRank.empty())
            return roots;
        std::vector<std::int32_t> made;
        std::vector<bool> isRoot(m_set.graph.ops.size(), false);
        for (const std::int32_t op : roots)
            isRoot[static_cast<std::size_t>(op)] = true;
        for (const std::int32_t op : m_set.downlinkOrder[step.sample])
            if (isRoot[static_cast<std::size_t>(op)]) {
                made.push_back(op);
                isRoot[static_cast<std::size_t>(op)] = false;
            }
        for (const std::int32_t op : roots)
            if (isRoot[static_cast<std::size_t>(op)])
                made.push_back(op);
        return made;
    }

    void planBackground() {
        std::vector<std::pair<std::int32_t, BackgroundTraffic>> entries;
        for (const BackgroundTraffic &traffic : m_options.background) {
            const auto &nodes = traffic.server ? m_machines.serverNode : m_machines.workerNode;
            if (static_cast<std::size_t>(traffic.index) < nodes.size())
                entries.emplace_back(2 * nodes[static_cast<std::size_t>(traffic.index)] + (traffic.up ? 0 : 1), traffic);
        }
        m_changes = rateChangesOf(entries);
    }
    void change(const RateChange &change) {
        const double rate = change.left * m_machines.nodeBytesPerSecond[static_cast<std::size_t>(change.link / 2)];
        m_fluid.setCapacity(change.link, rate);
        if (m_tcp)
            m_tcp->setCapacity(change.link, rate);
    }

    /// A connection per worker, server and direction; none within a node.
    void connect() {
        m_tcp.emplace(m_machines.nodeBytesPerSecond, m_options.tcp);
        m_connections.assign(m_lanes.size(), -1);
        for (std::size_t id = 0; id < m_lanes.size(); ++id) {
            const auto w = id / static_cast<std::size_t>(m_lanesEach);
            const auto own = static_cast<std::int32_t>(id % static_cast<std::size_t>(m_lanesEach));
            if (!m_template.isTransferLane(own))
                continue;
            const std::int32_t worker = m_machines.workerNode[w];
            const std::int32_t server = m_machines.serverNode[static_cast<std::size_t>((own - 1) % m_template.servers)];
            if (worker == server)
                continue;
            m_connections[id] = m_template.isUplink(own) ? m_tcp->connect(worker, server) : m_tcp->connect(server, worker);
            m_laneOfConnection.push_back(static_cast<std::int32_t>(id));
            m_lanes[id].credit = m_options.windowBytes;
        }
    }

    /// What to do when a message has arrived.
    struct Errand {
        std::int32_t worker;
        std::int32_t server; ///< that hears of a step; -1: the worker hears that its step is done; -2: a stream may go on; -3: a
                             ///< connection
        std::int32_t lane = -1;
        Waiting rest{};
    };
    /// False where nothing is between sender and receiver.
    bool sendMessage(const Errand &errand, std::int32_t own) {
        if (!m_tcp)
            return false;
        const std::int32_t connection =
            m_connections[static_cast<std::size_t>(errand.worker) * static_cast<std::size_t>(m_lanesEach) +
                          static_cast<std::size_t>(own)];
        if (connection < 0)
            return false;
        auto id = static_cast<std::int32_t>(m_errands.size());
        if (m_freeErrands.empty()) {
            m_errands.push_back(errand);
        } else {
            id = m_freeErrands.back();
            m_freeErrands.pop_back();
            m_errands[static_cast<std::size_t>(id)] = errand;
        }
        m_tcp->message(connection, id, m_now);
        return true;
    }

    void moveTcp() {
        m_seen.clear();
        m_tcp->move(m_seen);
        for (const TcpLinks::Event &event : m_seen) {
            switch (event.kind) {
            case TcpLinks::Kind::Written: {
                const std::int32_t id = m_laneOfConnection[static_cast<std::size_t>(event.id)];
                Lane &lane = m_lanes[static_cast<std::size_t>(id)];
                lane.busy = lane.flowing = false;
                wake(id);
                break;
            }
            case TcpLinks::Kind::Arrived:
                chunkArrived(m_laneOfConnection[static_cast<std::size_t>(event.id)]);
                break;
            case TcpLinks::Kind::Message: {
                const Errand errand = m_errands[static_cast<std::size_t>(event.id)];
                m_freeErrands.push_back(event.id);
                if (errand.server >= 0)
                    serveStep(errand.worker, errand.server);
                else if (errand.server == -1)
                    pauseBetweenSteps(errand.worker);
                else if (errand.server == -2)
                    queueRest(errand.lane, errand.rest);
                else
                    openWindow(errand.lane, errand.rest.restBytes);
                break;
            }
            }
        }
    }

    void chunkArrived(std::int32_t id) {
        Lane &lane = m_lanes[static_cast<std::size_t>(id)];
        const SentChunk chunk = lane.sent.front();
        lane.sent.pop_front();
        ++m_out.events;
        if (m_stepsDone >= m_leftOut)
            lane.movedBytes += chunk.bytes;
        const std::int32_t w = id / m_lanesEach, own = id % m_lanesEach;
        if (chunk.step < m_options.traceSteps)
            m_out.trace.push_back({w, chunk.op, chunk.step, chunk.startSeconds, m_now});
        const std::int32_t back = m_template.isUplink(own) ? own - m_template.servers : own + m_template.servers;
        if (chunk.credit > 0 && (lane.owed += chunk.credit) >= m_options.windowBytes / 2) {
            const double bytes = std::exchange(lane.owed, 0);
            sendMessage({w, -3, id, {0, 0, -1, -1, bytes}}, back);
        }
        if (chunk.turnLeft > 0)
            return;
        if (!(chunk.restBytes > 0)) {
            finish(w, chunk.step, chunk.op);
            return;
        }
        // The receiver opens the stream's window: it tells the sender so, on the way that the acknowledgements take.
        const Waiting rest{.first = 0, .second = 0, .op = chunk.op, .step = chunk.step, .restBytes = chunk.restBytes};
        if (!sendMessage({w, -2, id, rest}, back))
            queueRest(id, rest);
    }
    void queueRest(std::int32_t id, const Waiting &rest) {
        Lane &lane = m_lanes[static_cast<std::size_t>(id)];
        lane.queue.push(rest, false);
        lane.credit += rest.restBytes;
        wake(id);
    }
    void wake(std::int32_t id) {
        const Lane &lane = m_lanes[static_cast<std::size_t>(id)];
        if (!lane.busy && (lane.turn || !lane.queue.empty()))
            startChunk(id / m_lanesEach, id % m_lanesEach);
    }

    /// HTTP/2's flow control of a whole connection (RFC 9113, section 6.9): gRPC keeps its window at the first window of a stream
    /// plus what it has opened for streams beyond theirs. So first turns share one window, and second turns bring their own.
    [[nodiscard]] bool hasWindow() const { return m_options.windowBytes < infinity; }
    void takeTurn(Lane &lane, const Waiting &chosen, double sizeBytes) {
        Waiting turn = chosen;
        if (chosen.restBytes < 0) {
            turn.restBytes = sizeBytes;
            turn.turnBytes = std::min(sizeBytes, m_options.windowBytes);
        } else if (!(chosen.turnBytes > 0)) {
            turn.turnBytes = chosen.restBytes;
            turn.isSecondTurn = true;
        }
        if (turn.turnBytes > 0 && !(lane.credit > 0)) {
            lane.turn = turn;
            lane.busy = false;
            return;
        }
        lane.chunkBytes = std::min(turn.turnBytes, lane.credit);
        lane.chunkCredit = turn.isSecondTurn ? 0 : lane.chunkBytes;
        lane.credit -= lane.chunkBytes;
        turn.restBytes -= lane.chunkBytes;
        turn.turnBytes -= lane.chunkBytes;
        lane.restBytes = turn.restBytes;
        lane.turnLeft = turn.turnBytes;
        lane.flowing = false;
        if (turn.turnBytes > 0)
            lane.turn = turn;
    }
    void openWindow(std::int32_t id, double bytes) {
        m_lanes[static_cast<std::size_t>(id)].credit += bytes;
        wake(id);
    }

    /// Bounded staleness: the worker has just completed a step; whoever is few enough steps ahead of the slowest goes on.
    void hold(std::int32_t w, std::int32_t op) {
        m_workers[static_cast<std::size_t>(w)].held = true;
        std::int32_t slowest = std::numeric_limits<std::int32_t>::max();
        for (const Worker &worker : m_workers)
            slowest = std::min(slowest, worker.completed);
        for (std::int32_t other = 0; other < static_cast<std::int32_t>(m_workers.size()); ++other) {
            Worker &worker = m_workers[static_cast<std::size_t>(other)];
            if (!worker.held || worker.completed - slowest > m_options.staleness)
                continue;
            worker.held = false;
            if (m_options.stopEach && worker.completed >= m_limit)
                continue;
            startStep(other, worker.completed, op);
        }
    }

    void countStep() {
        ++m_stepsDone;
        if (m_stepsDone == m_leftOut)
            m_out.warmUpEndSeconds = m_now;
        if (m_stepsDone > m_leftOut)
            m_out.completionSeconds.push_back(m_now);
    }

    const StepSet &m_set;
    const PredictMachines &m_machines;
    const GenerateOptions &m_options;
    Generated &m_out;
    const StepTemplate m_template;
    const PredictLinks m_links;
    FluidLinks m_fluid;
    std::int32_t m_lanesEach;
    std::vector<Worker> m_workers;
    std::vector<Lane> m_lanes; ///< [worker * lanes each + lane]
    std::vector<LiveStep> m_spare;
    std::vector<Rng> m_rngs; ///< one per worker, so that a worker's steps do not depend on the others
    Rng m_shareRng{0};
    std::optional<TcpLinks> m_tcp;
    std::vector<RateChange> m_changes;
    std::size_t m_nextChange = 0;
    std::vector<std::int32_t> m_connections; ///< of each lane, -1 = none
    std::vector<std::int32_t> m_laneOfConnection;
    std::vector<Errand> m_errands;
    std::vector<std::int32_t> m_freeErrands;
    std::vector<TcpLinks::Event> m_seen;
    std::priority_queue<TimedEnd, std::vector<TimedEnd>, std::greater<>> m_timed;
    double m_now = 0;
    std::int32_t m_limit = 0;
    std::int64_t m_stepsDone = 0, m_needed = 0, m_leftOut = 0;
};

Result<void> checkOptions(const StepSet &set, const PredictMachines &machines, const GenerateOptions &options) {
    const auto nodes = static_cast<std::int32_t>(machines.nodeBytesPerSecond.size());
    const auto known = [&](std::int32_t node) { return node >= 0 && node < nodes; };
    if (machines.workerNode.empty() || machines.workerNode.size() > 100000 ||
        machines.workerScale.size() != machines.workerNode.size())
        return fail(fmt::format("{} workers", machines.workerNode.size()), "simulate 1 to 100000");
    if (machines.serverNode.size() != static_cast<std::size_t>(set.graph.servers))
        return fail(fmt::format("the steps use {} servers, the cluster has {}", set.graph.servers, machines.serverNode.size()),
                    "place the variables on the servers there are");
    for (const auto *list : {&machines.workerNode, &machines.serverNode})
        if (!std::all_of(list->begin(), list->end(), known))
            return fail("a worker or server is on no node", "number nodes from 0");
    for (const double rate : machines.nodeBytesPerSecond)
        if (!(rate > 0) || !std::isfinite(rate))
            return fail(fmt::format("a link of {} bytes/s", rate), "give every node a bandwidth");
    for (const double scale : machines.workerScale)
        if (!(scale > 0) || !std::isfinite(scale))
            return fail(fmt::format("a worker of speed {}", scale), "give every worker a positive speed");
    if (!(machines.messageSeconds >= 0 && machines.messageSeconds < 60))
        return fail(fmt::format("{} s per message", machines.messageSeconds), "give 0 to 60 s");
    if (options.steps < 1 || options.warmUp < 0 || options.steps > 10'000'000 || options.warmUp > 10'000'000)
        return fail(fmt::format("{} steps after {} that are left out", options.steps, options.warmUp),
                    "simulate 1 to 10 million");
    if (!(options.windowBytes > 0))
        return fail(fmt::format("a window of {} bytes", options.windowBytes), "give a positive size, or off");
    if (auto valid = checkBackground(options.background); !valid)
        return valid;
    const TcpOptions &tcp = options.tcp;
    if (!(tcp.windowBytes >= 1460 && std::isfinite(tcp.windowBytes) && tcp.segmentBytes >= 1460 && tcp.burstBytes >= 0 &&
          std::isfinite(tcp.burstBytes)))
        return fail(fmt::format("TCP windows of {} bytes, segments of {}, bursts of {}", tcp.windowBytes, tcp.segmentBytes,
                                tcp.burstBytes),
                    "give windows and segments of 1460 bytes or more, and bursts of 0 or more");
    if (!options.transferRank.empty() && options.transferRank.size() != set.graph.ops.size())
        return fail("the order does not rank every op", "rank them all, or none");
    if (options.staleness >= 0 && !set.graph.nextEdges.empty())
        return fail("bounded staleness needs steps that follow one another whole", "leave the per-layer overlap of steps off");
    return {};
}

} // namespace

Result<Generated> generateTrace(const StepSet &set, const PredictMachines &machines, const GenerateOptions &options,
                                std::stop_token stop, Progress *progress) {
    if (auto valid = validateStepSet(set); !valid)
        return Unexpected(valid.error());
    if (auto valid = checkOptions(set, machines, options); !valid)
        return Unexpected(valid.error());
    Generated out;
    Player player(set, machines, options, out);
    if (!player.run(stop, progress))
        return fail("cancelled", "start it again");
    player.report();
    return out;
}

} // namespace syncopate
