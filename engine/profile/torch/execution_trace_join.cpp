// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/torch/execution_trace.h"
#include "engine/profile/torch/kineto_raw_event.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <unordered_map>

namespace syncopate {

namespace {

using Communication = ExecutionTrace::Communication;
using Gradient = ExecutionTrace::Gradient;

class Join {
public:
    Join(TraceEvents &trace, const ExecutionTrace &companion) : m_trace(trace), m_companion(companion) {}

    Result<ExecutionTraceUse> run() {
        if (!m_companion.communications.empty())
            TRY(joinCommunications());
        if (!m_companion.gradients.empty())
            TRY(joinGradients());
        return m_use;
    }

private:
    using Events = std::vector<TraceEvent *>;

    [[nodiscard]] Unexpected strangers(const std::string &why) const {
        return fail("this execution trace does not belong to the Kineto trace: " + why,
                    "give the execution trace of the same rank and the same run", m_companion.file);
    }

    /// Ops of one name per thread, by time.
    std::map<std::uint32_t, Events> opsNamed(std::string_view name) {
        std::map<std::uint32_t, Events> rows;
        for (TraceEvent &event : m_trace.events) {
            if (event.kind == EventKind::Operator && m_trace.nameOf(event) == name)
                rows[event.row].push_back(&event);
        }
        for (auto &[row, events] : rows)
            std::stable_sort(events.begin(), events.end(),
                             [](const TraceEvent *a, const TraceEvent *b) { return a->start < b->start; });
        return rows;
    }

    EventDetail &detailOf(TraceEvent &event) {
        if (event.detail < 0) {
            event.detail = static_cast<std::int32_t>(m_trace.details.size());
            m_trace.details.emplace_back();
        }
        return m_trace.details[static_cast<std::size_t>(event.detail)];
    }

    /// The thread that marks steps: thread 1 of an execution trace.
    [[nodiscard]] std::int64_t mainRow() const {
        for (const TraceEvent &event : m_trace.events) {
            const std::string &name = m_trace.nameOf(event);
            if (event.kind == EventKind::Annotation && (name.starts_with("ProfilerStep#") || name.starts_with("Optimizer.")))
                return event.row;
        }
        return -1;
    }

    Result<void> joinCommunications() {
        auto rows = opsNamed("record_param_comms");
        if (rows.empty())
            return strangers(fmt::format("it has {} collectives, the Kineto trace none", m_companion.communications.size()));
        if (joinByRecordId(rows))
            return {};
        std::map<std::int64_t, std::vector<const Communication *>> threads;
        for (const Communication &communication : m_companion.communications)
            threads[communication.thread].push_back(&communication);
        const std::int64_t main = mainRow();
        for (auto &[thread, communications] : threads) {
            const std::size_t count = communications.size();
            // Thread 1 is the main thread; other threads are matched by their counts, for lack of common names.
            auto row = thread == 1 && main >= 0 ? rows.find(static_cast<std::uint32_t>(main)) : rows.end();
            if (row == rows.end())
                row = std::find_if(rows.begin(), rows.end(), [&](const auto &candidate) {
                    return candidate.second.size() % count == 0 && candidate.first != main;
                });
            if (row == rows.end() || row->second.size() % communications.size() != 0)
                return strangers(row == rows.end()
                                     ? fmt::format("no thread there has a multiple of the {} collectives of thread {}",
                                                   communications.size(), thread)
                                     : fmt::format("thread {} has {} collectives, the Kineto trace's has {}", thread,
                                                   communications.size(), row->second.size()));
            for (std::size_t i = 0; i < row->second.size(); ++i)
                TRY(take(*row->second[i], *communications[i % communications.size()]));
            rows.erase(row);
        }
        return {};
    }

    /// Joins by id if all ids that Kineto recorded are known and their collectives agree, which means one recording.
    bool joinByRecordId(std::map<std::uint32_t, Events> &rows) {
        std::unordered_map<std::int64_t, const Communication *> byId;
        for (const Communication &communication : m_companion.communications)
            byId.emplace(communication.recordId, &communication);
        std::vector<std::pair<TraceEvent *, const Communication *>> pairs;
        for (auto &[row, events] : rows) {
            for (TraceEvent *event : events) {
                const std::int64_t id =
                    event->detail < 0 ? -1 : m_trace.details[static_cast<std::size_t>(event->detail)].recordId;
                const auto found = byId.find(id);
                if (id < 0 || found == byId.end() || !agrees(*event, *found->second).empty())
                    return false;
                pairs.emplace_back(event, found->second);
            }
        }
        for (const auto &[event, communication] : pairs)
            fill(*event, *communication);
        m_use.byRecordId = true;
        return true;
    }

    /// Why the two cannot be the same collective; empty = they can.
    [[nodiscard]] std::string agrees(const TraceEvent &event, const Communication &communication) const {
        if (event.detail < 0)
            return {};
        const EventDetail &detail = m_trace.details[static_cast<std::size_t>(event.detail)];
        if (!detail.collective.empty() && !communication.name.empty() && detail.collective != communication.name)
            return fmt::format("its {} is a {} there", communication.name, detail.collective);
        if (detail.groupSize > 0 && communication.groupSize > 0 && detail.groupSize != communication.groupSize)
            return fmt::format("its {} is among {} ranks, there among {}", communication.name, communication.groupSize,
                               detail.groupSize);
        if (detail.inElements >= 0 && communication.inElements >= 0 && detail.collective != "wait" &&
            detail.inElements != communication.inElements)
            return fmt::format("its {} has {} elements, there {}", communication.name, communication.inElements,
                               detail.inElements);
        if (detail.dims.size() == 1 && communication.inElements >= 0 && detail.dims.front() != communication.inElements)
            return fmt::format("its {} has {} elements, there {}", communication.name, communication.inElements,
                               detail.dims.front());
        return {};
    }

    Result<void> take(TraceEvent &event, const Communication &communication) {
        if (const std::string why = agrees(event, communication); !why.empty())
            return strangers(why);
        fill(event, communication);
        return {};
    }

    void fill(TraceEvent &event, const Communication &communication) {
        EventDetail &detail = detailOf(event);
        const bool traffic = communication.name != "wait";
        m_use.sizes += traffic && detail.inElements < 0 && detail.dims.empty() && communication.inElements >= 0 ? 1 : 0;
        m_use.groups += traffic && detail.groupName.empty() && !communication.groupName.empty() ? 1 : 0;
        if (detail.collective.empty())
            detail.collective = communication.name;
        if (detail.inElements < 0)
            detail.inElements = communication.inElements;
        if (detail.outElements < 0)
            detail.outElements = communication.outElements;
        if (detail.groupSize <= 0)
            detail.groupSize = communication.groupSize;
        if (detail.groupName.empty() && traffic)
            detail.groupName = communication.groupName;
        if (detail.type.empty())
            detail.type = communication.type;
    }

    /// Every step sums the same gradients in the same order, so the trace's list repeats.
    Result<void> joinGradients() {
        const std::vector<Gradient> &gradients = m_companion.gradients;
        Events events;
        for (auto &[row, ops] : opsNamed("torch::autograd::AccumulateGrad"))
            events.insert(events.end(), ops.begin(), ops.end());
        if (events.empty())
            return {}; // Kineto traces from before 2022 may lack the op
        std::stable_sort(events.begin(), events.end(),
                         [](const TraceEvent *a, const TraceEvent *b) { return a->start < b->start; });
        const std::size_t period = events.size() % gradients.size() == 0 ? gradients.size() : periodOf(gradients);
        if (events.size() % period != 0)
            return strangers(fmt::format("it has {} gradients a step, the Kineto trace {} in all", period, events.size()));
        for (std::size_t i = 0; i < events.size(); ++i) {
            const Gradient &gradient = gradients[i % period];
            EventDetail &detail = detailOf(*events[i]);
            if (detail.hasDims && !detail.dims.empty()) {
                if (gradient.defined && detail.dims != gradient.dims)
                    return strangers(fmt::format("its gradient {} has another shape", i % period));
                continue;
            }
            if (detail.hasDims)
                continue; // called without a gradient, as the list has it
            detail.hasDims = true;
            detail.dims = gradient.dims;
            detail.type = gradient.type;
            m_use.variables += gradient.defined ? 1 : 0;
        }
        return {};
    }

    /// Length of the shortest part that the list repeats.
    static std::size_t periodOf(const std::vector<Gradient> &gradients) {
        const auto same = [](const Gradient &a, const Gradient &b) { return a.dims == b.dims && a.defined == b.defined; };
        for (std::size_t period = 1; period <= gradients.size(); ++period) {
            if (gradients.size() % period != 0)
                continue;
            bool repeats = true;
            for (std::size_t i = period; repeats && i < gradients.size(); ++i)
                repeats = same(gradients[i], gradients[i - period]);
            if (repeats)
                return period;
        }
        return gradients.size();
    }

    TraceEvents &m_trace;
    const ExecutionTrace &m_companion;
    ExecutionTraceUse m_use;
};

} // namespace

Result<ExecutionTraceUse> applyExecutionTrace(TraceEvents &trace, const ExecutionTrace &companion) {
    return Join(trace, companion).run();
}

} // namespace syncopate
