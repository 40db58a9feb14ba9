// SPDX-License-Identifier: GPL-3.0-or-later
// Which of the simulator's effects makes its predictions good? Each is switched on alone, over measured or published rows, and
// its errors stand beside those with no effect and with all effects in use.
#pragma once

#include "engine/base/spread.h"

#include <string>
#include <vector>

namespace syncopate {

/// The errors of predictions for some rows.
struct EffectErrors {
    std::string rows;             ///< "AutoDist", "bsps"
    double median = 0, worst = 0; ///< of |error|
    double spearman = 0;          ///< the median over the rows' rankings (of systems, of settings); NaN without any
};
/// The errors with one effect switched on, for each set of rows.
struct EffectRow {
    std::string effect; ///< "none", "flow limit", "as used"
    std::vector<EffectErrors> errors;
};

/// The rows of a folder of published charts (published.h) or of runs with message costs (bsps, bsar, fsdp2; validation.h), with
/// no effect, with each alone, and with the effects that `validate` uses. Charts state no value for CPU (0.1 ms per message and
/// side), collectives in flight (2) and interference (compute 1.2 times as slow beside traffic): the values in brackets are
/// tried. Runs take all but the last from their message_cost.csv and README. `spread` takes one part per row and does not change
/// the result. Errors: those of the folder; another kind of folder.
[[nodiscard]] Result<std::vector<EffectRow>> tabulateEffects(const std::string &folder, const Spread &spread = {});

} // namespace syncopate
