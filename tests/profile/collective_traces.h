// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/profile/tiny_trace.h"

#include <string>

/// tiny::trace() with the ops that PyTorch puts around its two gradient all-reduces, as DistributedDataParallel launches them:
/// AccumulateGrad > c10d::allreduce_ > record_param_comms > launch, next to a range nccl:all_reduce. AccumulateGrad's dimensions
/// are those of one variable, [2] and [2, 3, 1, 1].
namespace tiny {

struct Hooks {
    int first = 2, second = 6; ///< elements stated by the collectives' own ops
    std::string kernel = "AllReduce_Sum_f32_RING_LL";
    bool range = true;   ///< nccl:all_reduce states them
    bool params = false; ///< record_param_comms states them
    std::string op;      ///< "Input Dims" of c10d::allreduce_; empty = lists of tensors without sizes
    bool kernels = true; ///< false: as with a world size of one
    int world = 2;
    std::string more; ///< further events
};

inline std::string hooksAt(const Spelling &s, const Hooks &h, double at, int elements, int externalId) {
    const std::string params =
        h.params ? fmt::format(R"("External id": {}, "Collective name": "allreduce", "In msg nelems": {}, "Out msg nelems": {}, )"
                               R"("Group size": {}, "dtype": "Float")",
                               externalId, elements, elements, h.world)
                 : std::string();
    std::string events = host(s, s.op, s.backwardThread, "c10d::allreduce_", at + 2, 6,
                              fmt::format(R"("Input Dims": {})", h.op.empty() ? std::string("[[], [], []]") : h.op)) +
                         ",\n" + host(s, s.op, s.backwardThread, "record_param_comms", at + 3, 5, params);
    if (h.range)
        events += ",\n" + host(s, s.annotation, s.backwardThread, "nccl:all_reduce", at + 4, 4,
                               fmt::format(R"("Input Dims": [[{}]], "Input type": ["float"])", elements));
    return events;
}

inline std::string hookedTrace(const Hooks &h, Spelling s = {}) {
    s.metadata = false;
    std::string all = events(s);
    // The inner AccumulateGrad ops enclose the hooks; both all-reduces are launched at + 5.
    for (const char *start : {"1072", "1092"})
        all = replaced(all, fmt::format("\"ts\": {}, \"dur\": 2,", start), fmt::format("\"ts\": {}, \"dur\": 7,", start));
    all = replaced(all, "AllReduce_Sum_f32_RING_LL", h.kernel);
    if (!h.kernels) {
        std::string without;
        for (std::size_t from = 0; from < all.size();) {
            const std::size_t end = std::min(all.find('\n', from), all.size());
            const std::string line = all.substr(from, end - from);
            from = end + 1;
            if (line.find("\"nccl") != std::string::npos)
                continue;
            without += line + "\n";
        }
        all = without;
    }
    all += ",\n" + hooksAt(s, h, 71, h.first, 900) + ",\n" + hooksAt(s, h, 91, h.second, 901);
    if (!h.more.empty())
        all += ",\n" + h.more;
    return fmt::format(R"({{"distributedInfo": {{"backend": "nccl", "rank": 0, "world_size": {}}}, "traceEvents": [{}]}})",
                       h.world, all);
}

} // namespace tiny
