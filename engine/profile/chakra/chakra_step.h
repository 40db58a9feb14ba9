// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/profile/chakra/chakra.h"
#include "engine/profile/torch/kineto_analysis.h"

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// Facts from the name of a node.
struct ChakraNameFacts {
    std::uint32_t whole = 0;    ///< in ChakraStep::wholes
    std::string_view ownerKind; ///< of the whole name, of an op that owns parameters; else empty
    bool backward = false, wholeBackward = false;
    bool firstPiece = false; ///< "aten::conv2d(0)"
    bool isWhole = false;
};

/// A Chakra trace taken as one training step: the phase of each node, its launch, and its times. Vectors are by node.
struct ChakraStep {
    ChakraTrace trace;
    std::vector<ChakraNameFacts> names;  ///< of trace.names
    StringTable wholes;                  ///< names without the number of the piece
    std::vector<kineto::Phase> phase;    ///< of host ops, and of the nodes that they launched
    std::vector<std::int32_t> launch;    ///< the op of the host that launched a device node; -1 = unknown, or no device node
    std::vector<Nanoseconds> start, end; ///< from the first start on; where none is recorded, replayed
    bool onDevice = false;               ///< something was computed on a device: then the device's times are the step's
    bool recorded = false;               ///< at least one node has a start
    /// Nodes with a duration, or that count for the step, without a start in the file. A start of 0 is not written either
    /// (protobuf's default).
    std::uint64_t startless = 0;
    std::string notAtZero; ///< why startless nodes cannot have started at 0; empty = assumed to have

    /// Whether the clock begins with the trace: nodes without a start started at 0.
    [[nodiscard]] bool startsAtZero() const { return recorded && startless > 0 && notAtZero.empty(); }
    /// Whether the node's time counts for the step: work of its device, or of the host where nothing is computed on a device.
    [[nodiscard]] bool counts(const ChakraNode &node) const {
        return node.communicates() ? !node.onHost : node.onHost != onDevice && node.kind == ChakraNode::Kind::Compute;
    }
    /// Whether the node's start is known, from the file or as 0.
    [[nodiscard]] bool knowsStart(const ChakraNode &node) const { return node.startMicros > 0 || startsAtZero(); }
    [[nodiscard]] const ChakraNode &node(std::size_t i) const { return trace.nodes[i]; }
    [[nodiscard]] const ChakraNameFacts &factsOf(const ChakraNode &node) const { return names[node.name]; }
};

/// Finds phases and times. An error says why there is no training step (a workload of collectives alone, inference); a
/// requested stop is one, too. O(nodes + dependencies).
[[nodiscard]] Result<ChakraStep> chakraStepOf(ChakraTrace trace, const std::string &file, const std::stop_token &stop);

/// Seconds of a time on the step's clock.
[[nodiscard]] constexpr double chakraSeconds(Nanoseconds time) { return static_cast<double>(time) * 1e-9; }

} // namespace syncopate
