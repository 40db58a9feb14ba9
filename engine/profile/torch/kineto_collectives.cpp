// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/torch/kineto_collectives.h"

#include "engine/profile/torch/kineto_raw_event.h"

#include <algorithm>
#include <cctype>
#include <tuple>
#include <utility>

namespace syncopate::kineto {

namespace {

std::int64_t elementCountOf(const std::vector<std::int64_t> &dims) {
    Variable shape;
    shape.shape = dims;
    return shape.elementCount();
}

/// The transfer of a collective that is a send or a receive; adds it if there is none yet.
PointToPoint &transferOf(Collective &collective) {
    collective.pointToPoint = true;
    if (collective.transfers.empty())
        collective.transfers.emplace_back();
    return collective.transfers.front();
}

/// Reads the places in the group from "nccl:send 0->1" or "nccl:recv 1<-0"; a name without them changes nothing.
void takeTitle(std::string_view name, PointToPoint &transfer) {
    const std::size_t space = name.find(' ');
    const std::size_t arrow = name.find(transfer.isSend ? "->" : "<-");
    if (space == std::string_view::npos || arrow == std::string_view::npos || arrow < space)
        return;
    const std::int64_t self = integer(name.substr(space + 1, arrow - space - 1)), peer = integer(name.substr(arrow + 2));
    if (self >= 0 && peer >= 0) {
        transfer.selfMember = self;
        transfer.peerMember = peer;
    }
}

void takePeer(const EventDetail &detail, PointToPoint &transfer) {
    transfer.isSend = detail.collective == "send";
    if (detail.peerRank >= 0)
        transfer.peerRank = detail.peerRank;
    if (detail.peerMember >= 0)
        transfer.peerMember = detail.peerMember;
}

bool isReduction(const std::string &name) { return name == "allreduce" || name == "reducescatter"; }

} // namespace

DataType dataTypeOf(std::string_view name) {
    if (name.starts_with("c10::"))
        name.remove_prefix(5);
    if (name == "long int" || name == "Long")
        return DataType::Int64;
    if (name == "short int")
        return DataType::Int16;
    if (name == "Byte" || name == "Char" || name == "unsigned char" || name == "signed char" || name.starts_with("Float8"))
        return DataType::Int8;
    return dataTypeFromName(name).value_or(DataType::Float32);
}

bool isCollectiveKernel(std::string_view name) {
    std::string lower(name.substr(0, 512));
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const char *mark : {"nccl", "rccl", "cross_device_reduce", "nvshmem", "dpsk::ep", "deep_ep::"}) {
        if (lower.find(mark) != std::string::npos)
            return true;
    }
    return false;
}

std::string collectiveInName(std::string_view name) {
    const std::string plain = plainName(name.substr(0, 128));
    for (const char *known :
         {"allreduce", "reducescatter", "allgather", "alltoall", "broadcast", "sendrecv", "barrier", "reduce"}) {
        if (plain.find(known) != std::string::npos)
            return known;
    }
    return plain.find("crossdevicereduce") != std::string::npos ? "allreduce" : "collective";
}

CollectiveFinder::CollectiveFinder(const TraceEvents &trace, Analysis &analysis) : m_trace(trace), m_analysis(analysis) {
    m_isCommunication.reserve(trace.names.size());
    for (std::uint32_t i = 0; i < trace.names.size(); ++i)
        m_isCommunication.push_back(isCommunicationOp(trace.names[i]));
    for (std::uint32_t i = 0; i < m_trace.events.size(); ++i) {
        if (m_analysis.stopsAt(i))
            return;
        const TraceEvent &e = m_trace.events[i];
        if (!isCommunication(e))
            continue;
        const std::string &name = m_trace.nameOf(e);
        if (e.kind == EventKind::Operator) {
            m_ops.push_back(i);
            if (e.externalId >= 0 && e.detail >= 0 && name == "record_param_comms")
                m_params.emplace(e.externalId, i);
        } else if (e.kind == EventKind::Annotation && e.detail >= 0 && name.starts_with("nccl:")) {
            m_annotations.push_back(i);
        }
    }
    std::sort(m_annotations.begin(), m_annotations.end(),
              [&](std::uint32_t a, std::uint32_t b) { return m_trace.events[a].start < m_trace.events[b].start; });
}

const EventDetail &CollectiveFinder::detailOf(const TraceEvent &event) const {
    return m_trace.details[static_cast<std::size_t>(event.detail)];
}

bool CollectiveFinder::isCommunication(const TraceEvent &event) const { return m_isCommunication[event.name]; }

std::int32_t CollectiveFinder::opOf(const TraceEvent &kernel) const {
    const auto op = kernel.externalId == kernel.correlation ? m_params.end() : m_params.find(kernel.externalId);
    return op == m_params.end() ? -1 : static_cast<std::int32_t>(op->second);
}

std::vector<std::uint32_t> CollectiveFinder::opsAround(std::int32_t event) const {
    std::vector<std::uint32_t> ops;
    int levels = 0; // c10d's op is near; bounds the cost for deeply nested traces
    for (; event >= 0 && levels < 256; event = m_analysis.contexts[static_cast<std::size_t>(event)].parent, ++levels) {
        const TraceEvent &e = m_trace.events[static_cast<std::size_t>(event)];
        if (e.kind == EventKind::Operator && isCommunication(e))
            ops.push_back(static_cast<std::uint32_t>(event));
    }
    return ops;
}

std::int32_t CollectiveFinder::annotationAround(std::int32_t event) const {
    if (event < 0)
        return -1;
    const TraceEvent &e = m_trace.events[static_cast<std::size_t>(event)];
    auto after = std::upper_bound(m_annotations.begin(), m_annotations.end(), e.start,
                                  [&](Nanoseconds time, std::uint32_t a) { return time < m_trace.events[a].start; });
    for (int tries = 0; after != m_annotations.begin() && tries < 64; ++tries) {
        const TraceEvent &annotation = m_trace.events[*--after];
        if (annotation.row == e.row && annotation.end() >= e.start)
            return static_cast<std::int32_t>(*after);
    }
    return -1;
}

void CollectiveFinder::takeName(std::string_view name, Collective &collective) const {
    const std::string plain = plainName(name.substr(0, 128));
    for (const char *one : {"cdsend", "cdrecv", "ncclsend", "ncclrecv", "gloosend", "gloorecv"}) {
        if (!plain.starts_with(one))
            continue;
        transferOf(collective).isSend = plain.find("send") != std::string::npos;
        takeTitle(name, collective.transfers.front());
    }
    if (const std::string known = collectiveInName(name); known != "collective")
        collective.name = known;
}

bool CollectiveFinder::take(std::int32_t detailIndex, Collective &collective) const {
    if (detailIndex < 0)
        return false;
    const EventDetail &detail = m_trace.details[static_cast<std::size_t>(detailIndex)];
    if (detail.collective == "wait")
        return false;
    if (collective.group.empty() && !(detail.groupName.empty() && detail.groupRanks.empty())) {
        const bool abbreviated = detail.groupRanks.find("...") != std::string::npos;
        collective.group = (abbreviated ? std::string() : detail.groupRanks) + "|" + detail.groupName;
    }
    if (detail.collective == "send" || detail.collective == "recv")
        takePeer(detail, transferOf(collective));
    if (detail.groupSize > 0)
        collective.groupSize = detail.groupSize;
    if (!detail.collective.empty())
        collective.name = collectiveInName(detail.collective);
    if (detail.inElements >= 0)
        collective.elements = std::max(detail.inElements, detail.collective.starts_with("allgather") ? detail.outElements : 0);
    else if (detail.tensorElements >= 0)
        collective.elements = detail.tensorElements;
    else if (!detail.dims.empty())
        collective.elements = elementCountOf(detail.dims);
    else
        return false;
    collective.elements = std::clamp<std::int64_t>(collective.elements, 0, maxElements);
    collective.dtype = dataTypeOf(detail.type);
    return true;
}

Collective CollectiveFinder::ofKernel(std::uint32_t kernel) {
    const TraceEvent &e = m_trace.events[kernel];
    const Context &context = m_analysis.contexts[kernel];
    Collective collective;
    collective.start = e.start;
    collective.end = e.end();
    collective.event = collective.firstEvent = kernel;
    collective.step = context.step;
    collective.key = context.key;
    collective.phase = context.phase;
    collective.name = collectiveInName(m_trace.nameOf(e));

    const std::int32_t param = opOf(e);
    const std::int32_t annotation = annotationAround(context.parent);
    const std::vector<std::uint32_t> ops = opsAround(param >= 0 ? param : context.parent);
    if (annotation >= 0)
        takeName(m_trace.nameOf(m_trace.events[static_cast<std::size_t>(annotation)]), collective);
    for (auto op = ops.rbegin(); op != ops.rend(); ++op) // the innermost op overrides the others
        takeName(m_trace.nameOf(m_trace.events[*op]), collective);

    std::int32_t SizeSources::*source = &SizeSources::missing;
    const auto takeOp = [&](std::uint32_t op) { return take(m_trace.events[op].detail, collective); };
    if (take(e.detail, collective))
        source = &SizeSources::kernel;
    else if (param >= 0 && takeOp(static_cast<std::uint32_t>(param)))
        source = &SizeSources::externalId;
    else if (std::any_of(ops.begin(), ops.end(), takeOp))
        source = &SizeSources::launch;
    else if (annotation >= 0 && takeOp(static_cast<std::uint32_t>(annotation)))
        source = &SizeSources::annotation;
    if (!collective.transfers.empty()) {
        collective.transfers.front().elements = collective.elements;
        collective.transfers.front().dtype = collective.dtype;
        collective.transfers.front().op = ops.empty() ? kernel : ops.back();
    }
    collective.gradient = isReduction(collective.name) && context.phase == Phase::Backward && context.step >= 0;
    // One op may launch several kernels, each of which may carry the op's size.
    if (const auto served = ops.empty() ? m_served.end() : m_served.find(ops.front()); served != m_served.end()) {
        collective.continued = true;
        collective.firstEvent = served->second;
        collective.gradient = false;
        collective.elements = 0;
    }
    if (!collective.continued)
        ++(m_analysis.sizes.*source);
    for (const std::uint32_t op : ops)
        m_served.emplace(op, collective.firstEvent);
    const bool isNamed = collective.name != "sendrecv" && collective.name != "collective";
    if (!isNamed && collective.transfers.empty() && !collective.continued && context.parent >= 0)
        m_unnamed.push_back({m_analysis.collectives.size(), source == &SizeSources::missing}); // where the caller puts it
    return collective;
}

bool CollectiveFinder::isBatchable(std::uint32_t op) const {
    const TraceEvent &e = m_trace.events[op];
    if (e.detail < 0 || m_served.contains(op))
        return false;
    const std::string &name = detailOf(e).collective;
    return name == "send" || name == "recv";
}

void CollectiveFinder::takeBatch(const Unnamed &unnamed, const std::vector<std::uint32_t> &ops) {
    Collective &kernel = m_analysis.collectives[unnamed.number];
    std::vector<PointToPoint> transfers;
    Collective first;
    bool isSized = true;
    for (const std::uint32_t op : ops) {
        Collective one;
        isSized = take(m_trace.events[op].detail, one) && isSized;
        one.transfers.front().elements = one.elements;
        one.transfers.front().dtype = one.dtype;
        one.transfers.front().op = op;
        transfers.push_back(one.transfers.front());
        if (op == ops.front())
            first = std::move(one);
        else if (first.group != one.group || first.groupSize != one.groupSize)
            return; // NCCL batches within a communicator
    }
    for (const std::uint32_t op : ops)
        m_served.emplace(op, kernel.event);
    kernel.name = "sendrecv";
    kernel.group = first.group;
    kernel.groupSize = first.groupSize;
    kernel.pointToPoint = true;
    kernel.transfers = std::move(transfers);
    if (isSized && unnamed.isMissing) {
        --m_analysis.sizes.missing;
        ++m_analysis.sizes.launch;
    }
}

void CollectiveFinder::collectBatches() {
    if (m_unnamed.empty())
        return;
    struct Call {
        std::uint32_t row = 0;
        Nanoseconds start = 0;
        std::uint32_t op = 0;
        const Unnamed *kernel = nullptr; // launched there; null: the op was called there
    };
    std::vector<Call> calls;
    for (const std::uint32_t op : m_ops) {
        const TraceEvent &e = m_trace.events[op];
        const bool isCoalesced = e.detail >= 0 && detailOf(e).collective == "coalesced"; // around the launch
        if (m_trace.nameOf(e) == "record_param_comms" && !isCoalesced)
            calls.push_back({e.row, e.start, op});
    }
    for (const Unnamed &unnamed : m_unnamed) {
        const std::int32_t launch = m_analysis.contexts[m_analysis.collectives[unnamed.number].event].parent;
        const TraceEvent &e = m_trace.events[static_cast<std::size_t>(launch)];
        calls.push_back({e.row, e.start, 0, &unnamed});
    }
    std::stable_sort(calls.begin(), calls.end(),
                     [](const Call &a, const Call &b) { return std::tie(a.row, a.start) < std::tie(b.row, b.start); });
    std::vector<std::uint32_t> pending;
    for (std::size_t c = 0; c < calls.size(); ++c) {
        const Call &call = calls[c];
        if (c > 0 && calls[c - 1].row != call.row)
            pending.clear();
        if (!call.kernel && isBatchable(call.op)) {
            pending.push_back(call.op);
            continue;
        }
        if (call.kernel && !pending.empty())
            takeBatch(*call.kernel, pending);
        pending.clear();
    }
}

std::int32_t CollectiveFinder::annotationIn(std::uint32_t op) const {
    const TraceEvent &e = m_trace.events[op];
    auto at = std::lower_bound(m_annotations.begin(), m_annotations.end(), e.start,
                               [&](std::uint32_t a, Nanoseconds time) { return m_trace.events[a].start < time; });
    for (int tries = 0; at != m_annotations.end() && m_trace.events[*at].start <= e.end() && tries < 64; ++at, ++tries) {
        if (m_trace.events[*at].row == e.row)
            return static_cast<std::int32_t>(*at);
    }
    return -1;
}

void CollectiveFinder::addRequest(std::uint32_t op) {
    const std::vector<std::uint32_t> ops = opsAround(static_cast<std::int32_t>(op));
    if (std::any_of(ops.begin(), ops.end(), [&](std::uint32_t other) { return m_served.contains(other); }))
        return;
    Collective asked;
    for (auto around = ops.rbegin(); around != ops.rend(); ++around)
        takeName(m_trace.nameOf(m_trace.events[*around]), asked);
    const std::int32_t range = annotationIn(op);
    if (!take(m_trace.events[op].detail, asked) && range >= 0 && asked.name != "barrier") {
        const TraceEvent &inner = m_trace.events[static_cast<std::size_t>(range)];
        takeName(m_trace.nameOf(inner), asked);
        [[maybe_unused]] const bool sized = take(inner.detail, asked);
    }
    if (asked.name.empty() || asked.name == "collective" || asked.name == "barrier")
        return; // the host waits, or the op moves nothing
    for (const std::uint32_t around : ops)
        m_served.emplace(around, op);
    const Context &context = m_analysis.contexts[op];
    m_analysis.requests.push_back(
        {context.step, context.key, context.phase, asked.name, asked.elements, asked.dtype, asked.groupSize});
}

void CollectiveFinder::collectRequests() {
    // The inner op has more details; the op around it then has nothing to add.
    for (const bool inner : {true, false}) {
        for (const std::uint32_t op : m_ops) {
            if ((m_trace.nameOf(m_trace.events[op]) == "record_param_comms") == inner)
                addRequest(op);
        }
    }
}

} // namespace syncopate::kineto
