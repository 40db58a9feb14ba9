// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cluster/infragraph_document.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace syncopate::infragraph {

/// An instance that has accelerators.
struct Machine {
    std::string name; ///< "host.0"
    std::uint32_t instance = 0;
    std::size_t device = 0;
};

/// The machines of a document, in its order.
struct Machines {
    std::vector<Machine> list;
    std::vector<std::int32_t> ofInstance;                            ///< index into list, -1 for an instance without accelerators
    std::vector<std::uint32_t> groupOf;                              ///< of an instance: index into Document::instances
    std::map<std::size_t, const std::vector<ComponentKind> *> kinds; ///< by device, of its components
};

/// The links by which machines reach others. Of a machine that has links from NICs, ports or switches to other instances these
/// count alone; else those of its accelerators, else of its CPUs, else of anything.
struct Exits {
    struct OfMachine {
        double bytesPerSecond = 0; ///< together
        std::int64_t links = 0;
    };
    /// A switch that is oversubscribed: its bandwidth to machines exceeds that to everything else.
    struct Blocking {
        std::uint32_t instance = 0;
        double downBytesPerSecond = 0, upBytesPerSecond = 0;
    };
    std::vector<OfMachine> ofMachine;
    std::vector<std::uint8_t> counts; ///< of each edge of the document: none of its ends is a link that is left out
    std::int64_t links = 0;           ///< counted links with an end at a machine, or both
    std::int64_t stated = 0;          ///< those with a bandwidth
    std::int64_t leftOut = 0;
    std::optional<Blocking> blocking{}; ///< the worst, among switches with links to anything but machines
};
[[nodiscard]] Exits exitsOf(const Document &document, const Machines &machines);

/// The machine that is slowest to reach from the first one by the fastest paths over links between instances. O(n log n).
struct FarthestMachine {
    double seconds = 0;
    bool statesLatency = false; ///< any of the links
    std::int64_t unreached = 0;
};
[[nodiscard]] FarthestMachine farthestMachine(const Document &document, const Machines &machines, const Exits &exits);

/// For each machine the one instance without accelerators that all of its counted links lead to; -1: there is none.
[[nodiscard]] std::vector<std::int64_t> switchesOf(const Document &document, const Machines &machines, const Exits &exits);

} // namespace syncopate::infragraph
