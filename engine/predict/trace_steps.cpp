// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/predict/trace_player.h"

#include <algorithm>
#include <utility>

namespace syncopate {

/// StartRandomStep: samples a step for worker `w`; a worker's first step waits for no previous step.
TracePlayer::LiveStep &TracePlayer::addStep(WorkerId w, bool first) {
    Worker &worker = m_workers[w.index()];
    const StepId number(worker.completed + static_cast<std::int32_t>(worker.live.size()));
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
    const auto sample = static_cast<std::size_t>(m_rngs[w.index()].next() % m_set.seconds.size());
    step.sample = sample;
    step.seconds = m_set.seconds[sample].data();
    if (number.number() < m_options.traceSteps)
        m_out.sampledFrom[w.index() * static_cast<std::size_t>(m_options.traceSteps) + number.index()] =
            static_cast<std::int32_t>(sample);
    if (first)
        for (const OpId op : inOrder(m_template.firstRoots, step))
            release(w, number, op);
    return step;
}

TracePlayer::LiveStep &TracePlayer::stepOf(WorkerId w, StepId number) {
    Worker &worker = m_workers[w.index()];
    return worker.live[static_cast<std::size_t>(number.number() - worker.completed)];
}

void TracePlayer::finish(WorkerId w, StepId number, OpId op) {
    const std::size_t o = op.index();
    ++m_out.ops;
    for (std::uint32_t i = m_template.childOffsets[o]; i < m_template.childOffsets[o + 1]; ++i)
        arrive(w, number, m_template.children[i]);
    if (m_template.nextOffsets[o] < m_template.nextOffsets[o + 1] && next(w, number))
        for (std::uint32_t i = m_template.nextOffsets[o]; i < m_template.nextOffsets[o + 1]; ++i)
            arrive(w, number.next(), m_template.next[i]);
    if (--stepOf(w, number).opsLeft > 0)
        return;
    // The whole step is done. Steps are counted in order.
    if (m_options.staleness < 0)
        startRoots(w, number, op);
    Worker &worker = m_workers[w.index()];
    while (!worker.live.empty() && worker.live.front().opsLeft == 0) {
        m_spare.push_back(std::move(worker.live.front()));
        worker.live.pop_front();
        ++worker.completed;
        countStep();
        if (m_options.staleness >= 0)
            hold(w, op);
    }
}

void TracePlayer::arrive(WorkerId w, StepId number, OpId op) {
    if (--stepOf(w, number).waits[op.index()] == 0)
        release(w, number, op);
}

/// Creates the step after `number` if needed; returns false if the worker stops before it.
bool TracePlayer::next(WorkerId w, StepId number) {
    if (m_options.stopEach && number.next().number() >= m_limit)
        return false;
    const Worker &worker = m_workers[w.index()];
    while (worker.completed + static_cast<std::int32_t>(worker.live.size()) <= number.next().number())
        addStep(w, false);
    return true;
}

/// Starts the roots of the step after `number`, whose last op was `op`.
void TracePlayer::startRoots(WorkerId w, StepId number, OpId op) {
    if (!m_template.roots.empty() && next(w, number))
        startStep(w, number.next(), op);
}

/// Tells the worker that its step is done; the worker then takes its time between steps.
void TracePlayer::startStep(WorkerId w, StepId number, OpId after) {
    m_workers[w.index()].starting = number;
    const StepOp &last = m_set.graph.ops[after.index()];
    if (last.resource == StepResource::Server &&
        m_network.send({Errand::Kind::StepDone, w}, idOf(w, m_template.downlink(ParameterServerId(last.server))), m_now))
        return;
    pauseBetweenSteps(w);
}

void TracePlayer::pauseBetweenSteps(WorkerId w) {
    double begin = m_now;
    if (!m_coreFree.empty()) {
        double &free = *std::min_element(m_coreFree.begin(), m_coreFree.end());
        begin = std::max(begin, free);
        free = begin + m_set.betweenSeconds;
    }
    if (m_set.betweenSeconds > 0)
        m_timed.push({begin + m_set.betweenSeconds, -1 - w.number()});
    else
        askForStep(w);
}

/// Starts the step's first ops, but transfers down only when each server has received the worker's request.
void TracePlayer::askForStep(WorkerId w) {
    const StepId number = m_workers[w.index()].starting;
    if (m_workers[w.index()].live.empty()) { // its first step, or with bounded staleness any: steps are whole
        const bool isFirst = m_workers[w.index()].completed == 0;
        addStep(w, isFirst);
        if (isFirst)
            return;
    }
    std::vector<bool> asked(static_cast<std::size_t>(m_template.servers), false);
    for (ParameterServerId server(0); m_network.isTcp() && server.number() < m_template.servers; server = server.next())
        asked[server.index()] = m_network.send({Errand::Kind::AskForStep, w, server}, idOf(w, m_template.uplink(server)), m_now);
    const std::vector<OpId> roots = inOrder(m_template.roots, stepOf(w, number));
    for (const OpId op : roots)
        if (const StepOp &stepOp = m_set.graph.ops[op.index()];
            stepOp.resource != StepResource::Downlink || !asked[static_cast<std::size_t>(stepOp.server)])
            arrive(w, number, op);
}

/// `server` has received the request for the worker's new step.
void TracePlayer::serveStep(WorkerId w, ParameterServerId server) {
    const StepId number = m_workers[w.index()].starting;
    for (const std::int32_t lane : {m_template.downlink(server), m_template.uplink(server)}) // requests carry window updates
        if (auto &streams = laneOf(idOf(w, lane)).streams)
            openWindow(idOf(w, lane), streams->withMessage());
    const std::vector<OpId> roots = inOrder(m_template.roots, stepOf(w, number));
    for (const OpId op : roots)
        if (const StepOp &stepOp = m_set.graph.ops[op.index()];
            stepOp.resource == StepResource::Downlink && ParameterServerId(stepOp.server) == server)
            arrive(w, number, op);
}

/// `roots`, with transfers down in the order of the step that `step` was sampled from.
std::vector<OpId> TracePlayer::inOrder(const std::vector<OpId> &roots, const LiveStep &step) const {
    if (m_set.downlinkOrder.empty() || !m_options.transferRank.empty())
        return roots;
    std::vector<OpId> ordered;
    std::vector<bool> isRoot(m_set.graph.ops.size(), false);
    for (const OpId op : roots)
        isRoot[op.index()] = true;
    for (const std::int32_t number : m_set.downlinkOrder[step.sample])
        if (const OpId op(number); isRoot[op.index()]) {
            ordered.push_back(op);
            isRoot[op.index()] = false;
        }
    for (const OpId op : roots)
        if (isRoot[op.index()])
            ordered.push_back(op);
    return ordered;
}

/// Bounded staleness: holds the worker after a step, then releases all that are close enough to the slowest.
void TracePlayer::hold(WorkerId w, OpId op) {
    m_workers[w.index()].held = true;
    std::int32_t slowest = std::numeric_limits<std::int32_t>::max();
    for (const Worker &worker : m_workers)
        slowest = std::min(slowest, worker.completed);
    for (WorkerId other(0); other.index() < m_workers.size(); other = other.next()) {
        Worker &worker = m_workers[other.index()];
        if (!worker.held || worker.completed - slowest > m_options.staleness)
            continue;
        worker.held = false;
        if (m_options.stopEach && worker.completed >= m_limit)
            continue;
        startStep(other, StepId(worker.completed), op);
    }
}

void TracePlayer::countStep() {
    ++m_stepsDone;
    if (m_stepsDone == m_leftOut)
        m_out.warmUpEndSeconds = m_now;
    if (m_stepsDone > m_leftOut)
        m_out.completionSeconds.push_back(m_now);
}

} // namespace syncopate
