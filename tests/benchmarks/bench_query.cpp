// SPDX-License-Identifier: GPL-3.0-or-later
// Queries on a timeline of 10 million spans on 64 lanes, each including the creation of its tables. CPU time.
#include "engine/base/rng.h"
#include "engine/query/query.h"

#include <benchmark/benchmark.h>
#include <cmath>
#include <string>

using namespace syncopate;

namespace {

std::shared_ptr<const Recording> makeRecording(std::size_t spans) {
    constexpr std::size_t lanes = 64, labels = 500;
    Rng rng(1);
    auto recording = std::make_shared<Recording>();
    Timeline &timeline = recording->timeline;
    for (std::size_t i = 0; i < labels; ++i)
        timeline.labels.push_back("conv" + std::to_string(i) + "/kernel");
    for (std::size_t l = 0; l < lanes; ++l) {
        Lane lane;
        lane.name = "worker " + std::to_string(l / 4) + (l % 4 == 0 ? " compute" : " push " + std::to_string(l % 4));
        lane.worker = static_cast<std::int32_t>(l / 4);
        lane.isCompute = l % 4 == 0;
        Nanoseconds at = 0;
        for (std::size_t i = 0; i < spans / lanes; ++i) {
            lane.start.push_back(at);
            at += 1 + static_cast<Nanoseconds>(std::exp(9 + rng.uniform(-1.5, 1.5)));
            lane.end.push_back(at);
            lane.category.push_back(static_cast<Category>(rng.next() % categoryCount));
            lane.label.push_back(static_cast<std::int32_t>(rng.next() % labels));
            lane.variable.push_back(-1);
            lane.task.push_back(-1);
            lane.sizeBytes.push_back(4096);
        }
        timeline.duration = std::max(timeline.duration, at);
        timeline.lanes.push_back(std::move(lane));
    }
    return recording;
}

const QueryInput &input() {
    static const QueryInput made{{querySide("A", makeRecording(10'000'000))}};
    return made;
}

void ask(benchmark::State &state, const char *sql) {
    QueryLimits limits;
    limits.maxSeconds = 0;
    limits.maxBytes = std::uint64_t{1} << 34;
    input();
    for (auto _ : state) {
        const auto result = runQuery(input(), sql, limits);
        if (!result) {
            state.SkipWithError(result.error().what.c_str());
            return;
        }
        benchmark::DoNotOptimize(result->rows.data());
    }
}

} // namespace

BENCHMARK_CAPTURE(ask, tables_alone, "SELECT 1")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ask, count, "SELECT count(*) FROM spans")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ask, sum, "SELECT sum(duration_ns) FROM spans")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ask, group_by_category, "SELECT category, sum(duration_ns) FROM spans GROUP BY category")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ask, group_by_name, "SELECT name, count(*), sum(duration_ns) FROM spans GROUP BY name")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ask, group_by_lane_and_name, "SELECT lane, name, sum(duration_ns) FROM spans GROUP BY lane, name")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ask, longest, "SELECT span_id, duration_ns FROM spans ORDER BY duration_ns DESC LIMIT 50")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ask, group_by_sorting, "SELECT duration_ns / 1000, count(*) FROM spans GROUP BY 1")
    ->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
