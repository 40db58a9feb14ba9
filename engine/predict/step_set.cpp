// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/predict/step_set.h"

#include "engine/job/batch.h"
#include "engine/profile/step_samples.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace syncopate {

namespace {

constexpr std::size_t maxOps = 1'000'000;
constexpr double mostSeconds = 1e6, maxOpBytes = 1e15;

/// Duration of an op in one step, and the part of it that its device waits for the host.
struct OpSeconds {
    double seconds = 0, hostSeconds = 0;
};

/// Collects ops, edges and one row of seconds per sample.
class Assembler {
public:
    Assembler(const Job &job, const std::vector<StepSample> &samples) : m_job(job), m_samples(samples) {
        m_set.name = job.name;
        m_set.batchSize = countOfStep(job);
        m_set.seconds.resize(samples.size());
        m_set.hostSeconds.resize(samples.size());
    }

    std::int32_t transfer(StepResource resource, std::int32_t variable, std::int32_t layer, std::int64_t rank) {
        const Variable &v = m_job.variables[static_cast<std::size_t>(variable)];
        StepOp op{fmt::format("{}/{}", v.name, nameOf(resource)), resource, 0, variable, layer, v.gradientBytes(), rank};
        return add(std::move(op), [](const StepSample &) { return OpSeconds(); });
    }

    template <class Seconds> std::int32_t compute(std::string name, std::int32_t layer, std::int64_t rank, Seconds seconds) {
        StepOp op;
        op.name = std::move(name);
        op.layer = layer;
        op.rank = rank;
        return add(std::move(op), seconds);
    }

    void edge(std::int32_t before, std::int32_t after) { m_set.graph.edges.emplace_back(before, after); }
    void nextEdge(std::int32_t before, std::int32_t after) { m_set.graph.nextEdges.emplace_back(before, after); }
    StepSet take() {
        if (!m_waits)
            m_set.hostSeconds.clear();
        return std::move(m_set);
    }

private:
    template <class Seconds> std::int32_t add(StepOp op, Seconds seconds) {
        m_set.graph.ops.push_back(std::move(op));
        for (std::size_t s = 0; s < m_samples.size(); ++s) {
            const OpSeconds opSeconds = seconds(m_samples[s]);
            m_set.seconds[s].push_back(opSeconds.seconds);
            m_set.hostSeconds[s].push_back(opSeconds.hostSeconds);
            m_waits = m_waits || opSeconds.hostSeconds > 0;
        }
        return static_cast<std::int32_t>(m_set.graph.ops.size()) - 1;
    }

    const Job &m_job;
    const std::vector<StepSample> &m_samples;
    StepSet m_set;
    bool m_waits = false; ///< any op waits for the host
};

/// Turns a job into one step: pulls, forward, backward and pushes of each layer.
class JobSteps {
public:
    JobSteps(const Job &job, const std::vector<StepSample> &samples)
        : m_job(job), m_assembler(job, samples), m_pulls(job.layers.size()), m_pushes(job.layers.size()),
          m_forward(job.layers.size()), m_backward(job.layers.size()) {}

    void addForward() {
        const std::size_t layers = m_job.layers.size();
        for (std::size_t l = 0; l < layers; ++l)
            for (const std::int32_t v : m_job.layers[l].variables)
                m_pulls[l].push_back(
                    m_assembler.transfer(StepResource::Downlink, v, static_cast<std::int32_t>(l), static_cast<std::int64_t>(l)));
        for (std::size_t l = 0; l < layers; ++l) {
            const Layer &layer = m_job.layers[l];
            const double copies = bytesOf(layer) * m_job.hostSecondsPerByteAfterReceive;
            m_forward[l] = m_assembler.compute(layer.name + "/forward", static_cast<std::int32_t>(l),
                                               static_cast<std::int64_t>(layers + l), [&](const StepSample &s) {
                                                   return OpSeconds{s.forwardSeconds[l] + copies, s.forwardHostSeconds[l]};
                                               });
            for (const std::int32_t parent : layer.parents)
                m_assembler.edge(m_forward[static_cast<std::size_t>(parent)], m_forward[l]);
            for (const std::int32_t pull : m_pulls[l])
                m_assembler.edge(pull, m_forward[l]);
        }
    }

    /// Adds pushes in backward order, like those recorded.
    void addBackward() {
        const std::size_t layers = m_job.layers.size();
        std::vector<std::int32_t> children(layers, 0);
        for (const Layer &layer : m_job.layers)
            for (const std::int32_t parent : layer.parents)
                ++children[static_cast<std::size_t>(parent)];
        for (std::size_t i = layers; i-- > 0;) {
            const Layer &layer = m_job.layers[i];
            const auto rank = static_cast<std::int64_t>(3 * layers - i);
            const double copies = bytesOf(layer) * m_job.hostSecondsPerByteBeforeSend;
            m_backward[i] =
                m_assembler.compute(layer.name + "/backward", static_cast<std::int32_t>(i), rank, [&](const StepSample &s) {
                    return OpSeconds{s.backwardSeconds[i] + copies, s.backwardHostSeconds[i]};
                });
            if (children[i] == 0)
                m_assembler.edge(m_forward[i], m_backward[i]);
            for (const std::int32_t v : layer.variables) {
                m_pushes[i].push_back(m_assembler.transfer(StepResource::Uplink, v, static_cast<std::int32_t>(i), rank));
                m_assembler.edge(m_backward[i], m_pushes[i].back());
            }
        }
        for (std::size_t l = 0; l < layers; ++l)
            for (const std::int32_t parent : m_job.layers[l].parents)
                m_assembler.edge(m_backward[l], m_backward[static_cast<std::size_t>(parent)]);
    }

    /// After the backward pass a worker waits for its host, where the profile says so: its launch gap to the next step, which
    /// stays on the worker when the update itself goes to the server.
    void addWaitForHost() {
        m_end = m_assembler.compute("wait for the host", -1, static_cast<std::int64_t>(4 * m_job.layers.size()),
                                    [](const StepSample &s) {
                                        return OpSeconds{s.updateHostSeconds, s.updateHostSeconds};
                                    });
        endAfterBackward();
    }

    /// Adds edges to the next step. A root waits for the whole previous step unless a weaker condition is given: transfers down
    /// wait for their variable's gradient, and compute for all compute of the previous step, so that no part of a job runs ahead
    /// of the rest.
    void linkLayers() {
        std::vector<std::int32_t> firsts;
        for (std::size_t l = 0; l < m_job.layers.size(); ++l) {
            for (std::size_t i = 0; i < m_pulls[l].size(); ++i)
                m_assembler.nextEdge(m_pushes[l][i], m_pulls[l][i]);
            if (m_job.layers[l].parents.empty())
                firsts.push_back(static_cast<std::int32_t>(l));
        }
        if (m_end < 0 && firsts.size() > 1) {
            m_end = m_assembler.compute("end of the backward pass", -1, static_cast<std::int64_t>(4 * m_job.layers.size()),
                                        [](const StepSample &) { return OpSeconds(); });
            endAfterBackward();
        }
        for (const std::int32_t l : firsts)
            m_assembler.nextEdge(m_end < 0 ? m_backward[static_cast<std::size_t>(l)] : m_end,
                                 m_forward[static_cast<std::size_t>(l)]);
    }

    StepSet take() { return m_assembler.take(); }

private:
    [[nodiscard]] double bytesOf(const Layer &layer) const {
        double bytes = 0;
        for (const std::int32_t v : layer.variables)
            bytes += m_job.variables[static_cast<std::size_t>(v)].gradientBytes();
        return bytes;
    }
    void endAfterBackward() {
        for (std::size_t l = 0; l < m_job.layers.size(); ++l)
            if (m_job.layers[l].parents.empty())
                m_assembler.edge(m_backward[l], m_end);
    }

    const Job &m_job;
    Assembler m_assembler;
    std::vector<std::vector<std::int32_t>> m_pulls, m_pushes; ///< ops per layer
    std::vector<std::int32_t> m_forward, m_backward;          ///< op per layer
    std::int32_t m_end = -1;                                  ///< op after the backward pass, if there is one
};

Result<void> checkOps(const StepGraph &graph) {
    for (const StepOp &op : graph.ops) {
        if (op.server < 0 || op.server >= graph.servers)
            return fail(fmt::format("op '{}' is of server {} of {}", op.name, op.server, graph.servers), "number servers from 0");
        if (!(op.sizeBytes >= 0 && op.sizeBytes <= maxOpBytes))
            return fail(fmt::format("op '{}' moves {} bytes", op.name, op.sizeBytes), "give a size between 0 and 1e15 bytes");
    }
    return {};
}

/// Checks that each step has valid times for all ops.
Result<void> checkSeconds(const StepSet &set) {
    const std::vector<StepOp> &ops = set.graph.ops;
    for (std::size_t s = 0; s < set.seconds.size(); ++s) {
        if (set.seconds[s].size() != ops.size())
            return fail(fmt::format("step {} has {} of {} ops", s, set.seconds[s].size(), ops.size()),
                        "leave incomplete steps out");
        for (std::size_t i = 0; i < ops.size(); ++i)
            if (!(set.seconds[s][i] >= 0 && set.seconds[s][i] <= mostSeconds))
                return fail(fmt::format("op '{}' takes {} s in step {}", ops[i].name, set.seconds[s][i], s),
                            "give times between 0 and 1e6 s");
    }
    if (!set.hostSeconds.empty() && set.hostSeconds.size() != set.seconds.size())
        return fail(fmt::format("{} of {} steps say where they wait for the host", set.hostSeconds.size(), set.seconds.size()),
                    "let every step say it, or none");
    for (std::size_t s = 0; s < set.hostSeconds.size(); ++s) {
        if (set.hostSeconds[s].size() != ops.size())
            return fail(fmt::format("step {} waits for the host after {} of {} ops", s, set.hostSeconds[s].size(), ops.size()),
                        "give a wait for each op, or none");
        for (std::size_t i = 0; i < ops.size(); ++i)
            if (!(set.hostSeconds[s][i] >= 0 && set.hostSeconds[s][i] <= set.seconds[s][i]))
                return fail(fmt::format("op '{}' waits {} s of its {} s for the host in step {}", ops[i].name,
                                        set.hostSeconds[s][i], set.seconds[s][i], s),
                            "give a part of its time");
    }
    return {};
}

/// Checks that a step's own order names each transfer down exactly once.
Result<void> checkOrders(const StepSet &set) {
    const StepGraph &graph = set.graph;
    const auto n = static_cast<std::int64_t>(graph.ops.size());
    if (!set.downlinkOrder.empty() && set.downlinkOrder.size() != set.seconds.size())
        return fail(fmt::format("{} of {} steps have an order", set.downlinkOrder.size(), set.seconds.size()),
                    "give every step one, or none");
    for (const auto &order : set.downlinkOrder) {
        std::vector<bool> seen(graph.ops.size(), false);
        for (const std::int32_t op : order) {
            if (op < 0 || op >= n || seen[static_cast<std::size_t>(op)] ||
                graph.ops[static_cast<std::size_t>(op)].resource != StepResource::Downlink)
                return fail(fmt::format("the order of a step names op {}", op), "name each transfer down once");
            seen[static_cast<std::size_t>(op)] = true;
        }
    }
    return {};
}

/// Edges must have been checked to be between existing ops.
Result<void> checkAcyclic(const StepGraph &graph) {
    // Kahn's algorithm: ops that never become ready are on a cycle. Edges to the next step cannot close one.
    std::vector<std::vector<std::int32_t>> next(graph.ops.size());
    std::vector<std::int32_t> waits(graph.ops.size(), 0);
    for (const auto &[before, after] : graph.edges) {
        next[static_cast<std::size_t>(before)].push_back(after);
        ++waits[static_cast<std::size_t>(after)];
    }
    std::vector<std::int32_t> ready;
    for (std::size_t i = 0; i < waits.size(); ++i)
        if (waits[i] == 0)
            ready.push_back(static_cast<std::int32_t>(i));
    std::size_t done = 0;
    for (; done < ready.size(); ++done)
        for (const std::int32_t after : next[static_cast<std::size_t>(ready[done])])
            if (--waits[static_cast<std::size_t>(after)] == 0)
                ready.push_back(after);
    for (std::size_t i = 0; done < waits.size() && i < waits.size(); ++i)
        if (waits[i] > 0)
            return fail(fmt::format("op '{}' waits for itself through others", graph.ops[i].name), "remove the cycle");
    return {};
}

} // namespace

const char *nameOf(StepResource resource) {
    switch (resource) {
    case StepResource::Downlink:
        return "downlink";
    case StepResource::Worker:
        return "worker";
    case StepResource::Uplink:
        return "uplink";
    case StepResource::Server:
        break;
    }
    return "ps";
}

Result<StepSet> stepSetFromJob(const Job &job, const std::vector<StepSample> &samples, const StepSetOptions &options) {
    const std::size_t layers = job.layers.size();
    for (const StepSample &sample : samples)
        if (sample.forwardSeconds.size() != layers || sample.backwardSeconds.size() != layers)
            return fail(fmt::format("step {} of the profile has {} layers where the job has {}", sample.step,
                                    sample.forwardSeconds.size(), layers),
                        "import the profile that the job was made from");
    TRY(validateJob(job));
    std::vector<StepSample> played{sampleOf(job)};
    if (!samples.empty()) {
        played.clear();
        for (const StepSample &sample : samples)
            played.push_back(withHostSeconds(sample, job));
    }
    JobSteps steps(job, played);
    steps.addForward();
    steps.addBackward();
    const bool waits =
        std::any_of(played.begin(), played.end(), [](const StepSample &sample) { return sample.updateHostSeconds > 0; });
    if (waits)
        steps.addWaitForHost();
    if (options.perLayer)
        steps.linkLayers();
    StepSet set = steps.take();
    set.notes = job.notes;
    set.notes.push_back(samples.empty()
                            ? "One step: the job's own times."
                            : fmt::format("{} recorded steps of the profile are sampled with replacement.", samples.size()));
    if (job.updateSeconds > job.updateHostSeconds)
        set.notes.emplace_back(
            "The optimizer's update of the job runs on the parameter server, which takes no time for it here.");
    if (waits)
        set.notes.emplace_back("At the end of a step a worker waits for its host, as long as in the profile.");
    TRY(validateStepSet(set));
    return set;
}

Result<void> validateStepSet(const StepSet &set) {
    const StepGraph &graph = set.graph;
    const auto n = static_cast<std::int64_t>(graph.ops.size());
    if (graph.ops.empty() || set.seconds.empty())
        return fail("there is no op or no step to sample from", "give a profile with at least one complete step");
    if (graph.ops.size() > maxOps)
        return fail(fmt::format("a step of {} ops", graph.ops.size()), fmt::format("at most {} are simulated", maxOps));
    if (!(set.batchSize > 0) || !std::isfinite(set.batchSize))
        return fail(fmt::format("a batch of {} samples", set.batchSize), "give a positive batch size");
    TRY(checkOps(graph));
    TRY(checkSeconds(set));
    TRY(checkOrders(set));
    if (!(set.betweenSeconds >= 0 && set.betweenSeconds <= mostSeconds))
        return fail(fmt::format("{} s between steps", set.betweenSeconds), "give a time between 0 and 1e6 s");
    for (const auto *edges : {&graph.edges, &graph.nextEdges})
        for (const auto &[before, after] : *edges)
            if (before < 0 || before >= n || after < 0 || after >= n)
                return fail(fmt::format("an edge from op {} to op {} of {}", before, after, n), "name ops of the step");
    return checkAcyclic(graph);
}

std::vector<std::int32_t> placeGreedily(const std::vector<double> &variableBytes, std::int32_t servers) {
    std::vector<double> load(static_cast<std::size_t>(std::max(servers, 1)), 0);
    std::vector<std::int32_t> placed;
    for (const double bytes : variableBytes) {
        const auto least = std::min_element(load.begin(), load.end());
        placed.push_back(static_cast<std::int32_t>(least - load.begin()));
        *least += bytes;
    }
    return placed;
}

Result<StepSet> withPlacement(StepSet set, const std::vector<std::int32_t> &serverOf, std::int32_t servers) {
    set.graph.servers = servers;
    for (StepOp &op : set.graph.ops) {
        op.server = 0;
        if (op.variable < 0) {
            if (isTransfer(op.resource) && servers > 1)
                return fail(fmt::format("which variable '{}' belongs to is not known, so neither is its server", op.name),
                            "name gradients after their variables, or predict for one server");
            continue;
        }
        if (static_cast<std::size_t>(op.variable) >= serverOf.size())
            return fail(fmt::format("variable {} has no place among {}", op.variable, serverOf.size()), "place every variable");
        op.server = serverOf[static_cast<std::size_t>(op.variable)];
    }
    TRY(validateStepSet(set));
    return set;
}

} // namespace syncopate
