// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/graph/repeat_iterations.h"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace syncopate {

namespace {

/// The last two iterations of a graph that are alike: `count` tasks from `first` on, then as many again up to the graph's end.
struct AlikeIterations {
    std::size_t first, count;

    [[nodiscard]] std::size_t last() const { return first + count; }
};

/// Whether a column has the same in both iterations.
template <class Column> bool isSame(const Column &column, const AlikeIterations &alike) {
    const auto first = column.begin() + static_cast<std::ptrdiff_t>(alike.first);
    const auto last = column.begin() + static_cast<std::ptrdiff_t>(alike.last());
    return std::equal(first, last, last, last + static_cast<std::ptrdiff_t>(alike.count));
}

bool haveSameTasks(const TaskGraph &graph, const AlikeIterations &alike) {
    return isSame(graph.kind, alike) && isSame(graph.worker, alike) && isSame(graph.queue, alike) &&
           isSame(graph.releases, alike) && isSame(graph.path, alike) && isSame(graph.ring, alike) &&
           isSame(graph.fixedSeconds, alike) && isSame(graph.flightSeconds, alike) && isSame(graph.sizeBytes, alike) &&
           isSame(graph.windowBytes, alike) && isSame(graph.layer, alike) && isSame(graph.unit, alike);
}

/// Whether the edges of the last iteration are those that the one before has within itself, and no edge goes further than to the
/// next iteration.
bool haveSameEdges(const TaskGraph &graph, const AlikeIterations &alike) {
    const std::vector<std::uint32_t> &offsets = graph.successorOffsets;
    const auto isEarlier = [&](TaskId child) { return child.index() < alike.last(); };
    if (!std::all_of(graph.successors.begin(), graph.successors.begin() + offsets[alike.first], isEarlier))
        return false;
    for (std::size_t t = alike.first; t < alike.last(); ++t) {
        std::uint32_t other = offsets[t + alike.count];
        const std::uint32_t otherEnd = offsets[t + alike.count + 1];
        for (std::uint32_t s = offsets[t]; s < offsets[t + 1]; ++s) {
            const TaskId child = graph.successors[s];
            if (isEarlier(child) && (other == otherEnd || graph.successors[other++].index() != child.index() + alike.count))
                return false;
        }
        if (other != otherEnd)
            return false;
    }
    return true;
}

std::optional<AlikeIterations> alikeIterations(const TaskGraph &graph) {
    const std::int32_t last = graph.size() > 0 ? graph.iteration.back() : 0;
    if (last < 1)
        return std::nullopt;
    const auto numbers = graph.iteration.rbegin();
    const auto lastEnd = std::find_if(numbers, graph.iteration.rend(), [&](std::int32_t i) { return i != last; });
    const auto beforeEnd = std::find_if(lastEnd, graph.iteration.rend(), [&](std::int32_t i) { return i != last - 1; });
    const auto count = static_cast<std::size_t>(lastEnd - numbers);
    if (count == 0 || static_cast<std::size_t>(beforeEnd - lastEnd) != count ||
        !std::all_of(beforeEnd, graph.iteration.rend(), [&](std::int32_t i) { return i < last - 1; }))
        return std::nullopt;
    const AlikeIterations alike{graph.size() - 2 * count, count};
    return haveSameTasks(graph, alike) && haveSameEdges(graph, alike) ? std::optional(alike) : std::nullopt;
}

/// The iterations to be added, until `stop` is requested: the result is then incomplete.
struct Copies {
    const AlikeIterations &alike;
    std::size_t count;
    const std::stop_token &stop;
};

/// Extends a column by repeating the last iteration's entries.
template <class Column> void repeatColumn(Column &column, const Copies &copies) {
    const AlikeIterations &alike = copies.alike;
    const std::size_t end = column.size();
    column.resize(end + copies.count * alike.count);
    for (std::size_t begin = end; begin < column.size() && !copies.stop.stop_requested(); begin += alike.count)
        std::copy_n(column.begin() + static_cast<std::ptrdiff_t>(alike.last()), alike.count,
                    column.begin() + static_cast<std::ptrdiff_t>(begin));
}

/// The same for numbers that change from copy to copy as from the iteration before the last to the last.
template <class Column> void continueColumn(Column &column, const Copies &copies) {
    const std::size_t count = copies.alike.count, end = column.size();
    column.resize(end + copies.count * count);
    for (std::size_t begin = end; begin < column.size() && !copies.stop.stop_requested(); begin += count)
        for (std::size_t t = begin; t < begin + count; ++t)
            column[t] = column[t - count] + (column[t - count] - column[t - 2 * count]);
}

/// Gives the edges of the iteration before the last one to all that follow, except for the final one, whose successors were not
/// unrolled. The columns have their new length.
void repeatEdges(TaskGraph &graph, const Copies &all) {
    const auto &[alike, copies, stop] = all;
    std::vector<std::uint32_t> &offsets = graph.successorOffsets;
    std::vector<TaskId> &successors = graph.successors;
    const std::uint32_t first = offsets[alike.first], edges = offsets[alike.last()] - first;
    const std::size_t final = static_cast<std::size_t>(offsets.back()) - offsets[alike.last()];
    offsets.resize(graph.size() + 1);
    successors.resize(first + (copies + 1) * edges + final);
    for (std::size_t copy = 1; copy <= copies; ++copy) {
        if (stop.stop_requested())
            return;
        const std::size_t moved = copy * alike.count;
        for (std::size_t t = alike.first; t < alike.last(); ++t)
            offsets[t + moved + 1] = static_cast<std::uint32_t>(offsets[t + 1] + copy * edges);
        for (std::size_t s = first; s < first + edges; ++s)
            successors[s + copy * edges] = TaskId(successors[s].index() + moved);
    }
    const std::size_t moved = (copies + 1) * alike.count;
    std::size_t next = first + (copies + 1) * edges;
    for (std::size_t t = alike.first; t < alike.last(); ++t) {
        for (std::uint32_t s = offsets[t]; s < offsets[t + 1]; ++s)
            if (successors[s].index() < alike.last())
                successors[next++] = TaskId(successors[s].index() + moved);
        offsets[t + moved + 1] = static_cast<std::uint32_t>(next);
    }
}

} // namespace

bool repeatIterations(TaskGraph &graph, std::int32_t iterations, const std::stop_token &stop) {
    const std::optional<AlikeIterations> alike = alikeIterations(graph);
    if (!alike)
        return false;
    const Copies copies{*alike, static_cast<std::size_t>(std::max(0, iterations - graph.iteration.back() - 1)), stop};
    if (copies.count == 0)
        return true;
    repeatColumn(graph.kind, copies);
    repeatColumn(graph.worker, copies);
    repeatColumn(graph.layer, copies);
    repeatColumn(graph.unit, copies);
    for (auto *column : {&graph.queue, &graph.releases})
        repeatColumn(*column, copies);
    repeatColumn(graph.path, copies);
    repeatColumn(graph.ring, copies);
    for (auto *column : {&graph.fixedSeconds, &graph.flightSeconds, &graph.sizeBytes, &graph.windowBytes})
        repeatColumn(*column, copies);
    repeatColumn(graph.parentCount, copies);
    continueColumn(graph.orderKey, copies);
    continueColumn(graph.iteration, copies);
    repeatEdges(graph, copies);
    return true;
}

} // namespace syncopate
