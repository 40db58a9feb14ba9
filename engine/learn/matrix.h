// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

namespace syncopate {

/// A dense row-major matrix that headers can use without Eigen.
template <class Scalar> struct Matrix {
    std::size_t rows = 0, cols = 0;
    std::vector<Scalar> values; ///< rows x cols

    Matrix() = default;
    Matrix(std::size_t rowCount, std::size_t colCount, Scalar value = 0)
        : rows(rowCount), cols(colCount), values(rowCount * colCount, value) {}
    [[nodiscard]] Scalar &operator()(std::size_t row, std::size_t col) { return values[row * cols + col]; }
    [[nodiscard]] Scalar operator()(std::size_t row, std::size_t col) const { return values[row * cols + col]; }
    bool operator==(const Matrix &) const = default;
};

} // namespace syncopate
