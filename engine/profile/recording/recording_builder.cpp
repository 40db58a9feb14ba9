// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile/recording/recording_builder.h"

#include "engine/base/stoppable_sort.h"
#include "engine/profile/finish_profile.h"
#include "engine/profile/lane_packer.h"
#include "engine/profile/torch/kineto_collectives.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <utility>

namespace syncopate {

std::size_t RecordingBuilder::group(const std::string &name, std::int32_t worker, bool isCompute) {
    const auto [known, fresh] = m_numbers.try_emplace({worker, name.substr(0, maxNameBytes)}, m_groups.size());
    if (fresh)
        m_groups.push_back({known->first.second, worker, isCompute, {}});
    return known->second;
}

bool RecordingBuilder::add(std::size_t group, std::int64_t start, std::int64_t end, Category category, std::uint32_t label,
                           double sizeBytes) {
    if (start < -maxTime || end > maxTime || end < start) {
        ++m_unusable;
        return false;
    }
    m_groups[group].spans.push_back({start, end, sizeBytes, label, category});
    m_zero = std::min(m_zero, start);
    ++m_spanCount;
    return true;
}

void RecordingBuilder::addStep(std::uint64_t process, std::string_view name, std::int64_t start, std::int64_t end) {
    if (!takesStepsOf(process) || start < -maxTime || end > maxTime || end < start)
        return;
    m_stepsProcess = process;
    m_steps.push_back({std::string(name.substr(0, maxNameBytes)), start, end});
}

void RecordingBuilder::addStepsTo(ImportedProfile &profile) {
    std::stable_sort(m_steps.begin(), m_steps.end(), [](const Step &a, const Step &b) { return a.start < b.start; });
    for (Step &step : m_steps) {
        if (step.start < m_zero)
            continue;
        ProfileStep made;
        made.name = std::move(step.name);
        made.startSeconds = static_cast<double>(step.start - m_zero) * 1e-9;
        made.endSeconds = static_cast<double>(step.end - m_zero) * 1e-9;
        profile.steps.push_back(std::move(made));
        profile.timeline.iterationStart.push_back(step.start - m_zero);
    }
}

Result<std::shared_ptr<const ImportedProfile>> RecordingBuilder::finish(const std::string &path, std::string whyNoJob,
                                                                        const std::stop_token &stop) {
    if (m_spanCount == 0)
        return fail(m_unusable > 0 ? fmt::format("none of its {} spans has a usable time", m_unusable)
                                   : std::string("there is no span in it: nothing with a beginning and an end"),
                    "record again while the program works", path);
    const bool hasDevice =
        std::ranges::any_of(m_groups, [](const Group &group) { return group.isCompute && !group.spans.empty(); });
    LanePacker packer;
    for (std::uint32_t l = 0; l < m_labels.size(); ++l)
        static_cast<void>(packer.label(m_labels[l])); // assigns the same numbers again
    std::int32_t number = 0;
    for (Group &group : m_groups) {
        const std::size_t lanes = packer.addGroup(group.name, group.worker, group.isCompute);
        sortUnlessStopped(
            group.spans, [](const Span &a, const Span &b) { return a.start != b.start ? a.start < b.start : a.end > b.end; },
            stop);
        if (stop.stop_requested()) // the sort was cut short: the spans are unordered
            return cancelled(path);
        for (const Span &span : group.spans) {
            if (number % static_cast<std::int32_t>(stopInterval) == 0 && stop.stop_requested())
                return cancelled(path);
            const Category category = span.category == Category::Host && !hasDevice ? Category::OtherCompute : span.category;
            packer.add(lanes, span.start - m_zero, span.end - m_zero, category, static_cast<std::int32_t>(span.label), number,
                       span.sizeBytes);
            number = number == std::numeric_limits<std::int32_t>::max() ? 0 : number + 1;
        }
        group.spans = {};
    }
    auto profile = std::make_shared<ImportedProfile>();
    profile->file = path;
    profile->timeline = packer.take();
    addStepsTo(*profile);
    profile->eventCount = m_spanCount + m_unusable;
    profile->job.name = std::filesystem::path(path).filename().string();
    profile->read = std::move(m_facts);
    if (m_unusable > 0)
        profile->read.push_back(fmt::format("{} spans have no usable time and are left out.", m_unusable));
    profile->job.notes = profile->read;
    profile->job.notes.insert(profile->job.notes.begin(), std::move(whyNoJob));
    makeNamesValid(*profile);
    return profile;
}

bool isCopyName(std::string_view name) {
    if (name.starts_with('%'))
        name.remove_prefix(1);
    // HIP's runtime copies and fills within a device by kernels of its own. XLA's asynchronous copies run beside its ops: the
    // done op only waits for the copy that the start op began.
    for (const char *prefix : {"MEMORY_COPY", "__amd_rocclr_copyBuffer", "__amd_rocclr_fillBuffer", "copy-start", "copy-done"})
        if (name.starts_with(prefix))
            return true;
    if (!name.starts_with("Memcpy") && !name.starts_with("Memset"))
        return false;
    // A kernel may be called so, too: what follows is an argument, or from where to where, as in HtoD and D2H.
    name.remove_prefix(6);
    constexpr std::string_view places = "HDAP"; // host, device, array, peer
    const auto isPlace = [&](std::size_t at) { return at < name.size() && places.find(name[at]) != std::string_view::npos; };
    return name.empty() || name.front() == ' ' || name.front() == '(' ||
           (isPlace(0) && name.size() >= 3 && (name[1] == '2' || name.substr(1).starts_with("to")) &&
            isPlace(name[1] == '2' ? 2 : 3));
}

Category categoryOfKernel(std::string_view name) {
    if (isCopyName(name))
        return Category::Copy;
    if (name.starts_with('%'))
        name.remove_prefix(1);
    bool isCollective = kineto::isCollectiveKernel(name);
    for (const char *op : {"all-reduce", "all-gather", "reduce-scatter", "all-to-all", "collective-permute",
                           "collective-broadcast", "ragged-all-to-all"})
        isCollective = isCollective || name.starts_with(op);
    if (!isCollective)
        return Category::OtherCompute;
    return name.starts_with("all-reduce") || kineto::collectiveInName(name) == "allreduce" ? Category::AllReduce
                                                                                           : Category::OtherComm;
}

} // namespace syncopate
