// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/learn/eigen_maps.h"
#include "engine/learn/tape.h"

#include <memory>
#include <utility>

namespace syncopate {

namespace {

template <class Scalar> constexpr Scalar leak = Scalar(0.2); ///< slope of LeakyReLU below 0

} // namespace

// One numeric kernel: the backward pass mirrors the forward pass, and both share its blocks and edges.
template <class Scalar> typename Tape<Scalar>::Node Tape<Scalar>::attend(Node z, Node own, Node other, const GatherGraph &graph) {
    const auto height = static_cast<Eigen::Index>(value(z).rows / graph.nodeCount());
    const auto blockAt = [height](std::size_t node) { return static_cast<Eigen::Index>(node) * height; };
    using Columns = EigenRows<Scalar>;
    /// Per example and edge: the argument of LeakyReLU, and the softmax weight.
    struct Edges {
        Columns raw, weight;
    };
    auto edges = std::make_shared<Edges>();
    edges->raw.resize(static_cast<Eigen::Index>(graph.sources.size()), height);
    edges->weight.resizeLike(edges->raw);
    const auto in = asEigen(value(z));
    const Columns ownScore = in * asEigen(value(own)), otherScore = in * asEigen(value(other));
    Matrix<Scalar> gathered(value(z).rows, value(z).cols);
    for (std::size_t i = 0; i < graph.nodeCount(); ++i) {
        const auto first = static_cast<Eigen::Index>(graph.begin[i]), last = static_cast<Eigen::Index>(graph.begin[i + 1]);
        if (first == last)
            continue;
        for (Eigen::Index e = first; e < last; ++e)
            edges->raw.row(e) = (ownScore.middleRows(blockAt(i), height) +
                                 otherScore.middleRows(blockAt(graph.sources[static_cast<std::size_t>(e)]), height))
                                    .transpose();
        auto weight = edges->weight.middleRows(first, last - first);
        weight = edges->raw.middleRows(first, last - first);
        weight = weight.cwiseMax(leak<Scalar> * weight).eval();
        weight.rowwise() -= weight.colwise().maxCoeff().eval();
        weight = weight.array().exp().eval();
        weight.array().rowwise() /= weight.colwise().sum().array().eval();
        auto out = asEigen(gathered).middleRows(blockAt(i), height);
        for (Eigen::Index e = first; e < last; ++e)
            out.array() += in.middleRows(blockAt(graph.sources[static_cast<std::size_t>(e)]), height).array().colwise() *
                           edges->weight.row(e).transpose().array();
    }

    return push(std::move(gathered), [this, z, own, other, &graph, height, blockAt, edges](const Matrix<Scalar> &gradient) {
        const auto from = asEigen(std::as_const(*this).value(z));
        Columns dOwn = Columns::Zero(from.rows(), 1), dOther = dOwn;
        auto into = asEigen(gradientOf(z));
        Columns dWeight;
        for (std::size_t i = 0; i < graph.nodeCount(); ++i) {
            const auto first = static_cast<Eigen::Index>(graph.begin[i]),
                       count = static_cast<Eigen::Index>(graph.begin[i + 1]) - first;
            if (count == 0)
                continue;
            const auto dOut = asEigen(gradient).middleRows(blockAt(i), height);
            const auto sourceOf = [&](Eigen::Index e) { return blockAt(graph.sources[static_cast<std::size_t>(first + e)]); };
            dWeight.resize(count, height);
            for (Eigen::Index e = 0; e < count; ++e) {
                dWeight.row(e) = dOut.cwiseProduct(from.middleRows(sourceOf(e), height)).rowwise().sum().transpose();
                into.middleRows(sourceOf(e), height).array() +=
                    dOut.array().colwise() * edges->weight.row(first + e).transpose().array();
            }
            const auto weight = edges->weight.middleRows(first, count);
            const Columns mean = weight.cwiseProduct(dWeight).colwise().sum();
            for (Eigen::Index e = 0; e < count; ++e) {
                const auto raw = edges->raw.row(first + e).array();
                const Columns dRaw = (weight.row(e).array() * (dWeight.row(e) - mean.row(0)).array() *
                                      (raw > Scalar(0)).select(Columns::Ones(1, height).array(), leak<Scalar>))
                                         .matrix()
                                         .transpose();
                dOwn.middleRows(blockAt(i), height) += dRaw;
                dOther.middleRows(sourceOf(e), height) += dRaw;
            }
        }
        into.noalias() += dOwn * asEigen(value(own)).transpose() + dOther * asEigen(value(other)).transpose();
        asEigen(gradientOf(own)).noalias() += from.transpose() * dOwn;
        asEigen(gradientOf(other)).noalias() += from.transpose() * dOther;
    });
}

template Tape<float>::Node Tape<float>::attend(Node, Node, Node, const GatherGraph &);
template Tape<double>::Node Tape<double>::attend(Node, Node, Node, const GatherGraph &);

} // namespace syncopate
