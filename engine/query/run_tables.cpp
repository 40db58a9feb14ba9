// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/query/run_tables.h"

#include "engine/analyze/link_loads.h"
#include "engine/analyze/metrics.h"
#include "engine/base/rounding.h"
#include "engine/export/export.h"
#include "engine/query/query_cells.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace syncopate {

namespace {

using namespace query_cells;

template <class Made>
std::shared_ptr<Lazy<std::vector<Made>>> ofEachSide(const std::vector<QuerySide> &sides, Made (*make)(const QuerySide &)) {
    return std::make_shared<Lazy<std::vector<Made>>>([sides, make] {
        std::vector<Made> made;
        for (const QuerySide &side : sides)
            made.push_back(make(side));
        return made;
    });
}

template <class Count> std::vector<std::size_t> counts(const std::vector<QuerySide> &sides, Count count) {
    std::vector<std::size_t> made;
    for (const QuerySide &side : sides)
        made.push_back(count(side));
    return made;
}

struct Step {
    std::string name;
    double startSeconds, endSeconds;
};

/// A profile's own steps, or the iterations of a simulation.
std::vector<Step> stepsOf(const QuerySide &side) {
    std::vector<Step> steps;
    if (side.profile) {
        for (const ProfileStep &step : side.profile->steps)
            steps.push_back({step.name, step.startSeconds, step.endSeconds});
        return steps;
    }
    const Timeline &timeline = side.recording->timeline;
    for (std::size_t i = 0; i < timeline.iterationStart.size(); ++i) {
        const Nanoseconds end = i + 1 < timeline.iterationStart.size() ? timeline.iterationStart[i + 1] : timeline.duration;
        steps.push_back({fmt::format("iteration {}", i), static_cast<double>(timeline.iterationStart[i]) * 1e-9,
                         static_cast<double>(end) * 1e-9});
    }
    return steps;
}

const char *nameOf(TaskKind kind) {
    switch (kind) {
    case TaskKind::Forward:
        return "forward";
    case TaskKind::Backward:
        return "backward";
    case TaskKind::Update:
        return "update";
    case TaskKind::HostCopy:
        return "host copy";
    case TaskKind::Push:
        return "push";
    case TaskKind::Pull:
        return "pull";
    case TaskKind::AllReduce:
        return "all-reduce";
    case TaskKind::RingStep:
        return "ring step";
    case TaskKind::LocalReduce:
        return "local reduce";
    case TaskKind::LocalBroadcast:
        return "local broadcast";
    case TaskKind::Encode:
        return "encode";
    case TaskKind::Decode:
        return "decode";
    case TaskKind::Transfer:
        return "transfer";
    case TaskKind::ReduceScatter:
        return "reduce-scatter";
    case TaskKind::AllGather:
        return "all-gather";
    case TaskKind::Reduce:
        return "reduce";
    case TaskKind::Broadcast:
        return "broadcast";
    case TaskKind::AllToAll:
        return "all-to-all";
    case TaskKind::Permute:
        return "permute";
    case TaskKind::Host:
        return "host";
    case TaskKind::Join:
        break;
    }
    return "join";
}

/// The entry that a task's number refers to; null for -1.
template <class Entry> const Entry *entryOf(const std::vector<Entry> &list, std::int32_t number) {
    return number < 0 || static_cast<std::size_t>(number) >= list.size() ? nullptr : &list[static_cast<std::size_t>(number)];
}

/// Cells of columns from 2 on, after key and side.
QueryCell taskCell(const QuerySide &side, std::size_t t, std::size_t column) {
    const GraphRun &run = *side.graph;
    const TaskGraph &graph = run.graph;
    const auto nameIn = [](const auto *entry) { return entry ? text(entry->name) : QueryCell(); };
    switch (column) {
    case 2:
        return std::string_view(nameOf(graph.kind[t]));
    case 3:
        return unlessNone(graph.worker[t].number());
    case 4:
        return nameIn(entryOf(graph.queues, graph.queue[t].number()));
    case 5:
        // A plan's graph stores the number of the DAG's op there.
        return side.run && run.job ? nameIn(entryOf(run.job->layers, graph.layer[t].number())) : QueryCell();
    case 6:
        return nameIn(entryOf(graph.units, graph.unit[t].number()));
    case 7:
        return number(graph.iteration[t]);
    case 8:
        return nanoseconds(run.readySeconds[t]);
    case 9:
        return nanoseconds(run.startSeconds[t]);
    case 10:
        return nanoseconds(run.endSeconds[t]);
    case 11:
        return number(toNanoseconds(run.endSeconds[t]) - toNanoseconds(run.startSeconds[t]));
    case 12:
        return nanoseconds(run.arrivalSeconds(TaskId(t)));
    case 13:
        return positive(graph.sizeBytes[t]);
    case 14:
        return number(graph.orderKey[t]);
    default:
        return number(startsIn(lastIteration(run), toNanoseconds(run.startSeconds[t])) ? 1 : 0);
    }
}

/// The bytes of each task of a plan, whose graph has the time of each motif in their place: those of the timeline's spans. Empty
/// for all other sides.
std::vector<double> plannedBytes(const QuerySide &side) {
    std::vector<double> bytes;
    if (!side.graph || side.run)
        return bytes;
    bytes.assign(side.graph->graph.size(), 0);
    for (const Lane &lane : side.recording->timeline.lanes)
        for (std::size_t i = 0; i < lane.size(); ++i)
            if (lane.task[i] >= 0)
                bytes[static_cast<std::size_t>(lane.task[i])] = lane.sizeBytes[i];
    return bytes;
}

/// A side's variables and the costs of their synchronisation; no rows if nothing was simulated.
struct SideVariables {
    std::vector<VariableRow> rows;
    std::vector<std::string> shapes;
};
SideVariables variablesOf(const QuerySide &side) {
    SideVariables variables;
    if (!side.recording->job)
        return variables;
    for (const Variable &variable : side.recording->job->variables)
        variables.shapes.push_back(fmt::format("{}", fmt::join(variable.shape, "x")));
    if (side.run)
        variables.rows = variableRows(*side.run);
    return variables;
}

QueryCell variableCell(const QuerySide &side, const SideVariables &known, std::size_t v, std::size_t column) {
    const Job &job = *side.recording->job;
    const Variable &variable = job.variables[v];
    const VariableRow *const row = v < known.rows.size() ? &known.rows[v] : nullptr;
    switch (column) {
    case 2:
        return std::string_view(variable.name);
    case 3:
        return row ? QueryCell(std::string_view(job.layers[static_cast<std::size_t>(row->layer)].name)) : QueryCell();
    case 4:
        return std::string_view(known.shapes[v]);
    case 5:
        return nameOf(variable.dtype);
    case 6:
        return number(variable.elementCount());
    case 7:
        return number(variable.sizeBytes());
    case 8:
        return number(variable.sparse ? 1 : 0);
    default:
        break;
    }
    if (!row)
        return {};
    switch (column) {
    case 9:
        return text(row->synchroniser);
    case 10:
        return text(row->destination);
    case 11:
        return number(row->parts);
    case 12:
        return unlessNone(row->group);
    case 13:
        return nanoseconds(row->firstStartSeconds);
    case 14:
        return nanoseconds(row->lastEndSeconds);
    default:
        return nanoseconds(row->communicationSeconds);
    }
}

struct SideLinks {
    std::vector<double> bytes, shares;
};
SideLinks linksOf(const QuerySide &side) {
    SideLinks sideLinks;
    if (!side.run)
        return sideLinks;
    const LinkLoads loads(*side.run);
    const auto [begin, end] = iterationWindow(*side.run);
    const double from = static_cast<double>(begin) * 1e-9, to = static_cast<double>(end) * 1e-9;
    for (std::size_t l = 0; l < side.run->graph.links.size(); ++l) {
        sideLinks.bytes.push_back(loads.bytes(LinkId(l), from, to) / side.run->windowIterations);
        sideLinks.shares.push_back(loads.share(LinkId(l), from, to));
    }
    return sideLinks;
}

QueryCell linkCell(const QuerySide &side, const SideLinks &loads, std::size_t l, std::size_t column) {
    const FluidLink &link = side.graph->graph.links[l];
    if (!side.run && column > 2) // a plan's links carry seconds of motifs, and belong to no node
        return {};
    switch (column) {
    case 2:
        return std::string_view(link.name);
    case 3:
        return std::string_view(link.isFabric ? "inside" : "network");
    case 4:
        return std::string_view(link.receives ? "in" : "out");
    case 5:
        return number(static_cast<std::int64_t>(link.nodes.size()));
    case 6:
        return link.bytesPerSecond;
    case 7:
        return l < loads.bytes.size() ? QueryCell(loads.bytes[l]) : QueryCell();
    default:
        return l < loads.shares.size() ? QueryCell(loads.shares[l]) : QueryCell();
    }
}

} // namespace

std::vector<std::size_t> taskCounts(const std::vector<QuerySide> &sides) {
    return counts(sides, [](const QuerySide &side) { return side.graph ? side.graph->graph.size() : 0; });
}

std::vector<std::size_t> variableCounts(const std::vector<QuerySide> &sides) {
    return counts(sides, [](const QuerySide &side) { return side.recording->job ? side.recording->job->variables.size() : 0; });
}

TablePointer makeStepTable(const std::vector<QuerySide> &sides) {
    auto steps = ofEachSide(sides, stepsOf);
    auto sizes = counts(sides, [](const QuerySide &side) { return stepsOf(side).size(); });
    return std::make_unique<SideTable>(
        "steps", "a profile's steps, or the iterations that were simulated",
        std::vector<QueryColumn>{
            {"step_id", "INTEGER", "key"},
            {"side", "TEXT", "A or B"},
            {"name", "TEXT", "as recorded, or iteration N"},
            {"start_ns", "INTEGER", "ns"},
            {"end_ns", "INTEGER",
             "of the last work that a recorded step launched; of an iteration, the next one's start or the run's end, ns"},
            {"duration_ns", "INTEGER", "ns"}},
        std::move(sizes), [sides, steps](std::size_t side, std::size_t index, std::size_t column) -> QueryCell {
            const Step &step = steps->get()[side][index];
            switch (column) {
            case 1:
                return std::string_view(sides[side].name);
            case 2:
                return std::string_view(step.name);
            case 3:
                return nanoseconds(step.startSeconds);
            case 4:
                return nanoseconds(step.endSeconds);
            default:
                return number(toNanoseconds(step.endSeconds) - toNanoseconds(step.startSeconds));
            }
        });
}

TablePointer makeTaskTable(const std::vector<QuerySide> &sides) {
    return std::make_unique<SideTable>(
        "tasks", "the simulated tasks: compute, messages and collectives, with their waits",
        std::vector<QueryColumn>{{"task_id", "INTEGER", "key"},
                                 {"side", "TEXT", "A or B"},
                                 {"kind", "TEXT", "forward, backward, push, pull, all-reduce, ..."},
                                 {"worker", "INTEGER", "worker (class); NULL = of all"},
                                 {"queue", "TEXT", "where it waited for a slot; NULL = nowhere"},
                                 {"layer", "TEXT", "of the job; NULL for a plan's tasks"},
                                 {"unit", "TEXT", "variable, part or bucket that it synchronises"},
                                 {"iteration", "INTEGER", "0-based"},
                                 {"ready_ns", "INTEGER", "all that it waits for is done, ns"},
                                 {"start_ns", "INTEGER", "ns"},
                                 {"end_ns", "INTEGER", "its bytes have left, ns"},
                                 {"duration_ns", "INTEGER", "ns"},
                                 {"arrival_ns", "INTEGER", "its bytes have arrived, ns"},
                                 {"size_bytes", "REAL", "traffic, bytes; NULL without"},
                                 {"priority", "INTEGER", "smaller first, in queues with priorities"},
                                 {"last_iteration", "INTEGER", "1: starts in worker 0's last full iteration"}},
        taskCounts(sides),
        [sides, planned = ofEachSide(sides, plannedBytes)](std::size_t side, std::size_t index, std::size_t column) {
            if (column == 1)
                return QueryCell(std::string_view(sides[side].name));
            return column == 13 && !sides[side].run ? positive(planned->get()[side][index])
                                                    : taskCell(sides[side], index, column);
        });
}

TablePointer makeVariableTable(const std::vector<QuerySide> &sides) {
    return std::make_unique<SideTable>(
        "variables", "the job's variables and how they are synchronised",
        std::vector<QueryColumn>{{"variable_id", "INTEGER", "key"},
                                 {"side", "TEXT", "A or B"},
                                 {"name", "TEXT", "of the variable"},
                                 {"layer", "TEXT", "whose gradient it gets; NULL where nothing was simulated"},
                                 {"shape", "TEXT", "64x3x7x7"},
                                 {"dtype", "TEXT", "float32"},
                                 {"elements", "INTEGER", "product of its shape"},
                                 {"size_bytes", "INTEGER", "bytes"},
                                 {"sparse", "INTEGER", "1 = its gradient has rows with indices"},
                                 {"synchroniser", "TEXT", "PS or AllReduce"},
                                 {"destination", "TEXT", "of a parameter server's variable"},
                                 {"parts", "INTEGER", "into which it is cut"},
                                 {"sync_group", "INTEGER", "all-reduce group or bucket, the lowest of its parts'"},
                                 {"first_start_ns", "INTEGER", "of its traffic, from the iteration's start, ns"},
                                 {"last_end_ns", "INTEGER", "ns"},
                                 {"communication_ns", "INTEGER", "its traffic is under way on worker 0, ns"}},
        variableCounts(sides),
        [sides, known = ofEachSide(sides, variablesOf)](std::size_t side, std::size_t index, std::size_t column) {
            return column == 1 ? QueryCell(std::string_view(sides[side].name))
                               : variableCell(sides[side], known->get()[side], index, column);
        });
}

TablePointer makeLinkTable(const std::vector<QuerySide> &sides) {
    return std::make_unique<SideTable>(
        "links", "the links of the simulated network and their load in the iteration that the figures describe",
        std::vector<QueryColumn>{{"link_id", "INTEGER", "key"},
                                 {"side", "TEXT", "A or B"},
                                 {"name", "TEXT", "of the link"},
                                 {"kind", "TEXT", "network, or inside a node; this and the rest NULL for a plan's links"},
                                 {"direction", "TEXT", "in = towards the node or device, out = away from it"},
                                 {"nodes", "INTEGER", "whose link it is; equal nodes that were folded count all"},
                                 {"bytes_per_second", "REAL", "capacity, bytes/s"},
                                 {"carried_bytes", "REAL", "in that iteration, bytes"},
                                 {"utilisation", "REAL", "of the capacity, 0 to 1"}},
        counts(sides, [](const QuerySide &side) { return side.graph ? side.graph->graph.links.size() : 0; }),
        [sides, loads = ofEachSide(sides, linksOf)](std::size_t side, std::size_t index, std::size_t column) {
            return column == 1 ? QueryCell(std::string_view(sides[side].name))
                               : linkCell(sides[side], loads->get()[side], index, column);
        });
}

} // namespace syncopate
