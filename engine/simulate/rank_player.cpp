// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/rank_player.h"

#include "engine/base/numbers.h"
#include "engine/base/rng.h"
#include "engine/network/fluid.h"
#include "engine/network/network.h"
#include "engine/simulate/rank_deadlock.h"
#include "engine/simulate/rank_layout.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <numbers>
#include <queue>
#include <utility>

namespace syncopate {

namespace {

constexpr std::size_t maxCells = 40'000'000; ///< processes x iterations x (ops + motifs)

class RankPlayer {
public:
    RankPlayer(const RankRequest &request, const RankLayout &layout, RankRun &run)
        : m_request(request), m_dag(*request.dag), m_layout(layout), m_run(run), m_network(layout.links()),
          m_arrived(layout.instanceCount(), 0) {
        const std::size_t processes = asIndex(m_dag.processes);
        m_processes.resize(processes);
        m_run.startSeconds.resize(processes);
        m_run.heldUpSeconds.assign(processes, std::vector<double>(asIndex(request.iterations), 0));
        m_run.othersSeconds = m_run.heldUpSeconds;
        findChildren();
        for (ProcessId p(0); p.number() < m_dag.processes; p = p.next())
            prepare(p);
    }

    /// Returns false if it was stopped.
    bool run(const std::stop_token &stop) {
        startOps();
        dispatchTouched();
        std::vector<NetworkEvent> seen;
        for (std::uint64_t step = 0;; ++step) {
            if (step % 4096 == 0 && stop.stop_requested())
                return false;
            const double flowing = m_network.next(m_now);
            const double next = nextMoment(flowing);
            if (next == std::numeric_limits<double>::infinity())
                break;
            m_now = next;
            const double momentEnd = next * (1 + momentRounding);
            seen.clear();
            if (flowing <= momentEnd) {
                m_now = std::max(next, flowing);
                m_network.advance(m_now, seen);
            }
            endWhatIsDue(seen, momentEnd);
            dispatchTouched();
        }
        finish();
        return true;
    }

private:
    /// A motif and one of the groups that run it.
    struct Instance {
        RankSlotId slot;
        RankGroupId group;
    };
    [[nodiscard]] std::size_t cell(std::int32_t iteration, DagOpId op) const {
        return asIndex(iteration) * m_dag.ops.size() + op.index();
    }
    [[nodiscard]] RankProcess &process(ProcessId p) { return m_processes[p.index()]; }
    [[nodiscard]] bool isStrict() const { return m_request.dispatch == Dispatch::Strict; }

    /// Starts the ops that wait for nothing.
    void startOps() {
        for (ProcessId p(0); p.number() < m_dag.processes; p = p.next())
            for (std::int32_t i = 0; i < m_request.iterations; ++i)
                for (DagOpId o(0); o.index() < m_dag.ops.size(); o = o.next())
                    if (process(p).opWaits[cell(i, o)] == 0)
                        opReady(p, o, i);
    }

    /// When something happens next, if the next motif ends at `flowing`; infinity if nothing does.
    [[nodiscard]] double nextMoment(double flowing) const {
        if (!m_instant.empty())
            return m_now;
        return m_computing.empty() ? flowing : std::min(flowing, m_computing.top().first);
    }

    /// Ends the motifs that the network has `seen` arrive, those without duration, and compute-ops, in this order.
    void endWhatIsDue(const std::vector<NetworkEvent> &seen, double momentEnd) {
        for (const NetworkEvent &event : seen)
            motifDone(m_flows[event.flow.index()]);
        for (const Instance &motif : std::exchange(m_instant, {}))
            motifDone(motif);
        while (!m_computing.empty() && m_computing.top().first <= momentEnd) {
            const ProcessId p = m_computing.top().second;
            m_computing.pop();
            computed(p);
        }
    }

    void findChildren() {
        m_children.resize(m_dag.ops.size());
        m_nextChildren.resize(m_dag.ops.size());
        for (std::size_t o = 0; o < m_dag.ops.size(); ++o) {
            for (const DagOpId parent : m_dag.ops[o].parents)
                m_children[parent.index()].emplace_back(o);
            for (const DagOpId parent : m_dag.ops[o].previousParents)
                m_nextChildren[parent.index()].emplace_back(o);
        }
    }

    void prepare(ProcessId p) {
        RankProcess &own = process(p);
        for (std::int32_t i = 0; i < m_request.iterations; ++i)
            for (const DagOp &op : m_dag.ops) {
                own.opWaits.push_back(static_cast<std::int32_t>(op.parents.size() + (i > 0 ? op.previousParents.size() : 0)));
                own.motifsLeft.push_back(op.isCompute() ? 1 : 0);
            }
        own.motifWaits.assign(m_layout.slotCount(), 0);
        own.states.assign(m_layout.slotCount(), MotifState::Waiting);
        own.channels.resize(m_request.plan->channels.size());
        for (std::size_t c = 0; c < own.channels.size(); ++c) {
            own.channels[c].sequence = m_layout.sequence(p, ChannelId(c));
            own.channels[c].heldUpSeconds.assign(asIndex(m_request.iterations), 0);
            own.channels[c].othersSeconds.assign(asIndex(m_request.iterations), 0);
        }
        for (const RankProcess::Enforcer &channel : own.channels)
            for (const RankSlotId slot : channel.sequence) {
                const RankLayout::Slot &at = m_layout.slot(slot);
                ++own.motifsLeft[cell(at.iteration, at.op)];
                own.motifWaits[slot.index()] = 1;
                for (const RankSlotId before : m_layout.before(slot))
                    own.motifWaits[slot.index()] += m_layout.groupOf(before, p).exists() ? 1 : 0;
            }
    }

    void opReady(ProcessId p, DagOpId op, std::int32_t iteration) {
        if (m_dag.ops[op.index()].isCompute())
            return startCompute(p);
        if (process(p).motifsLeft[cell(iteration, op)] == 0)
            return opDone(p, op, iteration);
        for (const RankSlotId slot : m_layout.motifsOf(p, op, iteration))
            if (m_layout.groupOf(slot, p).exists())
                motifLessWaits(p, slot);
    }

    void motifLessWaits(ProcessId p, RankSlotId slot) {
        RankProcess &own = process(p);
        if (--own.motifWaits[slot.index()] > 0)
            return;
        own.states[slot.index()] = MotifState::Ready;
        const ChannelId c = m_layout.slot(slot).channel;
        own.channels[c.index()].ready.insert(m_layout.place(p, slot));
        m_touched.emplace_back(p, c);
    }

    /// Dispatches on the channels where something has changed. All motifs that become ready at one moment are known by then, but
    /// for those behind a motif without duration: a channel's order alone chooses among them.
    void dispatchTouched() {
        for (const auto &[p, c] : m_touched)
            dispatch(p, c);
        m_touched.clear();
    }

    /// Dispatches the channel's next motif if possible, and records how long it is held up.
    void dispatch(ProcessId p, ChannelId c) {
        RankProcess &own = process(p);
        RankProcess::Enforcer &channel = own.channels[c.index()];
        if (!channel.current.exists() && !channel.ready.empty()) {
            const auto place = static_cast<std::size_t>(*channel.ready.begin());
            if (!isStrict() || place == channel.next) {
                channel.ready.erase(channel.ready.begin());
                ++channel.next;
                if (channel.heldUpSince >= 0)
                    addWait(channel.heldUpSeconds, p, std::exchange(channel.heldUpSince, -1));
                channel.current = channel.sequence[place];
                channel.dispatched = m_now;
                own.states[channel.current.index()] = MotifState::Dispatched;
                arrive({channel.current, m_layout.groupOf(channel.current, p)});
                return;
            }
            if (channel.heldUpSince < 0)
                channel.heldUpSince = m_now;
        }
    }

    /// Adds a wait that ends now to the iterations that the process was in meanwhile.
    void addWait(std::vector<double> &seconds, ProcessId p, double since) {
        const std::vector<double> &starts = m_run.startSeconds[p.index()];
        double end = m_now;
        for (std::size_t i = starts.size(); i-- > 0 && end > since; end = std::min(end, starts[i]))
            seconds[i] += std::max(0.0, end - std::max(since, starts[i]));
    }

    /// Another member has dispatched the motif; the last one starts it.
    void arrive(const Instance &motif) {
        const auto [slot, group] = motif;
        const std::vector<ProcessId> &members = m_layout.members(slot, group);
        if (++m_arrived[m_layout.instance(slot, group)] < static_cast<std::int32_t>(members.size()))
            return;
        const RankLayout::Slot &at = m_layout.slot(slot);
        for (const ProcessId p : members) {
            RankProcess::Enforcer &channel = process(p).channels[at.channel.index()];
            addWait(channel.othersSeconds, p, channel.dispatched);
        }
        const double seconds = m_layout.seconds(slot, group);
        if (seconds <= 0) {
            m_instant.push_back(motif);
            return;
        }
        m_network.start(FlowId(m_flows.size()), m_layout.path(slot, group), seconds, m_now);
        m_flows.push_back(motif);
    }

    void motifDone(Instance motif) {
        const auto [slot, group] = motif;
        const RankLayout::Slot &at = m_layout.slot(slot);
        const std::vector<ProcessId> &members = m_layout.members(slot, group);
        for (const ProcessId p : members) {
            process(p).channels[at.channel.index()].current = {};
            process(p).states[slot.index()] = MotifState::Done;
        }
        const std::vector<RankSlotId> followers = m_layout.followers(slot);
        for (const ProcessId p : members) {
            for (const RankSlotId follower : followers)
                if (m_layout.groupOf(follower, p).exists())
                    motifLessWaits(p, follower);
            if (--process(p).motifsLeft[cell(at.iteration, at.op)] == 0)
                opDone(p, at.op, at.iteration);
            m_touched.emplace_back(p, at.channel);
        }
    }

    void opDone(ProcessId p, DagOpId op, std::int32_t iteration) {
        const auto advance = [&](const std::vector<DagOpId> &children, std::int32_t i) {
            for (const DagOpId child : children)
                if (--process(p).opWaits[cell(i, child)] == 0)
                    opReady(p, child, i);
        };
        advance(m_children[op.index()], iteration);
        if (iteration + 1 < m_request.iterations)
            advance(m_nextChildren[op.index()], iteration + 1);
    }

    void startCompute(ProcessId p) {
        RankProcess &own = process(p);
        if (own.computing || own.iteration == m_request.iterations)
            return;
        const DagOpId op = m_dag.computeOrder[own.computeNext];
        if (own.opWaits[cell(own.iteration, op)] > 0)
            return;
        if (own.computeNext == 0)
            m_run.startSeconds[p.index()].push_back(m_now);
        own.computing = true;
        m_computing.emplace(m_now + m_dag.ops[op.index()].seconds * m_request.noise.factor(p, own.iteration, op), p);
    }

    void computed(ProcessId p) {
        RankProcess &own = process(p);
        own.computing = false;
        const DagOpId op = m_dag.computeOrder[own.computeNext];
        const std::int32_t iteration = own.iteration;
        own.motifsLeft[cell(iteration, op)] = 0;
        if (++own.computeNext == m_dag.computeOrder.size()) {
            own.computeNext = 0;
            ++own.iteration;
        }
        opDone(p, op, iteration);
        startCompute(p);
    }

    /// The waits of a process's channel that waits longest, per iteration.
    void keepLongestWaits(ProcessId p) {
        for (const RankProcess::Enforcer &channel : process(p).channels)
            for (std::size_t i = 0; i < channel.heldUpSeconds.size(); ++i) {
                double &heldUp = m_run.heldUpSeconds[p.index()][i], &others = m_run.othersSeconds[p.index()][i];
                heldUp = std::max(heldUp, channel.heldUpSeconds[i]);
                others = std::max(others, channel.othersSeconds[i]);
            }
    }

    void finish() {
        for (ProcessId p(0); p.number() < m_dag.processes; p = p.next())
            keepLongestWaits(p);
        m_run.iterations = m_request.iterations;
        m_run.timedBy = timingProcess();
        bool stuck = false;
        for (const RankProcess &own : m_processes) {
            m_run.iterations = std::min(m_run.iterations, own.iteration);
            for (const RankProcess::Enforcer &channel : own.channels)
                stuck = stuck || std::any_of(channel.sequence.begin(), channel.sequence.end(),
                                             [&](RankSlotId slot) { return own.states[slot.index()] != MotifState::Done; });
        }
        if (stuck || m_run.iterations < m_request.iterations)
            m_run.deadlock = findDeadlock({m_dag, m_layout, m_processes, m_request.iterations, isStrict(), m_now});
    }

    /// The first process; where groups differ in size, the first of those whose last iteration began latest.
    [[nodiscard]] ProcessId timingProcess() const {
        ProcessId slowest(0);
        if (std::ranges::none_of(m_dag.ops, [](const DagOp &op) { return op.isUneven(); }))
            return slowest;
        const auto lastStart = [&](ProcessId p) {
            const std::vector<double> &starts = m_run.startSeconds[p.index()];
            return starts.empty() ? 0 : starts.back();
        };
        for (ProcessId p(0); p.number() < m_dag.processes; p = p.next())
            if (lastStart(p) > lastStart(slowest))
                slowest = p;
        return slowest;
    }

    const RankRequest &m_request;
    const TrainingDag &m_dag;
    const RankLayout &m_layout;
    RankRun &m_run;
    FluidLinks m_network;
    std::vector<std::int32_t> m_arrived;                          ///< per instance: number of members that have dispatched it
    std::vector<std::vector<DagOpId>> m_children, m_nextChildren; ///< per op
    std::vector<RankProcess> m_processes;
    std::vector<Instance> m_flows;                          ///< by FlowId
    std::vector<Instance> m_instant;                        ///< motifs without duration, done at the current moment
    std::vector<std::pair<ProcessId, ChannelId>> m_touched; ///< may have a motif to dispatch
    using Computing = std::pair<double, ProcessId>;         ///< end, process
    std::priority_queue<Computing, std::vector<Computing>, std::greater<>> m_computing;
    double m_now = 0;
};

double worstRatio(const std::vector<std::vector<double>> &waits, const RankRun &run, std::int32_t i) {
    double worst = 0;
    for (std::size_t p = 0; p < waits.size(); ++p) {
        const auto &starts = run.startSeconds[p];
        if (asIndex(i) + 1 < starts.size() && starts[asIndex(i) + 1] > starts[asIndex(i)])
            worst = std::max(worst, waits[p][asIndex(i)] / (starts[asIndex(i) + 1] - starts[asIndex(i)]));
    }
    return worst;
}

} // namespace

double ComputeNoise::factor(ProcessId process, std::int32_t iteration, DagOpId op) const {
    double factor = 1;
    if (jitter > 0) {
        Rng rng(Rng(seed).next() ^ (std::uint64_t{static_cast<std::uint32_t>(process.number())} << 40U) ^
                (std::uint64_t{static_cast<std::uint32_t>(iteration)} << 20U) ^ static_cast<std::uint32_t>(op.number()));
        const double radius = std::sqrt(-2 * std::log(1 - rng.uniform(0, 1)));
        const double normal = radius * std::cos(2 * std::numbers::pi * rng.uniform(0, 1));
        factor = std::exp(jitter * normal - jitter * jitter / 2);
    }
    for (const Straggler &straggler : stragglers)
        if (straggler.process == process && iteration >= straggler.fromIteration)
            factor *= straggler.slowdown;
    return factor;
}

std::string describe(const RankDeadlock &deadlock) {
    std::string text;
    for (const RankDeadlock::Wait &wait : deadlock.cycle)
        text += fmt::format("{}process {}: {} {}", text.empty() ? "" : "; ", wait.process.number(), wait.motif, wait.reason);
    return text;
}

double RankRun::iterationSeconds(std::int32_t from) const {
    const std::vector<double> &starts = startSeconds[timedBy.index()];
    return (starts.back() - starts[asIndex(from)]) / static_cast<double>(starts.size() - 1 - asIndex(from));
}
double RankRun::heldUpRatio(std::int32_t i) const { return worstRatio(heldUpSeconds, *this, i); }
double RankRun::othersRatio(std::int32_t i) const { return worstRatio(othersSeconds, *this, i); }

Result<RankRun> playRanks(const RankRequest &request, const std::stop_token &stop) {
    const TrainingDag &dag = *request.dag;
    std::size_t motifs = request.plan->motifs.size();
    TRY(validatePlan(*request.plan, dag));
    if (request.nextPlan) {
        TRY(validatePlan(*request.nextPlan, dag));
        motifs += request.nextPlan->motifs.size();
        if (request.nextPlan->channels != request.plan->channels || request.changeAt.size() != asIndex(dag.processes))
            return fail("a plan can only be changed for one over the same channels, by every process",
                        "plan for the same channels");
    }
    if (request.iterations < 2 || (dag.ops.size() + motifs) * asIndex(dag.processes) * asIndex(request.iterations) > maxCells)
        return fail("these are too many processes, ops and motifs to be played one by one", "play fewer iterations or processes");
    const RankLayout layout(request, stop);
    if (stop.stop_requested())
        return cancelled();
    RankRun run;
    RankPlayer player(request, layout, run);
    if (!player.run(stop))
        return cancelled();
    return run;
}

} // namespace syncopate
