// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cluster/cluster.h"

#include <array>

namespace syncopate {

/// A key of a cluster file's `host`.
struct HostKey {
    const char *name;
    double HostCosts::*member;
    double max;
};

inline constexpr std::array<HostKey, 9> hostKeys{{
    {"send_seconds", &HostCosts::sendSeconds, 10},
    {"send_seconds_per_byte", &HostCosts::sendSecondsPerByte, 1e-3},
    {"receive_seconds", &HostCosts::receiveSeconds, 10},
    {"receive_seconds_per_byte", &HostCosts::receiveSecondsPerByte, 1e-3},
    {"aggregate_seconds_per_byte", &HostCosts::aggregateSecondsPerByte, 1e-3},
    {"update_seconds_per_byte", &HostCosts::updateSecondsPerByte, 1e-3},
    {"variable_seconds", &HostCosts::variableSeconds, 10},
    {"collective_seconds", &HostCosts::collectiveSeconds, 10},
    {"collective_message_seconds", &HostCosts::collectiveMessageSeconds, 10},
}};

} // namespace syncopate
