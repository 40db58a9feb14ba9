// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <string>

namespace simdjson::dom {
class element;
}

namespace syncopate {

class JsonWriter;

/// Where a meta-network comes from, as its file states it: a prediction is as good as its network was on conditions that it had
/// not seen, so both are shown together.
struct MetaOrigin {
    /// On conditions of one kind that the network was not trained on, a grid of pairs each.
    struct Errors {
        std::uint64_t conditions = 0;         ///< 0: it was not tested
        double medianError = 0, p90Error = 0; ///< of a speed, relative, over all pairs
        double goal = 0;                      ///< regret of the chosen pair, by its prediction, over the grid's best, relative
        double withinGoal = 0;                ///< share of the conditions
    };

    std::string command; ///< that made it, with its seed
    std::uint64_t seed = 0;
    Errors heldOut{0, 0, 0, 0.02, 0}; ///< other conditions of the same models
    Errors leftOut{0, 0, 0, 0.05, 0}; ///< models left out of training

    /// "tune --train ...: on 20 other conditions of its models, speeds are off by 5.7 % (median) and 28 % (90 %), and ..."
    [[nodiscard]] std::string describe() const;
    /// Writes the members of a file's object. Errors and shares have four decimals; the goal is written as it is.
    void write(JsonWriter &json) const;
    /// Errors: a member is missing, of another type or out of range.
    [[nodiscard]] static Result<MetaOrigin> read(const simdjson::dom::element &root);
};

} // namespace syncopate
