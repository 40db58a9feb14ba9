// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/lane_packer.h"
#include "engine/profile/torch/kineto_analysis.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace syncopate::kineto {

namespace {

class TimelineBuilder {
public:
    TimelineBuilder(const TraceEvents &trace, const Analysis &analysis, Nanoseconds zero)
        : m_trace(trace), m_analysis(analysis), m_zero(zero) {}

    Timeline build(const std::vector<StepMeasure> &measures) {
        std::set<std::string> devices;
        for (const TraceRow &row : m_trace.rows) {
            if (row.device)
                devices.insert(row.process);
        }
        m_manyDevices = devices.size() > 1;
        m_labels.assign(m_trace.names.size(), -1);
        for (std::size_t i = 0; i < m_analysis.work.size(); ++i) {
            if (m_analysis.stopsAt(i))
                return {};
            const Work &work = m_analysis.work[i];
            add(work.copy ? "memory" : "compute", !work.copy, work.start, work.end, categoryOf(work), work.event, 0);
        }
        for (const Collective &collective : m_analysis.collectives) {
            const bool reduces = collective.name == "allreduce";
            add("communication", false, collective.start, collective.end, reduces ? Category::AllReduce : Category::OtherComm,
                collective.event, static_cast<double>(collective.elements) * static_cast<double>(sizeOf(collective.dtype)));
        }
        takeLanes();
        for (const StepMeasure &measure : measures)
            m_timeline.iterationStart.push_back(std::max<Nanoseconds>(0, measure.start - m_zero));
        std::sort(m_timeline.iterationStart.begin(), m_timeline.iterationStart.end());
        return std::move(m_timeline);
    }

private:
    static Category categoryOf(const Work &work) {
        if (work.copy)
            return Category::Copy;
        if (work.step < 0 || !work.known)
            return Category::OtherCompute;
        return work.phase == Phase::Forward    ? Category::Forward
               : work.phase == Phase::Backward ? Category::Backward
                                               : Category::Update;
    }

    void takeLanes() {
        for (auto &[key, lanes] : m_lanes) {
            for (Lane &lane : lanes) {
                if (lane.size() > 0)
                    m_timeline.duration = std::max(m_timeline.duration, lane.end.back());
                m_timeline.lanes.push_back(std::move(lane));
            }
        }
    }

    /// Compute lanes first, then memory, then communication; by stream within each.
    using Key = std::pair<int, std::uint32_t>;

    std::vector<Lane> &lanesOf(const Key &key) {
        if (!m_last || m_lastKey != key) {
            m_last = &m_lanes[key];
            m_lastKey = key;
        }
        return *m_last;
    }

    void add(const char *what, bool compute, Nanoseconds start, Nanoseconds end, Category category, std::uint32_t event,
             double bytes) {
        const TraceEvent &e = m_trace.events[event];
        const int order = compute ? 0 : isCommunication(category) ? 2 : 1;
        std::vector<Lane> &lanes = lanesOf({order, e.row});
        // Host collectives of one thread overlap: each goes to the first free lane, or the last one.
        const bool spread = !m_trace.rows[e.row].device;
        Lane *lane = nullptr;
        for (Lane &candidate : lanes) {
            if (!spread || candidate.size() == 0 || candidate.end.back() <= start - m_zero) {
                lane = &candidate;
                break;
            }
        }
        if (!lane && lanes.size() == LanePacker::maxLanes)
            lane = &lanes.back();
        if (!lane) {
            lanes.push_back(Lane{});
            lane = &lanes.back();
            lane->name = laneName(what, e.row, lanes.size());
            lane->worker = 0;
            lane->isCompute = compute;
        }
        // Old traces round to microseconds, so a span may seem to start within the one before.
        const Nanoseconds from = std::max(start - m_zero, lane->size() > 0 ? lane->end.back() : 0);
        lane->start.push_back(from);
        lane->end.push_back(std::max(from, end - m_zero));
        lane->category.push_back(category);
        lane->label.push_back(label(e.name));
        lane->variable.push_back(-1);
        lane->task.push_back(static_cast<std::int32_t>(event));
        lane->sizeBytes.push_back(bytes);
    }

    std::string laneName(const char *what, std::uint32_t row, std::size_t number) const {
        const TraceRow &r = m_trace.rows[row];
        std::string name = r.device ? fmt::format("{} stream {}", what, r.thread) : fmt::format("{} thread {}", what, r.thread);
        if (r.device && m_manyDevices)
            name = fmt::format("device {} {}", r.process, name);
        return number > 1 ? fmt::format("{} ({})", name, number) : name;
    }

    std::int32_t label(std::uint32_t name) {
        if (m_labels[name] < 0) {
            m_labels[name] = static_cast<std::int32_t>(m_timeline.labels.size());
            m_timeline.labels.push_back(m_trace.names[name]);
        }
        return m_labels[name];
    }

    const TraceEvents &m_trace;
    const Analysis &m_analysis;
    const Nanoseconds m_zero;
    bool m_manyDevices = false;
    Timeline m_timeline;
    std::map<Key, std::vector<Lane>> m_lanes;
    std::vector<Lane> *m_last = nullptr; ///< lanes of m_lastKey: consecutive events mostly share a row
    Key m_lastKey;
    std::vector<std::int32_t> m_labels; ///< per name; -1 = not used yet
};

} // namespace

Timeline buildTimeline(const TraceEvents &trace, const Analysis &analysis, const std::vector<StepMeasure> &measures,
                       Nanoseconds zero) {
    return TimelineBuilder(trace, analysis, zero).build(measures);
}

} // namespace syncopate::kineto
