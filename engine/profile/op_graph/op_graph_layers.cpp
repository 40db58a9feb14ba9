// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/op_graph/op_graph_layers.h"

#include "engine/profile/torch/kineto_analysis.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace syncopate {

namespace {

using Index = std::size_t;

bool isVariable(std::string_view type) {
    return type == "VariableV2" || type == "Variable" || type == "VarHandleOp" || type == "AutoReloadVariable";
}

/// Whether an op passes a value on without computing: such ops link a variable to the op that reads it. A received tensor has
/// inputs only if the writer gave it its own name.
bool handsOn(std::string_view type) {
    for (const char *known : {"Identity", "ReadVariableOp", "Switch", "Enter", "RefEnter", "RefSwitch", "Snapshot", "_Recv",
                              "_HostRecv", "_Send", "_HostSend", "RefIdentity", "RecvTensor"}) {
        if (type == known)
            return true;
    }
    return false;
}

/// Whether this is an optimizer's own op: ApplyAdam, SparseApplyFtrl, ResourceApplyGradientDescent, ...
bool updates(std::string_view type) {
    for (const std::string_view prefix : {"Resource", "Sparse"}) {
        if (type.starts_with(prefix))
            type.remove_prefix(prefix.size());
    }
    return type.starts_with("Apply") && type.size() > 5;
}

std::string_view scopeOf(std::string_view name) {
    const std::size_t slash = name.rfind('/');
    return slash == std::string_view::npos ? std::string_view() : name.substr(0, slash);
}

/// Position in the name after its "gradients" scope; npos = it is in none.
std::size_t behindGradients(std::string_view name) {
    for (std::size_t from = 0; from < name.size();) {
        const std::size_t slash = std::min(name.find('/', from), name.size());
        const std::string_view part = name.substr(from, slash - from);
        if (part.starts_with("gradients") &&
            part.find_first_not_of("0123456789_", std::string_view("gradients").size()) == std::string_view::npos)
            return std::min(slash + 1, name.size());
        from = slash + 1;
    }
    return std::string_view::npos;
}

/// "conv1/Conv2D" from "gradients/conv1/Conv2D_grad/Conv2DBackpropFilter", its gradient; empty = the name does not say.
std::string_view differentiated(std::string_view name) {
    const std::size_t from = behindGradients(name);
    if (from == std::string_view::npos)
        return {};
    name.remove_prefix(from);
    for (std::size_t at = 0; at < name.size();) {
        const std::size_t slash = std::min(name.find('/', at), name.size());
        const std::string_view part = name.substr(at, slash - at);
        const std::size_t mark = part.rfind("_grad");
        if (mark != std::string_view::npos && mark > 0 &&
            part.find_first_not_of("0123456789_", mark + 5) == std::string_view::npos)
            return name.substr(0, at + mark);
        at = slash + 1;
    }
    return {};
}

class LayerFinder {
public:
    explicit LayerFinder(const OpGraph &graph) : m_graph(graph) {}

    Result<GraphLayers> find() {
        chooseWorker();
        findRoles();
        const bool backward =
            std::any_of(m_layers.role.begin(), m_layers.role.end(), [](OpRole role) { return role == OpRole::Backward; });
        if (!backward)
            return fail(fmt::format("none of its {} ops belongs to a backward pass: this is inference or evaluation, not a "
                                    "training step",
                                    m_graph.ops.size()),
                        "record the session.run that trains", m_graph.file);
        findTrainable();
        findForward();
        if (m_layers.job.layers.empty()) {
            m_layers.job.layers.push_back({});
            m_layers.job.layers.back().name = "model";
        }
        spreadForward();
        findBackward();
        nameVariables();
        return std::move(m_layers);
    }

private:
    [[nodiscard]] const ProfiledOp &op(Index i) const { return m_graph.ops[i]; }
    [[nodiscard]] bool onDevice(Index i) const { return m_graph.resourceOf(op(i)).kind == ProfiledResource::Kind::Device; }
    [[nodiscard]] bool mine(Index i) const { return m_layers.mine[static_cast<Index>(op(i).resource)]; }

    void chooseWorker() {
        std::map<std::pair<std::string, std::int32_t>, double> busy;
        bool servers = false;
        for (const ProfiledResource &resource : m_graph.resources) {
            m_layers.kernels |= resource.kind == ProfiledResource::Kind::Stream;
            servers |= resource.isServer();
        }
        for (Index i = 0; i < m_graph.ops.size(); ++i) {
            const ProfiledResource &resource = m_graph.resourceOf(op(i));
            if (onDevice(i) && !resource.isServer() && op(i).type != "RecvTensor")
                busy[{resource.job, resource.task}] += static_cast<double>(op(i).end - op(i).start);
        }
        if (busy.empty() && servers)
            busy[{"ps", 0}] = 0; // the graph runs on the server alone
        const auto most =
            std::max_element(busy.begin(), busy.end(), [](const auto &a, const auto &b) { return a.second < b.second; });
        const auto chosen = most == busy.end() ? std::pair<std::string, std::int32_t>() : most->first;
        m_layers.otherWorkers = busy.empty() ? 0 : static_cast<std::int32_t>(busy.size()) - 1;
        m_layers.worker = chosen.first.empty() ? "the process" : fmt::format("/job:{}/task:{}", chosen.first, chosen.second);
        for (const ProfiledResource &resource : m_graph.resources)
            m_layers.mine.push_back(resource.kind != ProfiledResource::Kind::Device ||
                                    (resource.job == chosen.first && resource.task == chosen.second));
    }

    void findRoles() {
        auto &role = m_layers.role;
        role.resize(m_graph.ops.size(), OpRole::Forward);
        for (Index i = 0; i < role.size(); ++i) {
            const ProfiledOp &o = op(i);
            const auto waitsForUpdate = [&] {
                return std::any_of(o.inputs.begin(), o.inputs.end(),
                                   [&](std::int32_t in) { return in >= 0 && role[static_cast<Index>(in)] == OpRole::Update; });
            };
            if (o.type == "RecvTensor")
                role[i] = OpRole::Communicates;
            else if (o.type == "_Recv" || o.type == "_HostRecv" || o.type == "_Send" || o.type == "_HostSend")
                role[i] = OpRole::Waits;
            else if (!onDevice(i) && !o.inputs.empty() && o.inputs.front() >= 0)
                role[i] = role[static_cast<Index>(o.inputs.front())]; // a kernel takes the role of the op that launched it
            else if (updates(o.type) || waitsForUpdate())
                role[i] = OpRole::Update;
            else if (behindGradients(o.name) != std::string_view::npos)
                role[i] = OpRole::Backward;
        }
    }

    /// The variable that op `i` is or passes on; -1 = none.
    [[nodiscard]] std::int32_t variableOf(Index i) const {
        for (int steps = 0; steps < 16; ++steps) {
            const ProfiledOp &o = op(i);
            if (isVariable(o.type))
                return static_cast<std::int32_t>(i);
            if (!handsOn(o.type) || o.inputs.empty() || o.inputs.front() < 0)
                return -1;
            i = static_cast<Index>(o.inputs.front());
        }
        return -1;
    }

    void findTrainable() {
        for (Index i = 0; i < m_graph.ops.size(); ++i) {
            if (m_layers.role[i] == OpRole::Update && updates(op(i).type) && !op(i).inputs.empty() && op(i).inputs.front() >= 0) {
                if (const std::int32_t variable = variableOf(static_cast<Index>(op(i).inputs.front())); variable >= 0)
                    m_trainable.insert(op(static_cast<Index>(variable)).name);
            }
        }
        m_anyTrainable = m_trainable.empty(); // no optimizer ops were recorded: take every variable that the forward pass reads
    }

    /// The layers and variables that an op of the forward pass reads.
    struct Reads {
        std::int32_t newest = -1;        ///< last layer among its inputs
        std::int32_t owner = -1;         ///< last layer that owns its variables
        std::vector<std::int32_t> fresh; ///< trainable variables without a layer so far
    };
    [[nodiscard]] Reads readsOf(const ProfiledOp &o) const {
        Reads reads;
        for (const std::int32_t in : o.inputs) {
            if (in < 0)
                continue;
            reads.newest = std::max(reads.newest, m_layers.layer[static_cast<Index>(in)]);
            const std::int32_t variable = variableOf(static_cast<Index>(in));
            if (variable < 0 || !(m_anyTrainable || m_trainable.contains(op(static_cast<Index>(variable)).name)))
                continue;
            const auto owned = m_owner.find(op(static_cast<Index>(variable)).name);
            if (owned != m_owner.end())
                reads.owner = std::max(reads.owner, owned->second);
            else
                reads.fresh.push_back(variable);
        }
        return reads;
    }

    void findForward() {
        auto &layer = m_layers.layer;
        auto &layers = m_layers.job.layers;
        layer.assign(m_graph.ops.size(), -1);
        std::vector<std::string_view> scopes; // per layer: the scope of its first op
        for (Index i = 0; i < m_graph.ops.size(); ++i) {
            if (m_layers.role[i] != OpRole::Forward || !onDevice(i) || !mine(i) || variableOf(i) >= 0)
                continue;
            const Reads reads = readsOf(op(i));
            const std::string_view scope = scopeOf(op(i).name);
            const bool joins = reads.newest >= 0 && scopes[static_cast<Index>(reads.newest)] == scope && !scope.empty();
            if (!reads.fresh.empty() && !joins) {
                layer[i] = static_cast<std::int32_t>(layers.size());
                layers.push_back({});
                layers.back().name = layerName(op(i).name);
                scopes.push_back(scope);
            } else {
                layer[i] = reads.newest >= 0 ? reads.newest : reads.owner;
            }
            for (const std::int32_t variable : reads.fresh) {
                if (m_owner.emplace(op(static_cast<Index>(variable)).name, layer[i]).second)
                    m_owned.emplace_back(layer[i], variable);
            }
            if (layer[i] >= 0)
                addParents(i, layers[static_cast<Index>(layer[i])].parents);
        }
    }

    void addParents(Index i, std::vector<std::int32_t> &parents) const {
        for (const std::int32_t in : op(i).inputs) {
            const std::int32_t parent = in < 0 ? -1 : m_layers.layer[static_cast<Index>(in)];
            if (parent < 0 || parent == m_layers.layer[i])
                continue;
            const auto place = std::lower_bound(parents.begin(), parents.end(), parent);
            if (place == parents.end() || *place != parent)
                parents.insert(place, parent);
        }
    }

    std::string layerName(const std::string &opName) {
        const std::string_view scope = scopeOf(opName);
        const std::string base = scope.empty() ? opName : std::string(scope);
        const int again = ++m_names[base];
        return again == 1 ? base : fmt::format("{}_{}", base, again);
    }

    /// Ops before any layer (inputs, constants, random masks) belong to the first layer that reads them.
    void spreadForward() {
        auto &layer = m_layers.layer;
        const auto last = static_cast<std::int32_t>(m_layers.job.layers.size());
        std::vector<std::int32_t> reader(m_graph.ops.size(), last);
        for (Index i = m_graph.ops.size(); i-- > 0;) {
            if (m_layers.role[i] != OpRole::Forward || !onDevice(i))
                continue;
            if (layer[i] < 0)
                layer[i] = reader[i] < last ? reader[i] : 0;
            for (const std::int32_t in : op(i).inputs) {
                if (in >= 0)
                    reader[static_cast<Index>(in)] = std::min(reader[static_cast<Index>(in)], layer[i]);
            }
        }
        for (Index i = 0; i < m_graph.ops.size(); ++i) {
            if (m_layers.role[i] == OpRole::Forward && onDevice(i))
                m_layerOfName.try_emplace(op(i).name, layer[i]);
        }
    }

    void findBackward() {
        auto &layer = m_layers.layer;
        for (Index i = 0; i < m_graph.ops.size(); ++i) {
            if (!onDevice(i)) {
                if (!op(i).inputs.empty() && op(i).inputs.front() >= 0)
                    layer[i] = layer[static_cast<Index>(op(i).inputs.front())];
                else if (m_layers.role[i] == OpRole::Forward)
                    layer[i] = 0;
            }
            if (m_layers.role[i] != OpRole::Backward || layer[i] >= 0)
                continue;
            const auto known = m_layerOfName.find(differentiated(op(i).name));
            if (known != m_layerOfName.end()) {
                layer[i] = known->second;
                continue;
            }
            auto deepest = static_cast<std::int32_t>(m_layers.job.layers.size()) - 1;
            for (const std::int32_t in : op(i).inputs) { // the backward pass goes from higher layers to lower ones
                if (in >= 0 && m_layers.role[static_cast<Index>(in)] == OpRole::Backward && layer[static_cast<Index>(in)] >= 0)
                    deepest = std::min(deepest, layer[static_cast<Index>(in)]);
            }
            layer[i] = deepest;
        }
    }

    void nameVariables() {
        std::stable_sort(m_owned.begin(), m_owned.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
        for (const auto &[layer, variable] : m_owned) {
            const ProfiledOp &o = op(static_cast<Index>(variable));
            m_layers.variables.push_back({o.name, layer});
            m_layers.variableBytes.push_back(o.sizeBytes);
        }
    }

    const OpGraph &m_graph;
    GraphLayers m_layers;
    std::unordered_set<std::string_view> m_trainable; ///< variables' names, views into those of the graph's ops
    bool m_anyTrainable = false;
    std::unordered_map<std::string_view, std::int32_t> m_owner;       ///< layer by variable
    std::vector<std::pair<std::int32_t, std::int32_t>> m_owned;       ///< layer, op of the variable
    std::unordered_map<std::string_view, std::int32_t> m_layerOfName; ///< layer by name of the forward op
    std::unordered_map<std::string, int> m_names;
};

struct GraphWork {
    TimeRanges communication, busy, server;
    std::vector<Index> work; ///< ops that compute, by start
};

/// Sorts a graph's ops into compute and communication; counts pulls and pushes.
GraphWork sortWork(const OpGraph &graph, const GraphLayers &layers, GraphTimes &times) {
    GraphWork sorted;
    const auto computes = layers.kernels ? ProfiledResource::Kind::Stream : ProfiledResource::Kind::Device;
    for (Index i = 0; i < graph.ops.size(); ++i) {
        const ProfiledOp &op = graph.ops[i];
        const ProfiledResource &resource = graph.resourceOf(op);
        const bool mine = layers.mine[static_cast<Index>(op.resource)];
        if (layers.role[i] == OpRole::Communicates) {
            times.pulls += mine && !resource.isServer() ? 1 : 0;
            times.pushes += resource.isServer() ? 1 : 0;
            if (mine || (resource.isServer() && layers.otherWorkers == 0)) // else another worker may have pushed it
                sorted.communication.emplace_back(op.start, op.end);
        } else if (resource.isServer() && layers.role[i] != OpRole::Waits) {
            sorted.server.emplace_back(op.start, op.end);
        } else if (mine && layers.role[i] != OpRole::Waits && resource.kind == computes) {
            sorted.work.push_back(i);
            sorted.busy.emplace_back(op.start, op.end);
        }
    }
    return sorted;
}

/// Adds the ops' times to layers and phases, and idle time without communication to the layer before, as host waits.
void addLayerTimes(const OpGraph &graph, const GraphLayers &layers, const std::vector<Index> &work,
                   const TimeRanges &communication, GraphTimes &times) {
    struct Place {
        int phase;
        double *seconds, *hostSeconds;
    };
    const auto placeOf = [&](Index i) -> Place {
        const auto layer = static_cast<Index>(std::max(layers.layer[i], 0));
        if (layers.role[i] == OpRole::Update)
            return {2, &times.updateSeconds, &times.updateHostSeconds};
        if (layers.role[i] == OpRole::Backward)
            return {1, &times.backwardSeconds[layer], &times.backwardHostSeconds[layer]};
        return {0, &times.forwardSeconds[layer], &times.forwardHostSeconds[layer]};
    };
    times.start = times.end = graph.ops[work.front()].start;
    std::optional<Place> last;
    for (const Index i : work) {
        const ProfiledOp &op = graph.ops[i];
        const Place place = placeOf(i);
        if (op.start > times.end && last) {
            const double idle = secondsOf(kineto::outside(communication, times.end, op.start));
            *last->seconds += idle;
            *last->hostSeconds += idle;
            times.idleSeconds += idle;
        }
        const double own = secondsOf(std::max<Nanoseconds>(0, op.end - std::max(op.start, times.end)));
        *place.seconds += own;
        times.phaseSeconds[place.phase] += own;
        times.end = std::max(times.end, op.end);
        last = place;
    }
}

} // namespace

Result<GraphLayers> findLayers(const OpGraph &graph) { return LayerFinder(graph).find(); }

GraphTimes measureGraph(const OpGraph &graph, const GraphLayers &layers) {
    GraphTimes times;
    times.forwardSeconds.assign(layers.job.layers.size(), 0);
    times.backwardSeconds.assign(layers.job.layers.size(), 0);
    times.forwardHostSeconds = times.backwardHostSeconds = times.forwardSeconds;
    GraphWork sorted = sortWork(graph, layers, times);
    times.serverSeconds = secondsOf(lengthOf(unite(std::move(sorted.server))));
    const TimeRanges communication = unite(std::move(sorted.communication));
    const TimeRanges busy = unite(std::move(sorted.busy));
    times.communicationSeconds = secondsOf(lengthOf(communication));
    for (const auto &[from, to] : communication)
        times.exposedSeconds += secondsOf(kineto::outside(busy, from, to));
    if (!sorted.work.empty())
        addLayerTimes(graph, layers, sorted.work, communication, times);
    return times;
}

} // namespace syncopate
