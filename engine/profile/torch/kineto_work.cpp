// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/torch/kineto_collectives.h"

#include <algorithm>
#include <unordered_map>

namespace syncopate::kineto {

namespace {

class WorkCollector {
public:
    WorkCollector(const TraceEvents &trace, Analysis &analysis)
        : m_trace(trace), m_analysis(analysis), m_finder(trace, analysis) {}

    void run() {
        indexLaunches();
        if (!collectDeviceWork())
            return;
        m_analysis.onDevice = m_analysis.kernels > 0;
        if (!m_analysis.onDevice)
            collectHostWork();
        m_finder.collectBatches();
        // Nothing ties Gloo's transfers to ops: they run on threads of their own.
        if (m_analysis.onDevice || m_analysis.collectives.empty())
            m_finder.collectRequests();
        sortUnlessStopped(
            m_analysis.work, [](const Work &a, const Work &b) { return a.start < b.start; }, m_analysis.stop);
        sortUnlessStopped(
            m_analysis.collectives, [](const Collective &a, const Collective &b) { return a.start < b.start; }, m_analysis.stop);
        if (m_analysis.stop.stop_requested())
            return;
        findMainStream();
        m_analysis.stepWork = byStep(m_analysis.work);
        m_analysis.stepCollectives = byStep(m_analysis.collectives);
    }

private:
    /// Collects kernels, copies and collectives of devices; returns false if stopped.
    bool collectDeviceWork() {
        std::vector<std::int8_t> collectiveName(m_trace.names.size(), -1);
        for (std::uint32_t i = 0; i < m_trace.events.size(); ++i) {
            if (m_analysis.stopsAt(i))
                return false;
            const TraceEvent &e = m_trace.events[i];
            if (!e.onDevice())
                continue;
            std::int8_t &isCollective = collectiveName[e.name];
            if (isCollective < 0)
                isCollective = isCollectiveKernel(m_trace.nameOf(e)) ? 1 : 0;
            const bool known = tie(i);
            m_analysis.unknownLaunches += known ? 0 : 1;
            if (isCollective == 1 && e.kind == EventKind::Kernel) {
                m_analysis.collectives.push_back(m_finder.ofKernel(i));
                continue;
            }
            (e.kind == EventKind::Kernel ? m_analysis.kernels : m_analysis.copies) += 1;
            const Context &context = m_analysis.contexts[i];
            m_analysis.work.push_back(
                {e.start, e.end(), i, e.row, context.step, context.key, context.phase, e.kind == EventKind::Copy, known});
        }
        return true;
    }

    /// Finds the row that is busy longest within steps.
    void findMainStream() {
        std::vector<double> busy(m_trace.rows.size(), 0);
        for (const Work &work : m_analysis.work)
            busy[work.row] += work.step >= 0 && !work.copy ? static_cast<double>(work.end - work.start) : 0;
        if (!busy.empty())
            m_analysis.mainStream = static_cast<std::uint32_t>(std::max_element(busy.begin(), busy.end()) - busy.begin());
    }

    /// Indices of rows (with a member `step`), by step.
    template <class Row> [[nodiscard]] std::vector<std::vector<std::uint32_t>> byStep(const std::vector<Row> &rows) const {
        std::vector<std::vector<std::uint32_t>> numbers(m_analysis.steps.size());
        for (std::uint32_t i = 0; i < rows.size(); ++i) {
            if (const std::int32_t step = rows[i].step; step >= 0)
                numbers[static_cast<std::size_t>(step)].push_back(i);
        }
        return numbers;
    }

    /// Finds the runtime calls to which device events refer: of calls with the same correlation the first counts.
    void indexLaunches() {
        for (std::uint32_t i = 0; i < m_trace.events.size(); ++i) {
            if (m_analysis.stopsAt(i))
                return;
            const TraceEvent &e = m_trace.events[i];
            if (e.kind == EventKind::Runtime && e.correlation >= 0)
                m_launches.emplace(e.correlation, i);
        }
    }

    /// Takes a device event's context from its launch or its collective's op: the device's own clock says nothing about steps.
    bool tie(std::uint32_t index) {
        const TraceEvent &e = m_trace.events[index];
        const auto launch = m_launches.find(e.correlation);
        const std::int32_t host = launch != m_launches.end() ? static_cast<std::int32_t>(launch->second) : m_finder.opOf(e);
        if (host < 0)
            return false;
        m_analysis.contexts[index] = m_analysis.contexts[static_cast<std::size_t>(host)];
        m_analysis.contexts[index].parent = host;
        return true;
    }

    /// The role of a host event by name, in traces without a device.
    enum class HostRole : std::uint8_t { Other, Transfer, Request, Communicates };

    [[nodiscard]] std::vector<HostRole> hostRoles() const {
        std::vector<HostRole> roles; // per name
        roles.reserve(m_trace.names.size());
        for (std::uint32_t i = 0; i < m_trace.names.size(); ++i) {
            const std::string &name = m_trace.names[i];
            roles.push_back(name.starts_with("gloo:") || name.starts_with("mpi:")        ? HostRole::Transfer
                            : name == "c10d::allreduce_"                                 ? HostRole::Request
                            : name.starts_with("c10d::") || name == "record_param_comms" ? HostRole::Communicates
                                                                                         : HostRole::Other);
        }
        return roles;
    }

    void takeTransfer(std::uint32_t index) {
        const TraceEvent &e = m_trace.events[index];
        Collective collective;
        collective.start = e.start;
        collective.end = e.end();
        collective.event = index;
        collective.step = m_analysis.contexts[index].step;
        collective.name = collectiveInName(m_trace.nameOf(e));
        m_finder.takeName(m_trace.nameOf(e), collective);
        if (m_finder.take(e.detail, collective))
            ++m_analysis.sizes.annotation;
        else
            ++m_analysis.sizes.missing;
        m_analysis.collectives.push_back(std::move(collective));
    }

    /// Without a device in the trace, outermost ops are compute, gloo's annotations communication.
    void collectHostWork() {
        m_analysis.work.clear();
        const std::vector<HostRole> roles = hostRoles();
        std::vector<std::vector<std::uint32_t>> launches(m_analysis.steps.size());
        for (std::uint32_t i = 0; i < m_trace.events.size(); ++i) {
            if (m_analysis.stopsAt(i))
                return;
            const TraceEvent &e = m_trace.events[i];
            const Context &context = m_analysis.contexts[i];
            const HostRole role = roles[e.name];
            if (e.kind == EventKind::Annotation && role == HostRole::Transfer)
                takeTransfer(i);
            if (e.kind != EventKind::Operator)
                continue;
            if (context.step >= 0 && role == HostRole::Request)
                launches[static_cast<std::size_t>(context.step)].push_back(i);
            if (context.top && role != HostRole::Request && role != HostRole::Communicates)
                m_analysis.work.push_back({e.start, e.end(), i, e.row, context.step, context.key, context.phase, false, true});
        }
        std::stable_sort(m_analysis.collectives.begin(), m_analysis.collectives.end(),
                         [](const Collective &a, const Collective &b) { return a.start < b.start; });
        std::vector<std::vector<Collective *>> reductions(launches.size());
        for (Collective &collective : m_analysis.collectives) {
            if (collective.step >= 0 && collective.name == "allreduce")
                reductions[static_cast<std::size_t>(collective.step)].push_back(&collective);
        }
        for (std::size_t step = 0; step < launches.size(); ++step)
            tieGloo(reductions[step], ofStep(m_analysis.gradients, static_cast<std::int32_t>(step)), launches[step]);
    }

    /// Gloo runs a collective on its own thread, later than the op that requested it: the k-th all-reduce of a step is the k-th
    /// request. If requests were not recorded, it counts to the last backward op before its start.
    void tieGloo(const std::vector<Collective *> &reductions, std::span<const GradientReady> ready,
                 std::vector<std::uint32_t> &launches) {
        std::sort(launches.begin(), launches.end(),
                  [&](std::uint32_t a, std::uint32_t b) { return m_trace.events[a].start < m_trace.events[b].start; });
        for (std::size_t k = 0; k < reductions.size(); ++k) {
            Collective &reduction = *reductions[k];
            if (launches.size() == reductions.size()) {
                const Context &context = m_analysis.contexts[launches[k]];
                reduction.key = context.key;
                reduction.phase = context.phase;
            } else {
                const auto after = std::upper_bound(ready.begin(), ready.end(), reduction.start,
                                                    [](Nanoseconds t, const GradientReady &g) { return t < g.start; });
                if (after == ready.begin())
                    continue;
                reduction.key = std::prev(after)->key;
                reduction.phase = Phase::Backward;
            }
            reduction.gradient = reduction.phase == Phase::Backward;
        }
    }

    const TraceEvents &m_trace;
    Analysis &m_analysis;
    std::unordered_map<std::int64_t, std::uint32_t> m_launches; ///< runtime event by correlation
    CollectiveFinder m_finder;
};

} // namespace

void collectWork(const TraceEvents &trace, Analysis &analysis) { WorkCollector(trace, analysis).run(); }

} // namespace syncopate::kineto
