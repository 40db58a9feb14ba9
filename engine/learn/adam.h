// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/learn/parameters.h"

#include <vector>

namespace syncopate {

/// Adam (Kingma and Ba 2015) with gradients clipped to a norm first.
template <class Scalar> class Adam {
public:
    struct Settings {
        double rate = 1e-3;     ///< before any decay
        double weightDecay = 0; ///< added to the gradient as L2 regularisation
        double clipNorm = 0.25; ///< of all gradients together, as AutoSync's simulators are trained (supplement, section 10)
    };
    Adam(const Parameters<Scalar> &parameters, const Settings &settings)
        : m_settings(settings), m_mean(parameters.zeros()), m_square(parameters.zeros()) {}
    /// One step along `gradients` with `decay` times the rate.
    void step(Parameters<Scalar> &parameters, const std::vector<Matrix<Scalar>> &gradients, double decay);

private:
    Settings m_settings;
    std::vector<Matrix<Scalar>> m_mean, m_square;
    double m_meanLeft = 1, m_squareLeft = 1; ///< beta^steps, the weight left of the zeros that both began with
};

/// The factor on the rate in an epoch: 0.3 from 40 %, 0.09 from 80 % on, as the supplement has it at epochs 80 and 160 of 200.
[[nodiscard]] double steppedDecay(std::size_t epoch, std::size_t epochs);

/// Sum over all pairs of examples whose targets differ by more than `tie` (relative) of softplus(-(slower's score - faster's)),
/// over the number of pairs, and its derivative by each score (RankNet, Burges et al. 2005; AutoSync's released loss for pairs).
/// O(n^2).
struct PairwiseLoss {
    double value = 0;
    std::vector<double> gradient; ///< aligned with the scores
    std::size_t pairs = 0;
};
[[nodiscard]] PairwiseLoss pairwiseRankingLoss(const std::vector<double> &scores, const std::vector<double> &targets, double tie);

/// Half the mean squared error, and its derivative by each score.
[[nodiscard]] PairwiseLoss squaredLoss(const std::vector<double> &scores, const std::vector<double> &targets);

} // namespace syncopate
