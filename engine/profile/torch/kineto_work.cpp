// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/torch/kineto_analysis.h"

#include <algorithm>
#include <cctype>
#include <unordered_map>

namespace syncopate::kineto {

namespace {

/// formats.md 1.6: by name, in any case.
bool isCollectiveKernel(std::string_view name) {
    std::string lower(name.substr(0, 512));
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const char *mark : {"nccl", "rccl", "cross_device_reduce", "nvshmem", "dpsk::ep", "deep_ep::"}) {
        if (lower.find(mark) != std::string::npos)
            return true;
    }
    return false;
}

/// The collective in a kernel's or annotation's name: "ncclDevKernel_AllReduce_Sum_f32_RING_LL(..." is "allreduce".
std::string collectiveInName(std::string_view name) {
    std::string plain;
    for (const char c : name.substr(0, 128)) {
        if (std::isalpha(static_cast<unsigned char>(c)))
            plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    for (const char *known :
         {"allreduce", "reducescatter", "allgather", "alltoall", "broadcast", "sendrecv", "barrier", "reduce"}) {
        if (plain.find(known) != std::string::npos)
            return known;
    }
    return plain.find("crossdevicereduce") != std::string::npos ? "allreduce" : "collective";
}

/// dtype strings of formats.md 1.8 and of the autograd profiler ("c10::Half", "long int").
DataType typeOf(const std::string &name) {
    if (name == "long int")
        return DataType::Int64;
    if (name == "Long")
        return DataType::Int64;
    if (name == "Byte" || name == "Char" || name == "unsigned char" || name == "signed char" || name.starts_with("Float8"))
        return DataType::Int8;
    return dataTypeFromName(name).value_or(DataType::Float32);
}

std::int64_t product(const std::vector<std::int64_t> &dims) {
    Variable shape;
    shape.shape = dims;
    return shape.elementCount();
}

class WorkCollector {
public:
    WorkCollector(const TraceEvents &trace, Analysis &analysis) : m_trace(trace), m_analysis(analysis) {}

    void run() {
        std::vector<std::int8_t> collectiveName(m_trace.names.size(), -1);
        indexHost();
        for (std::uint32_t i = 0; i < m_trace.events.size(); ++i) {
            if (m_analysis.stopsAt(i))
                return;
            const TraceEvent &e = m_trace.events[i];
            if (!e.onDevice())
                continue;
            std::int8_t &isCollective = collectiveName[e.name];
            if (isCollective < 0)
                isCollective = isCollectiveKernel(m_trace.nameOf(e)) ? 1 : 0;
            const bool known = tie(i);
            m_analysis.unknownLaunches += known ? 0 : 1;
            if (isCollective == 1 && e.kind == EventKind::Kernel) {
                addDeviceCollective(i);
                continue;
            }
            (e.kind == EventKind::Kernel ? m_analysis.kernels : m_analysis.copies) += 1;
            const Context &context = m_analysis.contexts[i];
            m_analysis.work.push_back(
                {e.start, e.end(), i, e.row, context.step, context.key, context.phase, e.kind == EventKind::Copy, known});
        }
        m_analysis.onDevice = m_analysis.kernels > 0;
        if (!m_analysis.onDevice)
            collectHostWork();
        sortUnlessStopped(
            m_analysis.work, [](const Work &a, const Work &b) { return a.start < b.start; }, m_analysis.stop);
        sortUnlessStopped(
            m_analysis.collectives, [](const Collective &a, const Collective &b) { return a.start < b.start; }, m_analysis.stop);
        if (m_analysis.stop.stop_requested())
            return;
        std::vector<double> busy(m_trace.rows.size(), 0);
        for (const Work &work : m_analysis.work)
            busy[work.row] += work.step >= 0 && !work.copy ? static_cast<double>(work.end - work.start) : 0;
        if (!busy.empty())
            m_analysis.mainStream = static_cast<std::uint32_t>(std::max_element(busy.begin(), busy.end()) - busy.begin());
        m_analysis.stepWork.resize(m_analysis.steps.size());
        m_analysis.stepCollectives.resize(m_analysis.steps.size());
        for (std::uint32_t i = 0; i < m_analysis.collectives.size(); ++i) {
            if (const std::int32_t step = m_analysis.collectives[i].step; step >= 0)
                m_analysis.stepCollectives[static_cast<std::size_t>(step)].push_back(i);
        }
        for (std::uint32_t i = 0; i < m_analysis.work.size(); ++i) {
            if (const std::int32_t step = m_analysis.work[i].step; step >= 0)
                m_analysis.stepWork[static_cast<std::size_t>(step)].push_back(i);
        }
    }

private:
    void indexHost() {
        for (std::uint32_t i = 0; i < m_trace.events.size(); ++i) {
            if (m_analysis.stopsAt(i))
                return;
            const TraceEvent &e = m_trace.events[i];
            if (e.kind == EventKind::Runtime && e.correlation >= 0)
                m_launches.emplace(e.correlation, i);
            else if (e.kind == EventKind::Operator && e.externalId >= 0 && e.detail >= 0 &&
                     m_trace.nameOf(e) == "record_param_comms")
                m_params.emplace(e.externalId, i);
            else if (e.kind == EventKind::Annotation && e.detail >= 0 && m_trace.nameOf(e).starts_with("nccl:"))
                m_annotations.push_back(i);
        }
        std::sort(m_annotations.begin(), m_annotations.end(),
                  [&](std::uint32_t a, std::uint32_t b) { return m_trace.events[a].start < m_trace.events[b].start; });
    }

    /// The context of a device event is its launch's: the device's own clock says nothing about steps (formats.md 1.5).
    bool tie(std::uint32_t index) {
        const auto launch = m_launches.find(m_trace.events[index].correlation);
        if (launch == m_launches.end())
            return false;
        m_analysis.contexts[index] = m_analysis.contexts[launch->second];
        m_analysis.contexts[index].parent = static_cast<std::int32_t>(launch->second);
        return true;
    }

    /// True when the detail says how much is moved. "wait" is the host waiting, never traffic (formats.md 1.7).
    bool take(std::int32_t detailIndex, Collective &collective) const {
        if (detailIndex < 0)
            return false;
        const EventDetail &detail = m_trace.details[static_cast<std::size_t>(detailIndex)];
        if (detail.collective == "wait")
            return false;
        if (collective.group.empty() && !(detail.groupName.empty() && detail.groupRanks.empty())) {
            const bool abbreviated = detail.groupRanks.find("...") != std::string::npos;
            collective.group = (abbreviated ? std::string() : detail.groupRanks) + "|" + detail.groupName;
        }
        collective.pointToPoint |= detail.collective == "send" || detail.collective == "recv";
        if (detail.inElements >= 0)
            collective.elements =
                std::max(detail.inElements, detail.collective.starts_with("allgather") ? detail.outElements : 0);
        else if (!detail.dims.empty())
            collective.elements = product(detail.dims);
        else
            return false;
        collective.elements = std::clamp<std::int64_t>(collective.elements, 0, 1'000'000'000'000'000); // sums must not overflow
        collective.dtype = typeOf(detail.type);
        if (detail.groupSize > 0)
            collective.groupSize = detail.groupSize;
        if (!detail.collective.empty())
            collective.name = collectiveInName(detail.collective);
        return true;
    }

    void addDeviceCollective(std::uint32_t index) {
        const TraceEvent &e = m_trace.events[index];
        const Context &context = m_analysis.contexts[index];
        Collective collective{
            e.start, e.end(), index, context.step, context.key, context.phase, collectiveInName(m_trace.nameOf(e)), 0,
            0,       {},      false, false,        {}};
        SizeSources &sizes = m_analysis.sizes;
        const auto params = m_params.find(e.externalId);
        if (take(e.detail, collective))
            ++sizes.kernel;
        // Before 2024 a kernel's external id is its correlation again, and would match at random.
        else if (params != m_params.end() && e.externalId != e.correlation &&
                 take(m_trace.events[params->second].detail, collective))
            ++sizes.externalId;
        else if (takeFromLaunch(context.parent, collective))
            ++sizes.launch;
        else if (takeFromAnnotation(context.parent, collective))
            ++sizes.annotation;
        else
            ++sizes.missing;
        const bool reduces = collective.name == "allreduce" || collective.name == "reducescatter";
        collective.gradient = reduces && context.phase == Phase::Backward && context.step >= 0;
        m_analysis.collectives.push_back(std::move(collective));
    }

    bool takeFromLaunch(std::int32_t launch, Collective &collective) const {
        int levels = 0; // c10d's op is near; a trace nested without end must not cost its depth each time
        for (std::int32_t at = launch; at >= 0 && levels < 256;
             at = m_analysis.contexts[static_cast<std::size_t>(at)].parent, ++levels) {
            if (take(m_trace.events[static_cast<std::size_t>(at)].detail, collective))
                return true;
        }
        return false;
    }

    bool takeFromAnnotation(std::int32_t launch, Collective &collective) const {
        if (launch < 0)
            return false;
        const TraceEvent &e = m_trace.events[static_cast<std::size_t>(launch)];
        auto after = std::upper_bound(m_annotations.begin(), m_annotations.end(), e.start,
                                      [&](Nanoseconds time, std::uint32_t a) { return time < m_trace.events[a].start; });
        for (int tries = 0; after != m_annotations.begin() && tries < 64; ++tries) {
            const TraceEvent &annotation = m_trace.events[*--after];
            if (annotation.row == e.row && annotation.end() >= e.start)
                return take(annotation.detail, collective);
        }
        return false;
    }

    /// No device in the trace: outermost ops compute, gloo's annotations communicate.
    void collectHostWork() {
        m_analysis.work.clear();
        enum class Role : std::uint8_t { Other, Transfer, Request, Communicates };
        std::vector<Role> roles; // by name
        roles.reserve(m_trace.names.size());
        for (std::uint32_t i = 0; i < m_trace.names.size(); ++i) {
            const std::string &name = m_trace.names[i];
            roles.push_back(name.starts_with("gloo:") || name.starts_with("mpi:")        ? Role::Transfer
                            : name == "c10d::allreduce_"                                 ? Role::Request
                            : name.starts_with("c10d::") || name == "record_param_comms" ? Role::Communicates
                                                                                         : Role::Other);
        }
        std::vector<std::vector<std::uint32_t>> launches(m_analysis.steps.size());
        for (std::uint32_t i = 0; i < m_trace.events.size(); ++i) {
            if (m_analysis.stopsAt(i))
                return;
            const TraceEvent &e = m_trace.events[i];
            const Context &context = m_analysis.contexts[i];
            const Role role = roles[e.name];
            if (e.kind == EventKind::Annotation && role == Role::Transfer) {
                Collective collective{
                    e.start, e.end(), i,     context.step, -1, Phase::Forward, collectiveInName(m_trace.nameOf(e)), 0,
                    0,       {},      false, false,        {}};
                if (take(e.detail, collective))
                    ++m_analysis.sizes.annotation;
                else
                    ++m_analysis.sizes.missing;
                m_analysis.collectives.push_back(std::move(collective));
            } else if (e.kind == EventKind::Operator && context.step >= 0 && role == Role::Request) {
                launches[static_cast<std::size_t>(context.step)].push_back(i);
            }
            if (e.kind != EventKind::Operator || !context.top || role == Role::Request || role == Role::Communicates)
                continue;
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

    /// Gloo runs a collective on its own thread, later than the op that asked for it: the k-th all-reduce of a step is the k-th
    /// request. Where the requests were not recorded, the backward op that ran at its start counts.
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
    std::unordered_map<std::int64_t, std::uint32_t> m_launches; ///< correlation -> runtime event
    std::unordered_map<std::int64_t, std::uint32_t> m_params;   ///< external id -> record_param_comms
    std::vector<std::uint32_t> m_annotations;                   ///< nccl:* with shapes, by start
};

} // namespace

void collectWork(const TraceEvents &trace, Analysis &analysis) { WorkCollector(trace, analysis).run(); }

} // namespace syncopate::kineto
