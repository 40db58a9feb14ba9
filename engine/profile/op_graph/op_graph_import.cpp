// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/stoppable_sort.h"
#include "engine/base/units.h"
#include "engine/parse/read_limits.h"
#include "engine/profile/finish_profile.h"
#include "engine/profile/lane_packer.h"
#include "engine/profile/op_graph/op_graph_layers.h"
#include "engine/profile/tensorflow/tensorflow.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <set>

namespace syncopate {

namespace {

using Graphs = std::vector<std::shared_ptr<const OpGraph>>;

std::string jobName(std::string path) {
    while (path.size() > 1 && path.back() == '/')
        path.pop_back();
    std::string name = std::filesystem::path(path).filename().string();
    for (const char *ending : {".gz", ".tar", ".tgz", ".zip", ".json"}) {
        if (name.ends_with(ending))
            name.resize(name.size() - std::string_view(ending).size());
    }
    return name.empty() ? "timeline" : name;
}

class GraphImport {
public:
    GraphImport(const Graphs &graphs, std::string name, const ImportOptions &options, std::stop_token stop)
        : m_graphs(graphs), m_name(std::move(name)), m_options(options), m_stop(std::move(stop)),
          m_profile(std::make_shared<ImportedProfile>()) {}

    Result<std::shared_ptr<const ImportedProfile>> import() {
        for (const auto &graph : m_graphs) {
            if (m_stop.stop_requested())
                return cancelled(m_name);
            auto layers = TRY(findLayers(*graph));
            m_times.push_back(measureGraph(*graph, layers));
            m_layers.push_back(std::move(layers));
        }
        const auto count = static_cast<std::int32_t>(m_graphs.size());
        if (m_options.step < -1 || m_options.step >= count)
            return fail(fmt::format("there is no step {}", m_options.step), fmt::format("choose one of 0 to {}", count - 1),
                        m_name);
        m_chosen = m_options.step >= 0 ? static_cast<std::size_t>(m_options.step) : medianStep();
        m_zero = std::numeric_limits<Nanoseconds>::max();
        for (const auto &graph : m_graphs)
            m_zero = std::min(m_zero, graph->zero);
        m_profile->file = m_name;
        m_profile->opGraphs = m_graphs;
        buildJob();
        addSteps();
        if (m_stop.stop_requested())
            return cancelled(m_name);
        addTimeline();
        stateFacts();
        stateConclusions();
        TRY(validateJob(m_profile->job, m_name));
        makeNamesValid(*m_profile);
        return std::shared_ptr<const ImportedProfile>(std::move(m_profile));
    }

private:
    [[nodiscard]] std::size_t medianStep() const {
        std::vector<std::size_t> order(m_graphs.size());
        for (std::size_t i = 0; i < order.size(); ++i)
            order[i] = i;
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return m_times[a].end - m_times[a].start < m_times[b].end - m_times[b].start;
        });
        return order[(order.size() - 1) / 2];
    }

    void buildJob() {
        const GraphLayers &layers = m_layers[m_chosen];
        const GraphTimes &times = m_times[m_chosen];
        Job &job = m_profile->job;
        job = layers.job;
        job.name = jobName(m_name);
        job.batchSize = 0; // ops have no shapes
        job.updateSeconds = times.updateSeconds;
        job.updateHostSeconds = times.updateHostSeconds;
        for (std::size_t i = 0; i < job.layers.size(); ++i) {
            job.layers[i].forwardSeconds = times.forwardSeconds[i];
            job.layers[i].backwardSeconds = times.backwardSeconds[i];
            job.layers[i].forwardHostSeconds = times.forwardHostSeconds[i];
            job.layers[i].backwardHostSeconds = times.backwardHostSeconds[i];
        }
        const bool sized = std::all_of(layers.variableBytes.begin(), layers.variableBytes.end(),
                                       [](std::int64_t bytes) { return bytes > 0 && bytes % 4 == 0; });
        if (!sized) {
            m_profile->unsized = layers.variables;
            return;
        }
        for (std::size_t i = 0; i < layers.variables.size(); ++i) {
            Variable variable;
            variable.name = layers.variables[i].name;
            variable.shape = {layers.variableBytes[i] / 4};
            job.layers[static_cast<std::size_t>(layers.variables[i].layer)].variables.push_back(
                static_cast<std::int32_t>(job.variables.size()));
            job.variables.push_back(std::move(variable));
        }
    }

    [[nodiscard]] bool sameLayers(std::size_t step) const {
        const auto &a = m_layers[step].job.layers, &b = m_profile->job.layers;
        return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                          [](const Layer &x, const Layer &y) { return x.name == y.name; });
    }

    void addSteps() {
        for (std::size_t i = 0; i < m_graphs.size(); ++i) {
            const GraphTimes &times = m_times[i];
            const Nanoseconds from = m_graphs[i]->zero - m_zero;
            m_profile->steps.push_back({m_graphs.size() == 1 ? std::string("session.run") : jobName(m_graphs[i]->file),
                                        secondsOf(times.start + from), secondsOf(times.end + from), times.phaseSeconds[0],
                                        times.phaseSeconds[1], times.phaseSeconds[2], times.communicationSeconds,
                                        times.exposedSeconds});
            m_profile->eventCount += m_graphs[i]->eventCount;
            m_profile->textBytes += m_graphs[i]->textBytes;
            if (sameLayers(i))
                m_profile->samples.push_back({static_cast<std::int32_t>(i), times.forwardSeconds, times.backwardSeconds,
                                              times.updateSeconds, times.forwardHostSeconds, times.backwardHostSeconds,
                                              times.updateHostSeconds});
        }
        m_profile->jobStep = static_cast<std::int32_t>(m_chosen);
        m_profile->overlap = overlapFigures(*m_graphs[m_chosen]);
    }

    void addTimeline() {
        struct Span {
            Nanoseconds start, end;
            std::size_t group;
            const ProfiledOp *op;
            Category category;
            std::int32_t number;
        };
        LanePacker packer;
        std::map<std::string, std::size_t> groups; // by kind and name: compute, copies, then communication
        const GroupsOfResources groupsOf = nameGroups(groups);
        addGroups(groups, packer);
        std::vector<Span> spans;
        for (std::size_t g = 0; g < m_graphs.size(); ++g) {
            const OpGraph &graph = *m_graphs[g];
            const Nanoseconds shift = graph.zero - m_zero;
            for (std::size_t i = 0; i < graph.ops.size(); ++i) {
                const ProfiledOp &op = graph.ops[i];
                const auto &own = groupsOf[g][static_cast<std::size_t>(op.resource)];
                spans.push_back({op.start + shift, op.end + shift, *own[isReceived(op) ? 1 : 0], &op,
                                 categoryOf(graph, m_layers[g], i), static_cast<std::int32_t>(spans.size())});
            }
        }
        sortUnlessStopped(
            spans, [](const Span &a, const Span &b) { return a.start < b.start; }, m_stop);
        if (m_stop.stop_requested())
            return;
        for (const Span &span : spans)
            packer.add(span.group, span.start, span.end, span.category, packer.label(span.op->name), span.number,
                       isCommunication(span.category) ? static_cast<double>(std::max<std::int64_t>(0, span.op->sizeBytes)) : 0);
        m_profile->timeline = packer.take();
        for (const ProfileStep &step : m_profile->steps)
            m_profile->timeline.iterationStart.push_back(static_cast<Nanoseconds>(step.startSeconds * 1e9));
        std::sort(m_profile->timeline.iterationStart.begin(), m_profile->timeline.iterationStart.end());
    }

    static bool isReceived(const ProfiledOp &op) { return op.type == "RecvTensor"; }

    /// Per graph and resource: the groups for ops that it runs and for tensors that it receives.
    using GroupsOfResources = std::vector<std::vector<std::array<const std::size_t *, 2>>>;

    /// Finds the groups that have ops; their numbers are set later.
    [[nodiscard]] GroupsOfResources nameGroups(std::map<std::string, std::size_t> &groups) const {
        GroupsOfResources groupsOf;
        for (const auto &graph : m_graphs) {
            auto &own = groupsOf.emplace_back(graph->resources.size());
            for (const ProfiledOp &op : graph->ops) {
                const std::size_t *&group = own[static_cast<std::size_t>(op.resource)][isReceived(op) ? 1 : 0];
                if (group)
                    continue;
                const ProfiledResource &resource = graph->resourceOf(op);
                const int order = isReceived(op) ? 2 : resource.kind == ProfiledResource::Kind::Copies ? 1 : 0;
                const std::string key = fmt::format("{}{}{}", order, resource.name, isReceived(op) ? received : "");
                group = &groups.emplace(key, 0).first->second;
            }
        }
        return groupsOf;
    }

    /// Adds these groups to the lanes in the order of their keys, and numbers them.
    void addGroups(std::map<std::string, std::size_t> &groups, LanePacker &packer) const {
        const GraphLayers &chosen = m_layers[m_chosen];
        std::set<std::string> ofWorker; // names of groups
        for (std::size_t r = 0; r < chosen.mine.size(); ++r) {
            const ProfiledResource &resource = m_graphs[m_chosen]->resources[r];
            if (chosen.mine[r])
                ofWorker.insert({resource.name, resource.name + received});
            else if (resource.isServer() && chosen.otherWorkers == 0) // only this worker can have pushed them
                ofWorker.insert(resource.name + received);
        }
        for (auto &[key, group] : groups) {
            const std::string name = key.substr(1);
            const bool mine = ofWorker.contains(name), stream = name.find("/stream:") != std::string::npos;
            group = packer.addGroup(name, mine ? 0 : -1, key[0] == '0' && mine && stream == chosen.kernels);
        }
    }

    static constexpr const char *received = " received tensors"; ///< behind the name of the resource that receives them

    static Category categoryOf(const OpGraph &graph, const GraphLayers &layers, std::size_t i) {
        const ProfiledResource &resource = graph.resourceOf(graph.ops[i]);
        if (layers.role[i] == OpRole::Communicates)
            return resource.isServer() ? Category::Push : Category::Pull;
        // Where kernels were traced, the ops of the worker's devices only launch them.
        if (layers.kernels && resource.kind == ProfiledResource::Kind::Device && !resource.isServer())
            return Category::Host;
        if (resource.kind == ProfiledResource::Kind::Copies)
            return Category::Copy;
        if (layers.role[i] == OpRole::Waits || !layers.mine[static_cast<std::size_t>(graph.ops[i].resource)])
            return Category::OtherCompute;
        return layers.role[i] == OpRole::Update     ? Category::Update
               : layers.role[i] == OpRole::Backward ? Category::Backward
                                                    : Category::Forward;
    }

    void stateFacts() {
        const OpGraph &graph = *m_graphs[m_chosen];
        auto &read = m_profile->read;
        if (m_graphs.size() > 1)
            read.push_back(fmt::format("{} timelines, each a step.", m_graphs.size()));
        read.push_back(fmt::format("{} events in {} of text; the job's step has {} ops on {} devices and streams.",
                                   m_profile->eventCount, formatBytes(static_cast<double>(m_profile->textBytes)),
                                   graph.ops.size(), graph.resources.size()));
        using Row = std::pair<std::size_t, std::size_t>; // ops, received tensors
        std::vector<Row> counts(graph.resources.size());
        for (const ProfiledOp &op : graph.ops) {
            Row &row = counts[static_cast<std::size_t>(op.resource)];
            ++(op.type == "RecvTensor" ? row.second : row.first);
        }
        std::map<std::string, Row> rows;
        for (std::size_t i = 0; i < counts.size(); ++i) {
            if (counts[i].first + counts[i].second == 0)
                continue;
            Row &row = rows[graph.resources[i].name];
            row.first += counts[i].first;
            row.second += counts[i].second;
        }
        for (const auto &[name, row] : rows)
            read.push_back(fmt::format("{}: {} ops{}.", name, row.first,
                                       row.second > 0 ? fmt::format(", {} received tensors", row.second) : std::string()));
    }

    void stateConclusions() {
        const GraphLayers &layers = m_layers[m_chosen];
        const GraphTimes &times = m_times[m_chosen];
        const OpGraph &graph = *m_graphs[m_chosen];
        ImportedProfile &p = *m_profile;
        auto &inferred = p.inferred;
        inferred.push_back(m_options.step >= 0    ? fmt::format("The job is step {}, as asked.", m_options.step)
                           : m_graphs.size() == 1 ? std::string("One timeline is one session.run, which counts as one step.")
                                                  : fmt::format("The job is {}, the median of the {} steps by length.",
                                                                p.steps[m_chosen].name, m_graphs.size()));
        if (m_graphs.size() > 1)
            inferred.push_back(fmt::format("{} of the {} steps have the job's layers: their durations are kept as samples.",
                                           p.samples.size(), m_graphs.size()));
        if (layers.otherWorkers > 0)
            inferred.push_back(fmt::format("The job is the work of {}, which computed longest; {} other workers are only shown.",
                                           layers.worker, layers.otherWorkers));
        inferred.push_back(
            fmt::format("{} layers: one for each forward op that reads trainable variables not read before, joined by the ops "
                        "that follow in its scope or read none; their parents follow the recorded inputs. An op in a gradients "
                        "scope belongs to the layer of the op that it differentiates.",
                        p.job.layers.size()));
        if (graph.unresolvedInputs > 0)
            inferred.push_back(
                fmt::format("{} inputs name ops that were not recorded before their reader (fed, or inserted transfers).",
                            graph.unresolvedInputs));
        inferred.push_back(fmt::format("Times are those of {}, with concurrent ops counted once; {} in which none ran count to "
                                       "the layer before them, which waits for the host so long.",
                                       layers.kernels ? "the accelerator's kernels" : "the worker's ops",
                                       formatSeconds(times.idleSeconds)));
        if (times.pulls + times.pushes > 0)
            inferred.push_back(fmt::format(
                "{} tensors received by the worker and {} by servers are communication, {} of which {} "
                "were exposed, and left out of the job.",
                times.pulls, times.pushes, formatSeconds(times.communicationSeconds), formatSeconds(times.exposedSeconds)));
        if (times.serverSeconds > 0)
            inferred.push_back(fmt::format("Servers worked for {}: shown, but not part of the worker's step.",
                                           formatSeconds(times.serverSeconds)));
        if (!p.unsized.empty())
            p.sizelessNote =
                fmt::format("{} trainable variables have names but no sizes: a timeline records them only with "
                            "show_memory=True. A list of them adds the sizes (the explorer's Attach sizes, the command "
                            "line's --variables); without it nothing will be "
                            "synchronised in a simulation of this job.",
                            p.unsized.size());
        else if (!p.job.variables.empty())
            inferred.push_back(fmt::format("{} trainable variables with {} elements, by their recorded bytes, taken "
                                           "as float32.",
                                           p.job.variables.size(), p.job.parameterCount()));
        else
            p.sizelessNote = "No trainable variable was recorded: nothing will be synchronised in a simulation of this job.";
        if (!p.sizelessNote.empty())
            inferred.push_back(p.sizelessNote);
        inferred.emplace_back("The batch size was not recorded.");
        p.job.notes = inferred;
        p.job.notes.insert(p.job.notes.begin(), fmt::format("Measured: imported from a TensorFlow timeline, {}.", p.job.name));
    }

    const Graphs &m_graphs;
    const std::string m_name;
    const ImportOptions &m_options;
    std::stop_token m_stop;
    std::shared_ptr<ImportedProfile> m_profile;
    std::vector<GraphLayers> m_layers;
    std::vector<GraphTimes> m_times;
    std::size_t m_chosen = 0;
    Nanoseconds m_zero = 0;
};

} // namespace

Result<std::shared_ptr<const ImportedProfile>> importOpGraphs(const Graphs &steps, const std::string &name,
                                                              const ImportOptions &options, std::stop_token stop) {
    if (steps.empty())
        return fail("there is no step to import", "give a timeline", name);
    return withinMemory(name, "give fewer of them", [&] { return GraphImport(steps, name, options, std::move(stop)).import(); });
}

} // namespace syncopate
