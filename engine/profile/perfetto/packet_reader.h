// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/parse/proto_stream.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace syncopate::perfetto {

// TracePacket (protos/perfetto/trace/trace_packet.proto), as far as slices need it. Fields come in any order, and the names that
// a packet introduces may follow the event that uses them, so a packet is read completely before it is used.

/// The kind of a track event (TrackEvent.Type); Complete is the older form with a duration.
enum class EventType : std::uint8_t { None = 0, Begin = 1, End = 2, Instant = 3, Counter = 4, Complete = 5 };

/// A track event, or a slice of the older form with a phase.
struct TrackEvent {
    EventType type = EventType::None;
    std::optional<std::uint64_t> track;
    std::string name;
    std::uint64_t nameId = 0; ///< of an interned name; 0 = none
    std::int64_t durationMicroseconds = 0;
};

/// Work of a GPU (GpuRenderStageEvent).
struct RenderStage {
    std::uint64_t duration = 0; ///< ns
    std::uint64_t queue = 0, gpu = 0, stageId = 0, kernelId = 0, nameId = 0;
    std::string name;
};

/// A track, with its parent, process and thread.
struct TrackDescriptor {
    std::uint64_t id = 0;
    std::optional<std::uint64_t> parent;
    std::string name, processName, threadName;
    std::optional<std::int64_t> pid, tid;
    bool isCounter = false;
};

/// One clock of a snapshot (ClockSnapshot).
struct Clock {
    std::uint64_t id = 0, timestamp = 0, unitNanoseconds = 1;
    bool isIncremental = false;
};

/// The parts of a TracePacket that slices need.
struct Packet {
    std::optional<std::uint64_t> timestamp;
    std::uint64_t clock = 0; ///< 0 = the sequence's own, or boot time
    std::uint64_t sequence = 0;
    bool clearsState = false, needsState = false, dropped = false;
    std::optional<TrackEvent> event;
    std::optional<RenderStage> stage;
    std::optional<TrackDescriptor> track;
    std::vector<std::pair<std::uint64_t, std::string>> eventNames, kernelNames, stageNames;
    std::vector<Clock> clocks;
    std::optional<std::uint64_t> defaultTrack, defaultClock;
    std::string compressed;      ///< zlib data of further packets
    std::uint64_t nameBytes = 0; ///< of memory, about, for the names
    bool isZstd = false;
};

/// Reads the message that is the present field of `in`.
[[nodiscard]] Result<Packet> readPacket(ProtoStream &in);

} // namespace syncopate::perfetto
