// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/export/export.h"

#include "engine/analyze/flows.h"
#include "engine/analyze/metrics.h"
#include "engine/base/json_writer.h"
#include "engine/export/table.h"
#include "engine/graph/task_kind.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace syncopate {

namespace {

constexpr std::size_t pieceBytes = std::size_t{1} << 18; ///< per piece of a trace

/// Writes arrows between traffic and the tasks before and after it, from the end of one span to the start of the other, between
/// the nearest lanes. Limited per task, because an all-to-all would draw as many as the square of the workers.
bool writeFlows(const Run &run, JsonWriter &json, const TextSink &sink) {
    constexpr std::size_t maxOfTask = 32;
    const FlowFinder finder(run);
    std::int64_t id = 0;
    const auto end = [&](const char *phase, const SpanRef &span, double microseconds) {
        json.beginObject().member("ph", phase).member("name", "dependency").member("cat", "flow").member("id", id);
        if (*phase == 'f')
            json.member("bp", "e"); // binds to the enclosing span, not to the next one
        json.member("pid", static_cast<std::int64_t>(run.timeline.lanes[span.lane].worker));
        json.member("tid", static_cast<std::int64_t>(span.lane) + 1).member("ts", microseconds).endObject().newLine();
    };
    for (std::size_t t = 0; t < run.graph.size(); ++t) {
        for (const Flow &flow : finder.from(TaskId(t), maxOfTask)) {
            if (!run.graph.unit[t].exists() && !run.graph.unit[flow.to.index()].exists())
                continue; // ops that follow each other get no arrows
            const SpanRef from = finder.spans().of(flow.from.number()).front();
            const Lane &lane = run.timeline.lanes[from.lane];
            const SpanRef to = *finder.spans().nearest(run.timeline, flow.to.number(), lane.worker);
            ++id;
            // Just before the span's end: an arrow at the very end would not start from any span.
            end("s", from, static_cast<double>(std::max(lane.start[from.span], lane.end[from.span] - 1)) / 1e3);
            end("f", to, static_cast<double>(run.timeline.lanes[to.lane].start[to.span]) / 1e3);
        }
        if (json.size() >= pieceBytes && !sink(json.take()))
            return false;
    }
    return true;
}

/// Names a process or a thread ("process_name", "thread_name").
void writeName(JsonWriter &json, const char *what, std::int64_t pid, std::int64_t tid, std::string_view name) {
    json.beginObject().member("ph", "M").member("name", what).member("pid", pid).member("tid", tid);
    json.key("args").beginObject().member("name", name).endObject().endObject().newLine();
}

/// Nanoseconds become microseconds with three decimals, exactly.
void writeTimes(JsonWriter &json, Nanoseconds start, Nanoseconds end) {
    json.member("ts", static_cast<double>(start) / 1e3).member("dur", static_cast<double>(end - start) / 1e3);
}

/// Writes a thread of the worker that communication exposes longest, as iterationStatistics() has it. Spans are cut where the
/// window of the figures begins and ends, so that those within it sum to the figure.
bool writeExposed(const Recording &run, std::int32_t worker, JsonWriter &json, const TextSink &sink) {
    constexpr const char *name = "exposed communication";
    const std::int64_t pid = worker;
    const auto tid = static_cast<std::int64_t>(run.timeline.lanes.size()) + 1;
    const auto [from, to] = iterationWindow(run);
    writeName(json, "thread_name", pid, tid, name);
    for (const auto &[start, end] : exposedIntervals(run.timeline, worker)) {
        const Nanoseconds cuts[] = {start, std::clamp(from, start, end), std::clamp(to, start, end), end};
        for (std::size_t i = 0; i + 1 < std::size(cuts); ++i) {
            if (cuts[i] == cuts[i + 1])
                continue;
            json.beginObject().member("ph", "X").member("name", name).member("cat", "exposed");
            json.member("pid", pid).member("tid", tid);
            writeTimes(json, cuts[i], cuts[i + 1]);
            json.key("args").beginObject().member("in_window", i == 1).endObject().endObject().newLine();
        }
        if (json.size() >= pieceBytes && !sink(json.take()))
            return false;
    }
    return true;
}

/// `simulation`: the same run with its graph and scenario, or null.
bool writeTrace(const Recording &run, const Run *simulation, const TextSink &sink) {
    JsonWriter json;
    json.beginObject().member("displayTimeUnit", "ms").key("traceEvents").beginArray().newLine();
    for (std::size_t w = 0; simulation && w < simulation->graph.workerNames.size(); ++w)
        writeName(json, "process_name", static_cast<std::int64_t>(w), 0, simulation->graph.workerNames[w]);
    for (std::size_t l = 0; l < run.timeline.lanes.size(); ++l) {
        const Lane &lane = run.timeline.lanes[l];
        const std::int64_t pid = lane.worker;
        const auto tid = static_cast<std::int64_t>(l) + 1;
        writeName(json, "thread_name", pid, tid, lane.name);
        for (std::size_t i = 0; i < lane.size(); ++i) {
            json.beginObject().member("ph", "X").member("name", run.timeline.labels[static_cast<std::size_t>(lane.label[i])]);
            json.member("cat", nameOf(lane.category[i])).member("pid", pid).member("tid", tid);
            writeTimes(json, lane.start[i], lane.end[i]);
            json.key("args").beginObject();
            if (simulation) // spans of recordings have no tasks
                json.member("iteration", simulation->graph.iteration[TaskId(lane.task[i]).index()]);
            if (lane.sizeBytes[i] > 0)
                json.member("size_bytes", static_cast<std::int64_t>(std::llround(lane.sizeBytes[i]))); // slices may share a byte
            json.endObject().endObject().newLine();
            if (json.size() >= pieceBytes && !sink(json.take()))
                return false;
        }
    }
    const bool hasIteration = run.iterationSeconds > 0; // recordings without a training step have none
    const AreaStatistics worst = hasIteration ? iterationStatistics(run) : AreaStatistics();
    if (hasIteration && !writeExposed(run, worst.worker, json, sink))
        return false;
    if (simulation && !writeFlows(*simulation, json, sink))
        return false;
    json.endArray().key("otherData").beginObject();
    json.member("job", run.job->name);
    if (simulation)
        json.member("cluster", simulation->scenario.cluster->name).member("policy", formatPolicy(simulation->scenario.policy));
    json.member("iteration_seconds", run.iterationSeconds);
    if (hasIteration)
        json.member("window_start_seconds", static_cast<double>(iterationWindow(run).first) * 1e-9)
            .member("window_iterations", run.windowIterations)
            .member("exposed_communication_seconds", worst.exposedSeconds);
    json.key("assumptions").beginArray();
    for (const std::string &assumption : run.assumptions)
        json.value(assumption);
    json.endArray().endObject().endObject().newLine();
    return sink(json.take());
}

/// Per variable, when its traffic of the last full iteration ran. It may end in the next iteration: that is what per-layer
/// overlap means.
std::vector<std::vector<std::pair<double, double>>> trafficSpans(const Run &run) {
    const TaskGraph &graph = run.graph;
    const std::int32_t iteration = graph.iterations - 2;
    std::vector<std::vector<std::pair<double, double>>> spans(run.scenario.job->variables.size());
    for (std::size_t t = 0; t < graph.size(); ++t) {
        // A collective with a measured time has neither a path nor a ring.
        const bool isTraffic = graph.path[t].exists() || graph.ring[t].exists() || isCollective(graph.kind[t]);
        if (graph.iteration[t] != iteration || !graph.unit[t].exists() || !isTraffic || graph.worker[t].number() > 0 ||
            !(run.endSeconds[t] > run.startSeconds[t]))
            continue;
        for (const std::int32_t v : graph.units[graph.unit[t].index()].variables)
            spans[static_cast<std::size_t>(v)].emplace_back(run.startSeconds[t], run.endSeconds[t]);
    }
    for (auto &variableSpans : spans)
        std::sort(variableSpans.begin(), variableSpans.end());
    return spans;
}

/// Whether one of the names in `list`, between blanks, is `name`: 10.0.0.1:CPU:0 is not in "110.0.0.1:CPU:0 n1:CPU:0".
bool isListed(std::string_view list, std::string_view name) {
    for (std::size_t at = list.find(name); at != std::string_view::npos; at = list.find(name, at + 1))
        if ((at == 0 || list[at - 1] == ' ') && (at + name.size() == list.size() || list[at + name.size()] == ' '))
            return true;
    return false;
}

void addSynchroniser(VariableRow &row, const SyncUnit &unit) {
    ++row.parts;
    row.synchroniser = unit.kind == SynchronizerKind::AllReduce ? "AllReduce" : "PS";
    if (!unit.destination.empty() && !isListed(row.destination, unit.destination))
        row.destination += (row.destination.empty() ? "" : " ") + unit.destination;
}

/// "0..3 7": numbers between blanks, each once, ascending; a variable may have as many groups as rows.
std::string rangesOf(std::vector<std::int32_t> numbers) {
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    std::string text;
    for (std::size_t first = 0, end = 0; first < numbers.size(); first = end) {
        for (end = first + 1; end < numbers.size() && numbers[end] == numbers[end - 1] + 1;)
            ++end;
        text += fmt::format("{}{}", first == 0 ? "" : " ", numbers[first]);
        if (end - first > 1)
            text += fmt::format("..{}", numbers[end - 1]);
    }
    return text;
}

void addGroups(std::vector<VariableRow> &rows, const std::vector<SyncUnit> &units) {
    std::vector<std::vector<std::int32_t>> groups(rows.size());
    for (const SyncUnit &unit : units)
        for (const std::int32_t v : unit.variables) {
            auto &known = groups[static_cast<std::size_t>(v)];
            if (unit.group >= 0 && (known.empty() || known.back() != unit.group))
                known.push_back(unit.group);
        }
    for (std::size_t v = 0; v < rows.size(); ++v) {
        rows[v].group = groups[v].empty() ? -1 : *std::min_element(groups[v].begin(), groups[v].end());
        rows[v].groups = rangesOf(std::move(groups[v]));
    }
}

} // namespace

bool writeChromeTrace(const Run &run, const TextSink &sink) { return writeTrace(run, &run, sink); }

bool writeChromeTrace(const Recording &recording, const TextSink &sink) { return writeTrace(recording, nullptr, sink); }

std::string writeChromeTrace(const Run &run) {
    std::string text;
    writeChromeTrace(run, [&text](std::string_view piece) {
        text += piece;
        return true;
    });
    return text;
}

std::vector<VariableRow> variableRows(const Run &run) {
    const Job &job = *run.scenario.job;
    std::vector<VariableRow> rows(job.variables.size());
    for (std::size_t l = 0; l < job.layers.size(); ++l)
        for (const std::int32_t v : job.layers[l].variables)
            rows[static_cast<std::size_t>(v)].layer = static_cast<std::int32_t>(l);
    for (std::size_t v = 0; v < rows.size(); ++v)
        rows[v].variable = static_cast<std::int32_t>(v);
    for (const SyncUnit &unit : run.graph.units)
        for (const std::int32_t v : unit.variables)
            addSynchroniser(rows[static_cast<std::size_t>(v)], unit);
    addGroups(rows, run.graph.units);
    const auto spans = trafficSpans(run);
    for (std::size_t v = 0; v < rows.size(); ++v) {
        if (spans[v].empty())
            continue;
        const double start = spans[v].front().first;
        rows[v].firstStartSeconds = start - run.windowStartSeconds;
        double end = start;
        for (const auto &[from, to] : spans[v]) {
            rows[v].communicationSeconds += std::max(0.0, to - std::max(from, end));
            end = std::max(end, to);
        }
        rows[v].lastEndSeconds = end - run.windowStartSeconds;
    }
    return rows;
}

std::string writeTableCsv(const Run &run) { return writeTable(variableTable(run), TableFormat::Csv); }

namespace {

/// A Python string literal; file names may contain quotes, backslashes and line breaks.
std::string pythonLiteral(std::string_view text) {
    std::string literal = "'";
    for (const char c : text) {
        if (c == '\'' || c == '\\')
            (literal += '\\') += c;
        else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            literal += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        else
            literal += c;
    }
    return literal + "'";
}

} // namespace

std::string writeAutoDistStub(std::string_view strategyFileName) {
    return fmt::format("\"\"\"Loads an exported strategy: AutoDist(resource_spec_file, FromFile()).\"\"\"\n"
                       "import os\n\n"
                       "from autodist.strategy.base import Strategy, StrategyBuilder\n\n"
                       "STRATEGY_FILE = {}\n\n\n"
                       "class FromFile(StrategyBuilder):\n"
                       "    def build(self, graph_item, resource_spec):\n"
                       "        folder = os.path.dirname(os.path.abspath(__file__))\n"
                       "        return Strategy.deserialize(path=os.path.join(folder, STRATEGY_FILE))\n",
                       pythonLiteral(strategyFileName));
}

std::string autoDistStubName(std::string_view strategyFileName) {
    std::string name(strategyFileName.substr(0, strategyFileName.rfind('.')));
    for (char &c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0 || static_cast<unsigned char>(c) >= 0x80)
            c = '_';
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) != 0)
        name.insert(name.begin(), '_');
    return name + "_builder.py";
}

} // namespace syncopate
