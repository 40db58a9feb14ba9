// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/learn/tape.h"

#include <string>
#include <vector>

namespace syncopate {

/// A dense layer, weights and a bias: rows x in -> rows x out.
template <class Scalar> class Dense {
public:
    Dense(Parameters<Scalar> &parameters, const std::string &name, std::size_t in, std::size_t out, Rng &rng);
    [[nodiscard]] typename Tape<Scalar>::Node apply(Tape<Scalar> &tape, typename Tape<Scalar>::Node x) const;
    /// Whether a parameter, by its index, is one of this layer.
    [[nodiscard]] bool owns(std::size_t parameter) const { return parameter == m_weights || parameter == m_bias; }

private:
    std::size_t m_weights, m_bias;
};

/// LSTM layers over blocks of rows (engine/learn/tape.h), each reading the states of the one before. In both directions, a
/// layer's states are those from the first block beside those from the last. Forget gates begin open (bias 1).
template <class Scalar> class Lstm {
public:
    struct Shape {
        std::size_t in = 1, hidden = 32, layers = 1;
        bool bothDirections = false;
    };
    struct Output {
        typename Tape<Scalar>::Node states; ///< of the last layer, steps x B rows
        typename Tape<Scalar>::Node last;   ///< B rows: of every layer the state after the last block, and after the first
    };
    Lstm(Parameters<Scalar> &parameters, const std::string &name, const Shape &shape, Rng &rng);
    [[nodiscard]] Output apply(Tape<Scalar> &tape, typename Tape<Scalar>::Node x, std::size_t steps) const;
    /// Columns of Output::last.
    [[nodiscard]] std::size_t lastWidth() const { return m_directions.size() * m_hidden; }

private:
    struct Direction {
        std::size_t input, recurrent, bias;
    };
    std::size_t m_hidden;
    bool m_both;
    std::vector<Direction> m_directions; ///< layer by layer
};

/// Parallel heads of graph attention, each of `out` columns, followed by max(0, .): blocks x in -> blocks x heads * out.
template <class Scalar> class GraphAttention {
public:
    GraphAttention(Parameters<Scalar> &parameters, const std::string &name, std::size_t in, std::size_t out, std::size_t heads,
                   Rng &rng);
    [[nodiscard]] typename Tape<Scalar>::Node apply(Tape<Scalar> &tape, typename Tape<Scalar>::Node x,
                                                    const GatherGraph &graph) const;

private:
    struct Head {
        std::size_t weights, own, other;
    };
    std::vector<Head> m_heads;
    std::size_t m_bias;
};

} // namespace syncopate
