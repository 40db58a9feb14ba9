// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/units.h"
#include "engine/profile/chakra/chakra.h"
#include "engine/profile/finish_profile.h"
#include "engine/profile/lane_packer.h"
#include "engine/profile/step_samples.h"
#include "engine/profile/torch/kineto_analysis.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <new>
#include <numeric>
#include <optional>
#include <set>

namespace syncopate {

namespace {

using Index = std::size_t;
using kineto::Phase;

constexpr std::uint64_t longestMicros = 100'000'000'000; ///< of a node: a day and more
double seconds(Nanoseconds time) { return static_cast<double>(time) * 1e-9; }

/// "aten::conv2d(1)" is a piece of "aten::conv2d": the converter cuts an op where it launches something.
std::string wholeName(const std::string &name) {
    const std::size_t open = name.rfind('(');
    const bool piece = open != std::string::npos && open > 0 && name.ends_with(')') && open + 2 < name.size() &&
                       name.find_first_not_of("0123456789", open + 1) == name.size() - 1;
    return piece ? name.substr(0, open) : name;
}

/// The kind of an op that owns parameters, by its forward or backward name; empty = it owns none.
std::string_view ownerKind(const std::string &name) {
    for (const auto &[mark, kind] :
         {std::pair{"conv", "conv"}, std::pair{"batch_norm", "batch_norm"}, std::pair{"layer_norm", "layer_norm"},
          std::pair{"group_norm", "group_norm"}, std::pair{"embedding", "embedding"}, std::pair{"linear", "linear"},
          std::pair{"addmm", "linear"}, std::pair{"lstm", "lstm"}, std::pair{"gru", "gru"}}) {
        if (name.find(mark) != std::string::npos)
            return kind;
    }
    return {};
}

bool isBackward(const std::string &name) {
    return name.find("_backward") != std::string::npos || name.find("Backward") != std::string::npos;
}

class ChakraImport {
public:
    ChakraImport(ChakraTrace trace, std::string name, std::stop_token stop)
        : m_trace(std::move(trace)), m_name(std::move(name)), m_stop(std::move(stop)),
          m_profile(std::make_shared<ImportedProfile>()) {}

    Result<std::shared_ptr<const ImportedProfile>> import() {
        lookAtNames();
        TRY(findPhases());
        schedule();
        if (m_stop.stop_requested())
            return cancelled(m_name);
        findForwardLayers();
        findBackwardLayers();
        addTimes();
        addGradients();
        addGraphAndTimeline();
        if (m_stop.stop_requested())
            return cancelled(m_name);
        state();
        TRY(validateJob(m_profile->job, m_name));
        return std::shared_ptr<const ImportedProfile>(std::move(m_profile));
    }

private:
    /// What a name says.
    struct NameFacts {
        std::uint32_t whole = 0;    ///< in m_wholes
        std::string_view ownerKind; ///< of the whole name
        bool backward = false, wholeBackward = false;
        bool firstPiece = false; ///< "aten::conv2d(0)"
        bool isWhole = false;
    };
    void lookAtNames() {
        m_facts.reserve(m_trace.names.size());
        for (std::uint32_t i = 0; i < m_trace.names.size(); ++i) {
            const std::string &name = m_trace.names[i];
            const std::string whole = wholeName(name);
            m_facts.push_back({m_wholes.intern(whole), ownerKind(whole), isBackward(name), isBackward(whole),
                               name.ends_with("(0)"), whole == name});
        }
    }

    [[nodiscard]] const ChakraNode &node(Index i) const { return m_trace.nodes[i]; }
    [[nodiscard]] const NameFacts &factsOf(const ChakraNode &n) const { return m_facts[n.name]; }

    /// What the nodes are, as far as phases depend on it.
    struct Census {
        std::uint64_t compute = 0, communication = 0, withTime = 0;
        std::set<std::int64_t> backwardThreads, forwardThreads;
        Index firstBackward = 0, lastBackward = 0; ///< the first is behind the last node where there is none
    };

    Result<void> findPhases() {
        Census census = takeCensus();
        TRY(requireTraining(census));
        const auto &nodes = m_trace.nodes;
        // The autograd thread's ops are the backward pass; the main thread goes on when that is over.
        const auto autograd = [&](const ChakraNode &n) {
            return n.onHost && census.backwardThreads.contains(n.thread) && !census.forwardThreads.contains(n.thread);
        };
        for (Index i = census.firstBackward; i < nodes.size(); ++i)
            census.lastBackward = autograd(nodes[i]) ? std::max(census.lastBackward, i) : census.lastBackward;
        m_phase.assign(nodes.size(), Phase::Forward);
        for (Index i = 0; i < nodes.size(); ++i) {
            if (nodes[i].onHost)
                m_phase[i] = autograd(nodes[i])         ? Phase::Backward
                             : i < census.firstBackward ? Phase::Forward
                             : i > census.lastBackward  ? Phase::Update
                                                        : Phase::Backward;
        }
        for (Index i = 0; i < nodes.size(); ++i) {
            if (!nodes[i].onHost && m_launch[i] >= 0)
                m_phase[i] = m_phase[static_cast<Index>(m_launch[i])];
        }
        return {};
    }

    /// Counts the nodes, and finds what launched each device node.
    Census takeCensus() {
        const auto &nodes = m_trace.nodes;
        m_launch.assign(nodes.size(), -1);
        Census census;
        census.firstBackward = nodes.size();
        for (Index i = 0; i < nodes.size(); ++i) {
            const ChakraNode &n = nodes[i];
            census.compute += n.kind == ChakraNode::Kind::Compute ? 1 : 0;
            census.communication += n.communicates() ? 1 : 0;
            census.withTime += n.durationMicros > 0 ? 1 : 0;
            m_onDevice |= !n.onHost && n.kind == ChakraNode::Kind::Compute;
            if (n.onHost && n.sequence >= 0)
                census.forwardThreads.insert(n.thread);
            if (n.onHost && factsOf(n).backward) {
                census.backwardThreads.insert(n.thread);
                census.firstBackward = std::min(census.firstBackward, i);
                census.lastBackward = i;
            }
            if (!n.onHost)
                m_launch[i] = launchOf(n, i);
        }
        return census;
    }

    /// The op that launched a device node: the last one of the host that it depends on, or -1.
    [[nodiscard]] std::int32_t launchOf(const ChakraNode &n, Index i) const {
        std::int32_t launch = -1;
        for (const std::int32_t input : m_trace.inputsOf(n)) {
            if (input >= 0 && static_cast<Index>(input) < i && node(static_cast<Index>(input)).onHost)
                launch = std::max(launch, input);
        }
        return launch;
    }

    [[nodiscard]] Result<void> requireTraining(const Census &census) const {
        const std::size_t count = m_trace.nodes.size();
        if (census.compute == 0)
            return fail(
                fmt::format("its {} nodes hold no computation: this is a workload of {} collectives or transfers, not a profile",
                            count, census.communication),
                "give a trace converted from a PyTorch training step", m_name);
        if (census.withTime == 0)
            return fail(fmt::format("none of its {} nodes has a duration", count),
                        "convert the trace together with its Kineto trace", m_name);
        if (census.firstBackward == count)
            return fail(
                fmt::format("none of its {} nodes is an op of a backward pass: this is inference, or not from PyTorch", count),
                "give a trace converted from a PyTorch training step", m_name);
        return {};
    }

    /// Recorded starts where there are any, else what the dependencies allow.
    void schedule() {
        const auto &nodes = m_trace.nodes;
        m_start.assign(nodes.size(), 0);
        m_end.assign(nodes.size(), 0);
        std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
        for (const ChakraNode &n : nodes) {
            m_recorded |= n.startMicros > 0;
            first = n.startMicros > 0 ? std::min(first, n.startMicros) : first;
        }
        std::map<std::pair<bool, std::int64_t>, Nanoseconds> free;
        for (Index i = 0; i < nodes.size(); ++i) {
            if (i % stopInterval == 0 && m_stop.stop_requested())
                return;
            const ChakraNode &n = nodes[i];
            const auto duration = static_cast<Nanoseconds>(std::min(n.durationMicros, longestMicros)) * 1000;
            constexpr Nanoseconds bound = std::numeric_limits<Nanoseconds>::max() / 4;
            Nanoseconds &until = free[{n.onHost, n.thread}];
            Nanoseconds start = 0;
            if (m_recorded) {
                start = n.startMicros > first
                            ? static_cast<Nanoseconds>(std::min<std::uint64_t>(n.startMicros - first, bound / 1000)) * 1000
                            : 0;
            } else {
                start = until;
                for (const std::int32_t input : m_trace.inputsOf(n)) {
                    if (input >= 0 && static_cast<Index>(input) < i)
                        start = std::max(start, m_end[static_cast<Index>(input)]);
                }
            }
            m_start[i] = std::min(start, bound);
            m_end[i] = m_start[i] + duration;
            until = std::max(until, std::min(m_end[i], bound));
        }
    }

    void findForwardLayers() {
        auto &layers = m_profile->job.layers;
        m_layer.assign(m_trace.nodes.size(), -1);
        std::uint32_t last = none;
        std::int64_t lastSequence = -1;
        std::map<std::string, int> names;
        for (Index i = 0; i < m_trace.nodes.size(); ++i) {
            const ChakraNode &n = node(i);
            if (!n.onHost || m_phase[i] != Phase::Forward || n.communicates())
                continue;
            const NameFacts &facts = factsOf(n);
            if (n.sequence >= 0 && !facts.ownerKind.empty() &&
                !(facts.whole == last && n.sequence == lastSequence && !facts.firstPiece)) {
                const std::string &name = m_wholes[facts.whole];
                const std::size_t space = name.rfind("::");
                const std::string plain = space == std::string::npos ? name : name.substr(space + 2);
                Layer layer;
                layer.name = fmt::format("{}_{}", plain, ++names[plain]);
                m_owners[facts.ownerKind].push_back(static_cast<std::int32_t>(layers.size()));
                layers.push_back(std::move(layer));
            }
            last = facts.whole;
            lastSequence = n.sequence;
            m_layer[i] = std::max<std::int32_t>(0, static_cast<std::int32_t>(layers.size()) - 1);
            if (!layers.empty() && n.sequence >= 0)
                addParents(i, layers[static_cast<Index>(m_layer[i])].parents);
        }
        if (layers.empty()) {
            layers.push_back({});
            layers.back().name = "model";
        }
        for (Index l = 1; l < layers.size(); ++l) {
            if (layers[l].parents.empty())
                layers[l].parents = {static_cast<std::int32_t>(l) - 1};
        }
    }

    /// The layers of the ops that op `i` reads from.
    void addParents(Index i, std::vector<std::int32_t> &parents) const {
        for (const std::int32_t input : m_trace.inputsOf(node(i))) {
            if (input < 0 || static_cast<Index>(input) >= i || node(static_cast<Index>(input)).sequence < 0)
                continue;
            const std::int32_t parent = m_layer[static_cast<Index>(input)];
            if (parent >= 0 && parent < m_layer[i] && std::find(parents.begin(), parents.end(), parent) == parents.end())
                parents.insert(std::upper_bound(parents.begin(), parents.end(), parent), parent);
        }
    }

    void findBackwardLayers() {
        pairBackward();
        if (m_paired > 0)
            spreadBackward();
    }

    /// The k-th backward op of a kind is that of the k-th last forward op of the kind, where there are as many.
    void pairBackward() {
        std::map<std::string_view, std::vector<Index>> found; // first pieces
        std::uint32_t last = none;
        for (Index i = 0; i < m_trace.nodes.size(); ++i) {
            const ChakraNode &n = node(i);
            const NameFacts &facts = factsOf(n);
            if (!n.onHost || m_phase[i] != Phase::Backward || !facts.backward)
                continue;
            if (!facts.ownerKind.empty() && (facts.whole != last || facts.firstPiece || facts.isWhole))
                found[facts.ownerKind].push_back(i);
            last = facts.whole;
        }
        for (const auto &[kind, ops] : found) {
            const auto owners = m_owners.find(kind);
            if (owners == m_owners.end() || owners->second.size() != ops.size())
                continue;
            for (Index k = 0; k < ops.size(); ++k)
                m_layer[ops[k]] = owners->second[ops.size() - 1 - k];
            m_paired += ops.size();
        }
    }

    /// What differentiates belongs to the op that comes next, the rest (accumulation, scaling) to the one before.
    void spreadBackward() {
        std::vector<std::int32_t> next(m_trace.nodes.size(), -1);
        std::int32_t coming = -1;
        for (Index i = m_trace.nodes.size(); i-- > 0;) {
            coming = m_phase[i] == Phase::Backward && node(i).onHost && m_layer[i] >= 0 ? m_layer[i] : coming;
            next[i] = coming;
        }
        std::int32_t before = static_cast<std::int32_t>(m_profile->job.layers.size()) - 1;
        std::uint32_t current = none;
        for (Index i = 0; i < m_trace.nodes.size(); ++i) {
            if (m_phase[i] != Phase::Backward || !node(i).onHost)
                continue;
            const NameFacts &facts = factsOf(node(i));
            if (m_layer[i] < 0)
                m_layer[i] = facts.whole == current || !facts.wholeBackward || next[i] < 0 ? before : next[i];
            before = m_layer[i];
            current = facts.whole;
        }
    }

    void addTimes() {
        kineto::Ranges compute, communication;
        std::vector<Index> work;
        StepPart unplaced; // of backward ops that are in no layer
        for (Index i = 0; i < m_trace.nodes.size(); ++i) {
            const ChakraNode &n = node(i);
            if (n.communicates()) {
                if (!n.onHost)
                    communication.emplace_back(m_start[i], m_end[i]);
                continue;
            }
            if (n.onHost == m_onDevice || n.kind != ChakraNode::Kind::Compute)
                continue;
            compute.emplace_back(m_start[i], m_end[i]);
            work.push_back(i);
            if (!n.onHost && m_launch[i] < 0) {
                ++m_unknownLaunches;
                continue;
            }
            const Index owner = n.onHost ? i : static_cast<Index>(m_launch[i]);
            m_layer[i] = m_layer[owner];
            *placeOf(i, unplaced).seconds += seconds(m_end[i] - m_start[i]);
        }
        compute = kineto::unite(std::move(compute));
        communication = kineto::unite(std::move(communication));
        if (knowsStarts(work))
            addHostWaits(std::move(work), communication, unplaced);
        if (unplaced.seconds > 0)
            shareBackward(unplaced);
        addStep(compute, communication);
    }

    /// A time of the step, and which part of it the device waits for the host.
    struct StepPart {
        double seconds = 0, hostSeconds = 0;
    };
    struct Place {
        double *seconds = nullptr, *hostSeconds = nullptr;
    };

    /// The time that a node which computes counts to.
    Place placeOf(Index i, StepPart &unplaced) {
        Job &job = m_profile->job;
        if (m_phase[i] == Phase::Update)
            return {&job.updateSeconds, &job.updateHostSeconds};
        if (m_layer[i] < 0)
            return {&unplaced.seconds, &unplaced.hostSeconds};
        Layer &layer = job.layers[static_cast<Index>(m_layer[i])];
        return m_phase[i] == Phase::Forward ? Place{&layer.forwardSeconds, &layer.forwardHostSeconds}
                                            : Place{&layer.backwardSeconds, &layer.backwardHostSeconds};
    }

    /// Whether every node that computes or communicates there has a start of its own; only then is idle time known to be idle.
    [[nodiscard]] bool knowsStarts(const std::vector<Index> &work) const {
        const auto knows = [](const ChakraNode &n) { return n.startMicros > 0; };
        return std::all_of(work.begin(), work.end(), [&](Index i) { return knows(node(i)); }) &&
               std::all_of(m_trace.nodes.begin(), m_trace.nodes.end(),
                           [&](const ChakraNode &n) { return !n.communicates() || n.onHost || knows(n); });
    }

    /// Gives each layer the time behind its work in which its device neither computes nor communicates: waiting for the host.
    void addHostWaits(std::vector<Index> work, const kineto::Ranges &communication, StepPart &unplaced) {
        std::stable_sort(work.begin(), work.end(), [&](Index a, Index b) { return m_start[a] < m_start[b]; });
        m_knowsHostWaits = true;
        std::optional<Place> last;
        Nanoseconds until = 0;
        for (const Index i : work) {
            if (last && m_start[i] > until) {
                const double idle = seconds(kineto::outside(communication, until, m_start[i]));
                *last->seconds += idle;
                *last->hostSeconds += idle;
                m_hostSeconds += idle;
            }
            until = std::max(until, m_end[i]);
            if (node(i).onHost || m_launch[i] >= 0)
                last = placeOf(i, unplaced);
        }
    }

    /// Gives the layers a backward time of which no op could be paired.
    void shareBackward(const StepPart &unplaced) {
        auto &layers = m_profile->job.layers;
        const double forward = m_profile->job.forwardSeconds();
        for (Layer &layer : layers) {
            const double share = forward > 0 ? layer.forwardSeconds / forward : 1.0 / static_cast<double>(layers.size());
            layer.backwardSeconds += unplaced.seconds * share;
            layer.backwardHostSeconds += std::min(unplaced.hostSeconds, unplaced.seconds) * share;
        }
    }

    void addStep(const kineto::Ranges &compute, const kineto::Ranges &communication) {
        ImportedProfile &p = *m_profile;
        ProfileStep step;
        step.name = "trace";
        for (const Nanoseconds end : m_end)
            step.endSeconds = std::max(step.endSeconds, seconds(end));
        for (const Layer &layer : p.job.layers) {
            step.forwardSeconds += layer.forwardSeconds - layer.forwardHostSeconds;
            step.backwardSeconds += layer.backwardSeconds - layer.backwardHostSeconds;
        }
        step.updateSeconds = p.job.updateSeconds - p.job.updateHostSeconds;
        step.communicationSeconds = seconds(kineto::lengthOf(communication));
        for (const auto &[from, to] : communication)
            step.exposedCommunicationSeconds += seconds(kineto::outside(compute, from, to));
        p.steps.push_back(std::move(step));
        p.samples.push_back(sampleOf(p.job));
    }

    /// All-reduces of the backward pass, each at the layer whose backward op came before it.
    void addGradients() {
        ImportedProfile &p = *m_profile;
        std::vector<std::pair<std::int32_t, std::int64_t>> buckets; // layer, bytes
        std::int32_t layer = static_cast<std::int32_t>(p.job.layers.size()) - 1;
        for (Index i = 0; i < m_trace.nodes.size(); ++i) {
            const ChakraNode &n = node(i);
            if (m_phase[i] == Phase::Backward && n.onHost && m_layer[i] >= 0)
                layer = m_layer[i];
            if (n.kind != ChakraNode::Kind::Collective || n.onHost == m_onDevice)
                continue;
            const bool gradient = m_phase[i] == Phase::Backward && (n.collective == 0 || n.collective == 7);
            if (!gradient) {
                ++m_otherCollectives;
                continue;
            }
            if (n.sizeBytes < 4) {
                ++m_sizeless;
                continue;
            }
            const std::int64_t bytes = std::min<std::int64_t>(n.sizeBytes, std::int64_t{1} << 50);
            buckets.emplace_back(layer, bytes);
            p.gradients.push_back({0, bytes / 4, DataType::Float32, seconds(m_start[i]), seconds(m_end[i] - m_start[i])});
        }
        for (Index b = buckets.size(); b-- > 0;) { // registration order is forward order, buckets go the other way
            Variable variable;
            variable.name = fmt::format("bucket{}", b);
            variable.shape = {buckets[b].second / 4};
            p.job.layers[static_cast<Index>(buckets[b].first)].variables.push_back(
                static_cast<std::int32_t>(p.job.variables.size()));
            p.job.variables.push_back(std::move(variable));
        }
    }

    void addGraphAndTimeline() {
        auto graph = std::make_shared<OpGraph>();
        graph->file = m_name;
        graph->textBytes = m_trace.bytes;
        graph->eventCount = m_trace.nodes.size();
        graph->unresolvedInputs = m_trace.dangling;
        graph->ops.reserve(m_trace.nodes.size());
        std::vector<std::int32_t> place(m_trace.nodes.size(), -1), labels(m_trace.names.size(), -1);
        std::map<std::pair<bool, std::int64_t>, std::int32_t> resources;
        LanePacker packer;
        const LaneGroups groups = addLaneGroups(packer);
        for (const Index i : nodesByStart()) {
            const ChakraNode &n = node(i);
            const auto [resource, fresh] =
                resources.try_emplace({n.onHost, n.thread}, static_cast<std::int32_t>(graph->resources.size()));
            if (fresh)
                graph->resources.push_back(resourceOf(n));
            const auto number = static_cast<std::int32_t>(graph->ops.size());
            const ProfiledOp &op = graph->ops.emplace_back(opOf(i, resource->second, place));
            place[i] = number;
            std::int32_t &label = labels[n.name];
            if (label < 0)
                label = packer.label(op.name);
            packer.add(groups.at(laneKey(n)), m_start[i], m_end[i], categoryOf(i), label, number,
                       n.communicates() && !n.onHost ? static_cast<double>(std::max<std::int64_t>(0, n.sizeBytes)) : 0);
        }
        m_profile->timeline = packer.take();
        m_profile->timeline.iterationStart.push_back(0);
        m_profile->opGraphs.push_back(std::move(graph));
    }

    [[nodiscard]] std::vector<Index> nodesByStart() const {
        std::vector<Index> order(m_trace.nodes.size());
        std::iota(order.begin(), order.end(), Index{0});
        const auto byStart = [&](Index a, Index b) { return m_start[a] < m_start[b]; };
        if (!std::is_sorted(order.begin(), order.end(), byStart))
            std::stable_sort(order.begin(), order.end(), byStart);
        return order;
    }

    /// Lanes are of compute streams, of communication streams, and of threads, in that order.
    using LaneKey = std::pair<int, std::int64_t>;
    using LaneGroups = std::map<LaneKey, std::size_t>;
    static constexpr int computeLane = 0, communicationLane = 1, threadLane = 2;
    static LaneKey laneKey(const ChakraNode &n) {
        return {n.onHost ? threadLane : n.communicates() ? communicationLane : computeLane, n.thread};
    }
    LaneGroups addLaneGroups(LanePacker &packer) const {
        LaneGroups groups;
        for (const ChakraNode &n : m_trace.nodes)
            groups.emplace(laneKey(n), 0);
        constexpr const char *whats[] = {"compute stream", "communication stream", "thread"};
        for (auto &[key, group] : groups)
            group = packer.addGroup(fmt::format("{} {}", whats[key.first], key.second), 0,
                                    key.first == (m_onDevice ? computeLane : threadLane));
        return groups;
    }

    static ProfiledResource resourceOf(const ChakraNode &n) {
        ProfiledResource resource;
        resource.name = fmt::format("{} {}", n.onHost ? "thread" : "stream", n.thread);
        resource.kind = n.onHost ? ProfiledResource::Kind::Device : ProfiledResource::Kind::Stream;
        return resource;
    }

    /// `place`: the numbers of the ops that the nodes became so far.
    [[nodiscard]] ProfiledOp opOf(Index i, std::int32_t resource, const std::vector<std::int32_t> &place) const {
        const ChakraNode &n = node(i);
        ProfiledOp op;
        op.name = m_trace.names[n.name];
        op.type = n.communicates() ? "communication" : m_wholes[factsOf(n).whole];
        op.resource = resource;
        op.start = m_start[i];
        op.end = m_end[i];
        op.sizeBytes = n.sizeBytes;
        op.inputs.reserve(n.inputCount);
        for (const std::int32_t input : m_trace.inputsOf(n))
            op.inputs.push_back(input < 0 ? -1 : place[static_cast<Index>(input)]);
        return op;
    }

    [[nodiscard]] Category categoryOf(Index i) const {
        const ChakraNode &n = node(i);
        if (n.communicates())
            return n.onHost ? Category::OtherCompute : n.collective == 0 ? Category::AllReduce : Category::OtherComm;
        if (n.onHost == m_onDevice)
            return Category::OtherCompute;
        return m_phase[i] == Phase::Forward    ? Category::Forward
               : m_phase[i] == Phase::Backward ? Category::Backward
                                               : Category::Update;
    }

    void state() {
        ImportedProfile &p = *m_profile;
        p.file = m_name;
        p.eventCount = m_trace.nodes.size();
        p.textBytes = m_trace.bytes;
        std::uint64_t host = 0, communication = 0;
        for (const ChakraNode &n : m_trace.nodes) {
            host += n.onHost ? 1 : 0;
            communication += n.communicates() ? 1 : 0;
        }
        p.read.push_back(
            fmt::format("Chakra trace {}: {} nodes in {} bytes, {} on the host, {} of communication; {} data dependencies "
                        "name nodes that are not in the file.",
                        m_trace.version, m_trace.nodes.size(), m_trace.bytes, host, communication, m_trace.dangling));
        auto &inferred = p.inferred;
        inferred.emplace_back("The trace counts as one step. Durations are taken as microseconds.");
        inferred.push_back(
            m_recorded ? std::string("The timeline has the recorded starts.")
                       : std::string("The nodes have no start times: the timeline replays them, each as soon as its thread or "
                                     "stream is free and its data is there."));
        inferred.push_back(
            fmt::format("{} layers: one for each forward op that owns parameters (by its name); their parents follow the "
                        "data dependencies.",
                        p.job.layers.size()));
        inferred.push_back(
            m_paired > 0 ? fmt::format("{} backward ops were paired with forward ops of their kind, last with first; kernels "
                                       "belong to the op of the host that they depend on.",
                                       m_paired)
                         : std::string("No backward op could be paired with a forward op: the backward time is shared out in "
                                       "proportion to the layers' forward times."));
        if (m_unknownLaunches > 0)
            inferred.push_back(fmt::format("{} kernels depend on no op of the host: shown, but in no layer.", m_unknownLaunches));
        inferred.push_back(
            fmt::format("{} gradient collectives with {} elements (taken as float32) stand for the variables; {} have no "
                        "size, {} other collectives are left out of the job.",
                        p.job.variables.size(), p.job.parameterCount(), m_sizeless, m_otherCollectives));
        const char *const device = m_onDevice ? "device" : "CPU";
        inferred.push_back(
            m_knowsHostWaits
                ? fmt::format(
                      "{} in which the {} neither computed nor communicated count to the layer before: waiting for the "
                      "host, a gap after that layer in a simulation. Starts and durations are whole microseconds, so gaps "
                      "of up to one between ops are rounding.",
                      formatSeconds(m_hostSeconds), device)
                : fmt::format(
                      "The job has the sum of its ops' times. Where the {} waited for the host between them is not known: "
                      "{} no start time. A simulation of it shows no launch gaps.",
                      device, m_recorded ? "some ops have" : "the ops have"));
        inferred.emplace_back("The batch size was not recorded: throughput counts steps (1 sample a step).");
        std::string name = std::filesystem::path(m_name).filename().string();
        if (name.ends_with(".et"))
            name.resize(name.size() - 3);
        p.job.name = name.empty() ? "trace" : name;
        p.job.notes = inferred;
        p.job.notes.insert(p.job.notes.begin(), fmt::format("Measured: imported from a Chakra trace, {}.", p.job.name));
        makeNamesValid(p);
    }

    ChakraTrace m_trace;
    const std::string m_name;
    std::stop_token m_stop;
    std::shared_ptr<ImportedProfile> m_profile;
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max(); ///< no name
    std::vector<NameFacts> m_facts;                                                  ///< by name
    StringTable m_wholes;                                                            ///< names without the number of the piece
    std::vector<Phase> m_phase;
    std::vector<std::int32_t> m_launch; ///< of device nodes
    std::vector<Nanoseconds> m_start, m_end;
    std::vector<std::int32_t> m_layer;
    std::map<std::string_view, std::vector<std::int32_t>> m_owners; ///< layers by kind
    bool m_onDevice = false, m_recorded = false;
    bool m_knowsHostWaits = false;
    double m_hostSeconds = 0; ///< in which the device waits for the host
    std::uint64_t m_paired = 0, m_unknownLaunches = 0, m_otherCollectives = 0, m_sizeless = 0;
};

} // namespace

Result<std::shared_ptr<const ImportedProfile>> importChakra(ByteSource &source, const std::string &name,
                                                            const ImportOptions &options, std::stop_token stop) {
    if (options.step > 0)
        return fail(fmt::format("there is no step {}", options.step), "a Chakra trace has one step, 0", name);
    try {
        auto trace = TRY(inFile(readChakra(source, stop), name));
        return ChakraImport(std::move(trace), name, std::move(stop)).import();
    } catch (const std::bad_alloc &) {
        return fail("not enough memory for this trace", "trace fewer steps, or close other programs", name);
    }
}

} // namespace syncopate
