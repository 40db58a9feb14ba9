// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/recording/recording.h"

#include "engine/parse/byte_source.h"
#include "engine/parse/read_limits.h"
#include "engine/profile/foreign_formats.h"
#include "engine/profile/nsight/nsight.h"
#include "engine/profile/ranks/rank_set.h"
#include "engine/profile/recording/recording_builder.h"
#include "engine/profile/torch/kineto_events.h"

#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

namespace syncopate {

namespace {

constexpr std::string_view kinetoFormat = rankFormats[0];

using Imported = Result<std::shared_ptr<const ImportedProfile>>;

/// The lane on which an event is shown: annotations and ops nest on their threads, kernels and copies run on their
/// streams.
struct Place {
    std::string lane;
    bool isCompute = false;
};

Place placeOf(const TraceEvents &trace, const TraceEvent &event, Category category) {
    const TraceRow &row = trace.rows[event.row];
    if (!event.onDevice())
        return {fmt::format("host thread {}", row.thread)};
    const char *const what = event.kind == EventKind::Kernel ? isCommunication(category) ? "communication" : "kernels" : "memory";
    return {fmt::format("device {} {} stream {}", row.process, what, row.thread),
            event.kind == EventKind::Kernel && !isCommunication(category)};
}

/// Adds the events of a process, whose devices become workers from `firstWorker` on; returns the number of devices.
std::int32_t addEvents(const TraceEvents &trace, std::size_t process, const std::string &prefix, std::int32_t firstWorker,
                       RecordingBuilder &recording) {
    std::map<std::string, std::int32_t> devices;
    std::map<std::pair<std::uint32_t, int>, std::size_t> groups; // by row and kind of lane
    for (const TraceEvent &event : trace.events) {
        const std::string &name = trace.nameOf(event);
        const bool onDevice = event.onDevice();
        const Category category = !onDevice                         ? Category::Host
                                  : event.kind == EventKind::Kernel ? categoryOfKernel(name)
                                                                    : Category::Copy;
        const int kind = !onDevice ? 0 : event.kind != EventKind::Kernel ? 1 : isCommunication(category) ? 2 : 3;
        const auto [known, fresh] = groups.try_emplace({event.row, kind}, 0);
        if (fresh) {
            const Place place = placeOf(trace, event, category);
            std::int32_t worker = -1;
            if (onDevice)
                worker =
                    firstWorker +
                    devices.try_emplace(trace.rows[event.row].process, static_cast<std::int32_t>(devices.size())).first->second;
            known->second = recording.group(prefix + place.lane, worker, place.isCompute);
        }
        const std::int64_t end = event.start > std::numeric_limits<std::int64_t>::max() - event.duration
                                     ? std::numeric_limits<std::int64_t>::max()
                                     : event.start + event.duration;
        recording.add(known->second, event.start, end, category, recording.label(name));
        if (!onDevice && name.starts_with("ProfilerStep#"))
            recording.addStep(process, name, event.start, end);
    }
    return static_cast<std::int32_t>(devices.size());
}

std::string sentence(const Error &error) {
    return fmt::format("There is no training step that could be simulated: {}. To simulate, {}.", error.what, error.remedy);
}

Imported recordingOfKineto(const std::string &path, const ImportOptions &options, const Error &why, const std::stop_token &stop,
                           Progress *progress) {
    auto source = TRY(inFile(ByteSource::openFile(path, progress), path));
    source->setLimits(ReadLimits::of(options.limitBytes));
    const auto trace = TRY(inFile(readTraceEvents(*source, stop), path));
    RecordingBuilder recording;
    recording.addFact(fmt::format("PyTorch trace with {} events.", trace.eventCount));
    addEvents(trace, 0, {}, 0, recording);
    return recording.finish(path, sentence(why), stop);
}

Imported recordingOfNsight(const std::string &path, const ImportOptions &options, const Error &why, const std::stop_token &stop,
                           Progress *progress) {
    const auto capture = TRY(readNsight(path, stop, progress, ReadLimits::of(options.limitBytes)));
    RecordingBuilder recording;
    recording.addFact(fmt::format("Nsight Systems export, processes: {}.", capture.processes.size()));
    std::int32_t workers = 0;
    for (std::size_t p = 0; p < capture.processes.size(); ++p)
        workers += addEvents(capture.processes[p].trace, p,
                             capture.processes.size() > 1 ? fmt::format("process {} ", p) : std::string(), workers, recording);
    return recording.finish(path, sentence(why), stop);
}

/// Opens a file that importProfile() refused with `why` as a recording, if it is one.
Imported recordingInstead(const std::string &path, const ImportOptions &options, const Error &why, const std::stop_token &stop,
                          Progress *progress) {
    const Unexpected refused(why); // says what the file lacks
    if (why.kind != ErrorKind::Input || options.step >= 0 || !options.variables.empty() || isFolder(path))
        return refused;
    const auto head = readFileHead(path);
    if (!head)
        return refused;
    if (const ForeignFormat *const foreign = foreignFormatOf(*head))
        return foreign->read ? foreign->read(path, *head, options, stop, progress) : Imported(refused);
    const bool isNsight = looksLikeSqlite(head->text);
    if (!isNsight && profileFormat(*head).name != kinetoFormat)
        return refused;
    return withinMemory(path, recordLess, [&]() -> Imported {
        auto recording = isNsight ? recordingOfNsight(path, options, why, stop, progress)
                                  : recordingOfKineto(path, options, why, stop, progress);
        return recording || recording.error().isCancelled() ? recording : Imported(refused);
    });
}

} // namespace

Imported importRecording(const std::string &path, const ImportOptions &options, std::stop_token stop, Progress *progress) {
    auto profile = importProfile(path, options, stop, progress);
    return profile ? profile : recordingInstead(path, options, profile.error(), stop, progress);
}

Result<LoadedJob> loadJobOrRecording(const std::string &nameOrPath, const ImportOptions &options, std::stop_token stop,
                                     Progress *progress) {
    auto loaded = loadJob(nameOrPath, options, stop, progress);
    std::error_code ignored;
    if (loaded || !std::filesystem::is_regular_file(nameOrPath, ignored))
        return loaded;
    const auto profile = TRY(recordingInstead(nameOrPath, options, loaded.error(), stop, progress));
    return LoadedJob{std::shared_ptr<const Job>(profile, &profile->job), profile};
}

} // namespace syncopate
