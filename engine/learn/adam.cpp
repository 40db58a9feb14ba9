// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/learn/adam.h"

#include <algorithm>
#include <cmath>

namespace syncopate {

namespace {

constexpr double betaMean = 0.9, betaSquare = 0.999, epsilon = 1e-8;

/// log(1 + e^x) without overflow.
double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

} // namespace

template <class Scalar>
void Adam<Scalar>::step(Parameters<Scalar> &parameters, const std::vector<Matrix<Scalar>> &gradients, double decay) {
    double square = 0;
    for (const Matrix<Scalar> &gradient : gradients)
        for (const Scalar g : gradient.values)
            square += static_cast<double>(g) * static_cast<double>(g);
    const double norm = std::sqrt(square), scale = norm > m_settings.clipNorm ? m_settings.clipNorm / norm : 1;
    m_meanLeft *= betaMean;
    m_squareLeft *= betaSquare;
    const double rate = m_settings.rate * decay / (1 - m_meanLeft);
    for (std::size_t p = 0; p < gradients.size(); ++p)
        for (std::size_t i = 0; i < gradients[p].values.size(); ++i) {
            Scalar &weight = parameters[p].values[i];
            const double g =
                static_cast<double>(gradients[p].values[i]) * scale + m_settings.weightDecay * static_cast<double>(weight);
            const double mean = betaMean * static_cast<double>(m_mean[p].values[i]) + (1 - betaMean) * g;
            const double moment = betaSquare * static_cast<double>(m_square[p].values[i]) + (1 - betaSquare) * g * g;
            m_mean[p].values[i] = static_cast<Scalar>(mean);
            m_square[p].values[i] = static_cast<Scalar>(moment);
            weight -= static_cast<Scalar>(rate * mean / (std::sqrt(moment / (1 - m_squareLeft)) + epsilon));
        }
}

template class Adam<float>;
template class Adam<double>;

double steppedDecay(std::size_t epoch, std::size_t epochs) {
    return epoch * 5 >= epochs * 4 ? 0.09 : epoch * 5 >= epochs * 2 ? 0.3 : 1;
}

PairwiseLoss pairwiseRankingLoss(const std::vector<double> &scores, const std::vector<double> &targets, double tie) {
    PairwiseLoss loss;
    loss.gradient.assign(scores.size(), 0);
    for (std::size_t i = 0; i < scores.size(); ++i)
        for (std::size_t j = i + 1; j < scores.size(); ++j) {
            if (std::abs(targets[i] - targets[j]) <= tie * std::max(std::abs(targets[i]), std::abs(targets[j])))
                continue;
            const std::size_t slow = targets[i] > targets[j] ? i : j, fast = i + j - slow;
            const double margin = scores[slow] - scores[fast];
            loss.value += softplus(-margin);
            const double slope = -1 / (1 + std::exp(margin));
            loss.gradient[slow] += slope;
            loss.gradient[fast] -= slope;
            ++loss.pairs;
        }
    if (loss.pairs == 0)
        return loss;
    const double share = 1 / static_cast<double>(loss.pairs);
    loss.value *= share;
    for (double &g : loss.gradient)
        g *= share;
    return loss;
}

PairwiseLoss squaredLoss(const std::vector<double> &scores, const std::vector<double> &targets) {
    PairwiseLoss loss;
    const double share = scores.empty() ? 0 : 1 / static_cast<double>(scores.size());
    for (std::size_t i = 0; i < scores.size(); ++i) {
        const double error = scores[i] - targets[i];
        loss.value += error * error / 2 * share;
        loss.gradient.push_back(error * share);
    }
    return loss;
}

} // namespace syncopate
