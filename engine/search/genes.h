// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// A trial in a search method's own terms, from which the method decodes the judged scenario: the seed of a sample, the choices
/// along a chain, the coordinates of a point. A value that can be compared, hashed and stored.
struct Genes {
    std::vector<std::uint64_t> whole; ///< seeds, counts, indices of choices
    std::vector<double> real;         ///< coordinates, finite
    bool operator==(const Genes &) const = default;
};

/// Formats genes as "17 4;0.25 0.001": integers, then reals after a semicolon where there are any. parseGenes() reads back equal
/// genes.
[[nodiscard]] std::string formatGenes(const Genes &genes);
/// The error's place is the byte offset of the number that cannot be read.
[[nodiscard]] Result<Genes> parseGenes(std::string_view text);

} // namespace syncopate

template <> struct std::hash<syncopate::Genes> {
    [[nodiscard]] std::size_t operator()(const syncopate::Genes &genes) const noexcept;
};
