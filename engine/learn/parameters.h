// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json_writer.h"
#include "engine/base/result.h"
#include "engine/base/rng.h"
#include "engine/learn/matrix.h"

#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// The trainable matrices of a network, by index. Gradients are a vector of matrices of the same shapes, so that several threads
/// can each have their own.
template <class Scalar> class Parameters {
public:
    /// Adds a matrix of Glorot-uniform weights (Glorot and Bengio 2010); returns its index. Names are keys of files, so each is
    /// given once.
    std::size_t addWeights(std::string name, std::size_t rows, std::size_t cols, Rng &rng);
    /// Adds a matrix of one value; returns its index.
    std::size_t addConstant(std::string name, std::size_t rows, std::size_t cols, Scalar value);

    [[nodiscard]] std::size_t count() const { return m_values.size(); }
    [[nodiscard]] const Matrix<Scalar> &operator[](std::size_t index) const { return m_values[index]; }
    [[nodiscard]] Matrix<Scalar> &operator[](std::size_t index) { return m_values[index]; }
    [[nodiscard]] const std::string &name(std::size_t index) const { return m_names[index]; }
    [[nodiscard]] std::size_t scalarCount() const;
    /// Matrices of the same shapes, all 0.
    [[nodiscard]] std::vector<Matrix<Scalar>> zeros() const;

    /// Writes {"name": [values, row after row], ...} as the next value. A value that is not finite becomes null, which read()
    /// refuses.
    void write(JsonWriter &json) const;
    /// Reads what write() wrote. Errors: a matrix is missing, has another number of values, or a value that is not finite; the
    /// parameters are then unchanged.
    [[nodiscard]] Result<void> read(std::string_view json);

private:
    std::vector<Matrix<Scalar>> m_values;
    std::vector<std::string> m_names;
};

} // namespace syncopate
