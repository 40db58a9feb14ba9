// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/perfetto/pftrace.h"

#include "engine/base/stoppable_sort.h"
#include "engine/base/text.h"
#include "engine/parse/read_limits.h"
#include "engine/profile/perfetto/inflate.h"
#include "engine/profile/perfetto/packet_reader.h"
#include "engine/profile/recording/recording_builder.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

namespace syncopate {

namespace {

using namespace perfetto;

constexpr const char *whyNoJob = "This is a Perfetto trace: slices on tracks, without the layers of a model, so there is no "
                                 "training step that could be simulated. "
                                 "To simulate, open the JSON trace that torch.profiler's export_chrome_trace wrote.";
constexpr std::uint64_t bootTime = 6, firstLocalClock = 64, lastLocalClock = 127;
constexpr std::size_t maxCompressedDepth = 1; ///< compressed packets may not hold further ones
constexpr std::uint64_t bytesOfTrack = 1500, bytesOfSequence = 600, bytesOfOffset = 48; ///< of memory, roughly, with a lane
constexpr std::size_t maxTrackNameBytes = 200; ///< a lane's name includes those of all enclosing tracks
constexpr std::uint64_t noTrack = std::numeric_limits<std::uint64_t>::max();

/// An event on a track, in file order.
struct Moment {
    std::int64_t time = 0;
    std::int64_t duration = 0; ///< of complete slices
    std::uint32_t label = 0;
    EventType type = EventType::None;
};

struct Track {
    TrackDescriptor told;
    bool isTold = false;
    std::vector<Moment> moments;
};

/// State that later packets of the same writer refer to.
struct Sequence {
    std::unordered_map<std::uint64_t, std::uint32_t> eventNames, kernelNames, stageNames; ///< by iid
    std::uint64_t defaultTrack = noTrack, clock = 0;
    std::unordered_map<std::uint64_t, Clock> clocks; ///< local clocks: last reading
    bool isValid = false;                            ///< its state was cleared, so nothing is missing
};

std::string lowercase(std::string_view text) {
    std::string lower(text.substr(0, 256));
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return lower;
}

/// Whether `word` stands in a text without other letters beside it: "stream" in "stream 7", not in "upstream". Lower case.
bool hasWord(std::string_view text, std::string_view word) {
    const auto isLetter = [&](std::size_t at) { return at < text.size() && text[at] >= 'a' && text[at] <= 'z'; };
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
        if ((at == 0 || !isLetter(at - 1)) && !isLetter(at + word.size()))
            return true;
    return false;
}

class TraceReader {
public:
    TraceReader(RecordingBuilder &recording, std::stop_token stop) : m_recording(recording), m_stop(std::move(stop)) {}

    Result<void> read(ByteSource &source, std::size_t depth = 0) {
        ProtoStream in(source, m_stop);
        return in.forEachField([&](const ProtoStream::Field &field) -> Result<void> {
            if (field.number != 1 || field.kind != ProtoStream::Kind::Bytes)
                return {};
            const Packet packet = TRY(readPacket(in));
            m_nameBytes += packet.nameBytes;
            ++m_packets;
            if (m_packets % 4096 == 0)
                TRY(in.checkKept(keptBytes()));
            if (!packet.compressed.empty() && depth < maxCompressedDepth) {
                const std::string unpacked = TRY(inflateZlib(packet.compressed));
                TRY(in.checkKept(keptBytes() + unpacked.size()));
                return read(*ByteSource::fromMemory(unpacked), depth + 1);
            }
            m_zstd += packet.isZstd;
            take(packet);
            return {};
        });
    }

    Result<void> finish() {
        std::uint64_t unclosed = 0;
        for (const std::uint64_t id : m_order) {
            Track &track = m_tracks[id];
            if (track.moments.empty())
                continue;
            TRY(takeSlices(track, unclosed));
        }
        m_recording.addFact(fmt::format("Perfetto trace: {} packets, {} tracks.", m_packets, m_order.size()));
        const auto fact = [&](std::uint64_t count, const char *what) {
            if (count > 0)
                m_recording.addFact(fmt::format("{} {}.", count, what));
        };
        fact(m_instants, "instants and counter values are not shown");
        fact(unclosed, "slices had not ended when the trace did");
        fact(m_lost, "events refer to names that were lost, and are left out");
        fact(m_zstd, "packets are compressed with zstd, which is not read");
        return {};
    }

private:
    [[nodiscard]] std::uint64_t keptBytes() const {
        return m_nameBytes + m_recording.keptBytes() + m_moments * sizeof(Moment) * 2 + m_order.size() * bytesOfTrack +
               m_sequences.size() * bytesOfSequence + m_offsets.size() * bytesOfOffset;
    }

    void take(const Packet &packet) {
        Sequence &sequence = m_sequences[packet.sequence];
        if (packet.clearsState) {
            sequence = {};
            sequence.isValid = true;
        }
        if (packet.dropped && !packet.clearsState)
            sequence.isValid = false;
        if (packet.defaultTrack)
            sequence.defaultTrack = *packet.defaultTrack;
        if (packet.defaultClock)
            sequence.clock = *packet.defaultClock;
        takeClocks(packet, sequence);
        takeNames(packet.eventNames, sequence.eventNames);
        takeNames(packet.kernelNames, sequence.kernelNames);
        takeNames(packet.stageNames, sequence.stageNames);
        if (packet.track)
            takeTrack(*packet.track);
        const std::int64_t time = packet.timestamp ? timeOf(*packet.timestamp, packet.clock, sequence) : 0;
        if (packet.needsState && !sequence.isValid && (packet.event || packet.stage)) {
            ++m_lost;
            return;
        }
        if (packet.event && packet.timestamp)
            takeEvent(*packet.event, sequence, time);
        if (packet.stage && packet.timestamp)
            takeStage(*packet.stage, sequence, time);
    }

    void takeNames(const std::vector<std::pair<std::uint64_t, std::string>> &names,
                   std::unordered_map<std::uint64_t, std::uint32_t> &into) {
        for (const auto &[id, name] : names)
            into.insert_or_assign(id, m_recording.label(name));
    }

    void takeTrack(const TrackDescriptor &told) {
        Track &track = trackOf(told.id);
        track.told = told;
        for (std::string *name : {&track.told.name, &track.told.processName, &track.told.threadName})
            if (name->size() > maxTrackNameBytes)
                *name = cutInMiddle(*name, maxTrackNameBytes);
        track.isTold = true;
    }

    Track &trackOf(std::uint64_t id) {
        const auto [place, fresh] = m_tracks.try_emplace(id);
        if (fresh)
            m_order.push_back(id);
        return place->second;
    }

    /// Reads a snapshot of several clocks at one moment, which gives each clock's offset from boot time.
    void takeClocks(const Packet &packet, Sequence &sequence) {
        const auto boot =
            std::find_if(packet.clocks.begin(), packet.clocks.end(), [](const Clock &c) { return c.id == bootTime; });
        for (const Clock &clock : packet.clocks) {
            if (clock.id < firstLocalClock || clock.id > lastLocalClock) {
                if (boot != packet.clocks.end() && clock.id != bootTime)
                    m_offsets[clock.id] = static_cast<std::int64_t>(boot->timestamp - clock.timestamp);
                continue;
            }
            Clock local = clock;
            local.unitNanoseconds = std::clamp<std::uint64_t>(clock.unitNanoseconds, 1, 1'000'000'000);
            // Boot time of an incremental clock's last reading or, for other clocks, of their zero.
            local.timestamp = boot != packet.clocks.end() ? boot->timestamp : clock.timestamp * local.unitNanoseconds;
            if (!clock.isIncremental)
                local.timestamp -= clock.timestamp * local.unitNanoseconds;
            sequence.clocks[clock.id] = local;
        }
    }

    /// Converts to boot time if a snapshot has the clock. Arithmetic is modulo 2^64, like the clocks; values out of range are
    /// dropped later.
    std::int64_t timeOf(std::uint64_t timestamp, std::uint64_t clock, Sequence &sequence) {
        if (clock == 0)
            clock = sequence.clock == 0 ? bootTime : sequence.clock;
        if (const auto local = sequence.clocks.find(clock); local != sequence.clocks.end()) {
            const std::uint64_t time = local->second.timestamp + timestamp * local->second.unitNanoseconds;
            if (local->second.isIncremental)
                local->second.timestamp = time;
            return static_cast<std::int64_t>(time);
        }
        const auto offset = m_offsets.find(clock);
        return static_cast<std::int64_t>(timestamp +
                                         (offset != m_offsets.end() ? static_cast<std::uint64_t>(offset->second) : 0));
    }

    void takeEvent(const TrackEvent &event, const Sequence &sequence, std::int64_t time) {
        if (event.type == EventType::Instant || event.type == EventType::Counter || event.type == EventType::None) {
            ++m_instants;
            return;
        }
        std::uint32_t label = 0;
        if (event.type != EventType::End) {
            const auto interned = sequence.eventNames.find(event.nameId);
            if (event.name.empty() && event.nameId != 0 && interned == sequence.eventNames.end()) {
                ++m_lost;
                return;
            }
            label = !event.name.empty()                     ? m_recording.label(event.name)
                    : interned != sequence.eventNames.end() ? interned->second
                                                            : m_recording.label("slice");
        }
        constexpr std::int64_t longest = std::numeric_limits<std::int64_t>::max() / 1000;
        const std::int64_t duration = std::clamp<std::int64_t>(event.durationMicroseconds, 0, longest) * 1000;
        trackOf(event.track.value_or(sequence.defaultTrack)).moments.push_back({time, duration, label, event.type});
        ++m_moments;
    }

    void takeStage(const RenderStage &stage, const Sequence &sequence, std::int64_t time) {
        const auto nameIn = [](const auto &names, std::uint64_t id) {
            const auto found = names.find(id);
            return id != 0 && found != names.end() ? std::optional(found->second) : std::nullopt;
        };
        auto label = nameIn(sequence.kernelNames, stage.kernelId);
        if (!label && !stage.name.empty())
            label = m_recording.label(stage.name);
        if (!label)
            label = nameIn(sequence.eventNames, stage.nameId);
        if (!label)
            label = nameIn(sequence.stageNames, stage.stageId);
        const std::int32_t worker = workerOf(stage.gpu);
        const auto queue = nameIn(sequence.stageNames, stage.queue);
        const std::string lane = fmt::format("GPU {} queue {}", stage.gpu, stage.queue);
        const auto length = static_cast<std::int64_t>(std::min<std::uint64_t>(stage.duration, std::uint64_t{1} << 61U));
        const std::uint32_t named = label ? *label : queue ? *queue : m_recording.label("stage");
        const Category category = categoryOfKernel(m_recording.text(named));
        const bool communicates = isCommunication(category);
        if (time < RecordingBuilder::maxTime)
            m_recording.add(m_recording.group(communicates ? lane + " communication" : lane, worker, !communicates), time,
                            time + length, category, named);
    }

    /// Matches begin and end events, which nest like calls; ends carry no name. Unfinished slices last until the last
    /// event.
    Result<void> takeSlices(Track &track, std::uint64_t &unclosed) {
        const bool device = isDevice(track);
        const Category beside = isOfThread(track) ? Category::Host : Category::OtherCompute;
        const std::string lane = nameOf(track);
        const auto process = static_cast<std::uint64_t>(idAround(track, &TrackDescriptor::pid).value_or(0));
        const std::int32_t worker = device && !track.moments.empty() ? workerOf(deviceOf(track)) : -1;
        const std::size_t group = m_recording.group(lane, worker, device);
        std::vector<Moment> &moments = track.moments;
        sortUnlessStopped(
            moments, [](const Moment &a, const Moment &b) { return a.time < b.time; }, m_stop);
        if (m_stop.stop_requested())
            return cancelled();
        std::vector<const Moment *> open;
        const auto add = [&](const Moment &begin, std::int64_t end) {
            const std::string_view name = m_recording.text(begin.label);
            const Category category = device ? categoryOfKernel(name) : beside;
            if (name.starts_with("ProfilerStep#") && !device)
                m_recording.addStep(process, name, begin.time, end);
            const bool communicates = isCommunication(category);
            m_recording.add(communicates ? m_recording.group(lane + " communication", worker, false) : group, begin.time, end,
                            category, begin.label);
        };
        for (const Moment &moment : moments) {
            if (moment.type == EventType::Begin)
                open.push_back(&moment);
            else if (moment.type == EventType::Complete && moment.time < RecordingBuilder::maxTime &&
                     moment.duration < RecordingBuilder::maxTime)
                add(moment, moment.time + moment.duration);
            else if (moment.type == EventType::End && !open.empty()) {
                add(*open.back(), moment.time);
                open.pop_back();
            }
        }
        unclosed += open.size();
        for (const Moment *begin : open)
            add(*begin, moments.back().time);
        moments = {};
        return {};
    }

    /// Names of the track and those enclosing it, outermost first.
    std::string nameOf(const Track &track) const {
        std::string name = ownName(track);
        const Track *at = &track;
        constexpr int deepest = 8; // guards against tracks that enclose each other
        for (int depth = 0; depth < deepest && at->told.parent; ++depth) {
            const auto parent = m_tracks.find(*at->told.parent);
            if (parent == m_tracks.end() || &parent->second == at)
                break;
            at = &parent->second;
            if (const std::string outer = ownName(*at); outer != "track" && outer != name)
                name = outer + " / " + name;
        }
        return name;
    }

    static std::string ownName(const Track &track) {
        const TrackDescriptor &told = track.told;
        if (!told.name.empty())
            return told.name;
        if (told.tid)
            return told.threadName.empty() ? fmt::format("thread {}", *told.tid) : told.threadName;
        if (told.pid)
            return told.processName.empty() ? fmt::format("process {}", *told.pid) : told.processName;
        return track.isTold ? fmt::format("track {:x}", told.id) : std::string("track");
    }

    /// rocprofv3 and Kineto exports name a device's tracks after their stream or queue.
    bool isDevice(const Track &track) const {
        const std::string name = lowercase(nameOf(track));
        return hasWord(name, "stream") || hasWord(name, "queue");
    }

    /// The id that the track, or the nearest track around it, states.
    std::optional<std::int64_t> idAround(const Track &track, std::optional<std::int64_t> TrackDescriptor::*id) const {
        const Track *at = &track;
        constexpr int deepest = 8; // guards against tracks that enclose each other
        for (int depth = 0; depth < deepest; ++depth) {
            if (at->told.*id)
                return at->told.*id;
            const auto parent = at->told.parent ? m_tracks.find(*at->told.parent) : m_tracks.end();
            if (parent == m_tracks.end())
                break;
            at = &parent->second;
        }
        return std::nullopt;
    }

    /// Whether it, or a track around it, is a thread's; no field tells the kind of other tracks.
    bool isOfThread(const Track &track) const { return idAround(track, &TrackDescriptor::tid).has_value(); }

    /// Devices are workers in the order of their first work, whichever numbers they have.
    std::int32_t workerOf(std::uint64_t device) {
        return m_workers.try_emplace(device, static_cast<std::int32_t>(m_workers.size())).first->second;
    }

    /// The first number after "gpu", "device" or "agent" in the track's name.
    std::uint64_t deviceOf(const Track &track) const {
        const std::string name = lowercase(nameOf(track));
        for (const char *word : {"gpu", "device", "agent"})
            if (const std::size_t at = name.find(word); at != std::string::npos) {
                const std::size_t digit = name.find_first_of("0123456789", at);
                if (digit == std::string::npos || digit >= at + 12)
                    continue;
                std::uint64_t number = 0;
                std::from_chars(name.data() + digit, name.data() + name.size(), number); // stays 0 if it is too large
                return number;
            }
        return 0;
    }

    RecordingBuilder &m_recording;
    std::stop_token m_stop;
    std::unordered_map<std::uint64_t, Sequence> m_sequences;
    std::unordered_map<std::uint64_t, Track> m_tracks;
    std::vector<std::uint64_t> m_order;                        ///< ids of tracks, in the order of their appearance
    std::unordered_map<std::uint64_t, std::int64_t> m_offsets; ///< boot time - clock
    std::unordered_map<std::uint64_t, std::int32_t> m_workers; ///< of devices, by their numbers
    std::uint64_t m_packets = 0, m_moments = 0, m_instants = 0, m_lost = 0, m_zstd = 0, m_nameBytes = 0;
};

} // namespace

Result<std::shared_ptr<const ImportedProfile>> importPerfetto(ByteSource &source, const std::string &name, std::stop_token stop) {
    return withinMemory(name, recordLess, [&]() -> Result<std::shared_ptr<const ImportedProfile>> {
        RecordingBuilder recording;
        TraceReader reader(recording, stop);
        TRY(inFile(reader.read(source), name));
        TRY(inFile(reader.finish(), name));
        return recording.finish(name, whyNoJob, stop);
    });
}

} // namespace syncopate
