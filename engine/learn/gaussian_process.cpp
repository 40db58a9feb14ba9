// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/learn/gaussian_process.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

namespace syncopate {

double GaussianKernel::operator()(const Eigen::Ref<const Eigen::VectorXd> &a, const Eigen::Ref<const Eigen::VectorXd> &b) const {
    const double squared = ((a - b).array() / lengthScales.array()).square().sum();
    if (shape == Shape::Rbf)
        return signalVariance * std::exp(-squared / 2);
    const double r = std::sqrt(5 * squared);
    return signalVariance * (1 + r + 5 * squared / 3) * std::exp(-r);
}

Eigen::VectorXd GaussianProcess::covariancesWith(const Eigen::Ref<const Eigen::VectorXd> &point) const {
    Eigen::VectorXd covariances(m_points.rows());
    for (Eigen::Index i = 0; i < m_points.rows(); ++i)
        covariances[i] = m_kernel(m_points.row(i).transpose(), point);
    return covariances;
}

Result<GaussianProcess> GaussianProcess::fit(GaussianKernel kernel, double noiseVariance, Eigen::MatrixXd points,
                                             const Eigen::VectorXd &values) {
    if (points.rows() != values.size() || points.cols() != kernel.lengthScales.size() || values.size() == 0)
        return fail(fmt::format("{} points of {} coordinates, {} values and {} length scales do not fit", points.rows(),
                                points.cols(), values.size(), kernel.lengthScales.size()));
    if (!points.allFinite() || !values.allFinite())
        return fail("a point or value of a Gaussian process is not finite");
    GaussianProcess process(std::move(kernel), noiseVariance, std::move(points));
    const Eigen::Index n = values.size();
    Eigen::MatrixXd covariance(n, n);
    for (Eigen::Index i = 0; i < n; ++i)
        covariance.col(i) = process.covariancesWith(process.m_points.row(i).transpose());
    covariance.diagonal().array() += noiseVariance;
    process.m_factor.compute(covariance);
    if (process.m_factor.info() != Eigen::Success)
        return fail("the covariance of a Gaussian process is not positive definite", "allow for more noise");
    process.m_weights = process.m_factor.solve(values);
    const double logDeterminant = 2 * process.m_factor.matrixLLT().diagonal().array().log().sum();
    process.m_logLikelihood =
        -0.5 * (values.dot(process.m_weights) + logDeterminant + static_cast<double>(n) * std::log(2 * std::numbers::pi));
    return process;
}

GaussianPrediction GaussianProcess::predict(const Eigen::Ref<const Eigen::VectorXd> &point) const {
    const Eigen::VectorXd covariances = covariancesWith(point);
    const Eigen::VectorXd half = m_factor.matrixL().solve(covariances);
    return {covariances.dot(m_weights), std::max(0.0, m_kernel.signalVariance - half.squaredNorm())};
}

namespace {

/// Hyperparameters that are fitted, as logarithms: length scales, then the signal's variance, then the noise's share.
class Likelihood {
public:
    Likelihood(const Eigen::MatrixXd &points, const Eigen::VectorXd &values, const GaussianFitOptions &options)
        : m_points(points), m_values(values), m_options(options), m_scales(options.oneLengthScale ? 1 : points.cols()) {}

    [[nodiscard]] Result<GaussianProcess> at(const std::vector<double> &logs) const {
        GaussianKernel kernel{m_options.shape, Eigen::VectorXd(m_points.cols()), 1};
        for (Eigen::Index d = 0; d < m_points.cols(); ++d)
            kernel.lengthScales[d] = std::exp(logs[static_cast<std::size_t>(m_options.oneLengthScale ? 0 : d)]);
        auto next = static_cast<std::size_t>(m_scales);
        if (m_options.fitSignal)
            kernel.signalVariance = std::exp(logs[next++]);
        const double noise = m_options.fitNoise ? std::exp(logs[next]) : m_options.noiseVariance;
        return GaussianProcess::fit(kernel, noise * kernel.signalVariance, m_points, m_values);
    }

    /// Starting point with the same length scale in every dimension.
    [[nodiscard]] std::vector<double> start(double lengthScale) const {
        std::vector<double> logs(static_cast<std::size_t>(m_scales), std::log(lengthScale));
        if (m_options.fitSignal) {
            const double variance = m_values.squaredNorm() / static_cast<double>(m_values.size());
            logs.push_back(std::log(std::max(variance, 1e-12)));
        }
        if (m_options.fitNoise)
            logs.push_back(std::log(m_options.noiseVariance));
        return logs;
    }

    /// Clamps a logarithm to its bounds.
    [[nodiscard]] double bounded(std::size_t i, double log) const {
        if (i < static_cast<std::size_t>(m_scales))
            return std::clamp(log, std::log(m_options.minLengthScale), std::log(m_options.maxLengthScale));
        const bool isNoise = m_options.fitNoise && i + 1 == start(1).size();
        return isNoise ? std::clamp(log, std::log(1e-8), 0.0) : std::clamp(log, std::log(1e-12), std::log(1e12));
    }

private:
    const Eigen::MatrixXd &m_points;
    const Eigen::VectorXd &m_values;
    const GaussianFitOptions &m_options;
    Eigen::Index m_scales;
};

/// Hill-climbs from `logs`, one logarithm at a time, in steps that are halved when none helps; returns the likeliest process
/// found. Errors: no process can be made at the start; cancelled.
Result<GaussianProcess> climb(const Likelihood &likelihood, std::vector<double> logs, const std::stop_token &stop) {
    GaussianProcess best = TRY(likelihood.at(logs));
    for (double step = 1; step > 0.05;) {
        bool better = false;
        for (std::size_t i = 0; i < logs.size(); ++i)
            for (const double direction : {step, -step}) {
                if (stop.stop_requested())
                    return cancelled();
                std::vector<double> tried = logs;
                tried[i] = likelihood.bounded(i, tried[i] + direction);
                const auto there = likelihood.at(tried);
                if (there && there->logMarginalLikelihood() > best.logMarginalLikelihood() + 1e-9) {
                    best = *there;
                    logs = std::move(tried);
                    better = true;
                }
            }
        step = better ? step : step / 2;
    }
    return best;
}

} // namespace

Result<GaussianProcess> fitGaussianProcess(const Eigen::MatrixXd &points, const Eigen::VectorXd &values,
                                           const GaussianFitOptions &options, const std::stop_token &stop) {
    const Likelihood likelihood(points, values, options);
    std::optional<GaussianProcess> best;
    const double middle = std::sqrt(options.minLengthScale * options.maxLengthScale);
    Result<GaussianProcess> last = fail("a Gaussian process has nothing to fit");
    for (const double lengthScale : {middle / 3, middle, middle * 3}) {
        last = climb(likelihood, likelihood.start(lengthScale), stop);
        if (!last && last.error().isCancelled())
            return last;
        if (last && (!best || last->logMarginalLikelihood() > best->logMarginalLikelihood()))
            best = *last;
    }
    if (!best)
        return last;
    return *std::move(best);
}

double expectedImprovement(const GaussianPrediction &prediction, double best, double xi) {
    const double gain = prediction.mean - best - xi, deviation = std::sqrt(prediction.variance);
    if (!(deviation > 0))
        return std::max(0.0, gain);
    const double z = gain / deviation;
    const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    const double below = std::erfc(-z / std::numbers::sqrt2) / 2;
    return gain * below + deviation * density;
}

} // namespace syncopate
