// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/infragraph_document.h"

#include <algorithm>
#include <utility>

namespace syncopate::infragraph {

namespace {

/// Adds the contents of a device whose components are numbered from `first`.
void addInside(const Document &document, std::size_t number, std::uint32_t first, Inside &inside) {
    const Device &device = document.devices[number];
    for (const DeviceLink &link : device.links)
        inside.links.push_back({first + std::min(link.a, link.b), first + std::max(link.a, link.b), link.link});
    for (const Component &component : device.components)
        for (std::int64_t i = 0; i < component.count; ++i)
            if (const auto at = first + static_cast<std::uint32_t>(component.first + i * component.size);
                component.kind == ComponentKind::Device)
                addInside(document, component.device, at, inside);
            else
                inside.kinds[at] = component.kind;
}

} // namespace

Inside insideOf(const Document &document, std::size_t device) {
    Inside inside;
    inside.kinds.resize(static_cast<std::size_t>(document.devices[device].size), ComponentKind::Custom);
    addInside(document, device, 0, inside);
    keepLastOfEach(inside.links);
    return inside;
}

} // namespace syncopate::infragraph
