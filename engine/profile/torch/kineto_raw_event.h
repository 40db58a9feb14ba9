// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/parse/json_members.h"
#include "engine/profile/torch/kineto_events.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate::kineto {

/// Max plausible number of elements of a tensor, so that a trace's sums do not overflow.
inline constexpr std::int64_t maxElements = 1'000'000'000'000'000;

/// The values of one event that matter, as written. Empty = missing.
struct RawEvent {
    std::string_view phase, category, name, process, thread, start, duration;
    std::optional<EventKind> kind; ///< of the category
    bool nameEscaped = false;
    std::string_view correlation, externalId, sequence, device, stream;
    std::string_view collective, inElements, outElements, groupSize, dtype, dims, types;
    std::string_view groupName, groupRanks, recordId;
    std::string_view peerMember, sourceRank, targetRank; ///< of a send or receive: "Rank" is the partner's place in the group
};

/// "[[64, 3], [], 5]": the dimensions of the first tensor that has any, also where an input is a list of them; else none.
[[nodiscard]] std::vector<std::int64_t> firstDims(std::string_view text);
/// True for the ops and ranges that PyTorch puts around a collective: record_param_comms, c10d::allreduce_, nccl:all_reduce.
[[nodiscard]] bool isCommunicationOp(std::string_view name);
/// The elements that a communication op moves, by its "Input Dims": [[[64, 3], [5]], [[]]] is a list of two tensors, 197
/// elements, and an input without shape. Of several inputs (an output beside its input) the largest counts; of a range such as
/// nccl:all_reduce, whose inputs are the tensors themselves, their sum (`separate`). -1 where no tensor has a shape.
[[nodiscard]] std::int64_t elementsMoved(std::string_view dims, bool separate);
/// The integers in a list, also where the list is the inside of a string: "[0, 1]".
[[nodiscard]] std::vector<std::int64_t> integersOf(std::string_view text);
/// Lower case letters only: "_allgather_base" becomes "allgatherbase".
[[nodiscard]] std::string plainName(std::string_view name);

/// Reads one event object; its views last as long as the scanner's text.
[[nodiscard]] Scan readEvent(JsonScanner &scanner, RawEvent &event);

/// Collects the needed parts of raw events.
class EventCollector {
public:
    explicit EventCollector(TraceEvents &trace) : m_trace(trace) {}
    void take(const RawEvent &raw);

private:
    std::uint32_t row(bool device, std::string_view process, std::string_view thread);
    std::int32_t detail(const RawEvent &raw, std::string_view name);

    TraceEvents &m_trace;
    StringTable m_rowKeys;
    std::uint32_t m_lastRow = std::numeric_limits<std::uint32_t>::max();
};

} // namespace syncopate::kineto
