// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/learn/gaussian_process.h"
#include "engine/search/tune/point_search.h"
#include "engine/strategy/arguments.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace syncopate {

/// Bayesian optimisation: after some first points, the point with the largest expected improvement under a Gaussian process of
/// the results so far. Three presets, each with all choices of its system:
///
///   own            first points by a Latin hypercube; log of the iteration time, standardised, over the unit cube; Matern 5/2
///                  or RBF, a length scale for each axis, noise fitted; until the budget is spent
///   bytescheduler  as released: credit of 1 to 16 million parameters (all-reduce: 4 to 64), partition of 2 to 32 million, evenly
///                  scaled; 10 points drawn evenly, then 4 proposals; minus the seconds of a step less their mean, signal
///                  variance 1, one length scale, Matern 5/2, xi 0.1; a point costs 100 steps
///   horovod        fusion of 0 to 64 MiB, cycle of 1 to 100 ms, evenly scaled; first points (4, 5), (32, 50), (16, 25), (8, 10),
///                  in MiB and ms, 20 in all; steps a second (Horovod's bytes a second but for a factor), standardised, RBF, one
///                  length scale, noise 0.8, xi 0.01; a point costs 50 steps
///
/// The acquisition is maximised over random points and, from the best of them, by pattern search.
class BayesSearch final : public PointSearch {
public:
    enum class Preset : std::uint8_t { Own, ByteScheduler, Horovod };
    struct Settings {
        Preset preset = Preset::Own;
        GaussianKernel::Shape kernel = GaussianKernel::Shape::Matern52;
        double xi = 0.01;
        std::size_t firstPoints = 8;
        std::size_t maxPoints = static_cast<std::size_t>(-1);
    };
    /// Errors: a preset for other knobs than the space has.
    [[nodiscard]] static Result<std::unique_ptr<PointSearch>> make(const Expression &expression, const TuneSpace &space,
                                                                   std::uint64_t seed);
    [[nodiscard]] static const ExpressionInfo &info();

    [[nodiscard]] std::size_t batchSize() const override { return 1; }
    [[nodiscard]] Result<std::vector<Genes>> ask(std::uint64_t first, std::stop_token stop) override;
    void tell(const std::vector<SearchTrial> &batch) override;

private:
    BayesSearch(TuneSpace space, std::string text, const Settings &settings, int iterationsPerPoint, std::uint64_t seed);
    [[nodiscard]] TunePoint firstPoint(std::size_t index) const;
    [[nodiscard]] std::size_t sliceOf(std::size_t index, std::size_t axis) const;
    [[nodiscard]] GaussianFitOptions fitOptions() const;
    [[nodiscard]] Result<TunePoint> proposal(const std::stop_token &stop) const;
    [[nodiscard]] Eigen::VectorXd featuresOf(const TunePoint &point) const;
    [[nodiscard]] Eigen::VectorXd scores() const;

    Settings m_settings;
    std::uint64_t m_seed;
    std::vector<TunePoint> m_points; ///< so far
    std::vector<double> m_seconds;   ///< aligned with m_points; infinite where a point cannot be judged
};

} // namespace syncopate
