// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timeline/timeline.h"

#include <cstdint>
#include <string>
#include <vector>

namespace syncopate {

/// Where an op of a profile ran.
struct ProfiledResource {
    enum class Kind : std::uint8_t {
        Device, ///< a device's ops as the framework ran them
        Stream, ///< kernels of an accelerator's stream
        Copies, ///< copies between host and accelerator
    };
    std::string name; ///< "/job:worker/replica:0/task:0/device:CPU:0", "/device:GPU:0/stream:all"
    Kind kind = Kind::Device;
    std::string job; ///< "worker", "ps", "localhost"; empty where the name has none
    std::int32_t task = 0;

    [[nodiscard]] bool isServer() const { return job == "ps"; }
};

/// One op of one step.
struct ProfiledOp {
    std::string name;          ///< of the node, "conv1/Conv2D"; a kernel has the name of the node that launched it
    std::string type;          ///< "Conv2D", "RecvTensor"
    std::int32_t resource = 0; ///< index into OpGraph::resources
    Nanoseconds start = 0, end = 0;
    std::int64_t sizeBytes = -1; ///< of its first output, or of the tensor received; -1 = not recorded
    /// Ops that it waits for, in the order of its arguments, control dependencies last; all smaller than its own index.
    /// -1 = an argument whose producer was not recorded.
    std::vector<std::int32_t> inputs;
};

/// The stages of a step of asynchronous SGD with parameter servers (async-sgd-prediction, section 2).
enum class OpStage : std::uint8_t { Downlink, Worker, Uplink, Server };

/// One step as a profiler recorded it: ops in the order of their starts, and the ops that each waited for: a DAG.
struct OpGraph {
    std::string file;
    Nanoseconds zero = 0; ///< absolute time of time 0, by the recording machine's clock
    std::vector<ProfiledResource> resources;
    std::vector<ProfiledOp> ops;
    std::uint64_t unresolvedInputs = 0; ///< arguments whose producer was not recorded before their op
    std::uint64_t textBytes = 0, eventCount = 0;

    [[nodiscard]] const ProfiledResource &resourceOf(const ProfiledOp &op) const {
        return resources[static_cast<std::size_t>(op.resource)];
    }
    /// A transfer is recorded where it is received: by a worker on the way down, by a server on the way up.
    [[nodiscard]] OpStage stageOf(const ProfiledOp &op) const {
        const bool server = resourceOf(op).isServer();
        if (op.type == "RecvTensor")
            return server ? OpStage::Uplink : OpStage::Downlink;
        return server ? OpStage::Server : OpStage::Worker;
    }
};

} // namespace syncopate
