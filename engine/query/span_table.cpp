// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/query/span_table.h"

#include "engine/analyze/metrics.h"
#include "engine/query/query_cells.h"

#include <algorithm>
#include <array>
#include <utility>

namespace syncopate {

namespace {

using namespace query_cells;

enum Column : std::size_t {
    Key,
    SideName,
    LaneName,
    Worker,
    Compute,
    CategoryName,
    Name,
    Start,
    End,
    Duration,
    Size,
    Iteration,
    VariableName,
    VariableKey,
    TaskKey,
    LastIteration
};

std::vector<QueryColumn> spanColumns() {
    return {{"span_id", "INTEGER", "key"},
            {"side", "TEXT", "A or B"},
            {"lane", "TEXT", "the row of the timeline"},
            {"worker", "INTEGER", "worker (class) of the lane; NULL for a server's"},
            {"compute", "INTEGER", "1 on a worker's compute stream"},
            {"category", "TEXT", "forward, backward, update, all-reduce, push, pull, other compute or communication, host, copy"},
            {"name", "TEXT", "layer, variable, bucket, kernel or op"},
            {"start_ns", "INTEGER", "from the timeline's start, ns"},
            {"end_ns", "INTEGER", "ns"},
            {"duration_ns", "INTEGER", "ns"},
            {"size_bytes", "REAL", "traffic, bytes; NULL without"},
            {"iteration", "INTEGER", "0-based; NULL before the first"},
            {"variable", "TEXT", "whose traffic it is; NULL = of none or several"},
            {"variable_id", "INTEGER", "key of that variable"},
            {"task_id", "INTEGER", "key of the simulated task; NULL where nothing was simulated"},
            {"last_iteration", "INTEGER", "1: starts in worker 0's last full iteration, or in the step that was measured"}};
}

TextRanks namesOfSides(const std::vector<QuerySide> &sides) {
    std::vector<std::string_view> names;
    for (const QuerySide &side : sides)
        names.emplace_back(side.name);
    return TextRanks(std::move(names));
}

TextRanks namesOfLanes(const std::vector<QuerySide> &sides) {
    std::vector<std::string_view> names;
    for (const QuerySide &side : sides)
        for (const Lane &lane : side.recording->timeline.lanes)
            names.emplace_back(lane.name);
    return TextRanks(std::move(names));
}

TextRanks namesOfCategories() {
    std::vector<std::string_view> names;
    for (std::size_t c = 0; c < categoryCount; ++c)
        names.emplace_back(nameOf(static_cast<Category>(c)));
    return TextRanks(std::move(names));
}

std::uint32_t fromOne(std::int32_t number) { return static_cast<std::uint32_t>(std::max(number, -1) + 1); }

} // namespace

SpanTable::SpanTable(std::vector<QuerySide> sides, std::vector<std::size_t> firstTask, std::vector<std::size_t> firstVariable)
    : QueryTable("spans", "what each lane of a timeline did, and when", spanColumns()), m_sides(std::move(sides)),
      m_firstTask(std::move(firstTask)), m_firstVariable(std::move(firstVariable)), m_sideNames(namesOfSides(m_sides)),
      m_laneNames(namesOfLanes(m_sides)), m_categories(namesOfCategories()) {
    for (std::size_t s = 0; s < m_sides.size(); ++s) {
        const Timeline &timeline = m_sides[s].recording->timeline;
        m_lastIterations.push_back(lastIteration(*m_sides[s].recording));
        m_maxIteration = std::max(m_maxIteration, static_cast<std::int32_t>(timeline.iterationStart.size()) - 1);
        if (const GraphRun *const run = m_sides[s].graph; run && run->graph.size() > 0)
            m_maxIteration =
                std::max(m_maxIteration, *std::max_element(run->graph.iteration.begin(), run->graph.iteration.end()));
        for (const Lane &lane : timeline.lanes) {
            m_parts.push_back({&lane, s, m_laneNames.of(lane.name)});
            m_maxWorker = std::max(m_maxWorker, lane.worker);
        }
    }
}

std::int32_t SpanTable::iterationOf(Row row) const {
    const Part &part = m_parts[row.part];
    const QuerySide &side = m_sides[part.side];
    if (side.graph)
        return side.graph->graph.iteration[static_cast<std::size_t>(part.lane->task[row.index])];
    const std::vector<Nanoseconds> &starts = side.recording->timeline.iterationStart;
    return static_cast<std::int32_t>(std::upper_bound(starts.begin(), starts.end(), part.lane->start[row.index]) -
                                     starts.begin()) -
           1;
}

bool SpanTable::isOfLastIteration(Row row) const {
    const Part &part = m_parts[row.part];
    return startsIn(m_lastIterations[part.side], part.lane->start[row.index]);
}

const Variable *SpanTable::variableOf(Row row) const {
    const Part &part = m_parts[row.part];
    const auto &job = m_sides[part.side].recording->job;
    const std::int32_t variable = part.lane->variable[row.index];
    return variable < 0 || !job || static_cast<std::size_t>(variable) >= job->variables.size()
               ? nullptr // no variable, or of another job than the one beside the timeline
               : &job->variables[static_cast<std::size_t>(variable)];
}

QueryCell SpanTable::cell(Row row, std::size_t column) const {
    const Part &part = m_parts[row.part];
    const Lane &lane = *part.lane;
    const QuerySide &side = m_sides[part.side];
    const std::size_t i = row.index;
    const auto unlessNone = [](std::int32_t number, std::size_t first = 0) {
        return number < 0 ? QueryCell() : QueryCell(static_cast<std::int64_t>(first) + number);
    };
    switch (column) {
    case SideName:
        return std::string_view(side.name);
    case LaneName:
        return std::string_view(lane.name);
    case Worker:
        return unlessNone(lane.worker);
    case Compute:
        return static_cast<std::int64_t>(lane.isCompute);
    case CategoryName:
        return std::string_view(nameOf(lane.category[i]));
    case Name:
        return std::string_view(side.recording->timeline.labels[static_cast<std::size_t>(lane.label[i])]);
    case Start:
        return lane.start[i];
    case End:
        return lane.end[i];
    case Duration:
        return lane.end[i] - lane.start[i];
    case Size:
        return lane.sizeBytes[i] > 0 ? QueryCell(lane.sizeBytes[i]) : QueryCell();
    case Iteration:
        return unlessNone(iterationOf(row));
    case VariableName: {
        const Variable *const variable = variableOf(row);
        return variable ? QueryCell(std::string_view(variable->name)) : QueryCell();
    }
    case VariableKey:
        return variableOf(row) ? unlessNone(lane.variable[i], m_firstVariable[part.side]) : QueryCell();
    case TaskKey:
        return side.graph ? unlessNone(lane.task[i], m_firstTask[part.side]) : QueryCell();
    case LastIteration:
        return number(isOfLastIteration(row) ? 1 : 0);
    default:
        return {};
    }
}

void SpanTable::prefetch(Row row, std::uint64_t columns) const {
    const Lane &lane = *m_parts[row.part].lane;
    const auto areAsked = [columns](auto... some) { return (columns & ((std::uint64_t{1} << some) | ...)) != 0; };
    if (areAsked(Start, Duration, Iteration, LastIteration))
        __builtin_prefetch(&lane.start[row.index]);
    if (areAsked(End, Duration))
        __builtin_prefetch(&lane.end[row.index]);
    if (areAsked(Name))
        __builtin_prefetch(&lane.label[row.index]);
    if (areAsked(CategoryName))
        __builtin_prefetch(&lane.category[row.index]);
    if (areAsked(Size))
        __builtin_prefetch(&lane.sizeBytes[row.index]);
    if (areAsked(VariableName, VariableKey))
        __builtin_prefetch(&lane.variable[row.index]);
    if (areAsked(TaskKey))
        __builtin_prefetch(&lane.task[row.index]);
}

std::function<std::int64_t(QueryTable::Row)> SpanTable::integers(std::size_t column) const {
    switch (column) {
    case Start:
        return [this](Row row) { return m_parts[row.part].lane->start[row.index]; };
    case End:
        return [this](Row row) { return m_parts[row.part].lane->end[row.index]; };
    case Duration:
        return [this](Row row) { return m_parts[row.part].lane->end[row.index] - m_parts[row.part].lane->start[row.index]; };
    default:
        return {};
    }
}

QueryTable::Ranks SpanTable::ranksOfLabels() const {
    std::vector<std::string_view> texts;
    for (const QuerySide &side : m_sides)
        texts.insert(texts.end(), side.recording->timeline.labels.begin(), side.recording->timeline.labels.end());
    const TextRanks ranks(std::move(texts));
    std::vector<std::vector<std::uint32_t>> ofLabel;
    for (const QuerySide &side : m_sides)
        for (auto &known = ofLabel.emplace_back(); const std::string &label : side.recording->timeline.labels)
            known.push_back(ranks.of(label));
    return {ranks.count(), [this, ofLabel = std::move(ofLabel)](Row row) {
                const Part &part = m_parts[row.part];
                return ofLabel[part.side][static_cast<std::size_t>(part.lane->label[row.index])];
            }};
}

QueryTable::Ranks SpanTable::ranksOfVariables() const {
    std::vector<std::string_view> texts;
    for (const QuerySide &side : m_sides)
        if (side.recording->job)
            for (const Variable &variable : side.recording->job->variables)
                texts.emplace_back(variable.name);
    const TextRanks ranks(std::move(texts));
    std::vector<std::vector<std::uint32_t>> ofVariable;
    for (const QuerySide &side : m_sides) {
        auto &known = ofVariable.emplace_back();
        if (side.recording->job)
            for (const Variable &variable : side.recording->job->variables)
                known.push_back(ranks.of(variable.name));
    }
    return {ranks.count(), [this, ofVariable = std::move(ofVariable)](Row row) {
                const Part &part = m_parts[row.part];
                const std::int32_t variable = part.lane->variable[row.index];
                return variableOf(row) ? ofVariable[part.side][static_cast<std::size_t>(variable)] : 0;
            }};
}

std::optional<QueryTable::Ranks> SpanTable::ranks(std::size_t column) const {
    switch (column) {
    case SideName:
        return Ranks{m_sideNames.count(), [this](Row row) { return m_sideNames.of(m_sides[m_parts[row.part].side].name); }};
    case LaneName:
        return Ranks{m_laneNames.count(), [this](Row row) { return m_parts[row.part].nameRank; }};
    case Worker:
        return Ranks{static_cast<std::size_t>(m_maxWorker) + 2,
                     [this](Row row) { return fromOne(m_parts[row.part].lane->worker); }};
    case Compute:
        return Ranks{2, [this](Row row) { return static_cast<std::uint32_t>(m_parts[row.part].lane->isCompute); }};
    case CategoryName: {
        std::array<std::uint32_t, categoryCount> ofCategory{};
        for (std::size_t c = 0; c < categoryCount; ++c)
            ofCategory[c] = m_categories.of(nameOf(static_cast<Category>(c)));
        return Ranks{m_categories.count(), [this, ofCategory](Row row) {
                         return ofCategory[static_cast<std::size_t>(m_parts[row.part].lane->category[row.index])];
                     }};
    }
    case Name:
        return ranksOfLabels();
    case Iteration:
        return Ranks{static_cast<std::size_t>(m_maxIteration) + 2, [this](Row row) { return fromOne(iterationOf(row)); }};
    case VariableName:
        return ranksOfVariables();
    case LastIteration:
        return Ranks{2, [this](Row row) { return static_cast<std::uint32_t>(isOfLastIteration(row)); }};
    default:
        return {};
    }
}

} // namespace syncopate
