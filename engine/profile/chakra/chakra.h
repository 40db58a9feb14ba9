// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/parse/byte_source.h"
#include "engine/parse/string_table.h"
#include "engine/profile/profile.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// A node of a Chakra execution trace (et_def.proto). Fields missing in the file are 0, -1 or empty.
struct ChakraNode {
    enum class Kind : std::uint8_t { Invalid, Metadata, MemLoad, MemStore, Compute, Send, Receive, Collective };

    std::uint64_t id = 0;
    std::uint64_t startMicros = 0, durationMicros = 0;
    std::size_t firstInput = 0; ///< in ChakraTrace::inputs
    std::uint32_t inputCount = 0;
    std::uint32_t controlCount = 0; ///< of the inputs, the last ones: control dependencies
    std::uint32_t name = 0;         ///< in ChakraTrace::names
    std::uint32_t group = 0;        ///< pg_name, in ChakraTrace::names; 0 = none
    Kind kind = Kind::Invalid;      ///< Invalid also for newer types
    bool onHost = false;            ///< is_cpu_op
    std::int64_t thread = -1;       ///< thread of the host, or stream
    std::int64_t sequence = -1;     ///< autograd's
    std::int64_t collective = -1;   ///< comm_type: 0 all-reduce, 2 all-gather, 5 broadcast, 7 reduce-scatter, ...
    std::int64_t sizeBytes = -1;    ///< comm_size
    std::int64_t from = -1;         ///< comm_src: the rank that sends
    std::int64_t to = -1;           ///< comm_dst: the rank that receives

    /// Its duration, limited to somewhat more than a day, so that sums stay within bounds.
    [[nodiscard]] std::uint64_t boundedMicros() const { return std::min<std::uint64_t>(durationMicros, 100'000'000'000); }
    [[nodiscard]] bool communicates() const { return kind == Kind::Send || kind == Kind::Receive || kind == Kind::Collective; }
};

/// A Chakra execution trace of one process.
struct ChakraTrace {
    std::string version;           ///< of the metadata: "0.0.4", or PyTorch's schema
    std::vector<ChakraNode> nodes; ///< by id: ids are given in the order of events
    /// For each node, the nodes that it waits for, by index; -1 = missing in the file. Data dependencies, followed by control
    /// dependencies in a trace without host ops. A trace with host ops was written by PyTorch's converter: its control
    /// dependencies name the calling op by an id that by now is often another node's.
    std::vector<std::int32_t> inputs;
    StringTable names;
    std::uint64_t dangling = 0;        ///< data dependencies on nodes missing in the file
    std::uint64_t leftOutControls = 0; ///< control dependencies that form a cycle with the data dependencies
    std::uint64_t bytes = 0;

    [[nodiscard]] std::span<const std::int32_t> inputsOf(const ChakraNode &node) const {
        return std::span(inputs).subspan(node.firstInput, node.inputCount);
    }
};

/// Whether a name is that of an op of a backward pass: "aten::convolution_backward", "AddmmBackward0", "backward 3".
[[nodiscard]] inline bool isChakraBackward(std::string_view name) { return name.find("ackward") != std::string_view::npos; }

/// The op that launched a device node: the last host op before it, by rank(index), among those that it depends on; -1 = none.
template <class Rank> [[nodiscard]] std::int32_t chakraLaunchOf(const ChakraTrace &trace, std::size_t node, const Rank &rank) {
    std::int32_t launch = -1;
    if (trace.nodes[node].onHost)
        return launch;
    for (const std::int32_t input : trace.inputsOf(trace.nodes[node])) {
        const auto at = static_cast<std::size_t>(std::max(input, 0));
        if (input >= 0 && trace.nodes[at].onHost && rank(at) < rank(node) &&
            (launch < 0 || rank(at) > rank(static_cast<std::size_t>(launch))))
            launch = input;
    }
    return launch;
}

/// True for the beginning of an .et file: messages behind their lengths, of which the first is a GlobalMetadata.
[[nodiscard]] bool looksLikeChakra(std::string_view head);

/// Reads an .et file, streaming. Errors carry the byte offset: a file that ends inside a message is cut off. A cycle of data
/// dependencies is an error; control dependencies may name missing nodes (converters leave stale ids in them).
[[nodiscard]] Result<ChakraTrace> readChakra(ByteSource &source, std::stop_token stop = {});

/// Imports a trace that PyTorch's converter made: layers from the forward ops that own parameters, times of the kernels that each
/// op launched, gradient collectives as variables. Where nodes have no start, the timeline replays them: each starts when its
/// thread or stream is free and its data are ready. An error says why there is no training step (a workload of collectives alone,
/// inference).
[[nodiscard]] Result<std::shared_ptr<const ImportedProfile>>
importChakra(ByteSource &source, const std::string &name, const ImportOptions &options = {}, std::stop_token stop = {});

} // namespace syncopate
