// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/measured_run.h"

#include "engine/job/batch.h"
#include "engine/profile/recording/recording.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace syncopate {

namespace {

/// The step that the job was made from; null if it was made from several.
const ProfileStep *stepOfJob(const ImportedProfile &profile) {
    const auto step = static_cast<std::size_t>(profile.jobStep);
    return profile.jobStep >= 0 && step < profile.steps.size() ? &profile.steps[step] : nullptr;
}

} // namespace

MeasuredStep measuredStep(const ImportedProfile &profile) {
    const ProfileStep *own = stepOfJob(profile);
    if (!own)
        return {0, static_cast<double>(profile.timeline.duration) * 1e-9};
    return {own->startSeconds, own->lengthSeconds > 0 ? own->lengthSeconds : own->endSeconds - own->startSeconds};
}

std::shared_ptr<const Recording> measuredRecording(const std::shared_ptr<const ImportedProfile> &profile,
                                                   std::shared_ptr<const Job> job, const std::stop_token &stop) {
    auto run = std::make_shared<Recording>();
    const Timeline &measured = profile->timeline;
    run->timeline = {{}, measured.labels, measured.duration, measured.iterationStart};
    run->timeline.lanes.reserve(measured.lanes.size());
    for (const Lane &lane : measured.lanes)
        if (!stop.stop_requested())
            run->timeline.lanes.push_back(lane);
    run->events = profile->eventCount;
    run->measured = true;
    run->workers = static_cast<std::int32_t>(std::max<std::size_t>(1, profile->ranks.size()));
    const MeasuredStep step = measuredStep(*profile);
    run->windowStartSeconds = step.startSeconds;
    run->iterationSeconds = step.lengthSeconds;
    run->assumptions.push_back(fmt::format("Measured, not simulated: {}.", profile->file));
    if (const ProfileStep *own = stepOfJob(*profile))
        run->assumptions.push_back(fmt::format("The iteration is {}, the step that the job was made from.", own->name));
    if (run->iterationSeconds > 0 && !isRecordingOnly(*job))
        // Every rank takes its own batch in the same time, whether or not its file was read.
        run->samplesPerSecond = std::max<double>(run->workers, static_cast<double>(profile->platform.ranks)) * countOfStep(*job) /
                                run->iterationSeconds;
    run->job = std::move(job);
    return run;
}

} // namespace syncopate
