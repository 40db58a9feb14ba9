// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/learn/tape.h"

#include <functional>
#include <string>

namespace syncopate {

/// The largest difference between backward() and finite differences.
struct GradientCheck {
    double worst = 0;      ///< |analytic - numeric| / max(1e-3, |analytic| + |numeric|)
    std::string parameter; ///< its name
    std::size_t index = 0; ///< into its values
    double analytic = 0, numeric = 0;
};

/// Compares the derivatives of sum(seed * network(tape)) by every parameter, with a random `seed`, with central differences of
/// width 2e-6 (dynet's grad-check.h does the same). O(parameters) evaluations: for small networks. Restores the parameters.
[[nodiscard]] GradientCheck checkGradients(Parameters<double> &parameters,
                                           const std::function<Tape<double>::Node(Tape<double> &)> &network, Rng &rng);

} // namespace syncopate
