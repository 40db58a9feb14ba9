// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace syncopate {

/// Effects of real networks beyond links that are shared fairly. Off, latency is held by its connection (or by the collective),
/// as if it were work of the sender.
struct NetworkEffects {
    bool flowLimit = false;        ///< the rate of one connection is limited
    bool latencyPipelines = false; ///< latency is paid by a message, not held by its connection
    bool hosts = false;            ///< CPUs take turns for messages and launches
    bool buckets = false;          ///< links let some bytes pass at once after a pause
    bool channels = false;         ///< two collectives in flight
    bool serversPerPart = false;   ///< ByteScheduler: parts go round the servers, as in MXNet's key-value store
    bool interference = false;     ///< compute is slower while its node communicates
    bool operator==(const NetworkEffects &) const = default;
};

/// The slowdown of compute where interference is tried: no measurement or publication gives one.
inline constexpr double triedSlowdown = 1.2;

} // namespace syncopate
