// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/motif_costs.h"

#include <cstdint>
#include <optional>

namespace syncopate {

/// Channel::incast fitted to measured all-to-alls.
struct IncastFit {
    double incast = 0;
    std::int32_t curves = 0; ///< number of measured all-to-alls, and splines of them, that an incast would lengthen
    double worstError = 0;   ///< max relative error of their seconds per byte
};

/// Fits the incast of a channel to the curves of all-to-alls that were measured among `processes` on its first link: least
/// squares of the relative errors of their seconds per byte, the smallest incast if several fit alike. A curve's time for its
/// first byte is left out, and so are curves that no incast lengthens: one process sends to another, or bytes inside a node
/// take longer whatever it is. nullopt if no remaining curve has two sizes.
[[nodiscard]] std::optional<IncastFit> fitIncast(const MotifCosts &costs, const Channel &channel, std::int32_t processes);

} // namespace syncopate
