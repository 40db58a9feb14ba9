// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/predict/utilisation.h"

#include "engine/base/packed_texts.h"
#include "engine/base/text.h"

#include <fmt/format.h>
#include <limits>

namespace syncopate {

namespace {

/// The name of a server's resource up to its number.
std::string_view nameOfServers(UsedResource resource) {
    switch (resource) {
    case UsedResource::Downlink:
        return "downlink of server ";
    case UsedResource::Uplink:
        return "uplink of server ";
    case UsedResource::Updates:
        return "updates on server ";
    case UsedResource::Compute:
        break;
    }
    return {};
}

constexpr std::string_view computeName = "workers' compute";

} // namespace

std::string Utilisation::name() const {
    return resource == UsedResource::Compute ? std::string(computeName) : fmt::format("{}{}", nameOfServers(resource), server);
}

Result<Utilisation> utilisationNamed(std::string_view name, double busy) {
    if (name == computeName)
        return Utilisation{.busy = busy};
    for (const UsedResource resource : {UsedResource::Downlink, UsedResource::Uplink, UsedResource::Updates}) {
        const std::string_view begin = nameOfServers(resource);
        if (!name.starts_with(begin))
            continue;
        const auto server = wholeNumberIn(name.substr(begin.size()));
        if (server && *server <= static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max()))
            return Utilisation{resource, static_cast<std::int32_t>(*server), busy};
    }
    return fail(fmt::format("there is no resource '{}'", cutInMiddle(name, 60)),
                "write \"workers' compute\", or \"downlink of server 0\", \"uplink of server 0\" or \"updates on server 0\"");
}

} // namespace syncopate
