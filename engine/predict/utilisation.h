// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace syncopate {

/// A resource that predicted steps use.
enum class UsedResource : std::uint8_t {
    Compute,  ///< of all workers: each has its own
    Downlink, ///< of a server; shared by all workers, as are the next two
    Uplink,   ///< of a server
    Updates,  ///< of variables on a server
};

/// How busy a resource was over the counted steps.
struct Utilisation {
    UsedResource resource = UsedResource::Compute;
    std::int32_t server = -1; ///< -1 = of the workers
    /// 0 to 1. Of a link: bytes it moved / (its rate x time); of compute and updates: the share of the time that they ran, the
    /// mean over the workers.
    double busy = 0;

    [[nodiscard]] bool isShared() const { return resource != UsedResource::Compute; } ///< by all workers
    [[nodiscard]] std::string name() const; ///< "downlink of server 0", "workers' compute", as files keep it
    bool operator==(const Utilisation &) const = default;
};

/// Reverses Utilisation::name(). Errors: another text.
[[nodiscard]] Result<Utilisation> utilisationNamed(std::string_view name, double busy);

} // namespace syncopate
