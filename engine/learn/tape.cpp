// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/learn/tape.h"

#include "engine/learn/eigen_maps.h"

#include <cassert>
#include <utility>

namespace syncopate {

template <class Scalar> typename Tape<Scalar>::Node Tape<Scalar>::push(Matrix<Scalar> value) {
    m_steps.push_back({std::move(value), {}, {}, -1});
    return {m_steps.size() - 1};
}

template <class Scalar>
typename Tape<Scalar>::Node Tape<Scalar>::push(Matrix<Scalar> value, std::function<void(const Matrix<Scalar> &)> pass) {
    const Node node = push(std::move(value));
    if (m_keep == Keep::Derivatives)
        m_steps[node.index].pass = std::move(pass);
    return node;
}

template <class Scalar> Matrix<Scalar> &Tape<Scalar>::gradientOf(Node node) {
    Step &step = m_steps[node.index];
    if (step.gradient.values.empty())
        step.gradient = Matrix<Scalar>(step.value.rows, step.value.cols);
    return step.gradient;
}

template <class Scalar>
void Tape<Scalar>::backward(Node output, const Matrix<Scalar> &seed, std::vector<Matrix<Scalar>> &gradients) {
    assert(m_keep == Keep::Derivatives && gradients.size() == m_parameters.count());
    gradientOf(output) = seed;
    for (std::size_t s = output.index + 1; s-- > 0;) {
        Step &step = m_steps[s];
        if (step.gradient.values.empty())
            continue;
        if (step.parameter >= 0)
            asEigen(gradients[static_cast<std::size_t>(step.parameter)]) += asEigen(step.gradient);
        else if (step.pass)
            step.pass(step.gradient);
    }
}

template <class Scalar> typename Tape<Scalar>::Node Tape<Scalar>::constant(Matrix<Scalar> value) {
    return push(std::move(value));
}

template <class Scalar> typename Tape<Scalar>::Node Tape<Scalar>::parameter(std::size_t index) {
    const Node node = push(m_parameters[index]);
    m_steps[node.index].parameter = static_cast<std::ptrdiff_t>(index);
    return node;
}

template <class Scalar> typename Tape<Scalar>::Node Tape<Scalar>::multiply(Node a, Node b) {
    Matrix<Scalar> product(value(a).rows, value(b).cols);
    asEigen(product).noalias() = asEigen(value(a)) * asEigen(value(b));
    return push(std::move(product), [this, a, b](const Matrix<Scalar> &gradient) {
        if (needsGradient(a))
            asEigen(gradientOf(a)).noalias() += asEigen(gradient) * asEigen(value(b)).transpose();
        if (needsGradient(b))
            asEigen(gradientOf(b)).noalias() += asEigen(value(a)).transpose() * asEigen(gradient);
    });
}

template <class Scalar> typename Tape<Scalar>::Node Tape<Scalar>::add(Node a, Node b) {
    Matrix<Scalar> sum = value(a);
    asEigen(sum) += asEigen(value(b));
    return push(std::move(sum), [this, a, b](const Matrix<Scalar> &gradient) {
        asEigen(gradientOf(a)) += asEigen(gradient);
        asEigen(gradientOf(b)) += asEigen(gradient);
    });
}

template <class Scalar> typename Tape<Scalar>::Node Tape<Scalar>::addRow(Node a, Node row) {
    Matrix<Scalar> sum = value(a);
    asEigen(sum).rowwise() += asEigen(value(row)).row(0);
    return push(std::move(sum), [this, a, row](const Matrix<Scalar> &gradient) {
        asEigen(gradientOf(a)) += asEigen(gradient);
        asEigen(gradientOf(row)) += asEigen(gradient).colwise().sum();
    });
}

template <class Scalar> typename Tape<Scalar>::Node Tape<Scalar>::relu(Node a) {
    Matrix<Scalar> positive = value(a);
    asEigen(positive) = asEigen(positive).cwiseMax(Scalar(0));
    return push(std::move(positive), [this, a](const Matrix<Scalar> &gradient) {
        asEigen(gradientOf(a)).array() += (asEigen(value(a)).array() > Scalar(0)).select(asEigen(gradient).array(), Scalar(0));
    });
}

template <class Scalar> typename Tape<Scalar>::Node Tape<Scalar>::tanh(Node a) {
    Matrix<Scalar> curved = value(a);
    asEigen(curved).array() = asEigen(curved).array().tanh();
    const std::size_t self = m_steps.size();
    return push(std::move(curved), [this, a, self](const Matrix<Scalar> &gradient) {
        const auto y = asEigen(m_steps[self].value).array();
        asEigen(gradientOf(a)).array() += asEigen(gradient).array() * (Scalar(1) - y * y);
    });
}

template <class Scalar> typename Tape<Scalar>::Node Tape<Scalar>::besides(Node a, Node b) {
    const std::size_t left = value(a).cols;
    Matrix<Scalar> both(value(a).rows, left + value(b).cols);
    const auto leftCols = static_cast<Eigen::Index>(left), rightCols = static_cast<Eigen::Index>(value(b).cols);
    asEigen(both).leftCols(leftCols) = asEigen(value(a));
    asEigen(both).rightCols(rightCols) = asEigen(value(b));
    return push(std::move(both), [this, a, b, leftCols, rightCols](const Matrix<Scalar> &gradient) {
        asEigen(gradientOf(a)) += asEigen(gradient).leftCols(leftCols);
        asEigen(gradientOf(b)) += asEigen(gradient).rightCols(rightCols);
    });
}

template <class Scalar> typename Tape<Scalar>::Node Tape<Scalar>::rows(Node a, std::size_t first, std::size_t count) {
    const auto at = static_cast<Eigen::Index>(first), height = static_cast<Eigen::Index>(count);
    Matrix<Scalar> some(count, value(a).cols);
    asEigen(some) = asEigen(value(a)).middleRows(at, height);
    return push(std::move(some), [this, a, at, height](const Matrix<Scalar> &gradient) {
        asEigen(gradientOf(a)).middleRows(at, height) += asEigen(gradient);
    });
}

template <class Scalar>
typename Tape<Scalar>::Node Tape<Scalar>::sumBlocks(Node a, std::vector<std::uint32_t> targets, std::size_t blocks) {
    const auto height = static_cast<Eigen::Index>(value(a).rows / targets.size());
    Matrix<Scalar> sums(blocks * static_cast<std::size_t>(height), value(a).cols);
    for (std::size_t v = 0; v < targets.size(); ++v)
        asEigen(sums).middleRows(static_cast<Eigen::Index>(targets[v]) * height, height) +=
            asEigen(value(a)).middleRows(static_cast<Eigen::Index>(v) * height, height);
    return push(std::move(sums), [this, a, height, targets = std::move(targets)](const Matrix<Scalar> &gradient) {
        auto into = asEigen(gradientOf(a));
        for (std::size_t v = 0; v < targets.size(); ++v)
            into.middleRows(static_cast<Eigen::Index>(v) * height, height) +=
                asEigen(gradient).middleRows(static_cast<Eigen::Index>(targets[v]) * height, height);
    });
}

template <class Scalar> typename Tape<Scalar>::Node Tape<Scalar>::meanBlocks(Node a, std::size_t blocks) {
    const auto height = static_cast<Eigen::Index>(value(a).rows / blocks);
    const Scalar share = Scalar(1) / static_cast<Scalar>(blocks);
    Matrix<Scalar> mean(static_cast<std::size_t>(height), value(a).cols);
    for (std::size_t block = 0; block < blocks; ++block)
        asEigen(mean) += asEigen(value(a)).middleRows(static_cast<Eigen::Index>(block) * height, height) * share;
    return push(std::move(mean), [this, a, blocks, height, share](const Matrix<Scalar> &gradient) {
        auto into = asEigen(gradientOf(a));
        for (std::size_t block = 0; block < blocks; ++block)
            into.middleRows(static_cast<Eigen::Index>(block) * height, height) += asEigen(gradient) * share;
    });
}

template class Tape<float>;
template class Tape<double>;

} // namespace syncopate
