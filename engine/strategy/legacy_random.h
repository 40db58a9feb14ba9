// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <random>

namespace syncopate {

/// np.random.randint(0, size) of NumPy's legacy generator, which is `words` seeded alike: nothing is drawn for one choice, else
/// masked words until one is small enough. `size` is at least 1 and below 2^32.
[[nodiscard]] inline std::size_t legacyIndex(std::mt19937 &words, std::size_t size) {
    if (size == 1)
        return 0;
    std::size_t mask = 1;
    while (mask < size - 1)
        mask = mask << 1 | 1;
    std::size_t value = words() & mask;
    while (value > size - 1)
        value = words() & mask;
    return value;
}

} // namespace syncopate
