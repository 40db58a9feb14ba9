// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/profile/torch/kineto_analysis.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace syncopate::kineto {

/// True for the name of a communication kernel, in any case (NCCL, RCCL, NVSHMEM, DeepEP, custom all-reduces).
[[nodiscard]] bool isCollectiveKernel(std::string_view name);
/// The collective in the name of a kernel, an op or a range: "ncclDevKernel_AllReduce_Sum_f32_RING_LL(..." and "c10d::allreduce_"
/// are "allreduce"; "collective" where the name does not say.
[[nodiscard]] std::string collectiveInName(std::string_view name);

/// Parses the dtype names of c10d ("Float", "Float8_e4m3fn") and of the autograd profiler ("c10::Float8_e4m3fn", "long int");
/// float32 where a name is unknown.
[[nodiscard]] DataType dataTypeOf(std::string_view name);

/// Finds the kind and size of collectives. A kernel's name can say too little or something else (an all-reduce made of sends and
/// receives, RCCL's generic kernel), and the ops around its launch have dimensions of their own (AccumulateGrad's are one
/// variable's, not the bucket's). So only statements of the collective's own op, range or kernel are used.
class CollectiveFinder {
public:
    /// Indexes the host's communication ops; both outlive the finder.
    CollectiveFinder(const TraceEvents &trace, Analysis &analysis);

    /// The record_param_comms op whose external id the kernel has, or -1. Before 2024 a kernel's external id is its correlation
    /// again, and would match at random.
    [[nodiscard]] std::int32_t opOf(const TraceEvent &kernel) const;
    /// The collective that a kernel is part of; its context is known.
    [[nodiscard]] Collective ofKernel(std::uint32_t kernel);
    /// Reads a name: which collective it is, and both ends of "nccl:send 0->1".
    void takeName(std::string_view name, Collective &collective) const;
    /// Reads the detail into the collective; true when it states the size. "wait" is the host waiting, never traffic.
    bool take(std::int32_t detailIndex, Collective &collective) const;
    /// Gives kernels without an op of their own the sends and receives that they carry out (batch_isend_irecv): those that the
    /// launching thread called since its last communication and that have no kernel yet. After all kernels.
    void collectBatches();
    /// Adds the ops without a kernel to the analysis; after all kernels.
    void collectRequests();

private:
    [[nodiscard]] const EventDetail &detailOf(const TraceEvent &event) const; ///< of an event that has a detail
    [[nodiscard]] bool isCommunication(const TraceEvent &event) const;
    /// The communication ops around an event, itself included, the innermost first.
    [[nodiscard]] std::vector<std::uint32_t> opsAround(std::int32_t event) const;
    /// The nccl:* range in which the event started on its thread, or -1.
    [[nodiscard]] std::int32_t annotationAround(std::int32_t event) const;
    /// The first nccl:* range within an op, or -1.
    [[nodiscard]] std::int32_t annotationIn(std::uint32_t op) const;
    void addRequest(std::uint32_t op);
    /// Whether an op records a send or a receive that has no kernel yet.
    [[nodiscard]] bool isBatchable(std::uint32_t op) const;

    /// A collective whose kind no op names.
    struct Unnamed {
        std::size_t number = 0; ///< in the analysis
        bool isMissing = false; ///< counted in SizeSources::missing
    };
    void takeBatch(const Unnamed &unnamed, const std::vector<std::uint32_t> &ops);

    const TraceEvents &m_trace;
    Analysis &m_analysis;
    std::vector<bool> m_isCommunication;                      ///< by name
    std::unordered_map<std::int64_t, std::uint32_t> m_params; ///< external id -> record_param_comms
    std::vector<std::uint32_t> m_annotations;                 ///< nccl:* with shapes, by start
    std::vector<std::uint32_t> m_ops;                         ///< communication ops, in file order
    std::vector<Unnamed> m_unnamed;
    /// Ops with a kernel, or for which an op inside them stands, with the first kernel of that collective.
    std::unordered_map<std::uint32_t, std::uint32_t> m_served;
};

} // namespace syncopate::kineto
