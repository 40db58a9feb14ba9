// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/tune/refined_map.h"

#include "engine/base/parallel_in_order.h"
#include "engine/search/tune/tuners.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>

namespace syncopate {

namespace {

/// Step between two values of the coarsest grid.
std::size_t coarsestStep(const std::vector<std::size_t> &counts) {
    constexpr std::size_t coarseSteps = 4; // along the longest axis, at most
    std::size_t step = 1;
    while (!counts.empty() && *std::max_element(counts.begin(), counts.end()) > coarseSteps * step + 1)
        step *= 2;
    return step;
}

std::vector<std::size_t> placeOf(std::size_t point, const std::vector<std::size_t> &counts) {
    std::vector<std::size_t> place(counts.size());
    for (std::size_t d = counts.size(); d-- > 0; point /= counts[d])
        place[d] = point % counts[d];
    return place;
}

std::size_t distance(const std::vector<std::size_t> &a, const std::vector<std::size_t> &b) {
    std::size_t sum = 0;
    for (std::size_t d = 0; d < a.size(); ++d)
        sum += a[d] > b[d] ? a[d] - b[d] : b[d] - a[d];
    return sum;
}

/// The values of all points, in the order of the tuner `grid`.
Result<std::vector<TuneStep>> gridPoints(const TuneSpace &space, const std::vector<std::size_t> &counts) {
    const auto grid = makeGrid(space, counts);
    std::vector<TuneStep> points;
    for (;;) {
        const auto batch = TRY(grid->ask(points.size(), {}));
        if (batch.empty())
            return points;
        for (const Genes &genes : batch)
            points.push_back(
                {grid->valuesOf(genes), std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN(), {}});
    }
}

class Refinement {
public:
    Refinement(std::vector<TuneStep> points, const std::vector<std::size_t> &counts, bool coarse)
        : m_counts(counts), m_levels(mapLevels(counts)), m_points(std::move(points)), m_known(m_points.size(), false),
          m_lastLevel(coarse ? 0 : *std::max_element(m_levels.begin(), m_levels.end())) {}

    /// The point to judge next; nullopt when all have been taken.
    std::optional<std::size_t> next() {
        const std::scoped_lock lock(m_mutex);
        while (m_queue.empty() && m_nextLevel <= m_lastLevel)
            fillQueue(m_nextLevel++);
        if (m_queue.empty())
            return std::nullopt;
        const std::size_t point = m_queue.back();
        m_queue.pop_back();
        return point;
    }

    void take(std::size_t point, TuneStep step, const MapSink &sink) {
        const std::scoped_lock lock(m_mutex);
        m_points[point] = std::move(step);
        m_known[point] = true;
        if (sink)
            sink(point, m_points[point]);
    }

    /// For a point that was taken and not judged yet, which no other thread touches.
    [[nodiscard]] const std::vector<double> &valuesOf(std::size_t point) const { return m_points[point].values; }
    [[nodiscard]] std::vector<TuneStep> points() && { return std::move(m_points); }

private:
    /// Queues the points of a level, the most promising last.
    void fillQueue(std::size_t level) {
        std::vector<std::pair<double, std::size_t>> ranked;
        for (std::size_t point = 0; point < m_points.size(); ++point)
            if (m_levels[point] == level)
                ranked.emplace_back(expectedSeconds(point), point);
        std::sort(ranked.begin(), ranked.end(), std::greater<>());
        for (const auto &[seconds, point] : ranked)
            m_queue.push_back(point);
    }

    /// The shortest iteration time among the nearest known points; infinite if none of them has one.
    [[nodiscard]] double expectedSeconds(std::size_t point) const {
        const auto place = placeOf(point, m_counts);
        std::size_t nearest = std::numeric_limits<std::size_t>::max();
        double seconds = std::numeric_limits<double>::infinity();
        for (std::size_t other = 0; other < m_points.size(); ++other) {
            if (!m_known[other])
                continue;
            const std::size_t away = distance(place, placeOf(other, m_counts));
            if (away > nearest)
                continue;
            const double taken = m_points[other].iterationSeconds;
            const double known = std::isfinite(taken) ? taken : std::numeric_limits<double>::infinity();
            seconds = away < nearest ? known : std::min(seconds, known);
            nearest = away;
        }
        return seconds;
    }

    const std::vector<std::size_t> &m_counts;
    const std::vector<std::size_t> m_levels;
    std::mutex m_mutex; ///< guards all below
    std::vector<TuneStep> m_points;
    std::vector<bool> m_known;
    std::vector<std::size_t> m_queue;
    std::size_t m_nextLevel = 0;
    const std::size_t m_lastLevel;
};

} // namespace

std::vector<std::size_t> mapLevels(const std::vector<std::size_t> &counts) {
    std::size_t size = 1;
    for (const std::size_t count : counts)
        size *= count;
    const std::size_t coarsest = coarsestStep(counts);
    std::vector<std::size_t> levels;
    for (std::size_t point = 0; point < size; ++point) {
        std::size_t level = 0;
        const auto place = placeOf(point, counts);
        for (std::size_t d = 0; d < counts.size(); ++d) {
            std::size_t ofAxis = 0;
            for (std::size_t step = coarsest; place[d] + 1 < counts[d] && place[d] % step != 0; step /= 2)
                ++ofAxis;
            level = std::max(level, ofAxis);
        }
        levels.push_back(level);
    }
    return levels;
}

Result<Landscape> refineMap(const TuneSpace &space, const std::vector<std::size_t> &asked, Judge &judge,
                            const MapOptions &options, const MapSink &sink, const std::stop_token &stop) {
    const auto start = std::chrono::steady_clock::now();
    const std::vector<std::size_t> counts = gridCounts(space.axes(), asked);
    auto points = TRY(gridPoints(space, asked));
    const std::size_t size = points.size();
    Refinement refinement(std::move(points), counts, options.coarse);
    const auto judgeOne = [&](std::size_t point) {
        const std::vector<double> &values = refinement.valuesOf(point);
        auto step = judgeSetting(space, values, judge, stop);
        if (stop.stop_requested())
            return false;
        constexpr double none = std::numeric_limits<double>::quiet_NaN();
        refinement.take(point, step ? *std::move(step) : TuneStep{values, none, none, step.error().toString()}, sink);
        return true;
    };
    const unsigned threads = std::min(threadsFor(options.threads), std::max(1U, judge.maxConcurrent()));
    parallelInOrder<std::size_t, bool>(
        threads, size, [&] { return stop.stop_requested() ? std::nullopt : refinement.next(); }, judgeOne,
        [](bool judged) { return judged; });
    if (stop.stop_requested())
        return cancelled();
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    return Landscape{counts, std::move(refinement).points(), wall.count()};
}

} // namespace syncopate
