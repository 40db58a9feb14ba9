// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/learn/matrix.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace syncopate {

/// Collects, row by row, mean and 1 / deviation of each column, by which inputs are standardised.
class Moments {
public:
    explicit Moments(std::size_t cols) : m_sum(cols, 0), m_square(cols, 0) {}
    void take(const float *row) {
        for (std::size_t c = 0; c < m_sum.size(); ++c) {
            m_sum[c] += row[c];
            m_square[c] += static_cast<double>(row[c]) * row[c];
        }
        m_rows += 1;
    }
    /// Needs at least one row. A column that deviates by no more than `minDeviation` carries no information: its scale is 0.
    void write(Matrix<float> &mean, Matrix<float> &scale, float minDeviation) const {
        for (std::size_t c = 0; c < m_sum.size(); ++c) {
            const double average = m_sum[c] / m_rows;
            const auto deviation = static_cast<float>(std::sqrt(std::max(0.0, m_square[c] / m_rows - average * average)));
            mean(0, c) = static_cast<float>(average);
            scale(0, c) = deviation > minDeviation ? 1 / deviation : 0;
        }
    }

private:
    std::vector<double> m_sum, m_square;
    double m_rows = 0;
};

} // namespace syncopate
