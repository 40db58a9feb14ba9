// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/event_loop.h"

#include "engine/rewrite/rewrite.h"
#include "engine/simulate/graph_beginning.h"
#include "engine/simulate/graph_player.h"

#include <utility>

namespace syncopate {

namespace {

std::unique_ptr<GraphPlayer> makePlayer(const TaskGraph &graph, Schedule &out) {
    return graph.linkModel == LinkModel::Tcp ? makeTcpPlayer(graph, out) : makeFluidPlayer(graph, out);
}

} // namespace

Schedule runEventLoop(const TaskGraph &graph, std::stop_token stop, Progress *progress) {
    Schedule schedule;
    makePlayer(graph, schedule)->run(GraphPlayer::noGoal, stop, progress);
    return schedule;
}

struct Playback::Played {
    Played(TaskGraph played, Schedule memory)
        : graph(std::move(played)), schedule{std::move(memory.readySeconds), std::move(memory.startSeconds),
                                             std::move(memory.endSeconds)},
          player(makePlayer(graph, schedule)) {}
    TaskGraph graph;
    Schedule schedule;
    std::unique_ptr<GraphPlayer> player; ///< refers to graph and schedule
};

Playback::Playback(TaskGraph graph, Schedule memory) : m_played(std::make_unique<Played>(std::move(graph), std::move(memory))) {}
Playback::~Playback() = default;

void Playback::playToIteration(std::int32_t iteration, const std::stop_token &stop, Progress *progress) {
    m_played->player->run(iteration, stop, progress);
}

void Playback::playToEnd(const std::stop_token &stop, Progress *progress) {
    m_played->player->run(GraphPlayer::noGoal, stop, progress);
}

void Playback::extend(TaskGraph longer) {
    const std::size_t tasks = m_played->graph.size();
    const bool goesOn = isBeginningOf(m_played->graph, longer);
    m_played->graph = std::move(longer);
    goOn(tasks, goesOn);
}

bool Playback::unrollFurther(std::int32_t iterations) {
    const std::size_t tasks = m_played->graph.size();
    if (!syncopate::unrollFurther(m_played->graph, iterations))
        return false;
    goOn(tasks, true);
    return true;
}

void Playback::goOn(std::size_t tasks, bool isLonger) {
    if (isLonger && m_played->player->grow(tasks))
        return;
    m_played->schedule = {};
    m_played->player = makePlayer(m_played->graph, m_played->schedule);
}

const TaskGraph &Playback::graph() const { return m_played->graph; }
const Schedule &Playback::schedule() const { return m_played->schedule; }
TaskGraph Playback::takeGraph() { return std::move(m_played->graph); }
Schedule Playback::takeSchedule() { return std::move(m_played->schedule); }

} // namespace syncopate
