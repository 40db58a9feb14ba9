// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/learn/parameters.h"

#include <cmath>
#include <fmt/format.h>
#include <simdjson.h>

namespace syncopate {

template <class Scalar>
std::size_t Parameters<Scalar>::addWeights(std::string name, std::size_t rows, std::size_t cols, Rng &rng) {
    const double bound = std::sqrt(6.0 / static_cast<double>(rows + cols));
    const std::size_t index = addConstant(std::move(name), rows, cols, 0);
    for (Scalar &value : m_values[index].values)
        value = static_cast<Scalar>(rng.uniform(-bound, bound));
    return index;
}

template <class Scalar>
std::size_t Parameters<Scalar>::addConstant(std::string name, std::size_t rows, std::size_t cols, Scalar value) {
    m_values.emplace_back(rows, cols, value);
    m_names.push_back(std::move(name));
    return m_values.size() - 1;
}

template <class Scalar> std::size_t Parameters<Scalar>::scalarCount() const {
    std::size_t count = 0;
    for (const Matrix<Scalar> &matrix : m_values)
        count += matrix.values.size();
    return count;
}

template <class Scalar> std::vector<Matrix<Scalar>> Parameters<Scalar>::zeros() const {
    std::vector<Matrix<Scalar>> all;
    all.reserve(m_values.size());
    for (const Matrix<Scalar> &matrix : m_values)
        all.emplace_back(matrix.rows, matrix.cols);
    return all;
}

template <class Scalar> void Parameters<Scalar>::write(JsonWriter &json) const {
    json.beginObject();
    for (std::size_t p = 0; p < m_values.size(); ++p) {
        json.key(m_names[p]).beginArray();
        for (const Scalar value : m_values[p].values) // the fewest digits that identify the Scalar
            json.json(std::isfinite(value) ? fmt::format("{}", value) : "null");
        json.endArray();
    }
    json.endObject();
}

template <class Scalar> Result<void> Parameters<Scalar>::read(std::string_view json) {
    const char *remedy = "load weights that were saved by a network of the same settings";
    simdjson::dom::parser parser;
    simdjson::dom::element root;
    if (parser.parse(simdjson::padded_string(json)).get(root))
        return fail("the weights are not JSON", remedy);
    std::vector<Matrix<Scalar>> values = zeros();
    for (std::size_t p = 0; p < values.size(); ++p) {
        simdjson::dom::array list;
        if (root[m_names[p]].get(list))
            return fail(fmt::format("the weights lack the list '{}'", m_names[p]), remedy);
        std::size_t count = 0;
        for (const simdjson::dom::element item : list) {
            double number = 0;
            if (item.get(number) || !std::isfinite(static_cast<Scalar>(number)))
                return fail(fmt::format("the weights' '{}' has a value that is not a finite number", m_names[p]), remedy);
            if (count < values[p].values.size())
                values[p].values[count] = static_cast<Scalar>(number);
            ++count;
        }
        if (count != values[p].values.size())
            return fail(
                fmt::format("the weights' '{}' has {} values where {} are needed", m_names[p], count, values[p].values.size()),
                remedy);
    }
    m_values = std::move(values);
    return {};
}

template class Parameters<float>;
template class Parameters<double>;

} // namespace syncopate
