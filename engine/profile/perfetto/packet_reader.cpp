// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/perfetto/packet_reader.h"

namespace syncopate::perfetto {

namespace {

using Field = ProtoStream::Field;
using Kind = ProtoStream::Kind;

constexpr std::size_t mostCompressedBytes = std::size_t{1} << 28;

bool isText(const Field &field) { return field.kind == Kind::Bytes; }

/// Reads the fields of a nested message; a field of another type is skipped.
template <class Take> Result<void> inside(ProtoStream &in, const Field &of, Take &&take) {
    return of.kind == Kind::Bytes ? in.forEachFieldInside(take) : Result<void>();
}

EventType typeOfPhase(std::uint64_t phase) {
    switch (phase) {
    case 'B':
        return EventType::Begin;
    case 'E':
        return EventType::End;
    case 'X':
        return EventType::Complete;
    case 'i':
    case 'I':
        return EventType::Instant;
    default:
        return EventType::None;
    }
}

Result<TrackEvent> readEvent(ProtoStream &in, const Field &of) {
    TrackEvent event;
    EventType older = EventType::None;
    TRY(inside(in, of, [&](const Field &field) -> Result<void> {
        switch (field.number) {
        case 9:
            event.type = field.value >= 1 && field.value <= 4 ? static_cast<EventType>(field.value) : EventType::None;
            return {};
        case 11:
            event.track = field.value;
            return {};
        case 23:
            return isText(field) ? in.textInto(event.name) : Result<void>();
        case 10:
            event.nameId = field.value;
            return {};
        case 6:
            return inside(in, field, [&](const Field &legacy) -> Result<void> {
                if (legacy.number == 1 && event.nameId == 0)
                    event.nameId = legacy.value;
                else if (legacy.number == 2)
                    older = typeOfPhase(legacy.value);
                else if (legacy.number == 3)
                    event.durationMicroseconds = static_cast<std::int64_t>(legacy.value);
                return {};
            });
        default:
            return {};
        }
    }));
    if (event.type == EventType::None)
        event.type = older;
    return event;
}

Result<RenderStage> readStage(ProtoStream &in, const Field &of) {
    RenderStage stage;
    TRY(inside(in, of, [&](const Field &field) -> Result<void> {
        switch (field.number) {
        case 2:
            stage.duration = field.value;
            return {};
        case 11:
            stage.gpu = field.value;
            return {};
        case 13:
            stage.queue = field.value;
            return {};
        case 14:
            stage.stageId = field.value;
            return {};
        case 17:
            return isText(field) ? in.textInto(stage.name) : Result<void>();
        case 19:
            stage.kernelId = field.value;
            return {};
        case 20:
            stage.nameId = field.value;
            return {};
        default:
            return {};
        }
    }));
    return stage;
}

Result<TrackDescriptor> readDescriptor(ProtoStream &in, const Field &of) {
    TrackDescriptor track;
    const auto owner = [&](const Field &message, std::uint32_t nameField, std::string &name) {
        return inside(in, message, [&, nameField](const Field &field) -> Result<void> {
            if (field.number == 1)
                track.pid = static_cast<std::int32_t>(field.value);
            else if (field.number == 2 && nameField == 5)
                track.tid = static_cast<std::int32_t>(field.value);
            else if (field.number == nameField && isText(field))
                return in.textInto(name);
            return {};
        });
    };
    TRY(inside(in, of, [&](const Field &field) -> Result<void> {
        switch (field.number) {
        case 1:
            track.id = field.value;
            return {};
        case 2:
        case 10:
        case 13:
            return isText(field) ? in.textInto(track.name) : Result<void>();
        case 3:
            return owner(field, 6, track.processName);
        case 4:
            return owner(field, 5, track.threadName);
        case 5:
            track.parent = field.value;
            return {};
        case 8:
            track.isCounter = true;
            return {};
        default:
            return {};
        }
    }));
    return track;
}

/// Reads an {iid, name} entry. The last of the name's fields counts; field 3 is a kernel's readable name, but a description
/// elsewhere.
Result<void> readName(ProtoStream &in, const Field &of, std::vector<std::pair<std::uint64_t, std::string>> &into, Packet &packet,
                      std::uint32_t lastNameField = 2) {
    std::pair<std::uint64_t, std::string> entry;
    TRY(inside(in, of, [&](const Field &field) -> Result<void> {
        if (field.number == 1)
            entry.first = field.value;
        else if (isText(field) && field.number >= 2 && field.number <= lastNameField)
            return in.textInto(entry.second);
        return {};
    }));
    packet.nameBytes += sizeof(entry) + entry.second.size() + 64; // including the table's overhead
    into.push_back(std::move(entry));
    return in.checkKept(packet.nameBytes); // one packet may hold all names of the file
}

Result<void> readInterned(ProtoStream &in, const Field &of, Packet &packet) {
    return inside(in, of, [&](const Field &field) -> Result<void> {
        switch (field.number) {
        case 2:
            return readName(in, field, packet.eventNames, packet);
        case 24: // GpuSpecification: stages and queues
            return readName(in, field, packet.stageNames, packet);
        case 1000:
            return readName(in, field, packet.kernelNames, packet, 3);
        default:
            return {};
        }
    });
}

Result<void> readClocks(ProtoStream &in, const Field &of, Packet &packet) {
    return inside(in, of, [&](const Field &field) -> Result<void> {
        if (field.number != 1)
            return {};
        Clock clock;
        TRY(inside(in, field, [&](const Field &part) -> Result<void> {
            if (part.number == 1)
                clock.id = part.value;
            else if (part.number == 2)
                clock.timestamp = part.value;
            else if (part.number == 3)
                clock.isIncremental = part.value != 0;
            else if (part.number == 4)
                clock.unitNanoseconds = part.value;
            return {};
        }));
        packet.clocks.push_back(clock);
        return {};
    });
}

Result<void> readDefaults(ProtoStream &in, const Field &of, Packet &packet) {
    return inside(in, of, [&](const Field &field) -> Result<void> {
        if (field.number == 58)
            packet.defaultClock = field.value;
        if (field.number != 11)
            return {};
        return inside(in, field, [&](const Field &part) -> Result<void> {
            if (part.number == 11)
                packet.defaultTrack = part.value;
            return {};
        });
    });
}

} // namespace

Result<Packet> readPacket(ProtoStream &in) {
    Packet packet;
    TRY(in.forEachFieldInside([&](const Field &field) -> Result<void> {
        switch (field.number) {
        case 6:
            return readClocks(in, field, packet);
        case 8:
            packet.timestamp = field.value;
            return {};
        case 10:
            packet.sequence = field.value;
            return {};
        case 11:
            packet.event = TRY(readEvent(in, field));
            return {};
        case 12:
            return readInterned(in, field, packet);
        case 13:
            packet.clearsState = packet.clearsState || (field.value & 1U) != 0;
            packet.needsState = (field.value & 2U) != 0;
            return {};
        case 41: // incremental_state_cleared, the older form of the flag
            packet.clearsState = packet.clearsState || field.value != 0;
            return {};
        case 42:
            packet.dropped = field.value != 0;
            return {};
        case 50:
            if (field.kind == Kind::Bytes)
                packet.compressed = TRY(in.text(mostCompressedBytes));
            return {};
        case 53:
            packet.stage = TRY(readStage(in, field));
            return {};
        case 58:
            packet.clock = field.value;
            return {};
        case 59:
            return readDefaults(in, field, packet);
        case 60:
            packet.track = TRY(readDescriptor(in, field));
            return {};
        case 133:
            packet.isZstd = true;
            return {};
        default:
            return {};
        }
    }));
    return packet;
}

} // namespace syncopate::perfetto
