// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Systems take settings by name, and a misspelt one is lost in silence or stops the run. A name is taken for misspelt only where
// it is close to a known name and not itself known: systems have many more names than are known here.

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace syncopate {

/// The fewest insertions, deletions, replacements and swaps of neighbours that turn `a` into `b` (optimal string alignment), up
/// to `maxEdits`; beyond that `maxEdits` + 1. O(|a| |b|).
[[nodiscard]] std::size_t editDistance(std::string_view a, std::string_view b, std::size_t maxEdits);

/// How a misspelt name may differ from the right one, besides in characters and separators.
enum class NameSlips : unsigned char {
    Letters, ///< in nothing else
    Words,   ///< also in a word left out, or in the unit that it ends with
};

/// The name in `known` nearest to `written`, on a tie the first; none where no name is near, or `written` is known. `_`, `-` and
/// `.` separate words and do not count. Near names differ by one edit in ten characters, at most three; with NameSlips::Words
/// also those whose first words agree and that differ by one word which `written` lacks, or by units at the end (`_bytes`, `_mb`,
/// `_size`), where no name is near by edits. `enable` and `disable` are no slip.
[[nodiscard]] std::optional<std::string_view> nearestName(std::string_view written, std::span<const std::string_view> known,
                                                          NameSlips slips);

} // namespace syncopate
