// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/learn/gradient_check.h"

#include <cmath>

namespace syncopate {

GradientCheck checkGradients(Parameters<double> &parameters, const std::function<Tape<double>::Node(Tape<double> &)> &network,
                             Rng &rng) {
    Tape<double> tape(parameters, Tape<double>::Keep::Derivatives);
    const auto output = network(tape);
    Matrix<double> seed(tape.value(output).rows, tape.value(output).cols);
    for (double &weight : seed.values)
        weight = rng.uniform(-1, 1);
    std::vector<Matrix<double>> gradients = parameters.zeros();
    tape.backward(output, seed, gradients);

    const auto weighted = [&] {
        Tape<double> again(parameters);
        const Matrix<double> &value = again.value(network(again));
        double sum = 0;
        for (std::size_t i = 0; i < value.values.size(); ++i)
            sum += seed.values[i] * value.values[i];
        return sum;
    };
    constexpr double step = 1e-6;
    GradientCheck check;
    for (std::size_t p = 0; p < parameters.count(); ++p)
        for (std::size_t i = 0; i < parameters[p].values.size(); ++i) {
            double &value = parameters[p].values[i];
            const double kept = value;
            value = kept + step;
            const double above = weighted();
            value = kept - step;
            const double numeric = (above - weighted()) / (2 * step), analytic = gradients[p].values[i];
            value = kept;
            const double error = std::abs(analytic - numeric) / std::max(1e-3, std::abs(analytic) + std::abs(numeric));
            if (error > check.worst)
                check = {error, parameters.name(p), i, analytic, numeric};
        }
    return check;
}

} // namespace syncopate
