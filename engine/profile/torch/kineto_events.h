// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/parse/byte_source.h"
#include "engine/parse/string_table.h"
#include "engine/timeline/timeline.h"

#include <cstdint>
#include <deque>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace syncopate {

/// Category of the flows from torch_npu's launches to an Ascend device.
inline constexpr std::string_view ascendFlow = "async_npu";

/// The kinds of complete events ("ph": "X") that are kept.
enum class EventKind : std::uint8_t { Operator, Annotation, Runtime, Kernel, Copy };

/// One complete event. Times are nanoseconds, absolute as written in the file.
struct TraceEvent {
    Nanoseconds start = 0;
    Nanoseconds duration = 0;
    std::int64_t correlation = -1; ///< ties a device event to its launch
    std::int64_t externalId = -1;
    std::int64_t sequence = -1; ///< autograd sequence number, the same on a forward op and its backward node
    std::uint32_t name = 0;     ///< in TraceEvents::names
    std::uint32_t row = 0;
    std::int32_t detail = -1; ///< in TraceEvents::details
    EventKind kind = EventKind::Operator;

    [[nodiscard]] Nanoseconds end() const { return start + duration; }
    [[nodiscard]] bool onDevice() const { return kind == EventKind::Kernel || kind == EventKind::Copy; }
};

/// Data that only few events carry: shapes, and facts about collectives.
struct EventDetail {
    std::vector<std::int64_t> dims; ///< of the first input
    bool hasDims = false;
    std::int64_t tensorElements = -1; ///< of a communication op: sum over the tensors of its largest input; -1 = no shapes
    std::string type;                 ///< as written: "float", "c10::BFloat16", "Float"
    std::string collective;           ///< "allreduce", lower case
    std::int64_t inElements = -1;
    std::int64_t outElements = -1;
    std::int64_t groupSize = -1;
    std::string groupName;        ///< process group, "0"
    std::string groupRanks;       ///< "[0, 1]", as written
    std::int64_t peerRank = -1;   ///< of a send or receive: the partner's rank
    std::int64_t peerMember = -1; ///< of a send or receive: the partner's place in the group
    std::int64_t recordId = -1;   ///< "Record function id" of record_param_comms, the rf_id of an execution trace
};

/// A process group that the header lists.
struct RecordedGroup {
    std::string name;
    std::string id; ///< its name in old execution traces; empty = `name`
    std::int64_t size = -1;
    std::vector<std::int64_t> ranks; ///< ascending; empty = not written
};

/// A thread of the host, or a stream of a device.
struct TraceRow {
    bool device = false;
    std::string process; ///< pid, or device index
    std::string thread;  ///< tid, or stream
};

/// The kept parts of a Kineto trace.
struct TraceEvents {
    std::deque<TraceEvent> events; ///< in file order; a deque never holds two copies while it grows
    std::vector<EventDetail> details;
    StringTable names;
    std::vector<TraceRow> rows;
    std::int64_t rank = -1, worldSize = -1;
    std::int64_t baseNanoseconds = 0; ///< added to a time, makes it absolute
    std::vector<RecordedGroup> groups;
    std::string backend, deviceName;
    /// Advice on recording device work besides the ops that launch it, for the profiler that made this trace.
    const char *advice = "record with torch.profiler, activities CPU and CUDA";
    std::int64_t deviceCount = 0;                 ///< entries of deviceProperties
    std::map<std::string, std::uint64_t> ignored; ///< category -> events left out
    std::uint64_t eventCount = 0;                 ///< of the file
    std::uint64_t flowCount = 0;
    std::uint64_t negativeDurations = 0, unreadableTimes = 0;
    std::uint64_t textBytes = 0;
    bool compressed = false, openArray = false;

    [[nodiscard]] const std::string &nameOf(const TraceEvent &event) const { return names[event.name]; }
    /// Memory of the kept events, without the containers' slack.
    [[nodiscard]] std::size_t memoryBytes() const;
};

/// Microseconds written as decimal text (with fraction, exponent or not) as nanoseconds, exactly; false when the text is not
/// a finite number or does not fit.
[[nodiscard]] bool parseMicroseconds(std::string_view text, Nanoseconds &nanoseconds);

/// Reads the events of a Kineto trace, streaming. Errors carry the byte offset, not the file.
[[nodiscard]] Result<TraceEvents> readTraceEvents(ByteSource &source, std::stop_token stop = {});

} // namespace syncopate
