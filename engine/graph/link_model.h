// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace syncopate {

/// How links serve the flows that cross them.
enum class LinkModel : std::uint8_t {
    Fluid, ///< active flows share a link max-min fairly at every moment
    Tcp,   ///< segments of connections wait at links, first come, first served (engine/network/tcp_paths.h)
};

inline constexpr std::array<std::string_view, 2> linkModelNames{"fluid", "tcp"};

[[nodiscard]] constexpr std::string_view nameOf(LinkModel model) { return linkModelNames[static_cast<std::size_t>(model)]; }

/// Reverses nameOf(). Errors: another name.
[[nodiscard]] inline Result<LinkModel> linkModelNamed(std::string_view name) {
    for (const LinkModel model : {LinkModel::Fluid, LinkModel::Tcp})
        if (nameOf(model) == name)
            return model;
    return fail("links do not share like '" + std::string(name) + "'", "use fluid or tcp");
}

} // namespace syncopate
