// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/parse/byte_source.h"
#include "engine/profile/torch/kineto_events.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// The kept parts of a PyTorch execution trace (ExecutionTraceObserver, schemas 1.0.1 to 1.1.x): those that its Kineto trace may
/// lack. It has no times.
struct ExecutionTrace {
    /// A record_param_comms node, in the order of the node ids within a thread.
    struct Communication {
        std::int64_t id = -1, thread = -1, recordId = -1;
        std::string name; ///< "allreduce", "wait"; lower case letters only
        std::string type; ///< "float", "Long"
        std::int64_t inElements = -1, outElements = -1, groupSize = -1;
        std::string groupName;
    };
    /// An AccumulateGrad node: the variable's shape.
    struct Gradient {
        std::int64_t id = -1;
        std::vector<std::int64_t> dims;
        bool defined = false; ///< false: it was called without a gradient
        std::string type;
    };

    std::string file, schema;
    std::int64_t rank = -1; ///< by the file's name; the trace does not say
    std::uint64_t nodeCount = 0;
    std::vector<RecordedGroup> groups; ///< of the process_group:init node
    std::vector<Communication> communications;
    std::vector<Gradient> gradients; ///< by id, which is the order of execution
};

/// True for the beginning of an execution trace: an object with "schema" before "nodes", and no "traceEvents" before them.
[[nodiscard]] bool looksLikeExecutionTrace(std::string_view head);

/// Reads an execution trace, streaming; errors carry the byte offset. `name` is the file's.
[[nodiscard]] Result<ExecutionTrace> readExecutionTrace(ByteSource &source, const std::string &name, std::stop_token stop = {});

/// The additions of an execution trace to a Kineto trace.
struct ExecutionTraceUse {
    std::uint64_t sizes = 0;     ///< collectives that had none
    std::uint64_t groups = 0;    ///< collectives whose process group was not known
    std::uint64_t variables = 0; ///< gradients that had no shape
    bool byRecordId = false;     ///< joined by record function ids, not by order
};

/// Adds the sizes, types, process groups and variable shapes of `companion` to `trace` where they are missing. record_param_comms
/// are joined by record function id, or else by order within each thread; AccumulateGrad by order. An error, naming the
/// companion, when the two do not belong together: other counts, sizes or group sizes.
[[nodiscard]] Result<ExecutionTraceUse> applyExecutionTrace(TraceEvents &trace, const ExecutionTrace &companion);

} // namespace syncopate
