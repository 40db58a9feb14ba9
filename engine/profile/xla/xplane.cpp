// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/xla/xplane.h"

#include "engine/base/stoppable_sort.h"
#include "engine/parse/proto_stream.h"
#include "engine/parse/read_limits.h"
#include "engine/profile/recording/recording_builder.h"
#include "engine/profile/xla/plane.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <vector>

namespace syncopate {

namespace {

using xplane::Event;
using xplane::Line;
using xplane::Op;
using xplane::Plane;
using xplane::Use;
using Field = ProtoStream::Field;
using Kind = ProtoStream::Kind;

constexpr const char *whyNoJob =
    "This is a profile of XLA's profiler (XPlane): devices and host threads without the layers of a model, so there is no "
    "training step that could be simulated. To simulate, write a job file with the times of the layers (docs/job-file.md).";
constexpr std::int64_t picosecondsOfNanosecond = 1000;
constexpr std::size_t longestName = std::size_t{1} << 24; ///< an XLA op's name is its whole text

class XPlaneReader {
public:
    XPlaneReader(ByteSource &source, std::stop_token stop) : m_in(source, stop), m_stop(std::move(stop)) {}

    Result<void> read(RecordingBuilder &recording) {
        TRY(m_in.forEachField([&](const Field &field) -> Result<void> {
            if (field.number != 1 || field.kind != Kind::Bytes)
                return {};
            Plane plane;
            TRY(readPlane(plane));
            joinAsyncCollectives(plane, m_stop);
            take(plane, recording);
            if (m_stop.stop_requested())
                return cancelled();
            m_keptBytes = recording.keptBytes();
            return m_in.checkKept(m_keptBytes);
        }));
        recording.addFact(fmt::format("Profile of XLA's profiler: {} planes; devices with work: {}; lines left out, which repeat "
                                      "others: {}.",
                                      m_planes, m_devices, m_derived));
        return {};
    }

private:
    static std::int64_t signedOf(const Field &field) { return static_cast<std::int64_t>(field.value); }

    Result<void> readPlane(Plane &plane) {
        ++m_planes;
        return m_in.forEachFieldInside([&](const Field &field) -> Result<void> {
            if (field.kind != Kind::Bytes)
                return {};
            switch (field.number) {
            case 2:
                return m_in.textInto(plane.name);
            case 3:
                m_keptBytes += sizeof(Line);
                TRY(m_in.checkKept(m_keptBytes));
                return readLine(plane.lines.emplace_back());
            case 4:
                return readName(plane);
            default:
                return {};
            }
        });
    }

    Result<void> readLine(Line &line) {
        return m_in.forEachFieldInside([&](const Field &field) -> Result<void> {
            switch (field.number) {
            case 1:
                line.id = signedOf(field);
                return {};
            case 2:
                return field.kind == Kind::Bytes ? m_in.textInto(line.name) : Result<void>();
            case 3:
                line.timestamp = signedOf(field);
                return {};
            case 4:
                return field.kind == Kind::Bytes ? readEvent(line.events.emplace_back()) : Result<void>();
            case 11:
                return field.kind == Kind::Bytes ? m_in.textInto(line.displayName) : Result<void>();
            default:
                return {};
            }
        });
    }

    Result<void> readEvent(Event &event) {
        m_keptBytes += sizeof(Event);
        if (++m_events % 4096 == 0)
            TRY(m_in.checkKept(m_keptBytes));
        return m_in.forEachFieldInside([&](const Field &field) -> Result<void> {
            if (field.kind != Kind::Varint)
                return {};
            if (field.number == 1)
                event.metadata = signedOf(field);
            else if (field.number == 2)
                event.offset = signedOf(field);
            else if (field.number == 3)
                event.duration = signedOf(field);
            else if (field.number == 5)
                event.isLeftOut = true;
            return {};
        });
    }

    /// Reads an entry of the map from ids to XEventMetadata.
    Result<void> readName(Plane &plane) {
        std::int64_t key = 0;
        Op op;
        TRY(m_in.forEachFieldInside([&](const Field &entry) -> Result<void> {
            if (entry.number == 1)
                key = signedOf(entry);
            if (entry.number != 2 || entry.kind != Kind::Bytes)
                return {};
            return m_in.forEachFieldInside([&](const Field &field) -> Result<void> {
                if (field.number != 2 || field.kind != Kind::Bytes)
                    return {};
                op = xplane::opOf(TRY(m_in.view(longestName)));
                return {};
            });
        }));
        m_keptBytes += op.name.size() + op.startName.size() + sizeof(Op);
        plane.ops.insert_or_assign(key, std::move(op));
        return m_in.checkKept(m_keptBytes);
    }

    void take(const Plane &plane, RecordingBuilder &recording) {
        const bool isDevice = plane.name.starts_with("/device:");
        const bool hasWork = std::any_of(plane.lines.begin(), plane.lines.end(), [&](const Line &line) {
            return useOf(plane, line) == Use::Compute && !line.events.empty();
        });
        const std::int32_t worker = isDevice && hasWork ? m_devices++ : -1; // of all its lines, in whatever order they come
        const std::string device = plane.name.substr(plane.name.find(':') + 1);
        for (const Line &line : plane.lines) {
            const Use use = useOf(plane, line);
            const bool isLeftOut = use == Use::No || (use == Use::Steps && !recording.takesStepsOf(m_planes));
            m_derived += isLeftOut && !line.events.empty();
            if (isLeftOut || line.events.empty())
                continue;
            const std::string &shown = !line.displayName.empty() ? line.displayName : line.name;
            const std::string name = isDevice        ? fmt::format("{} {}", device, shown)
                                     : shown.empty() ? fmt::format("host thread {}", line.id)
                                                     : "host " + shown;
            takeLine(plane, line, use, name, worker, recording);
        }
    }

    /// Of a collective; a start op's own shape has its operands first.
    static double bytesOfResult(const Plane &plane, const Event &event) {
        const auto done = plane.doneOf.find(event.metadata);
        const Op *const op = plane.find(done == plane.doneOf.end() ? event.metadata : done->second);
        return op ? op->resultBytes : 0;
    }

    void takeLine(const Plane &plane, const Line &line, Use use, const std::string &lane, std::int32_t worker,
                  RecordingBuilder &recording) const {
        const std::size_t compute = use == Use::Steps ? 0 : recording.group(lane, worker, use == Use::Compute);
        std::optional<std::size_t> communication;
        const std::vector<bool> isControlFlow =
            use == Use::Compute ? controlFlowIn(plane, line, m_stop) : std::vector<bool>(line.events.size(), false);
        static const Op unnamed{.name = "event"};
        for (std::size_t i = 0; i < line.events.size(); ++i) {
            if (i % stopInterval == 0 && m_stop.stop_requested())
                return;
            const Event &event = line.events[i];
            if (event.isLeftOut || event.offset < 0 || event.duration < 0)
                continue;
            // Both ends are rounded down, so that spans disjoint in picoseconds are disjoint in nanoseconds.
            const std::int64_t from = event.offset / picosecondsOfNanosecond;
            constexpr std::int64_t latest = std::numeric_limits<std::int64_t>::max(); // an end that is dropped as unusable
            const bool ends = event.duration <= latest - event.offset;
            if (line.timestamp < -RecordingBuilder::maxTime || line.timestamp > RecordingBuilder::maxTime)
                continue;
            const std::int64_t start = line.timestamp + from;
            const std::int64_t end = ends ? line.timestamp + (event.offset + event.duration) / picosecondsOfNanosecond : latest;
            const Op *const named = plane.find(event.metadata);
            const Op &op = named ? *named : unnamed;
            if (use == Use::Steps) {
                recording.addStep(m_planes, "step " + op.name, start, end);
                continue;
            }
            Category category = plane.name.starts_with("/host:CPU") ? Category::Host : Category::OtherCompute;
            // A copy beside the ops occupies nothing that a collective could be hidden behind; the wait for it is an op.
            if (use == Use::Compute || (use == Use::Asynchronous && isCommunication(op.category)))
                category = op.category;
            std::size_t group = compute;
            if (isCommunication(category)) {
                if (!communication)
                    communication = recording.group(lane + " communication", worker, false);
                group = *communication;
            } else if (isControlFlow[i]) {
                group = recording.group(lane + " control flow", worker, false);
            }
            recording.add(group, start, end, category, recording.label(op.name),
                          isCommunication(category) ? bytesOfResult(plane, event) : 0);
        }
    }

    ProtoStream m_in;
    const std::stop_token m_stop;
    std::uint64_t m_planes = 0, m_derived = 0;
    std::uint64_t m_events = 0;
    std::uint64_t m_keptBytes = 0; ///< of the recording and the current plane, approximately
    std::int32_t m_devices = 0;
};

/// A program that reads the file as text replaces bytes that are not UTF-8 with EF BF BD.
bool wentThroughTextFilter(std::string_view head) {
    constexpr std::string_view replaced = "\xef\xbf\xbd";
    constexpr int many = 20; // in 64 KiB; no intact profile has as many
    int count = 0;
    for (std::size_t at = head.find(replaced); at != std::string_view::npos; at = head.find(replaced, at + replaced.size()))
        ++count;
    return count >= many;
}

} // namespace

Result<std::shared_ptr<const ImportedProfile>> importXPlane(ByteSource &source, const std::string &name, std::string_view head,
                                                            std::stop_token stop) {
    return withinMemory(name, recordLess, [&]() -> Result<std::shared_ptr<const ImportedProfile>> {
        RecordingBuilder recording;
        const auto read = XPlaneReader(source, stop).read(recording);
        if (!read && !read.error().isCancelled() && wentThroughTextFilter(head))
            return fail("this XPlane profile is damaged: bytes in it were replaced by EF BF BD, as by a program that takes the "
                        "file for text",
                        "copy the file again in binary mode", name);
        if (!read)
            return Unexpected(inFile(read.error(), name));
        return recording.finish(name, whyNoJob, stop);
    });
}

} // namespace syncopate
