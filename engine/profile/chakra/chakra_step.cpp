// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/chakra/chakra_step.h"

#include "engine/base/stoppable_sort.h"
#include "engine/base/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace syncopate {

namespace {

using Index = std::size_t;
using kineto::Phase;

/// Strips the piece: "aten::conv2d(1)" is part of "aten::conv2d", which the converter cuts wherever it launches something.
std::string wholeName(const std::string &name) {
    const std::size_t open = name.rfind('(');
    const bool piece = open != std::string::npos && open > 0 && name.ends_with(')') && open + 2 < name.size() &&
                       name.find_first_not_of("0123456789", open + 1) == name.size() - 1;
    return piece ? name.substr(0, open) : name;
}

/// The kind of an op that owns parameters, by its forward or backward name; empty = it owns none.
std::string_view ownerKind(const std::string &name) {
    if (name.find("upsample") != std::string::npos) // upsample_bilinear2d is no linear layer
        return {};
    for (const auto &[mark, kind] :
         {std::pair{"conv", "conv"}, std::pair{"batch_norm", "batch_norm"}, std::pair{"layer_norm", "layer_norm"},
          std::pair{"group_norm", "group_norm"}, std::pair{"embedding", "embedding"}, std::pair{"linear", "linear"},
          std::pair{"addmm", "linear"}, std::pair{"lstm", "lstm"}, std::pair{"gru", "gru"}}) {
        if (name.find(mark) != std::string::npos)
            return kind;
    }
    return {};
}

class StepFinder {
public:
    StepFinder(ChakraTrace trace, const std::string &file, const std::stop_token &stop) : m_file(file), m_stop(stop) {
        m_step.trace = std::move(trace);
    }

    Result<ChakraStep> find() {
        lookAtNames();
        TRY(findPhases());
        schedule();
        if (m_stop.stop_requested())
            return cancelled(m_file);
        return std::move(m_step);
    }

private:
    void lookAtNames() {
        m_step.names.reserve(m_step.trace.names.size());
        for (std::uint32_t i = 0; i < m_step.trace.names.size(); ++i) {
            const std::string &name = m_step.trace.names[i];
            const std::string whole = wholeName(name);
            m_step.names.push_back({m_step.wholes.intern(whole), ownerKind(whole), isChakraBackward(name),
                                    isChakraBackward(whole), name.ends_with("(0)"), whole == name});
        }
    }

    /// Counts of nodes, and where phases begin and end.
    struct Census {
        std::uint64_t compute = 0, communication = 0, withTime = 0;
        std::set<std::int64_t> backwardThreads, forwardThreads;
        Index firstBackward = 0, lastBackward = 0; ///< first: the node count if there is none
    };

    Result<void> findPhases() {
        Census census = takeCensus();
        TRY(requireTraining(census));
        const auto &nodes = m_step.trace.nodes;
        // Ops on the autograd thread are the backward pass; the main thread resumes when that is done.
        const auto autograd = [&](const ChakraNode &n) {
            return n.onHost && census.backwardThreads.contains(n.thread) && !census.forwardThreads.contains(n.thread);
        };
        for (Index i = census.firstBackward; i < nodes.size(); ++i)
            census.lastBackward = autograd(nodes[i]) ? std::max(census.lastBackward, i) : census.lastBackward;
        m_step.phase.assign(nodes.size(), Phase::Forward);
        for (Index i = 0; i < nodes.size(); ++i) {
            if (nodes[i].onHost)
                m_step.phase[i] = autograd(nodes[i])         ? Phase::Backward
                                  : i < census.firstBackward ? Phase::Forward
                                  : i > census.lastBackward  ? Phase::Update
                                                             : Phase::Backward;
        }
        for (Index i = 0; i < nodes.size(); ++i) {
            if (!nodes[i].onHost && m_step.launch[i] >= 0)
                m_step.phase[i] = m_step.phase[static_cast<Index>(m_step.launch[i])];
        }
        return {};
    }

    /// Counts the nodes and finds the launch of each device node.
    Census takeCensus() {
        const auto &nodes = m_step.trace.nodes;
        m_step.launch.assign(nodes.size(), -1);
        Census census;
        census.firstBackward = nodes.size();
        for (Index i = 0; i < nodes.size(); ++i) {
            const ChakraNode &n = nodes[i];
            census.compute += n.kind == ChakraNode::Kind::Compute ? 1 : 0;
            census.communication += n.communicates() ? 1 : 0;
            census.withTime += n.durationMicros > 0 ? 1 : 0;
            m_step.onDevice |= !n.onHost && n.kind == ChakraNode::Kind::Compute;
            if (n.onHost && n.sequence >= 0)
                census.forwardThreads.insert(n.thread);
            if (n.onHost && m_step.factsOf(n).backward) {
                census.backwardThreads.insert(n.thread);
                census.firstBackward = std::min(census.firstBackward, i);
                census.lastBackward = i;
            }
            m_step.launch[i] = chakraLaunchOf(m_step.trace, i, [](Index node) { return node; });
        }
        return census;
    }

    [[nodiscard]] Result<void> requireTraining(const Census &census) const {
        const std::size_t count = m_step.trace.nodes.size();
        if (census.compute == 0)
            return fail(
                fmt::format("its {} nodes hold no computation: this is a workload of {} collectives or transfers, not a profile",
                            count, census.communication),
                "give a trace converted from a PyTorch training step", m_file);
        if (census.withTime == 0)
            return fail(fmt::format("none of its {} nodes has a duration", count),
                        "convert the trace together with its Kineto trace", m_file);
        if (census.firstBackward == count)
            return fail(
                fmt::format("none of its {} nodes is an op of a backward pass: this is inference, or not from PyTorch", count),
                "give a trace converted from a PyTorch training step", m_file);
        return {};
    }

    /// Takes the recorded starts, if any; otherwise starts nodes as soon as dependencies allow.
    void schedule() {
        const auto &nodes = m_step.trace.nodes;
        m_step.start.assign(nodes.size(), 0);
        m_step.end.assign(nodes.size(), 0);
        const Clock clock = readClock();
        m_step.recorded = clock.first <= clock.last;
        if (m_step.recorded && m_step.startless > 0)
            m_step.notAtZero = whyNotAtZero(clock);
        const std::uint64_t origin = m_step.startsAtZero() ? 0 : clock.first;
        std::map<std::pair<bool, std::int64_t>, Nanoseconds> free;
        for (Index i = 0; i < nodes.size(); ++i) {
            if (i % stopInterval == 0 && m_stop.stop_requested())
                return;
            const ChakraNode &n = nodes[i];
            const auto duration = static_cast<Nanoseconds>(n.boundedMicros()) * 1000;
            constexpr Nanoseconds bound = std::numeric_limits<Nanoseconds>::max() / 4;
            Nanoseconds &until = free[{n.onHost, n.thread}];
            Nanoseconds start = 0;
            if (m_step.recorded) {
                start = n.startMicros > origin
                            ? static_cast<Nanoseconds>(std::min<std::uint64_t>(n.startMicros - origin, bound / 1000)) * 1000
                            : 0;
            } else {
                start = until;
                for (const std::int32_t input : m_step.trace.inputsOf(n)) {
                    if (input >= 0 && static_cast<Index>(input) < i)
                        start = std::max(start, m_step.end[static_cast<Index>(input)]);
                }
            }
            m_step.start[i] = std::min(start, bound);
            m_step.end[i] = m_step.start[i] + duration;
            until = std::max(until, std::min(m_step.end[i], bound));
        }
    }

    [[nodiscard]] bool isStartless(const ChakraNode &n) const {
        return n.startMicros == 0 && (n.durationMicros > 0 || m_step.counts(n));
    }

    /// Range of the trace's clock, in microseconds.
    struct Clock {
        std::uint64_t first = std::numeric_limits<std::uint64_t>::max(), last = 0; ///< earliest and latest recorded start
        std::uint64_t startlessEnd = 0; ///< latest end of nodes without a start, had they started at 0
    };
    Clock readClock() {
        Clock clock;
        for (const ChakraNode &n : m_step.trace.nodes) {
            if (n.startMicros > 0) {
                clock.first = std::min(clock.first, n.startMicros);
                clock.last = std::max(clock.last, n.startMicros);
            } else if (isStartless(n)) {
                ++m_step.startless;
                clock.startlessEnd = std::max(clock.startlessEnd, n.boundedMicros());
            }
        }
        return clock;
    }

    /// Evidence that nodes without a start did not start at 0; empty = none. A device stream runs one kernel at a time, give or
    /// take a microsecond of rounding; ops of a thread may nest.
    [[nodiscard]] std::string whyNotAtZero(const Clock &clock) const {
        if (clock.first > clock.startlessEnd && clock.first - clock.startlessEnd > clock.last - clock.first)
            return "the clock began longer before the trace than the trace lasts";
        std::map<std::int64_t, const ChakraNode *> running; // from 0 on, by stream
        for (const ChakraNode &n : m_step.trace.nodes) {
            if (!isStartless(n))
                continue;
            for (const std::int32_t input : m_step.trace.inputsOf(n)) {
                if (input >= 0 && m_step.node(static_cast<Index>(input)).startMicros > 0)
                    return fmt::format("{} depends on a node that started later", nameOf(n));
            }
            if (!n.onHost && n.durationMicros > 0 && !running.emplace(n.thread, &n).second)
                return fmt::format("{} would have run together with another one on stream {}", nameOf(n), n.thread);
        }
        for (const ChakraNode &n : m_step.trace.nodes) {
            const auto other = n.onHost || n.startMicros == 0 ? running.end() : running.find(n.thread);
            if (other != running.end() && n.startMicros < other->second->boundedMicros() - 1)
                return fmt::format("{} would not have ended before the next on stream {}", nameOf(*other->second), n.thread);
        }
        return {};
    }
    [[nodiscard]] std::string nameOf(const ChakraNode &n) const {
        return fmt::format("\"{}\"", cutInMiddle(visibleText(m_step.trace.names[n.name]), maxShownNameBytes));
    }

    const std::string &m_file;
    const std::stop_token &m_stop;
    ChakraStep m_step;
};

} // namespace

Result<ChakraStep> chakraStepOf(ChakraTrace trace, const std::string &file, const std::stop_token &stop) {
    return StepFinder(std::move(trace), file, stop).find();
}

} // namespace syncopate
