// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/predict/trace_player.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace syncopate {

namespace {
constexpr std::int64_t maxSteps = 10'000'000; ///< per worker, if counted by time
} // namespace

TracePlayer::TracePlayer(const StepSet &set, const PredictMachines &machines, const GenerateOptions &options, Generated &out)
    : m_set(set), m_machines(machines), m_options(options), m_out(out), m_template(makeTemplate(set.graph, options.transferRank)),
      m_network(m_template, machines, options), m_lanesPerWorker(m_template.laneCount()), m_workers(machines.workerNode.size()),
      m_lanes(m_workers.size() * static_cast<std::size_t>(m_lanesPerWorker)),
      m_coreFree(static_cast<std::size_t>(options.sharedCores), 0) {
    for (std::size_t w = 0; w < m_workers.size(); ++w)
        m_rngs.emplace_back(Rng(options.seed + 0x632be59bd9b4e019ULL * (w + 1)).next());
    for (std::size_t id = 0; id < m_lanes.size() && options.windowBytes < std::numeric_limits<double>::infinity(); ++id)
        if (m_network.isConnection(LaneId(id)))
            m_lanes[id].streams.emplace(options.windowBytes);
    m_limit = options.warmUp + options.steps;
    m_needed = static_cast<std::int64_t>(m_limit) * static_cast<std::int64_t>(m_workers.size());
    m_leftOut = static_cast<std::int64_t>(options.warmUp) * static_cast<std::int64_t>(m_workers.size());
    if (options.countedSeconds > 0) {
        m_endSeconds = out.endSeconds = options.warmUpSeconds + options.countedSeconds;
        m_needed = maxSteps * static_cast<std::int64_t>(m_workers.size());
        m_leftOut = m_needed; // raised until the warm-up time is over
    }
    if (options.traceSteps > 0)
        out.sampledFrom.assign(m_workers.size() * static_cast<std::size_t>(options.traceSteps), -1);
}

bool TracePlayer::ranked(std::int32_t lane) const {
    if (lane == 0)
        return m_options.computeByRank;
    return lane >= 1 && lane <= m_template.servers && !m_options.transferRank.empty() &&
           m_options.windowBytes == std::numeric_limits<double>::infinity();
}

void TracePlayer::startWorkers() {
    const double length = m_options.spreadStarts && m_workers.size() > 1 ? stepLength() : 0;
    Rng rng(Rng(~m_options.seed).next());
    for (WorkerId w(0); w.index() < m_workers.size(); w = w.next())
        if (!m_coreFree.empty())
            pauseBetweenSteps(w);
        else if (length > 0)
            m_timed.push({rng.uniform(0, length), -1 - w.number()});
        else
            addStep(w, true);
}

/// Mean duration of a step whose ops run one after another, on the slowest link.
double TracePlayer::stepLength() const {
    double seconds = 0, bytes = 0;
    for (const std::vector<double> &step : m_set.seconds)
        seconds += std::accumulate(step.begin(), step.end(), 0.0) / static_cast<double>(m_set.seconds.size());
    for (const StepOp &op : m_set.graph.ops)
        bytes += op.sizeBytes;
    const std::vector<double> rates = Nics(m_machines).bytesPerSecond();
    return m_set.betweenSeconds + seconds + bytes / *std::min_element(rates.begin(), rates.end());
}

bool TracePlayer::run(const std::stop_token &stop, Progress *progress) {
    if (progress)
        progress->total = static_cast<std::uint64_t>(m_needed);
    startWorkers();
    std::uint64_t batches = 0;
    std::vector<LaneNetwork::Event> events;
    while (m_stepsDone < m_needed) {
        if (++batches % 4096 == 0 && progress)
            progress->done = static_cast<std::uint64_t>(m_stepsDone);
        if (batches % 16 == 0 && stop.stop_requested()) // with tens of thousands of flows a batch takes milliseconds
            return false;
        const double nextMoved = m_network.next(m_now);
        m_now = m_timed.empty() ? nextMoved : std::min(nextMoved, m_timed.top().seconds);
        if (m_now > m_endSeconds) {
            m_now = m_endSeconds;
            break;
        }
        if (m_leftOut > m_stepsDone && m_options.countedSeconds > 0 && m_now >= m_options.warmUpSeconds) {
            m_leftOut = m_stepsDone;
            m_out.warmUpEndSeconds = m_options.warmUpSeconds;
        }
        if (nextMoved <= m_now) {
            events.clear();
            m_network.advance(m_now, events);
            for (const LaneNetwork::Event &event : events)
                handle(event);
        }
        endTimed();
    }
    return true;
}

void TracePlayer::endTimed() {
    while (!m_timed.empty() && m_timed.top().seconds <= m_now && m_stepsDone < m_needed) {
        const std::int32_t timed = m_timed.top().lane;
        m_timed.pop();
        if (timed < 0) {
            askForStep(WorkerId(-1 - timed));
            continue;
        }
        const LaneId lane(timed);
        if (m_template.isTransferLane(ownLane(lane)) && !laneOf(lane).flowing)
            startFlow(lane);
        else
            endChunk(lane);
    }
}

void TracePlayer::release(WorkerId w, StepId step, OpId op) {
    const std::int32_t laneOfOp = m_template.lane[op.index()];
    Lane &lane = laneOf(idOf(w, laneOfOp));
    if (lane.streams) {
        lane.streams->open({.op = op.number(), .step = step.number(), .bytes = m_set.graph.ops[op.index()].sizeBytes});
        wake(idOf(w, laneOfOp));
        return;
    }
    const bool byRank = ranked(laneOfOp);
    Waiting waiting{.first = 0, .second = 0, .op = op, .step = step, .restBytes = -1};
    if (byRank) {
        waiting.first = step.number();
        waiting.second = laneOfOp == 0 ? m_set.graph.ops[op.index()].rank : m_options.transferRank[op.index()];
    }
    lane.queue.push(waiting, byRank);
    if (!lane.busy)
        startChunk(w, laneOfOp);
}

void TracePlayer::startChunk(WorkerId w, std::int32_t own) {
    Lane &lane = laneOf(idOf(w, own));
    const LaneId id = idOf(w, own);
    const Waiting chosen = lane.queue.pop(ranked(own));
    lane.busy = true;
    lane.op = chosen.op;
    lane.step = chosen.step;
    lane.startSeconds = m_now;
    lane.restBytes = 0;
    ++m_out.events;
    const std::size_t op = chosen.op.index();
    const double seconds = stepOf(w, chosen.step).seconds[op];
    if (!m_template.isTransferLane(own)) {
        m_timed.push({m_now + (own == 0 ? seconds / m_machines.workerScale[w.index()] : seconds), id.number()});
        return;
    }
    if (chosen.restBytes >= 0) { // the second turn sends all the rest
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
        m_timed.push({m_now + before, id.number()});
    else
        startFlow(id);
}

void TracePlayer::startFlow(LaneId id) {
    Lane &lane = laneOf(id);
    lane.flowing = true;
    if (m_network.isConnection(id))
        lane.sent.push_back({lane.op, lane.step, lane.chunkBytes, lane.startSeconds, lane.piece});
    if (!m_network.start(id, lane.chunkBytes, m_now))
        m_timed.push({m_now, id.number()});
}

void TracePlayer::endChunk(LaneId id) {
    Lane &lane = laneOf(id);
    const WorkerId w = workerOf(id);
    const std::int32_t laneOfWorker = ownLane(id);
    ++m_out.events;
    lane.flowing = false;
    const double since = std::max(lane.startSeconds, m_out.warmUpEndSeconds);
    if (m_stepsDone >= m_leftOut) {
        lane.busySeconds += m_now - since;
        lane.movedBytes += m_now > lane.startSeconds ? lane.chunkBytes * (m_now - since) / (m_now - lane.startSeconds) : 0;
    }
    const OpId op = lane.op;
    const StepId step = lane.step;
    if (step.number() < m_options.traceSteps)
        m_out.trace.push_back({w, op, step, lane.startSeconds, m_now});
    if (lane.restBytes > 0)
        lane.queue.push({0, 0, op, step, lane.restBytes}, false); // behind those already waiting
    else
        finish(w, step, op); // ops that become ready on this lane queue up: it is still busy
    lane.busy = false;
    if (!lane.queue.empty())
        startChunk(w, laneOfWorker);
}

void TracePlayer::handle(const LaneNetwork::Event &event) {
    switch (event.kind) {
    case LaneNetwork::Event::Kind::Ended:
        endChunk(event.lane);
        return;
    case LaneNetwork::Event::Kind::Written:
        laneOf(event.lane).busy = laneOf(event.lane).flowing = false;
        wake(event.lane);
        return;
    case LaneNetwork::Event::Kind::Arrived:
        chunkArrived(event.lane);
        return;
    case LaneNetwork::Event::Kind::Message:
        break;
    }
    const Errand &errand = event.errand;
    switch (errand.kind) {
    case Errand::Kind::AskForStep:
        serveStep(errand.worker, errand.server);
        return;
    case Errand::Kind::StepDone:
        pauseBetweenSteps(errand.worker);
        return;
    case Errand::Kind::OpenWindow:
        openWindow(errand.lane, errand.update);
        return;
    }
}

void TracePlayer::chunkArrived(LaneId id) {
    Lane &lane = laneOf(id);
    const SentChunk chunk = lane.sent.front();
    lane.sent.pop_front();
    ++m_out.events;
    if (m_stepsDone >= m_leftOut)
        lane.movedBytes += chunk.bytes;
    const WorkerId w = workerOf(id);
    if (chunk.step.number() < m_options.traceSteps && (!lane.streams || chunk.piece.endsTurn))
        m_out.trace.push_back({w, chunk.op, chunk.step, chunk.startSeconds, m_now});
    if (lane.streams) {
        // The receiver's window updates travel with its acknowledgements.
        const Http2Connection::Update update = lane.streams->arrived(chunk.piece);
        const LaneId back(id.number() + (m_template.isUplink(ownLane(id)) ? -m_template.servers : m_template.servers));
        if (update.streamBytes > 0 || update.connectionBytes > 0)
            m_network.send({Errand::Kind::OpenWindow, w, {}, id, update}, back, m_now);
        if (!chunk.piece.isLast)
            return;
    }
    finish(w, chunk.step, chunk.op);
}

void TracePlayer::wake(LaneId id) {
    const Lane &lane = laneOf(id);
    if (lane.busy)
        return;
    if (lane.streams)
        startPiece(id);
    else if (!lane.queue.empty())
        startChunk(workerOf(id), ownLane(id));
}

void TracePlayer::startPiece(LaneId id) {
    Lane &lane = laneOf(id);
    const bool isTurn = lane.piece.endsTurn;
    const auto piece = lane.streams->next(m_options.tcp.segmentBytes);
    if (!piece)
        return;
    lane.piece = *piece;
    lane.busy = true;
    lane.op = OpId(piece->op);
    lane.step = StepId(piece->step);
    lane.chunkBytes = piece->bytes;
    lane.restBytes = 0;
    if (isTurn)
        lane.startSeconds = m_now;
    ++m_out.events;
    lane.flowing = false;
    const double before = m_machines.messageSeconds + stepOf(workerOf(id), lane.step).seconds[lane.op.index()];
    if (piece->isFirst && before > 0)
        m_timed.push({m_now + before, id.number()});
    else
        startFlow(id);
}

void TracePlayer::openWindow(LaneId id, const Http2Connection::Update &update) {
    laneOf(id).streams->take(update);
    wake(id);
}

void TracePlayer::report() {
    const double seconds = m_now - m_out.warmUpEndSeconds;
    if (!(seconds > 0))
        return;
    const auto servers = static_cast<std::size_t>(m_template.servers);
    double compute = 0;
    std::vector<double> down(servers, 0), up(servers, 0), update(servers, 0);
    for (std::size_t i = 0; i < m_lanes.size(); ++i) {
        const Lane &lane = m_lanes[i];
        const std::size_t laneIndex = i % static_cast<std::size_t>(m_lanesPerWorker);
        if (laneIndex == 0)
            compute += lane.busySeconds;
        else if (laneIndex <= servers)
            down[laneIndex - 1] += lane.movedBytes;
        else if (laneIndex <= 2 * servers)
            up[laneIndex - servers - 1] += lane.movedBytes;
        else
            update[laneIndex - 2 * servers - 1] += lane.busySeconds;
    }
    const auto workers = static_cast<double>(m_workers.size());
    m_out.utilisation.push_back({.busy = compute / seconds / workers});
    for (std::size_t m = 0; m < servers; ++m) {
        const auto server = static_cast<std::int32_t>(m);
        const double rate = m_machines.nodeBytesPerSecond[static_cast<std::size_t>(m_machines.serverNode[m])] * seconds;
        m_out.utilisation.push_back({UsedResource::Downlink, server, down[m] / rate});
        m_out.utilisation.push_back({UsedResource::Uplink, server, up[m] / rate});
        m_out.utilisation.push_back({UsedResource::Updates, server, update[m] / seconds / workers});
    }
}

} // namespace syncopate
