// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/parse/archive.h"
#include "engine/profile/profile_formats.h"
#include "engine/profile/tensorflow/tensorflow.h"

#include <algorithm>
#include <fmt/format.h>

namespace syncopate {

namespace {

constexpr std::size_t maxSteps = 10'000;

} // namespace

Result<std::shared_ptr<const ImportedProfile>>
importTensorFlow(const std::vector<std::string> &paths, const ImportOptions &options, std::stop_token stop, Progress *progress) {
    std::vector<std::shared_ptr<const OpGraph>> steps;
    const auto take = [&](const std::string &name, std::unique_ptr<ByteSource> packed) -> Result<Walk> {
        auto source = TRY(ByteSource::unpack(std::move(packed)));
        auto head = TRY(readHead(*source, FileHead::size));
        if (!looksLikeTensorFlowTimeline(head))
            return {};
        if (steps.size() == maxSteps)
            return fail(fmt::format("these are more than {} timelines", maxSteps), "give a part of them", name);
        source = ByteSource::putBack(std::move(head), std::move(source));
        source->setLimits(ReadLimits::of(options.limitBytes));
        auto graph = TRY(readTensorFlowTimeline(*source, name, stop));
        steps.push_back(std::move(graph));
        return {};
    };
    std::uint64_t before = 0;
    if (progress) {
        std::uint64_t total = 0;
        for (const std::string &path : paths)
            total += sizeOfParts(path);
        progress->done = 0;
        progress->total = total;
    }
    for (const std::string &path : paths) {
        TRY(forEachPart(path, take, stop, progress, before));
        before += sizeOfParts(path);
    }
    if (steps.empty())
        return fail("there is no TensorFlow timeline in it",
                    "give the file that timeline.Timeline(..).generate_chrome_trace_format() wrote", paths.front());
    // By time, as timelines count their iterations: names sort step_10 before step_2.
    std::ranges::stable_sort(steps, {}, [](const auto &step) { return step->zero; });
    return importOpGraphs(steps, paths.front(), options, std::move(stop));
}

} // namespace syncopate
