// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/strategy/part_counts.h"

#include "engine/strategy/legacy_random.h"

namespace syncopate {

std::int64_t smallestDivisor(std::int64_t number, std::int64_t most) {
    if (number > 1 && number % 2 == 0)
        return 2;
    for (std::int64_t i = 3; i <= most && i <= number / i; i += 2)
        if (number % i == 0)
            return i;
    return number;
}

std::int64_t smallestNonDivisor(std::int64_t number) {
    for (std::int64_t i = 2; i < number; ++i)
        if (number % i != 0)
            return i;
    return number;
}

std::vector<std::int32_t> randomAxes(const Job &job, std::int32_t seed) {
    std::mt19937 generator(static_cast<std::uint32_t>(seed)); // the same sequence as after np.random.seed(seed)
    std::vector<std::int32_t> drawn;
    drawn.reserve(job.variables.size());
    for (const Variable &variable : job.variables) {
        std::vector<std::int32_t> axes;
        for (std::size_t axis = 0; axis < variable.shape.size(); ++axis)
            if (variable.shape[axis] > 1)
                axes.push_back(static_cast<std::int32_t>(axis));
        drawn.push_back(axes.empty() ? -1 : variable.sparse ? 0 : axes[legacyIndex(generator, axes.size())]);
    }
    return drawn;
}

} // namespace syncopate
