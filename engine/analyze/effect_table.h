// SPDX-License-Identifier: GPL-3.0-or-later
// Which of the simulator's effects makes its predictions good? Each is switched on alone, over measured or published rows, and
// its errors stand beside those of none and of all that are used.
#pragma once

#include "engine/base/spread.h"

#include <string>
#include <vector>

namespace syncopate {

/// Effects of real networks beyond links that are shared fairly. Off, latency is held by its connection (or by the collective),
/// as if it were work of the sender.
struct NetworkEffects {
    bool flowLimit = false;        ///< the rate of one connection is limited
    bool latencyPipelines = false; ///< latency is paid by a message, not held by its connection
    bool hosts = false;            ///< CPUs take turns for messages and launches
    bool buckets = false;          ///< links let some bytes pass at once after a pause
    bool channels = false;         ///< two collectives in flight
    bool serversPerPart = false;   ///< ByteScheduler: parts go round the servers, as MXNet's key-value store has it
    bool interference = false;     ///< compute is slower while its node communicates
    bool operator==(const NetworkEffects &) const = default;
};

/// The slowdown of compute where interference is tried: no measurement or publication gives one.
inline constexpr double triedSlowdown = 1.2;

/// The tables of a folder (CSV and JSON files in it, not below), by name: the inputs of validations of it, which processes that
/// share one compare.
[[nodiscard]] std::vector<std::string> tableTexts(const std::string &folder);

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

/// The rows of a folder of published charts (published.h) or of ByteScheduler's runs (validation.h), with no effect, with each
/// alone, and with those that `validate` uses. Values that no source states are: 0.1 ms of CPU per message and side, two
/// collectives in flight, compute 1.2 times as slow beside traffic. The result on `spread` is the same, with a row as a part.
/// Errors: those of the folder; another kind of folder.
[[nodiscard]] Result<std::vector<EffectRow>> tabulateEffects(const std::string &folder, const Spread &spread = {});

} // namespace syncopate
