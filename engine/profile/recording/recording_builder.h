// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/parse/string_table.h"
#include "engine/profile/profile.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace syncopate {

/// Makes a profile without a job from spans in any order: a timeline to show and query, but not to simulate. Spans of a group
/// that overlap or nest go to lanes of their own.
class RecordingBuilder {
public:
    static constexpr std::int64_t maxTime = std::int64_t{1} << 61; ///< of spans, either sign: differences of two fit
    /// Limits of names, beyond which they are cut: a file may state a name once and use it a million times, and every lane and
    /// step has a copy.
    static constexpr std::size_t maxNameBytes = 512, maxLabelBytes = std::size_t{1} << 16;

    /// Groups appear in the order in which they were added; the same name and worker is the same group. Worker -1: of the host.
    std::size_t group(const std::string &name, std::int32_t worker, bool isCompute);
    std::uint32_t label(std::string_view text) { return m_labels.intern(text.substr(0, maxLabelBytes)); }
    [[nodiscard]] const std::string &text(std::uint32_t label) const { return m_labels[label]; }
    /// Adds a span in nanoseconds on a clock that all spans share. Returns false and counts it as unusable if it lies beyond
    /// maxTime, or ends before its start.
    bool add(std::size_t group, std::int64_t start, std::int64_t end, Category category, std::uint32_t label,
             double sizeBytes = 0);
    /// Every process (or device) of a recording marks the same steps, so those of the first one alone count: whether that is
    /// `process`, or none has added a step yet.
    [[nodiscard]] bool takesStepsOf(std::uint64_t process) const { return m_steps.empty() || m_stepsProcess == process; }
    /// Adds a step that `process`, a number of any kind, marks; leaves it out unless takesStepsOf() it, or its time is unusable.
    void addStep(std::uint64_t process, std::string_view name, std::int64_t start, std::int64_t end);
    /// Adds a sentence about a fact found in the file.
    void addFact(std::string sentence) { m_facts.push_back(std::move(sentence)); }

    [[nodiscard]] std::uint64_t spanCount() const { return m_spanCount; }
    /// Approximate number of bytes kept so far, for checks against ReadLimits.
    [[nodiscard]] std::uint64_t keptBytes() const {
        return m_spanCount * bytesOfSpan + m_groups.size() * bytesOfGroup + m_steps.size() * bytesOfStep + m_labels.memoryBytes();
    }

    /// `whyNoJob` is the sentence of whyNoJob(). Spans of Category::Host become other compute where no group computes: without a
    /// device the threads do the work. Errors: there is no span; kind Cancelled.
    [[nodiscard]] Result<std::shared_ptr<const ImportedProfile>> finish(const std::string &path, std::string whyNoJob,
                                                                        const std::stop_token &stop);

private:
    struct Span {
        std::int64_t start, end;
        double sizeBytes;
        std::uint32_t label;
        Category category;
    };
    static constexpr std::uint64_t bytesOfSpan = sizeof(Span) + 56; ///< with its part of the timeline
    static constexpr std::uint64_t bytesOfGroup = 1024;             ///< with its lanes
    static constexpr std::uint64_t bytesOfStep = 512;               ///< with its name, and its part of the profile
    struct Group {
        std::string name;
        std::int32_t worker;
        bool isCompute;
        std::vector<Span> spans;
    };
    struct Step {
        std::string name;
        std::int64_t start, end;
    };
    void addStepsTo(ImportedProfile &profile);

    std::vector<Group> m_groups;
    std::map<std::pair<std::int32_t, std::string>, std::size_t> m_numbers; ///< of groups, by worker and name
    std::vector<Step> m_steps;
    std::uint64_t m_stepsProcess = 0; ///< whose steps these are
    std::vector<std::string> m_facts;
    StringTable m_labels;
    std::uint64_t m_spanCount = 0, m_unusable = 0;
    std::int64_t m_zero = std::numeric_limits<std::int64_t>::max();
};

/// Whether a device's activity of that name copies or fills memory, or waits for a copy: "Memcpy HtoD (Pinned -> Device)",
/// "MemcpyD2H", "Memset (Device)", "MEMORY_COPY_DEVICE_TO_HOST" (CUPTI by Kineto and XLA; rocprofiler-sdk), "copy-start.3",
/// "copy-done.3" (XLA).
[[nodiscard]] bool isCopyName(std::string_view name);

/// The category of a device's kernel or op by its name: collectives of NCCL, RCCL and XLA, copies, else OtherCompute.
[[nodiscard]] Category categoryOfKernel(std::string_view name);

} // namespace syncopate
