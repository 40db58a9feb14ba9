// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <Eigen/Dense>
#include <cstdint>
#include <stop_token>

namespace syncopate {

/// A stationary covariance k(x, x') = signalVariance f(r), r the distance of the points in length scales.
struct GaussianKernel {
    enum class Shape : std::uint8_t {
        Matern52, ///< f = (1 + sqrt(5) r + 5/3 r^2) exp(-sqrt(5) r): twice differentiable
        Rbf,      ///< f = exp(-r^2 / 2)
    };
    Shape shape = Shape::Matern52;
    Eigen::VectorXd lengthScales; ///< of each coordinate, in its unit, above 0
    double signalVariance = 1;

    /// The covariance of two points with one coordinate per length scale.
    [[nodiscard]] double operator()(const Eigen::Ref<const Eigen::VectorXd> &a, const Eigen::Ref<const Eigen::VectorXd> &b) const;
};

/// A posterior at one point.
struct GaussianPrediction {
    double mean = 0;
    double variance = 0; ///< of the function itself, without the noise; never below 0
};

/// A Gaussian process of mean 0 that has seen n noisy values (Rasmussen and Williams 2006, algorithm 2.1). Fitting is O(n^3), a
/// prediction O(n^2) for the variance and O(n d) for the mean.
class GaussianProcess {
public:
    /// `points` is n x d, a point per row; `values` has n. `noiseVariance` > 0 is added to the diagonal. Errors: sizes that do
    /// not fit, a number that is not finite, a covariance that is not positive definite (equal points with hardly any noise).
    [[nodiscard]] static Result<GaussianProcess> fit(GaussianKernel kernel, double noiseVariance, Eigen::MatrixXd points,
                                                     const Eigen::VectorXd &values);
    [[nodiscard]] GaussianPrediction predict(const Eigen::Ref<const Eigen::VectorXd> &point) const;
    /// log p(values | points), natural.
    [[nodiscard]] double logMarginalLikelihood() const { return m_logLikelihood; }
    [[nodiscard]] const GaussianKernel &kernel() const { return m_kernel; }
    [[nodiscard]] double noiseVariance() const { return m_noiseVariance; }

private:
    GaussianProcess(GaussianKernel kernel, double noiseVariance, Eigen::MatrixXd points)
        : m_kernel(std::move(kernel)), m_noiseVariance(noiseVariance), m_points(std::move(points)) {}
    [[nodiscard]] Eigen::VectorXd covariancesWith(const Eigen::Ref<const Eigen::VectorXd> &point) const;

    GaussianKernel m_kernel;
    double m_noiseVariance;
    Eigen::MatrixXd m_points;
    Eigen::LLT<Eigen::MatrixXd> m_factor; ///< of covariance + noise
    Eigen::VectorXd m_weights;            ///< (covariance + noise)^-1 values
    double m_logLikelihood = 0;
};

/// Options and limits of fitGaussianProcess().
struct GaussianFitOptions {
    GaussianKernel::Shape shape = GaussianKernel::Shape::Matern52;
    bool oneLengthScale = false; ///< the same for all coordinates
    bool fitSignal = true;       ///< else the variance of the signal stays 1
    double noiseVariance = 1e-6; ///< relative to the signal's where that is fitted
    bool fitNoise = false;
    double minLengthScale = 1e-2, maxLengthScale = 1e2; ///< in the coordinates' unit
};

/// The process whose length scales (and signal, and noise) maximise the likelihood of the values: pattern search on their
/// logarithms from three starts, deterministic. Errors: those of GaussianProcess::fit(); `stop` was requested.
[[nodiscard]] Result<GaussianProcess> fitGaussianProcess(const Eigen::MatrixXd &points, const Eigen::VectorXd &values,
                                                         const GaussianFitOptions &options, const std::stop_token &stop = {});

/// Expected improvement, E[max(0, f - best - xi)] for f ~ N(mean, variance), where larger values are better; `xi` is the
/// improvement required (Brochu, Cora and de Freitas 2010, Eq. 4). 0 without variance and improvement.
[[nodiscard]] double expectedImprovement(const GaussianPrediction &prediction, double best, double xi);

} // namespace syncopate
