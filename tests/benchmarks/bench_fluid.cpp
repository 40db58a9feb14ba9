// SPDX-License-Identifier: GPL-3.0-or-later
// The max-min solver alone, docs/performance.md: bench_fluid --benchmark_repetitions=5
#include "engine/base/rng.h"
#include "engine/network/fluid.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <cstdint>
#include <limits>
#include <vector>

using namespace syncopate;

namespace {

constexpr double endless = 1e300; ///< bytes

/// Flows over `hops` random links each, every flow on a path of its own.
LinkPaths randomNetwork(int links, int flows, int hops) {
    LinkPaths network;
    Rng rng(1);
    for (int l = 0; l < links; ++l)
        network.addLink({"", rng.uniform(1e9, 1e10)});
    for (int f = 0; f < flows; ++f) {
        std::vector<PathHop> path;
        while (path.size() < static_cast<std::size_t>(hops)) {
            const LinkId link(static_cast<std::int32_t>(rng.uniform(0, links)));
            if (std::none_of(path.begin(), path.end(), [&](const PathHop &hop) { return hop.link == link; }))
                path.push_back({link, 1});
        }
        network.addPath(path);
    }
    return network;
}

void startAll(FluidLinks &fluid, std::size_t flows) {
    for (std::size_t f = 0; f < flows; ++f)
        fluid.start(FlowId(f), PathId(f), endless, 0);
    benchmark::DoNotOptimize(fluid.next(0));
}

/// Solves all rates again each time, as if every link's capacity might have changed; the rates come out the same.
void wholeSolve(benchmark::State &state) {
    const LinkPaths network =
        randomNetwork(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)), static_cast<int>(state.range(2)));
    FluidLinks fluid(network);
    startAll(fluid, network.pathCount());
    for (auto _ : state) {
        for (std::size_t l = 0; l < network.links.size(); ++l)
            fluid.setCapacity(LinkId(l), network.links[l].bytesPerSecond);
        benchmark::DoNotOptimize(fluid.next(0));
    }
}

/// Adds and removes one flow on a large network whose other rates stay unchanged: its path crosses a link that other flows cross
/// without filling it. One iteration is two changes.
void oneFlowChanged(benchmark::State &state) {
    LinkPaths network =
        randomNetwork(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)), static_cast<int>(state.range(2)));
    const LinkId roomy = network.addLink({"", 1e15}), narrow = network.addLink({"", 1e8});
    for (std::int32_t crossing = 0; crossing < 8; ++crossing) { // flows over both connect the links
        const std::vector<PathHop> path{{LinkId(crossing), 1}, {roomy, 1}};
        network.addPath(path);
    }
    const std::vector<PathHop> path{{narrow, 1}, {roomy, 1}};
    const PathId changed(network.addPath(path));
    FluidLinks fluid(network);
    startAll(fluid, network.pathCount() - 1);
    std::vector<NetworkEvent> seen;
    double now = 0;
    for (auto _ : state) {
        fluid.start(FlowId(), changed, 1e8, now);
        now = fluid.next(now);
        fluid.advance(now, seen);
        benchmark::DoNotOptimize(fluid.next(now));
        seen.clear();
    }
    if (now < 0.5 * static_cast<double>(state.iterations()))
        state.SkipWithError("the flow did not have its link to itself");
}

} // namespace

BENCHMARK(wholeSolve)->Args({64, 64, 2})->Args({1024, 1024, 4})->Args({2048, 16384, 4});
BENCHMARK(oneFlowChanged)->Args({64, 64, 2})->Args({2048, 16384, 4});
BENCHMARK_MAIN();
