// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trial/noisy_judge.h"

#include "engine/base/rng.h"
#include "engine/strategy/fingerprint.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <utility>

namespace syncopate {

namespace {

/// Standard normal variate by the Box-Muller transform.
double normal(Rng &rng) {
    const double radius = std::sqrt(-2 * std::log(1 - rng.uniform(0, 1)));
    return radius * std::cos(2 * std::numbers::pi * rng.uniform(0, 1));
}

} // namespace

const ExpressionInfo &NoisyJudge::info() {
    static const ExpressionInfo info{
        "noisy",
        "the event simulation, repeated with noise as on machines",
        {{"iterations", ArgumentKind::Integer, "50", 1, 1'000'000, {}, "iterations", "Iterations of a trial"},
         {"warmup",
          ArgumentKind::Integer,
          "10",
          0,
          1'000'000,
          {},
          "iterations",
          "Iterations at its start that are left out of the mean"},
         {"cv", ArgumentKind::Integer, "5", 0, 100, {}, "percent", "Coefficient of variation of an iteration's time"},
         {"seed", ArgumentKind::Integer, "1", 0, 2147483647, {}, "", "Seed of the noise"}}};
    return info;
}

Result<std::unique_ptr<Judge>> NoisyJudge::make(const Expression &expression) {
    const ArgumentValues values = TRY(ArgumentValues::read(expression, info()));
    const auto integer = [&](const char *name) { return static_cast<std::int32_t>(values.number(name)); };
    const Settings settings{integer("iterations"), integer("warmup"), integer("cv"), integer("seed")};
    if (settings.warmUp >= settings.iterations)
        return fail(fmt::format("of {} iterations {} are warm-up", settings.iterations, settings.warmUp),
                    "leave at least one to measure");
    return std::make_unique<NoisyJudge>(settings);
}

std::string NoisyJudge::text() const {
    ArgumentValues values(info());
    values.setNumber("iterations", m_settings.iterations);
    values.setNumber("warmup", m_settings.warmUp);
    values.setNumber("cv", m_settings.variation);
    values.setNumber("seed", m_settings.seed);
    return values.text();
}

Result<Verdict> NoisyJudge::judge(const Scenario &scenario, std::stop_token stop) {
    Verdict verdict = TRY(m_simulated.judge(scenario, std::move(stop)));
    const StrategyFingerprint strategy = fingerprintOf(*scenario.strategy);
    Rng rng(Rng(strategy.high ^ static_cast<std::uint64_t>(m_settings.seed)).next() ^ strategy.low);
    const double variation = m_settings.variation / 100.0;
    const double sigma = std::sqrt(std::log1p(variation * variation)); // of the time's logarithm
    double sum = 0, squares = 0;
    const int measured = m_settings.iterations - m_settings.warmUp;
    for (int i = 0; i < m_settings.iterations; ++i) {
        const double factor = std::exp(sigma * normal(rng) - sigma * sigma / 2);
        if (i < m_settings.warmUp)
            continue;
        sum += factor;
        squares += factor * factor;
    }
    const double mean = sum / measured;
    const double variance = measured > 1 ? std::max(0.0, (squares - measured * mean * mean) / (measured - 1)) : 0;
    verdict.samplesPerSecond /= mean;
    verdict.spreadSeconds = verdict.iterationSeconds * std::sqrt(variance);
    for (double *const seconds : {&verdict.iterationSeconds, &verdict.exposedSeconds, &verdict.communicationSeconds})
        *seconds *= mean; // of one iteration, so its parts stay parts of it
    verdict.assumptions.push_back(fmt::format("Noise of {} % on each iteration, seed {}: the mean of {} iterations after {}.",
                                              m_settings.variation, m_settings.seed, measured, m_settings.warmUp));
    return verdict;
}

} // namespace syncopate
