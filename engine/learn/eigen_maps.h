// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Private to the room: views of matrices for Eigen.

#include "engine/learn/matrix.h"

#include <Eigen/Core>

namespace syncopate {

template <class Scalar> using EigenRows = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class Scalar> Eigen::Map<EigenRows<Scalar>> asEigen(Matrix<Scalar> &matrix) {
    return {matrix.values.data(), static_cast<Eigen::Index>(matrix.rows), static_cast<Eigen::Index>(matrix.cols)};
}
template <class Scalar> Eigen::Map<const EigenRows<Scalar>> asEigen(const Matrix<Scalar> &matrix) {
    return {matrix.values.data(), static_cast<Eigen::Index>(matrix.rows), static_cast<Eigen::Index>(matrix.cols)};
}

} // namespace syncopate
