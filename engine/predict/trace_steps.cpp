// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/predict/trace_player.h"

#include <algorithm>
#include <utility>

namespace syncopate {

/// StartRandomStep: samples a step for worker `w`; a worker's first step waits for no step before.
TracePlayer::LiveStep &TracePlayer::addStep(std::int32_t w, bool first) {
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

TracePlayer::LiveStep &TracePlayer::stepOf(std::int32_t w, std::int32_t number) {
    Worker &worker = m_workers[static_cast<std::size_t>(w)];
    return worker.live[static_cast<std::size_t>(number - worker.completed)];
}

void TracePlayer::finish(std::int32_t w, std::int32_t number, std::int32_t op) {
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

void TracePlayer::arrive(std::int32_t w, std::int32_t number, std::int32_t op) {
    if (--stepOf(w, number).waits[static_cast<std::size_t>(op)] == 0)
        release(w, number, op);
}

/// Makes sure that the step after `number` is there; false where the worker stops before it.
bool TracePlayer::next(std::int32_t w, std::int32_t number) {
    if (m_options.stopEach && number + 1 >= m_limit)
        return false;
    const Worker &worker = m_workers[static_cast<std::size_t>(w)];
    while (worker.completed + static_cast<std::int32_t>(worker.live.size()) <= number + 1)
        addStep(w, false);
    return true;
}

/// Releases what waited for the whole of step `number`, which `op` ended.
void TracePlayer::startRoots(std::int32_t w, std::int32_t number, std::int32_t op) {
    if (!m_template.roots.empty() && next(w, number))
        startStep(w, number + 1, op);
}

/// The worker hears that its step is done, and needs its time between steps.
void TracePlayer::startStep(std::int32_t w, std::int32_t number, std::int32_t after) {
    m_workers[static_cast<std::size_t>(w)].starting = number;
    const StepOp &last = m_set.graph.ops[static_cast<std::size_t>(after)];
    if (last.resource == StepResource::Server && m_network.send({Errand::Kind::StepDone, w}, idOf(w, 1 + last.server), m_now))
        return;
    pauseBetweenSteps(w);
}

void TracePlayer::pauseBetweenSteps(std::int32_t w) {
    double begin = m_now;
    if (!m_coreFree.empty()) {
        double &free = *std::min_element(m_coreFree.begin(), m_coreFree.end());
        begin = std::max(begin, free);
        free = begin + m_set.betweenSeconds;
    }
    if (m_set.betweenSeconds > 0)
        m_timed.push({begin + m_set.betweenSeconds, -1 - w});
    else
        askForStep(w);
}

/// The step's first ops begin; transfers down when each server has heard of it.
void TracePlayer::askForStep(std::int32_t w) {
    const std::int32_t number = m_workers[static_cast<std::size_t>(w)].starting;
    if (m_options.staleness >= 0 || m_workers[static_cast<std::size_t>(w)].live.empty()) { // or it is the worker's first
        addStep(w, true);
        return;
    }
    std::vector<bool> asked(static_cast<std::size_t>(m_template.servers), false);
    for (std::int32_t server = 0; m_network.isTcp() && server < m_template.servers; ++server)
        asked[static_cast<std::size_t>(server)] =
            m_network.send({Errand::Kind::AskForStep, w, server}, idOf(w, 1 + m_template.servers + server), m_now);
    const std::vector<std::int32_t> roots = inOrder(m_template.roots, stepOf(w, number));
    for (const std::int32_t op : roots)
        if (const StepOp &own = m_set.graph.ops[static_cast<std::size_t>(op)];
            own.resource != StepResource::Downlink || !asked[static_cast<std::size_t>(own.server)])
            arrive(w, number, op);
}

/// `server` has heard of the worker's new step.
void TracePlayer::serveStep(std::int32_t w, std::int32_t server) {
    const std::int32_t number = m_workers[static_cast<std::size_t>(w)].starting;
    for (const std::int32_t own : {1 + server, 1 + m_template.servers + server}) // requests take updates along
        if (auto &streams = laneOf(idOf(w, own)).streams)
            openWindow(idOf(w, own), streams->withMessage());
    const std::vector<std::int32_t> roots = inOrder(m_template.roots, stepOf(w, number));
    for (const std::int32_t op : roots)
        if (const StepOp &own = m_set.graph.ops[static_cast<std::size_t>(op)];
            own.resource == StepResource::Downlink && own.server == server)
            arrive(w, number, op);
}

/// `roots` with the transfers down in the order of the step that `step` was sampled from.
std::vector<std::int32_t> TracePlayer::inOrder(const std::vector<std::int32_t> &roots, const LiveStep &step) const {
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

/// Bounded staleness: the worker has just completed a step; whoever is few enough steps ahead of the slowest goes on.
void TracePlayer::hold(std::int32_t w, std::int32_t op) {
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

void TracePlayer::countStep() {
    ++m_stepsDone;
    if (m_stepsDone == m_leftOut)
        m_out.warmUpEndSeconds = m_now;
    if (m_stepsDone > m_leftOut)
        m_out.completionSeconds.push_back(m_now);
}

} // namespace syncopate
