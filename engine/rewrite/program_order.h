// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace syncopate {

/// TaskRow::orderKey of the ops on a worker's compute stream, which takes those that are ready in program order: iteration by
/// iteration the forward ops, the backward ops from the last layer on, then the update. Forward and backward ops have even keys,
/// so that there is a place between two of them.
class ProgramOrder {
public:
    ProgramOrder(std::size_t layers, std::int32_t iteration)
        : m_layers(static_cast<std::int64_t>(layers)), m_begin(8 * m_layers * iteration) {}

    [[nodiscard]] std::int64_t forward(std::int32_t layer) const { return m_begin + 2 * (m_layers + layer); }
    [[nodiscard]] std::int64_t backward(std::int32_t layer) const { return m_begin + 2 * (3 * m_layers - layer); }
    [[nodiscard]] std::int64_t afterBackward(std::int32_t layer) const { return backward(layer) + 1; }
    [[nodiscard]] std::int64_t update() const { return m_begin + 8 * m_layers; } ///< of all layers
    [[nodiscard]] std::int64_t beforeUpdate() const { return update() - 1; }
    /// Between the next iteration's forward ops of the layer before and of this one.
    [[nodiscard]] std::int64_t beforeNextForward(std::int32_t layer) const { return forward(layer) + 8 * m_layers - 1; }

private:
    std::int64_t m_layers, m_begin;
};

} // namespace syncopate
