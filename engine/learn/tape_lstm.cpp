// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/learn/eigen_maps.h"
#include "engine/learn/tape.h"

#include <memory>
#include <utility>

namespace syncopate {

namespace {

/// The state of a forward pass over a sequence that backward() needs.
template <class Scalar> struct Unrolled {
    Matrix<Scalar> gates; ///< T x B rows of 4H: input, forget, output gate, candidate, all activated
    Matrix<Scalar> cells; ///< T x B rows of H
};

/// The block that is read at step t.
std::size_t placeOf(std::size_t t, std::size_t steps, bool fromLast) { return fromLast ? steps - 1 - t : t; }

} // namespace

// One numeric kernel: the backward pass mirrors the forward pass, step by step, on the same gates and cells.
template <class Scalar>
typename Tape<Scalar>::Node Tape<Scalar>::lstm(Node x, Node input, Node recurrent, Node bias, std::size_t steps, bool fromLast) {
    const auto batch = static_cast<Eigen::Index>(value(x).rows / steps);
    const auto width = static_cast<Eigen::Index>(value(recurrent).rows);
    const std::size_t columns = value(recurrent).rows;
    auto unrolled = std::make_shared<Unrolled<Scalar>>();
    unrolled->gates = Matrix<Scalar>(value(x).rows, 4 * columns);
    unrolled->cells = Matrix<Scalar>(value(x).rows, columns);
    Matrix<Scalar> hidden(value(x).rows, columns);

    auto gates = asEigen(unrolled->gates), cells = asEigen(unrolled->cells), states = asEigen(hidden);
    gates.noalias() = asEigen(value(x)) * asEigen(value(input));
    gates.rowwise() += asEigen(value(bias)).row(0);
    for (std::size_t t = 0; t < steps; ++t) {
        const Eigen::Index at = static_cast<Eigen::Index>(placeOf(t, steps, fromLast)) * batch;
        auto z = gates.middleRows(at, batch);
        auto c = cells.middleRows(at, batch);
        if (t > 0) {
            const Eigen::Index before = static_cast<Eigen::Index>(placeOf(t - 1, steps, fromLast)) * batch;
            z.noalias() += states.middleRows(before, batch) * asEigen(value(recurrent));
            c = cells.middleRows(before, batch);
        }
        z.leftCols(3 * width) = z.leftCols(3 * width).array().logistic();
        z.rightCols(width) = z.rightCols(width).array().tanh();
        c.array() = z.middleCols(width, width).array() * c.array() + z.leftCols(width).array() * z.rightCols(width).array();
        states.middleRows(at, batch) = z.middleCols(2 * width, width).array() * c.array().tanh();
    }

    const std::size_t self = m_steps.size();
    return push(std::move(hidden), [this, self, x, input, recurrent, bias, steps, fromLast, batch, width,
                                    unrolled](const Matrix<Scalar> &gradient) {
        const auto activated = asEigen(std::as_const(unrolled->gates)), cell = asEigen(std::as_const(unrolled->cells));
        const auto state = asEigen(std::as_const(m_steps[self].value));
        EigenRows<Scalar> dGates(activated.rows(), activated.cols()), dState, dCell, curved;
        dState.setZero(batch, width);
        dCell.setZero(batch, width);
        auto dRecurrent = asEigen(gradientOf(recurrent));
        for (std::size_t t = steps; t-- > 0;) {
            const Eigen::Index at = static_cast<Eigen::Index>(placeOf(t, steps, fromLast)) * batch;
            const auto z = activated.middleRows(at, batch);
            const auto in = z.leftCols(width).array(), forget = z.middleCols(width, width).array();
            const auto out = z.middleCols(2 * width, width).array(), candidate = z.rightCols(width).array();
            auto dz = dGates.middleRows(at, batch);
            dState += asEigen(gradient).middleRows(at, batch);
            curved = cell.middleRows(at, batch).array().tanh();
            dCell.array() += dState.array() * out * (Scalar(1) - curved.array().square());
            dz.leftCols(width) = dCell.array() * candidate * in * (Scalar(1) - in);
            dz.middleCols(2 * width, width) = dState.array() * curved.array() * out * (Scalar(1) - out);
            dz.rightCols(width) = dCell.array() * in * (Scalar(1) - candidate.square());
            if (t == 0) {
                dz.middleCols(width, width).setZero();
                continue;
            }
            const Eigen::Index before = static_cast<Eigen::Index>(placeOf(t - 1, steps, fromLast)) * batch;
            dz.middleCols(width, width) = dCell.array() * cell.middleRows(before, batch).array() * forget * (Scalar(1) - forget);
            dCell.array() *= forget;
            dRecurrent.noalias() += state.middleRows(before, batch).transpose() * dz;
            dState.noalias() = dz * asEigen(value(recurrent)).transpose();
        }
        asEigen(gradientOf(input)).noalias() += asEigen(value(x)).transpose() * dGates;
        asEigen(gradientOf(bias)) += dGates.colwise().sum();
        if (needsGradient(x))
            asEigen(gradientOf(x)).noalias() += dGates * asEigen(value(input)).transpose();
    });
}

template Tape<float>::Node Tape<float>::lstm(Node, Node, Node, Node, std::size_t, bool);
template Tape<double>::Node Tape<double>::lstm(Node, Node, Node, Node, std::size_t, bool);

} // namespace syncopate
