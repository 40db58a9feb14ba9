// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the dependencies between work and collectives. c10d makes a collective's stream wait for the work given to the compute
// stream so far, and wait() makes the compute stream wait for the collective; a trace has these calls (cudaStreamWaitEvent)
// without their purpose. So a collective is taken to depend on work that was launched before it and had ended when it began. The
// first later work that was launched after a wait, and began after the collective had ended, is taken to depend on it. Such a
// dependency is never later than the real one.
#include "engine/profile/recorded_step.h"
#include "engine/profile/torch/kineto_analysis.h"
#include "engine/profile/torch/kineto_groups.h"
#include "engine/profile/torch/kineto_raw_event.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace syncopate::kineto {

namespace {

/// A collective with all the kernels that it consists of.
struct Whole {
    const Collective *first = nullptr;      ///< the kernel with the size
    Nanoseconds launched = 0;               ///< when the host launched it
    Nanoseconds callStart = 0, callEnd = 0; ///< of the host's op that launched it, or of the launch
    Nanoseconds start = 0;                  ///< of the first kernel
    Nanoseconds end = 0;                    ///< of the last kernel
    double seconds = 0;                     ///< of its kernels
    std::size_t from = 0;                   ///< it waits for all work before this index
    std::size_t to = 0;                     ///< first work that waits for it; past the end: the next step
    std::optional<RecordedOp> permute{};    ///< the permute that a send and a receive make
};

bool isWait(const std::string &name) {
    for (const char *call : {"StreamWaitEvent", "EventSynchronize", "StreamSynchronize", "DeviceSynchronize"})
        if (name.find(call) != std::string::npos)
            return true;
    return false;
}

class StepRecorder {
public:
    StepRecorder(const TraceEvents &trace, const Analysis &analysis, const StepMeasure &measure, std::int32_t step)
        : m_trace(trace), m_analysis(analysis), m_measure(measure), m_step(step),
          m_work(analysis.stepWork[static_cast<std::size_t>(step)]), m_groups(trace) {}

    std::shared_ptr<const RecordedStep> record() {
        gatherCollectives();
        if (m_wholes.empty() || m_work.empty())
            return nullptr;
        gatherWaits();
        for (const std::uint32_t index : m_work)
            m_launches.push_back(launchOf(m_analysis.work[index].event, m_analysis.work[index].start));
        for (Whole &whole : m_wholes)
            if (!place(whole))
                return nullptr;
        pairTransfers();
        if (m_wholes.empty())
            return nullptr;
        std::vector<StepCollective> collectives;
        for (std::size_t w = 0; w < m_wholes.size(); ++w)
            collectives.push_back(collectiveOf(w));
        RecordedStep step = assembleStep(stepWork(), std::move(collectives));
        step.leftOut = std::move(m_leftOut);
        state(step.notes);
        return std::make_shared<const RecordedStep>(std::move(step));
    }

private:
    [[nodiscard]] const Work &work(std::size_t i) const { return m_analysis.work[m_work[i]]; }

    /// When the host launched a device event; host ops count as their own launch.
    [[nodiscard]] Nanoseconds launchOf(std::uint32_t event, Nanoseconds start) const {
        const std::int32_t launch = m_trace.events[event].onDevice() ? m_analysis.contexts[event].parent : -1;
        return launch >= 0 ? m_trace.events[static_cast<std::size_t>(launch)].start : start;
    }

    /// Finds the launch of a collective and the communication ops around it.
    void findCall(Whole &whole) const {
        const std::uint32_t event = whole.first->event;
        whole.launched = whole.callStart = whole.callEnd = launchOf(event, whole.start);
        std::int32_t around = m_trace.events[event].onDevice() ? m_analysis.contexts[event].parent : -1;
        constexpr int maxLevels = 64; // bounds the cost for deeply nested traces
        for (int level = 0; around >= 0 && level < maxLevels; ++level) {
            const TraceEvent &e = m_trace.events[static_cast<std::size_t>(around)];
            if (e.kind == EventKind::Runtime || isCommunicationOp(m_trace.nameOf(e))) {
                whole.callStart = std::min(whole.callStart, e.start);
                whole.callEnd = std::max(whole.callEnd, e.end());
            }
            around = m_analysis.contexts[static_cast<std::size_t>(around)].parent;
        }
        if (whole.first->transfers.size() > 1) // a batch is called transfer by transfer, and then launched
            whole.callStart = std::min(whole.callStart, m_trace.events[whole.first->transfers.front().op].start);
    }

    void gatherCollectives() {
        std::unordered_map<std::uint32_t, std::size_t> wholeOf; // by the event of its first kernel
        for (const std::uint32_t index : m_analysis.stepCollectives[static_cast<std::size_t>(m_step)]) {
            const Collective &collective = m_analysis.collectives[index];
            if (collective.continued) { // skipped if its first kernel was left out or is in the step before
                if (const auto whole = wholeOf.find(collective.firstEvent); whole != wholeOf.end())
                    m_wholes[whole->second].end = std::max(m_wholes[whole->second].end, collective.end);
            } else if (collective.name != "barrier") {
                Whole whole{.first = &collective, .start = collective.start, .end = collective.end};
                findCall(whole);
                wholeOf.emplace(collective.event, m_wholes.size());
                m_wholes.push_back(whole);
            }
        }
        std::stable_sort(m_wholes.begin(), m_wholes.end(),
                         [](const Whole &a, const Whole &b) { return a.launched < b.launched; });
    }

    /// Gathers the host's waits in the step, except those within calls of collectives.
    void gatherWaits() {
        std::vector<std::int8_t> isWaitName(m_trace.names.size(), -1);
        std::vector<Nanoseconds> all;
        for (std::uint32_t i = 0; i < m_trace.events.size() && !m_analysis.stopsAt(i); ++i) {
            const TraceEvent &e = m_trace.events[i];
            if (e.kind != EventKind::Runtime || m_analysis.contexts[i].step != m_step)
                continue;
            std::int8_t &known = isWaitName[e.name];
            if (known < 0)
                known = isWait(m_trace.nameOf(e)) ? 1 : 0;
            if (known == 1)
                all.push_back(e.start);
        }
        std::sort(all.begin(), all.end());
        std::size_t call = 0; // calls are sorted by launch; of nested calls the last one counts
        for (const Nanoseconds wait : all) {
            while (call < m_wholes.size() && m_wholes[call].callEnd < wait)
                ++call;
            if (call == m_wholes.size() || wait < m_wholes[call].callStart)
                m_waits.push_back(wait);
        }
    }

    /// Finds the work before and after a collective; returns false if that takes too long.
    [[nodiscard]] bool place(Whole &whole) {
        const auto startsBefore = [&](std::uint32_t index, Nanoseconds time) { return m_analysis.work[index].start < time; };
        const auto firstAt = [&](Nanoseconds time) {
            return static_cast<std::size_t>(std::lower_bound(m_work.begin(), m_work.end(), time, startsBefore) - m_work.begin());
        };
        for (std::size_t i = firstAt(whole.start); i-- > 0 && whole.from == 0 && m_looks > 0; --m_looks)
            if (m_launches[i] < whole.launched && work(i).end <= whole.start)
                whole.from = i + 1;
        Nanoseconds waited = whole.launched;
        whole.to = m_work.size();
        if (!m_waits.empty()) {
            const auto wait = std::upper_bound(m_waits.begin(), m_waits.end(), whole.callEnd);
            if (wait == m_waits.end())
                return true;
            waited = *wait;
        }
        for (std::size_t i = std::max(whole.from, firstAt(whole.end)); i < m_work.size() && m_looks > 0; ++i, --m_looks)
            if (m_launches[i] > waited && (!whole.first->gradient || work(i).phase == Phase::Update)) {
                whole.to = i;
                break;
            }
        return m_looks > 0;
    }

    /// Pairs sends and receives that are one permute, and leaves out the others.
    void pairTransfers() {
        std::vector<Whole> all = std::exchange(m_wholes, {});
        for (std::size_t w = 0; w < all.size(); ++w) {
            Whole &whole = all[w];
            whole.seconds = static_cast<double>(whole.end - whole.start) * 1e-9;
            const bool isAlone = whole.first->transfers.size() == 1;
            if (!whole.first->pointToPoint)
                m_wholes.push_back(std::move(whole));
            else if (!isAlone || w + 1 == all.size() || all[w + 1].first->transfers.size() != 1 || !join(whole, all[w + 1]))
                takeBatch(whole);
            else
                ++w;
        }
    }

    /// Adds the permute that a transfer makes with the next one called; false if they make none. It takes over the dependencies
    /// of both, in both directions.
    bool join(const Whole &one, const Whole &next) {
        const Collective &a = *one.first, &b = *next.first;
        const auto wait = std::upper_bound(m_waits.begin(), m_waits.end(), one.callEnd);
        const bool isOneForTheOther = wait != m_waits.end() && *wait < next.launched && one.end <= next.start;
        Whole joined = one;
        joined.launched = next.launched;
        joined.callEnd = std::min(one.callEnd, next.callEnd);
        joined.start = std::max(one.start, next.start);
        joined.end = std::min(one.end, next.end);
        joined.seconds = std::max(one.seconds, static_cast<double>(next.end - next.start) * 1e-9);
        joined.from = std::max(one.from, next.from);
        joined.to = std::min(one.to, next.to);
        if (isOneForTheOther || joined.to < joined.from || a.group != b.group || a.groupSize != b.groupSize)
            return false;
        RecordedOp group;
        m_groups.setGroup(a, group);
        joined.permute = permuteOf(m_groups.transfersOf(a).front(), m_groups.transfersOf(b).front(), group);
        if (!joined.permute)
            return false;
        m_wholes.push_back(std::move(joined));
        return true;
    }

    /// Adds the permutes of one kernel's transfers: each transfer is paired with the first one that matches it.
    void takeBatch(const Whole &whole) {
        constexpr std::size_t maxBatch = 256; // compared pair by pair
        std::vector<PlacedTransfer> transfers = m_groups.transfersOf(*whole.first);
        if (transfers.size() > maxBatch) {
            m_leftOut.push_back(fmt::format("batch of {} sends and receives", transfers.size()));
            return;
        }
        RecordedOp group;
        m_groups.setGroup(*whole.first, group);
        while (!transfers.empty()) {
            const PlacedTransfer one = transfers.front();
            transfers.erase(transfers.begin());
            std::optional<RecordedOp> permute;
            const auto other = std::find_if(transfers.begin(), transfers.end(), [&](const PlacedTransfer &each) {
                permute = permuteOf(one, each, group);
                return permute.has_value();
            });
            if (!permute) {
                m_leftOut.push_back(leftOutText(one));
                continue;
            }
            transfers.erase(other);
            m_batched = true;
            m_wholes.push_back(whole);
            m_wholes.back().permute = std::move(permute);
        }
    }

    /// The step's work. Time in which the device waits for the host is added to the work before, or to the first if there is
    /// none.
    [[nodiscard]] std::vector<StepWork> stepWork() const {
        std::vector<StepWork> each;
        for (std::size_t i = 0; i < m_work.size(); ++i)
            each.push_back({0, work(i).phase});
        std::size_t at = 0;
        sweepStep(
            m_analysis, m_measure, communicationOf(m_analysis, m_step), m_step,
            [&](const Work & /*work*/, Nanoseconds busy) { each[at++].seconds += static_cast<double>(busy) * 1e-9; },
            [&](const Work & /*before*/, Nanoseconds idle) {
                each[at > 0 ? at - 1 : 0].seconds += static_cast<double>(idle) * 1e-9;
            });
        return each;
    }

    [[nodiscard]] StepCollective collectiveOf(std::size_t number) {
        const Whole &whole = m_wholes[number];
        const Collective &first = *whole.first;
        StepCollective collective{.op = {.name = {}, .collective = first.name}, .from = whole.from, .to = whole.to};
        if (whole.permute) {
            collective.op = *whole.permute;
        } else {
            collective.op.sizeBytes = static_cast<double>(first.elements) * static_cast<double>(sizeOf(first.dtype));
            m_groups.setGroup(first, collective.op);
        }
        collective.op.seconds = whole.seconds;
        collective.op.backward = first.phase == Phase::Backward;
        addCollectivesBefore(number, collective.after);
        return collective;
    }

    /// Adds the collectives that the host had waited for when it called this one, unless work lies between.
    void addCollectivesBefore(std::size_t number, std::vector<std::size_t> &after) const {
        const Whole &whole = m_wholes[number];
        constexpr std::size_t looked = 64;
        for (std::size_t w = number; w-- > 0 && number - w <= looked;) {
            const Whole &before = m_wholes[w];
            const auto wait = std::upper_bound(m_waits.begin(), m_waits.end(), before.callEnd);
            if (!before.first->gradient && before.to >= whole.from && before.end <= whole.start && wait != m_waits.end() &&
                *wait < whole.launched)
                after.push_back(w);
        }
    }

    void state(std::vector<std::string> &notes) const {
        std::set<std::uint32_t> streams;
        for (std::size_t i = 0; i < m_work.size(); ++i)
            streams.insert(work(i).row);
        notes.push_back(
            m_waits.empty()
                ? "The trace has no waits of the host: the first work that was launched after a collective and began when it had "
                  "ended is taken to depend on it, though it may have begun then by chance."
                : "The trace does not say which collective a wait was for: the first work that was launched after a wait behind "
                  "a collective, and began when it had ended, is taken to depend on it, though the wait may have been for "
                  "another one.");
        notes.emplace_back(
            "A collective that no work of its step is seen to wait for is waited for at the beginning of the next; "
            "gradients are waited for by the update.");
        if (m_batched)
            notes.emplace_back(
                "A kernel without an op of its own is taken to do the sends and receives that its thread had called "
                "since the communication before it.");
        if (streams.size() > 1)
            notes.push_back(
                fmt::format("Work of {} streams is one compute stream, in the order of its starts; concurrent work counts once.",
                            streams.size()));
    }

    const TraceEvents &m_trace;
    const Analysis &m_analysis;
    const StepMeasure &m_measure;
    const std::int32_t m_step;
    const std::vector<std::uint32_t> &m_work; ///< the step's work, by start
    std::vector<Nanoseconds> m_launches;      ///< launch of each work
    std::vector<Nanoseconds> m_waits;         ///< of the host, ascending
    std::vector<Whole> m_wholes;              ///< by launch
    std::int64_t m_looks = 50'000'000;        ///< budget of visits to work, so that disordered traces come to an end
    std::vector<std::string> m_leftOut;
    bool m_batched = false; ///< some permute is of a batch
    ProcessGroups m_groups;
};

} // namespace

std::shared_ptr<const RecordedStep> recordStep(const TraceEvents &trace, const Analysis &analysis, const StepMeasure &measure,
                                               std::int32_t step) {
    return StepRecorder(trace, analysis, measure, step).record();
}

} // namespace syncopate::kineto
