// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/learn/modules.h"

namespace syncopate {

template <class Scalar>
Dense<Scalar>::Dense(Parameters<Scalar> &parameters, const std::string &name, std::size_t in, std::size_t out, Rng &rng)
    : m_weights(parameters.addWeights(name + ".weights", in, out, rng)),
      m_bias(parameters.addConstant(name + ".bias", 1, out, 0)) {}

template <class Scalar>
typename Tape<Scalar>::Node Dense<Scalar>::apply(Tape<Scalar> &tape, typename Tape<Scalar>::Node x) const {
    return tape.addRow(tape.multiply(x, tape.parameter(m_weights)), tape.parameter(m_bias));
}

template <class Scalar> Lstm<Scalar>::Lstm(Parameters<Scalar> &parameters, const std::string &name, const Shape &shape, Rng &rng)
    : m_hidden(shape.hidden), m_both(shape.bothDirections) {
    const std::size_t directions = m_both ? 2 : 1;
    for (std::size_t layer = 0; layer < shape.layers; ++layer)
        for (std::size_t d = 0; d < directions; ++d) {
            const std::string prefix = name + "." + std::to_string(layer) + (d == 0 ? ".forward" : ".backward");
            const std::size_t in = layer == 0 ? shape.in : directions * m_hidden;
            Direction direction{};
            direction.input = parameters.addWeights(prefix + ".input", in, 4 * m_hidden, rng);
            direction.recurrent = parameters.addWeights(prefix + ".recurrent", m_hidden, 4 * m_hidden, rng);
            direction.bias = parameters.addConstant(prefix + ".bias", 1, 4 * m_hidden, 0);
            for (std::size_t i = m_hidden; i < 2 * m_hidden; ++i)
                parameters[direction.bias](0, i) = 1;
            m_directions.push_back(direction);
        }
}

template <class Scalar>
typename Lstm<Scalar>::Output Lstm<Scalar>::apply(Tape<Scalar> &tape, typename Tape<Scalar>::Node x, std::size_t steps) const {
    using Node = typename Tape<Scalar>::Node;
    const std::size_t batch = tape.value(x).rows / steps, directions = m_both ? 2 : 1;
    Output output{x, x};
    for (std::size_t d = 0; d < m_directions.size(); d += directions) {
        const auto run = [&](const Direction &direction, bool fromLast) {
            return tape.lstm(output.states, tape.parameter(direction.input), tape.parameter(direction.recurrent),
                             tape.parameter(direction.bias), steps, fromLast);
        };
        Node states = run(m_directions[d], false);
        Node last = tape.rows(states, (steps - 1) * batch, batch);
        if (m_both) {
            const Node back = run(m_directions[d + 1], true);
            last = tape.besides(last, tape.rows(back, 0, batch));
            states = tape.besides(states, back);
        }
        output = {states, d == 0 ? last : tape.besides(output.last, last)};
    }
    return output;
}

template <class Scalar> GraphAttention<Scalar>::GraphAttention(Parameters<Scalar> &parameters, const std::string &name,
                                                               std::size_t in, std::size_t out, std::size_t heads, Rng &rng) {
    for (std::size_t h = 0; h < heads; ++h) {
        const std::string prefix = name + "." + std::to_string(h);
        Head head{};
        head.weights = parameters.addWeights(prefix + ".weights", in, out, rng);
        head.own = parameters.addWeights(prefix + ".own", out, 1, rng);
        head.other = parameters.addWeights(prefix + ".other", out, 1, rng);
        m_heads.push_back(head);
    }
    m_bias = parameters.addConstant(name + ".bias", 1, heads * out, 0);
}

template <class Scalar> typename Tape<Scalar>::Node
GraphAttention<Scalar>::apply(Tape<Scalar> &tape, typename Tape<Scalar>::Node x, const GatherGraph &graph) const {
    typename Tape<Scalar>::Node all;
    for (std::size_t h = 0; h < m_heads.size(); ++h) {
        const auto z = tape.multiply(x, tape.parameter(m_heads[h].weights));
        const auto head = tape.attend(z, tape.parameter(m_heads[h].own), tape.parameter(m_heads[h].other), graph);
        all = h == 0 ? head : tape.besides(all, head);
    }
    return tape.relu(tape.addRow(all, tape.parameter(m_bias)));
}

template class Dense<float>;
template class Dense<double>;
template class Lstm<float>;
template class Lstm<double>;
template class GraphAttention<float>;
template class GraphAttention<double>;

} // namespace syncopate
