// SPDX-License-Identifier: GPL-3.0-or-later
// Strategies/s by closed form and by rankers, BERT-large on B7: docs/cost-models.md. bench_cost --benchmark_repetitions=3
#include "engine/base/rng.h"
#include "engine/cost/cost_state.h"
#include "engine/cost/features.h"
#include "engine/cost/ranker.h"
#include "engine/job/catalogue.h"
#include "engine/search/random_sampler.h"

#include <benchmark/benchmark.h>
#include <memory>
#include <vector>

using namespace syncopate;

namespace {

const RankerDomain &domain() {
    static const RankerDomain made{std::make_shared<const Job>(*catalogueJob("bert_large")),
                                   std::make_shared<const Cluster>(*catalogueCluster("B7")), 1};
    return made;
}

std::vector<std::shared_ptr<const Strategy>> drawn(std::size_t count) {
    Rng rng(1);
    std::vector<std::shared_ptr<const Strategy>> strategies;
    for (std::size_t i = 0; i < count; ++i)
        strategies.push_back(std::make_shared<const Strategy>(sampleStrategy(*domain().job, *domain().cluster, {}, rng)));
    return strategies;
}

void perSecond(benchmark::State &state, std::size_t each) {
    state.counters["strategies/s"] =
        benchmark::Counter(static_cast<double>(state.iterations()) * static_cast<double>(each), benchmark::Counter::kIsRate);
}

/// Replaces one variable after another by another strategy's, and reads T after each.
void closedFormOneVariable(benchmark::State &state) {
    const auto strategies = drawn(16);
    CostState cost = *CostState::of(std::make_shared<const CostModel>(domain()), *strategies[0]);
    const std::size_t variables = domain().job->variables.size();
    std::size_t step = variables;
    double sum = 0;
    for (auto _ : state) {
        const std::size_t v = step % variables;
        const Strategy &other = *strategies[step++ / variables % strategies.size()];
        (void)cost.change(v, other.nodes[v]);
        sum += cost.score();
    }
    benchmark::DoNotOptimize(sum);
    perSecond(state, 1);
}
BENCHMARK(closedFormOneVariable);

void features(benchmark::State &state) {
    const auto strategies = drawn(16);
    const FeatureExtractor extractor(std::make_shared<const CostModel>(domain()));
    std::size_t step = 0;
    for (auto _ : state)
        benchmark::DoNotOptimize(extractor.extract(*strategies[step++ % strategies.size()]));
    perSecond(state, 1);
}
BENCHMARK(features);

void score(benchmark::State &state, const char *expression) {
    const auto strategies = drawn(512);
    const auto ranker = *makeRanker(expression, domain(), 1);
    std::vector<RankedTrial> few;
    for (std::size_t i = 0; i < 4; ++i)
        few.push_back({strategies[i], static_cast<double>(i + 1)});
    (void)ranker->learn(few, {}); // untrained trees have nothing to score with
    for (auto _ : state)
        benchmark::DoNotOptimize(ranker->score(strategies, {}));
    perSecond(state, strategies.size());
}
BENCHMARK_CAPTURE(score, predefined, "predefined()")->UseRealTime()->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(score, rnn, "rnn()")->UseRealTime()->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(score, gat, "gat()")->UseRealTime()->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(score, xgboost, "xgboost()")->UseRealTime()->MeasureProcessCPUTime();

/// 200 trials, 200 epochs; the trials' times do not matter.
void learn(benchmark::State &state, const char *expression) {
    std::vector<RankedTrial> trials;
    for (auto &strategy : drawn(200))
        trials.push_back({std::move(strategy), 1 + 0.01 * static_cast<double>(trials.size())});
    const auto ranker = *makeRanker(expression, domain(), 1);
    for (auto _ : state)
        (void)ranker->learn(trials, {});
}
BENCHMARK_CAPTURE(learn, rnn, "rnn()")->UseRealTime()->MeasureProcessCPUTime()->Unit(benchmark::kSecond)->Iterations(1);
BENCHMARK_CAPTURE(learn, xgboost, "xgboost()")->UseRealTime()->MeasureProcessCPUTime()->Unit(benchmark::kSecond)->Iterations(1);
BENCHMARK_CAPTURE(learn, gat, "gat()")->UseRealTime()->MeasureProcessCPUTime()->Unit(benchmark::kSecond)->Iterations(1);

} // namespace

BENCHMARK_MAIN();
