// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Reverse-mode differentiation of the few operations of the papers' networks. An operation computes its value when it is written
// on the tape, and leaves a function that passes its gradient on to its operands; backward() calls these from the last to the
// first. Recurrent and attention layers are one operation each, over whole sequences and graphs of whole batches, so nearly all
// time is spent in matrix products (Eigen, in tape.cpp and the other sources of this folder only).
//
// A batch of B examples of T steps is one matrix of T x B rows, step after step: a block of B rows per step.

#include "engine/learn/matrix.h"
#include "engine/learn/parameters.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace syncopate {

/// A directed graph in CSR form; every node gathers from its sources. A node that should see itself is its own source.
struct GatherGraph {
    std::vector<std::uint32_t> begin; ///< nodes + 1
    std::vector<std::uint32_t> sources;
    [[nodiscard]] std::size_t nodeCount() const { return begin.size() - 1; }
};

/// Use float for speed, double for gradient checks. One thread at a time; the parameters must outlive it and not change
/// meanwhile.
template <class Scalar> class Tape {
public:
    /// A value on the tape.
    struct Node {
        std::size_t index = 0;
    };
    enum class Keep : std::uint8_t {
        Values,      ///< to score: nothing is kept for backward()
        Derivatives, ///< to train
    };

    explicit Tape(const Parameters<Scalar> &parameters, Keep keep = Keep::Values) : m_parameters(parameters), m_keep(keep) {}
    Tape(const Tape &) = delete; // nodes refer to their tape
    Tape &operator=(const Tape &) = delete;

    [[nodiscard]] Node constant(Matrix<Scalar> value);
    [[nodiscard]] Node parameter(std::size_t index); ///< of the Parameters; each call copies it
    [[nodiscard]] Node multiply(Node a, Node b);
    [[nodiscard]] Node add(Node a, Node b);      ///< equal shapes
    [[nodiscard]] Node addRow(Node a, Node row); ///< 1 x cols to every row
    [[nodiscard]] Node relu(Node a);             ///< max(0, a)
    [[nodiscard]] Node tanh(Node a);
    [[nodiscard]] Node besides(Node a, Node b); ///< columns of a, then of b; equal rows
    /// Rows [first, first + count).
    [[nodiscard]] Node rows(Node a, std::size_t first, std::size_t count);
    /// Adds block v of `a` to block targets[v]; `blocks` blocks of equal height come out. Height is a.rows / targets.size().
    [[nodiscard]] Node sumBlocks(Node a, std::vector<std::uint32_t> targets, std::size_t blocks);
    /// Mean over `blocks` blocks of equal height: a.rows / blocks rows.
    [[nodiscard]] Node meanBlocks(Node a, std::size_t blocks);
    /// An LSTM (Hochreiter and Schmidhuber 1997, with forget gates) over `steps` blocks of B rows, from the first or from the
    /// last, beginning with zeros: hidden states, steps x B rows, H columns. `input` I x 4H, `recurrent` H x 4H, `bias` 1 x 4H;
    /// the four are input, forget, output gate and candidate.
    [[nodiscard]] Node lstm(Node x, Node input, Node recurrent, Node bias, std::size_t steps, bool fromLast);
    /// One head of graph attention (Velickovic et al. 2018) over a block per node: node i becomes the sum over its sources j of
    /// softmax_j(LeakyReLU(z_i . own + z_j . other)) z_j, slope 0.2. `own` and `other` are cols x 1. The graph outlives the tape.
    [[nodiscard]] Node attend(Node z, Node own, Node other, const GatherGraph &graph);

    [[nodiscard]] const Matrix<Scalar> &value(Node node) const { return m_steps[node.index].value; }
    /// Adds to `gradients` (one per parameter) the derivatives of sum(seed * value(output)). Needs Keep::Derivatives. Once.
    void backward(Node output, const Matrix<Scalar> &seed, std::vector<Matrix<Scalar>> &gradients);

private:
    struct Step {
        Matrix<Scalar> value, gradient;
        std::function<void(const Matrix<Scalar> &)> pass; ///< takes the step's gradient
        std::ptrdiff_t parameter = -1;
    };
    Node push(Matrix<Scalar> value);
    Node push(Matrix<Scalar> value, std::function<void(const Matrix<Scalar> &)> pass);
    [[nodiscard]] Matrix<Scalar> &gradientOf(Node node);
    /// Constants need no gradient, and a product with one skips it.
    [[nodiscard]] bool needsGradient(Node node) const { return m_steps[node.index].parameter >= 0 || m_steps[node.index].pass; }

    const Parameters<Scalar> &m_parameters;
    Keep m_keep;
    std::vector<Step> m_steps;
};

} // namespace syncopate
