// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/predict/recorded_steps.h"

#include "engine/base/units.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <set>
#include <tuple>

namespace syncopate {

namespace {

constexpr std::size_t maxRecordedServers = 1000;

StepResource resourceOf(OpStage stage) {
    switch (stage) {
    case OpStage::Downlink:
        return StepResource::Downlink;
    case OpStage::Uplink:
        return StepResource::Uplink;
    case OpStage::Server:
        return StepResource::Server;
    case OpStage::Worker:
        break;
    }
    return StepResource::Worker;
}

/// Identifies an op across steps: its name, stage and task, and its index among ops that share these.
using OpKey = std::tuple<std::string, OpStage, std::int32_t, std::int32_t>;

/// The ops of a step that are played, by key.
struct KeyedStep {
    std::map<OpKey, std::int32_t> indexOf;
    std::vector<std::int32_t> kept; ///< indices of the graph's ops, in order
};

KeyedStep keyOps(const OpGraph &graph, std::int32_t worker) {
    KeyedStep step;
    std::map<std::tuple<std::string, OpStage, std::int32_t>, std::int32_t> turns;
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        const ProfiledOp &op = graph.ops[i];
        const ProfiledResource &where = graph.resourceOf(op);
        if (where.kind != ProfiledResource::Kind::Device || (!where.isServer() && where.task != worker))
            continue;
        const OpStage stage = graph.stageOf(op);
        const std::int32_t turn = turns[{op.name, stage, where.task}]++;
        step.indexOf[{op.name, stage, where.task, turn}] = static_cast<std::int32_t>(i);
        step.kept.push_back(static_cast<std::int32_t>(i));
    }
    return step;
}

/// Numbers the variables that transfers down bring, and matches transfers up to them: a gradient named after the variable, or one
/// that a server's op consumes together with the variable. Transfers without a match have no variable.
void nameVariables(StepGraph &dag) {
    std::map<std::string, std::int32_t> variables;
    for (StepOp &op : dag.ops)
        if (op.resource == StepResource::Downlink) {
            const auto next = static_cast<std::int32_t>(variables.size());
            op.variable = variables.try_emplace(std::string(variableOfTransfer(op.name)), next).first->second;
        }
    std::vector<std::set<std::int32_t>> named(dag.ops.size()); // variables among an op's inputs
    for (const auto &[before, after] : dag.edges)
        if (const auto known = variables.find(dag.ops[static_cast<std::size_t>(before)].name); known != variables.end())
            named[static_cast<std::size_t>(after)].insert(known->second);
    for (const auto &[before, after] : dag.edges) {
        StepOp &up = dag.ops[static_cast<std::size_t>(before)];
        StepOp &update = dag.ops[static_cast<std::size_t>(after)];
        if (up.resource != StepResource::Uplink || update.resource != StepResource::Server)
            continue;
        const std::string gradientOf = up.name.starts_with("gradients/") ? up.name.substr(10) : up.name;
        if (const auto known = variables.find(gradientOf); known != variables.end())
            up.variable = known->second;
        else if (named[static_cast<std::size_t>(after)].size() == 1)
            up.variable = *named[static_cast<std::size_t>(after)].begin();
        update.variable = up.variable;
    }
}

/// Median time from the end of a step to the start of the next; 0 if steps overlap, or are so far apart that others may have run
/// between them.
double betweenSteps(std::vector<std::pair<double, double>> spans) {
    std::sort(spans.begin(), spans.end());
    std::vector<double> gaps, lengths;
    for (std::size_t i = 0; i + 1 < spans.size(); ++i) {
        gaps.push_back(spans[i + 1].first - spans[i].second);
        lengths.push_back(spans[i].second - spans[i].first);
    }
    if (gaps.empty())
        return 0;
    const auto middle = static_cast<std::ptrdiff_t>(gaps.size() / 2);
    std::nth_element(gaps.begin(), gaps.begin() + middle, gaps.end());
    std::nth_element(lengths.begin(), lengths.begin() + middle, lengths.end());
    return gaps[static_cast<std::size_t>(middle)] < lengths[static_cast<std::size_t>(middle)] / 2
               ? std::max(0.0, gaps[static_cast<std::size_t>(middle)])
               : 0;
}

/// Makes the graph that all steps share from the first one, then reads the times of each.
class RecordedStepsMaker {
public:
    RecordedStepsMaker(const OpGraph &first, const std::string &name, double batchSize)
        : m_first(first), m_worker(firstWorker(first)), m_pattern(keyOps(first, m_worker)), m_numberOf(first.ops.size(), -1) {
        m_made.set.name = name;
        m_made.set.batchSize = batchSize;
    }

    [[nodiscard]] Result<void> makeGraph() {
        TRY(numberServers());
        for (const std::int32_t index : m_pattern.kept)
            TRY(addOp(index));
        if (m_downs == 0 || m_ups == 0)
            return fail(fmt::format("{} tensors received by the worker and {} by servers", m_downs, m_ups),
                        "profile a worker with a parameter server in another process", m_first.file);
        for (const std::int32_t index : m_pattern.kept)
            TRY(addParents(index));
        nameVariables(dag());
        return {};
    }

    /// Reads the times of a step; a step with other ops than the first is only counted.
    void addStep(const OpGraph &graph) {
        const KeyedStep step = keyOps(graph, m_worker);
        const bool same = step.kept.size() == m_pattern.kept.size() &&
                          std::equal(step.indexOf.begin(), step.indexOf.end(), m_pattern.indexOf.begin(),
                                     [](const auto &a, const auto &b) { return a.first == b.first; });
        if (!same) {
            ++m_left;
            return;
        }
        double zero = std::numeric_limits<double>::infinity();
        for (const auto &[key, index] : step.indexOf)
            zero = std::min(zero, secondsOf(graph.ops[static_cast<std::size_t>(index)].start));
        RecordedOpTimes times;
        std::vector<double> seconds(dag().ops.size(), 0);
        times.start.resize(dag().ops.size());
        times.end.resize(dag().ops.size());
        for (const auto &[key, index] : step.indexOf) {
            const ProfiledOp &op = graph.ops[static_cast<std::size_t>(index)];
            const auto number = static_cast<std::size_t>(m_numberOf[static_cast<std::size_t>(m_pattern.indexOf.at(key))]);
            times.start[number] = secondsOf(op.start) - zero;
            times.end[number] = secondsOf(op.end) - zero;
            if (!isTransfer(dag().ops[number].resource))
                seconds[number] = std::max(0.0, times.end[number] - times.start[number]);
        }
        m_made.set.downlinkOrder.push_back(orderOf(times));
        m_spans.emplace_back(secondsOf(graph.zero) + zero,
                             secondsOf(graph.zero) + zero + *std::max_element(times.end.begin(), times.end.end()));
        m_made.set.seconds.push_back(std::move(seconds));
        m_made.steps.push_back(std::move(times));
    }

    [[nodiscard]] Result<RecordedSteps> take() {
        StepSet &set = m_made.set;
        set.betweenSeconds = betweenSteps(std::move(m_spans));
        if (set.betweenSeconds > 0)
            set.notes.push_back(fmt::format("A step starts {} after the one before has ended (median of the recorded ones).",
                                            formatSeconds(set.betweenSeconds)));
        set.notes.push_back(fmt::format("{} recorded steps of {} ops are sampled with replacement: {} transfers down, {} up.",
                                        m_made.steps.size(), dag().ops.size(), m_downs, m_ups));
        set.notes.emplace_back(
            "An op is played as soon as its inputs are ready. Gaps between the recorded steps' ops are not played, since nothing "
            "recorded tells whether an op was late because of its host or of another op.");
        if (m_left > 0)
            set.notes.push_back(fmt::format("{} steps with other ops than the first are left out.", m_left));
        TRY(inFile(validateStepSet(set), m_first.file));
        return std::move(m_made);
    }

private:
    static std::int32_t firstWorker(const OpGraph &graph) {
        std::int32_t worker = -1;
        for (const ProfiledResource &resource : graph.resources)
            if (!resource.isServer() && resource.kind == ProfiledResource::Kind::Device && (worker < 0 || resource.task < worker))
                worker = resource.task;
        return worker;
    }

    StepGraph &dag() { return m_made.set.graph; }

    Result<void> numberServers() {
        for (const ProfiledResource &resource : m_first.resources)
            if (resource.isServer())
                m_serverOf[resource.task] = 0;
        if (m_serverOf.size() > maxRecordedServers)
            return fail(fmt::format("{} parameter servers", m_serverOf.size()),
                        fmt::format("profile with at most {}", maxRecordedServers), m_first.file);
        for (std::int32_t number = 0; auto &server : m_serverOf)
            server.second = number++;
        dag().servers = std::max(static_cast<std::int32_t>(m_serverOf.size()), 1);
        return {};
    }

    Result<void> addOp(std::int32_t index) {
        const ProfiledOp &op = m_first.ops[static_cast<std::size_t>(index)];
        const ProfiledResource &where = m_first.resourceOf(op);
        StepOp stepOp;
        stepOp.name = op.name;
        stepOp.resource = resourceOf(m_first.stageOf(op));
        stepOp.server = where.isServer() ? m_serverOf.at(where.task) : 0;
        stepOp.rank = static_cast<std::int64_t>(dag().ops.size());
        if (where.isServer())
            m_servesName[op.name].insert(stepOp.server);
        if (isTransfer(stepOp.resource)) {
            if (op.sizeBytes < 0 || op.name.empty() || op.name == "RecvTensor")
                return fail(
                    fmt::format("a received tensor has no {}", op.sizeBytes < 0 ? "size" : "name"),
                    "record timelines whose RecvTensor ops have args name and bytes (StepStats has both; timeline.py drops them)",
                    m_first.file);
            stepOp.sizeBytes = static_cast<double>(op.sizeBytes);
            ++(stepOp.resource == StepResource::Downlink ? m_downs : m_ups);
        }
        m_numberOf[static_cast<std::size_t>(index)] = static_cast<std::int32_t>(dag().ops.size());
        dag().ops.push_back(std::move(stepOp));
        return {};
    }

    /// Adds the ops that an op waits for. A transfer down starts with its step, so it only gets its server.
    Result<void> addParents(std::int32_t index) {
        const std::int32_t after = m_numberOf[static_cast<std::size_t>(index)];
        StepOp &stepOp = dag().ops[static_cast<std::size_t>(after)];
        if (stepOp.resource == StepResource::Downlink) {
            if (dag().servers == 1)
                return {};
            const auto from = m_servesName.find(stepOp.name);
            if (from == m_servesName.end() || from->second.size() != 1)
                return fail(fmt::format("which server sends '{}' is not recorded", stepOp.name),
                            "profile with one server; --servers places the variables on more", m_first.file);
            stepOp.server = *from->second.begin();
            return {};
        }
        std::set<std::int32_t> parents; // an op may read the same input twice
        for (const std::int32_t input : m_first.ops[static_cast<std::size_t>(index)].inputs)
            if (input >= 0 && m_numberOf[static_cast<std::size_t>(input)] >= 0)
                parents.insert(m_numberOf[static_cast<std::size_t>(input)]);
        for (const std::int32_t before : parents)
            dag().edges.emplace_back(before, after);
        return {};
    }

    /// The transfers down, by their start.
    std::vector<std::int32_t> orderOf(const RecordedOpTimes &times) {
        std::vector<std::int32_t> order;
        for (std::size_t i = 0; i < dag().ops.size(); ++i)
            if (dag().ops[i].resource == StepResource::Downlink)
                order.push_back(static_cast<std::int32_t>(i));
        std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
            return times.start[static_cast<std::size_t>(a)] < times.start[static_cast<std::size_t>(b)];
        });
        return order;
    }

    const OpGraph &m_first;
    const std::int32_t m_worker;
    const KeyedStep m_pattern;
    RecordedSteps m_made;
    std::vector<std::int32_t> m_numberOf;                       ///< per op of the first step: its number in the graph, -1 = none
    std::map<std::string, std::set<std::int32_t>> m_servesName; ///< which servers ran an op of that name
    std::map<std::int32_t, std::int32_t> m_serverOf;            ///< parameter server by task, numbered in the order of tasks
    std::int32_t m_downs = 0, m_ups = 0;                        ///< transfers down and up
    std::size_t m_left = 0;                                     ///< number of steps left out
    std::vector<std::pair<double, double>> m_spans;             ///< begin and end of each step, absolute seconds
};

} // namespace

std::string_view variableOfTransfer(std::string_view transfer) {
    constexpr std::string_view read = "/read";
    if (transfer.ends_with(read))
        transfer.remove_suffix(read.size());
    return transfer;
}

Result<RecordedSteps> recordedStepsOf(const std::vector<std::shared_ptr<const OpGraph>> &graphs, const std::string &name,
                                      double batchSize) {
    if (graphs.empty())
        return fail("the profile does not record the dependencies of its ops", "give TensorFlow timelines, one for each step",
                    name);
    RecordedStepsMaker maker(*graphs.front(), name, batchSize);
    TRY(maker.makeGraph());
    for (const auto &graph : graphs)
        maker.addStep(*graph);
    return maker.take();
}

} // namespace syncopate
