// SPDX-License-Identifier: GPL-3.0-or-later
// Which of the effects that the simulator knows makes its predictions good? Each is switched on alone, over rows that were
// measured or published, and what the predictions then miss stands beside that of none and of all that are used.
#pragma once

#include "engine/base/spread.h"

#include <string>
#include <vector>

namespace syncopate {

/// Effects of real networks beyond links that are shared fairly. Off, latency is held by its connection (or by the collective),
/// as if it were work of the sender.
struct NetworkEffects {
    bool flowLimit = false;        ///< one connection carries so much at most
    bool latencyPipelines = false; ///< latency is paid by a message, not held by its connection
    bool hosts = false;            ///< CPUs take turns for messages and launches
    bool buckets = false;          ///< links let some bytes pass at once after a pause
    bool channels = false;         ///< two collectives in flight
    bool serversPerPart = false;   ///< ByteScheduler: parts go round the servers, as MXNet's key-value store has it
    bool interference = false;     ///< compute is slower while its node communicates
    bool operator==(const NetworkEffects &) const = default;
};

/// How many times slower compute becomes where interference is tried: nothing that was measured or published tells.
inline constexpr double triedSlowdown = 1.2;

/// The tables of a folder (CSV and JSON files in it, not below), by name: what validations of it depend on, as processes that
/// share one compare it.
[[nodiscard]] std::vector<std::string> tableTexts(const std::string &folder);

/// What predictions miss of some rows.
struct EffectErrors {
    std::string rows;             ///< "AutoDist", "bsps"
    double median = 0, worst = 0; ///< of |error|
    double spearman = 0;          ///< the median over the rows' rankings (of systems, of settings); NaN without any
};
struct EffectRow {
    std::string effect; ///< "none", "flow limit", "as used"
    std::vector<EffectErrors> errors;
};

/// The rows of a folder of published charts (published.h) or of ByteScheduler's runs (validation.h) with no effect, each alone,
/// and those that `validate` uses. What no source states is tried with: 0.1 ms of CPU a message and side, two collectives in
/// flight, compute 1.2 times as slow beside traffic. The same on `spread`, a row a part. Errors: those of the folder; another
/// kind of folder.
[[nodiscard]] Result<std::vector<EffectRow>> tabulateEffects(const std::string &folder, const Spread &spread = {});

} // namespace syncopate
